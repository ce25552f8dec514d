//! Plays pairs of a game of known type, and returns them as records.

use std::sync::Arc;
use std::time::Duration;

use banyan_arena::{Allowance, Ending, PairPlan, PlayedGame, PlayedMove, Setup, StopSignal, Terms, play_game};
use banyan_core::{Fault, Flow, Margin, Notation, Player, Side, TextError, Timer};

use super::error::MatchError;
use super::live_games::{LiveGame, LiveGames, Shown};
use super::opening_spec::{OpeningLines, OpeningSpec};
use super::quiet::Quiet;
use super::record::{EndingKind, GameLine, Winner};
use super::supply::Supply;
use crate::engine::{Engine, build};
use crate::players::PlayerSpec;
use crate::strength::round;
use crate::view::VERSION;

/// A game with its openings, ready for matches; hides the type of the game.
pub trait Host: Send + Sync {
    /// Plays the games of a pair with new players, and passes each finished game to `ended`. No further game starts after
    /// `ended` returns `Stop` or `stop_signal` is set; aborted games are not passed on.
    ///
    /// # Errors
    /// The judge of openings failed, or a player cannot play this game.
    fn play_pair(&self, order: &PairOrder<'_>, ended: &mut dyn FnMut(GameLine) -> Flow) -> Result<(), MatchError>;

    /// An opening as text, and its number of moves.
    ///
    /// # Errors
    /// The judge of openings failed.
    fn opening(&self, number: u64) -> Result<(String, u16), Fault>;
}

/// The pair that a [`Host`] plays.
pub struct PairOrder<'a> {
    /// The plan of the schedule.
    pub plan: PairPlan,
    /// Number of the opening.
    pub opening: u64,
    /// The players of the plan's pairing, in its order.
    pub players: [Seated<'a>; 2],
    /// The clock that measures thinking time.
    pub timer: Timer,
    /// Time by which a player may exceed its budget without losing.
    pub leeway: Duration,
    /// Which of the two games to play.
    pub missing: [bool; 2],
    /// Stops the match.
    pub stop_signal: &'a StopSignal,
    /// Receives the moves while they are made.
    pub live: Option<&'a dyn LiveGames>,
}

/// One player of a pair.
#[derive(Clone, Copy, Debug)]
pub struct Seated<'a> {
    /// Its name in the match.
    pub name: &'a str,
    /// The player.
    pub player: &'a PlayerSpec,
    /// Its budget.
    pub allowance: Allowance,
}

/// The one implementation of [`Host`].
pub(crate) struct Hosting<G: Notation> {
    game: Arc<G>,
    engine: Arc<dyn Engine<G>>,
    supply: Supply<G>,
}

impl<G: Notation> Hosting<G> {
    /// Openings are drawn from `seed`; `engine` makes the players.
    pub(crate) fn new(
        game: Arc<G>,
        engine: Arc<dyn Engine<G>>,
        spec: &OpeningSpec,
        lines: Option<&OpeningLines>,
        seed: u64,
    ) -> Result<Hosting<G>, TextError> {
        let supply = Supply::new(&game, &engine, spec, lines, seed)?;
        Ok(Hosting { game, engine, supply })
    }

    /// New players for the pairing.
    fn seat(&self, order: &PairOrder<'_>) -> Result<[Quiet<G>; 2], TextError> {
        let [a, b] = order.players.map(|seated| build(&self.engine, &self.game, seated.player, 0).map(Quiet));
        Ok([a?, b?])
    }

    /// The game after its opening.
    fn live_game(&self, order: &PairOrder<'_>, game_idx: usize, opening: &[G::Move]) -> LiveGame {
        let [a, b] = order.players.map(|seated| seated.name.to_owned());
        LiveGame {
            pair: order.plan.index,
            game: game_idx as u8,
            spec: self.game.spec(),
            players: if game_idx == 0 { [a, b] } else { [b, a] },
            moves: self.text(opening.iter().copied()).split_whitespace().map(str::to_owned).collect(),
        }
    }

    fn line(
        &self,
        order: &PairOrder<'_>,
        game_idx: usize,
        opening: &[G::Move],
        played: &PlayedGame<G::Move>,
    ) -> GameLine {
        let verdict = Verdict::of(&played.ending);
        let seats = order.plan.players(game_idx);
        let [a, b] = order.players.map(|seated| seated.name.to_owned());
        let sides = played.moves.iter().map(|played| played.side);
        let micros = |time: Duration| time.as_micros() as u64;
        let per_move = &played.moves;
        GameLine {
            v: VERSION,
            event: GameLine::EVENT.to_owned(),
            pair: order.plan.index,
            game: game_idx as u8,
            spec: self.game.spec(),
            opening: order.plan.round,
            opening_plies: opening.len() as u16,
            players: if game_idx == 0 { [a, b] } else { [b, a] },
            seats,
            tuned: Vec::new(),
            seeds: order.plan.game_seeds[game_idx],
            moves: self.text(opening.iter().copied().chain(per_move.iter().map(|played| played.mv))),
            movers: GameLine::movers_text(opening.len() as u16, sides),
            margin: verdict.margin,
            winner: verdict.winner,
            ending: verdict.kind,
            fault_by: verdict.fault_by.map(Into::into),
            fault: verdict.fault,
            time_us: per_move.iter().map(|played| micros(played.time)).collect(),
            overrun_us: per_move.iter().map(|played| micros(played.overrun)).collect(),
            playouts: per_move.iter().map(|played| played.playouts).collect(),
            nodes: per_move.iter().map(|played| played.nodes).collect(),
            value: per_move.iter().map(|played| to_four_digits(played.value)).collect(),
            reused: per_move.iter().map(|played| to_four_digits(played.reused)).collect(),
            memory_bytes: Some(Side::BOTH.map(|side| peak_memory(per_move, side))),
            at_ms: 0,
        }
        .lean()
    }

