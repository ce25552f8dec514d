//! Positions of UGI, the Universal Game Interface, and its transcripts.

pub(crate) mod transcript;

use banyan_core::TextError;

/// Splits the arguments of `position` into the text of the position, empty for `startpos`, and the moves after `moves`.
///
/// # Errors
/// Neither `startpos` nor `fen TEXT`.
pub fn split_position(text: &str) -> Result<(String, Vec<String>), TextError> {
    let mut words = text.split_whitespace();
    let kind = words.next();
    let place: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    match (kind, place.is_empty()) {
        (Some("startpos"), true) => Ok((String::new(), words.map(str::to_owned).collect())),
        (Some("fen"), false) => Ok((place.join(" "), words.map(str::to_owned).collect())),
        _ => {
            let expected = "expected startpos or fen TEXT, optionally followed by moves M...";
            Err(TextError::new(format!("position {text:?}"), expected, "try position startpos"))
        }
    }
}
