//! Connect Four by name: its boards, presets and facts for the page and for measurements.

use banyan_catalog::book::BuiltInBook;
use banyan_catalog::{
    AnyGame, BoardSizes, BoardStyle, Family, GamePreset, GameTables, Goal, PointUnit, SignatureSearch,
};
use banyan_connect_four::{ConnectFour, Grid, Shape, Word};
use banyan_core::TextError;

use crate::kit::ConnectFourKit;
use crate::levels::LEVELS;

/// Tuned in experiments/connect-four-mcgs-settings. Several threads share one graph: two make 1.8 times the playouts of one thread. With a
/// graph for each they make 2.1 times as many, but a shared graph is stronger, by 42 Elo (-2 .. +86; experiments/threads, 0.2 s a move).
const MCGS: GamePreset = GamePreset {
    name: "mcgs",
    variants: &[
        "graph:select=puct,priors=game,c=2.3,fpu=0,unvisited=blend,reward=wdl,expand=eval-children,expand-at=1,eval=threat,batch=8,parallel=tree,node-eval=0.4",
        "graph:select=puct,priors=game,c=2.3,fpu=0,unvisited=blend,reward=wdl,expand=eval-children,expand-at=1,eval=threat,batch=8,parallel=tree",
        "graph:eval=threat",
    ],
};

/// A report of 2019: UCB1 with c = 0.8 on rewards of -1, 0 and 1, a node for each simulation, ties to the most central child.
const UCT_2019: GamePreset = GamePreset {
    name: "uct-2019",
    variants: &["uct:c=0.8,reward=wdl,order=central,expand-at=1,tie=central,final=max"],
};

/// A report of 2023: wins, blocks and moves that hand over a win are searched for when a node is expanded. Its c is not known; that of
/// `uct` is used here.
const UCT_2023: GamePreset =
    GamePreset { name: "uct-2023", variants: &["uct:expand-at=1,forced=one-ply,final=max,reuse=none"] };

/// The engine Lionjump0723/connect4. Its rewards range from -1 to 1, so that its c of 2.3 is 1.15 here. Its choice of the final move
/// is the best mean of the moves with a quarter of the visits of the one chosen so far, which depends on the order of the children; the
/// most visited move is played here instead (experiments/published has a match against `final=max-quarter`).
const MCGS_LIONJUMP: GamePreset = GamePreset {
    name: "mcgs-lionjump",
    variants: &[
        "graph:select=puct,c=1.15,fpu=0,unvisited=blend,reward=win+margin,expand=eval-children,expand-at=1,eval=threat",
    ],
};

/// Boards of one to four words, with and without holes.
const SIGNATURE: &[SignatureSearch] = &[
    SignatureSearch { board: "", moves: "", player: "uct:forced=expansion" },
    SignatureSearch {
        board: "",
        moves: "4 4 4 4 4 2",
        player: "uct:forced=expansion,reward=wdl,final=max,order=central",
    },
    SignatureSearch { board: "10x11,hole=d3", moves: "5 6 5", player: "uct:forced=expansion" },
    SignatureSearch { board: "12x12", moves: "6 6 7", player: "uct:forced=always,expand=all" },
    SignatureSearch { board: "15x16,hole=a1,hole=h8", moves: "8", player: "uct:forced=expansion,tie=central" },
    SignatureSearch { board: "", moves: "", player: "mcgs" },
    SignatureSearch { board: "12x12,hole=g6", moves: "6 6 7", player: "mcgs" },
    SignatureSearch { board: "9x9", moves: "5 5", player: "mcgs:select=ucb1-tuned,c=1,memory-mib=1,forced=always" },
    SignatureSearch { board: "4x5", moves: "1", player: "mcgs:eval=threat,expand=all,node-init=children" },
];

/// The winner of each position of the usual board after eight moves: the file of `banyan book solve connect-four --plies 8`, made by the same
/// prover with one table of 3 GiB for all positions in 28 minutes of CPU time on an AMD EPYC (14.2 billion positions visited).
static OUTCOMES: BuiltInBook = BuiltInBook::new("connect-four", 8, include_str!("outcomes_6x7.book"));

/// Connect Four by name.
pub fn family() -> Family {
    Family::of::<ConnectFour<u64>>(
        GameTables {
            best: "mcgs",
            levels: LEVELS,
            evidence: "experiments/best",
            rules: "Drop stones into columns; four of yours in a line win.\nA move is the number of a column, as below the board; d and d3 mean column 4 too.",
            solves: Goal::Value,
            unit: PointUnit { one: "stone", many: "stones", to_spare: true },
            sizes: Some(BoardSizes {
                rows: [Shape::MIN_SIDE, Shape::MAX_ROWS],
                columns: [Shape::MIN_SIDE, Shape::MAX_COLUMNS],
                step: 1,
                square: false,
                holes: true,
            }),
            exact_book: Some(&OUTCOMES),
            style: BoardStyle::Drop,
            sample: "4 4 3 5 3 3 5 5 2 6 4",
            bench_boards: &["", "12x12"],
            signature: SIGNATURE,
            ..GameTables::with_presets(&[MCGS, UCT_2019, UCT_2023, MCGS_LIONJUMP])
        },
        make,
    )
    .also_named(&["connect4", "connectfour"])
}

/// The game with the narrowest board word.
fn make(options: &str, tables: GameTables) -> Result<AnyGame, TextError> {
    let shape = Shape::parse(options)?;
    Ok(match shape.word() {
        Word::One => game::<u64>(shape, tables),
        Word::Two => game::<u128>(shape, tables),
        Word::Three => game::<[u64; 3]>(shape, tables),
        Word::Four => game::<[u64; 4]>(shape, tables),
    })
}

/// The game on boards of one word; its searches are compiled here.
fn game<B: Grid>(shape: Shape, tables: GameTables) -> AnyGame {
    AnyGame::new(ConnectFour::<B>::new(shape), ConnectFourKit, tables)
}
