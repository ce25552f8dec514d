//! Searches: while a person looks, for moves and hints, for reviews; and that they end.

use banyan_texts::Language;
use banyan_tui::Settings;

use crate::session::{begin, press, screen, settings, until, wait};

#[test]
fn a_position_is_analysed_while_it_is_looked_at() {
    for game in ["connect-four", "reversi", "dots-and-boxes:3x3"] {
        let mut session = begin(Settings { analyses: true, ..settings(game, "") });
        wait(&mut session);
        let shown = screen(&mut session);
        assert!(shown.contains("nodes") && shown.contains("Visits"), "{game}:\n{shown}");
    }
}

#[test]
fn an_endless_search_ends_with_a_move_and_the_next_one_begins() {
    let endless = Settings { analyses: true, limit: "infinite".to_owned(), ..settings("reversi", "") };
    let mut session = begin(endless);
    until(&mut session, |session| screen(session).contains("nodes"));
    for _ in 0..3 {
        press(&mut session, "enter");
        assert!(!session.is_searching(), "it is told to end at once");
        // Only if the last search has ended, the thread begins the next one.
        until(&mut session, |session| session.is_searching() && screen(session).contains("nodes"));
    }
    press(&mut session, "esc");
    assert!(!session.is_busy());
}

#[test]
fn exact_values_are_marked() {
    let mut session = begin(Settings { analyses: true, ..settings("connect-four:4x4", "1 2 1 2 1 2") });
    wait(&mut session);
    let shown = screen(&mut session);
    assert!(shown.contains("\u{2713} win in 1") && shown.contains("proven"), "{shown}");
}

#[test]
fn a_player_answers_and_a_hint_is_shown() {
    let players = [String::new(), "level-1".to_owned()];
    let mut session = begin(Settings { players, ..settings("connect-four", "") });
    press(&mut session, "4");
    wait(&mut session);
    assert_eq!(session.moves().len(), 2);
    press(&mut session, "a");
    wait(&mut session);
    let shown = screen(&mut session);
    assert!(shown.contains("Hint: column"), "{shown}");
    press(&mut session, "esc");
    assert!(!screen(&mut session).contains("Hint:"));
}

#[test]
fn the_best_move_is_played() {
    let mut session = begin(Settings { analyses: true, ..settings("connect-four:4x4", "1 2 1 2 1 2") });
    wait(&mut session);
    press(&mut session, "space");
    assert_eq!(session.moves().last().map(String::as_str), Some("1"));
    assert!(screen(&mut session).contains("Game over"));
}

#[test]
fn a_game_is_reviewed_and_mistakes_are_found() {
    // Orange does not block, and Blue does not win at once.
    let mut session = begin(settings("connect-four:4x4", "1 2 1 2 1 2 4"));
    press(&mut session, "r");
    until(&mut session, |session| !session.is_busy());
    assert_eq!(session.moves().len(), 6, "the first mistake is shown:\n{}", screen(&mut session));
    let shown = screen(&mut session);
    assert!(shown.contains("??") && shown.contains("Better: 1"), "{shown}");
    assert!(shown.contains("does not block"), "{shown}");
    press(&mut session, "n");
    assert_eq!(session.moves().len(), 7, "{}", screen(&mut session));
    press(&mut session, "home n");
    assert_eq!(session.moves().len(), 6, "{}", screen(&mut session));
}

#[test]
fn the_last_move_is_explained_in_both_languages() {
    for (language, reason) in [(Language::En, "could complete four"), (Language::Zh, "\u{8fde}")] {
        let mut session = begin(Settings { language, ..settings("connect-four:4x4", "1 2 1 2 1 2 4") });
        press(&mut session, "w");
        wait(&mut session);
        let shown = screen(&mut session);
        assert!(shown.contains("??") && shown.contains(reason), "{shown}");
    }
}

#[test]
fn a_threat_is_shown_where_a_pass_is_possible() {
    let mut session = begin(settings("reversi", "f5"));
    press(&mut session, "x");
    wait(&mut session);
    let shown = screen(&mut session);
    assert!(shown.contains("Black threatens"), "{shown}");
    let mut session = begin(settings("connect-four", "4"));
    press(&mut session, "x");
    assert!(screen(&mut session).contains("There is no threat"));
}

#[test]
fn a_player_that_is_unknown_is_refused_before_the_screen_is_entered() {
    let players = [String::new(), "nobody".to_owned()];
    let settings = Settings { players, ..settings("reversi", "") };
    let err = banyan_tui::testing::TestSession::begin(settings, 80, 24).err().expect("an error").to_string();
    assert!(err.contains("nobody") && err.contains("expected") && !err.contains('\n'), "{err}");
}
