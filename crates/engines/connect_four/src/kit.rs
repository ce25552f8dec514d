//! Knowledge and evaluators of Connect Four for its searches.

use banyan_connect_four::{
    BoardPlanes, ConnectFour, ConnectFourKnowledge, ExactValues, Grid, NodeEvaluator, NodeFeatures, PolicyPriors,
    PriorFeatures, State, ThreatPlayouts, ThreatRules, UniformMoves, node_eval, priors,
};
use banyan_core::{Evaluator, Knowledge, MoveList, Planes, Prover, TextError};
use banyan_inference::{Features, Learnable, MoveFeatures, Target, TrainingTask, WeightForm};
use banyan_search::{Config, Kit, playouts};

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
                let expected = "expected threat playouts to the end of the game";
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

    fn prover(&self, table_bytes: u64) -> Option<Box<dyn Prover<ConnectFour<B>>>> {
        Some(Box::new(ExactValues::new(table_bytes)))
    }

    fn casual_moves(&self, game: &ConnectFour<B>, state: &State<B>, out: &mut MoveList<u8>) {
        ConnectFourKnowledge.forced_moves(game, state, out);
    }

    fn planes(&self, game: &ConnectFour<B>) -> Option<Box<dyn Planes<ConnectFour<B>>>> {
        Some(Box::new(BoardPlanes::new(game)))
    }
}

impl<B: Grid> Learnable<ConnectFour<B>> for ConnectFourKit {
    fn training_tasks(&self) -> &'static [TrainingTask] {
        &[NODE_EVAL, PRIORS]
    }

    fn features(&self, evaluation: &str, _game: &ConnectFour<B>) -> Option<Box<dyn Features<ConnectFour<B>>>> {
        (evaluation == NODE_EVAL.name).then(|| Box::new(NodeFeatures) as _)
    }

    fn move_features(&self, evaluation: &str, _game: &ConnectFour<B>) -> Option<Box<dyn MoveFeatures<ConnectFour<B>>>> {
        (evaluation == PRIORS.name).then(|| Box::new(PriorFeatures) as _)
    }
}

/// The boards of the course at Tsinghua University.
const BOARDS: &str = "9-12x9-12,holes=1";

/// Training task of the node evaluation; see experiments/connect-four-node-eval.
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

/// Training task of the priors; see experiments/connect-four-priors.
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

#[cfg(test)]
mod tests {
    use banyan_connect_four::Shape;
    use banyan_core::{Game, Limits, Notation, Player, Silent, Situation};
    use banyan_search::Mcts;

    use super::*;

    /// The values of the visited moves after two playouts, in a position where the other side wins whichever cell is
    /// blocked.
    fn values(forced: &str, seed: u64) -> Vec<f64> {
        let game: ConnectFour<u64> = ConnectFour::new(Shape::parse("6x7").expect("a shape"));
        let start = game.start();
        let (mut state, mut played) = (start, Vec::new());
        for mv in "1 3 1 4 7 5".split(' ') {
            let mv = game.parse_move(&state, mv).expect("a legal move");
            game.play(&mut state, mv);
            played.push(mv);
        }
        let mut config = Config::uct();
        for (name, value) in [("forced", forced), ("expand-at", "1"), ("reward", "wdl")] {
            config.set(name, value).expect("a row");
        }
        let mut player = Mcts::with_kit(config, &ConnectFourKit).expect("settings that go together");
        player.new_game(seed);
        let at = Situation { game: &game, start: &start, played: &played, state: &state };
        let report = player.choose(&at, &Limits::playouts(2), &mut Silent).expect("it does not fail");
        report.moves.iter().filter(|stat| stat.visits > 0).map(|stat| stat.value).collect()
    }

    #[test]
    fn one_ply_of_tactics_at_leaves_begins_their_playouts_and_proves_nothing() {
        let of_seeds = |forced: &str| (0..20).flat_map(|seed| values(forced, seed)).collect::<Vec<f64>>();
        assert!(of_seeds("one-ply-always").iter().all(|&value| value == -1.0));
        assert!(of_seeds("one-ply").iter().any(|&value| value > -1.0), "playouts without tactics");
    }
}
