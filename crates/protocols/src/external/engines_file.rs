//! `engines.toml`: the external engines of a user, one table each.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use banyan_catalog::{Budget, ExternalEngine, did_you_mean};
use banyan_core::TextError;
use toml::{Table, Value};

use super::engine::{Engine, STRATEGY_HOST};
use super::protocol::{PROTOCOLS, Protocol};
use crate::process::Launch;

/// The protocol of strategy libraries.
const STRATEGY: &str = "strategy";
/// The keys of an engine's table.
const KEYS: [&str; 7] = ["command", "library", "protocol", "options", "startup", "move", "folder"];

/// An engine of the file, or the error in its definition, which affects only users of this engine.
#[derive(Clone, Debug)]
pub struct EngineEntry {
    /// Its name.
    pub name: String,
    /// The engine.
    pub engine: Result<Engine, TextError>,
}

/// Parses an `engines.toml` of `folder`; the engines are sorted by name. Paths are relative to that folder; a name
/// without a folder is looked up in `PATH`.
///
/// # Errors
/// Invalid TOML that cannot be assigned to one of the engines.
pub fn read_engines(text: &str, folder: &Path) -> Result<Vec<EngineEntry>, TextError> {
    match text.parse::<Table>() {
        Ok(tables) => Ok(entries(&tables, folder)),
        Err(err) => read_sections(text, folder).ok_or_else(|| not_toml(text, &err, 0)),
    }
}

fn entries(tables: &Table, folder: &Path) -> Vec<EngineEntry> {
    let entry =
        |(name, value): (&String, &Value)| EngineEntry { name: name.clone(), engine: read_engine(name, value, folder) };
    tables.iter().map(entry).collect()
}

/// Parses each table separately if the text as a whole is not valid TOML; `None` if that does not locate the error.
fn read_sections(text: &str, folder: &Path) -> Option<Vec<EngineEntry>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let (mut start, mut n_lines) = (0, 0);
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        // The tables of one engine, [mine] and [mine.options], belong together.
        let begun = Section::named_by(line).map(|name| Section { name, text: "", first_line: n_lines });
        let is_new = |begun: &Section<'_>| sections.last().is_none_or(|last| last.name != begun.name);
        match begun.filter(is_new) {
            Some(begun) => sections.push(begun),
            None if sections.is_empty() && !is_blank(line) => return None,
            None => {}
        }
        if let Some(last) = sections.last_mut() {
            let from = if last.text.is_empty() { start } else { start - last.text.len() };
            last.text = &text[from..end];
        }
        (start, n_lines) = (end, n_lines + 1);
    }
    let mut found: Vec<EngineEntry> = sections.iter().flat_map(|section| section.entries(folder)).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    for i in 1..found.len() {
        if found[i].name == found[i - 1].name {
            let twice = TextError::new(
                format!("engine {}", found[i].name),
                "expected one definition",
                "remove or rename the other",
            );
            (found[i - 1].engine, found[i].engine) = (Err(twice.clone()), Err(twice));
        }
    }
    found.dedup_by(|a, b| a.name == b.name);
    found.iter().any(|entry| entry.engine.is_err()).then_some(found)
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

/// The lines of one engine.
struct Section<'t> {
    name: String,
    text: &'t str,
    first_line: usize,
}

impl Section<'_> {
    /// The engine whose table a line begins: `[mine]`, `[mine.options]`.
    fn named_by(line: &str) -> Option<String> {
        if !line.trim_start().starts_with('[') {
            return None;
        }
        match line.parse::<Table>() {
            Ok(table) => table.keys().next().cloned(),
            // An invalid header, such as one without its closing bracket.
            Err(_) => Some(line.trim().trim_matches(['[', ']', '"', '\'']).to_owned()),
        }
    }

    fn entries(&self, folder: &Path) -> Vec<EngineEntry> {
        match self.text.parse::<Table>() {
            Ok(tables) => entries(&tables, folder),
            Err(err) => {
                let err = not_toml(self.text, &err, self.first_line).at(format_args!("engine {}", self.name));
                vec![EngineEntry { name: self.name.clone(), engine: Err(err) }]
            }
        }
    }
}

