//! Reviews a game: values each of its positions once and computes the loss of every move.
//!
//! The last position comes first: what is proven or searched there helps with the positions before it, and the value of the
//! position after a move is known when the move is judged.

use std::ops::RangeInclusive;
use std::time::Duration;

use banyan_catalog::view::{Analysis, Proof, Solved, VERSION, side_word};
use banyan_catalog::{AnalysisObserver, Means, PlayerSpec, Seat, Session, proof_limits};
use banyan_core::clock::Instant;
use banyan_core::{Bounds, Fault, Limits, Line, Mistake, Picture, Reason, Side, TextError};
use banyan_search::Goal;

use crate::judge::{self, Valued, Verdict};
use crate::view::{BETTER_LINE, ReasonView, Review, ReviewUnit, ReviewedMove};

/// The part of the limits of a position that its proof may take, while proofs succeed. Guess, untuned.
const PROOF_SHARE: f64 = 0.5;
/// Number of successive positions without a proof after which the earlier ones are only searched: they are harder still. Guess, untuned.
const MISSES: u32 = 3;
/// The most moves of the line of a review, those of a proven line, and the positions that its proof may visit in total, besides a quarter
/// of those of the proof before it. Guesses.
const SHOWN_MOVES: usize = 12;
const LINE_MOVES: usize = 60;
const LINE_NODES: u64 = 20_000;
const LINE_PART: u64 = 4;
const LINE_TABLE_MIB: u32 = 16;

/// The reason why a position was not valued.
#[derive(Debug)]
pub enum ReviewError {
    /// The player cannot play this game, or gives no values.
    Player(TextError),
    /// The player gave no move.
    Fault(Fault),
}

