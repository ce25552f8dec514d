//! One setting taken out of the text of several.

use banyan_core::TextError;

/// The settings other than the one of this name, and its value, if it is given and accepted.
pub(super) fn without(
    settings: &str,
    name: &str,
    is_taken: impl Fn(&str) -> bool,
) -> Result<(String, Option<String>), TextError> {
    let is_named = |setting: &&str| setting.split('=').next() == Some(name);
    let value = |setting: &str| setting.split_once('=').map_or("", |(_, value)| value).to_owned();
    let (named, others): (Vec<&str>, Vec<&str>) = settings.split(',').partition(is_named);
    match named.as_slice() {
        named if !named.iter().any(|setting| is_taken(&value(setting))) => Ok((settings.to_owned(), None)),
        [only] => Ok((others.join(","), Some(value(only)))),
        [.., last] => {
            Err(TextError::new(*last, format!("expected one value of {name}, found two"), "remove one of them"))
        }
        [] => unreachable!("one of them is taken"),
    }
}