/// The error of text that begins after `lines_before` lines.
fn not_toml(text: &str, err: &toml::de::Error, lines_before: usize) -> TextError {
    let line = err.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    let why = err.message().lines().next().unwrap_or_default().to_owned();
    TextError::new(
        format!("line {}", lines_before + line),
        format!("expected TOML ({why})"),
        "fix it, or see the README for an example",
    )
}

fn read_engine(name: &str, value: &Value, folder: &Path) -> Result<Engine, TextError> {
    let named = |err: TextError| TextError { found: format!("engine {name}: {}", err.found), ..err };
    let Value::Table(table) = value else {
        let expected = "expected a table for each engine";
        return Err(TextError::new(format!("{name:?}"), expected, format!("write [{name}] and its command below it")));
    };
    Entry { table, folder }.engine(name).map_err(named)
}

/// The table of one engine.
struct Entry<'a> {
    table: &'a Table,
    folder: &'a Path,
}

impl Entry<'_> {
    fn engine(&self, name: &str) -> Result<Engine, TextError> {
        if let Some(key) = self.table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            let expected = format!("expected one of {}{}", KEYS.join(", "), did_you_mean(key, KEYS));
            return Err(TextError::new(format!("unknown key {key:?}"), expected, "fix or remove it"));
        }
        let protocol = self.protocol()?;
        let folder = self.text("folder")?.map(|path| self.folder.join(path));
        let (program, arguments) = self.command(folder.as_deref().unwrap_or(self.folder))?;
        Ok(Engine {
            name: name.to_owned(),
            launch: Launch { program, arguments, folder, framing: protocol.framing },
            protocol,
            options: self.options(protocol)?,
            startup: self.time("startup")?.unwrap_or(Engine::STARTUP),
            move_time: self.time("move")?.unwrap_or(match protocol.name {
                STRATEGY => Engine::LIBRARY_TIME,
                _ => Engine::MOVE_TIME,
            }),
        })
    }

    fn text(&self, key: &str) -> Result<Option<&str>, TextError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(wrong(key, other, "expected text in quotes", "put it in quotes")),
        }
    }

    /// The protocol; that of a library is always `strategy`.
    fn protocol(&self) -> Result<&'static Protocol, TextError> {
        let named = self.text("protocol")?;
        let name = match (named, self.table.contains_key("library")) {
            (None | Some(STRATEGY), true) => STRATEGY,
            (Some(other), true) => {
                let expected = format!("expected {STRATEGY}, the protocol of libraries");
                return Err(TextError::new(format!("protocol {other:?}"), expected, "remove it"));
            }
            (Some(STRATEGY), false) => {
                let expected = "expected a library";
                let remedy = "replace `command` by library = \"strategy.so\"";
                return Err(TextError::new(format!("protocol {STRATEGY:?}"), expected, remedy));
            }
            (None, false) => {
                let remedy = format!("add one, such as protocol = \"{}\"", PROTOCOLS[0].name);
                return Err(TextError::new("no protocol", "expected the protocol of the engine", remedy));
            }
            (Some(name), false) => name,
        };
        Protocol::named(name).ok_or_else(|| {
            let known = || PROTOCOLS.iter().map(|protocol| protocol.name);
            let expected =
                format!("expected one of {}{}", known().collect::<Vec<_>>().join(", "), did_you_mean(name, known()));
            TextError::new(format!("protocol {name:?}"), expected, "write the protocol that the engine supports")
        })
    }

    /// The program and its arguments; a relative path starts at `folder`.
    fn command(&self, folder: &Path) -> Result<(PathBuf, Vec<String>), TextError> {
        let remedy = "write command = [\"./engine\", \"argument\"], or library = \"strategy.so\"";
        let words = match (self.table.get("command"), self.text("library")?) {
            (Some(_), Some(_)) => {
                return Err(TextError::new("command and library", "expected only one of them", remedy));
            }
            (None, None) => return Err(TextError::new("no command", "expected the program to start", remedy)),
            (None, Some(library)) => return strategy_host(&self.folder.join(library)),
            (Some(Value::String(line)), None) => line.split_whitespace().map(str::to_owned).collect(),
            (Some(Value::Array(words)), None) => {
                let words = words.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>();
                words.ok_or_else(|| TextError::new("command", "expected a list of words, each in quotes", remedy))?
            }
            (Some(other), None) => return Err(wrong("command", other, "expected text or a list of words", remedy)),
        };
        let Some((program, arguments)) = words.split_first().filter(|(program, _)| !program.is_empty()) else {
            return Err(TextError::new("an empty command", "expected the program to start", remedy));
        };
        let is_path = Path::new(program).components().count() > 1 || program.starts_with('.');
        let program = if is_path { folder.join(program) } else { PathBuf::from(program) };
        Ok((program, arguments.to_vec()))
    }

    fn options(&self, protocol: &Protocol) -> Result<Vec<(String, String)>, TextError> {
        let remedy = "write options = { Hash = 64 }";
        if self.table.contains_key("options") && self.table.contains_key("library") {
            return Err(TextError::new("options", "expected no options for a library", "remove them"));
        }
        let table = match self.table.get("options") {
            None => return Ok(Vec::new()),
            Some(Value::Table(table)) => table,
            Some(other) => return Err(wrong("options", other, "expected a table", remedy)),
        };
        let one = |(name, value): (&String, &Value)| {
            let value = match value {
                Value::String(text) => text.clone(),
                Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => value.to_string(),
                other => return Err(wrong(&format!("option {name}"), other, "expected text or a number", remedy)),
            };
            let is_line = |text: &str| !text.contains(['\n', '\r']);
            if is_line(name) && is_line(&value) {
                return Ok((name.clone(), value));
            }
            Err(TextError::new(format!("option {name:?}"), "expected a single line", "remove the line breaks"))
        };
        let options = table.iter().map(one).collect::<Result<Vec<_>, _>>()?;
        (protocol.check_options)(&options)?;
        Ok(options)
    }

    fn time(&self, key: &str) -> Result<Option<Duration>, TextError> {
        let Some(value) = self.table.get(key) else { return Ok(None) };
        let time = value
            .as_str()
            .and_then(|text| text.parse::<Budget>().ok())
            .filter(|budget| *budget == Budget { time: budget.time, ..Budget::default() });
        let time = time.and_then(|budget| budget.time);
        time.map(Some).ok_or_else(|| wrong(key, value, "expected a time in quotes", "write \"10s\" or \"500ms\""))
    }
}

