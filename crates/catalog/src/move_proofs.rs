//! Exact values of all moves, beside the search of a player: those that the solver of the game proves within the limits.

use std::cmp::Reverse;
use std::time::Duration;

use banyan_core::{Fault, Flow, Game, Limits};
use banyan_search::Goal;

use crate::means::{Means, proof_limits};
use crate::players::{PlayerSpec, ValuesToProve};
use crate::session::{AnalysisObserver, Seat, Session};
use crate::view::{Analysis, MoveView, Proof, Solved};

/// Beside a search that visits some moves only, nothing is tried with more plies left than this. Guess, untuned.
const MOST_PLIES: u16 = 40;
/// Beside a search that values every move, the solver alone is tried if it is likely to prove all: with at most this many plies left for
/// `NODES_AT_PLIES` positions of the search, and one more for each doubling. Tuned by Reversi positions after random moves: the exact
/// values of all moves took 0.3 to 0.4 s with 16 to 18 plies left, 1.3 s with 19, 2 s with 20 (`banyan solve`); that search visits 4
/// million positions in a second.
const LIKELY_PLIES: u16 = 18;
const NODES_AT_PLIES: f64 = 4e6;
/// The part of the limits for a proof before the search, which is enough near the end of a game, and for one after it. Guesses, untuned.
const QUICK_PART: f64 = 0.05;
const LAST_PART: f64 = 0.2;
/// The part of the limits for a proof that is likely to succeed. Guess, untuned.
const LIKELY_PART: f64 = 0.6;
/// Time of which these are the parts, and of the last proof, if the search has no limit. Guesses, untuned.
const ENDLESS: Duration = Duration::from_secs(2);
const LAST: Duration = Duration::from_secs(10);
const TABLE_MIB: u32 = 64;
const QUICK_TABLE_MIB: u32 = 4;

/// Proven bounds of every move of a position.
#[derive(Debug, Default)]
pub struct MoveProofs {
    threads: u32,
    /// The part of the limits that the first proofs had, and the part that is left for the last one.
    parts: (f64, f64),
    /// Every move as a search that did not visit it reports it, and its bounds; empty if nothing is to be proven.
    moves: Vec<(MoveView, Proof)>,
    /// See [`Session::plies_to_spare`].
    plies_to_spare: Option<u16>,
}

impl MoveProofs {
    /// The proofs before the search of `player`. Nothing is tried for a player that has no values to add to (a level, an engine), a search
    /// for the best move only, and far from the end of a game.
    pub fn quick(
        session: &mut Session,
        player: &PlayerSpec,
        limits: &Limits,
        observer: &mut dyn AnalysisObserver,
    ) -> MoveProofs {
        let wants_lines = limits.lines.is_some_and(|lines| lines > 1) && limits.clock.is_none();
        let values = session.in_game(player).ok().and_then(|player| player.values_to_prove());
        let Some(values) = values.filter(|_| wants_lines && session.result().is_none()) else {
            return MoveProofs::default();
        };
        let (threads, plies_left) = (player.threads(), session.rules().plies_left(session.state()));
        let limited = limited(limits, ENDLESS);
        let (moves, parts) = match values {
            ValuesToProve::OfUnvisited if plies_left <= MOST_PLIES => {
                (one_by_one(session, threads, &limited, observer), (QUICK_PART, LAST_PART))
            }
            ValuesToProve::InPlaceOfEstimates if plies_left <= likely_plies(&limited) => {
                let means = Means { table_mib: TABLE_MIB, threads };
                let solved = session.solve(means, &proof_limits(&limited, LIKELY_PART), &mut Stops(observer));
                (proven(session, &solved), (LIKELY_PART, 0.0))
            }
            _ => return MoveProofs::default(),
        };
        MoveProofs { threads, parts, moves, plies_to_spare: session.plies_to_spare() }
    }

    /// Whether every move has its exact value.
    fn is_complete(&self) -> bool {
        self.moves.iter().all(|(_, proof)| proof.lower == proof.upper)
    }

    /// The limits of the search: some of the time is left for a proof after it.
    pub fn limits_of_search(&self, limits: &Limits) -> Limits {
        let part = match (self.moves.is_empty(), self.is_complete()) {
            (true, _) => 1.0,
            (false, true) => LAST_PART,
            (false, false) => 1.0 - self.parts.0 - self.parts.1,
        };
        Limits { time: limits.time.map(|time| time.mul_f64(part)), ..*limits }
    }

    /// Proves the rest after the search, in the rest of the limits, and adds all proofs to its analysis.
    pub fn finish(
        &mut self,
        session: &Session,
        limits: &Limits,
        analysis: &mut Analysis,
        observer: &mut dyn AnalysisObserver,
    ) {
        let (quick_part, last_part) = self.parts;
        if !self.is_complete() && last_part > 0.0 && !observer.stopped() {
            let searched = Duration::from_secs_f64(analysis.elapsed_ms / 1000.0);
            let rest = |time: Duration| time.mul_f64(1.0 - quick_part).saturating_sub(searched);
            let part = if limits.time.is_some() { 1.0 } else { last_part };
            let limits = Limits { time: limits.time.map(rest), ..limited(limits, LAST.div_f64(last_part)) };
            let means = Means { table_mib: TABLE_MIB, threads: self.threads };
            let solved = session.solve(means, &proof_limits(&limits, part), &mut Stops(observer));
            for ((_, proof), (_, solved)) in self.moves.iter_mut().zip(proven(session, &solved)) {
                *proof = proof.and(solved);
            }
        }
        self.add_to(analysis);
    }

