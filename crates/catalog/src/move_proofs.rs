//! Exact values of all moves, beside the search of a player that values only the moves that it visits: those that the solver of the game
//! proves within the limits.

use std::cmp::Reverse;
use std::time::Duration;

use banyan_core::{Fault, Flow, Game, Limits};
use banyan_search::Goal;

use crate::means::{Means, proof_limits};
use crate::players::PlayerSpec;
use crate::session::{AnalysisObserver, Seat, Session};
use crate::view::{Analysis, MoveView, Proof};

/// With more plies left than this nothing is tried. Guess, untuned.
const MOST_PLIES: u16 = 40;
/// The part of the limits for a proof before the search, which is enough near the end of a game, and for one after it. Guesses, untuned.
const QUICK_PART: f64 = 0.05;
const LAST_PART: f64 = 0.2;
/// Time of which these are the parts, and of the last proof, if the search has no limit. Guesses, untuned.
const ENDLESS: Duration = Duration::from_secs(2);
const LAST: Duration = Duration::from_secs(10);
const TABLE_MIB: u32 = 64;
const QUICK_TABLE_MIB: u32 = 4;

/// Proven bounds of every move of a position.
#[derive(Debug, Default)]
pub struct MoveProofs {
    threads: u32,
    /// Every move as a search that did not visit it reports it, and its bounds; empty if nothing is to be proven.
    moves: Vec<(MoveView, Proof)>,
    /// See [`Session::plies_to_spare`].
    plies_to_spare: Option<u16>,
}

impl MoveProofs {
    /// Quick proofs, before the search of `player`: of the moves one by one, each in the same part of the limits, so that one that is hard
    /// leaves something to the others. Nothing is tried for a player that values every move itself, a player that has no such values to add
    /// to (a level, an engine), a search for the best move only, and far from the end of a game.
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
        let (threads, side, unvisited) = (player.threads(), session.to_move(), session.unvisited_moves());
        let part = proof_limits(&limited(limits, ENDLESS), QUICK_PART / unvisited.len() as f64);
        let means = Means { table_mib: QUICK_TABLE_MIB, threads };
        let prove = |unvisited: MoveView| {
            session.play(&unvisited.mv).expect("a legal move");
            let after = session.prove(Goal::Value, means, &part, &mut Stops(observer)).proof();
            let proof = if session.to_move() == side { after } else { after.of_other_side() };
            session.undo();
            (unvisited, proof)
        };
        let moves = unvisited.into_iter().map(prove).collect();
        MoveProofs { threads, moves, plies_to_spare: session.plies_to_spare() }
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
            (false, false) => 1.0 - QUICK_PART - LAST_PART,
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
        if !self.is_complete() && !observer.stopped() {
            let searched = Duration::from_secs_f64(analysis.elapsed_ms / 1000.0);
            let rest = |time: Duration| time.mul_f64(1.0 - QUICK_PART).saturating_sub(searched);
            let part = if limits.time.is_some() { 1.0 } else { LAST_PART };
            let limits = Limits { time: limits.time.map(rest), ..limited(limits, LAST.div_f64(LAST_PART)) };
            let means = Means { table_mib: TABLE_MIB, threads: self.threads };
            let solved = session.solve(means, &proof_limits(&limits, part), &mut Stops(observer));
            for (mv, proof) in &mut self.moves {
                let same = solved.moves.iter().find(|same| same.mv == mv.mv).expect("every legal move");
                *proof = proof.and(same.proof());
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
