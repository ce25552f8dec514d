//! Speed of a search on several threads, by wall clock. Runs are interleaved, one thread, then each kind of parallelisation,
//! so that a slowdown of the machine affects all of them.

use std::time::Instant;

use banyan_catalog::view::VERSION;
use banyan_catalog::{AnyGame, PlayerSpec};
use banyan_core::{Fault, Limits, Silent, TextError};
use banyan_search::{Range, TUNABLES, Tunable};

use super::view::ThreadMeasurement;
use super::{median, open, round_trip};

/// The comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadRace {
    /// Threads of the parallel searches, at least 2.
    pub threads: u32,
    /// Simulations per search.
    pub playouts: u64,
    /// Searches of each kind, at least 1.
    pub runs: u32,
    /// Minimum time of a leaf evaluation in microseconds.
    pub pad_us: u32,
}

/// One of the players compared.
#[derive(Clone, Debug)]
pub struct Racer {
    parallel: Option<String>,
    player: PlayerSpec,
}

/// The result of one search.
#[derive(Clone, Copy, Debug)]
struct Run {
    simulations: u64,
    seconds: f64,
    round_trip_ns: Option<f64>,
}

/// All kinds of parallelisation.
pub fn kinds_of_parallel() -> &'static [&'static str] {
    match Tunable::find(TUNABLES, "parallel").map(|row| row.range) {
        Some(Range::Choice(words)) => words,
        _ => &[],
    }
}

impl ThreadRace {
    /// `graph` on one thread, then with one of the [`kinds_of_parallel`], or with each one compatible with the settings.
    ///
    /// # Errors
    /// The kind is incompatible with the settings, or a setting is out of range.
    pub fn racers(&self, parallel: Option<&str>) -> Result<Vec<Racer>, TextError> {
        let ThreadRace { threads, pad_us, .. } = *self;
        let mut racers = vec![Racer { parallel: None, player: format!("graph:pad={pad_us}").parse()? }];
        for word in parallel.map_or(kinds_of_parallel().to_vec(), |parallel| vec![parallel]) {
            match format!("graph:pad={pad_us},threads={threads},parallel={word}").parse() {
                Ok(player) => racers.push(Racer { parallel: Some(word.to_owned()), player }),
                Err(rejected) if parallel.is_some() => return Err(rejected),
                Err(_) => {}
            }
        }
        Ok(racers)
    }

    /// Measures searches from the start of a game, each in a new session. The first of the racers, on one thread, is the
    /// baseline. `report` receives the simulations per second of every search.
    ///
    /// # Errors
    /// A search could not choose a move.
    pub fn run(
        &self,
        game: &AnyGame,
        racers: &[Racer],
        report: &mut dyn FnMut(&PlayerSpec, f64),
    ) -> Result<Vec<ThreadMeasurement>, Fault> {
        let mut all_runs = vec![Vec::new(); racers.len()];
        for run in 0..self.runs {
            for (racer, all_runs) in racers.iter().zip(&mut all_runs) {
                let run_once = self.run_once(game, &racer.player, run.into())?;
                report(&racer.player, run_once.rate());
                all_runs.push(run_once);
            }
        }
        let alone = all_runs.first().map_or(0.0, |all_runs| median(all_runs.iter().map(Run::rate)));
        Ok(racers
            .iter()
            .zip(&all_runs)
            .map(|(racer, all_runs)| self.row(game.spec(), racer, all_runs, alone))
            .collect())
    }

    fn run_once(&self, game: &AnyGame, player: &PlayerSpec, seed: u64) -> Result<Run, Fault> {
        let mut session = open(game);
        let seat = session.seat(player, seed).expect("every game has these players");
        let round_trip_ns = round_trip::nanoseconds();
        let begun = Instant::now();
        let analysis = session.choose(seat, &Limits::playouts(self.playouts), &mut Silent)?;
        Ok(Run { simulations: analysis.playouts, seconds: begun.elapsed().as_secs_f64(), round_trip_ns })
    }

    fn row(&self, game: String, racer: &Racer, all_runs: &[Run], alone: f64) -> ThreadMeasurement {
        let rate = median(all_runs.iter().map(Run::rate));
        let (threads, speedup) = (racer.player.threads(), ratio(rate, alone));
        let trips: Vec<f64> = all_runs.iter().filter_map(|run_once| run_once.round_trip_ns).collect();
        ThreadMeasurement {
            v: VERSION,
            game,
            parallel: racer.parallel.clone(),
            threads,
            pad_us: self.pad_us,
            runs: all_runs.len() as u32,
            simulations: all_runs.iter().map(|run_once| run_once.simulations).min().unwrap_or(0),
            settled: all_runs.iter().filter(|run_once| run_once.simulations < self.playouts).count() as u32,
            rate,
            speedup,
            efficiency: speedup / f64::from(threads),
            us_per_simulation_alone: ratio(1e6, alone),
            us_per_simulation: ratio(1e6, rate),
            round_trip_ns: (!trips.is_empty()).then(|| median(trips)),
        }
    }
}

impl Run {
    /// Simulations per second; counts actual simulations, since a search ends early when its root is solved.
    fn rate(&self) -> f64 {
        ratio(self.simulations as f64, self.seconds)
    }
}

/// 0 if the divisor is 0.
fn ratio(a: f64, b: f64) -> f64 {
    if b > 0.0 { a / b } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RACE: ThreadRace = ThreadRace { threads: 2, playouts: 1000, runs: 3, pad_us: 0 };

    fn run_once(simulations: u64, seconds: f64, round_trip_ns: Option<f64>) -> Run {
        Run { simulations, seconds, round_trip_ns }
    }

    #[test]
    fn a_row_is_made_of_medians_and_of_simulations_made() {
        let racers = RACE.racers(Some("root")).expect("settings that go together");
        let all_runs = [run_once(1000, 1e-3, Some(90.0)), run_once(1000, 4e-3, Some(300.0)), run_once(400, 1e-3, None)];
        let row = RACE.row("reversi".into(), &racers[1], &all_runs, 250_000.0);
        assert_eq!((row.parallel.as_deref(), row.threads, row.runs), (Some("root"), 2, 3));
        assert_eq!((row.simulations, row.settled), (400, 1));
        assert_eq!((row.rate, row.speedup, row.efficiency), (400_000.0, 1.6, 0.8));
        assert_eq!((row.us_per_simulation_alone, row.us_per_simulation), (4.0, 2.5));
        assert_eq!(row.round_trip_ns, Some(195.0));
        let nothing = RACE.row("reversi".into(), &racers[0], &[run_once(0, 1e-3, None)], 0.0);
        assert_eq!((nothing.rate, nothing.speedup, nothing.us_per_simulation), (0.0, 0.0, 0.0));
    }

    #[test]
    fn what_a_search_does_not_take_is_refused_by_name() {
        for (race, parallel, part) in [
            (RACE, Some("leaf"), "parallel=leaf"),
            (ThreadRace { pad_us: 10_001, ..RACE }, None, "pad=10001"),
            (ThreadRace { threads: 257, ..RACE }, Some("root"), "threads=257"),
        ] {
            let rejected = race.racers(parallel).expect_err(part).to_string();
            assert!(rejected.contains(part), "{rejected}");
        }
    }
}
