//! The address of a game on the page: `#g=reversi&m=f5.d6(f4.c5).c3&v=2`.
//!
//! `g` is the game, `s` its first position, `m` its moves with variations in brackets, `v` the position shown, `x` and `o` the
//! players of the sides; `crates/web/page/js/spot.js` writes all of it.

use banyan_catalog::Session;
use banyan_core::TextError;

use crate::scan::{Line, Place, at};
use crate::transcript::{Games, MOST_MOVES, Part, Step, Transcript};

/// The beginning of the game in an address.
const GAME: &str = "g=";
/// The name of a side without a player.
const PERSON: &str = "human";

/// Whether a line has an address.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| address(line).is_some())
}

/// Reads each address as one game: its main line.
pub(crate) fn read(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    for line in lines {
        if let Some((column, fragment)) = address(line) {
            games.collect(game(line.number, column, fragment)?);
        }
    }
    Ok(())
}

/// The part of an address behind `#`, and its column.
fn address<'t>(line: &Line<'t>) -> Option<(usize, &'t str)> {
    let fragment = |(column, word): (usize, &'t str)| {
        let start = word.find(&format!("#{GAME}")).map(|i| i + 1).or(word.starts_with(GAME).then_some(0))?;
        let (before, fragment) = word.split_at(start);
        Some((column + before.chars().count(), fragment.trim_end_matches(['>', '"', '\'', ',', ';'])))
    };
    line.words().find_map(fragment)
}

fn game(line: usize, column: usize, fragment: &str) -> Result<Transcript, TextError> {
    let mut game = Transcript { protocol: "link", link: Some(fragment.to_owned()), ..Transcript::default() };
    let mut players = [String::new(), String::new()];
    let mut column = column;
    for part in fragment.split('&') {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let place = Place::Column(line, column + name.len() + 1);
        let text = || decoded(value).map_err(|err| at(place, "", err));
        match name {
            "g" => game.spec = Some(text()?),
            "s" => game.position = Some((line, text()?)),
            "x" => players[0] = text()?,
            "o" => players[1] = text()?,
            "m" => read_moves(&mut game, line, column + name.len() + 1, value)?,
            _ => {}
        }
        column += part.chars().count() + 1;
    }
    if players.iter().any(|player| !player.is_empty()) {
        game.players = Some(players.map(|player| if player.is_empty() { PERSON.to_owned() } else { player }));
    }
    Ok(game)
}

/// Adds the moves of the main line, each with its column; variations stand in brackets.
fn read_moves(game: &mut Transcript, line: usize, column: usize, text: &str) -> Result<(), TextError> {
    let (mut depth, mut variations, mut start) = (0_usize, 0, 0);
    let wrong = |i: usize, found: &str, expected: &str, remedy: &str| {
        Err(at(Place::Column(line, column + i), "", TextError::new(found, expected, remedy)))
    };
    for (i, char) in text.char_indices().chain([(text.len(), '.')]) {
        if !".()".contains(char) {
            continue;
        }
        if depth == 0 && start < i {
            let place = Place::Column(line, column + text[..start].chars().count());
            let mv = decoded(&text[start..i]).map_err(|err| at(place, "", err))?;
            game.steps.push(Step { place, side: None, mv, part: Part::Move });
        }
        start = i + 1;
        match char {
            '(' => (depth, variations) = (depth + 1, variations + 1),
            ')' if depth == 0 => {
                return wrong(text[..i].chars().count(), ")", "expected ( before it", "copy the whole address");
            }
            ')' => depth -= 1,
            _ => {}
        }
    }
    if depth > 0 {
        return wrong(
            text.chars().count(),
            "the end of the moves",
            "expected ) behind a variation",
            "copy the whole address",
        );
    }
    if game.steps.len() > MOST_MOVES {
        let found = format!("{} moves", game.steps.len());
        return wrong(0, &found, &format!("expected at most {MOST_MOVES}"), "leave some out");
    }
    if variations > 0 {
        game.about.push(("left out", format!("{variations} of its variations")));
    }
    Ok(())
}

/// The text of `f%26`.
fn decoded(text: &str) -> Result<String, TextError> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let code = (*first == b'%').then(|| text_of(after.get(..2)?)).flatten();
        if *first == b'%' && code.is_none() {
            let expected = "expected two digits after %, as in %20";
            return Err(TextError::new(format!("{text:?}"), expected, "copy the whole address"));
        }
        bytes.push(code.unwrap_or(*first));
        rest = &after[if code.is_some() { 2 } else { 0 }..];
    }
    let refused = |_| TextError::new(format!("{text:?}"), "expected text in UTF-8 behind %", "copy the whole address");
    String::from_utf8(bytes).map_err(refused)
}

fn text_of(digits: &[u8]) -> Option<u8> {
    u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// The address of a game, as the page writes it.
pub(crate) fn write(session: &Session, players: &[String; 2]) -> Result<String, TextError> {
    let mut text = format!("#{GAME}{}", encoded(&session.spec(), ":,/=@;"));
    let opening = session.opening().map(|position| format!("&s={}", encoded(&position, ":,/=@;")));
    text += &opening.unwrap_or_default();
    let moves: Vec<String> = session.history().iter().map(|mv| encoded(mv, ",")).collect();
    if !moves.is_empty() {
        text += &format!("&m={}&v={}", moves.join("."), moves.len());
    }
    for (name, player) in
        ["x", "o"].into_iter().zip(players).filter(|(_, player)| *player != PERSON && !player.is_empty())
    {
        text += &format!("&{name}={}", encoded(player, ":,/=@;."));
    }
    Ok(text)
}

/// Text with all but letters, digits, `-`, `_` and the `plain` signs as codes.
fn encoded(text: &str, plain: &str) -> String {
    let code = |byte: u8| match char::from(byte) {
        sign if sign.is_ascii_alphanumeric() || "-_".contains(sign) || plain.contains(sign) => sign.to_string(),
        _ => format!("%{byte:02X}"),
    };
    text.bytes().map(code).collect()
}
