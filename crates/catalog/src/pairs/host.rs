//! Plays pairs of games, and returns them as records.

use std::sync::Arc;
use std::time::Duration;

use banyan_arena::{
    Allowance, Ending, Heartbeat, PairPlan, PlayedGame, PlayedMove, Setup, StopSignal, THREAD_CPU, Terms, play_game,
};
use banyan_core::{ErasedGame, Fault, Flow, Game, Margin, Player, Side, TextError, Timer};

use super::engine_logs::{EngineLogs, PairLog};
use super::error::MatchError;
use super::live_games::{LiveGame, LiveGames, Shown};
use super::opening_spec::{OpeningLines, OpeningSpec};
use super::quiet::Quiet;
use super::record::{EndingKind, GameLine, Winner};
use super::supply::Supply;
use crate::players::PlayerSpec;
use crate::searches::{Searches, build};
use crate::strength::round;
use crate::view::VERSION;

/// Times that a game is started again because the program stood still, before the match ends. Guess, untuned.
const MOST_REPLAYS: u32 = 3;

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
    /// The games of the pair to play: `[game]`.
    pub missing: [bool; 2],
    /// Stops the match.
    pub stop_signal: &'a StopSignal,
    /// Receives the moves while they are made.
    pub live: Option<&'a dyn LiveGames>,
    /// Detects when the program stands still: such a game is started again.
    pub heartbeat: Option<&'a Heartbeat>,
    /// Receives the messages to and from engines.
    pub logs: Option<&'a EngineLogs>,
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

impl Seated<'_> {
    /// Its threads if it runs in this program.
    fn own_threads(&self) -> Option<u32> {
        self.player.engines().is_empty().then(|| self.player.threads())
    }
}

/// The players of a pair, in its order, and the log of the engines among them if one is kept.
struct Opponents {
    players: [Quiet; 2],
    log: Option<Arc<PairLog>>,
}

/// A game with its openings, ready for matches.
pub struct Host {
    searches: Arc<dyn Searches>,
    supply: Supply,
}

impl Host {
    /// Openings are drawn from `seed`.
    pub(crate) fn new(
        searches: Arc<dyn Searches>,
        spec: &OpeningSpec,
        lines: Option<&OpeningLines>,
        seed: u64,
    ) -> Result<Host, TextError> {
        let supply = Supply::new(&searches, spec, lines, seed)?;
        Ok(Host { searches, supply })
    }

    fn game(&self) -> &ErasedGame {
        self.searches.game()
    }

    /// New players for the pairing.
    fn seat(&self, order: &PairOrder<'_>) -> Result<Opponents, TextError> {
        let log = order.logs.map(|_| Arc::<PairLog>::default());
        let [a, b] = order.players.map(|seated| {
            let logging = log.as_ref().map(|log| seated.player.clone().logging(&log.of_player(seated.name)));
            build(&self.searches, logging.as_ref().unwrap_or(seated.player), 0).map(Quiet)
        });
        Ok(Opponents { players: [a?, b?], log })
    }

    /// Plays a game of the pair, and again if the program stood still meanwhile; also returns the number of repetitions. Gives up
    /// after `MOST_REPLAYS` of them.
    fn play_until_scored(
        &self,
        order: &PairOrder<'_>,
        game_idx: usize,
        opening: &[u16],
        opponents: &mut Opponents,
    ) -> (PlayedGame<u16>, u32) {
        let mut replays = 0;
        loop {
            opponents.log.iter().for_each(|log| log.begin());
            let played = self.play(order, game_idx, opening, &mut opponents.players);
            if played.ending != Ending::Standstill || replays == MOST_REPLAYS {
                return (played, replays);
            }
            replays += 1;
        }
    }

    fn play(
        &self,
        order: &PairOrder<'_>,
        game_idx: usize,
        opening: &[u16],
        players: &mut [Quiet; 2],
    ) -> PlayedGame<u16> {
        let [a, b] = order.players;
        let sides = if game_idx == 0 { [a, b] } else { [b, a] };
        let terms = Terms {
            allowances: sides.map(|seated| seated.allowance),
            timer: order.timer,
            leeway: order.leeway,
            own_threads: sides.map(|seated| seated.own_threads()),
            cpu: THREAD_CPU,
            reports_time: sides.map(|seated| seated.player.is_external_engine()),
        };
        let (game, start, seeds) = (self.game(), &self.game().start(), order.plan.game_seeds[game_idx]);
        let setup = Setup { game, start, opening, terms, seeds, heartbeat: order.heartbeat };
        let [a, b] = players;
        let seated: [&mut dyn Player<ErasedGame>; 2] = if game_idx == 0 { [a, b] } else { [b, a] };
        let stopped = || order.stop_signal.is_aborting();
        match order.live {
            None => play_game(&setup, seated, &stopped),
            Some(to) => {
                let game = self.live_game(order, game_idx, opening);
                let id = (game.pair, game.game);
                to.begins(game);
                let [mut a, mut b] = seated.map(|player| Shown { player, id, to });
                play_game(&setup, [&mut a, &mut b], &stopped)
            }
        }
    }

