//! The results of a match by the names of openings.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use banyan_catalog::pairs::{GameLine, Winner};
use banyan_catalog::{AnyGame, Catalog, NamedOpening, Opening, OpeningNames};
use serde::{Deserialize, Serialize};

use crate::config::MatchConfig;
use crate::counted::counted;

/// The results of the games with one opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningResult {
    /// Its name; `None` of all games whose opening has none.
    pub opening: Option<String>,
    /// Games.
    pub games: u64,
    /// Won by the first side, drawn, won by the second side.
    pub sides: [u64; 3],
    /// Won, drawn, lost by each player: `[players]`.
    pub players: Vec<[u64; 3]>,
}

/// The counted games of a match by their openings, the most frequent ones first and those without a name last; empty if no opening
/// has a name.
pub fn by_opening(config: &MatchConfig, games: &[GameLine], catalog: &Catalog) -> Vec<OpeningResult> {
    let mut names = Names { catalog, of_spec: HashMap::new() };
    let mut results: BTreeMap<Option<&str>, OpeningResult> = BTreeMap::new();
    for game in counted(config, games).into_values() {
        let opening = names.of_game(game);
        let result = results.entry(opening).or_insert_with(|| OpeningResult {
            opening: opening.map(str::to_owned),
            games: 0,
            sides: [0; 3],
            players: vec![[0; 3]; config.players.len()],
        });
        // Won, drawn, lost by the first side.
        let column = match game.winner {
            Winner::First => 0,
            Winner::Draw => 1,
            Winner::Second => 2,
        };
        result.games += 1;
        result.sides[column] += 1;
        result.players[game.seats[0]][column] += 1;
        result.players[game.seats[1]][2 - column] += 1;
    }
    if results.keys().all(Option::is_none) {
        return Vec::new();
    }
    let mut results: Vec<OpeningResult> = results.into_values().collect();
    results.sort_by_key(|result| (result.opening.is_none(), Reverse(result.games)));
    results
}

/// The names of the openings of each board.
struct Names<'a> {
    catalog: &'a Catalog,
    /// With the game and the length of the longest opening; `None` for a board without names.
    of_spec: HashMap<&'a str, Option<(AnyGame, OpeningNames, usize)>>,
}

impl<'a> Names<'a> {
    /// The name of the opening of a game.
    fn of_game(&mut self, game: &'a GameLine) -> Option<&'static str> {
        let catalog = self.catalog;
        let named = self.of_spec.entry(&game.spec).or_insert_with(|| {
            let board = catalog.game(&game.spec).ok()?;
            let names = board.opening_names();
            let longest = names.all().iter().map(|opening| opening.moves.split_whitespace().count()).max()?;
            Some((board, names, longest))
        });
        let (board, names, longest) = named.as_ref()?;
        // Later moves cannot lead to a named position.
        let moves: Vec<&str> = game.moves.split_whitespace().take(*longest).collect();
        let line = board.begin(Opening::Moves(&moves.join(" "))).ok()?;
        names.of_game(&line).map(NamedOpening::name)
    }
}
