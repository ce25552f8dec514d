//! The keys: one table for what a key does, for the help line and for the list of all keys.

use banyan_api::half_width;
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::action::{Action, Direction};

/// A table of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A game; arrow keys point at moves on the board.
    Board,
    /// A game; arrow keys step through its moves.
    Moves,
    /// A form with fields to fill in.
    Form,
    /// A position that is set up.
    Edit,
    /// A match that is watched.
    Match,
    /// The list of keys.
    Keys,
}

/// A condition under which a key has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Always,
    /// The game is not over.
    Open,
    /// The game is not over, and no player is looking for its move.
    MayMove,
    /// The game is over.
    Over,
    /// A pass is legal.
    CanPass,
    /// Moves are columns.
    Columns,
    HasPrevious,
    HasNext,
    /// The position lies on a variation.
    InVariation,
    HasReview,
    /// The game was opened from a match.
    FromMatch,
    /// Something runs, or is shown, that can be ended.
    Busy,
}

/// Keys and what they do.
pub(crate) struct Binding {
    /// Their names; the list of keys shows the first two.
    pub(crate) keys: &'static [&'static str],
    pub(crate) action: Action,
    /// The key of the text that describes it.
    pub(crate) label: &'static str,
    pub(crate) when: When,
}

const fn key(keys: &'static [&'static str], action: Action, label: &'static str, when: When) -> Binding {
    Binding { keys, action, label, when }
}

/// Keys of the columns from the first; the signs are those of Shift and a digit.
pub(crate) const COLUMNS: [&str; 16] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "!", "@", "#", "$", "%", "^"];

/// Keys of both modes of a game, without those of the arrows and of the columns. Those that the help line shows first come first.
const GAME: &[Binding] = &[
    key(&["?", "f1"], Action::Keys, "keys.help", When::Always),
    key(&["q", "ctrl+c"], Action::Quit, "tui.quit", When::Always),
    key(&["esc"], Action::Cancel, "keys.cancel", When::Busy),
    key(&["shift+r"], Action::Rematch, "play.rematch", When::Over),
    key(&["p"], Action::Pass, "keys.pass", When::CanPass),
    key(&["l"], Action::Engine, "keys.engine", When::Open),
    key(&["a"], Action::Hint, "keys.hint", When::Open),
    key(&["z", "ctrl+z"], Action::Undo, "keys.undo", When::HasPrevious),
    key(&["n"], Action::NextMistake, "keys.next-mistake", When::HasReview),
    key(&["shift+n"], Action::PreviousMistake, "keys.previous-mistake", When::HasReview),
    key(&["g"], Action::NewGame, "keys.new", When::Always),
    key(&["r"], Action::Review, "review.start", When::HasPrevious),
    key(&["w"], Action::Why, "tui.why", When::HasPrevious),
    key(&["y", "ctrl+y"], Action::Redo, "keys.redo", When::HasNext),
    key(&["space"], Action::Best, "keys.best", When::MayMove),
    key(&["e"], Action::EngineMoves, "keys.engine-moves", When::Open),
    key(&["v"], Action::Line, "tui.line", When::Open),
    key(&["h"], Action::Overlay, "keys.overlay", When::Always),
    key(&["x"], Action::Threat, "keys.threat", When::Open),
    key(&["k"], Action::Previous, "keys.previous", When::HasPrevious),
    key(&["j"], Action::Next, "keys.next", When::HasNext),
    key(&["home"], Action::First, "keys.first", When::HasPrevious),
    key(&["end"], Action::Last, "keys.last", When::HasNext),
    key(&["shift+left"], Action::MainLine, "keys.leave", When::InVariation),
    key(&["m"], Action::TypeMove, "keys.type", When::MayMove),
    key(&["f"], Action::Mirror, "keys.mirror", When::Always),
    key(&["o"], Action::Players, "tui.players", When::Always),
    key(&["u"], Action::Analyst, "tui.analyst", When::Always),
    key(&["i"], Action::Open, "keys.import", When::Always),
    key(&["s"], Action::Save, "tui.save", When::Always),
    key(&["t"], Action::Edit, "tui.edit", When::Always),
    key(&["backspace"], Action::BackToMatch, "tui.back-to-match", When::FromMatch),
];

