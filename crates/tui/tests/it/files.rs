//! Files: games that are saved and loaded, and matches that are watched.

use std::fs;
use std::path::{Path, PathBuf};

use banyan_catalog::pairs::{GameLine, Winner};
use banyan_matches::{Entrant, MatchConfig, MatchFolder};
use banyan_texts::Language;
use banyan_tui::{Settings, Start};

use crate::session::{begin, press, screen, settings, until};

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn typed(session: &mut banyan_tui::testing::TestSession, path: &Path) {
    press(session, "clear");
    session.paste(&path.display().to_string());
    press(session, "enter");
}

#[test]
fn a_game_is_saved_and_loaded() {
    let path = folder("saved").join("game.json");
    let mut session = begin(settings("connect-four", "4 4 3"));
    press(&mut session, "s");
    typed(&mut session, &path);
    assert!(path.is_file(), "{}", screen(&mut session));
    let mut other = begin(settings("reversi", ""));
    press(&mut other, "i");
    typed(&mut other, &path);
    assert_eq!((other.game().0.as_str(), other.moves().join(" ")), ("connect-four", "4 4 3".to_owned()));
    // It is not overwritten.
    press(&mut session, "s");
    typed(&mut session, &path);
    assert!(screen(&mut session).contains("exists"), "{}", screen(&mut session));
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let mut session = begin(settings("reversi", ""));
    press(&mut session, "i");
    typed(&mut session, Path::new("missing/game.json"));
    let shown = screen(&mut session);
    assert!(shown.contains("cannot read missing/game.json"), "{shown}");
}

#[test]
fn moves_are_read_instead_of_a_file() {
    let mut session = begin(settings("connect-four", ""));
    press(&mut session, "i");
    session.paste("f5d6c3");
    press(&mut session, "enter");
    assert_eq!(session.moves(), ["f5", "d6", "c3"], "{}", screen(&mut session));
}

#[test]
fn pasted_text_opens_the_form_for_games_and_acts_as_no_key() {
    let mut session = begin(settings("connect-four", ""));
    session.paste("4 4 q");
    assert!(session.moves().is_empty() && !session.is_over(), "{}", screen(&mut session));
    press(&mut session, "clear");
    session.paste("f5d6c3");
    press(&mut session, "enter");
    assert_eq!(session.moves(), ["f5", "d6", "c3"]);
}

#[test]
fn a_game_that_ends_before_its_record_does_is_opened_and_the_reason_is_shown() {
    let path = folder("broken").join("game.txt");
    fs::write(&path, "f5d6c3a1f4").expect("a file");
    let mut session = begin(settings("reversi", ""));
    press(&mut session, "i");
    typed(&mut session, &path);
    let shown = screen(&mut session);
    assert!(session.moves() == ["f5", "d6", "c3"] && shown.contains("a1"), "{shown}");
}

#[test]
fn names_of_players_in_a_file_do_not_depend_on_the_language() {
    let path = folder("names").join("game.json");
    let players = ["level-3".to_owned(), String::new()];
    let chinese = Settings { language: Language::Zh, players, ..settings("connect-four", "4 4 3 3") };
    let mut session = begin(chinese);
    press(&mut session, "s");
    typed(&mut session, &path);
    let text = fs::read_to_string(&path).expect("a game");
    assert!(text.contains(r#""level-3""#) && text.contains(r#""human""#), "{text}");
}

#[test]
fn a_folder_without_a_match_is_refused() {
    let path = folder("empty");
    let settings = Settings { start: Start::Match(path), ..settings("reversi", "") };
    let err = banyan_tui::testing::TestSession::begin(settings, 80, 24).err().expect("an error").to_string();
    assert!(err.contains("expected a match folder") && err.contains("; "), "{err}");
}

/// A match of two games, the second of which is written later.
#[test]
fn a_match_is_watched_while_it_is_played() {
    let path = folder("match");
    let entrant = |name: &str| Entrant {
        name: name.to_owned(),
        player: name.to_owned(),
        budget: "playouts=10".to_owned(),
        engines: Vec::new(),
    };
    let config = MatchConfig::of("connect-four:4x4", "none", vec![entrant("uct"), entrant("greedy")]);
    let mut folder = MatchFolder::create(&path, config, None).expect("a match");
    folder.append(&line(0, "1 2 1 2 1 2 1")).expect("a game");
    let mut session = begin(Settings { start: Start::Match(path), ..settings("reversi", "") });
    let shown = screen(&mut session);
    assert!(shown.contains("0.0 1-0") && !shown.contains("0.1 "), "{shown}");
    assert_eq!(session.moves().len(), 7);
    folder.append(&line(1, "1 2 1 2 1 2 4 2")).expect("a game");
    until(&mut session, |session| screen(session).contains("0.1 0-1"));
    assert_eq!(session.moves().len(), 8, "it follows the last game");
    press(&mut session, "up");
    assert_eq!(session.moves().len(), 7, "the game before");
    press(&mut session, "enter k");
    assert_eq!(session.moves().len(), 6, "it is opened");
    press(&mut session, "backspace");
    assert!(screen(&mut session).contains("0.1 0-1"), "back to the match");
    press(&mut session, "q");
    assert!(session.is_over());
}

fn line(game: u8, moves: &str) -> GameLine {
    let seats = if game == 0 { [0, 1] } else { [1, 0] };
    let winner = if game == 0 { Winner::First } else { Winner::Second };
    let text = format!(
        r#"{{"v":1,"event":"game_end","pair":0,"game":{game},"spec":"connect-four:4x4","opening":0,"opening_plies":0,"players":["{}","{}"],"seats":[{},{}],"seeds":[1,2],"moves":"{moves}","margin":1,"winner":"{}","ending":"finished","time_us":[],"at_ms":{game}}}"#,
        ["uct", "greedy"][seats[0]],
        ["uct", "greedy"][seats[1]],
        seats[0],
        seats[1],
        if winner == Winner::First { "first" } else { "second" },
    );
    GameLine::parse(&text).expect("a line")
}
