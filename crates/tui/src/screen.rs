//! The terminal as a screen: entered as a whole, and left as it was, also after an error, a panic or a signal.

use std::io::{self, BufWriter, Stdout, Write, stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{self, MoveTo};
use crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use crossterm::style::{
    Attribute, Color as Ink, Print, ResetColor, SetAttribute, SetBackgroundColor, SetForegroundColor,
};
use crossterm::terminal::{
    self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
    disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};
use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::layout::Rect;
use ratatui_core::style::{Color, Modifier};
use unicode_width::UnicodeWidthStr;

/// Whether the terminal is a screen now.
static IS_ENTERED: AtomicBool = AtomicBool::new(false);

/// Modifiers, and the attributes of terminals.
const ATTRIBUTES: [(Modifier, Attribute); 5] = [
    (Modifier::BOLD, Attribute::Bold),
    (Modifier::DIM, Attribute::Dim),
    (Modifier::ITALIC, Attribute::Italic),
    (Modifier::UNDERLINED, Attribute::Underlined),
    (Modifier::REVERSED, Attribute::Reverse),
];

/// The terminal as a screen, until it is dropped.
pub(crate) struct Screen {
    out: BufWriter<Stdout>,
    /// The cells that the terminal shows.
    shown: Buffer,
}

impl Screen {
    /// # Errors
    /// The terminal cannot be set up.
    pub(crate) fn enter() -> io::Result<Screen> {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            restore();
            before(panic);
        }));
        enable_raw_mode()?;
        IS_ENTERED.store(true, Ordering::SeqCst);
        let screen = Screen { out: BufWriter::new(stdout()), shown: Buffer::empty(Rect::ZERO) };
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste, cursor::Hide)?;
        Ok(screen)
    }

    /// Draws what has changed, as one update; nothing once the terminal is restored, as when a signal ends the program.
    ///
    /// # Errors
    /// The terminal cannot be written.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        if !IS_ENTERED.load(Ordering::SeqCst) {
            return Ok(());
        }
        let (width, height) = terminal::size()?;
        let mut next = Buffer::empty(Rect::new(0, 0, width, height));
        draw(&mut next);
        queue!(self.out, BeginSynchronizedUpdate)?;
        if next.area != self.shown.area {
            queue!(self.out, ResetColor, Clear(ClearType::All))?;
            self.shown = Buffer::empty(next.area);
        }
        write_cells(&mut self.out, &self.shown.diff(&next))?;
        queue!(self.out, EndSynchronizedUpdate)?;
        self.out.flush()?;
        self.shown = next;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Writes cells at their places; colours and attributes only where they change.
fn write_cells(out: &mut impl Write, cells: &[(u16, u16, &Cell)]) -> io::Result<()> {
    let mut place = None;
    let mut style = None;
    for &(x, y, cell) in cells {
        if place != Some((x, y)) {
            queue!(out, MoveTo(x, y))?;
        }
        let wanted = (cell.fg, cell.bg, cell.modifier);
        if style != Some(wanted) {
            queue!(out, SetAttribute(Attribute::Reset))?;
            for (_, attribute) in ATTRIBUTES.iter().filter(|(modifier, _)| cell.modifier.contains(*modifier)) {
                queue!(out, SetAttribute(*attribute))?;
            }
            if cell.fg != Color::Reset {
                queue!(out, SetForegroundColor(ink(cell.fg)))?;
            }
            if cell.bg != Color::Reset {
                queue!(out, SetBackgroundColor(ink(cell.bg)))?;
            }
            style = Some(wanted);
        }
        queue!(out, Print(cell.symbol()))?;
        place = Some((x + cell.symbol().width().max(1) as u16, y));
    }
    queue!(out, SetAttribute(Attribute::Reset))
}

/// A colour of `Look`; others are not used.
fn ink(colour: Color) -> Ink {
    match colour {
        Color::Rgb(r, g, b) => Ink::Rgb { r, g, b },
        Color::Indexed(index) => Ink::AnsiValue(index),
        _ => Ink::Reset,
    }
}

/// Leaves the screen, if it was entered: for a signal that ends the program.
pub fn restore() {
    if !IS_ENTERED.swap(false, Ordering::SeqCst) {
        return;
    }
    // If this fails, nothing more can be done.
    let _ = execute!(
        stdout(),
        EndSynchronizedUpdate,
        SetAttribute(Attribute::Reset),
        DisableBracketedPaste,
        DisableMouseCapture,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
    let _ = stdout().flush();
}
