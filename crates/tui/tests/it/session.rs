//! Steps of the tests with a session.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use banyan_api::{Offer, Spot};
use banyan_catalog::{Catalog, PlayerCaps, Players};
use banyan_texts::Language;
use banyan_tui::testing::TestSession;
use banyan_tui::{Colours, Look, Settings, Start};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui_core::buffer::Buffer;

/// The longest time that a test waits for the engine; a search of a test takes a small part of it.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn catalog() -> Catalog {
    let families =
        [banyan_connect_four_engine::family(), banyan_reversi_engine::family(), banyan_dots_and_boxes_engine::family()];
    Catalog::of(families).expect("the games have different names")
}

/// Settings for a game after some moves, without a search.
pub(crate) fn settings(game: &str, moves: &str) -> Settings {
    let moves = moves.split_whitespace().map(str::to_owned).collect();
    let caps = PlayerCaps { threads: 1, memory_mib: 64 };
    Settings {
        offer: Offer { catalog: catalog(), players: Players::presets(), caps },
        language: Language::En,
        look: Look { ascii: false, colours: Colours::Any },
        start: Start::Game(Spot { game: game.to_owned(), position: None, moves }, 0),
        players: [String::new(), String::new()],
        budget: "playouts=50".to_owned(),
        analyst: "best".to_owned(),
        limit: "nodes=2000".to_owned(),
        analyses: false,
        stop: Arc::new(AtomicBool::new(false)),
    }
}

/// A session of 80 columns and 24 rows.
pub(crate) fn begin(settings: Settings) -> TestSession {
    TestSession::begin(settings, 80, 24).unwrap_or_else(|err| panic!("{err}"))
}

/// Presses keys by their names, separated by spaces.
pub(crate) fn press(session: &mut TestSession, keys: &str) {
    for name in keys.split_whitespace() {
        let (code, modifiers) = match name {
            "left" => (KeyCode::Left, KeyModifiers::NONE),
            "right" => (KeyCode::Right, KeyModifiers::NONE),
            "up" => (KeyCode::Up, KeyModifiers::NONE),
            "down" => (KeyCode::Down, KeyModifiers::NONE),
            "enter" => (KeyCode::Enter, KeyModifiers::NONE),
            "esc" => (KeyCode::Esc, KeyModifiers::NONE),
            "tab" => (KeyCode::Tab, KeyModifiers::NONE),
            "home" => (KeyCode::Home, KeyModifiers::NONE),
            "end" => (KeyCode::End, KeyModifiers::NONE),
            "space" => (KeyCode::Char(' '), KeyModifiers::NONE),
            "backspace" => (KeyCode::Backspace, KeyModifiers::NONE),
            "clear" => (KeyCode::Char('u'), KeyModifiers::CONTROL),
            "ctrl+c" => (KeyCode::Char('c'), KeyModifiers::CONTROL),
            _ => (KeyCode::Char(name.chars().next().expect("a key")), KeyModifiers::NONE),
        };
        session.press(KeyEvent::new(code, modifiers));
    }
}

/// Waits until no search runs.
pub(crate) fn wait(session: &mut TestSession) {
    until(session, |session| !session.is_busy());
}

/// Waits until `is_so`.
pub(crate) fn until(session: &mut TestSession, is_so: impl Fn(&mut TestSession) -> bool) {
    let end = Instant::now() + PATIENCE;
    loop {
        session.tick().unwrap_or_else(|err| panic!("{err}"));
        if is_so(session) {
            return;
        }
        assert!(Instant::now() < end, "nothing happens:\n{}", text(session.draw()));
        thread::sleep(Duration::from_millis(5));
    }
}

/// The screen as lines without spaces at their ends.
pub(crate) fn text(buffer: &Buffer) -> String {
    let mut lines = String::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        let mut x = 0;
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            line += symbol;
            x += unicode_width::UnicodeWidthStr::width(symbol).max(1) as u16;
        }
        lines += line.trim_end();
        lines.push('\n');
    }
    lines
}

/// The screen of a session.
pub(crate) fn screen(session: &mut TestSession) -> String {
    text(session.draw())
}
