//! A form: fields with a text or a choice, one after another.

use banyan_api::half_width;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// The purpose of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    TypeMove,
    NewGame,
    Open,
    Save,
    Players,
    Analyst,
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Text(String),
    /// Values with their texts, and the index of the chosen one.
    Choice(Vec<(String, String)>, usize),
}

/// A field with its label.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) label: String,
    pub(crate) input: Input,
}

impl Field {
    pub(crate) fn text(label: String, text: impl Into<String>) -> Field {
        Field { label, input: Input::Text(text.into()) }
    }

    /// A choice; `chosen` is added if it is not among them.
    pub(crate) fn choice(label: String, mut choices: Vec<(String, String)>, chosen: &str) -> Field {
        let known = choices.iter().position(|(value, _)| value == chosen);
        let at = known.unwrap_or_else(|| {
            choices.push((chosen.to_owned(), chosen.to_owned()));
            choices.len() - 1
        });
        Field { label, input: Input::Choice(choices, at) }
    }

    pub(crate) fn value(&self) -> &str {
        match &self.input {
            Input::Text(text) => text.trim(),
            Input::Choice(choices, at) => &choices[*at].0,
        }
    }

    /// The text on the screen.
    pub(crate) fn shown(&self) -> &str {
        match &self.input {
            Input::Text(text) => text,
            Input::Choice(choices, at) => &choices[*at].1,
        }
    }
}

/// A form on the screen.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) purpose: Purpose,
    pub(crate) title: String,
    pub(crate) fields: Vec<Field>,
    pub(crate) at: usize,
    pub(crate) hint: String,
    /// The error in it.
    pub(crate) error: Option<String>,
}

impl Form {
    pub(crate) fn new(purpose: Purpose, title: String, fields: Vec<Field>) -> Form {
        Form { purpose, title, fields, at: 0, hint: String::new(), error: None }
    }

    pub(crate) fn value(&self, field: usize) -> &str {
        self.fields[field].value()
    }

    /// Moves to another field.
    pub(crate) fn go(&mut self, steps: isize) {
        let n = self.fields.len() as isize;
        self.at = (self.at as isize + steps).rem_euclid(n) as usize;
    }

    /// Selects another choice; true if the field has choices.
    pub(crate) fn choose(&mut self, steps: isize) -> bool {
        let Input::Choice(choices, at) = &mut self.fields[self.at].input else { return false };
        *at = (*at as isize + steps).rem_euclid(choices.len() as isize) as usize;
        self.error = None;
        true
    }

    /// Changes the text of the field by a key that is typed; true if the field takes it.
    pub(crate) fn typed(&mut self, event: &KeyEvent) -> bool {
        let Input::Text(text) = &mut self.fields[self.at].input else { return false };
        let is_control = event.modifiers.contains(KeyModifiers::CONTROL);
        match event.code {
            KeyCode::Char('u') if is_control => text.clear(),
            KeyCode::Char(_) if is_control => return false,
            // Names of files are kept as they are.
            KeyCode::Char(c) if matches!(self.purpose, Purpose::Open | Purpose::Save) && self.at == 0 => text.push(c),
            KeyCode::Char(c) => text.push(half_width(c)),
            KeyCode::Backspace => drop(text.pop()),
            _ => return false,
        }
        self.error = None;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_typed_and_chosen() {
        let choices = ["a", "b"].map(|name| (name.to_owned(), name.to_owned())).to_vec();
        let fields = vec![Field::text("text".into(), "x"), Field::choice("choice".into(), choices, "c")];
        let mut file = Form::new(Purpose::Save, "title".into(), fields.clone());
        assert!(file.typed(&KeyEvent::new(KeyCode::Char('\u{ff14}'), KeyModifiers::NONE)));
        assert_eq!(file.value(0), "x\u{ff14}", "the name of a file");
        let mut form = Form::new(Purpose::TypeMove, "title".into(), fields);
        let press = |form: &mut Form, code| form.typed(&KeyEvent::new(code, KeyModifiers::NONE));
        assert!(press(&mut form, KeyCode::Char('\u{ff14}')) && press(&mut form, KeyCode::Char('q')));
        assert!(press(&mut form, KeyCode::Backspace));
        assert_eq!(form.value(0), "x4");
        assert!(!form.choose(1));
        form.go(-1);
        assert_eq!(form.value(1), "c", "a new choice is added");
        assert!(form.choose(1) && !press(&mut form, KeyCode::Char('q')));
        assert_eq!(form.value(1), "a");
    }
}
