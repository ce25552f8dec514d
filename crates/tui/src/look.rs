//! The characters and colours of a terminal.

use ratatui_core::style::{Color, Modifier, Style};

/// The colours of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// None.
    Off,
    /// The 256 colours of xterm.
    Indexed,
    /// Any.
    Any,
}

/// The characters and colours that a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether only ASCII characters are used, besides those of a language.
    pub ascii: bool,
    /// Its colours.
    pub colours: Colours,
}

/// Red, green and blue.
pub(crate) type Rgb = (u8, u8, u8);

/// The colours of the page on a dark ground.
pub(crate) mod rgb {
    use super::Rgb;

    pub(crate) const SIDES: [Rgb; 2] = [(74, 163, 224), (242, 154, 74)];
    pub(crate) const TINTS: [Rgb; 2] = [(22, 50, 74), (74, 47, 22)];
    pub(crate) const DISCS: [Rgb; 2] = [(22, 25, 28), (250, 250, 247)];
    pub(crate) const RING: Rgb = (255, 255, 255);
    pub(crate) const DROP_FRAME: Rgb = (43, 58, 73);
    pub(crate) const DROP_SLOT: Rgb = (20, 24, 28);
    pub(crate) const FELT: Rgb = (44, 94, 72);
    pub(crate) const FELT_LINE: Rgb = (38, 84, 64);
    pub(crate) const SQUARE: Rgb = (42, 47, 53);
    pub(crate) const HOLE: Rgb = (141, 133, 113);
    pub(crate) const LAST: Rgb = (96, 120, 142);
    pub(crate) const WIN: Rgb = (196, 160, 44);
    pub(crate) const CURSOR: Rgb = (245, 212, 66);
    pub(crate) const INK: Rgb = (16, 18, 20);
    pub(crate) const EDGE_OPEN: Rgb = (90, 101, 112);
    pub(crate) const GOOD: Rgb = (86, 190, 110);
    pub(crate) const CLOSE: Rgb = (170, 200, 90);
    pub(crate) const BEHIND: Rgb = (226, 170, 70);
    pub(crate) const FAR: Rgb = (232, 110, 96);
    pub(crate) const ACCENT: Rgb = (110, 170, 220);
}

impl Look {
    /// Whether nothing is coloured.
    pub(crate) fn is_plain(self) -> bool {
        self.colours == Colours::Off
    }

    /// A colour as the terminal has it; the usual one if it has none.
    pub(crate) fn colour(self, (r, g, b): Rgb) -> Color {
        match self.colours {
            Colours::Off => Color::Reset,
            Colours::Any => Color::Rgb(r, g, b),
            Colours::Indexed => Color::Indexed(nearest((r, g, b))),
        }
    }

    /// Text of a colour.
    pub(crate) fn ink(self, rgb: Rgb) -> Style {
        if self.is_plain() { Style::new() } else { Style::new().fg(self.colour(rgb)) }
    }

    /// Text on a ground of a colour.
    pub(crate) fn on(self, ground: Rgb, ink: Rgb) -> Style {
        if self.is_plain() { Style::new() } else { Style::new().fg(self.colour(ink)).bg(self.colour(ground)) }
    }

    /// Text of less weight.
    pub(crate) fn faint(self) -> Style {
        Style::new().add_modifier(Modifier::DIM)
    }

    /// The style under the cursor: another ground, or reversed without colours.
    pub(crate) fn pointed(self) -> Style {
        if self.is_plain() { Style::new().add_modifier(Modifier::REVERSED) } else { self.on(rgb::CURSOR, rgb::INK) }
    }

    /// The text with characters that the terminal can show.
    pub(crate) fn text(self, text: &str) -> String {
        if self.ascii { text.chars().map(ascii).collect() } else { text.to_owned() }
    }
}

/// ASCII instead of a sign; other characters stay.
fn ascii(c: char) -> String {
    let instead = match c {
        '\u{2713}' => "+",
        '\u{2717}' => "-",
        '\u{2264}' => "<",
        '\u{2265}' => ">",
        '\u{2212}' | '\u{2013}' => "-",
        '\u{2026}' => "...",
        '\u{b7}' => "-",
        '\u{2190}' => "<",
        '\u{2192}' => ">",
        '\u{2191}' => "^",
        '\u{2193}' => "v",
        _ => return c.to_string(),
    };
    instead.to_owned()
}

/// The nearest of the 6x6x6 cube and the greys of xterm.
fn nearest((r, g, b): Rgb) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let distance = |one: Rgb| {
        let part = |a: u8, b: u8| i32::from(a.abs_diff(b)).pow(2);
        part(one.0, r) + part(one.1, g) + part(one.2, b)
    };
    let level = |value: u8| (0..6).min_by_key(|&i| LEVELS[i].abs_diff(value)).unwrap_or(0);
    let (i, j, k) = (level(r), level(g), level(b));
    let cube = (LEVELS[i], LEVELS[j], LEVELS[k]);
    let grey = ((u16::from(r) + u16::from(g) + u16::from(b)) / 3).saturating_sub(3).min(230) / 10;
    let shade = 8 + 10 * grey as u8;
    let of_cube = 16 + 36 * i + 6 * j + k;
    if distance((shade, shade, shade)) < distance(cube) { 232 + grey as u8 } else { of_cube as u8 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_the_nearest_of_256() {
        for (rgb, index) in [((0, 0, 0), 16), ((255, 255, 255), 231), ((128, 128, 128), 244), ((255, 0, 0), 196)] {
            assert_eq!(nearest(rgb), index, "{rgb:?}");
        }
    }
}
