//! Dots and Boxes by name: its boards, presets and facts for the page and for measurements.

use banyan_bits::Bits;
use banyan_catalog::{AnyGame, BoardSizes, BoardStyle, Family, GamePreset, GameTables, PointUnit, SignatureSearch};
use banyan_core::TextError;
use banyan_dots_and_boxes::{DotsAndBoxes, Shape, Word};

use crate::kit::DotsAndBoxesKit;
use crate::levels::LEVELS;

/// Presets tuned for the game. With every legal move in the tree, `mcgs` gets weaker the longer it searches: it averages over replies that
/// leave offered boxes uncaptured, so that giving boxes away looks good. Exact leaves, from 28 undrawn edges on, gain 180 Elo; other numbers were
/// not tried. `experiments/dots-and-boxes-mcgs` has the matches.
const PRESETS: &[GamePreset] = &[
    GamePreset { name: "mcgs", variants: &["graph:eval=safe,forced=undominated,reward=win+margin,exact-leaves=28"] },
    UCT_STUDY,
    ALPHA_BETA_STUDY,
];

/// The study of Zhang and Meng (2020), whose text leaves open the weights of exploration, their phases, the horizon and the evaluation.
/// `experiments/published` has the tuning of the horizon and the measurements of the other variants.
const UCT_STUDY: GamePreset = GamePreset {
    name: "uct-dots-study",
    variants: &[
        "uct:schedule=0:0.7/0.3:0.7/0.5:0.25/1:0.25,order=listed,expand-at=1,horizon=3,horizon-eval=static,final=ucb,early=never,parallel=mutex",
    ],
};

/// The opponent in that study: principal variation search, a table in which equivalent edges share an entry, and one lock for its updates.
const ALPHA_BETA_STUDY: GamePreset = GamePreset {
    name: "alpha-beta-dots-study",
    variants: &["pvs:eval=static,symmetry=1,forced=never,probcut=off,lock=updates"],
};

/// Boards of one and of three words.
const SIGNATURE: &[SignatureSearch] = &[
    SignatureSearch { board: "", moves: "", player: "uct:forced=expansion" },
    SignatureSearch { board: "3x3", moves: "", player: "uct:forced=never,expand-at=3" },
    SignatureSearch { board: "8x8", moves: "", player: "uct:forced=expansion,tie=first,order=listed" },
    SignatureSearch { board: "2x5", moves: "", player: "random" },
    SignatureSearch { board: "", moves: "", player: "mcgs:select=puct,c=2,eval=tactical,fpu=0" },
    SignatureSearch { board: "2x3", moves: "", player: "mcgs:reward=margin,c=1,scale=spread,proof=win" },
];

/// Dots and Boxes by name.
pub fn family() -> Family {
    Family::of::<DotsAndBoxes<u64>>(
        GameTables {
            best: "solver:opening=mcgs,later=1",
            levels: LEVELS,
            evidence: "experiments/best",
            rules: "Draw edges; completing a box scores it and you draw again.\nA move is the number of an edge, as on the board; also h0,1 or two dots 0,1-0,2 or a side of a box 0,1 top.",
            unit: PointUnit { one: "box", many: "boxes", to_spare: false },
            sizes: Some(BoardSizes { rows: [1, 9], columns: [1, 9], step: 1, square: false, holes: false }),
            points: Some(|game| boxes(&game.position())),
            style: BoardStyle::Boxes,
            sample: "h0,0 v0,1 h1,0 v0,0 h2,2 v1,3 h3,3 v2,2 h4,1 v3,1 h5,4 v4,4 h2,0 v3,4",
            signature: SIGNATURE,
            ..GameTables::with_presets(PRESETS)
        },
        make,
    )
    .also_named(&["dots", "boxes"])
}

/// The boxes in a position, `3-1` after the mover: the board does not show who completed those of an earlier game.
fn boxes(position: &str) -> Option<[u32; 2]> {
    let (first, second) = position.split(' ').nth(2)?.split_once('-')?;
    Some([first.parse().ok()?, second.parse().ok()?])
}

/// The game with the narrowest board word.
fn make(options: &str, tables: GameTables) -> Result<AnyGame, TextError> {
    let shape = Shape::parse(options)?;
    Ok(match shape.word() {
        Word::One => game::<u64>(shape, tables),
        Word::Two => game::<u128>(shape, tables),
        Word::Three => game::<[u64; 3]>(shape, tables),
    })
}

/// The game on boards of one word; its searches are compiled here.
fn game<B: Bits>(shape: Shape, tables: GameTables) -> AnyGame {
    AnyGame::new(DotsAndBoxes::<B>::new(shape), DotsAndBoxesKit::default(), tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_read_from_the_position() {
        assert_eq!(boxes("1/0/00 o 3-12"), Some([3, 12]));
        assert_eq!(boxes("100/100/001/1100/0000 x 0-1 o../..."), Some([0, 1]));
        assert_eq!(boxes("1/0/00 o"), None);
    }
}
