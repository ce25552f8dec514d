//! Connect Four for the catalog: instantiates its searches, and names its evaluators and presets.

mod levels;

use banyan_catalog::{AnyGame, BoardSizes, Family, GamePreset, GameTables, PointUnit, any_game};
use banyan_connect_four::{
    ConnectFour, ConnectFourKnowledge, Grid, NodeEvaluator, NodeFeatures, PolicyPriors, PriorFeatures, Shape, State,
    ThreatPlayouts, ThreatRules, UniformMoves, Word, node_eval, priors,
};
use banyan_core::{Evaluator, Features, Knowledge, MoveFeatures, MoveList, TextError};
use banyan_search::{Config, Kit, Target, TrainingTask, WeightForm, playouts};

use levels::LEVELS;

/// Knowledge and evaluators of Connect Four.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectFourKit;

impl<B: Grid> Kit<ConnectFour<B>> for ConnectFourKit {
    type Knowledge = ConnectFourKnowledge;

    fn knowledge(&self) -> ConnectFourKnowledge {
        ConnectFourKnowledge
    }

    fn evaluators(&self) -> &'static [(&'static str, &'static str)] {
        &[(
            "threat",
            "a playout that wins, blocks, hands over no win and saves its threats (see threat-rules), with the bounds it proves",
        )]
    }

    fn evaluator(&self, name: &str, config: &Config) -> Result<Option<Box<dyn Evaluator<ConnectFour<B>>>>, TextError> {
        Ok(match name {
            "uniform" => Some(playouts(UniformMoves, ConnectFourKnowledge, config)),
            "threat" if config.playout_plies > 0 => {
                let found = format!("eval=threat,playout-plies={}", config.playout_plies);
                let expected = "threat playouts to the end of the game";
                return Err(TextError::new(found, expected, "leave playout-plies out, or add eval=tactical"));
            }
            "threat" => {
                let rules: ThreatRules = config.threat_rules.parse().map_err(|err: TextError| TextError {
                    found: format!("threat-rules={}: {}", config.threat_rules, err.found),
                    ..err
                })?;
                Some(Box::new(ThreatPlayouts::new(rules)))
            }
            _ => None,
        })
    }

    fn node_evaluator(&self) -> Option<Box<dyn Evaluator<ConnectFour<B>>>> {
        Some(Box::new(NodeEvaluator))
    }

    fn prior_evaluator(&self) -> Option<Box<dyn Evaluator<ConnectFour<B>>>> {
        Some(Box::new(PolicyPriors))
    }

    fn training_tasks(&self) -> &'static [TrainingTask] {
        &[NODE_EVAL, PRIORS]
    }

    fn features(&self, evaluation: &str, _game: &ConnectFour<B>) -> Option<Box<dyn Features<ConnectFour<B>>>> {
        (evaluation == NODE_EVAL.name).then(|| Box::new(NodeFeatures) as _)
    }

    fn move_features(&self, evaluation: &str, _game: &ConnectFour<B>) -> Option<Box<dyn MoveFeatures<ConnectFour<B>>>> {
        (evaluation == PRIORS.name).then(|| Box::new(PriorFeatures) as _)
    }

    fn casual_moves(&self, game: &ConnectFour<B>, state: &State<B>, out: &mut MoveList<u8>) {
        ConnectFourKnowledge.forced_moves(game, state, out);
    }
}

/// The boards of the course at Tsinghua University.
const BOARDS: &str = "9-12x9-12,holes=1";

/// See experiments/connect-four-node-eval.
const NODE_EVAL: TrainingTask = TrainingTask {
    name: "node-eval",
    summary: "the result of the game, from the threats and parities of the free cells",
    target: Target::Result,
    boards: BOARDS,
    opening: Some("safe-exact:from=0"),
    opening_plies: [0, 6],
    player: "mcgs:node-eval=0",
    budget: "playouts=1000",
    explore: 0,
    plies_left: [1, u16::MAX],
    epochs: 6,
    lambda: 1.0,
    ridge: 0.0,
    smoothness: 0.0,
    form: WeightForm { units: |_| node_eval::UNIT as f32, most: i16::MAX, embedded: Some("node_eval.bin") },
};

