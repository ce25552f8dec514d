//! Plays a match into its folder, from its current state to the end.

use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use banyan_arena::stats::Sprt;
use banyan_arena::{Allowance, GameClock, Heartbeat, InOrder, PairPlan, Schedule, StopSignal, THREAD_CPU, drive};
use banyan_catalog::pairs::{
    EngineLogs, GameLine, Host, LiveGames, MatchError, OpeningLines, OpeningSpec, PairOrder, Seated, quiet,
};
use banyan_catalog::{
    AnyGame, BoardRange, Budget, Catalog, KeptEngines, Opening, PlayerSpec, Players, descriptors, playable,
};
use banyan_core::{Clock, Fault, Flow, Limits, TextError, Timer, mix};

use crate::config::{ClockKind, Entrant, MatchConfig};
use crate::folder::MatchFolder;
use crate::standing::{PairDone, Standing};
use crate::verify::Verifier;

/// A match ready to be played: its configuration is parsed and checked.
pub struct Match {
    schedule: Schedule,
    test: Option<Sprt>,
    /// The total number of pairs of a rating.
    budget: Option<u64>,
    players: Vec<(String, PlayerSpec, Allowance)>,
    boards: Boards,
    engines: KeptEngines,
    timer: Timer,
    leeway: Duration,
    verifier: Mutex<Verifier>,
    live: Option<Arc<dyn LiveGames>>,
    logs: Option<EngineLogs>,
    /// Set when the first game begins; `None` if the system refused its thread.
    heartbeat: OnceLock<Option<Heartbeat>>,
    /// Players that replace those of the list in single pairs, in the order of the pairing.
    variants: Mutex<HashMap<u64, [Option<Variant>; 2]>>,
}

/// A player with other settings than the one in the list.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The player.
    pub player: PlayerSpec,
    /// Its settings, for the record.
    pub settings: String,
}

enum Boards {
    /// One board for all games.
    One(Host),
    /// Each round draws a board.
    Drawn { catalog: Catalog, range: BoardRange, openings: OpeningSpec },
}

/// Observes a running match.
pub trait MatchWatch: Send {
    /// A game is finished and recorded.
    fn game(&mut self, line: &GameLine);
    /// A pair is finished.
    fn pair(&mut self, standing: &Standing);
}

/// Chooses the pairs of a match batch by batch: see [`Match::play_batches`].
pub type Batches<'a> = dyn FnMut(&[[Arc<GameLine>; 2]]) -> Vec<u64> + 'a;

/// The outcome of playing a match.
pub struct Played {
    /// The games that count, by pair and game: all games except those after the decision of a test.
    pub lines: Vec<GameLine>,
    /// Games after the decision of a test, which were running at that time.
    pub uncounted: usize,
    /// The results.
    pub standing: Standing,
    /// Whether games remain to be played.
    pub unfinished: bool,
}