const BOARD: &[Binding] = &[
    key(&["left"], Action::Point(Direction::Left), "tui.point", When::Open),
    key(&["right"], Action::Point(Direction::Right), "tui.point", When::Open),
    key(&["up"], Action::Point(Direction::Up), "tui.point", When::Open),
    key(&["down"], Action::Point(Direction::Down), "tui.point", When::Open),
    key(&["enter"], Action::PlayPointed, "tui.play-pointed", When::MayMove),
];

const MOVES: &[Binding] = &[
    key(&["left"], Action::Previous, "keys.previous", When::HasPrevious),
    key(&["right"], Action::Next, "keys.next", When::HasNext),
    key(&["up"], Action::First, "keys.first", When::HasPrevious),
    key(&["down"], Action::Last, "keys.last", When::HasNext),
    key(&["enter"], Action::EngineMoves, "keys.engine-moves", When::Open),
];

const TO_MOVES: &[Binding] = &[key(&["tab", "b"], Action::Focus, "tui.to-moves", When::Always)];
const TO_BOARD: &[Binding] = &[key(&["tab", "b"], Action::Focus, "keys.focus-board", When::Always)];

const FORM: &[Binding] = &[
    key(&["enter"], Action::Accept, "tui.accept", When::Always),
    key(&["esc", "ctrl+c"], Action::Cancel, "close", When::Always),
    key(&["down", "tab"], Action::NextField, "tui.next-field", When::Always),
    key(&["up", "shift+tab"], Action::PreviousField, "tui.previous-field", When::Always),
    key(&["right"], Action::NextChoice, "tui.next-choice", When::Always),
    key(&["left"], Action::PreviousChoice, "tui.previous-choice", When::Always),
];

const EDIT: &[Binding] = &[
    key(&["u", "ctrl+s"], Action::UsePosition, "edit.done", When::Always),
    key(&["esc", "q", "ctrl+c"], Action::Cancel, "close", When::Always),
    key(&["enter", "space"], Action::Put, "edit.set", When::Always),
    key(&["tab"], Action::Tool, "tui.tool", When::Always),
    key(&["o"], Action::ToMove, "tui.to-move", When::Always),
    key(&["c"], Action::Clear, "edit.clear", When::Always),
    key(&["left"], Action::Point(Direction::Left), "tui.point-cell", When::Always),
    key(&["right"], Action::Point(Direction::Right), "tui.point-cell", When::Always),
    key(&["up"], Action::Point(Direction::Up), "tui.point-cell", When::Always),
    key(&["down"], Action::Point(Direction::Down), "tui.point-cell", When::Always),
];

const MATCH: &[Binding] = &[
    key(&["q", "esc", "ctrl+c"], Action::Quit, "tui.quit", When::Always),
    key(&["?", "f1"], Action::Keys, "keys.help", When::Always),
    key(&["enter"], Action::OpenGame, "tui.open-game", When::Always),
    key(&["down", "j"], Action::NextGame, "tui.next-game", When::Always),
    key(&["up", "k"], Action::PreviousGame, "tui.previous-game", When::Always),
    key(&["l"], Action::Follow, "tui.follow", When::Always),
    key(&["left"], Action::Previous, "keys.previous", When::HasPrevious),
    key(&["right"], Action::Next, "keys.next", When::HasNext),
    key(&["home"], Action::First, "keys.first", When::HasPrevious),
    key(&["end"], Action::Last, "keys.last", When::HasNext),
];

const KEYS: &[Binding] = &[
    key(&["esc", "?", "enter", "space"], Action::Cancel, "close", When::Always),
    key(&["q", "ctrl+c"], Action::Quit, "tui.quit", When::Always),
];

