//! The levels of Reversi: every setting is written out, so that no default moves them. `experiments/ratings/run` rates them.

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

/// The preset `mcgs` before it had priors, with a handicap.
macro_rules! mcgs {
    ($handicap:literal) => {
        concat!(
            "graph:structure=graph,select=puct,priors=uniform,c=2.5,schedule=off,scale=none,fpu=0.1,\
             unvisited=own,reward=wdl,expand=eval-children,node-init=own,node-eval=0,order=random,expand-at=2,\
             forced=expansion,eval=static,threat-rules=all,playout-plies=0,horizon=0,horizon-eval=same,\
             eval-noise=0,leaf-search-depth=0,leaf-search-below=0,exact-leaves=0,pad=0,opponent-model=off,\
             opponent-model-budget=4,root-bias-depth=0,root-bias=15,root-bias-until=0.4,root-bias-at=root,\
             square-weights=off,near-tie=0,take-weight=0,lazy-expansion=0,lazy-mode=descend,proof=bounds,\
             tie=random,final=robust,batch=1,early=never,top=0,reuse=keep,memory-mib=64,threads=1,parallel=tree,",
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