impl Match {
    /// Checks a configuration; `lines` are those of its file of openings, if any. External engines are started to check
    /// them.
    ///
    /// # Errors
    /// An invalid configuration, or an engine that cannot be started or does not play the game. For a range of boards the
    /// first board is checked.
    pub fn new(
        catalog: &Catalog,
        known: &Players,
        config: &MatchConfig,
        lines: Option<&OpeningLines>,
    ) -> Result<Match, TextError> {
        config.check()?;
        let (schedule, test) = (config.schedule()?, config.test()?);
        let mut engines = KeptEngines::default();
        let player = |entrant: &Entrant| {
            let (player, budget) = entrant.parse(known)?;
            let allowance = allowance(&budget);
            check_clock(config.clock, &player, &allowance)?;
            let player = player.keeping(&mut engines);
            Ok((entrant.name.clone(), player, allowance))
        };
        let players = config.players.iter().map(player).collect::<Result<Vec<_>, TextError>>()?;
        let openings: OpeningSpec = config.openings.parse()?;
        let boards = match BoardRange::parse(&config.game)? {
            Some(range) => {
                if lines.is_some() {
                    let expected = "expected a single board for openings from a file, not a range";
                    let remedy = "use one board, or openings such as balanced";
                    return Err(TextError::new(format!("{} with {openings}", config.game), expected, remedy));
                }
                // Reports errors of the range and of the first board now.
                let first = schedule.plan(0).round_seed;
                let game = range.draw(catalog, first)?;
                players.iter().try_for_each(|(_, player, _)| game.check_player(player))?;
                check_engines(&players, &game, || game.host(&openings, None, mix(first)), 1)?;
                Boards::Drawn { catalog: catalog.clone(), range, openings }
            }
            None => {
                let game = playable(catalog.game(&config.game)?)?;
                players.iter().try_for_each(|(_, player, _)| game.check_player(player))?;
                let host = game.host(&openings, lines, schedule.openings_seed())?;
                check_engines(&players, &game, || Ok(&host), lines.map_or(1, |lines| lines.lines.len()))?;
                Boards::One(host)
            }
        };
        let timer = match config.clock {
            ClockKind::Wall => Timer::WALL,
            ClockKind::Cpu => THREAD_CPU,
        };
        let leeway = Duration::from_millis(config.margin_ms);
        let verifier = Mutex::new(Verifier::new(catalog, config)?);
        let budget = config.rating.as_ref().map(|rating| rating.pairs);
        let (live, logs, heartbeat, variants) = (None, None, OnceLock::new(), Mutex::default());
        Ok(Match {
            schedule,
            test,
            budget,
            players,
            boards,
            engines,
            timer,
            leeway,
            verifier,
            live,
            logs,
            heartbeat,
            variants,
        })
    }

    /// Uses this heartbeat to detect when the program stands still, instead of starting one.
    pub fn set_heartbeat(&mut self, heartbeat: Heartbeat) {
        self.heartbeat = OnceLock::from(Some(heartbeat));
    }

    /// Keeps logs of the messages to and from its engines.
    pub fn log_engines(&mut self, logs: EngineLogs) {
        self.logs = Some(logs);
    }

    /// Shows the moves of its games while they are played.
    pub fn show_games(&mut self, to: Arc<dyn LiveGames>) {
        self.live = Some(to);
    }

    /// The schedule of all its pairs.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Replaces the players of the pair of this index, in the order of its pairing.
    pub fn set_variants(&self, index: u64, variants: [Option<Variant>; 2]) {
        self.variants.lock().unwrap_or_else(PoisonError::into_inner).insert(index, variants);
    }

    /// Plays on `jobs` threads all games except `done`, those already in the folder. Each thread starts an external engine
    /// at most once, and again after a fault; the first continues with the process of the check.
    ///
    /// # Errors
    /// A game of another match; a file that cannot be written; an opening that cannot be generated; more jobs than the limit of open
    /// files allows engines, or any other limit of the system.
    pub fn play(
        &self,
        folder: &mut MatchFolder,
        done: Vec<GameLine>,
        jobs: usize,
        stop_signal: &StopSignal,
        observer: &mut dyn MatchWatch,
    ) -> Result<Played, MatchError> {
        self.check_jobs(jobs)?;
        let done = self.sorted(folder, done)?;
        let mut tracker = Tracker::new(self);
        let stopped = done.complete().any(|pair| tracker.arrive(pair) == Flow::Stop);
        let ledger = Mutex::new(Ledger { folder, observer, lines: Vec::new(), started: Instant::now() });
        let done_pairs = done.complete_indexes();
        let mut error = Ok(());
        if !stopped {
            let plans = self.schedule.plans(&done_pairs);
            error = self.play_plans(plans, (&done, jobs, stop_signal), &ledger, &mut tracker, &mut |_| {});
        }
        let lines = self.close(ledger, error)?;
        Ok(tracker.finish(done.lines.into_values().chain(lines)))
    }