/// The keys of shorter texts, for the help line.
const SHORT: [(&str, &str); 21] = [
    ("tui.line", "tui.short.line"),
    ("keys.overlay", "tui.short.overlay"),
    ("keys.threat", "tui.short.threat"),
    ("tui.analyst", "tui.short.analyst"),
    ("keys.best", "tui.short.best"),
    ("keys.engine-moves", "tui.short.engine-moves"),
    ("keys.column", "tui.short.column"),
    ("tui.quit", "tui.short.quit"),
    ("tui.point", "tui.short.point"),
    ("tui.play-pointed", "tui.short.play-pointed"),
    ("tui.to-moves", "tui.short.to-moves"),
    ("tui.why", "tui.short.why"),
    ("keys.help", "tui.short.help"),
    ("keys.cancel", "tui.short.cancel"),
    ("keys.engine", "tui.short.engine"),
    ("keys.hint", "tui.short.hint"),
    ("keys.undo", "tui.short.undo"),
    ("keys.focus-board", "tui.short.focus-board"),
    ("keys.next-mistake", "tui.short.next-mistake"),
    ("keys.new", "tui.short.new"),
    ("review.start", "tui.short.start"),
];

/// The key of the text of a binding in the help line.
pub(crate) fn short(label: &'static str) -> &'static str {
    SHORT.iter().find(|(known, _)| *known == label).map_or(label, |(_, short)| short)
}

/// The tables of a mode; the first one that has a key decides.
fn tables(mode: Mode) -> [&'static [Binding]; 3] {
    match mode {
        Mode::Board => [BOARD, GAME, TO_MOVES],
        Mode::Moves => [MOVES, GAME, TO_BOARD],
        Mode::Form => [FORM, &[], &[]],
        Mode::Edit => [EDIT, &[], &[]],
        Mode::Match => [MATCH, &[], &[]],
        Mode::Keys => [KEYS, &[], &[]],
    }
}

/// All bindings of a mode.
pub(crate) fn bindings(mode: Mode) -> impl Iterator<Item = &'static Binding> {
    tables(mode).into_iter().flatten()
}

/// Whether the keys of columns have an effect in a mode.
fn has_columns(mode: Mode) -> bool {
    matches!(mode, Mode::Board | Mode::Moves)
}

/// The name of a key, as in the tables: `a`, `shift+n`, `ctrl+z`, `left`.
pub(crate) fn name_of(event: &KeyEvent) -> Option<String> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    let (mut is_shifted, is_control) =
        (event.modifiers.contains(KeyModifiers::SHIFT), event.modifiers.contains(KeyModifiers::CONTROL));
    let base = match event.code {
        KeyCode::Char(' ' | '\u{3000}') => "space".to_owned(),
        KeyCode::Char(c) => {
            let c = half_width(c);
            // A letter in upper case is held with Shift; other characters have their own names.
            is_shifted = c.is_ascii_uppercase() || (is_shifted && c.is_ascii_alphabetic());
            c.to_ascii_lowercase().to_string()
        }
        KeyCode::Left => "left".to_owned(),
        KeyCode::Right => "right".to_owned(),
        KeyCode::Up => "up".to_owned(),
        KeyCode::Down => "down".to_owned(),
        KeyCode::Home => "home".to_owned(),
        KeyCode::End => "end".to_owned(),
        KeyCode::Enter => "enter".to_owned(),
        KeyCode::Esc => "esc".to_owned(),
        KeyCode::Tab => "tab".to_owned(),
        KeyCode::BackTab => return Some("shift+tab".to_owned()),
        KeyCode::Backspace => "backspace".to_owned(),
        KeyCode::F(n) => format!("f{n}"),
        _ => return None,
    };
    let held = [(is_control, "ctrl+"), (is_shifted, "shift+")];
    Some(held.iter().filter(|(is_held, _)| *is_held).map(|(_, name)| *name).collect::<String>() + &base)
}

/// The action of a key, if it has an effect.
pub(crate) fn action_of(mode: Mode, key: &str, holds: impl Fn(When) -> bool) -> Option<Action> {
    if let Some(column) = COLUMNS.iter().position(|&one| one == key)
        && has_columns(mode)
    {
        return holds(When::Columns).then_some(Action::Column(column));
    }
    let found = bindings(mode).find(|binding| binding.keys.contains(&key))?;
    holds(found.when).then(|| found.action.clone())
}

/// A line of the list of keys: their names, and the key of the text that describes them.
pub(crate) struct Listed {
    pub(crate) keys: String,
    pub(crate) label: &'static str,
    pub(crate) is_on: bool,
}

