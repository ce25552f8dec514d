//! Sets of openings for matches: made one after the other, or given and checked.

use std::sync::Arc;

use banyan_arena::{Flaw, Judge, OpeningBook, check_openings};
use banyan_core::{Fault, Limits, Notation, Player, Report, SearchObserver, Situation, TextError};

use crate::engine::{Engine, build};
use crate::matches::OpeningLine;
use crate::players::PlayerSpec;

/// Who says whether an opening is balanced.
#[derive(Clone, Debug)]
pub struct OpeningJudge {
    /// Whose value counts.
    pub player: PlayerSpec,
    /// What it may spend on an opening.
    pub limits: Limits,
    /// Furthest value from 0 of a balanced opening.
    pub threshold: f64,
}

impl OpeningJudge {
    /// Unless asked otherwise: a win rate between 40 and 60 %, as in generated openings of matches.
    pub const THRESHOLD: f64 = 0.2;
}

/// An opening of a set in the making.
#[derive(Clone, Debug, PartialEq)]
pub struct MadeOpening {
    /// The game as it is asked for by name.
    pub game: String,
    /// The moves.
    pub moves: String,
    /// How many they are; more than asked for when shorter ones ran out.
    pub plies: usize,
    /// What the judge thinks: -1 .. 1 for the side to move.
    pub value: f64,
}

impl MadeOpening {
    /// The line of a file that `file:` openings of a match are read from; the start itself needs its game to be seen.
    pub fn line(&self) -> String {
        if self.moves.is_empty() { format!("{};", self.game) } else { self.moves.clone() }
    }
}

/// Why there is no further opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoOpening {
    /// The game has no other balanced one.
    Exhausted,
    /// The search was stopped, or the judge failed.
    Stopped(Fault),
}

/// Makes openings one after the other, all different under symmetry, the same for the same seed; and checks others.
pub trait OpeningMaker {
    /// The next. `stop` is asked before every judgement.
    ///
    /// # Errors
    /// There is none.
    fn next(&mut self, stop: &(dyn Fn() -> bool + Sync)) -> Result<MadeOpening, NoOpening>;

    /// What is wrong with each of `lines`, in their order: one flaw at most, the gravest. `stop` is asked before every
    /// judgement.
    ///
    /// # Errors
    /// The search was stopped, or the judge failed.
    fn check(&mut self, lines: &[OpeningLine], stop: &(dyn Fn() -> bool + Sync)) -> Result<Vec<Option<String>>, Fault>;
}

/// The one implementation of [`OpeningMaker`].
pub(crate) struct Making<G: Notation> {
    game: Arc<G>,
    book: OpeningBook<G>,
    player: Box<dyn Player<G>>,
    judge: OpeningJudge,
}

impl<G: Notation> Making<G> {
    pub(crate) fn new(
        game: Arc<G>,
        engine: &Arc<dyn Engine<G>>,
        plies: u16,
        seed: u64,
        judge: &OpeningJudge,
    ) -> Result<Making<G>, TextError> {
        let book = OpeningBook::new(game.start(), plies, seed);
        Ok(Making { game, book, player: build(engine, &judge.player, seed)?, judge: judge.clone() })
    }
}

impl<G: Notation> OpeningMaker for Making<G> {
    fn next(&mut self, stop: &(dyn Fn() -> bool + Sync)) -> Result<MadeOpening, NoOpening> {
        let threshold = self.judge.threshold;
        let mut player = Stoppable { player: &mut *self.player, stop };
        let mut judge = Judge { player: &mut player, limits: self.judge.limits, threshold };
        let opening = self.book.next(&self.game, &mut judge).map_err(NoOpening::Stopped)?;
        if opening.repeated || opening.value.abs() > threshold {
            return Err(NoOpening::Exhausted);
        }
        let moves = print(&*self.game, &opening.moves);
        Ok(MadeOpening { game: self.game.spec(), moves, plies: opening.moves.len(), value: opening.value })
    }

    fn check(&mut self, lines: &[OpeningLine], stop: &(dyn Fn() -> bool + Sync)) -> Result<Vec<Option<String>>, Fault> {
        let game = &*self.game;
        let parsed: Vec<Result<Vec<G::Move>, String>> = lines.iter().map(|line| parse(game, line)).collect();
        let readable: Vec<usize> = (0..lines.len()).filter(|&i| parsed[i].is_ok()).collect();
        let moves: Vec<Vec<G::Move>> = parsed.iter().filter_map(|parsed| parsed.as_ref().ok().cloned()).collect();
        let mut player = Stoppable { player: &mut *self.player, stop };
        let OpeningJudge { limits, threshold, .. } = self.judge;
        let mut judge = Judge { player: &mut player, limits, threshold };
        let flaws = check_openings(game, &game.start(), &moves, &mut judge)?;
        let mut found: Vec<Option<String>> = parsed.into_iter().map(Result::err).collect();
        for (&i, flaw) in readable.iter().zip(flaws) {
            found[i] = flaw.map(|flaw| match flaw {
                Flaw::Illegal { move_idx } => format!("move {} is not legal", move_idx + 1),
                Flaw::Over => "the game is over after these moves".to_owned(),
                Flaw::Duplicate { of } => format!("the same as line {} but for a symmetry", lines[readable[of]].number),
                Flaw::Unbalanced { value } => format!("not balanced: {value:+.2} for the side to move"),
            });
        }
        Ok(found)
    }
}

fn parse<G: Notation>(game: &G, line: &OpeningLine) -> Result<Vec<G::Move>, String> {
    match &line.game {
        Some(named) if *named != game.spec() => Err(format!("for {named}, not for {}", game.spec())),
        _ => game.parse_moves(&game.start(), &line.moves).map_err(|err| err.to_string()),
    }
}

fn print<G: Notation>(game: &G, moves: &[G::Move]) -> String {
    let mut state = game.start();
    let print = |&mv: &G::Move| {
        let text = game.print_move(&state, mv);
        game.play(&mut state, mv);
        text
    };
    moves.iter().map(print).collect::<Vec<_>>().join(" ")
}

/// A player that gives up when told to.
struct Stoppable<'a, G: Notation> {
    player: &'a mut dyn Player<G>,
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl<G: Notation> Player<G> for Stoppable<'_, G> {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        if (self.stop)() { Err(Fault::Resigned) } else { self.player.choose(at, limits, observer) }
    }

    fn new_game(&mut self, seed: u64) {
        self.player.new_game(seed);
    }
}