    /// Plays on `jobs` threads the pairs that `batches` returns, except `done`, one batch after the other. `batches` receives the
    /// pairs of the last batch in the order of the schedule and returns the indexes of the next one, none to end. Its result must
    /// depend on nothing else, so that an interrupted match is resumed as if it had not been. The match must have no test.
    ///
    /// # Errors
    /// See [`play`](Match::play).
    pub fn play_batches(
        &self,
        folder: &mut MatchFolder,
        done: Vec<GameLine>,
        jobs: usize,
        stop_signal: &StopSignal,
        observer: &mut dyn MatchWatch,
        batches: &mut Batches<'_>,
    ) -> Result<Played, MatchError> {
        self.check_jobs(jobs)?;
        let done = self.sorted(folder, done)?;
        let mut tracker = Tracker::new(self);
        let ledger = Mutex::new(Ledger { folder, observer, lines: Vec::new(), started: Instant::now() });
        let (mut finished, mut error, mut ended): (Vec<PairDone>, _, _) = (Vec::new(), Ok(()), false);
        while error.is_ok() && !stop_signal.is_finishing() {
            finished.sort_by_key(|pair| pair.0[0].pair);
            let last: Vec<[Arc<GameLine>; 2]> = finished.drain(..).map(|PairDone(games)| games).collect();
            let batch = batches(&last);
            ended = batch.is_empty();
            if ended {
                break;
            }
            let (there, missing): (Vec<u64>, Vec<u64>) =
                batch.iter().partition(|&&index| done.half(index).iter().all(Option::is_some));
            for index in there {
                if let [Some(one), Some(other)] = done.half(index) {
                    let pair = PairDone([one, other].map(Arc::clone));
                    tracker.arrive(pair.clone());
                    finished.push(pair);
                }
            }
            let plans = missing.iter().map(|&index| self.schedule.plan(index));
            let keep = &mut |pair: &PairDone| finished.push(pair.clone());
            error = self.play_plans(plans, (&done, jobs, stop_signal), &ledger, &mut tracker, keep);
        }
        let lines = self.close(ledger, error)?;
        let played = tracker.finish(done.lines.into_values().chain(lines));
        Ok(Played { unfinished: !ended, ..played })
    }

    /// Checks that the processes of all pairs that begin together can be open at the same time.
    fn check_jobs(&self, jobs: usize) -> Result<(), TextError> {
        let engines = |seat: &usize| self.players[*seat].1.engines().len() as u64;
        let engines = |plan: PairPlan| plan.pairing.iter().map(engines).sum::<u64>();
        let first: Vec<u64> = self.schedule.plans(&HashSet::new()).take(jobs.max(1)).map(engines).collect();
        // Engines that were checked are open already.
        check_descriptors(&first, descriptors::left(), self.engines.n_idle())
    }

    /// Checks the games that are in the folder already.
    fn sorted(&self, folder: &MatchFolder, done: Vec<GameLine>) -> Result<Done, TextError> {
        quiet::install();
        let file = folder.games_path().display().to_string();
        Done::sort(&mut self.verifier.lock().unwrap_or_else(PoisonError::into_inner), &file, done)
    }

    /// Plays the missing games of some pairs, and passes each finished pair to `keep`.
    fn play_plans(
        &self,
        plans: impl Iterator<Item = PairPlan> + Send,
        (done, jobs, stop_signal): (&Done, usize, &StopSignal),
        ledger: &Mutex<Ledger<'_>>,
        tracker: &mut Tracker,
        keep: &mut dyn FnMut(&PairDone),
    ) -> Result<(), MatchError> {
        let mut error = None;
        let play = |plan: &PairPlan| self.play_pair(plan, done.half(plan.index), stop_signal, ledger);
        drive(plans, jobs, stop_signal, play, |pair| match pair {
            Ok(None) => Flow::Continue,
            Ok(Some(pair)) => {
                keep(&pair);
                let flow = tracker.arrive_new(pair);
                lock(ledger).observer.pair(&tracker.standing);
                flow
            }
            Err(err) => {
                if matches!(err, MatchError::NoResources(_)) {
                    // The other games need the same resources, and are not at fault.
                    stop_signal.abort();
                }
                error.get_or_insert(err);
                Flow::Stop
            }
        });
        error.map_or(Ok(()), Err)
    }

    /// Ends the engines and the writing; returns the games played.
    fn close(
        &self,
        ledger: Mutex<Ledger<'_>>,
        played: Result<(), MatchError>,
    ) -> Result<Vec<Arc<GameLine>>, MatchError> {
        self.engines.shut_down();
        let ledger = ledger.into_inner().unwrap_or_else(PoisonError::into_inner);
        let synced = ledger.folder.sync();
        // The first error is the cause of others.
        played.and(synced)?;
        Ok(ledger.lines)
    }

