//! The one door for recorded games and positions of every form: from a text or a file to games in progress.

use banyan_catalog::pairs::GameLine;
use banyan_catalog::{Catalog, Opening, Record, Session};
use banyan_core::TextError;

use crate::found_game::{join_lines, settle};
use crate::records::{FileBounds, check_lines, is_record, read_within};
use crate::scan::lines;
use crate::{Transcript, ccgc, shown, wthor};

/// The settings with which files and texts are read.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    /// The games that can be found.
    pub catalog: &'a Catalog,
    /// The game or board of a record that does not name it; `None` if its moves or its position show it.
    pub game: Option<&'a str>,
    /// Bounds of the file.
    pub bounds: FileBounds,
}

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
    /// The mistake in a text before which the session ends; `None` if there is none.
    pub broken: Option<TextError>,
    /// Moves at the beginning of the game that no player chose: the opening of a game of a match.
    pub opening_plies: usize,
}

impl Recorded {
    /// A game or position about which nothing else is known.
    pub fn new(session: Session, players: Option<[String; 2]>) -> Recorded {
        Recorded { session, players, about: Vec::new(), heading: None, broken: None, opening_plies: 0 }
    }

    /// The whole game.
    ///
    /// # Errors
    /// The mistake.
    pub fn whole(self) -> Result<Recorded, TextError> {
        match self.broken {
            Some(err) => Err(err),
            None => Ok(self),
        }
    }
}

impl<'a> Reading<'a> {
    /// Without bounds.
    pub fn new(catalog: &'a Catalog, game: Option<&'a str>) -> Reading<'a> {
        Reading { catalog, game, bounds: FileBounds::NONE }
    }

    /// The only game or position of a text.
    ///
    /// # Errors
    /// As for [`file`](Reading::file), or several games.
    pub fn text(&self, text: &str) -> Result<Recorded, TextError> {
        let is_one_line = !text.trim().contains('\n');
        let in_line = |err: TextError| match err.found.strip_prefix("line 1").filter(|_| is_one_line) {
            Some(rest) => TextError { found: rest.trim_start_matches([',', ':', ' ']).to_owned(), ..err },
            None => err,
        };
        let (file, n) = self.file(text.as_bytes().to_vec(), "").map_err(in_line)?;
        if n != 1 {
            return Err(TextError::new(format!("{n} games"), "expected one", "give one of them, or all in a file"));
        }
        file.open(self.catalog, 0, self.game).and_then(Recorded::whole).map_err(in_line)
    }

    /// The game at a position that a person gives as moves or as a position, in the notation of the game or in any other form.
    ///
    /// # Errors
    /// As for [`text`](Reading::text), or the error of the game for moves or a position in its own notation.
    pub fn opening(&self, opening: Opening<'_>) -> Result<Session, TextError> {
        let (Opening::Moves(text) | Opening::Position(text)) = opening else {
            return self.catalog.game(self.game.unwrap_or(self.catalog.first_game()))?.open(opening);
        };
        let own = self
            .game
            .map(|game| self.catalog.game(game)?.open(opening))
            .unwrap_or_else(|| self.text(text).map(|read| read.session));
        match own {
            Err(err) if self.game.is_some() => match self.text(text) {
                Ok(read) => Ok(read.session),
                Err(of_record) => Err(if is_record(text) { of_record } else { err }),
            },
            own => own,
        }
    }

    /// The games of a file with this name, which may be empty, and their total number: of a collection only the first ones
    /// are kept.
    ///
    /// # Errors
    /// An unknown form, moves of no game or of several, or more than the bounds allow.
    pub fn file(&self, bytes: Vec<u8>, name: &str) -> Result<(GameFile, usize), TextError> {
        let bounds = &self.bounds;
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
        if let Some(games) = read_match(&text, bounds.games)? {
            return Ok(games);
        }
        if Record::is_in(&text) && !shown::recognises_json(&lines(&text)) {
            return Ok((GameFile::Saved(Record::read(&text)?), 1));
        }
        let (mut games, n) = read_within(&text, bounds)?;
        let n_read = games.len();
        join_lines(self.catalog, self.game, &mut games)?;
        let n = if games.len() < n_read { games.len() } else { n };
        self.settle(&mut games)?;
        Ok((GameFile::Transcripts(games), n))
    }

    /// Finds the game of each record; records of moves have that of the first one.
    fn settle(&self, games: &mut [Transcript]) -> Result<(), TextError> {
        let mut family = "";
        for game in games {
            let follows = game.family.is_empty() && game.protocol() == "moves" && game.boards.is_empty();
            if follows && !family.is_empty() {
                (game.family, game.is_found) = (family, true);
                continue;
            }
            settle(self.catalog, self.game, game)?;
            if follows {
                family = game.family;
            }
        }
        Ok(())
    }
}

