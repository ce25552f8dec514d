//! The search signature: a hash over searches of fixed positions with fixed seeds and playouts. It changes if and only
//! if the behaviour of rules, search or random numbers changes.

use anyhow::Result;
use banyan_catalog::{Budget, Catalog, Family, Opening, SignatureSearch};
use banyan_core::{Silent, mix};

use crate::builtin;

/// Playouts of every search: a fraction of a second each.
const PLAYOUTS: u64 = 20_000;

/// Whether the catalog has all built-in games, whose searches the signature covers.
pub(crate) fn can_compute(catalog: &Catalog) -> bool {
    builtin().families().iter().all(|family| catalog.tables(family.name).is_some())
}

/// Specifications of the built-in games with their searches: first those of random, greedy and tree searches of all games, then those
/// of `mcgs`, the order of the recorded signature.
fn searches() -> Vec<(String, SignatureSearch)> {
    let of = |family: &Family| {
        let family = *family;
        family.tables.signature.iter().map(move |search| (family.spec(search.board), *search))
    };
    let mut searches: Vec<_> = builtin().families().iter().flat_map(of).collect();
    searches.sort_by_key(|(_, search)| search.player.starts_with("mcgs"));
    searches
}

/// The signature of this build.
pub(crate) fn compute(catalog: &Catalog) -> Result<String> {
    let mut hash = 0;
    for (game, SignatureSearch { moves, player, .. }) in searches() {
        let mut session = catalog.game(&game)?.open(Opening::Moves(moves))?;
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
    include_str!("../../../signature.txt").trim()
}
