//! One row for each setting, and the macro that declares a configuration by its rows.
//!
//! A row is the only place that names a setting: its field, the text that sets it, its help, its range for a tuner and
//! its conflicts all come from there.

use banyan_core::{TextError, TextErrorKind};

use super::range::Range;

/// One row: a setting without its type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tunable {
    /// Its name in `uct:name=value`.
    pub name: &'static str,
    /// Its value if none is given.
    pub default: &'static str,
    /// Its value in a search without optional techniques. Unlike the default it must not change, since levels list what
    /// differs from it; their full settings are pinned by a test.
    pub neutral: &'static str,
    /// The values it takes.
    pub range: Range,
    /// Its effect, with units and scale.
    pub help: &'static str,
    /// Its publication; empty if there is none.
    pub source: &'static str,
    /// Whether it only reproduces one published engine or study.
    pub experimental: bool,
}

/// The type of a setting's value.
pub(crate) trait Value: Sized {
    /// The value that `text` stands for.
    ///
    /// # Errors
    /// The row does not take it.
    fn read(text: &str, row: &Tunable) -> Result<Self, TextError>;

    /// The text that [`read`](Value::read) takes.
    fn text(&self) -> String;
}

impl Value for f32 {
    fn read(text: &str, row: &Tunable) -> Result<f32, TextError> {
        // A comparison with NaN is false, so "nan" is refused with everything else out of range.
        let (Range::Real { min, max, .. } | Range::RealOrOff { min, max, .. }) = row.range else {
            return Err(row.refused(text));
        };
        let number = text.parse::<f32>().ok().filter(|&x| f64::from(x) >= min && f64::from(x) <= max);
        number.ok_or_else(|| row.refused(text))
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl Value for u32 {
    fn read(text: &str, row: &Tunable) -> Result<u32, TextError> {
        let (Range::Whole { min, max, .. } | Range::WholeOrOff { min, max, .. }) = row.range else {
            return Err(row.refused(text));
        };
        let number = text.parse::<u32>().ok().filter(|&x| u64::from(x) >= min && u64::from(x) <= max);
        number.ok_or_else(|| row.refused(text))
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl<T: Value> Value for Option<T> {
    fn read(text: &str, row: &Tunable) -> Result<Option<T>, TextError> {
        if text == "off" { Ok(None) } else { T::read(text, row).map(Some) }
    }

    fn text(&self) -> String {
        self.as_ref().map_or_else(|| "off".to_owned(), T::text)
    }
}

/// A name of lower-case letters, digits, `-` and `+`.
impl Value for String {
    fn read(text: &str, row: &Tunable) -> Result<String, TextError> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '+';
        let is_name = matches!(row.range, Range::Name(_)) && !text.is_empty() && text.chars().all(fits);
        if is_name { Ok(text.to_owned()) } else { Err(row.refused(text)) }
    }

    fn text(&self) -> String {
        self.clone()
    }
}

impl Tunable {
    /// The row of `table` called `name`.
    pub fn find(table: &'static [Tunable], name: &str) -> Option<&'static Tunable> {
        table.iter().find(|row| row.name == name)
    }

    /// The error for a `value` that the row does not take.
    pub(crate) fn refused(&self, value: &str) -> TextError {
        let Tunable { name, range, default, .. } = self;
        TextError::new(format!("{name}={value}"), format!("expected {range}"), format!("try {name}={default}"))
            .of_kind(TextErrorKind::InvalidValue)
    }
}

/// The error for a `name` that no row of `table` has.
pub(crate) fn no_row(table: &[Tunable], name: &str) -> TextError {
    let names = table.iter().map(|row| row.name).collect::<Vec<&str>>().join(" ");
    TextError::new(format!("parameter {name:?}"), "expected a known parameter", format!("try one of {names}"))
        .of_kind(TextErrorKind::UnknownName)
}

/// Calls `set` with the name and the value of each setting of `text`: `c=1.8,select=puct`.
///
/// # Errors
/// A part without `=`, a name given twice, and the first error of `set`.
pub(crate) fn set_each(text: &str, set: &mut dyn FnMut(&str, &str) -> Result<(), TextError>) -> Result<(), TextError> {
    let mut names: Vec<&str> = Vec::new();
    for setting in text.split(',').filter(|setting| !setting.is_empty()) {
        let parts = setting.split_once('=');
        let (name, value) = parts.ok_or_else(|| TextError::new(setting, "expected name=value", "add its value"))?;
        if names.contains(&name) {
            let expected = format!("expected one value of {name}, found two");
            return Err(TextError::new(setting, expected, "remove one of them").of_kind(TextErrorKind::Conflict));
        }
        names.push(name);
        set(name, value)?;
    }
    Ok(())
}

/// The error for settings that exclude each other, if they do.
pub(crate) fn conflict(excluded: bool, found: impl Into<String>, expected: &str, remedy: &str) -> Option<TextError> {
    excluded.then(|| TextError::new(found, format!("expected {expected}"), remedy).of_kind(TextErrorKind::Conflict))
}

/// Declares an enum whose values are written as words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$value_doc])* $value),+ }

        impl $name {
            /// Every word.
            pub(crate) const WORDS: &[&str] = &[$($word),+];
            const VALUES: &[$name] = &[$($name::$value),+];

            /// The word for it.
            pub(crate) fn word(self) -> &'static str {
                match self { $($name::$value => $word),+ }
            }
        }

        impl $crate::options::Value for $name {
            fn read(text: &str, row: &$crate::options::Tunable) -> Result<$name, ::banyan_core::TextError> {
                let value = $name::VALUES.iter().find(|value| value.word() == text);
                value.copied().ok_or_else(|| row.refused(text))
            }

            fn text(&self) -> String {
                self.word().to_owned()
            }
        }
    };
}

/// Declares a configuration by its rows: the struct with a field for each, the table, the defaults, `get`, `set` and
/// `check`. Fields before the rows are not settings. A row is
///
/// ```text
/// field: Type = "name" {
///     default: "value", neutral: "value", range: Range::.., help: "..", source: "..",
///     experimental: true, conflicts: [|config| conflict(..), ..],
/// }
/// ```
///
/// where the neutral value is that of the default if it is omitted, the range is omitted for [`words!`], and all after
/// the help is optional.
macro_rules! tunables {
    (
        $(#[$config_doc:meta])* struct $config:ident { $($(#[$own_doc:meta])* $own:ident: $own_type:ty),* $(,)? }
        $(#[$table_doc:meta])* const $table:ident;
        $($(#[$field_doc:meta])* $field:ident: $type:ty = $name:literal {
            default: $default:literal, $(neutral: $neutral:literal,)? $(range: $range:expr,)? help: $help:literal,
            $(source: $source:literal,)? $(experimental: $experimental:literal,)? $(conflicts: [$($conflict:expr),+ $(,)?],)?
        })+
    ) => {
        $(#[$config_doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $config {
            $($(#[$own_doc])* pub $own: $own_type,)*
            $($(#[$field_doc])* #[doc = $help] pub $field: $type,)+
        }

        $(#[$table_doc])*
        pub const $table: &[$crate::options::Tunable] = &[$($crate::options::Tunable {
            name: $name,
            default: $default,
            neutral: $crate::options::tunables!(@neutral $default $(, $neutral)?),
            range: $crate::options::tunables!(@range $type $(, $range)?),
            help: $help,
            source: concat!($($source)?),
            experimental: $crate::options::tunables!(@experimental $($experimental)?),
        }),+];

        impl $config {
            /// Every row at its default.
            fn at_defaults($($own: $own_type),*) -> $config {
                $config { $($own,)* $($field: $crate::options::default_of($table, $name)),+ }
            }

            /// Sets the row called `name`.
            ///
            /// # Errors
            /// An unknown name, or a value outside the row's range.
            pub fn set(&mut self, name: &str, value: &str) -> Result<(), ::banyan_core::TextError> {
                let row = $crate::options::Tunable::find($table, name);
                let row = row.ok_or_else(|| $crate::options::no_row($table, name))?;
                match row.name {
                    $($name => self.$field = $crate::options::Value::read(value, row)?,)+
                    _ => unreachable!("every row is a field"),
                }
                Ok(())
            }

            /// Sets the rows that `settings` names: `name=value,name=value`; none if it is empty. Conflicts are left to
            /// [`check`](Self::check).
            ///
            /// # Errors
            /// A part without `=`, a name given twice, and those of [`set`](Self::set); the rows before it are set.
            pub fn set_all(&mut self, settings: &str) -> Result<(), ::banyan_core::TextError> {
                $crate::options::set_each(settings, &mut |name, value| self.set(name, value))
            }

            /// The value of the row called `name`, as text that [`set`](Self::set) takes; `None` for an unknown name.
            pub fn get(&self, name: &str) -> Option<String> {
                Some(match name {
                    $($name => $crate::options::Value::text(&self.$field),)+
                    _ => return None,
                })
            }

            /// Checks ranges and conflicts.
            ///
            /// # Errors
            /// A value out of its range, or two settings that conflict.
            pub fn check(&self) -> Result<(), ::banyan_core::TextError> {
                for row in $table {
                    let value = self.get(row.name).expect("every row is a field");
                    self.clone().set(row.name, &value)?;
                }
                let conflicts: &[fn(&$config) -> Option<::banyan_core::TextError>] = &[$($($($conflict),+,)?)+];
                conflicts.iter().find_map(|conflict| conflict(self)).map_or(Ok(()), Err)
            }
        }
    };
    (@neutral $default:literal) => { $default };
    (@neutral $default:literal, $neutral:literal) => { $neutral };
    (@range $type:ty) => { $crate::options::Range::Choice(<$type>::WORDS) };
    (@range $type:ty, $range:expr) => { $range };
    (@experimental) => { false };
    (@experimental $experimental:literal) => { $experimental };
}

/// The default value of the row called `name`.
pub(crate) fn default_of<T: Value>(table: &'static [Tunable], name: &str) -> T {
    let row = Tunable::find(table, name).expect("every field is a row");
    T::read(row.default, row).expect("the table's own defaults are in range")
}

pub(crate) use {tunables, words};
