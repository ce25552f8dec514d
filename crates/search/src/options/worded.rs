//! Choices that are words of a configuration.

/// Makes an enum whose values are written as words, and ties the words to the values in both directions.
macro_rules! worded {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$value_doc])* $value),+ }

        impl $name {
            pub(crate) fn from_word(word: &str) -> Option<$name> {
                match word { $($word => Some($name::$value),)+ _ => None }
            }

            pub(crate) fn word(self) -> &'static str {
                match self { $($name::$value => $word),+ }
            }
        }
    };
}

pub(crate) use worded;