/// The games of a match, if the first line is one, and their number.
fn read_match(text: &str, most: usize) -> Result<Option<(GameFile, usize)>, TextError> {
    let mut lines = lines(text).into_iter().filter(|line| !line.text.is_empty()).peekable();
    if lines.peek().is_none_or(|line| GameLine::read(line.text).is_err()) {
        return Ok(None);
    }
    let (mut kept, mut n) = (Vec::new(), 0);
    for line in lines {
        let game = GameLine::read(line.text).map_err(|err| line.at(err))?;
        n += 1;
        if n <= most {
            kept.push(game);
        }
    }
    Ok(Some((GameFile::Match(kept), n)))
}

impl GameFile {
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
            open_transcript(catalog, games, idx, spec).and_then(Recorded::whole).map(drop)
        };
        (0..games.len()).filter(|&idx| !games[idx].is_of_collection).try_for_each(open)
    }

    /// Opens game `idx`, from 0, of a transcript up to its first mistake. `spec` is the board of a transcript that does not name it.
    ///
    /// # Errors
    /// An unknown game, or an illegal move in other files.
    ///
    /// # Panics
    /// `idx` is not less than [`n_games`](GameFile::n_games).
    pub fn open(&self, catalog: &Catalog, idx: usize, spec: Option<&str>) -> Result<Recorded, TextError> {
        match self {
            GameFile::Match(lines) => open_line(catalog, &lines[idx]),
            GameFile::Saved(record) => {
                let (session, players) = (record.open(catalog)?, Some(record.players.clone()));
                Ok(Recorded::new(session, players))
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
    Ok(Recorded { about, opening_plies, ..Recorded::new(session, players) })
}

fn open_ccgc(catalog: &Catalog, record: &ccgc::Record) -> Result<Recorded, TextError> {
    let session = record.open(catalog)?;
    let heading = record.heading();
    let known = [("event", &heading.event), ("date", &heading.date)].into_iter().filter(|(_, text)| !text.is_empty());
    let about = known.map(|(name, text)| (name, text.clone())).collect();
    let players = Some(heading.players.clone());
    Ok(Recorded { about, heading: Some(heading), ..Recorded::new(session, players) })
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
    let in_game = |err: TextError| match games.len() {
        1 => err,
        _ => TextError { found: format!("game {n}: {}", err.found), ..err },
    };
    let (session, broken) = game.open_to_mistake(catalog, spec).map_err(in_game)?;
    Ok(Recorded { about, broken: broken.map(in_game), ..Recorded::new(session, game.players().cloned()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    const GGF: &str = "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O\
        --------------------------- *]B[F5]W[F6];)\n";

    fn read(text: &str) -> GameFile {
        Reading::new(&builtin(), None).file(text.into(), "").unwrap_or_else(|err| panic!("{err}: {text}")).0
    }

    #[test]
    fn what_is_not_utf_8_is_refused_with_its_line() {
        let mut latin = format!("{GGF}{GGF}").into_bytes();
        latin[GGF.len() + 16] = 0xE9;
        let err = Reading::new(&builtin(), None).file(latin, "games.ggf").err().expect("Latin-1").to_string();
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
                "game 2: line 6, column 10: move 2: move \"h0,0\": expected another edge, as that edge is drawn already",
            ),
            (
                "[Game]\ndots_and_boxes()\n[State]\n0\n[Game]\ndots_and_boxes()\n[State]\n0\n0\n".to_owned(),
                "game 2: line 9: move 2: move \"0\": expected another edge, as that edge is drawn already",
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
        assert!(ggf.check(&catalog, None).is_ok() && ggf.open(&catalog, 1, None).and_then(Recorded::whole).is_err());
    }
}
