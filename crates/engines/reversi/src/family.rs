//! Reversi by name: its boards, presets and facts for the page and for measurements.

use banyan_bits::{BitOps, Bits};
use banyan_catalog::{
    AnyGame, BoardSizes, BoardStyle, Family, GamePreset, GameTables, Goal, PointUnit, SignatureSearch, owned_cells,
};
use banyan_core::TextError;
use banyan_reversi::{Reversi, Shape, WEIGHT_FILES};

use crate::kit::ReversiKit;
use crate::levels::LEVELS;
use crate::openings::OPENINGS;
use crate::report::{AS_CODED, AS_TEXT};

/// All children of a new node get their static evaluations, and their fitted priors once the node is visited again. Implicit minimax, the
/// bonus for the score and c = 1.4 together gain 87 Elo (45 .. 129) at 10 ms a move; their values are the best of a few tried in matches
/// (experiments/reversi). fpu is a guess. Where these settings do not fit others, the former ones hold, with c = 2.5
/// (experiments/reversi-priors).
const MCGS: GamePreset = GamePreset {
    name: "mcgs",
    variants: &[
        "graph:eval=static,select=puct,priors=game,expand=eval-children,c=1.4,fpu=0.1,reward=wdl,implicit=0.6,score-bonus=0.4,parallel=root",
        "graph:eval=static,select=puct,priors=game,expand=eval-children,c=2.5,fpu=0.1,reward=wdl,parallel=root",
        "graph:eval=static,reward=wdl",
    ],
};

/// Generated openings are as long as those of the published XOT lists; published perft counts include the pass that
/// ends a game.
static TABLES: GameTables = GameTables {
    presets: &[MCGS, AS_TEXT, AS_CODED],
    best: "pvs",
    levels: LEVELS,
    evidence: "experiments/best, experiments/reversi",
    rules: "Enclose discs in a line to turn them over; most discs win.\nA move is a square, as d3, and has to turn over at least one disc.",
    solves: Goal::Everything,
    unit: PointUnit { one: "disc", many: "discs", to_spare: false },
    sizes: Some(BoardSizes { rows: [4, 10], columns: [4, 10], step: 2, square: true, holes: false }),
    points: Some(owned_cells),
    style: BoardStyle::Discs,
    exact_book: None,
    weights: &WEIGHT_FILES,
    openings: OPENINGS,
    sample: "f5 d6 c5 f4 e3 c6 d3 f6 e6 d7",
    opening_plies: 8,
    moves_after_end: 1,
    bench_boards: &[""],
    signature: SIGNATURE,
};

/// Both sizes of words, and both ways of counting.
const SIGNATURE: &[SignatureSearch] = &[
    SignatureSearch { board: "", moves: "", player: "uct:forced=expansion" },
    SignatureSearch { board: "", moves: "f5 d6 c3 d3 c4", player: "uct:forced=expansion,reward=margin,c=8" },
    SignatureSearch { board: "10x10,count=discs", moves: "", player: "greedy" },
    SignatureSearch { board: "", moves: "f5 d6 c3 d3 c4", player: "mcgs:reward=margin,c=8,batch=16,final=secure" },
];

/// Reversi by name.
pub fn family() -> Family {
    Family::of::<Reversi<u64>>(TABLES, make).also_named(&["othello"])
}

/// The game with the narrowest board word.
fn make(options: &str, tables: GameTables) -> Result<AnyGame, TextError> {
    let shape = Shape::parse(options)?;
    let is_usual = (shape.rows(), shape.columns()) == (8, 8);
    // Other boards have neither openings with names nor learned weights.
    let tables = if is_usual { tables } else { GameTables { openings: &[], weights: &[], ..tables } };
    Ok(if shape.word_bits() <= u64::WIDTH { game::<u64>(shape, tables) } else { game::<u128>(shape, tables) })
}

/// The game on boards of one word; its searches are compiled here.
fn game<B: Bits>(shape: Shape, tables: GameTables) -> AnyGame {
    AnyGame::new(Reversi::<B>::new(shape), ReversiKit::default(), tables)
}

#[cfg(test)]
mod tests {
    use banyan_catalog::PlayerSpec;

    use super::*;

    #[test]
    fn mcgs_has_techniques_where_they_suit_the_other_settings() {
        let implicit = |player: &str| {
            let player: PlayerSpec = player.parse().expect("a player");
            player.number("implicit", Some(&TABLES)).expect("a number")
        };
        let with = ["mcgs", "mcgs:threads=2", "mcgs:batch=8", "mcgs:c=2", "mcgs:score-bonus=0"];
        assert_eq!(with.map(implicit), [0.6; 5]);
        let without = ["mcgs:eval=uniform", "mcgs:reward=margin", "mcgs:threads=2,parallel=tree", "mcgs:implicit=0"];
        assert_eq!(without.map(implicit), [0.0; 4]);
        assert_eq!(implicit("mcgs:eval=uniform,implicit=0.2"), 0.2);
    }
}