fn wrong(key: &str, value: &Value, expected: &str, remedy: &str) -> TextError {
    TextError::new(format!("{key} = {value}").replace('\n', " "), expected, remedy)
}

/// The engine of the strategy library at the path `text`; `None` if it is not the path of a library.
pub fn library_engine(text: &str) -> Option<Engine> {
    let extension = Path::new(text).extension()?.to_str()?;
    if !["so", "dylib", "dll"].contains(&extension) {
        return None;
    }
    let protocol = Protocol::named(STRATEGY).expect("it is one of ours");
    let (program, arguments) = strategy_host(Path::new(text)).ok()?;
    Some(Engine {
        name: text.to_owned(),
        launch: Launch { program, arguments, folder: None, framing: protocol.framing },
        protocol,
        options: Vec::new(),
        startup: Engine::STARTUP,
        move_time: Engine::LIBRARY_TIME,
    })
}

/// The engine of the strategy library at the path `text`, as an external engine; `None` if it is not the path of a
/// library.
pub fn library_at_path(text: &str) -> Option<Arc<dyn ExternalEngine>> {
    library_engine(text).map(|engine| Arc::new(engine) as Arc<dyn ExternalEngine>)
}

/// The command that serves a strategy library over UGI: this executable with `strategy-host`.
fn strategy_host(library: &Path) -> Result<(PathBuf, Vec<String>), TextError> {
    let program = std::env::current_exe().map_err(|err| {
        TextError::new("library", format!("expected to find the program that loads it: {err}"), "use `command`")
    })?;
    Ok((program, vec![STRATEGY_HOST.to_owned(), library.display().to_string()]))
}