    /// The game after its opening.
    fn live_game(&self, order: &PairOrder<'_>, game_idx: usize, opening: &[u16]) -> LiveGame {
        let [a, b] = order.players.map(|seated| seated.name.to_owned());
        LiveGame {
            pair: order.plan.index,
            game: game_idx as u8,
            spec: self.game().spec(),
            players: if game_idx == 0 { [a, b] } else { [b, a] },
            moves: self.text(opening),
        }
    }

    fn line(
        &self,
        order: &PairOrder<'_>,
        (game_idx, replays): (usize, u32),
        opening: &[u16],
        played: &PlayedGame<u16>,
    ) -> GameLine {
        let verdict = Verdict::of(&played.ending);
        let seats = order.plan.players(game_idx);
        let [a, b] = order.players.map(|seated| seated.name.to_owned());
        let sides = played.moves.iter().map(|played| played.side);
        let micros = |time: Duration| time.as_micros() as u64;
        let per_move = &played.moves;
        let all_moves: Vec<u16> = opening.iter().copied().chain(per_move.iter().map(|played| played.mv)).collect();
        GameLine {
            v: VERSION,
            event: GameLine::EVENT.to_owned(),
            pair: order.plan.index,
            game: game_idx as u8,
            spec: self.game().spec(),
            opening: order.plan.round,
            opening_plies: opening.len() as u16,
            players: if game_idx == 0 { [a, b] } else { [b, a] },
            seats,
            tuned: Vec::new(),
            seeds: order.plan.game_seeds[game_idx],
            moves: self.text(&all_moves).join(" "),
            movers: GameLine::movers_text(opening.len() as u16, sides),
            margin: verdict.margin,
            winner: verdict.winner,
            ending: verdict.kind,
            fault_by: verdict.fault_by.map(Into::into),
            fault: verdict.fault,
            replays,
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
    fn text(&self, moves: &[u16]) -> Vec<String> {
        self.game().print_moves(&self.game().start(), moves)
    }

    /// Plays the games of a pair with new players, and passes each finished game to `ended`. No further game starts after
    /// `ended` returns `Stop` or `stop_signal` is set; aborted games are not passed on.
    ///
    /// # Errors
    /// The judge of openings failed, a player cannot play this game, or the system refused what it needs to run.
    pub fn play_pair(&self, order: &PairOrder<'_>, ended: &mut dyn FnMut(GameLine) -> Flow) -> Result<(), MatchError> {
        let opening = self.supply.opening(self.game(), order.opening).map_err(of_judge)?;
        let mut opponents = self.seat(order)?;
        for game_idx in (0..2).filter(|&game_idx| order.missing[game_idx]) {
            if order.stop_signal.is_finishing() {
                break;
            }
            let (played, replays) = self.play_until_scored(order, game_idx, &opening, &mut opponents);
            // An engine that is gone when games are aborted may have been killed by the user who aborts them.
            let is_lost = matches!(played.ending, Ending::Fault { .. }) && order.stop_signal.is_aborting();
            match &played.ending {
                Ending::Interrupted => break,
                _ if is_lost => break,
                Ending::NoResources(how) => return Err(MatchError::NoResources(how.clone())),
                Ending::Standstill => return Err(MatchError::Standstill(order.plan.index, game_idx)),
                _ => {}
            }
            let line = self.line(order, (game_idx, replays), &opening, &played);
            if let (Some(logs), Some(log)) = (order.logs, &opponents.log) {
                logs.write(&line, log);
            }
            if matches!(played.ending, Ending::Fault { fault: Fault::Panicked(_), .. }) {
                opponents = self.seat(order)?;
            }
            if ended(line) == Flow::Stop {
                break;
            }
        }
        Ok(())
    }

    /// An opening as text, and its number of moves.
    ///
    /// # Errors
    /// The judge of openings failed.
    pub fn opening(&self, number: u64) -> Result<(String, u16), Fault> {
        let moves = self.supply.opening(self.game(), number)?;
        Ok((self.text(&moves).join(" "), moves.len() as u16))
    }
}

/// The error of a match whose judge of openings failed.
fn of_judge(fault: Fault) -> MatchError {
    match fault {
        Fault::NoResources(how) => MatchError::NoResources(how),
        fault => MatchError::Judge(fault),
    }
}

/// The end of a game, as in a record.
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
            Ending::Interrupted | Ending::Standstill | Ending::NoResources(_) => {
                Verdict::of(&Ending::Finished(Margin::DRAW))
            }
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
        Fault::NoResources(_) => unreachable!("no game is lost by it"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_time_of_own_players_is_known() {
        let threads = |player: &str| {
            let player = &player.parse().expect("a player");
            Seated { name: "it", player, allowance: Allowance::default() }.own_threads()
        };
        assert_eq!([threads("random"), threads("uct"), threads("mcgs:threads=3")], [Some(1), Some(1), Some(3)]);
    }
}