/// The keys of a mode with what they do. Keys that do the same are one line.
pub(crate) fn listed(mode: Mode, holds: impl Fn(When) -> bool) -> Vec<Listed> {
    let mut list: Vec<Listed> = Vec::new();
    for binding in bindings(mode) {
        let is_on = holds(binding.when);
        match list.iter_mut().find(|known| known.label == binding.label && known.is_on == is_on) {
            Some(known) => known.keys += &format!(" {}", symbol(binding.keys[0])),
            None => {
                let keys: Vec<String> = binding.keys.iter().take(2).map(|key| symbol(key)).collect();
                list.push(Listed { keys: keys.join(" "), label: binding.label, is_on });
            }
        }
    }
    if has_columns(mode) && holds(When::Columns) {
        list.push(Listed { keys: "1 .. 9 0 !".to_owned(), label: "keys.column", is_on: true });
    }
    list
}

/// A key as people write it.
pub(crate) fn symbol(key: &str) -> String {
    let part = |part: &str| match part {
        "left" => "\u{2190}".to_owned(),
        "right" => "\u{2192}".to_owned(),
        "up" => "\u{2191}".to_owned(),
        "down" => "\u{2193}".to_owned(),
        "esc" => "Esc".to_owned(),
        "f1" => "F1".to_owned(),
        "space" | "enter" | "tab" | "home" | "end" | "backspace" | "shift" | "ctrl" => {
            part[..1].to_ascii_uppercase() + &part[1..]
        }
        _ => part.to_owned(),
    };
    key.split('+').map(part).collect::<Vec<_>>().join("+")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODES: [Mode; 6] = [Mode::Board, Mode::Moves, Mode::Form, Mode::Edit, Mode::Match, Mode::Keys];

    #[test]
    fn a_key_of_the_list_does_what_the_list_says() {
        for mode in MODES {
            for binding in bindings(mode) {
                for key in binding.keys {
                    let found = action_of(mode, key, |_| true);
                    assert_eq!(found.as_ref(), Some(&binding.action), "{mode:?}: {key}");
                }
                assert!(listed(mode, |_| true).iter().any(|one| one.label == binding.label), "{}", binding.label);
            }
        }
    }

    #[test]
    fn a_key_without_effect_is_not_listed_as_one_with_an_effect() {
        for mode in MODES {
            for hidden in [When::Open, When::MayMove, When::CanPass, When::HasReview, When::HasNext, When::Columns] {
                let holds = |when: When| when != hidden;
                for binding in bindings(mode).filter(|binding| binding.when == hidden) {
                    assert_eq!(action_of(mode, binding.keys[0], holds), None, "{mode:?}: {}", binding.keys[0]);
                    let shown = listed(mode, holds);
                    let same = |one: &&Listed| one.label == binding.label && one.is_on;
                    let others = bindings(mode).any(|other| other.label == binding.label && holds(other.when));
                    assert_eq!(shown.iter().any(|one| same(&one)), others, "{mode:?}: {}", binding.label);
                }
            }
        }
    }

    #[test]
    fn keys_have_names() {
        let name = |code, modifiers| name_of(&KeyEvent::new(code, modifiers));
        let none = KeyModifiers::NONE;
        for (code, modifiers, expected) in [
            (KeyCode::Char('a'), none, "a"),
            (KeyCode::Char('N'), KeyModifiers::SHIFT, "shift+n"),
            (KeyCode::Char('?'), KeyModifiers::SHIFT, "?"),
            (KeyCode::Char('z'), KeyModifiers::CONTROL, "ctrl+z"),
            (KeyCode::Left, KeyModifiers::SHIFT, "shift+left"),
            (KeyCode::Char('\u{ff54}'), none, "t"),
            (KeyCode::Char('\u{ff14}'), none, "4"),
            (KeyCode::Char('\u{3000}'), none, "space"),
        ] {
            assert_eq!(name(code, modifiers).as_deref(), Some(expected));
        }
        assert_eq!(symbol("shift+left"), "Shift+\u{2190}");
    }

    #[test]
    fn every_key_has_a_text() {
        for mode in MODES {
            for binding in bindings(mode) {
                assert!(banyan_texts::Language::En.has(binding.label), "{}", binding.label);
            }
        }
    }
}
