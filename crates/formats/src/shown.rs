//! The reader of output of the commands and the page about a position or a game: tables, JSON, drawings, and commands to resume a game.

use banyan_core::TextError;
use serde_json::Value;

use crate::scan::{Line, Place};
use crate::transcript::{Games, Part, Step, Transcript};

/// The options of a command that name a position.
const OPTIONS: [&str; 2] = [" --moves ", " --position "];

/// Whether the lines are JSON about a position or a reviewed game.
pub(crate) fn recognises_json(lines: &[Line<'_>]) -> bool {
    let begins = lines.iter().find(|line| !line.text.is_empty()).is_some_and(|line| line.text.starts_with('{'));
    let has = |key: &str| lines.iter().any(|line| line.text.contains(key));
    begins && has("\"position\"") && (has("\"to_move\"") || has("\"reviewer\""))
}

/// Reads the last object.
pub(crate) fn read_json(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    let used: Vec<&Line<'_>> = lines.iter().filter(|line| !line.text.is_empty()).collect();
    let last = used.last().expect("a line begins with a brace");
    let whole: Vec<&str> = lines.iter().map(|line| line.text).collect();
    let json: Value =
        serde_json::from_str(last.text).or_else(|_| serde_json::from_str(&whole.join("\n"))).map_err(|err| {
            let expected = format!("expected an object in JSON: {}", err.to_string().replace('\n', " "));
            TextError::new("record", expected, "copy the whole object")
        })?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let step = |mv: String| Step { place: Place::Line(last.number), side: None, mv, part: Part::Move };
    let list = |name: &str| json[name].as_array().map(Vec::as_slice).unwrap_or_default();
    let reviewed = list("moves").iter().filter(|_| json.get("reviewer").is_some());
    let reviewed: Vec<&Value> = reviewed.collect();
    // A review may begin within the game, with the position before its first move.
    let position = reviewed.first().map_or(&json["position"], |first| &first["position"]);
    let moves = reviewed.iter().map(|mv| &mv["move"]).chain(list("history"));
    let players = list("players").iter().filter_map(text).collect::<Vec<_>>().try_into().ok();
    let position = text(position).map(|position| (last.number, position));
    let mut game = Transcript { protocol: "JSON", spec: text(&json["game"]), players, ..Transcript::default() };
    game.steps = moves.filter_map(text).map(step).collect();
    // The position of `show` is the one after its moves.
    if reviewed.is_empty() {
        game.reaches = position
    } else {
        game.position = position
    }
    games.0.push(game);
    Ok(())
}

/// The line of a table that begins with a word, without it.
fn row<'t>(lines: &[Line<'t>], name: &str) -> Option<(usize, &'t str)> {
    let line = lines.iter().find(|line| line.word() == name)?;
    Some((line.number, line.text[name.len()..].trim_start()))
}

/// Whether the lines are the table of `banyan show`.
pub(crate) fn recognises_table(lines: &[Line<'_>]) -> bool {
    row(lines, "game").is_some_and(|(_, game)| !game.contains(' ')) && row(lines, "position").is_some()
}

/// Reads the position of the table.
pub(crate) fn read_table(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    let spec = row(lines, "game").map(|(_, game)| game.to_owned());
    let position = row(lines, "position").map(|(line, position)| (line, position.to_owned()));
    games.0.push(Transcript { protocol: "position", spec, position, ..Transcript::default() });
    Ok(())
}

/// The title of a drawing: the game and the position.
fn title<'t>(lines: &[Line<'t>]) -> Option<(usize, &'t str, &'t str)> {
    // The bracket at the beginning of a line was taken for a mark.
    let is_drawing = lines.iter().any(|line| line.text.starts_with("svg ") || line.text.starts_with("<svg "));
    let titled = |line: &Line<'t>| {
        let (_, title) = line.text.split_once("title>")?;
        let (game, position) = title.split_once("</title>")?.0.split_once(": ")?;
        Some((line.number, game, position))
    };
    lines.iter().filter(|_| is_drawing).find_map(titled)
}

/// Whether the lines are a drawing of ours.
pub(crate) fn recognises_drawing(lines: &[Line<'_>]) -> bool {
    title(lines).is_some()
}

/// Reads the position that is drawn.
pub(crate) fn read_drawing(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    let (line, game, position) = title(lines).expect("the lines are recognised");
    let position = Some((line, position.to_owned()));
    games.0.push(Transcript { protocol: "drawing", spec: Some(game.to_owned()), position, ..Transcript::default() });
    Ok(())
}

/// The game, the option and its value in a command such as `banyan play reversi --moves "f5 d6"`.
fn command<'t>(line: &Line<'t>) -> Option<(&'t str, &'t str, &'t str)> {
    let split = |option: &&'static str| line.text.split_once(option).map(|(before, after)| (before, *option, after));
    let (before, option, after) = OPTIONS.iter().find_map(split)?;
    let value = after.trim_start().strip_prefix('"')?.split('"').next()?;
    Some((before.split_whitespace().next_back()?, option, value))
}

/// Whether a line is such a command.
pub(crate) fn recognises_command(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| command(line).is_some())
}

/// Reads the position of the command.
pub(crate) fn read_command(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    for line in lines {
        let Some((game, option, value)) = command(line) else { continue };
        let mut read = Transcript { protocol: "command", spec: Some(game.to_owned()), ..Transcript::default() };
        if option == OPTIONS[0] {
            read.steps = value.split_whitespace().map(|mv| line.step(None, mv)).collect();
        } else {
            read.position = Some((line.number, value.to_owned()));
        }
        games.0.push(read);
    }
    Ok(())
}

/// Refuses a file of ours that holds no game.
///
/// # Errors
/// An opening book or a page.
pub(crate) fn refuse_others(lines: &[Line<'_>]) -> Result<(), TextError> {
    let Some(first) = lines.iter().find(|line| !line.text.is_empty()) else { return Ok(()) };
    let refused = |found: &str, remedy: &str| Err(TextError::new(found, "expected a game or a position", remedy));
    if first.word() == "banyan-book" {
        return refused("an opening book", "print its moves with `banyan book show FILE`");
    }
    if first.text.to_ascii_lowercase().starts_with("!doctype html") {
        return refused("a page in HTML", "use the record or the folder of which it was made");
    }
    Ok(())
}
