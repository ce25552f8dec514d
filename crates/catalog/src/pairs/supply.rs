//! The openings of a match in one game, generated on demand.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use banyan_arena::{Judge, OpeningBook};
use banyan_core::{ErasedGame, Fault, Game, Limits, TextError};
use banyan_search::Random;

use super::opening_spec::{OpeningLine, OpeningLines, OpeningSpec};
use crate::opening_judge::{RANDOM_PLAYOUTS, needs_playouts};
use crate::searches::{ErasedPlayer, Searches, build};

/// Playouts of the search that judges an opening: the standard error of its win rate is about 1.6 %, well below the
/// threshold of 10 %. Guess, untuned.
const JUDGE_PLAYOUTS: u64 = 1000;
/// The player that judges them; fixed, so that a seed gives the same openings whatever the default is.
const JUDGE: &str = "uct";

/// Openings in a fixed order.
pub(super) enum Supply {
    /// Only the starting position.
    Start,
    /// These, repeatedly.
    Given(Vec<Vec<u16>>),
    /// Generated on the first request of a number, always in order, so that they do not depend on the order of requests.
    Made(Box<Mutex<Workshop>>),
}

/// Generates openings.
pub(super) struct Workshop {
    book: OpeningBook<ErasedGame>,
    player: ErasedPlayer,
    limits: Limits,
    threshold: f64,
    made: Vec<Vec<u16>>,
}

impl Supply {
    /// The openings of `spec`, drawn from `seed`; `lines` are those of its file, and only of that.
    ///
    /// # Errors
    /// A line of the file is not an opening of this game, with the name of the file.
    pub(super) fn new(
        searches: &Arc<dyn Searches>,
        spec: &OpeningSpec,
        lines: Option<&OpeningLines>,
        seed: u64,
    ) -> Result<Supply, TextError> {
        let game = searches.game();
        let make = |plies: Option<u16>, player: ErasedPlayer, limits, threshold| {
            let plies = plies.unwrap_or_else(|| usual_plies(&**searches));
            if plies == 0 {
                return Supply::Start;
            }
            let book = OpeningBook::new(game.start(), plies, seed);
            Supply::Made(Box::new(Mutex::new(Workshop { book, player, limits, threshold, made: Vec::new() })))
        };
        Ok(match (spec, lines) {
            (OpeningSpec::File(path), Some(lines)) => Supply::Given(read(game, lines).map_err(|err| err.at(path))?),
            (&OpeningSpec::Random { plies }, _) => make(plies, Box::new(Random::new(seed)), Limits::default(), 1.0),
            (&OpeningSpec::Balanced { plies }, _) if needs_playouts(game) => make(
                plies,
                searches.random_playouts(seed),
                Limits::playouts(RANDOM_PLAYOUTS),
                Judge::<ErasedGame>::THRESHOLD,
            ),
            (&OpeningSpec::Balanced { plies }, _) => {
                let judge = build(searches, &JUDGE.parse()?, seed)?;
                make(plies, judge, Limits::playouts(JUDGE_PLAYOUTS), Judge::<ErasedGame>::THRESHOLD)
            }
            (OpeningSpec::None | OpeningSpec::File(_), _) => Supply::Start,
        })
    }

    /// Opening number `n`.
    ///
    /// # Errors
    /// The judge failed.
    pub(super) fn opening(&self, game: &ErasedGame, n: u64) -> Result<Cow<'_, [u16]>, Fault> {
        match self {
            Supply::Start => Ok(Cow::Borrowed(&[])),
            Supply::Given(lines) => Ok(Cow::Borrowed(&lines[(n % lines.len() as u64) as usize])),
            Supply::Made(workshop) => {
                let mut workshop = workshop.lock().unwrap_or_else(PoisonError::into_inner);
                workshop.opening(game, n as usize).map(|moves| Cow::Owned(moves.to_vec()))
            }
        }
    }
}

impl Workshop {
    fn opening(&mut self, game: &ErasedGame, n: usize) -> Result<&[u16], Fault> {
        while self.made.len() <= n {
            let Workshop { book, player, limits, threshold, made } = self;
            let mut judge = Judge { player: &mut **player, limits: *limits, threshold: *threshold };
            made.push(book.next(game, &mut judge)?.moves);
        }
        Ok(&self.made[n])
    }
}

/// Default number of plies of generated openings.
pub(crate) fn usual_plies(searches: &dyn Searches) -> u16 {
    searches.tables().opening_plies.min(searches.game().max_plies() / 4)
}

fn read(game: &ErasedGame, lines: &OpeningLines) -> Result<Vec<Vec<u16>>, TextError> {
    let read_one = |line: &OpeningLine| {
        if let Some(named) = line.game.as_deref().filter(|&named| named != game.spec()) {
            let expected = format!("expected one for {}", game.spec());
            return Err(TextError::new(format!("an opening for {named}"), expected, "remove it"));
        }
        let moves = game.parse_moves(&game.start(), &line.moves)?;
        let mut state = game.start();
        moves.iter().for_each(|&mv| game.play(&mut state, mv));
        match game.result(&state) {
            None => Ok(moves),
            Some(_) => {
                Err(TextError::new(&line.moves, "expected moves that do not end the game", "remove the last moves"))
            }
        }
    };
    let numbered = |line: &OpeningLine| {
        read_one(line).map_err(|err| TextError { found: format!("line {}: {}", line.number, err.found), ..err })
    };
    lines.lines.iter().map(numbered).collect()
}
