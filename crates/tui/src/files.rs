//! Games in files.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;

use banyan_api::{Offer, RecordView, Refusal, Spot, WriteRequest, import_file, write};
use banyan_core::TextError;

use crate::game::Game;

/// Maximum size of a file in bytes.
const LARGEST: u64 = 64 << 20;

/// Reads the game of a file, which its number from 1 selects, and why it ends before the record does, if so. Text that is no path is read as
/// a game itself.
///
/// # Errors
/// A file that cannot be read, or is no record.
pub(crate) fn open(
    offer: &Offer,
    path: &str,
    number: usize,
    game: Option<&str>,
) -> Result<(Game, Option<String>), Refusal> {
    let file = Path::new(path);
    let file = if file.is_dir() { file.join("games.jsonl") } else { file.to_owned() };
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned());
    let bytes = match fs::metadata(&file) {
        Ok(about) if about.len() > LARGEST => {
            let found = format!("{path}: {} MiB", about.len() >> 20);
            return Err(text_error(TextError::new(found, "expected at most 64 MiB", "use a part of it")));
        }
        Ok(_) => fs::read(&file).map_err(|err| unreadable(path, &err.to_string()))?,
        // A record instead of a path: a path has no space and a suffix or a separator.
        Err(err) if looks_like_a_path(path) => return Err(unreadable(path, &err.to_string())),
        Err(_) => path.as_bytes().to_vec(),
    };
    let records = import_file(offer, bytes, &name.unwrap_or_default(), game)?.records;
    let n = records.len();
    let record = number.checked_sub(1).and_then(|at| records.into_iter().nth(at)).ok_or_else(|| {
        let expected = format!("expected the number of a game from 1 to {n}");
        text_error(TextError::new(number.to_string(), expected, "correct it"))
    })?;
    let RecordView { game, position, moves, opening_plies, broken, .. } = record;
    let mut game = Game::new(offer, &Spot { game, position, moves })?;
    game.opening_plies = opening_plies;
    Ok((game, broken))
}

fn looks_like_a_path(text: &str) -> bool {
    let name = text.trim();
    !name.contains(char::is_whitespace) && (name.contains('/') || Path::new(name).extension().is_some())
}

fn unreadable(path: &str, why: &str) -> Refusal {
    let found = format!("cannot read {path}: {why}");
    text_error(TextError::new(found, "expected a file with a recorded game", "try another name"))
}

fn text_error(err: TextError) -> Refusal {
    Refusal::input(err.to_string())
}

/// Writes a game to a new file, in the form that its ending names, and returns the number of its moves.
///
/// # Errors
/// A file that exists or cannot be written.
pub(crate) fn save(offer: &Offer, game: &Game, players: &[String; 2], path: &str) -> Result<usize, Refusal> {
    let line = game.line();
    let spot = game.spot_of(*line.last().unwrap_or(&game.cursor()));
    let n_moves = spot.moves.len();
    let forms = write(offer, &WriteRequest { spot, players: players.clone() })?.forms;
    let ending = Path::new(path).extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let form = forms.iter().find(|form| form.extension == ending).ok_or_else(|| {
        let mut endings: Vec<&str> = forms.iter().map(|form| form.extension).collect();
        endings.sort_unstable();
        endings.dedup();
        let expected = format!("expected a name that ends in .{}", endings.join(", ."));
        text_error(TextError::new(path, expected, format!("try {path}.{}", endings.first().unwrap_or(&"json"))))
    })?;
    let written = File::create_new(path).and_then(|mut file| file.write_all(form.text.as_bytes()));
    written.map_err(|err| {
        text_error(match err.kind() {
            ErrorKind::AlreadyExists => {
                TextError::new(format!("{path} exists"), "expected a new file", "try another name")
            }
            _ => TextError::new(
                format!("cannot write {path}: {err}"),
                "expected a file that can be written",
                "try another name",
            ),
        })
    })?;
    Ok(n_moves)
}
