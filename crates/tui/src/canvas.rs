//! Drawing on the cells of the screen: text within a width, frames, pieces of lines.

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::look::{Look, rgb};

/// The cells of the screen, and what they can show.
pub(crate) struct Canvas<'a> {
    pub(crate) buffer: &'a mut Buffer,
    pub(crate) look: Look,
}

/// The columns of a text.
pub(crate) fn width(text: &str) -> u16 {
    text.width() as u16
}

impl Canvas<'_> {
    /// Writes text into at most `most` columns, and returns those that it took; a longer one ends with an ellipsis.
    pub(crate) fn text(&mut self, x: u16, y: u16, most: u16, text: &str, style: Style) -> u16 {
        let text = self.look.text(text);
        let most = most.min(self.buffer.area.right().saturating_sub(x));
        if most == 0 || !self.buffer.area.contains((x, y).into()) {
            return 0;
        }
        let text = if width(&text) <= most { text } else { self.cut(&text, most) };
        self.buffer.set_stringn(x, y, &text, most.into(), style);
        width(&text)
    }

    /// Writes text that ends before column `end`.
    pub(crate) fn right(&mut self, end: u16, y: u16, most: u16, text: &str, style: Style) {
        let n = width(&self.look.text(text)).min(most);
        self.text(end.saturating_sub(n), y, n, text, style);
    }

    /// Writes text in the middle of `most` columns.
    pub(crate) fn centred(&mut self, x: u16, y: u16, most: u16, text: &str, style: Style) {
        let n = width(&self.look.text(text)).min(most);
        self.text(x + (most - n) / 2, y, n, text, style);
    }

    fn cut(&self, text: &str, most: u16) -> String {
        let end = if self.look.ascii { "." } else { "\u{2026}" };
        let (mut out, mut used) = (String::new(), 0);
        for c in text.chars() {
            let n = c.width().unwrap_or(0) as u16;
            if used + n + 1 > most {
                break;
            }
            used += n;
            out.push(c);
        }
        out + end
    }

    /// Writes text in lines of whole words, or of characters in a script without spaces, and returns the number of lines.
    pub(crate) fn wrapped(&mut self, area: Rect, text: &str, style: Style) -> u16 {
        let text = self.look.text(text);
        let lines = wrap(&text, area.width);
        for (line, y) in lines.iter().zip(area.y..area.bottom()) {
            let is_last = y + 1 == area.bottom() && lines.len() > usize::from(area.height);
            let line = if is_last { &format!("{line} {}", lines[usize::from(area.height)..].join(" ")) } else { line };
            self.text(area.x, y, area.width, line, style);
        }
        lines.len().min(area.height.into()) as u16
    }

    /// Gives cells a ground.
    pub(crate) fn fill(&mut self, area: Rect, style: Style) {
        for y in area.y..area.bottom() {
            for x in area.x..area.right() {
                if let Some(cell) = self.buffer.cell_mut((x, y)) {
                    cell.set_symbol(" ").set_style(style);
                }
            }
        }
    }

    pub(crate) fn put(&mut self, x: u16, y: u16, symbol: &str, style: Style) {
        if let Some(cell) = self.buffer.cell_mut((x, y)) {
            cell.set_symbol(symbol).set_style(style);
        }
    }

    /// Draws the heading of a panel, and returns the area below it.
    pub(crate) fn panel(&mut self, area: Rect, title: &str, is_focused: bool) -> Rect {
        if area.height == 0 {
            return area;
        }
        let rule = if self.look.ascii { "-" } else { "\u{2500}" };
        let style =
            if is_focused { self.look.ink(rgb::ACCENT).add_modifier(Modifier::BOLD) } else { self.look.faint() };
        for x in area.x..area.right() {
            self.put(x, area.y, rule, style);
        }
        let title = format!(" {title} ");
        self.text(area.x + 1, area.y, area.width.saturating_sub(2), &title, style.remove_modifier(Modifier::DIM));
        Rect { y: area.y + 1, height: area.height - 1, ..area }
    }

    /// Draws an empty box with a title above what is there, and returns the area inside.
    pub(crate) fn window(&mut self, area: Rect, title: &str) -> Rect {
        self.fill(area, Style::reset());
        for y in area.y..area.bottom() {
            // A wide character that reaches into the box is not cut but left out.
            let before = area.x.checked_sub(1).and_then(|x| self.buffer.cell_mut((x, y)));
            if let Some(cell) = before.filter(|cell| width(cell.symbol()) > 1) {
                cell.set_symbol(" ");
            }
        }
        let signs: [&str; 6] = match self.look.ascii {
            true => ["-", "|", "+", "+", "+", "+"],
            false => ["\u{2500}", "\u{2502}", "\u{250c}", "\u{2510}", "\u{2514}", "\u{2518}"],
        };
        let [flat, upright, top_left, top_right, bottom_left, bottom_right] = signs;
        let (right, bottom) = (area.right() - 1, area.bottom() - 1);
        let style = self.look.ink(rgb::ACCENT);
        for x in area.x..=right {
            self.put(x, area.y, flat, style);
            self.put(x, bottom, flat, style);
        }
        for y in area.y..=bottom {
            self.put(area.x, y, upright, style);
            self.put(right, y, upright, style);
        }
        for (x, y, corner) in [
            (area.x, area.y, top_left),
            (right, area.y, top_right),
            (area.x, bottom, bottom_left),
            (right, bottom, bottom_right),
        ] {
            self.put(x, y, corner, style);
        }
        self.text(area.x + 2, area.y, area.width - 4, &format!(" {title} "), style.add_modifier(Modifier::BOLD));
        Rect { x: area.x + 2, y: area.y + 1, width: area.width - 4, height: area.height - 2 }
    }
}

/// Lines of at most `most` columns.
pub(crate) fn wrap(text: &str, most: u16) -> Vec<String> {
    let most = usize::from(most.max(1));
    let (mut lines, mut line) = (Vec::new(), String::new());
    let mut used = 0;
    for part in pieces(text) {
        let n = part.width();
        if used + part.trim_end().width() > most && used > 0 {
            lines.push(line.trim_end().to_owned());
            (line, used) = (String::new(), 0);
        }
        line.push_str(&part);
        used += n;
    }
    if !line.trim_end().is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// The parts of a text between which a line may end: words with the space behind them, and wide characters.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut is_open = false;
    for c in text.chars() {
        let is_wide = c.width() == Some(2);
        // A line does not begin with a stop or a closing bracket.
        let closes = "\u{3002}\u{ff0c}\u{ff1b}\u{ff1a}\u{ff09}\u{3001}".contains(c);
        match pieces.last_mut() {
            Some(last) if closes || (is_open && !is_wide) || (c == ' ') => last.push(c),
            _ => pieces.push(c.to_string()),
        }
        is_open = !is_wide && c != ' ';
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_between_words_and_wide_characters() {
        assert_eq!(wrap("a bb ccc dddd", 6), ["a bb", "ccc", "dddd"]);
        assert_eq!(
            wrap("\u{9ed1}\u{65b9}\u{3002}\u{767d}\u{65b9}", 6),
            ["\u{9ed1}\u{65b9}\u{3002}", "\u{767d}\u{65b9}"]
        );
        assert_eq!(wrap("", 5), Vec::<String>::new());
    }
}