    /// Whether a player can be late: by its budget, or as an engine, which may take too long to answer.
    fn may_be_late(&self) -> bool {
        self.players.iter().any(|(_, player, allowance)| {
            allowance.per_move.time.is_some() || allowance.clock.is_some() || !player.engines().is_empty()
        })
    }

    /// Plays the missing games of a pair; `None` if it was aborted.
    fn play_pair(
        &self,
        plan: &PairPlan,
        half: [Option<&Arc<GameLine>>; 2],
        stop_signal: &StopSignal,
        ledger: &Mutex<Ledger<'_>>,
    ) -> Result<Option<PairDone>, MatchError> {
        let variants = self.variants.lock().unwrap_or_else(PoisonError::into_inner).remove(&plan.index);
        let variants = variants.unwrap_or_default();
        let players = [0, 1].map(|seat| {
            let (name, player, allowance) = &self.players[plan.pairing[seat]];
            let player = variants[seat].as_ref().map_or(player, |variant| &variant.player);
            Seated { name, player, allowance: *allowance }
        });
        let settings = |seat: usize| variants[seat].as_ref().map_or("", |variant| variant.settings.as_str()).to_owned();
        let drawn;
        let (host, opening) = match &self.boards {
            Boards::One(host) => (host, plan.round),
            Boards::Drawn { catalog, range, openings } => {
                drawn = range.draw(catalog, plan.round_seed)?.host(openings, None, mix(plan.round_seed))?;
                (&drawn, 0)
            }
        };
        let missing = half.map(|line| line.is_none());
        let (timer, leeway, live) = (self.timer, self.leeway, self.live.as_deref());
        let logs = self.logs.as_ref();
        let heartbeat = self.heartbeat.get_or_init(|| self.may_be_late().then(Heartbeat::start).flatten()).as_ref();
        let order =
            PairOrder { plan: *plan, opening, players, timer, leeway, missing, stop_signal, live, heartbeat, logs };
        let mut games = half.map(Option::<&Arc<GameLine>>::cloned);
        let mut error = None;
        let ended = &mut |mut line: GameLine| {
            let game = usize::from(line.game);
            if variants.iter().any(Option::is_some) {
                line.tuned = if game == 0 { vec![settings(0), settings(1)] } else { vec![settings(1), settings(0)] };
            }
            match lock(ledger).record(line) {
                Ok(line) => {
                    games[game] = Some(line);
                    Flow::Continue
                }
                Err(err) => {
                    error = Some(err);
                    Flow::Stop
                }
            }
        };
        host.play_pair(&order, ended)?;
        match (error, games) {
            (Some(err), _) => Err(err),
            (None, [Some(one), Some(other)]) => Ok(Some(PairDone([one, other]))),
            _ => Ok(None),
        }
    }
}

/// Checks that the clock can measure the time of `player` if it is limited.
fn check_clock(clock: ClockKind, player: &PlayerSpec, allowance: &Allowance) -> Result<(), TextError> {
    if clock == ClockKind::Wall {
        return Ok(());
    }
    let has_time = allowance.per_move.time.is_some() || allowance.clock.is_some();
    if let Some(engine) = player.engines().first().filter(|_| has_time) {
        let found = format!("clock=cpu with a budget of time for the engine {}", engine.name());
        let expected = "expected clock=wall: the CPU time of another process cannot be measured";
        let remedy = "remove --clock, or give the engine playouts, nodes or a depth with @";
        return Err(TextError::new(found, expected, remedy));
    }
    if player.threads() > 1 {
        let expected = "expected one thread: clock=cpu measures only the thread that calls the player";
        return Err(TextError::new(format!("player {player}"), expected, "use --clock wall or threads=1"));
    }
    Ok(())
}