impl std::fmt::Display for ReviewError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReviewError::Player(err) => err.fmt(f),
            ReviewError::Fault(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for ReviewError {}

/// The plan of a review.
#[derive(Clone, Debug)]
pub struct ReviewPlan {
    /// The player that values positions that are not proven, with the settings that it has in the game.
    pub player: PlayerSpec,
    /// Its budget as text, for the report.
    pub budget: String,
    /// The limits of each position, the proof included.
    pub limits: Limits,
    /// The resources of proofs.
    pub means: Means,
    /// The random seed of the player.
    pub seed: u64,
    /// The moves to review, from 1; `None` for all.
    pub plies: Option<RangeInclusive<usize>>,
    /// Moves at the beginning of the game that no player chose: they are not reviewed.
    pub opening_plies: usize,
}

/// A game under review.
pub struct Reviewer {
    session: Session,
    plan: ReviewPlan,
    seat: Seat,
    /// Every position of the game, the first one too.
    stops: Vec<Stop>,
    moves: Vec<String>,
    result: Option<i16>,
    /// The name of the opening.
    opening: Option<String>,
    /// `[stops]`
    valued: Vec<Option<Valued>>,
    /// `[stops]`: the reasons why the move made there loses something.
    reasons: Vec<Vec<Reason>>,
    /// The position to be valued next; `None` at the end.
    next: Option<usize>,
    first: usize,
    last: usize,
    misses: u32,
    elapsed: Duration,
}

/// The facts about a position that need no search.
struct Stop {
    position: String,
    side: Side,
    key: u64,
    choices: usize,
    picture: Option<Picture>,
}

impl Stop {
    fn of(session: &Session) -> Stop {
        let choices = if session.result().is_some() { 0 } else { session.legal_moves().len() };
        let (position, side, key) = (session.position(), session.to_move(), session.position_key());
        Stop { position, side, key, choices, picture: session.picture() }
    }
}

impl Reviewer {
    /// A review of the game at whose end `session` is. Only the moves of the plan are reviewed.
    ///
    /// # Errors
    /// No moves, moves that the game does not have, or a player that cannot play the game or gives no values.
    pub fn open(mut session: Session, plan: ReviewPlan) -> Result<Reviewer, ReviewError> {
        let moves = session.history();
        let result = session.result().map(|margin| margin.0);
        let opening = session.named_opening().map(|opening| opening.name().to_owned());
        let (first, last) = chosen(&plan, moves.len()).map_err(ReviewError::Player)?;
        let mut stops = vec![Stop::of(&session)];
        while session.undo().is_some() {
            stops.push(Stop::of(&session));
        }
        stops.reverse();
        let seat = session.seat(&plan.player, plan.seed).map_err(ReviewError::Player)?;
        let (valued, reasons) = (vec![None; stops.len()], vec![Vec::new(); stops.len()]);
        let next = Some(last);
        let (misses, elapsed) = (0, Duration::ZERO);
        let mut reviewer = Reviewer {
            session,
            plan,
            seat,
            stops,
            moves,
            result,
            opening,
            valued,
            reasons,
            next,
            first,
            last,
            misses,
            elapsed,
        };
        reviewer.try_out()?;
        reviewer.go_to(last);
        Ok(reviewer)
    }

    /// Plays moves of the game until `n_moves` are played.
    fn go_to(&mut self, n_moves: usize) {
        for mv in &self.moves[self.session.history().len()..n_moves] {
            self.session.play(mv).expect("a move of the same game");
        }
    }

    /// Searches the first and the last position with a player that may give no values, so that it is refused before the review begins.
    fn try_out(&mut self) -> Result<(), ReviewError> {
        if self.plan.player.always_values() {
            return Ok(());
        }
        let seat = self.session.seat(&self.plan.player, self.plan.seed).map_err(ReviewError::Player)?;
        // A value of 0 may mean that there is none, or a drawn position; two zeros mean that there is none.
        for at in [self.first, self.last - 1] {
            self.go_to(at);
            let analysis = self.session.choose(seat, &self.plan.limits, &mut banyan_core::Silent);
            if has_value(&analysis.map_err(ReviewError::Fault)?) {
                return Ok(());
            }
        }
        let found = format!("player {}", self.plan.player);
        let expected = "expected a player that values positions, which this one does not";
        Err(ReviewError::Player(TextError::new(found, expected, "try --player best")))
    }

    /// The player that values positions that are not proven.
    pub fn player(&self) -> &PlayerSpec {
        &self.plan.player
    }

    /// Positions to value, and those that are valued.
    pub fn progress(&self) -> (usize, usize) {
        (self.last - self.first + 1, self.valued.iter().flatten().count())
    }

    /// Values one more position. Returns whether there is another one; false if the observer stopped the search, of which nothing is kept.
    ///
    /// # Errors
    /// The player gave no move, or no value.
    pub fn step(&mut self, observer: &mut dyn AnalysisObserver) -> Result<bool, ReviewError> {
        let Some(at) = self.next else { return Ok(false) };
        let started = Instant::now();
        let valued = self.value(at, observer)?;
        self.elapsed += started.elapsed();
        let Some(valued) = valued else { return Ok(false) };
        self.valued[at] = Some(valued);
        self.reasons[at] = self.reasons_at(at);
        self.next = (at > self.first).then(|| at - 1);
        if self.next.is_some() {
            self.session.undo();
        }
        Ok(self.next.is_some())
    }

    /// Proves or searches the position that the session is at; `None` if the observer stopped it.
    fn value(&mut self, at: usize, observer: &mut dyn AnalysisObserver) -> Result<Option<Valued>, ReviewError> {
        let side = self.stops[at].side;
        let (lower, upper) = self.session.margin_range().seen_by(side);
        if let Some(margin) = self.session.result() {
            return Ok(Some(Valued::result_of(margin.seen_by(side))));
        }
        let mut valued = Valued::unknown(Proof { lower, upper });
        // The side may make the move that it made in the game.
        let after = (at < self.last).then(|| self.seen_before(at)).flatten();
        if let Some(after) = &after {
            valued.narrow(Proof { lower: after.bounds.lower, upper });
        }
        let tries = self.misses < MISSES;
        if tries {
            let limits = proof_limits(&self.plan.limits, PROOF_SHARE);
            let solved = self.session.prove(Goal::Value, self.plan.means, &limits, observer);
            valued.narrow(solved.proof());
            if let Some(margin) = solved.margin {
                self.misses = 0;
                let played = after.filter(|after| after.bounds == Proof { lower: margin, upper: margin });
                self.choose_proven(&mut valued, at, played, &solved);
                return Ok(Some(valued));
            }
            if observer.stopped() {
                return Ok(None);
            }
            self.misses += 1;
            valued.best = proven_winner(&solved);
        }
        let limits = if tries { scaled(&self.plan.limits, 1.0 - PROOF_SHARE) } else { self.plan.limits };
        let analysis = self.session.choose(self.seat, &limits, observer).map_err(ReviewError::Fault)?;
        if observer.stopped() {
            return Ok(None);
        }
        valued.add(&analysis, self.moves.get(at));
        valued.key = valued.best.clone().and_then(|best| self.key_after(&best));
        Ok(Some(valued))
    }

    /// The position after move `at` as the side that made it sees it.
    fn seen_before(&self, at: usize) -> Option<Valued> {
        let next = self.valued[at + 1].as_ref()?;
        Some(if self.stops[at].side == self.stops[at + 1].side { next.clone() } else { next.of_other_side() })
    }

    /// Sets the best move of a solved position and its line: the move that was made, `played`, if it is a best one.
    fn choose_proven(&mut self, valued: &mut Valued, at: usize, played: Option<Valued>, solved: &Solved) {
        if let Some(played) = played {
            valued.choose(&self.moves[at], &played.pv, played.is_proven_line);
        } else if let Some(best) = solved.best.first() {
            let line = self.proven_line(best, solved.nodes / LINE_PART + LINE_NODES);
            valued.choose(best, &line, true);
        }
    }

    /// Why the move made in the position that the session is at loses something; none for a move that loses nothing, and if no better
    /// move is known.
    fn reasons_at(&self, at: usize) -> Vec<Reason> {
        let (Some(before), Some(after)) = (&self.valued[at], (at < self.last).then(|| self.seen_before(at)).flatten())
        else {
            return Vec::new();
        };
        let (mv, side) = (&self.moves[at], self.stops[at].side);
        let verdict = Verdict::of(before, &after, ReviewUnit::Percent, self.is_best(at, before));
        let loses_points =
            before.points().zip(after.points()).is_some_and(|(before, after)| before - after >= judge::LEAST_LOSS);
        if before.pv.first().is_none_or(|best| best == mv) || (verdict.loss == 0.0 && !loses_points) {
            return Vec::new();
        }
        let bounds = |valued: &Valued| Bounds::won_by(side, valued.bounds.lower, valued.bounds.upper);
        let mistake = Mistake {
            mv: mv.clone(),
            better: Line { moves: before.pv.clone(), is_proven: before.is_proven_line },
            answer: Line { moves: after.pv.clone(), is_proven: after.is_proven_line },
            before: bounds(before),
            after: bounds(&after),
        };
        let mut reasons = self.session.reasons(&mistake);
        let line = shown(&before.pv);
        reasons.push(Reason { line, ..Reason::new(BETTER_LINE, !side) });
        reasons
    }

    /// Whether the player would have made the move made there, or one that leads to the same position.
    fn is_best(&self, at: usize, before: &Valued) -> bool {
        before.best.as_ref() == Some(&self.moves[at]) || before.key == Some(self.stops[at + 1].key)
    }

    /// The best moves after `first`, up to the first that cannot be proven within `most_nodes` positions in total.
    fn proven_line(&mut self, first: &str, most_nodes: u64) -> Vec<String> {
        let (mut line, mut nodes, started) = (Vec::new(), 0, Instant::now());
        let n_moves = self.session.history().len();
        self.session.play(first).expect("a move that the solver found");
        while line.len() + 1 < LINE_MOVES && self.session.result().is_none() && nodes < most_nodes {
            let time = self.plan.limits.time.map(|time| time.saturating_sub(started.elapsed()));
            let limits = Limits { nodes: Some(most_nodes - nodes), time, ..Limits::default() };
            let means = Means { table_mib: LINE_TABLE_MIB.min(self.plan.means.table_mib), threads: 1 };
            let solved = self.session.prove(Goal::Value, means, &limits, &mut banyan_core::Silent);
            nodes += solved.nodes.max(1);
            let Some(best) = solved.best.first() else { break };
            self.session.play(best).expect("a move that the solver found");
            line.push(best.clone());
        }
        while self.session.history().len() > n_moves {
            self.session.undo();
        }
        line
    }

    fn key_after(&mut self, mv: &str) -> Option<u64> {
        self.session.play(mv).ok()?;
        let key = self.session.position_key();
        self.session.undo();
        Some(key)
    }

    /// The board of every position of the game, the first one too; `None` for a game that cannot be drawn.
    pub fn pictures(&self) -> Option<Vec<Picture>> {
        self.stops.iter().map(|stop| stop.picture.clone()).collect()
    }

    /// The moves of which the positions before and after are valued.
    pub fn review(&self, players: Option<[String; 2]>) -> Review {
        let unit = self.unit();
        let moves: Vec<_> = (self.first..self.last).filter_map(|at| self.judged(at, unit)).collect();
        let complete = moves.len() == self.last - self.first;
        Review {
            v: VERSION,
            game: self.session.spec(),
            position: self.stops[0].position.clone(),
            players,
            sides: Side::BOTH.map(|side| self.session.side_name(side).to_owned()),
            reviewer: self.plan.player.to_string(),
            budget: self.plan.budget.clone(),
            unit,
            plies: self.moves.len(),
            opening_plies: self.plan.opening_plies,
            result: self.result,
            opening: self.opening.clone(),
            complete,
            summary: Side::BOTH.map(|side| judge::summary(side, &moves)),
            moves,
            elapsed_ms: self.elapsed.as_micros() as f64 / 1000.0,
        }
    }

    /// Points if the game counts them and every position has a margin.
    fn unit(&self) -> ReviewUnit {
        let has_margins = self.valued.iter().flatten().all(|valued| valued.points().is_some());
        if has_margins && !self.session.tables().unit.to_spare { ReviewUnit::Points } else { ReviewUnit::Percent }
    }

    fn judged(&self, at: usize, unit: ReviewUnit) -> Option<ReviewedMove> {
        let (before, after) = (self.valued[at].as_ref()?, self.seen_before(at)?);
        let stop = &self.stops[at];
        let verdict = Verdict::of(before, &after, unit, self.is_best(at, before));
        let range = self.session.margin_range().seen_by(stop.side);
        // In percent, a move that loses nothing may still lose proven points: a slower win has its reasons too.
        let loses_points = before.points().zip(after.points()).is_some_and(|(before, after)| before > after);
        let has_reasons = verdict.loss > 0.0 || verdict.loss_percent > 0.0 || (verdict.exact && loses_points);
        let reasons = self.reasons[at].iter().filter(|_| has_reasons).cloned().map(ReasonView::from);
        // Among several best moves, the one that was made is named.
        let (best, pv) = if !has_reasons && verdict.exact {
            (self.moves[at].clone(), shown(&[std::slice::from_ref(&self.moves[at]), &after.pv].concat()))
        } else {
            (before.best.clone().unwrap_or_default(), shown(&before.pv))
        };
        // In percent, a move that loses nothing may still lose points: a slower win has its reasons too.
        Some(ReviewedMove {
            ply: at + 1,
            position: stop.position.clone(),
            to_move: side_word(stop.side).to_owned(),
            mv: self.moves[at].clone(),
            choices: stop.choices,
            before: before.view(range),
            after: after.view(range),
            loss: verdict.loss,
            exact: verdict.exact,
            loss_percent: verdict.loss_percent,
            mark: verdict.mark,
            best,
            pv,
            reasons: reasons.collect(),
        })
    }
}

/// The first moves of a line.
fn shown(line: &[String]) -> Vec<String> {
    line[..line.len().min(SHOWN_MOVES)].to_vec()
}

/// The positions before the first and after the last move to review.
fn chosen(plan: &ReviewPlan, n_moves: usize) -> Result<(usize, usize), TextError> {
    let opening = plan.opening_plies;
    if n_moves <= opening {
        let expected = match opening {
            0 => "expected a game with moves".to_owned(),
            _ => format!("expected a game with moves after its opening of {opening}"),
        };
        return Err(TextError::new("record", expected, "use another game"));
    }
    let Some(plies) = &plan.plies else { return Ok((opening, n_moves)) };
    let (first, last) = ((*plies.start()).max(opening + 1), *plies.end());
    if *plies.start() < 1 || first > last.min(n_moves) {
        let expected = match opening {
            0 => format!("expected moves from 1 to {n_moves}, which the game has"),
            _ => {
                format!("expected moves from {} to {n_moves}, since no player chose those of the opening", opening + 1)
            }
        };
        let found = format!("moves {}..{last}", plies.start());
        return Err(TextError::new(found, expected, format!("try {}..{n_moves}", opening + 1)));
    }
    Ok((first - 1, last.min(n_moves)))
}

/// Whether an analysis has a value.
fn has_value(analysis: &Analysis) -> bool {
    let is_valued =
        |value: f64, margin: Option<f64>, proof: Option<Proof>| value != 0.0 || margin.is_some() || proof.is_some();
    is_valued(analysis.value, analysis.margin, analysis.proof)
        || analysis.moves.iter().any(|mv| is_valued(mv.value.unwrap_or(0.0), mv.margin, mv.proof))
}

/// A move that is proven to win; `None` if there is none, or the solver has found a best move anyway.
fn proven_winner(solved: &Solved) -> Option<String> {
    solved.moves.iter().find(|mv| mv.lower > 0).map(|mv| mv.mv.clone())
}

/// A part of the limits on time, playouts and nodes.
fn scaled(limits: &Limits, part: f64) -> Limits {
    let share = |n: u64| ((n as f64 * part) as u64).max(1);
    Limits {
        time: limits.time.map(|time| time.mul_f64(part)),
        playouts: limits.playouts.map(share),
        nodes: limits.nodes.map(share),
        ..*limits
    }
}
