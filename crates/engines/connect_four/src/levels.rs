//! The levels of Connect Four: every setting is written out, so that no default moves them. `experiments/ratings/run` rates them.

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

/// The preset `mcgs` of November 2026, with a handicap.
macro_rules! mcgs {
    ($handicap:literal) => {
        concat!(
            "graph:structure=graph,select=puct,priors=game,c=2.3,schedule=off,scale=none,fpu=0,unvisited=blend,\
             reward=wdl,expand=eval-children,node-init=own,node-eval=0.4,order=random,expand-at=1,\
             forced=expansion,eval=threat,threat-rules=all,playout-plies=0,horizon=0,horizon-eval=same,\
             eval-noise=0,leaf-search-depth=0,leaf-search-below=0,exact-leaves=0,pad=0,opponent-model=off,\
             opponent-model-budget=4,root-bias-depth=0,root-bias=15,root-bias-until=0.4,root-bias-at=root,\
             square-weights=off,near-tie=0,take-weight=0,lazy-expansion=0,lazy-mode=descend,proof=bounds,\
             tie=random,final=robust,batch=8,early=never,top=0,reuse=keep,memory-mib=64,threads=1,parallel=root,",
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
