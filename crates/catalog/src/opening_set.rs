//! Generates and checks openings for matches.

use std::sync::Arc;

use banyan_arena::{Flaw, Judge, OpeningBook, check_openings};
use banyan_core::{ErasedGame, Fault, Game, Limits, Player, Report, SearchObserver, Situation, TextError};

use crate::opening_judge::OpeningJudge;
use crate::pairs::OpeningLine;
use crate::searches::{ErasedPlayer, Searches};

/// A generated opening.
#[derive(Clone, Debug, PartialEq)]
pub struct MadeOpening {
    /// The game specification.
    pub game: String,
    /// The moves.
    pub moves: String,
    /// Number of plies; more than requested if the shorter openings are exhausted.
    pub plies: usize,
    /// The judge's value for the side to move, -1 .. 1.
    pub value: f64,
}

impl MadeOpening {
    /// The line for a file of openings; the starting position is written as its game.
    pub fn line(&self) -> String {
        if self.moves.is_empty() { format!("{};", self.game) } else { self.moves.clone() }
    }
}

/// The reason why no further opening was generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoOpening {
    /// The game has no other balanced opening.
    Exhausted,
    /// The search was stopped, or the judge failed.
    Stopped(Fault),
}

/// Generates openings, all different under symmetry and reproducible by seed; and checks given ones.
pub struct OpeningMaker {
    game: ErasedGame,
    book: OpeningBook<ErasedGame>,
    seed: u64,
    player: ErasedPlayer,
    judge: OpeningJudge,
}

impl OpeningMaker {
    pub(crate) fn new(
        searches: &Arc<dyn Searches>,
        plies: u16,
        seed: u64,
        judge: &OpeningJudge,
    ) -> Result<OpeningMaker, TextError> {
        let game = searches.game().clone();
        let book = OpeningBook::new(game.start(), plies, seed);
        Ok(OpeningMaker { game, book, seed, player: judge.build(searches, seed)?, judge: judge.clone() })
    }

    /// Generates the next opening. `stop` is called before every evaluation.
    ///
    /// # Errors
    /// There is no further opening.
    pub fn next(&mut self, stop: &(dyn Fn() -> bool + Sync)) -> Result<MadeOpening, NoOpening> {
        let threshold = self.judge.threshold;
        let mut player = Stoppable { player: &mut *self.player, stop };
        let mut judge = Judge { player: &mut player, limits: self.judge.budget.first_limits(), threshold };
        let opening = self.book.next(&self.game, &mut judge).map_err(NoOpening::Stopped)?;
        if opening.repeated || opening.value.abs() > threshold {
            return Err(NoOpening::Exhausted);
        }
        let moves = self.game.print_moves(&self.game.start(), &opening.moves).join(" ");
        Ok(MadeOpening { game: self.game.spec(), moves, plies: opening.moves.len(), value: opening.value })
    }

    /// Checks `lines` and returns for each the most severe flaw, if any. Lines that the same judge generated from the same seed
    /// get the same values again. `stop` is called before every evaluation.
    ///
    /// # Errors
    /// The search was stopped, or the judge failed.
    pub fn check(
        &mut self,
        lines: &[OpeningLine],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Option<String>>, Fault> {
        let game = &self.game;
        let parsed: Vec<Result<Vec<u16>, String>> = lines.iter().map(|line| parse(game, line)).collect();
        let readable: Vec<usize> = (0..lines.len()).filter(|&i| parsed[i].is_ok()).collect();
        let moves: Vec<Vec<u16>> = parsed.iter().filter_map(|parsed| parsed.as_ref().ok().cloned()).collect();
        let mut player = Stoppable { player: &mut *self.player, stop };
        let OpeningJudge { budget, threshold, .. } = self.judge;
        let mut judge = Judge { player: &mut player, limits: budget.first_limits(), threshold };
        let flaws = check_openings(game, &game.start(), &moves, self.seed, &mut judge)?;
        let mut found: Vec<Option<String>> = parsed.into_iter().map(Result::err).collect();
        for (&i, flaw) in readable.iter().zip(flaws) {
            found[i] = flaw.map(|flaw| match flaw {
                Flaw::Illegal { move_idx } => format!("move {} is not legal", move_idx + 1),
                Flaw::Over => "the game is over after these moves".to_owned(),
                Flaw::Duplicate { of } => format!("equal to line {} under symmetry", lines[readable[of]].number),
                Flaw::Unbalanced { value } => format!("not balanced: {value:+.2} for the side to move"),
            });
        }
        Ok(found)
    }
}

fn parse(game: &ErasedGame, line: &OpeningLine) -> Result<Vec<u16>, String> {
    match &line.game {
        Some(named) if *named != game.spec() => Err(format!("opening for {named}, expected {}", game.spec())),
        _ => game.parse_moves(&game.start(), &line.moves).map_err(|err| err.to_string()),
    }
}

/// A player that can be stopped.
struct Stoppable<'a> {
    player: &'a mut dyn Player<ErasedGame>,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Player<ErasedGame> for Stoppable<'_> {
    fn choose(
        &mut self,
        at: &Situation<'_, ErasedGame>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<u16>,
    ) -> Result<Report<u16>, Fault> {
        if (self.stop)() { Err(Fault::Resigned) } else { self.player.choose(at, limits, observer) }
    }

    fn new_game(&mut self, seed: u64) {
        self.player.new_game(seed);
    }
}
