//! A digest as the last line of a file that only the program may change once other files depend on it, such as the configuration of games.

use super::checked::digest;

/// Before the digest.
const MARK: &str = "# digest of the lines above: ";

/// The state of a text, according to the digest in its last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seal {
    /// The text has no digest.
    Absent,
    /// It is as it was written.
    Intact,
    /// It was changed.
    Broken,
}

/// The text with its digest, a comment.
pub fn sealed(text: &str) -> String {
    format!("{text}{MARK}{:016x}\n", digest(0, text.as_bytes()))
}

impl Seal {
    /// The seal of a text. Line ends are those of [`read_own_text`](super::read_own_text).
    pub fn of(text: &str) -> Seal {
        let Some((above, stated)) = text.rsplit_once(MARK) else { return Seal::Absent };
        match stated.trim_end() == format!("{:016x}", digest(0, above.as_bytes())) {
            true => Seal::Intact,
            false => Seal::Broken,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_text_is_noticed() {
        let text = sealed("v = 1\nbudget = 20\n");
        assert_eq!(Seal::of(&text), Seal::Intact);
        assert_eq!(Seal::of(text.trim_end()), Seal::Intact);
        assert_eq!(Seal::of(&text.replace("20", "30")), Seal::Broken);
        assert_eq!(Seal::of(&(text + "pairs = 3\n")), Seal::Broken);
        assert_eq!(Seal::of("v = 1\n"), Seal::Absent);
    }
}
