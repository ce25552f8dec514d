//! Games and positions that a user pastes or drops, in every form.

use banyan_core::TextError;
use banyan_formats::{FileBounds, GameFile, Reading, Recorded};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::offer::Offer;
use crate::refusal::Refusal;

/// Bounds of a file, of which the first games are returned. More lines or a longer transcript would take hundreds of
/// MiB of memory.
const BOUNDS: FileBounds = FileBounds { lines: 200_000, transcript: 1 << 20, games: 1000 };

/// A file as text, or as bytes in base64.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct ImportRequest {
    /// The file as text.
    pub text: Option<String>,
    /// The file in base64, if it is not sent as text.
    pub base64: Option<String>,
    /// The name of the file.
    pub name: Option<String>,
    /// The board of a transcript that does not name it.
    pub game: Option<String>,
}

/// The games of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImportedView {
    /// The first games of the file.
    pub records: Vec<RecordView>,
    /// Total number of games.
    pub of: usize,
}

/// A game of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecordView {
    /// Its identifier in the file.
    pub title: String,
    /// The game in its shortest form.
    pub game: String,
    /// The first position, unless it is the start of the game.
    pub position: Option<String>,
    /// The moves from there.
    pub moves: Vec<String>,
    /// Moves at the beginning that no player chose.
    pub opening_plies: usize,
    /// Names of the players, the first side's first.
    pub players: Option<[String; 2]>,
    /// The final margin, seen by the first side.
    pub result: Option<i16>,
    /// The mistake before which the moves end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub broken: Option<String>,
    /// The part of an address of the page behind `#`, with variations and all else that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

impl RecordView {
    fn of(recorded: Recorded, title: String) -> RecordView {
        let session = recorded.session;
        RecordView {
            title,
            game: session.spec(),
            position: session.opening(),
            moves: session.history(),
            opening_plies: recorded.opening_plies,
            players: recorded.players,
            result: session.result().map(|margin| margin.0),
            broken: recorded.broken.map(|err| err.to_string()),
            link: None,
        }
    }
}

/// Reads a file.
///
/// # Errors
/// A file that is no record in any form.
pub fn import(offer: &Offer, imported: ImportRequest) -> Result<ImportedView, Refusal> {
    let bytes = match (imported.text, imported.base64) {
        (Some(text), None) => text.into_bytes(),
        (None, Some(text)) => STANDARD.decode(&text).map_err(|_| Refusal {
            field: Some("base64"),
            ..Refusal::input("base64: expected a file in base64; send it again")
        })?,
        _ => return Err(Refusal::input("import: expected either text or base64; send one of them")),
    };
    let name = imported.name.unwrap_or_default();
    let game = imported.game.as_deref().filter(|game| !game.is_empty());
    import_file(offer, bytes, &name, game)
}

/// Reads the bytes of a file with this name; `game` is the board of a transcript that does not name it.
///
/// # Errors
/// A file that is no record in any form.
pub fn import_file(offer: &Offer, bytes: Vec<u8>, name: &str, game: Option<&str>) -> Result<ImportedView, Refusal> {
    read(offer, bytes, name, game).map_err(|err| Refusal::in_field("text", &err))
}

fn read(offer: &Offer, bytes: Vec<u8>, name: &str, game: Option<&str>) -> Result<ImportedView, TextError> {
    let (file, of) = Reading { catalog: &offer.catalog, game, bounds: BOUNDS }.file(bytes, name)?;
    if of == 0 {
        return Err(TextError::new("transcript", "expected a game", "use one with the moves of a game"));
    }
    let record = |idx: usize| {
        let link = match &file {
            GameFile::Transcripts(games) => games[idx].link().map(str::to_owned),
            _ => None,
        };
        Ok(RecordView { link, ..RecordView::of(file.open(&offer.catalog, idx, game)?, title(&file, idx)) })
    };
    let records = (0..file.n_games().min(BOUNDS.games)).map(record).collect::<Result<_, TextError>>()?;
    Ok(ImportedView { records, of })
}

/// Title of a game of a file: its number, and other facts.
fn title(file: &GameFile, idx: usize) -> String {
    match file {
        GameFile::Match(lines) => format!("{}.{}", lines[idx].pair, lines[idx].game),
        GameFile::Saved(_) => "saved game".to_owned(),
        GameFile::Ccgc(record) => {
            Some(record.heading().event).filter(|event| !event.is_empty()).unwrap_or("CCGC".to_owned())
        }
        GameFile::Transcripts(games) => {
            let about: Vec<&str> = games[idx].about().iter().map(|(_, fact)| fact.as_str()).collect();
            format!("{}. {} {}", idx + 1, games[idx].protocol(), about.join(", ")).trim_end().to_owned()
        }
    }
}