#[cfg(test)]
mod tests {
    use banyan_core::Rng;
    use banyan_testkit::rounds;

    use super::*;

    const EXAMPLE: &str = r#"
        [edax]
        command = ["./lEdax-x64", "-l", "10"]
        protocol = "ugi"
        folder = "edax"
        options = { Hash = 64, Book = "none", Exact = true }
        startup = "20s"
        move = "1.5s"

        [other]
        command = "other-engine  --fast"
        protocol = "ugi"

        [course]
        library = "lib/100.so"
    "#;

    #[test]
    fn everything_is_read() {
        let engines = read_engines(EXAMPLE, Path::new("base")).expect("engines");
        let engine = |name: &str| {
            let entry = engines.iter().find(|entry| entry.name == name).expect(name);
            entry.engine.as_ref().expect(name)
        };
        let edax = engine("edax");
        assert_eq!(edax.launch.program, Path::new("base/edax/./lEdax-x64"));
        assert_eq!(edax.launch.arguments, ["-l", "10"]);
        assert_eq!(edax.launch.folder.as_deref(), Some(Path::new("base/edax")));
        let options = [("Book", "none"), ("Exact", "true"), ("Hash", "64")];
        assert_eq!(edax.options, options.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_eq!((edax.startup, edax.move_time), (Duration::from_secs(20), Duration::from_millis(1500)));
        let other = engine("other");
        assert_eq!(
            (other.launch.program.to_str(), &other.launch.arguments[..]),
            (Some("other-engine"), &["--fast".to_owned()][..])
        );
        assert_eq!(
            (other.startup, other.move_time, other.launch.folder.clone()),
            (Engine::STARTUP, Engine::MOVE_TIME, None)
        );
        assert_eq!(engine("course").launch.arguments, ["strategy-host", "base/lib/100.so"]);
        assert_eq!(engine("course").move_time, Engine::LIBRARY_TIME);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("[a]\ncommand = ", "line 2"),
            ("a = 1", "expected a table for each engine"),
            (
                "[a]\ncomand = 'x'",
                "engine a: unknown key \"comand\": expected one of command, library, protocol, options, startup, move, folder (did you mean command?)",
            ),
            ("[a]\nprotocol = 'ugi'", "engine a: no command"),
            ("[a]\ncommand = 'x'", "engine a: no protocol"),
            ("[a]\ncommand = 'x'\nprotocol = 'ugj'", "did you mean ugi?"),
            ("[a]\ncommand = 7\nprotocol = 'ugi'", "command = 7"),
            ("[a]\ncommand = ['x', 7]\nprotocol = 'ugi'", "each in quotes"),
            ("[a]\ncommand = ' '\nprotocol = 'ugi'", "an empty command"),
            ("[a]\ncommand = 'x'\nlibrary = 'y'", "only one of them"),
            ("[a]\nlibrary = 'y'\nprotocol = 'gtp'", "expected strategy, the protocol of libraries"),
            ("[a]\nlibrary = 'y'\noptions = { a = 1 }", "expected no options for a library"),
            ("[a]\ncommand = 'y'\nprotocol = 'strategy'", "expected a library"),
            ("[a]\ncommand = 'x'\nprotocol = 'ugi'\nmove = 5", "move = 5: expected a time in quotes"),
            ("[a]\ncommand = 'x'\nprotocol = 'ugi'\nmove = '5'", "expected a time"),
            ("[a]\ncommand = 'x'\nprotocol = 'ugi'\nmove = 'nodes=5'", "expected a time"),
            ("[a]\ncommand = 'x'\nprotocol = 'ugi'\noptions = { a = [1] }", "option a = [1]"),
            ("[a]\ncommand = 'x'\nprotocol = 'ugi'\noptions = { a = \"1\\nquit\" }", "a single line"),
            (
                "[a]\ncommand = 'x'\nprotocol = 'sau'\noptions = { depth = 3 }",
                "engine a: option depth: expected none, as the protocol has no options; correct or remove it",
            ),
            ("[a]\ncommand = 'x'\nprotocol = 'saiblo'\noptions = { depth = 3 }", "option depth: expected none"),
            (
                "[a]\ncommand = 'x'\nprotocol = 'nboard'\noptions = { dept = 3 }",
                "option dept: expected depth (did you mean depth?)",
            ),
            ("[a]\ncommand = 'x'\nprotocol = 'nboard'\noptions = { depth = -3 }", "a whole number of at least 1"),
            ("[a]\ncommand = 'x'\nprotocol = 'nboard'\noptions = { depth = 0 }", "a whole number of at least 1"),
            (
                "[a]\ncommand = 'x'\nprotocol = 'botzone'\noptions = { keep-running = 1 }",
                "option keep-running = \"1\": expected true or false",
            ),
            ("[a]\ncommand = 'x'\nprotocol = 'ugi'\nfolder = 1", "folder = 1"),
        ] {
            let entries = read_engines(text, Path::new(".")).unwrap_or_else(|err| panic!("{text}: {err}"));
            let err = entries[0].engine.as_ref().expect_err(text).to_string();
            assert!(err.contains(part) && !err.contains('\n') && !err.ends_with('.'), "{text}: {err}");
        }
    }

