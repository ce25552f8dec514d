//! Keys and the mouse: what they do to the game.

use banyan_tui::Settings;
use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use crate::session::{begin, press, screen, settings, wait};

/// The moves after some keys, from a game with some moves.
fn check(game: &str, moves: &str, keys: &str, expected: &str) {
    let mut session = begin(settings(game, moves));
    press(&mut session, keys);
    assert_eq!(session.moves().join(" "), expected, "{game} {moves}: {keys}\n{}", screen(&mut session));
}

#[test]
fn moves_are_made_at_the_cursor_and_by_columns() {
    check("connect-four", "", "enter", "4");
    check("connect-four", "", "left enter", "3");
    check("connect-four", "", "right right right right enter", "7");
    check("connect-four", "", "1 7", "1 7");
    check("connect-four:6x11", "", "0 !", "10 11");
    check("reversi", "", "enter", "d3");
    check("dots-and-boxes:2x2", "", "enter", "h1,0");
    check("dots-and-boxes:2x2", "", "right enter", "v1,1");
    check("dots-and-boxes:2x2", "", "right right enter", "h1,1");
    check("dots-and-boxes:2x2", "", "down down enter", "h2,0");
}

#[test]
fn positions_are_stepped_through() {
    check("connect-four", "4 4 3", "k", "4 4");
    check("connect-four", "4 4 3", "tab left left", "4");
    check("connect-four", "4 4 3", "tab left left right", "4 4");
    check("connect-four", "4 4 3", "home", "");
    check("connect-four", "4 4 3", "home end", "4 4 3");
    check("connect-four", "4 4 3", "home j", "4");
}

#[test]
fn moves_are_taken_back_and_made_again() {
    check("connect-four", "4 4 3", "z", "4 4");
    check("connect-four", "4 4 3", "z z y", "4 4");
    check("connect-four", "4 4 3", "z z 1 2", "4 1 2");
}

#[test]
fn another_move_is_a_variation() {
    let mut session = begin(settings("connect-four", "4 4 3"));
    press(&mut session, "k k 5 6 k k");
    let shown = screen(&mut session);
    assert!(shown.contains("Variations: 4 5"), "{shown}");
    // Steps forward follow the variation that was looked at.
    press(&mut session, "end");
    assert_eq!(session.moves().join(" "), "4 5 6");
}

#[test]
fn a_move_is_typed_also_in_full_width() {
    let mut session = begin(settings("reversi", ""));
    press(&mut session, "m");
    session.paste("\u{ff43}\u{ff14}");
    press(&mut session, "enter");
    assert_eq!(session.moves(), ["c4"]);
    press(&mut session, "m x y enter");
    let shown = screen(&mut session);
    assert!(shown.contains("xy") && session.moves() == ["c4"], "{shown}");
}

#[test]
fn keys_without_effect_do_nothing() {
    check("connect-four", "", "p z k n", "");
    check("connect-four:4x4", "1 2 1 2 1 2 1", "4 space enter", "1 2 1 2 1 2 1");
}

#[test]
fn the_mouse_plays_and_steps() {
    let mut session = begin(settings("connect-four", "4"));
    let shown = screen(&mut session);
    // A click on the label below the fifth column.
    let row = shown.lines().position(|line| line.trim_start().starts_with("1 ")).expect("labels of columns") as u16;
    let column = shown.lines().nth(row.into()).and_then(|line| line.find('5')).expect("a label") as u16;
    let event = |kind| MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
    session.mouse(event(MouseEventKind::Down(MouseButton::Left)));
    assert_eq!(session.moves(), ["4", "5"]);
    session.mouse(event(MouseEventKind::ScrollUp));
    assert_eq!(session.moves(), ["4"]);
}

#[test]
fn a_new_game_is_begun_with_its_players() {
    let mut session = begin(settings("connect-four", "4"));
    // Reversi, 6x6, the first side a person, the second one level 1.
    press(&mut session, "g right");
    press(&mut session, "down clear 6 down clear 6 down down down right enter");
    assert_eq!(session.game().0, "reversi:6x6", "{}", screen(&mut session));
    press(&mut session, "enter");
    wait(&mut session);
    assert_eq!(session.moves().len(), 2, "the level answers");
    press(&mut session, "z");
    assert!(session.moves().is_empty(), "both moves are taken back");
}

#[test]
fn a_wrong_form_says_what_is_wrong_and_can_be_closed() {
    let mut session = begin(settings("connect-four", "4"));
    press(&mut session, "g down clear 9 9 enter");
    let shown = screen(&mut session);
    assert!(shown.contains("expected") && session.game().0 == "connect-four", "{shown}");
    press(&mut session, "esc");
    assert_eq!(session.moves(), ["4"]);
}

#[test]
fn a_position_is_set_up_with_holes() {
    let mut session = begin(settings("connect-four:4x5", ""));
    // A stone at the bottom on the left, and a hole beside it.
    press(&mut session, "t down down down enter right tab tab tab enter u");
    let (game, position) = session.game();
    assert_eq!(
        (&*game, position.as_deref()),
        ("connect-four:4x5,hole=b1", Some("5/5/5/x-3 o")),
        "{}",
        screen(&mut session)
    );
    press(&mut session, "t c u");
    assert_eq!(session.game().1, None, "the board is empty again");
}

#[test]
fn an_impossible_position_is_refused() {
    let mut session = begin(settings("connect-four:4x5", ""));
    press(&mut session, "t enter u");
    let shown = screen(&mut session);
    assert!(shown.contains("expected"), "{shown}");
    press(&mut session, "esc");
    assert_eq!(session.game().1, None);
}

#[test]
fn edges_are_drawn_and_boxes_given() {
    let mut session = begin(settings("dots-and-boxes:1x2", ""));
    press(&mut session, "t up enter u");
    let (_, position) = session.game();
    assert_eq!(position.as_deref(), Some("10/00/000 x 0-0"), "{}", screen(&mut session));
}

#[test]
fn the_help_line_has_what_the_keys_do() {
    let mut session = begin(settings("connect-four", ""));
    let last =
        |session: &mut banyan_tui::testing::TestSession| screen(session).lines().last().unwrap_or_default().to_owned();
    assert!(last(&mut session).contains("? keys  q quit") && !last(&mut session).contains("take back"));
    press(&mut session, "4");
    assert!(last(&mut session).contains("z take back"), "{}", last(&mut session));
    press(&mut session, "g");
    assert!(last(&mut session).contains("Enter Accept"), "{}", last(&mut session));
    press(&mut session, "esc q");
    assert!(session.is_over());
}

#[test]
fn esc_and_a_key_that_arrive_together_are_two_keys() {
    let mut session = begin(settings("connect-four", "4"));
    press(&mut session, "g");
    session.press(crossterm::event::KeyEvent::new(crossterm::event::KeyCode::Char('z'), KeyModifiers::ALT));
    assert!(session.moves().is_empty(), "{}", screen(&mut session));
}

#[test]
fn a_rematch_swaps_the_sides() {
    let players = [String::new(), "level-1".to_owned()];
    let mut session = begin(Settings { players, ..settings("connect-four:4x4", "1 2 1 2 1 2 1") });
    let shown = screen(&mut session);
    assert!(shown.contains("Game over, you win"), "{shown}");
    session.press(crossterm::event::KeyEvent::new(crossterm::event::KeyCode::Char('R'), KeyModifiers::SHIFT));
    wait(&mut session);
    assert_eq!(session.moves().len(), 1, "the level begins");
}
