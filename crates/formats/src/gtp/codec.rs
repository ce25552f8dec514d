//! Commands and replies as text.

use std::fmt;

/// The largest id of a command.
const LARGEST_ID: u32 = i32::MAX as u32;

/// One command: `7 play b f5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The id, repeated in the reply.
    pub id: Option<u32>,
    /// The command name; empty if the line is only a number.
    pub name: String,
    /// The arguments.
    pub arguments: Vec<String>,
}

impl Command {
    /// A command without a number.
    pub fn new(name: &str, arguments: &[&str]) -> Command {
        let arguments = arguments.iter().map(|&word| word.to_owned()).collect();
        Command { id: None, name: name.to_owned(), arguments }
    }

    /// Parses a line; `None` if it holds only spaces and a comment.
    pub fn parse(line: &str) -> Option<Command> {
        let line = preprocessed(line);
        let mut words = line.split_whitespace().peekable();
        words.peek()?;
        let id = words.next_if(|word| is_id(word)).and_then(|word| word.parse().ok());
        let name = words.next().unwrap_or_default().to_owned();
        Some(Command { id, name, arguments: words.map(str::to_owned).collect() })
    }
}

/// The line without its comment and control characters, tabs being spaces.
fn preprocessed(line: &str) -> String {
    let before_comment = line.split('#').next().unwrap_or_default();
    let chars = before_comment.chars().map(|char| if char == '\t' { ' ' } else { char });
    chars.filter(|char| !char.is_control()).collect()
}

fn is_id(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit()) && word.parse().is_ok_and(|id: u32| id <= LARGEST_ID)
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = self.id {
            write!(f, "{id} ")?;
        }
        f.write_str(&self.name)?;
        self.arguments.iter().try_for_each(|word| write!(f, " {word}"))
    }
}

/// The reply to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The id of the command.
    pub id: Option<u32>,
    /// The answer or the error message. It may have several lines, none of them empty.
    pub result: Result<String, String>,
}

impl fmt::Display for Reply {
    /// The reply with the empty line that ends it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, text) = match &self.result {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let id = self.id.map(|id| id.to_string()).unwrap_or_default();
        let space = if text.is_empty() { "" } else { " " };
        writeln!(f, "{sign}{id}{space}{text}\n")
    }
}

/// Collects the lines of a reply. Accepts Edax's replies, which have a space before the number, and a number even if
/// the command had none, and banners before the first reply.
#[derive(Clone, Debug, Default)]
pub struct ReplyReader {
    begun: Option<Reply>,
}

impl ReplyReader {
    /// Adds a line. Returns the reply when it is complete. Lines before the first sign are ignored.
    pub fn take(&mut self, line: &str) -> Option<Reply> {
        let line = line.trim();
        let Some(reply) = &mut self.begun else {
            self.begun = first_line(line);
            return None;
        };
        if line.is_empty() {
            return self.begun.take();
        }
        let (Ok(text) | Err(text)) = &mut reply.result;
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(line);
        None
    }
}

fn first_line(line: &str) -> Option<Reply> {
    let rest = line.strip_prefix(['=', '?'])?;
    let word = rest.split_whitespace().next().unwrap_or_default();
    // Directly behind the sign, or after a space with more to come: an answer may be a number too.
    let after = rest.trim_start().strip_prefix(word).unwrap_or_default().trim_start();
    let is_number = is_id(word) && !word.is_empty() && (rest.starts_with(word) || !after.is_empty());
    let (id, text) = if is_number { (word.parse().ok(), after) } else { (None, rest.trim_start()) };
    let text = text.to_owned();
    Some(Reply { id, result: if line.starts_with('=') { Ok(text) } else { Err(text) } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, id: Option<u32>, name: &str, arguments: &[&str]) {
        let expected = Command { id, ..Command::new(name, arguments) };
        assert_eq!(Command::parse(line), Some(expected.clone()), "{line:?}");
        assert_eq!(Command::parse(&expected.to_string()), Some(expected), "{line:?}");
    }

    #[test]
    fn commands_are_read_as_the_standard_says() {
        check("play b f5", None, "play", &["b", "f5"]);
        check(" 12 genmove\tw  # my move", Some(12), "genmove", &["w"]);
        check("na\u{7}me\r", None, "name", &[]);
        check("2147483648 name", None, "2147483648", &["name"]);
        check("5", Some(5), "", &[]);
        for nothing in ["", "   ", "# all comment", "\t\u{1}"] {
            assert_eq!(Command::parse(nothing), None, "{nothing:?}");
        }
    }

    fn read(text: &str) -> Vec<Reply> {
        let mut reader = ReplyReader::default();
        text.split('\n').filter_map(|line| reader.take(line)).collect()
    }

    #[test]
    fn replies_are_printed_and_read_again() {
        for (reply, text) in [
            (Reply { id: None, result: Ok(String::new()) }, "=\n\n"),
            (Reply { id: Some(3), result: Ok("F5".into()) }, "=3 F5\n\n"),
            (Reply { id: Some(3), result: Ok(String::new()) }, "=3\n\n"),
            (Reply { id: None, result: Err("unknown command".into()) }, "? unknown command\n\n"),
            (Reply { id: None, result: Ok("a\nb".into()) }, "= a\nb\n\n"),
        ] {
            assert_eq!(reply.to_string(), text);
            assert_eq!(read(text), [reply]);
        }
    }

    #[test]
    fn other_dialects_are_understood() {
        let edax = "Edax 4.6, copyright\n= 3 pass\n\n= \n\n\t=\t2\n \t\n?illegal move\r\n\r\n";
        let expected = [
            Reply { id: Some(3), result: Ok("pass".into()) },
            Reply { id: None, result: Ok(String::new()) },
            Reply { id: None, result: Ok("2".into()) },
            Reply { id: None, result: Err("illegal move".into()) },
        ];
        assert_eq!(read(edax), expected);
    }
}
