//! Files of recorded games in every supported format: games of a match, a saved game, a CCGC record, games of WTHOR, or
//! the transcript of a protocol.

use banyan_catalog::pairs::GameLine;
use banyan_catalog::{Catalog, Opening, Record, Session};
use banyan_core::TextError;

use crate::records::{FileBounds, check_lines, read_within};
use crate::{Transcript, ccgc, wthor};

/// The games of a file.
pub enum GameFile {
    /// Games of a match, in the order in which they ended.
    Match(Vec<GameLine>),
    /// A game written by `save`.
    Saved(Record),
    /// A record of the Chinese championship.
    Ccgc(ccgc::Record),
    /// Games of WTHOR, or the transcript of a protocol.
    Transcripts(Vec<Transcript>),
}

/// A recorded game.
pub struct Recorded {
    /// The game after its last move.
    pub session: Session,
    /// Names of the players, the first side's first; `None` if the record does not name them.
    pub players: Option<[String; 2]>,
    /// Facts about the game, by name: its number in the file, and how it ended if the board does not show it.
    pub about: Vec<(&'static str, String)>,
    /// The rest of a CCGC record.
    pub heading: Option<ccgc::Heading>,
    /// Moves at the beginning of the game that no player chose: the opening of a game of a match.
    pub opening_plies: usize,
}

impl GameFile {
    /// Reads the content of a file with this name, which may be empty.
    ///
    /// # Errors
    /// An unknown format.
    pub fn read(bytes: Vec<u8>, name: &str) -> Result<GameFile, TextError> {
        Ok(GameFile::read_within(bytes, name, &FileBounds::NONE)?.0)
    }

    /// The games of a file within bounds, and the total number of games: of a collection only the first ones are kept.
    ///
    /// # Errors
    /// An unknown format, or more than the bounds allow.
    pub fn read_within(bytes: Vec<u8>, name: &str, bounds: &FileBounds) -> Result<(GameFile, usize), TextError> {
        let is_wthor = name.to_ascii_lowercase().ends_with(&format!(".{}", wthor::EXTENSION));
        if is_wthor || wthor::is_in(&bytes) {
            let (games, n) = wthor::read_first(&bytes, bounds.games)?;
            return Ok((GameFile::Transcripts(games), n));
        }
        let text = ccgc::decode(&bytes)?;
        drop(bytes);
        check_lines(&text, bounds)?;
        if ccgc::Record::is_in(&text) {
            return Ok((GameFile::Ccgc(ccgc::Record::parse(&text)?), 1));
        }
        let lines = || text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        if lines().next().is_some_and(|(_, line)| GameLine::read(line).is_ok()) {
            let (mut kept, mut n) = (Vec::new(), 0);
            for (i, line) in lines() {
                let named = |err: TextError| TextError { found: format!("line {}: {}", i + 1, err.found), ..err };
                let game = GameLine::read(line).map_err(named)?;
                n += 1;
                if n <= bounds.games {
                    kept.push(game);
                }
            }
            return Ok((GameFile::Match(kept), n));
        }
        if Record::is_in(&text) {
            return Ok((GameFile::Saved(Record::read(&text)?), 1));
        }
        let (games, n) = read_within(&text, bounds)?;
        Ok((GameFile::Transcripts(games), n))
    }

    /// Number of its games.
    pub fn n_games(&self) -> usize {
        match self {
            GameFile::Match(lines) => lines.len(),
            GameFile::Saved(_) | GameFile::Ccgc(_) => 1,
            GameFile::Transcripts(games) => games.len(),
        }
    }

    /// Checks that every game of a transcript can be opened, so that an error in a game that is not shown is found too.
    /// The games of a collection (GGF, WTHOR, lines of moves) are independent of each other and are not checked. `spec`
    /// is as for [`open`](GameFile::open).
    ///
    /// # Errors
    /// As for [`open`](GameFile::open).
    pub fn check(&self, catalog: &Catalog, spec: Option<&str>) -> Result<(), TextError> {
        let GameFile::Transcripts(games) = self else { return Ok(()) };
        let open = |idx: usize| {
            // A given board applies only to games that do not name theirs.
            let spec = spec.filter(|_| games[idx].spec.is_none());
            open_transcript(catalog, games, idx, spec).map(drop)
        };
        (0..games.len()).filter(|&idx| !games[idx].is_of_collection).try_for_each(open)
    }