    #[test]
    fn a_mistake_concerns_only_its_engine() {
        let sound = |name: &str| format!("[{name}]\ncommand = 'x'\nprotocol = 'ugi'\n");
        for (wrong, name, part) in [
            ("[b]\ncommand = 'x'\n", "b", "engine b: no protocol"),
            ("[b]\ncommand = \nprotocol = 'ugi'\n", "b", "engine b: line 6: "),
            ("[b]\ncommand = 'x'\nprotocol = 'ugi'\n[b.options]\nHash == 4\n", "b", "engine b: line 9: "),
            ("[b\ncommand = 'x'\n", "b", "engine b: line 5: "),
            ("[b]\ncommand = 'x'\ncommand = 'y'\n", "b", "engine b: line 7: "),
            ("[a]\ncommand = 'x'\nprotocol = 'ugi'\n", "a", "engine a: line 5: "),
            ("b = 1\n", "a", "engine a: unknown key \"b\""),
        ] {
            let text = format!("# engines\n{}{wrong}\n{}", sound("a"), sound("c"));
            let entries = read_engines(&text, Path::new(".")).unwrap_or_else(|err| panic!("{text}: {err}"));
            let of = |name: &str| entries.iter().find(|entry| entry.name == name).expect(name).engine.as_ref();
            assert!(["a", "c"].iter().all(|&sound| sound == name || of(sound).is_ok()), "{text}: {entries:?}");
            let err = of(name).expect_err(&text).to_string();
            assert!(err.starts_with(part) && !err.contains('\n'), "{text}: {err}");
        }
        let err = read_engines("a == 1\n[b]\n", Path::new(".")).expect_err("no table").to_string();
        assert!(err.starts_with("line 1: "), "{err}");
    }

    #[test]
    fn no_text_makes_it_panic() {
        let mut rng = Rng::new(1);
        for _ in 0..rounds(20_000, 100_000) {
            let mut bytes = EXAMPLE.as_bytes()[..rng.below(EXAMPLE.len() as u32) as usize].to_vec();
            for _ in 0..rng.below(4) {
                let at = rng.below(bytes.len().max(1) as u32) as usize;
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = b"\"'[]{}=\n \\\xc3x0"[rng.below(13) as usize];
                }
            }
            let _ = read_engines(&String::from_utf8_lossy(&bytes), Path::new("."));
        }
    }
}
