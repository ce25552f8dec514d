//! Settings of Monte Carlo searches for randomised tests.

/// Settings that must not change what a search proves: name and values to draw from; repeated values are likelier.
pub const PROOF_NEUTRAL: [(&str, &[&str]); 14] = [
    ("select", &["ucb1", "ucb1-tuned", "kl-ucb", "puct"]),
    ("expand-at", &["1", "2", "3"]),
    ("tie", &["first", "random", "central"]),
    ("order", &["listed", "random", "central"]),
    ("final", &["max", "robust", "ucb", "secure"]),
    ("scale", &["none", "spread"]),
    ("unvisited", &["own", "blend"]),
    ("playout-plies", &["0", "0", "2"]),
    ("fpu", &["off", "off", "-1"]),
    ("leaf-search-depth", &["0", "0", "1", "3"]),
    ("root-bias-depth", &["0", "0", "3"]),
    ("lazy-expansion", &["0", "0", "0.5"]),
    ("widening", &["0", "0", "1", "2"]),
    ("lazy-mode", &["descend", "resample"]),
];
