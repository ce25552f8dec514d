//! The levels of Connect Four, as `experiments/ratings/run` has rated them. A setting that is not listed has its neutral value.

use banyan_catalog::Level;

/// Plain UCT with tree reuse, with a handicap.
macro_rules! uct {
    ($handicap:literal) => {
        concat!("graph:reuse=keep,", $handicap)
    };
}

/// The preset `mcgs` of November 2026, with a handicap.
macro_rules! mcgs {
    ($handicap:literal) => {
        concat!(
            "graph:structure=graph,select=puct,priors=game,c=2.3,fpu=0,unvisited=blend,reward=wdl,\
             expand=eval-children,node-eval=0.4,expand-at=1,forced=expansion,eval=threat,proof=bounds,batch=8,\
             reuse=keep,parallel=root,",
            $handicap
        )
    };
}

/// The weakest first; ratings of experiments/ratings.
pub(crate) const LEVELS: &[Level] = &[
    Level { player: uct!("second-best=0.7,playouts=8"), elo: 223, also: None },
    Level { player: uct!("second-best=0.47,playouts=14"), elo: 328, also: None },
    Level { player: uct!("second-best=0.25,playouts=35"), elo: 506, also: None },
    Level { player: uct!("second-best=0.15,playouts=65"), elo: 635, also: None },
    Level { player: uct!("second-best=0.03,playouts=115"), elo: 836, also: None },
    Level { player: uct!("playouts=300"), elo: 1007, also: None },
    Level { player: mcgs!("playouts=42"), elo: 1167, also: None },
    Level { player: mcgs!("playouts=135"), elo: 1296, also: None },
    Level { player: mcgs!("playouts=700"), elo: 1439, also: None },
    Level { player: mcgs!("playouts=4000"), elo: 1607, also: None },
];
