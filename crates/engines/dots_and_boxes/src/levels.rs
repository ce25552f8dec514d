//! The levels of Dots and Boxes: every setting is written out, so that no default moves them. `experiments/ratings/run` rates them.

use banyan_catalog::Level;

/// Plain UCT with tree reuse, with a handicap.
macro_rules! uct {
    ($handicap:literal) => {
        concat!(
            "graph:structure=tree,select=ucb1,priors=uniform,c=0.3,schedule=off,scale=none,fpu=off,unvisited=own,\
             reward=win,expand=one,node-init=own,node-eval=0,order=random,expand-at=2,forced=never,eval=uniform,\
             threat-rules=all,playout-plies=0,horizon=0,horizon-eval=same,eval-noise=0,leaf-search-depth=0,\
             leaf-search-below=0,exact-leaves=0,pad=0,opponent-model=off,opponent-model-budget=4,root-bias-depth=0,root-bias=15,\
             root-bias-until=0.4,root-bias-at=root,square-weights=off,near-tie=0,take-weight=0,lazy-expansion=0,\
             lazy-mode=descend,proof=off,tie=random,final=robust,batch=1,early=never,top=0,reuse=keep,\
             memory-mib=64,threads=1,parallel=tree,",
            $handicap
        )
    };
}

/// Principal variation search, with a handicap.
macro_rules! pvs {
    ($handicap:literal) => {
        concat!(
            "pvs:eval=static,eval-noise=0,table-mib=64,symmetry=off,order=history,window=2,forced=always,\
             probcut=1.5,reuse=keep,threads=1,",
            $handicap
        )
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
