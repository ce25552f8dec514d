//! A session at the terminal, from its settings to its end.

use std::error::Error;
use std::fmt;
use std::io::{self, IsTerminal, stdin, stdout};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use banyan_api::{Offer, Spot};
use banyan_core::TextError;
use banyan_texts::Language;
use crossterm::event::{self, Event};

use crate::app::{App, Beginning, Seats};
use crate::hits::Hits;
use crate::look::Look;
use crate::screen::Screen;
use crate::view;
use crate::watch::Watched;
use crate::words::Words;

/// The first thing that is shown.
#[derive(Clone, Debug)]
pub enum Start {
    /// A game, at the end of its moves, and the number of its first moves that no player chose.
    Game(Spot, usize),
    /// A match in a folder.
    Match(PathBuf),
}

/// Settings of a session.
pub struct Settings {
    /// Games, players and limits.
    pub offer: Offer,
    /// The language of the screen.
    pub language: Language,
    /// The characters and colours of the terminal.
    pub look: Look,
    /// The first thing that is shown.
    pub start: Start,
    /// The players of both sides; empty for a person.
    pub players: [String; 2],
    /// The budget of their moves.
    pub budget: String,
    /// The player that analyses.
    pub analyst: String,
    /// The limit of the analysis of a position, or `infinite`.
    pub limit: String,
    /// Whether the analysis is on from the beginning.
    pub analyses: bool,
    /// Set to end the session.
    pub stop: Arc<AtomicBool>,
}

/// A game that was left before its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftGame {
    /// The game with its board.
    pub game: String,
    /// The position that was shown, if the game began from a position.
    pub position: Option<String>,
    /// The moves of the line that was shown, otherwise.
    pub moves: Vec<String>,
    /// The players of both sides; empty for a person.
    pub players: [String; 2],
    /// The budget of their moves.
    pub budget: String,
}

impl LeftGame {
    fn of(app: &App) -> Option<LeftGame> {
        let (game, state) = (&app.game, app.game.state());
        let is_left = !app.is_watching() && state.to_move.is_some();
        let position = state.start.as_ref().map(|_| state.position.clone());
        let moves = if position.is_some() { Vec::new() } else { game.spot_of(*game.line().last()?).moves };
        (is_left && (position.is_some() || !moves.is_empty())).then(|| LeftGame {
            game: state.game.clone(),
            position,
            moves,
            players: app.seats.players.clone(),
            budget: app.seats.budget.clone(),
        })
    }
}

/// Why a session cannot begin or has ended.
#[derive(Debug)]
pub enum TuiError {
    /// A wrong setting, file or terminal.
    Wrong(String),
    /// The terminal cannot be read or written.
    Terminal(io::Error),
    /// The engine has ended by a panic.
    Engine,
}

impl fmt::Display for TuiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuiError::Wrong(text) => f.write_str(text),
            TuiError::Terminal(err) => {
                write!(f, "terminal: {err}: expected one that can be read and written; try another one")
            }
            TuiError::Engine => {
                f.write_str("engine: it has ended; expected it to run until the end; please report what you did")
            }
        }
    }
}

impl Error for TuiError {}

impl From<io::Error> for TuiError {
    fn from(err: io::Error) -> TuiError {
        TuiError::Terminal(err)
    }
}

impl From<TextError> for TuiError {
    fn from(err: TextError) -> TuiError {
        TuiError::Wrong(err.to_string())
    }
}

/// Runs a session on the terminal of the program, until the person quits, and returns the game that was left.
///
/// # Errors
/// No terminal or one that is too small, a wrong setting, or a file that cannot be read. The terminal is as it was before.
pub fn run(settings: Settings) -> Result<Option<LeftGame>, TuiError> {
    let stop = Arc::clone(&settings.stop);
    let mut app = begin(settings)?;
    if !stdin().is_terminal() || !stdout().is_terminal() {
        let expected = "expected a terminal as stdin and stdout";
        return Err(TextError::new("no terminal", expected, "run it without pipes, or use banyan play").into());
    }
    check_size(&app, crossterm::terminal::size()?)?;
    let mut screen = Screen::enter()?;
    let mut hits = Hits::default();
    while !app.is_over() && !stop.load(Ordering::Relaxed) {
        if app.is_changed {
            app.is_changed = false;
            screen.draw(|buffer| hits = view::draw(&app, buffer))?;
        }
        let mut patience = app.patience();
        while event::poll(patience)? {
            take(&mut app, &event::read()?, &hits);
            patience = Duration::ZERO;
        }
        app.tick().map_err(|_| TuiError::Engine)?;
    }
    Ok(LeftGame::of(&app))
}

fn take(app: &mut App, event: &Event, hits: &Hits) {
    match event {
        Event::Key(key) => app.key(key),
        Event::Mouse(mouse) => app.mouse(mouse, hits),
        Event::Paste(text) => app.paste(text),
        Event::Resize(..) => app.is_changed = true,
        Event::FocusGained | Event::FocusLost => {}
    }
}

/// The program of the settings.
pub(crate) fn begin(settings: Settings) -> Result<App, TuiError> {
    let Settings { offer, language, look, start, players, budget, analyst, limit, analyses, .. } = settings;
    let wrong = |refusal: banyan_api::Refusal| TuiError::Wrong(refusal.error);
    let offer = Arc::new(offer);
    let words = Words::new(language, &offer);
    let seats = Seats { players, budget, analyst, limit };
    let usual = || Spot { game: offer.catalog.first_game().to_owned(), position: None, moves: Vec::new() };
    let (spot, opening_plies, watched) = match start {
        Start::Game(spot, opening_plies) => (spot, opening_plies, None),
        Start::Match(path) => {
            let watched = Watched::open(&offer.catalog, language, &path)?;
            let opening_plies = watched.game().map_or(0, |game| usize::from(game.opening_plies));
            (watched.spot().unwrap_or_else(usual), opening_plies, Some(watched))
        }
    };
    let beginning = Beginning { offer: Arc::clone(&offer), words, look, seats, analyses, spot, watched };
    let mut app = App::new(beginning).map_err(wrong)?;
    app.check_players().map_err(wrong)?;
    app.game.opening_plies = opening_plies;
    Ok(app)
}

/// Refuses a terminal in which the board has no room.
fn check_size(app: &App, (columns, rows): (u16, u16)) -> Result<(), TextError> {
    let (least_columns, least_rows) = view::least_size(app);
    if columns >= least_columns && rows >= least_rows {
        return Ok(());
    }
    let (found, expected) =
        (format!("a terminal of {columns}x{rows}"), format!("expected at least {least_columns}x{least_rows}"));
    Err(TextError::new(found, expected, "enlarge it, or use a smaller board"))
}