    /// Adds the proofs that are exact, or decide who wins, to the analysis of the position, and the moves that it lacks. A move that is
    /// proven to be better than the best one becomes the best.
    pub fn add_to(&self, analysis: &mut Analysis) {
        if self.moves.is_empty() {
            return;
        }
        for (unvisited, proof) in &self.moves {
            let known = analysis.moves.iter().position(|mv| mv.mv == unvisited.mv);
            let idx = known.unwrap_or_else(|| {
                analysis.moves.push(unvisited.clone());
                analysis.moves.len() - 1
            });
            if proof.outcome().is_some() {
                analysis.moves[idx].narrow(*proof);
            }
        }
        let best = |bound: fn(&Proof) -> i16| self.moves.iter().map(|(_, proof)| bound(proof)).max().expect("a move");
        let position = Proof { lower: best(|proof| proof.lower), upper: best(|proof| proof.upper) };
        if position.outcome().is_some() {
            analysis.narrow(position);
        }
        prefer_proven(analysis);
        if self.is_complete() {
            let best = analysis.best.clone();
            let key = |mv: &MoveView| Reverse((least(mv), best.as_ref() == Some(&mv.mv), mv.visits));
            analysis.moves.sort_by_key(key);
        }
        if let Some(plies) = self.plies_to_spare {
            analysis.count_moves(plies);
        }
    }
}

/// Quick proofs of the moves one by one, each in the same part of the limits, so that one that is hard leaves something to the others.
fn one_by_one(
    session: &mut Session,
    threads: u32,
    limits: &Limits,
    observer: &mut dyn AnalysisObserver,
) -> Vec<(MoveView, Proof)> {
    let (side, unvisited) = (session.to_move(), session.unvisited_moves());
    let part = proof_limits(limits, QUICK_PART / unvisited.len() as f64);
    let means = Means { table_mib: QUICK_TABLE_MIB, threads };
    let prove = |unvisited: MoveView| {
        session.play(&unvisited.mv).expect("a legal move");
        let after = session.prove(Goal::Value, means, &part, &mut Stops(observer)).proof();
        let proof = if session.to_move() == side { after } else { after.of_other_side() };
        session.undo();
        (unvisited, proof)
    };
    unvisited.into_iter().map(prove).collect()
}

/// Every legal move with the bounds that a solution has for it.
fn proven(session: &Session, solved: &Solved) -> Vec<(MoveView, Proof)> {
    let with_bounds = |mv: MoveView| {
        let solved = solved.moves.iter().find(|same| same.mv == mv.mv).expect("every legal move");
        (mv, solved.proof())
    };
    session.unvisited_moves().into_iter().map(with_bounds).collect()
}

/// The most plies with which the solver is likely to prove the values of all moves in its part of the limits; 0 if the depth is limited,
/// since the values are then those of a search of that depth.
fn likely_plies(limits: &Limits) -> u16 {
    if limits.depth.is_some() {
        return 0;
    }
    let in_time = limits.time.map(|time| time.as_secs_f64() * NODES_AT_PLIES);
    let nodes = proof_limits(limits, 1.0).nodes.map(|nodes| nodes as f64).into_iter().chain(in_time).reduce(f64::min);
    let (mut plies, mut needed) = (LIKELY_PLIES, NODES_AT_PLIES);
    let nodes = nodes.unwrap_or(needed);
    while nodes < needed && plies > 0 {
        (plies, needed) = (plies - 1, needed / 2.0);
    }
    while nodes >= 2.0 * needed && plies < MOST_PLIES {
        (plies, needed) = (plies + 1, needed * 2.0);
    }
    plies
}

/// The limits, or `time` without any.
fn limited(limits: &Limits, time: Duration) -> Limits {
    let is_endless =
        limits.time.is_none() && limits.playouts.is_none() && limits.nodes.is_none() && limits.depth.is_none();
    Limits { time: if is_endless { Some(time) } else { limits.time }, ..*limits }
}

impl Session {
    /// [`choose`](Session::choose) by a seat of `player`; with several [lines](Limits::lines) also exact values of the moves that the solver
    /// of the game proves within the limits ([`MoveProofs`]).
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

/// Forwards only requests to stop: the progress of a proof has no values of moves.
struct Stops<'a>(&'a mut dyn AnalysisObserver);

impl AnalysisObserver for Stops<'_> {
    fn stopped(&mut self) -> bool {
        self.0.stopped()
    }

    fn progress(&mut self, _analysis: &Analysis) -> Flow {
        if self.0.stopped() { Flow::Stop } else { Flow::Continue }
    }
}