    /// The moves from the start as text.
    fn text(&self, moves: impl Iterator<Item = G::Move>) -> String {
        let mut state = self.game.start();
        let mut text = String::new();
        for mv in moves {
            if !text.is_empty() {
                text.push(' ');
            }
            text += &self.game.print_move(&state, mv);
            self.game.play(&mut state, mv);
        }
        text
    }
}

impl<G: Notation> Host for Hosting<G> {
    fn play_pair(&self, order: &PairOrder<'_>, ended: &mut dyn FnMut(GameLine) -> Flow) -> Result<(), MatchError> {
        let opening = self.supply.opening(&self.game, order.opening).map_err(MatchError::Judge)?;
        let mut players = self.seat(order)?;
        for game_idx in (0..2).filter(|&game_idx| order.missing[game_idx]) {
            if order.stop_signal.is_finishing() {
                break;
            }
            let [a, b] = order.players.map(|seated| seated.allowance);
            let allowances = if game_idx == 0 { [a, b] } else { [b, a] };
            let setup = Setup {
                game: &*self.game,
                start: &self.game.start(),
                opening: &opening,
                terms: Terms { allowances, timer: order.timer, leeway: order.leeway },
                seeds: order.plan.game_seeds[game_idx],
            };
            let [a, b] = &mut players;
            let seated: [&mut dyn Player<G>; 2] = if game_idx == 0 { [a, b] } else { [b, a] };
            let stopped = || order.stop_signal.is_aborting();
            let played = match order.live {
                None => play_game(&setup, seated, &stopped),
                Some(to) => {
                    let game = self.live_game(order, game_idx, &opening);
                    let id = (game.pair, game.game);
                    to.begins(game);
                    let [mut a, mut b] = seated.map(|player| Shown { player, id, to });
                    play_game(&setup, [&mut a, &mut b], &stopped)
                }
            };
            // An engine that is gone when games are aborted may have been killed by whoever aborts them.
            let is_lost = matches!(played.ending, Ending::Fault { .. }) && order.stop_signal.is_aborting();
            if played.ending == Ending::Interrupted || is_lost {
                break;
            }
            if matches!(played.ending, Ending::Fault { fault: Fault::Panicked(_), .. }) {
                players = self.seat(order)?;
            }
            if ended(self.line(order, game_idx, &opening, &played)) == Flow::Stop {
                break;
            }
        }
        Ok(())
    }

    fn opening(&self, number: u64) -> Result<(String, u16), Fault> {
        let moves = self.supply.opening(&self.game, number)?;
        Ok((self.text(moves.iter().copied()), moves.len() as u16))
    }
}

/// How a game ended, as in a record.
struct Verdict {
    margin: Option<i16>,
    winner: Winner,
    kind: EndingKind,
    fault_by: Option<Side>,
    fault: Option<String>,
}

impl Verdict {
    fn of(ending: &Ending) -> Verdict {
        match ending {
            Ending::Finished(margin) => {
                let winner = margin.winner().map_or(Winner::Draw, won_by);
                Verdict { margin: Some(margin.0), winner, kind: EndingKind::Finished, fault_by: None, fault: None }
            }
            Ending::Fault { side, fault } => Verdict {
                margin: None,
                winner: won_by(!*side),
                kind: kind_of(fault),
                fault_by: Some(*side),
                fault: Some(fault.to_string()),
            },
            // Such a game has no record.
            Ending::Interrupted => Verdict::of(&Ending::Finished(Margin::DRAW)),
        }
    }
}

fn won_by(side: Side) -> Winner {
    match side {
        Side::First => Winner::First,
        Side::Second => Winner::Second,
    }
}

fn kind_of(fault: &Fault) -> EndingKind {
    match fault {
        Fault::Crashed(_) => EndingKind::Crashed,
        Fault::Late(_) => EndingKind::Late,
        Fault::Illegal(_) => EndingKind::Illegal,
        Fault::Nonsense(_) => EndingKind::Nonsense,
        Fault::Resigned => EndingKind::Resigned,
        Fault::Panicked(_) => EndingKind::Panicked,
    }
}

/// The most bytes that the search of the side's player held after one of these moves.
fn peak_memory<M>(moves: &[PlayedMove<M>], side: Side) -> u64 {
    moves.iter().filter(|played| played.side == side).map(|played| played.memory_bytes).max().unwrap_or(0)
}

/// Values reported by a player can be anything; JSON has no NaN.
fn to_four_digits(x: f64) -> f64 {
    round(x, 4).unwrap_or(0.0)
}
