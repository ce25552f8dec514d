//! Exact values of all moves, beside the search of a player that values only the moves that it visits: as far as the solver of the game
//! reaches within the limits.

use std::cmp::Reverse;
use std::time::Duration;

use banyan_core::{Fault, Flow, Game, Limits, Silent};
use banyan_search::Goal;

use crate::means::Means;
use crate::players::PlayerSpec;
use crate::session::{AnalysisObserver, Seat, Session};
use crate::view::{Analysis, MoveView, Proof, Solved, SolvedMove};

/// With more plies left than this nothing is tried. Guess, untuned.
const MOST_PLIES: u16 = 40;
/// The part of the limits for a proof before the search, which is enough near the end of a game, and for one after it. Guesses, untuned.
const QUICK_PART: f64 = 0.05;
const LAST_PART: f64 = 0.2;
/// Times of the proofs of a search without a limit on time, playouts or nodes. Guesses, untuned.
const QUICK: Duration = Duration::from_millis(100);
const LAST: Duration = Duration::from_secs(10);
/// Positions that a proof may visit for each playout of the budget: as long as a playout takes, roughly. Guess, untuned.
const NODES_PER_PLAYOUT: u64 = 20;
const TABLE_MIB: u32 = 64;
const QUICK_TABLE_MIB: u32 = 4;

/// What is proven of the moves of a position.
#[derive(Debug, Default)]
pub struct MoveProofs {
    /// `None` if nothing is to be proven.
    means: Option<Means>,
    solved: Option<Solved>,
    /// Every move, as a search that did not visit it reports it.
    unvisited: Vec<MoveView>,
    /// See [`Session::plies_to_spare`].
    plies_to_spare: Option<u16>,
}

impl MoveProofs {
    /// A quick proof, before the search of `player`. Nothing is tried for a player that values every move itself, a player that has no such
    /// values to add to (a level, an engine), a search for the best move only, and far from the end of a game.
    pub fn quick(
        session: &mut Session,
        player: &PlayerSpec,
        limits: &Limits,
        observer: &mut dyn AnalysisObserver,
    ) -> MoveProofs {
        let wants_lines = limits.lines.is_some_and(|lines| lines > 1) && limits.clock.is_none();
        let is_near = session.result().is_none() && session.rules().plies_left(session.state()) <= MOST_PLIES;
        let visits_some = session.in_game(player).is_ok_and(|player| player.values_visited_moves());
        if !wants_lines || !is_near || !visits_some {
            return MoveProofs::default();
        }
        let mut proofs = MoveProofs {
            means: Some(Means { table_mib: TABLE_MIB, threads: player.threads() }),
            solved: None,
            unvisited: session.unvisited_moves(),
            plies_to_spare: session.plies_to_spare(),
        };
        proofs.solved = Some(each_move(session, player.threads(), &proof_limits(limits, QUICK_PART, QUICK), observer));
        proofs
    }

    /// The limits of the search: some of the time is left for a proof after it.
    pub fn limits_of_search(&self, limits: &Limits) -> Limits {
        let part = match &self.solved {
            None => return *limits,
            Some(solved) if solved.is_complete() => LAST_PART,
            Some(_) => 1.0 - QUICK_PART - LAST_PART,
        };
        Limits { time: limits.time.map(|time| time.mul_f64(part)), ..*limits }
    }

    /// Proves the rest after the search, in the rest of the limits.
    pub fn finish(
        &mut self,
        session: &Session,
        limits: &Limits,
        analysis: &mut Analysis,
        observer: &mut dyn AnalysisObserver,
    ) {
        if self.solved.as_ref().is_some_and(|solved| !solved.is_complete()) && !observer.stopped() {
            let spent = Duration::from_secs_f64(analysis.elapsed_ms / 1000.0);
            let rest = Limits { time: limits.time.map(|time| time.saturating_sub(spent)), ..*limits };
            let part = if limits.time.is_some() { 1.0 } else { LAST_PART };
            self.prove(session, &proof_limits(&rest, part, LAST), observer);
        }
        self.add_to(analysis);
    }

    fn prove(&mut self, session: &Session, limits: &Limits, observer: &mut dyn AnalysisObserver) {
        let Some(means) = self.means else { return };
        let solved = session.solve(means, limits, &mut Stops(observer));
        self.solved = Some(match self.solved.take() {
            Some(before) => merged(before, solved),
            None => solved,
        });
    }

    /// Adds the proofs that decide who wins, or are exact, to the analysis of the same position, and the moves that it lacks. A move that is
    /// proven to be better than the best one becomes the best.
    pub fn add_to(&self, analysis: &mut Analysis) {
        let Some(solved) = &self.solved else { return };
        for unvisited in &self.unvisited {
            if !analysis.moves.iter().any(|mv| mv.mv == unvisited.mv) {
                analysis.moves.push(unvisited.clone());
            }
        }
        for mv in &mut analysis.moves {
            if let Some(proven) =
                solved.moves.iter().find(|proven| proven.mv == mv.mv && proven.proof().outcome().is_some())
            {
                mv.narrow(proven.proof());
            }
        }
        if solved.proof().outcome().is_some() {
            analysis.narrow(solved.proof());
        }
        prefer_proven(analysis);
        if solved.is_complete() {
            let best = analysis.best.clone();
            let key = |mv: &MoveView| Reverse((least(mv), best.as_ref() == Some(&mv.mv), mv.visits));
            analysis.moves.sort_by_key(key);
        }
        if let Some(plies) = self.plies_to_spare {
            analysis.count_moves(plies);
        }
    }
}