/// Checks every external engine with each of its budgets, at the longest of the first `n_openings`, so that a protocol that
/// cannot express an opening is rejected before the first game.
fn check_engines<H: Borrow<Host>>(
    players: &[(String, PlayerSpec, Allowance)],
    game: &AnyGame,
    host: impl FnOnce() -> Result<H, TextError>,
    n_openings: usize,
) -> Result<(), TextError> {
    if players.iter().all(|(_, player, _)| player.engines().is_empty()) {
        return Ok(());
    }
    let host = host()?;
    let openings = (0..n_openings as u64).map(|number| host.borrow().opening(number));
    let failed = |fault: Fault| TextError::new("the first opening", fault.to_string(), "use openings such as random");
    let openings = openings.collect::<Result<Vec<_>, Fault>>().map_err(failed)?;
    let longest = openings.iter().max_by_key(|(_, plies)| plies).map_or("", |(moves, _)| moves);
    let at = game.open(Opening::Moves(longest))?;
    let mut checked = Vec::new();
    for (_, player, allowance) in players {
        let limits = first_limits(allowance);
        for engine in player.engines() {
            if !checked.contains(&(engine.name(), limits)) {
                drop(engine.check(&at, &limits)?);
                checked.push((engine.name(), limits));
            }
        }
    }
    Ok(())
}

/// Checks that games with these numbers of `engines` can be played at the same time: `left` is the limit of descriptors and the
/// number of free ones, `n_open` the number of engines that are open already.
fn check_descriptors(engines: &[u64], left: Option<(u64, u64)>, n_open: u64) -> Result<(), TextError> {
    let Some((limit, left)) = left else { return Ok(()) };
    let fitting = (left.saturating_sub(descriptors::RESERVE) / descriptors::PER_ENGINE) + n_open;
    let sums = engines.iter().scan(0, |sum, n| {
        *sum += n;
        Some(*sum)
    });
    let jobs = sums.take_while(|&sum| sum == 0 || sum <= fitting).count();
    if jobs == engines.len() {
        return Ok(());
    }
    let found = format!("{} games of engines at once with at most {limit} open files", engines.len());
    let (most, remedy) = match jobs {
        0 => ("a higher limit".to_owned(), "raise it with ulimit -n".to_owned()),
        1 => ("at most 1 game".to_owned(), "use --jobs 1, or raise the limit with ulimit -n".to_owned()),
        _ => (format!("at most {jobs} games"), format!("use --jobs {jobs}, or raise the limit with ulimit -n")),
    };
    Err(TextError::new(found, format!("expected {most}"), remedy))
}

/// The limits of the first move of a game.
fn first_limits(allowance: &Allowance) -> Limits {
    let clock = |clock: GameClock| Clock { own: clock.time, other: clock.time, increment: clock.increment };
    Limits { clock: allowance.clock.map(clock), ..allowance.per_move }
}

/// The budget of a player in the arena's form.
fn allowance(budget: &Budget) -> Allowance {
    let Budget { time, playouts, nodes, depth, .. } = *budget;
    let clock = budget.game.map(|time| GameClock { time, increment: budget.increment.unwrap_or_default() });
    Allowance { per_move: Limits { time, playouts, nodes, depth, ..Limits::default() }, clock }
}

/// Receives finished games.
struct Ledger<'a> {
    folder: &'a mut MatchFolder,
    observer: &'a mut dyn MatchWatch,
    lines: Vec<Arc<GameLine>>,
    started: Instant,
}

impl Ledger<'_> {
    /// Records a game and returns it.
    fn record(&mut self, mut line: GameLine) -> Result<Arc<GameLine>, MatchError> {
        line.at_ms = self.started.elapsed().as_millis() as u64;
        self.folder.append(&line)?;
        self.observer.game(&line);
        let line = Arc::new(line);
        self.lines.push(Arc::clone(&line));
        Ok(line)
    }
}