    /// Opens game `idx`, from 0. `spec` is the board of a transcript that does not name it.
    ///
    /// # Errors
    /// An illegal move or an unknown game.
    ///
    /// # Panics
    /// `idx` is not less than [`n_games`](GameFile::n_games).
    pub fn open(&self, catalog: &Catalog, idx: usize, spec: Option<&str>) -> Result<Recorded, TextError> {
        match self {
            GameFile::Match(lines) => open_line(catalog, &lines[idx]),
            GameFile::Saved(record) => {
                let (session, players) = (record.open(catalog)?, Some(record.players.clone()));
                Ok(Recorded { session, players, about: Vec::new(), heading: None, opening_plies: 0 })
            }
            GameFile::Ccgc(record) => open_ccgc(catalog, record),
            GameFile::Transcripts(games) => open_transcript(catalog, games, idx, spec),
        }
    }
}

fn open_line(catalog: &Catalog, line: &GameLine) -> Result<Recorded, TextError> {
    let named = |err: TextError| TextError { found: format!("game {}.{}: {}", line.pair, line.game, err.found), ..err };
    let session = catalog.game(&line.spec).and_then(|game| game.open(Opening::Moves(&line.moves))).map_err(named)?;
    let opening = format!("{}.{}, opening {} of {} plies", line.pair, line.game, line.opening, line.opening_plies);
    let mut about = vec![("record", opening)];
    if let (Some(side), Some(fault)) = (line.fault_by, &line.fault) {
        let loser = &line.players[side as usize];
        about.push(("fault", format!("{loser} lost: {fault}")));
    }
    let (players, opening_plies) = (Some(line.players.clone()), usize::from(line.opening_plies));
    Ok(Recorded { session, players, about, heading: None, opening_plies })
}

fn open_ccgc(catalog: &Catalog, record: &ccgc::Record) -> Result<Recorded, TextError> {
    let session = record.open(catalog)?;
    let heading = record.heading();
    let known = [("event", &heading.event), ("date", &heading.date)].into_iter().filter(|(_, text)| !text.is_empty());
    let about = known.map(|(name, text)| (name, text.clone())).collect();
    Ok(Recorded { session, players: Some(heading.players.clone()), about, heading: Some(heading), opening_plies: 0 })
}

fn open_transcript(
    catalog: &Catalog,
    games: &[Transcript],
    idx: usize,
    spec: Option<&str>,
) -> Result<Recorded, TextError> {
    let (game, n) = (&games[idx], idx + 1);
    let mut about = vec![("record", format!("game {n} of {}, {}", games.len(), game.protocol()))];
    about.extend_from_slice(game.about());
    let session = game.open(catalog, spec).map_err(|err| match games.len() {
        1 => err,
        _ => TextError { found: format!("game {n}: {}", err.found), ..err },
    })?;
    Ok(Recorded { session, players: game.players().cloned(), about, heading: None, opening_plies: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    const GGF: &str = "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O\
        --------------------------- *]B[F5]W[F6];)\n";

    fn read(text: &str) -> GameFile {
        GameFile::read(text.into(), "").unwrap_or_else(|err| panic!("{err}: {text}"))
    }

    #[test]
    fn what_is_not_utf_8_is_refused_with_its_line() {
        let mut latin = format!("{GGF}{GGF}").into_bytes();
        latin[GGF.len() + 16] = 0xE9;
        let err = GameFile::read(latin, "games.ggf").err().expect("Latin-1").to_string();
        assert!(err.starts_with("line 2, byte 17: 0xe9: expected text in UTF-8; save the file in UTF-8"), "{err}");
        assert_eq!(read(&format!("\u{feff}{GGF}")).n_games(), 1);
    }

    #[test]
    fn every_game_of_a_transcript_is_checked() {
        let catalog = builtin();
        let legal = "> new black\n< move 1 AAA\n";
        for (text, expected) in [
            (
                format!("{legal}> end\n{legal}> move 1 AAA\n"),
                "game 2: line 6, column 10: move 2: move \"h0,0\": expected an edge that is not drawn yet",
            ),
            (
                "[Game]\ndots_and_boxes()\n[State]\n0\n[Game]\ndots_and_boxes()\n[State]\n0\n0\n".to_owned(),
                "game 2: line 9: move 2: move \"0\": expected an edge that is not drawn yet",
            ),
        ] {
            let file = read(&text);
            assert!(file.open(&catalog, 0, None).is_ok(), "{text}");
            let err = file.check(&catalog, None).expect_err(&text).to_string();
            assert!(err.starts_with(expected), "{err}");
        }
        // With a given board, and with games that name theirs.
        let wide = read(&format!("{legal}> end\n> new white\n> move 1 AAF\n"));
        assert!(wide.check(&catalog, Some("dots-and-boxes:6x6")).is_ok() && wide.check(&catalog, None).is_err());
        let gtp = read("play b f5\n=\n\nboardsize 6\n=\n\nplay b e4\n=\n\n");
        assert_eq!(gtp.check(&catalog, Some("reversi:8x8")), Ok(()));
        // A collection.
        let ggf = read(&(GGF.to_owned() + &GGF.replace("W[F6]", "W[F5]")));
        assert!(ggf.check(&catalog, None).is_ok() && ggf.open(&catalog, 1, None).is_err());
    }
}
