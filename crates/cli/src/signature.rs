//! The search signature: a hash over searches of fixed positions with fixed seeds and playouts. It changes if and only
//! if the behaviour of rules, search or random numbers changes.

use anyhow::Result;
use banyan_catalog::{Budget, Catalog, Opening};
use banyan_core::{Silent, mix};

/// Game, moves and player of every search.
const SEARCHES: [(&str, &str, &str); 19] = [
    ("connect-four", "", "uct:forced=expansion"),
    ("connect-four", "4 4 4 4 4 2", "uct:forced=expansion,reward=wdl,final=max,order=central"),
    ("connect-four:10x11,hole=d3", "5 6 5", "uct:forced=expansion"),
    ("connect-four:12x12", "6 6 7", "uct:forced=always,expand=all"),
    ("connect-four:15x16,hole=a1,hole=h8", "8", "uct:forced=expansion,tie=central"),
    ("reversi", "", "uct:forced=expansion"),
    ("reversi", "f5 d6 c3 d3 c4", "uct:forced=expansion,reward=margin,c=8"),
    ("reversi:10x10,count=discs", "", "greedy"),
    ("dots-and-boxes", "", "uct:forced=expansion"),
    ("dots-and-boxes:3x3", "", "uct:forced=never,expand-at=3"),
    ("dots-and-boxes:8x8", "", "uct:forced=expansion,tie=first,order=listed"),
    ("dots-and-boxes:2x5", "", "random"),
    ("connect-four", "", "mcgs"),
    ("connect-four:12x12,hole=g6", "6 6 7", "mcgs"),
    ("connect-four:9x9", "5 5", "mcgs:select=ucb1-tuned,c=1,memory-mib=1,forced=always"),
    ("connect-four:4x5", "1", "mcgs:eval=threat,expand=all,node-init=children"),
    ("reversi", "f5 d6 c3 d3 c4", "mcgs:reward=margin,c=8,batch=16,final=secure"),
    ("dots-and-boxes", "", "mcgs:select=puct,c=2,eval=tactical,fpu=0"),
    ("dots-and-boxes:2x3", "", "mcgs:reward=margin,c=1,scale=spread,proof=win"),
];

/// Playouts of every search: a fraction of a second each.
const PLAYOUTS: u64 = 20_000;

/// Whether the catalog has the games of the signature.
pub(crate) fn can_compute(catalog: &Catalog) -> bool {
    SEARCHES.iter().all(|(game, ..)| catalog.tables(game).is_some())
}

/// The signature of this build.
pub(crate) fn compute(catalog: &Catalog) -> Result<String> {
    let mut hash = 0;
    for (game, moves, player) in SEARCHES {
        let mut session = catalog.game(game)?.open(Opening::Moves(moves))?;
        let seat = session.seat(&player.parse()?, 1)?;
        let limits = Budget { playouts: Some(PLAYOUTS), ..Budget::default() }.first_limits();
        let analysis = session.choose(seat, &limits, &mut Silent)?;
        let visits: Vec<String> = analysis.moves.iter().map(|stat| format!("{}:{}", stat.mv, stat.visits)).collect();
        let sum = session.evaluate("uniform", 1, 1000, 1).expect("every game has this evaluator");
        let found = format!("{:?} {} {} {sum}", analysis.best, analysis.nodes, visits.join(" "));
        hash = found.bytes().fold(hash, |hash, byte| mix(hash ^ u64::from(byte)));
    }
    Ok(format!("{hash:016x}"))
}

/// The signature in bench/signature.txt at build time.
pub(crate) fn expected() -> &'static str {
    include_str!("../../../bench/signature.txt").trim()
}
