//! The levels of Dots and Boxes, as `experiments/ratings/run` has rated them. A setting that is not listed has its neutral value.

use banyan_catalog::Level;

/// Plain UCT with tree reuse, with a handicap.
macro_rules! uct {
    ($handicap:literal) => {
        concat!("graph:reuse=keep,", $handicap)
    };
}

/// Principal variation search, with a handicap.
macro_rules! pvs {
    ($handicap:literal) => {
        concat!("pvs:order=history,window=2,forced=always,probcut=1.5,reuse=keep,", $handicap)
    };
}

/// The weakest first; ratings of experiments/ratings.
pub(crate) const LEVELS: &[Level] = &[
    Level { player: uct!("second-best=0.4,playouts=60"), elo: 262, also: None },
    Level { player: uct!("playouts=240"), elo: 561, also: None },
    Level { player: uct!("playouts=655"), elo: 840, also: None },
    Level { player: uct!("playouts=1700"), elo: 1113, also: None },
    Level { player: uct!("playouts=4000"), elo: 1414, also: None },
    Level { player: pvs!("second-best=0.76,depth=1,nodes=1000000000"), elo: 1682, also: None },
    Level { player: pvs!("second-best=0.24,depth=1,nodes=1000000000"), elo: 1998, also: None },
    Level { player: pvs!("second-best=0.04,depth=3,nodes=1000000000"), elo: 2233, also: None },
    Level { player: pvs!("second-best=0.04,depth=5,nodes=1000000000"), elo: 2510, also: None },
    Level { player: pvs!("depth=6,nodes=24000"), elo: 2814, also: None },
];