fn lock<'l, 'a>(ledger: &'l Mutex<Ledger<'a>>) -> MutexGuard<'l, Ledger<'a>> {
    ledger.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Games finished earlier.
struct Done {
    lines: HashMap<(u64, u8), Arc<GameLine>>,
}

impl Done {
    /// A duplicate game counts once.
    fn sort(verifier: &mut Verifier, file: &str, lines: Vec<GameLine>) -> Result<Done, TextError> {
        let mut sorted = HashMap::new();
        for line in lines {
            verifier.check(&line, file)?;
            sorted.entry(line.id()).or_insert_with(|| Arc::new(line));
        }
        Ok(Done { lines: sorted })
    }

    fn half(&self, index: u64) -> [Option<&Arc<GameLine>>; 2] {
        [0, 1].map(|game| self.lines.get(&(index, game)))
    }

    fn complete(&self) -> impl Iterator<Item = PairDone> + '_ {
        let firsts = self.lines.values().filter(|line| line.game == 0);
        firsts.filter_map(|one| Some(PairDone([Arc::clone(one), Arc::clone(self.lines.get(&(one.pair, 1))?)])))
    }

    fn complete_indexes(&self) -> HashSet<u64> {
        self.lines.keys().map(|&(pair, _)| pair).filter(|&pair| self.half(pair).iter().all(Option::is_some)).collect()
    }
}

/// Counts pairs; with a sequential test, in the order of the plan.
struct Tracker {
    in_order: Option<InOrder<Box<dyn Iterator<Item = u64> + Send>, PairDone>>,
    standing: Standing,
}

impl Tracker {
    fn new(of: &Match) -> Tracker {
        let indexes = || Box::new(of.schedule.indexes()) as Box<dyn Iterator<Item = u64> + Send>;
        let in_order = of.test.is_some().then(|| InOrder::new(indexes()));
        let n_pairs = of.budget.or(of.schedule.n_pairs_of_shard());
        Tracker { in_order, standing: Standing::new(n_pairs.unwrap_or(u64::MAX), of.test) }
    }

    fn arrive(&mut self, pair: PairDone) -> Flow {
        let Tracker { in_order, standing } = self;
        match in_order {
            None => standing.add(&pair),
            Some(in_order) => in_order.arrive(pair.0[0].pair, pair, |_, pair| {
                standing.add(&pair);
                if standing.is_decided() { Flow::Stop } else { Flow::Continue }
            }),
        }
        if standing.is_decided() { Flow::Stop } else { Flow::Continue }
    }

    /// Counts a pair played in this process.
    fn arrive_new(&mut self, pair: PairDone) -> Flow {
        self.standing.new_pairs += 1;
        self.arrive(pair)
    }

    fn finish(self, lines: impl Iterator<Item = Arc<GameLine>>) -> Played {
        let decided_at = self.in_order.and_then(|in_order| in_order.decided_at());
        let (counted, beyond): (Vec<_>, Vec<_>) =
            lines.partition(|line| decided_at.is_none_or(|last| line.pair <= last));
        let mut lines: Vec<GameLine> = counted.into_iter().map(Arc::unwrap_or_clone).collect();
        lines.sort_by_key(GameLine::id);
        let unfinished = decided_at.is_none() && self.standing.pairs < self.standing.of;
        Played { lines, uncounted: beyond.len(), standing: self.standing, unfinished }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_whose_engines_exceed_the_limit_of_open_files_are_refused() {
        // 40 descriptors of which 9 are open, 16 are kept free and 3 belong to each engine: five engines, and those open already.
        for (engines, n_open, expected) in [
            (&[2, 2][..], 0, None),
            (&[2, 2, 2], 1, None),
            (&[0; 1000], 0, None),
            (&[1, 0, 1, 0, 1, 0, 1, 1], 0, None),
            (&[2, 2, 2], 0, Some("expected at most 2 games; use --jobs 2, or raise the limit with ulimit -n")),
            (&[2; 12], 1, Some("expected at most 3 games; use --jobs 3, or raise the limit with ulimit -n")),
            (&[4, 2], 0, Some("expected at most 1 game; use --jobs 1, or raise the limit with ulimit -n")),
            (&[6], 0, Some("expected a higher limit; raise it with ulimit -n")),
        ] {
            let found = check_descriptors(engines, Some((40, 31)), n_open).err().map(|err| err.to_string());
            let n = engines.len();
            let expected =
                expected.map(|rest| format!("{n} games of engines at once with at most 40 open files: {rest}"));
            assert_eq!(found, expected);
        }
        assert!(check_descriptors(&[2; 1000], None, 0).is_ok(), "where the limit is unknown");
    }
}
