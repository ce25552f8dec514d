//! Games that a visitor pastes or drops: every form that `banyan review` reads.

use banyan_catalog::matches::GameLine;
use banyan_catalog::{Catalog, Opening, Record, Session};
use banyan_core::TextError;
use banyan_protocols::{ccgc, read_transcripts, wthor};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// Games that are returned of a file.
const MOST_GAMES: usize = 1000;

/// A file as text, or as bytes in base64.
#[derive(Deserialize)]
pub(crate) struct Imported {
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    base64: Option<String>,
    /// The name of the file.
    #[serde(default)]
    name: Option<String>,
    /// The board of a transcript that does not name it.
    #[serde(default)]
    game: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct ImportedView {
    /// The first games of the file.
    records: Vec<RecordView>,
    /// All of them.
    of: usize,
}

#[derive(Serialize)]
struct RecordView {
    title: String,
    game: String,
    position: Option<String>,
    moves: Vec<String>,
    players: Option<[String; 2]>,
    /// The final margin, seen by the first side.
    result: Option<i16>,
}

impl RecordView {
    fn of(session: &dyn Session, title: String, players: Option<[String; 2]>) -> RecordView {
        RecordView {
            title,
            game: session.spec(),
            position: session.opening(),
            moves: session.history(),
            players,
            result: session.result().map(|margin| margin.0),
        }
    }
}

/// Reads a file.
pub(crate) fn import(catalog: &Catalog, imported: Imported) -> Result<ImportedView, Refusal> {
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
    read(catalog, bytes, &name, game).map_err(|err| Refusal::in_field("text", &err))
}

fn read(catalog: &Catalog, bytes: Vec<u8>, name: &str, game: Option<&str>) -> Result<ImportedView, TextError> {
    let is_wthor = name.to_ascii_lowercase().ends_with(&format!(".{}", wthor::EXTENSION)) || wthor::is_in(&bytes);
    if is_wthor {
        return transcripts(catalog, &wthor::read(&bytes)?, game);
    }
    let text = ccgc::decode(bytes)?;
    let text = text.ok_or_else(|| TextError::new("file", "expected a text in UTF-8", "choose another file"))?;
    if ccgc::Record::is_in(&text) {
        let record = ccgc::Record::parse(&text)?;
        let heading = record.heading();
        let title = if heading.event.is_empty() { "CCGC".to_owned() } else { heading.event.clone() };
        return Ok(single(RecordView::of(&*record.open(catalog)?, title, Some(heading.players))));
    }
    if let Some(first) = text.lines().find(|line| !line.trim().is_empty())
        && GameLine::read(first).is_ok()
    {
        return lines(catalog, &text);
    }
    if Record::is_in(&text) {
        let record = Record::read(&text)?;
        return Ok(single(RecordView::of(&*record.open(catalog)?, "saved game".to_owned(), Some(record.players))));
    }
    transcripts(catalog, &read_transcripts(&text)?, game)
}

fn single(record: RecordView) -> ImportedView {
    ImportedView { records: vec![record], of: 1 }
}

/// The games of a match.
fn lines(catalog: &Catalog, text: &str) -> Result<ImportedView, TextError> {
    let texts: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let record = |(i, text): (usize, &&str)| {
        let named = |err: TextError| TextError { found: format!("line {}: {}", i + 1, err.found), ..err };
        let line = GameLine::read(text).map_err(named)?;
        let session =
            catalog.game(&line.spec).and_then(|game| game.open(Opening::Moves(&line.moves))).map_err(named)?;
        Ok(RecordView::of(&*session, format!("{}.{}", line.pair, line.game), Some(line.players)))
    };
    let records = texts.iter().enumerate().take(MOST_GAMES).map(record).collect::<Result<_, TextError>>()?;
    Ok(ImportedView { records, of: texts.len() })
}

fn transcripts(
    catalog: &Catalog,
    games: &[banyan_protocols::Transcript],
    spec: Option<&str>,
) -> Result<ImportedView, TextError> {
    if games.is_empty() {
        return Err(TextError::new("transcript", "contains no game", "use one with the moves of a game"));
    }
    let record = |(i, game): (usize, &banyan_protocols::Transcript)| {
        let number = i + 1;
        let session = game
            .open(catalog, spec)
            .map_err(|err| TextError { found: format!("game {number}: {}", err.found), ..err })?;
        let about: Vec<&str> = game.about().iter().map(|(_, fact)| fact.as_str()).collect();
        let title = format!("{number}. {} {}", game.protocol(), about.join(", "));
        Ok(RecordView::of(&*session, title.trim_end().to_owned(), game.players().cloned()))
    };
    let records = games.iter().enumerate().take(MOST_GAMES).map(record).collect::<Result<_, TextError>>()?;
    Ok(ImportedView { records, of: games.len() })
}
