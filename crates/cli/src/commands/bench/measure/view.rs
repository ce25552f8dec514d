//! What `bench` measures.

use serde::{Deserialize, Serialize};

/// One speed measured by `bench`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// [`VERSION`](super::VERSION).
    pub v: u32,
    /// The game as it is asked for by name.
    pub game: String,
    /// What was measured: `playouts`, `uct`, `pvs depth=8`.
    pub what: String,
    /// Per second of CPU time.
    pub rate: f64,
    /// What is counted: `playouts/s`, `simulations/s`, `nodes/s`.
    pub unit: String,
    /// Memory held at the end for each simulation; `None` where nothing is kept.
    pub bytes_per_simulation: Option<f64>,
    /// Positions visited to reach the depth that `what` names; `None` for other measurements.
    pub nodes: Option<u64>,
}

/// One speed measured by `bench --threads`, by the clock on the wall. Figures are medians of all runs; those that divide by
/// simulations are 0 where none were made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ThreadMeasurement {
    /// [`VERSION`](super::VERSION).
    pub v: u32,
    /// The game as it is asked for by name.
    pub game: String,
    /// How the threads search together; `None` for the search on one thread that the others are compared with.
    pub parallel: Option<String>,
    /// Threads that search.
    pub threads: u32,
    /// Microseconds that the evaluation of a leaf takes at least.
    pub pad_us: u32,
    /// Searches measured.
    pub runs: u32,
    /// Simulations made by the run that made fewest.
    pub simulations: u64,
    /// Runs that ended early since their position was settled.
    pub settled: u32,
    /// Simulations a second.
    pub rate: f64,
    /// `rate`, in units of what one thread reached in the same runs.
    pub speedup: f64,
    /// `speedup` by threads: 1 where none is in another's way.
    pub efficiency: f64,
    /// Microseconds of one simulation on one thread.
    pub us_per_simulation_alone: f64,
    /// Microseconds from one simulation to the next of any thread.
    pub us_per_simulation: f64,
    /// Nanoseconds that a cache line took from one core to another and back; `None` where there is one core only, or never
    /// two were free.
    pub round_trip_ns: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in a JSON object, in alphabetical order.
    fn keys(json: &str) -> Vec<String> {
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(json).expect("an object");
        let mut keys: Vec<String> = object.into_iter().map(|(key, _)| key).collect();
        keys.sort();
        keys
    }

    use banyan_catalog::view::{VERSION, json_line};

    #[test]
    fn a_measurement_has_the_documented_names() {
        let measurement = Measurement {
            v: VERSION,
            game: "reversi".into(),
            what: "uct".into(),
            rate: 5e5,
            unit: "simulations/s".into(),
            bytes_per_simulation: None,
            nodes: None,
        };
        let expected = "bytes_per_simulation game nodes rate unit v what";
        assert_eq!(keys(&json_line(&measurement)), expected.split(' ').collect::<Vec<_>>());
    }

    #[test]
    fn a_measurement_of_threads_has_the_documented_names() {
        let measurement = ThreadMeasurement {
            v: VERSION,
            game: "reversi".into(),
            parallel: Some("root".into()),
            threads: 2,
            pad_us: 0,
            runs: 5,
            simulations: 1_000_000,
            settled: 0,
            rate: 1e6,
            speedup: 1.9,
            efficiency: 0.95,
            us_per_simulation_alone: 1.9,
            us_per_simulation: 1.0,
            round_trip_ns: Some(300.0),
        };
        let expected = "efficiency game pad_us parallel rate round_trip_ns runs settled simulations speedup threads \
                        us_per_simulation us_per_simulation_alone v";
        assert_eq!(keys(&json_line(&measurement)), expected.split_whitespace().collect::<Vec<_>>());
    }
}
