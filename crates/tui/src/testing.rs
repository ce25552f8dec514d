//! Sessions without a terminal, for the tests of this crate.

use crossterm::event::{KeyEvent, MouseEvent};
use ratatui_core::backend::TestBackend;
use ratatui_core::buffer::Buffer;
use ratatui_core::terminal::Terminal;

use crate::app::App;
use crate::hits::Hits;
use crate::session::{Settings, TuiError, begin};
use crate::view;

/// A session whose screen is a buffer.
pub struct TestSession {
    app: App,
    terminal: Terminal<TestBackend>,
    hits: Hits,
    /// The last screen, as it was drawn.
    drawn: Buffer,
}

impl TestSession {
    /// # Errors
    /// A wrong setting or file.
    pub fn begin(settings: Settings, width: u16, height: u16) -> Result<TestSession, TuiError> {
        let terminal = Terminal::new(TestBackend::new(width, height)).expect("a buffer can be drawn");
        Ok(TestSession { app: begin(settings)?, terminal, hits: Hits::default(), drawn: Buffer::default() })
    }

    /// Presses a key.
    pub fn press(&mut self, key: KeyEvent) {
        self.app.key(&key);
    }

    /// Moves or presses the mouse at a place of the last screen.
    pub fn mouse(&mut self, event: MouseEvent) {
        self.app.mouse(&event, &self.hits);
    }

    /// Pastes text.
    pub fn paste(&mut self, text: &str) {
        self.app.paste(text);
    }

    /// Takes the news of the engine.
    ///
    /// # Errors
    /// The engine has ended.
    pub fn tick(&mut self) -> Result<(), TuiError> {
        self.app.tick().map_err(|_| TuiError::Engine)
    }

    /// Whether something runs, or begins after a pause.
    pub fn is_busy(&self) -> bool {
        self.app.is_busy()
    }

    /// Whether a search runs.
    pub fn is_searching(&self) -> bool {
        self.app.is_searching()
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        self.app.is_over()
    }

    /// The moves to the position that is shown.
    pub fn moves(&self) -> Vec<String> {
        self.app.game.spot().moves
    }

    /// The game and its first position.
    pub fn game(&self) -> (String, Option<String>) {
        (self.app.game.spec.clone(), self.app.game.position.clone())
    }

    /// The smallest size of a terminal for the game.
    pub fn least_size(&self) -> (u16, u16) {
        view::least_size(&self.app)
    }

    /// Draws the screen.
    pub fn draw(&mut self) -> &Buffer {
        let TestSession { app, terminal, hits, drawn } = self;
        let frame = terminal.draw(|frame| *hits = view::draw(app, frame.buffer_mut())).expect("a buffer can be drawn");
        drawn.clone_from(frame.buffer);
        drawn
    }

    /// Another size of the terminal.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.terminal.backend_mut().resize(width, height);
    }
}
