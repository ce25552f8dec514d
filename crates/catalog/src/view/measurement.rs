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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::tests::keys;
    use crate::view::{VERSION, json_line};

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
}
