//! Openings as text: `none`, `random:plies=6`, `balanced:plies=6`, `file:PATH`.

use std::fmt;
use std::str::FromStr;

use banyan_core::{TextError, mix};

/// Maximum of `plies`: more random plies leave too little of any game.
const MOST_PLIES: u16 = 200;

/// The kind of openings of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSpec {
    /// Every game begins at the starting position.
    None,
    /// Random moves; by default a number that suits the game.
    Random {
        /// Number of moves.
        plies: Option<u16>,
    },
    /// Random moves after which a short search finds the position balanced.
    Balanced {
        /// Number of moves.
        plies: Option<u16>,
    },
    /// The lines of a file, in order.
    File(String),
}

impl OpeningSpec {
    /// The openings with `usual` as the default number of plies filled in.
    pub fn resolved(self, usual: u16) -> OpeningSpec {
        let fill = |plies: Option<u16>| Some(plies.unwrap_or(usual));
        match self {
            OpeningSpec::Random { plies } => OpeningSpec::Random { plies: fill(plies) },
            OpeningSpec::Balanced { plies } => OpeningSpec::Balanced { plies: fill(plies) },
            other => other,
        }
    }
}

impl FromStr for OpeningSpec {
    type Err = TextError;

    fn from_str(text: &str) -> Result<OpeningSpec, TextError> {
        let (kind, rest) = text.split_once(':').map_or((text, None), |(kind, rest)| (kind, Some(rest)));
        match (kind, rest) {
            ("none", None) => Ok(OpeningSpec::None),
            ("random", rest) => Ok(OpeningSpec::Random { plies: parse_plies(text, rest)? }),
            ("balanced", rest) => Ok(OpeningSpec::Balanced { plies: parse_plies(text, rest)? }),
            ("file", Some(path)) if !path.is_empty() => Ok(OpeningSpec::File(path.to_owned())),
            _ => {
                let expected = "expected none, random:plies=N, balanced:plies=N or file:PATH";
                Err(TextError::new(format!("openings {text:?}"), expected, "try balanced:plies=6"))
            }
        }
    }
}

fn parse_plies(text: &str, rest: Option<&str>) -> Result<Option<u16>, TextError> {
    let Some(rest) = rest else { return Ok(None) };
    let plies = rest.strip_prefix("plies=").and_then(|number| number.parse().ok()).filter(|&n| n <= MOST_PLIES);
    plies.map(Some).ok_or_else(|| {
        let expected = format!("expected plies=N with N up to {MOST_PLIES}");
        TextError::new(format!("openings {text:?}"), expected, "try random:plies=6")
    })
}

impl fmt::Display for OpeningSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, plies) = match self {
            OpeningSpec::None => return f.write_str("none"),
            OpeningSpec::File(path) => return write!(f, "file:{path}"),
            OpeningSpec::Random { plies } => ("random", plies),
            OpeningSpec::Balanced { plies } => ("balanced", plies),
        };
        match plies {
            Some(plies) => write!(f, "{kind}:plies={plies}"),
            None => f.write_str(kind),
        }
    }
}

/// Openings from a file, one per line. Empty lines and lines that begin with `#` are ignored. A game before a `;` must be
/// that of the match; `GAME;` alone is the starting position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningLines {
    /// The openings.
    pub lines: Vec<OpeningLine>,
    text: String,
}

/// Before the number and the digest of the openings in the last line of a file.
const END: &str = "# end: ";

/// One line of a file of openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpeningLine {
    /// Line number in the file, from 1.
    pub number: usize,
    /// The game named in the line, if any.
    pub game: Option<String>,
    /// The moves.
    pub moves: String,
}

impl OpeningLines {
    /// The lines of a file with this text.
    ///
    /// # Errors
    /// The file has no openings, or not those that its [end](OpeningLines::end) counts.
    pub fn read(text: &str) -> Result<OpeningLines, TextError> {
        let end = text.lines().enumerate().filter(|(_, line)| line.starts_with(END)).last();
        let lines = OpeningLines::lines_of(text)?;
        match end {
            Some((idx, end)) if end != lines.end() => {
                let found = format!("line {}: {end:?}", idx + 1);
                let expected =
                    format!("expected the openings above to be those, but they are {}", &lines.end()[END.len()..]);
                Err(TextError::new(
                    found,
                    expected,
                    "restore the file, or remove this line if it was changed on purpose",
                ))
            }
            _ => Ok(lines),
        }
    }

