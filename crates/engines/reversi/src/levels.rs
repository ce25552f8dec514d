//! The levels of Reversi, as `experiments/ratings/run` has rated them. A setting that is not listed has its neutral value.

use banyan_catalog::Level;

/// Plain UCT with tree reuse, with a handicap.
macro_rules! uct {
    ($handicap:literal) => {
        concat!("graph:reuse=keep,", $handicap)
    };
}

/// The preset `mcgs` before it had priors, with a handicap.
macro_rules! mcgs {
    ($handicap:literal) => {
        concat!(
            "graph:structure=graph,select=puct,c=2.5,fpu=0.1,reward=wdl,expand=eval-children,forced=expansion,\
             eval=static,proof=bounds,reuse=keep,",
            $handicap
        )
    };
}

/// The weakest first; ratings of experiments/ratings.
pub(crate) const LEVELS: &[Level] = &[
    Level { player: uct!("second-best=0.45,playouts=12"), elo: 194, also: None },
    Level { player: uct!("second-best=0.31,playouts=26"), elo: 348, also: None },
    Level { player: uct!("second-best=0.16,playouts=62"), elo: 572, also: Some("beginner") },
    Level { player: uct!("playouts=180"), elo: 807, also: None },
    Level { player: uct!("playouts=590"), elo: 985, also: None },
    Level { player: mcgs!("playouts=24"), elo: 1184, also: Some("intermediate") },
    Level { player: mcgs!("playouts=43"), elo: 1375, also: None },
    Level { player: mcgs!("playouts=145"), elo: 1575, also: None },
    Level { player: mcgs!("playouts=660"), elo: 1755, also: Some("advanced") },
    Level { player: mcgs!("playouts=1800"), elo: 1942, also: None },
];
