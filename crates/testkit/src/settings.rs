//! Settings of Monte Carlo searches for tests that draw among them.

/// Settings that must not change what a search proves: name and values to draw from, likelier ones more than once.
pub const PROOF_NEUTRAL: [(&str, &[&str]); 13] = [
    ("select", &["ucb1", "tuned", "puct"]),
    ("after", &["1", "2", "3"]),
    ("tie", &["first", "random", "central"]),
    ("order", &["listed", "random", "central"]),
    ("final", &["mean", "visits", "ucb", "well", "lcb"]),
    ("scale", &["none", "spread"]),
    ("leaf", &["own", "parent"]),
    ("cut", &["0", "0", "2"]),
    ("fpu", &["off", "off", "-1"]),
    ("probe", &["0", "0", "1", "3"]),
    ("prior", &["0", "0", "3"]),
    ("lazy", &["0", "0", "0.5"]),
    ("lazily", &["descend", "resample"]),
];