    /// The last line of a file that `banyan openings make` writes, a comment with the number and the digest of its openings.
    pub fn end(&self) -> String {
        format!("{END}{} openings, digest {}", self.lines.len(), self.digest())
    }

    fn lines_of(text: &str) -> Result<OpeningLines, TextError> {
        let kept = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let lines: Vec<OpeningLine> = kept
            .map(|(idx, line)| {
                let (game, moves) = line.split_once(';').map_or((None, line), |(game, moves)| (Some(game), moves));
                let game = game.map(|game| game.trim().to_owned());
                OpeningLine { number: idx + 1, game, moves: moves.trim().to_owned() }
            })
            .collect();
        if lines.is_empty() {
            return Err(TextError::new(
                "a file without openings",
                "expected one per line",
                "write moves such as 4 4 3",
            ));
        }
        Ok(OpeningLines { lines, text: text.to_owned() })
    }

    /// The text they were read from.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A digest of the openings, independent of the file name.
    pub fn digest(&self) -> String {
        let bytes = self.lines.iter().flat_map(|line| line.moves.bytes().chain([b'\n']));
        format!("{:016x}", bytes.fold(0, |hash, byte| mix(hash ^ u64::from(byte)).wrapping_add(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_again() {
        for text in ["none", "random", "random:plies=0", "balanced", "balanced:plies=12", "file:a:b.txt"] {
            let spec: OpeningSpec = text.parse().unwrap_or_else(|err| panic!("{text}: {err}"));
            assert_eq!(spec.to_string(), text);
        }
        assert_eq!(
            "balanced".parse().map(|spec: OpeningSpec| spec.resolved(8).to_string()),
            Ok("balanced:plies=8".into())
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        for text in
            ["", "nome", "none:", "file:", "file", "random:", "random:plies=", "balanced:plies=-1", "random:plies=201"]
        {
            let err = text.parse::<OpeningSpec>().expect_err(text).to_string();
            assert!(err.contains("expected") && !err.ends_with('.'), "{text}: {err}");
        }
    }

    #[test]
    fn lines_are_numbered_as_in_the_file() {
        let lines = OpeningLines::read("# mine\n\n4 4 3\nconnect-four; 5 5\nconnect-four;\n").expect("openings");
        let found: Vec<_> = lines.lines.iter().map(|line| (line.number, line.game.as_deref(), &*line.moves)).collect();
        assert_eq!(found, [(3, None, "4 4 3"), (4, Some("connect-four"), "5 5"), (5, Some("connect-four"), "")]);
        assert!(OpeningLines::read("# nothing\n").is_err());
    }

    #[test]
    fn missing_and_damaged_lines_are_noticed() {
        let text = "# made\n4 4\n5 5\n6 6\n";
        let whole = format!("{text}{}\n", OpeningLines::read(text).expect("openings").end());
        assert_eq!(OpeningLines::read(&whole).map(|openings| openings.lines.len()), Ok(3));
        for damaged in [
            whole.replace("5 5\n", ""),
            whole.replace("5 5", "5 7"),
            whole.replace("5 5", "# 5"),
            whole.replace("3 openings", "4 openings"),
        ] {
            let err = OpeningLines::read(&damaged).expect_err(&damaged).to_string();
            assert!(err.contains("# end: ") && err.contains("expected the openings above to be those"), "{err}");
        }
        // The number and the digest are optional, for openings written by hand.
        assert!(OpeningLines::read(text).is_ok());
    }

    #[test]
    fn the_digest_is_that_of_the_moves() {
        let digest = |text| OpeningLines::read(text).expect("openings").digest();
        assert_eq!(digest("4 4\n5"), digest("# other\n4 4\nconnect-four;5\n"));
        assert_ne!(digest("4 4\n5"), digest("4\n4 5"));
        assert_ne!(digest("4 4\n5"), digest("5\n4 4"));
    }
}
