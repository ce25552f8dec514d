//! Screens of all games and sizes, in both languages; `UPDATE=1` writes those that are compared.

use std::path::PathBuf;
use std::{env, fs};

use banyan_texts::Language;
use banyan_tui::testing::TestSession;
use banyan_tui::{Colours, Look, Settings};
use ratatui_core::buffer::Buffer;
use unicode_width::UnicodeWidthStr;

use crate::session::{begin, press, screen, settings, text, wait};

/// Every game: its name in files, its board, and moves.
const GAMES: [(&str, &str, &str); 8] = [
    ("connect-four", "connect-four", "4 4 3 5 3 3 5 5 2 6 4"),
    ("connect-four-holes", "connect-four:10x11,hole=d3,hole=h6", "4 4 3 5"),
    ("connect-four-large", "connect-four:15x16", "16 16 1"),
    ("connect-four-small", "connect-four:4x4", "1"),
    ("reversi", "reversi", "f5 d6 c5 f4 e3 c6 d3 f6 e6 d7"),
    ("reversi-large", "reversi:10x10", ""),
    ("dots-and-boxes", "dots-and-boxes", "h0,0 v0,1 h1,0 v0,0 h2,2 v1,3"),
    ("dots-and-boxes-large", "dots-and-boxes:9x9", "h0,0 v0,1 h1,0 v0,0"),
];
const SIZES: [(u16, u16); 2] = [(80, 24), (200, 60)];

fn session(settings: Settings, (width, height): (u16, u16)) -> TestSession {
    TestSession::begin(settings, width, height).unwrap_or_else(|err| panic!("{err}"))
}

fn check(name: &str, shown: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
    if env::var_os("UPDATE").is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
        fs::write(&path, shown).expect("the file can be written");
    }
    let known = fs::read_to_string(&path).unwrap_or_default();
    assert!(known == shown, "{}: expected\n{known}\nfound\n{shown}\nwrite it by UPDATE=1", path.display());
}

/// No character is cut by what stands beside it.
fn check_whole(buffer: &Buffer, name: &str) {
    for y in 0..buffer.area.height {
        for x in 0..buffer.area.width {
            if buffer[(x, y)].symbol().width() == 2 {
                let next = (x + 1 < buffer.area.width).then(|| buffer[(x + 1, y)].symbol());
                assert_eq!(next.map(str::trim), Some(""), "{name}: {x},{y}\n{}", text(buffer));
            }
        }
    }
}

#[test]
fn boards_of_all_games_are_as_they_were() {
    for (name, game, moves) in GAMES {
        let mut small = session(settings(game, moves), SIZES[0]);
        check(name, &screen(&mut small));
    }
    for (name, game, moves) in [GAMES[0], GAMES[4], GAMES[6]] {
        let mut large = session(settings(game, moves), SIZES[1]);
        check(&format!("{name}-200x60"), &screen(&mut large));
        let chinese = Settings { language: Language::Zh, ..settings(game, moves) };
        check(&format!("{name}-zh"), &screen(&mut session(chinese, SIZES[0])));
        let ascii = Settings { look: Look { ascii: true, colours: Colours::Off }, ..settings(game, moves) };
        check(&format!("{name}-ascii"), &screen(&mut session(ascii, SIZES[0])));
    }
}

#[test]
fn the_lists_of_keys_are_as_they_were() {
    for (language, name) in [(Language::En, "keys"), (Language::Zh, "keys-zh")] {
        let mut session = begin(Settings { language, ..settings("connect-four", "4") });
        press(&mut session, "?");
        check(name, &screen(&mut session));
    }
}

#[test]
fn nothing_is_cut_in_any_language_while_a_position_is_analysed() {
    for (name, game, moves) in GAMES {
        for language in Language::ALL {
            for size in SIZES {
                let settings = Settings { language, analyses: true, ..settings(game, moves) };
                let mut session = session(settings, size);
                wait(&mut session);
                check_whole(session.draw(), name);
                for keys in
                    ["v", "h", "h", "h", "?", "esc", "g", "down up esc", "t", "esc", "u", "esc", "o", "esc", "f"]
                {
                    press(&mut session, keys);
                    check_whole(session.draw(), name);
                }
            }
        }
    }
}

#[test]
fn ascii_is_ascii() {
    for (name, game, moves) in GAMES {
        for colours in [Colours::Off, Colours::Indexed] {
            let look = Look { ascii: true, colours };
            let mut session = begin(Settings { look, analyses: true, ..settings(game, moves) });
            wait(&mut session);
            for keys in ["l", "l", "w", "v", "?", "esc", "t", "esc", "g", "esc"] {
                press(&mut session, keys);
                let shown = screen(&mut session);
                assert!(shown.is_ascii(), "{name}, {keys}:\n{shown}");
            }
        }
    }
}

#[test]
fn without_colours_nothing_is_coloured() {
    let look = Look { ascii: false, colours: Colours::Off };
    for (name, game, moves) in GAMES {
        let mut session = begin(Settings { look, analyses: true, ..settings(game, moves) });
        wait(&mut session);
        press(&mut session, "v");
        let buffer = session.draw();
        let is_plain = |cell: &ratatui_core::buffer::Cell| {
            [cell.fg, cell.bg].iter().all(|colour| *colour == ratatui_core::style::Color::Reset)
        };
        assert!(buffer.content().iter().all(is_plain), "{name}");
    }
}

#[test]
fn a_terminal_that_is_too_small_says_how_large_it_must_be() {
    let mut session = begin(settings("connect-four:15x16", ""));
    let (width, height) = session.least_size();
    assert!(width <= 80 && height <= 24, "every board fits into 80x24: {width}x{height}");
    session.resize(width - 1, height);
    let shown = screen(&mut session);
    assert!(shown.contains(&format!("at least {width}x{height}")), "{shown}");
    session.resize(width, height);
    assert!(!screen(&mut session).contains("at least"), "it is drawn again");
    session.resize(3, 2);
    screen(&mut session);
}

#[test]
fn every_board_fits_into_80x24() {
    for (name, game, moves) in GAMES {
        let (width, height) = begin(settings(game, moves)).least_size();
        assert!(width <= 80 && height <= 24, "{name}: {width}x{height}");
    }
}
