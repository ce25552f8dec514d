//! The levels of Dots and Boxes: every setting is written out, so that no default moves them. `experiments/ratings/run` rates them.

use banyan_catalog::Level;

/// Plain UCT with tree reuse, with a handicap.
macro_rules! uct {
    ($handicap:literal) => {
        concat!(
            "graph:structure=tree,select=ucb1,priors=uniform,c=0.3,schedule=off,scale=none,fpu=off,unvisited=own,\
             reward=win,expand=one,node-init=own,node-eval=0,order=random,expand-at=2,forced=never,eval=uniform,\
             threat-rules=all,playout-plies=0,horizon=0,leaf-search-depth=0,leaf-search-below=0,pad=0,\
             opponent-model=off,opponent-model-budget=4,root-bias-depth=0,root-bias=15,root-bias-until=0.4,\
             lazy-expansion=0,lazy-mode=descend,proof=off,tie=random,final=robust,batch=1,early=never,top=0,\
             reuse=keep,memory-mib=64,threads=1,parallel=tree,horizon-eval=same,eval-noise=0,root-bias-at=root,\
             square-weights=off,near-tie=0,take-weight=0,",
            $handicap
        )
    };
}

/// Principal variation search, with a handicap.
macro_rules! pvs {
    ($handicap:literal) => {
        concat!(
            "pvs:eval=static,eval-noise=0,table-mib=64,symmetry=off,order=history,window=2,forced=always,probcut=1.5,\
             reuse=keep,threads=1,",
            $handicap
        )
    };
}

/// The weakest first; ratings of experiments/ratings.
pub(crate) const LEVELS: &[Level] = &[
    Level { player: uct!("second-best=0.4,playouts=60"), elo: 380, also: None },
    Level { player: uct!("playouts=200"), elo: 620, also: None },
    Level { player: uct!("playouts=620"), elo: 860, also: None },
    Level { player: uct!("playouts=1700"), elo: 1100, also: None },
    Level { player: uct!("playouts=4500"), elo: 1340, also: None },
    Level { player: pvs!("second-best=0.9,depth=1,nodes=1000000000"), elo: 1580, also: None },
    Level { player: pvs!("second-best=0.45,depth=1,nodes=1000000000"), elo: 1820, also: None },
    Level { player: pvs!("depth=2,nodes=1000000000"), elo: 2060, also: None },
    Level { player: pvs!("depth=4,nodes=1000000000"), elo: 2300, also: None },
    Level { player: pvs!("depth=6,nodes=24000"), elo: 2540, also: None },
];