/// See experiments/connect-four-priors.
const PRIORS: TrainingTask = TrainingTask {
    name: "priors",
    summary: "the shares of visits of the moves, from the patterns around their cells",
    target: Target::Visits,
    boards: BOARDS,
    opening: None,
    opening_plies: [0, 8],
    player: "mcgs",
    budget: "playouts=10000",
    explore: 30,
    plies_left: [1, u16::MAX],
    epochs: 4,
    lambda: 1.0,
    ridge: 0.0,
    smoothness: 0.0,
    form: WeightForm { units: priors::units, most: 127, embedded: Some("priors.bin") },
};

/// See experiments/connect-four-strength. Threads that share one graph evaluate children one at a time, so several
/// threads use one graph each, or do not evaluate all children at once, which the node evaluation requires.
const MCGS: GamePreset = GamePreset {
    name: "mcgs",
    variants: &[
        "graph:select=puct,priors=game,c=2.3,fpu=0,unvisited=blend,reward=wdl,expand=eval-children,expand-at=1,eval=threat,batch=8,parallel=root,node-eval=0.4",
        "graph:select=puct,priors=game,c=2.3,fpu=0,unvisited=blend,reward=wdl,expand=eval-children,expand-at=1,eval=threat,batch=8,parallel=root",
        "graph:eval=threat",
    ],
};

/// A report of 2019: UCB1 with c = 0.8 on rewards of -1, 0 and 1, a node for each simulation, ties to the most central child.
const UCT_2019: GamePreset = GamePreset {
    name: "uct-2019",
    variants: &["uct:c=0.8,reward=wdl,order=central,expand-at=1,tie=central,final=max"],
};

/// A report of 2023: wins, blocks and moves that hand over a win are looked for when a node is expanded first. Its c is not
/// known and is that of `uct` here.
const UCT_2023: GamePreset =
    GamePreset { name: "uct-2023", variants: &["uct:expand-at=1,forced=one-ply,final=max,reuse=none"] };

/// The engine Lionjump0723/connect4. Its rewards reach from -1 to 1, so that its 2.3 is 1.15 here. Its choice of the final move, which
/// depends on the order of the children, is replaced by the most visited one.
const MCGS_LIONJUMP: GamePreset = GamePreset {
    name: "mcgs-lionjump",
    variants: &[
        "graph:select=puct,c=1.15,fpu=0,unvisited=blend,reward=win+margin,expand=eval-children,expand-at=1,eval=threat",
    ],
};

/// Connect Four by name.
pub fn family() -> Family {
    Family::of::<ConnectFour<u64>>(
        GameTables {
            best: "mcgs",
            levels: LEVELS,
            evidence: "experiments/best",
            rules: "Drop stones into columns; four of yours in a line win.\nA move is a column: 4, d or d3.",
            unit: PointUnit { one: "stone", many: "stones", to_spare: true },
            sizes: Some(BoardSizes {
                rows: [Shape::MIN_SIDE, Shape::MAX_ROWS],
                columns: [Shape::MIN_SIDE, Shape::MAX_COLUMNS],
                step: 1,
                holes: true,
            }),
            ..GameTables::with_presets(&[MCGS, UCT_2019, UCT_2023, MCGS_LIONJUMP])
        },
        make,
    )
    .also_named(&["connect4", "connectfour"])
}

/// The game with the narrowest board word.
fn make(options: &str, tables: GameTables) -> Result<Box<dyn AnyGame>, TextError> {
    let shape = Shape::parse(options)?;
    Ok(match shape.word() {
        Word::One => any_game(ConnectFour::<u64>::new(shape), ConnectFourKit, tables),
        Word::Two => any_game(ConnectFour::<u128>::new(shape), ConnectFourKit, tables),
        Word::Three => any_game(ConnectFour::<[u64; 3]>::new(shape), ConnectFourKit, tables),
        Word::Four => any_game(ConnectFour::<[u64; 4]>::new(shape), ConnectFourKit, tables),
    })
}