/// A part of the limits for a proof, which lasts `otherwise` at most where they have neither time nor work.
fn proof_limits(limits: &Limits, part: f64, otherwise: Duration) -> Limits {
    let as_nodes = limits.playouts.map(|n| n.saturating_mul(NODES_PER_PLAYOUT));
    let nodes = limits.nodes.into_iter().chain(as_nodes).min().map(|n| ((n as f64 * part) as u64).max(1));
    let time = limits.time.map(|time| time.mul_f64(part)).or(nodes.is_none().then_some(otherwise));
    Limits { time, nodes, timer: limits.timer, ..Limits::default() }
}

/// Proves the values of the moves one by one, each in the same part of the limits, so that one that is hard leaves something to the others.
fn each_move(session: &mut Session, threads: u32, limits: &Limits, observer: &mut dyn AnalysisObserver) -> Solved {
    let moves = session.legal_moves();
    let n_moves = moves.len().max(1);
    let (time, nodes) = (limits.time.map(|time| time / n_moves as u32), limits.nodes.map(|n| n / n_moves as u64 + 1));
    let limits = Limits { time, nodes, ..*limits };
    let means = Means { table_mib: QUICK_TABLE_MIB, threads };
    let side = session.to_move();
    let mut whole = session.prove(Goal::Value, means, &Limits { nodes: Some(1), ..limits }, &mut Silent);
    whole.moves.clear();
    for mv in moves {
        session.play(&mv).expect("a legal move");
        let after = session.prove(Goal::Value, means, &limits, &mut Stops(observer)).proof();
        let proof = if session.to_move() == side { after } else { after.of_other_side() };
        session.undo();
        let Proof { lower, upper } = proof;
        whole.moves.push(SolvedMove { mv, margin: (lower == upper).then_some(lower), lower, upper });
    }
    let best = |bound: fn(&SolvedMove) -> i16| whole.moves.iter().map(bound).max().expect("a legal move");
    (whole.lower, whole.upper) = (best(|mv| mv.lower), best(|mv| mv.upper));
    whole.margin = (whole.lower == whole.upper).then_some(whole.lower);
    whole
}

impl Session {
    /// [`choose`](Session::choose) by a seat of `player`; if several [lines](Limits::lines) are asked for, with exact values of all moves as far
    /// as the solver of the game reaches within the limits ([`MoveProofs`]).
    ///
    /// # Errors
    /// The player gave no move.
    pub fn analyse(
        &mut self,
        (seat, player): (Seat, &PlayerSpec),
        limits: &Limits,
        observer: &mut dyn AnalysisObserver,
    ) -> Result<Analysis, Fault> {
        let mut proofs = MoveProofs::quick(self, player, limits, observer);
        let mut analysis = self.choose(seat, &proofs.limits_of_search(limits), observer)?;
        proofs.finish(self, limits, &mut analysis, observer);
        Ok(analysis)
    }
}

/// The least margin proven for a move.
fn least(mv: &MoveView) -> i16 {
    mv.proof.map_or(i16::MIN, |proof| proof.lower)
}

/// Makes the move with the largest proven margin the best, if the best one is proven to reach less.
fn prefer_proven(analysis: &mut Analysis) {
    let most = analysis.moves.iter().find(|mv| Some(&mv.mv) == analysis.best.as_ref()).and_then(|mv| mv.proof);
    let better =
        analysis.moves.iter().max_by_key(|mv| least(mv)).filter(|mv| most.is_some_and(|most| least(mv) > most.upper));
    if let Some(better) = better {
        (analysis.best, analysis.pv) = (Some(better.mv.clone()), better.pv.clone());
    }
}

/// Both proofs of a position.
fn merged(before: Solved, after: Solved) -> Solved {
    let Proof { lower: least, upper: most } = before.proof().and(after.proof());
    let moves = after.moves.into_iter().map(|mv| {
        let same = before.moves.iter().find(|same| same.mv == mv.mv);
        let Proof { lower, upper } = same.map_or(mv.proof(), |same| same.proof().and(mv.proof()));
        SolvedMove { margin: (lower == upper).then_some(lower), lower, upper, ..mv }
    });
    let (moves, margin) = (moves.collect(), (least == most).then_some(least));
    Solved { moves, margin, lower: least, upper: most, ..after }
}

/// Passes on only the wish to stop: the progress of a proof has no values of moves.
struct Stops<'a>(&'a mut dyn AnalysisObserver);

impl AnalysisObserver for Stops<'_> {
    fn stopped(&mut self) -> bool {
        self.0.stopped()
    }

    fn progress(&mut self, _analysis: &Analysis) -> Flow {
        if self.0.stopped() { Flow::Stop } else { Flow::Continue }
    }
}
