//! The settings that only reproduce a published system, apart from those of other searches. The systems are presets of
//! their games; experiments/published compares them with their documents.
//!
//! | system | settings | words of other settings that only its rows use |
//! |---|---|---|
//! | a report of 2019 | `opponent-model`, `opponent-model-budget` | |
//! | a report of 2023 | | `forced=one-ply`, `forced=one-ply-always` |
//! | the engine of Lionjump0723 | | `final=max-quarter` |
//! | a report of 2024 | `root-bias-depth`, `root-bias`, `root-bias-until`, `root-bias-at`, `square-weights`, `near-tie`, `take-weight`, `lazy-expansion`, `lazy-mode` | `reward=50+margin`, `final=ucb` |
//! | the same, as its program is written | the same | `select=first` |
//! | Zhang and Meng 2020 | `horizon`, `horizon-eval`, `eval-noise`, `pad`, `top`; of alpha-beta `depth-schedule`, `eval-noise`, `pad`, `lock` | `final=ucb` |

use super::tunable::{Tunable, words};

words! {
    /// The player that predicts the reply to a move at the root; other replies are not searched.
    ModelPlayer {
        /// None: every reply is searched.
        Off = "off",
        /// The one-ply greedy player.
        Greedy = "greedy",
        /// A small plain UCT.
        Uct = "uct",
        /// A shallow alpha-beta search.
        Pvs = "pvs",
        /// A player that is given by [`Mcts::with_opponent_model`](crate::Mcts::with_opponent_model).
        Player = "player",
    }
}

words! {
    /// The simulations that the root bias changes.
    RootBiasAt {
        /// Those that begin with the preferred move.
        Root = "root",
        /// Those that end with the preferred move, played at the root.
        Child = "child",
        /// Those whose last move is the preferred one, at any depth.
        Leaves = "leaves",
    }
}

words! {
    /// Action of lazy expansion at a node with visited and unvisited children, instead of visiting a new one.
    LazyMode {
        /// Select among the visited children.
        Descend = "descend",
        /// Evaluate a random visited child once more, as if it were a leaf.
        Resample = "resample",
    }
}

words! {
    /// Whether threads of alpha-beta take a common lock.
    Locking {
        /// Never: the entries of the table are single words.
        Never = "never",
        /// For every update of an entry.
        Updates = "updates",
    }
}

/// Settings of published systems, each with the settings behind the first of which it is printed, if the table has it.
const PLACES: [(&str, &[&str]); 18] = [
    ("horizon", &["playout-plies"]),
    ("horizon-eval", &["horizon"]),
    ("eval-noise", &["horizon-eval", "eval"]),
    ("pad", &["exact-leaves", "eval-noise"]),
    ("opponent-model", &["pad"]),
    ("opponent-model-budget", &["opponent-model"]),
    ("root-bias-depth", &["opponent-model-budget"]),
    ("root-bias", &["root-bias-depth"]),
    ("root-bias-until", &["root-bias"]),
    ("root-bias-at", &["root-bias-until"]),
    ("square-weights", &["root-bias-at"]),
    ("near-tie", &["square-weights"]),
    ("take-weight", &["near-tie"]),
    ("lazy-expansion", &["take-weight"]),
    ("lazy-mode", &["lazy-expansion"]),
    ("top", &["early"]),
    ("depth-schedule", &["depth"]),
    ("lock", &["pad"]),
];

/// The rows of a table in the order in which players are printed. It never changes: printed players are compared with those in files.
pub fn printed_rows(table: &'static [Tunable]) -> Vec<&'static Tunable> {
    let is_placed = |row: &&Tunable| PLACES.iter().any(|(name, _)| *name == row.name);
    let mut rows: Vec<&Tunable> = table.iter().filter(|row| !is_placed(row)).collect();
    for (name, before) in PLACES {
        let Some(row) = Tunable::find(table, name) else { continue };
        let place = before.iter().find_map(|name| rows.iter().position(|row| row.name == *name));
        rows.insert(place.map_or(rows.len(), |place| place + 1), row);
    }
    rows
}

/// Declares a table of the settings of a Monte Carlo search, as `tunables!` does, with these rows behind its own.
macro_rules! with_published_rows {
    ($($table:tt)*) => {
        $crate::options::tunables! {
            $($table)*

            horizon: u32 = "horizon" {
                default: "0",
                range: Range::Whole { min: 0, max: 10_000, step: 1 },
                help: "plies below the root at which positions get no children and are only evaluated; 0: no such depth",
                source: "Zhang and Meng 2020",
                experimental: true,
            }
            horizon_eval: String = "horizon-eval" {
                default: "same",
                range: Range::Name(&["same", "margin", "static"]),
                help: "value of a position at the horizon: same, as at any leaf (eval); margin; static; FILE, the same with the weights of that file, which the whole search then uses (needs horizon, batch=1)",
                source: "Zhang and Meng 2020",
                experimental: true,
                conflicts: [|config| conflict(
                    config.horizon_eval != "same" && (config.horizon == 0 || config.batch > 1),
                    format!("horizon-eval={},horizon={},batch={}", config.horizon_eval, config.horizon, config.batch),
                    "a horizon and batch=1 with it", "add horizon=8, or leave horizon-eval out",
                )],
            }
            eval_noise: f32 = "eval-noise" {
                default: "0",
                range: Range::Real { min: 0.0, max: 1000.0, step: 1.0 },
                help: "points that the evaluations margin and static are wrong by at most: an error for each position, uniform between this and its negative",
                source: "Zhang and Meng 2020, an argument made an experiment",
                experimental: true,
                conflicts: [|config| conflict(
                    config.eval_noise > 0.0 && ![&config.evaluator, &config.horizon_eval].iter().any(|eval| matches!(eval.as_str(), "margin" | "static")),
                    format!("eval-noise={}", config.eval_noise),
                    "eval or horizon-eval to be margin or static with it", "add eval=static",
                )],
            }
            // The maximum still lets a search stop within 50 ms.
            pad: u32 = "pad" {
                default: "0",
                range: Range::Whole { min: 0, max: 10_000, step: 10 },
                help: "least duration of an evaluation in microseconds of wall time: stands for costlier playouts when threads are measured; 0: none",
                source: "Zhang and Meng 2020",
                experimental: true,
            }
            opponent_model: ModelPlayer = "opponent-model" {
                default: "off",
                help: "after each move at the root, only the reply that this player predicts is searched: greedy; uct, plain; pvs; or the NAME of any other player or engine. Its time and playouts count (needs proof=off,reuse=none)",
                source: "a report of 2019 (experiments/published)",
                experimental: true,
                conflicts: [
                    |config| conflict(
                        config.opponent_model != ModelPlayer::Off && config.proof != Proof::Off,
                        format!("opponent-model={}", config.opponent_model.word()),
                        "proof=off with it, for nothing is proven where replies are left out", "add proof=off",
                    ),
                    |config| conflict(
                        config.opponent_model != ModelPlayer::Off && config.reuse != Reuse::None,
                        format!("opponent-model={}", config.opponent_model.word()),
                        "reuse=none with it, for replies left out would be missing at the next move", "add reuse=none",
                    ),
                    |config| conflict(
                        config.opponent_model == ModelPlayer::Player && config.threads > 1,
                        format!("opponent-model=NAME,threads={}", config.threads),
                        "one thread with it", "leave threads out, or try opponent-model=uct",
                    ),
                ],
            }
            // Guess, untuned.
            opponent_model_budget: u32 = "opponent-model-budget" {
                default: "4",
                range: Range::Whole { min: 1, max: 20, step: 1 },
                help: "budget of the opponent model for one reply: plies of pvs and other alpha-beta searches, units of 10 ms of engines, hundreds of playouts of others",
                source: "a report of 2019 (experiments/published)",
                experimental: true,
            }
            root_bias_depth: u32 = "root-bias-depth" {
                default: "0",
                range: Range::Whole { min: 0, max: 20, step: 1 },
                help: "plies of an alpha-beta search of the root whose best move gets a bonus; it ends after 30,000 positions with the last finished depth; 0: none",
                source: "a report of 2024, 6 (experiments/published)",
                experimental: true,
            }
            // The report adds 1000 to simulations that end with the move, where a win by d points is 50 + d: 9 to 20 wins.
            root_bias: f32 = "root-bias" {
                default: "15",
                range: Range::Real { min: 0.0, max: 1000.0, step: 5.0 },
                help: "that bonus, in rewards; with root-bias-at=root it is divided by the move's visits and one",
                source: "a report of 2024 (experiments/published)",
                experimental: true,
            }
            // The report stops where 28 of 64 squares are taken, of which 4 are at the start: (28 - 4) / 60.
            root_bias_until: f32 = "root-bias-until" {
                default: "0.4",
                range: Range::Real { min: 0.0, max: 1.0, step: 0.1 },
                help: "phase of the game up to which there is a bonus: 0 at the start, 1 at the end",
                source: "a report of 2024 (experiments/published)",
                experimental: true,
            }
            root_bias_at: RootBiasAt = "root-bias-at" {
                default: "root",
                help: "what gets it: root, that move in the selection and final choice at the root; child, undivided, each simulation that ends with that move at the root; leaves, undivided, each simulation whose last move is that one, at any depth (as coded). With child and leaves, root-bias-until applies to the phase of the position in which the simulation ends",
                source: "a report of 2024 (experiments/published)",
                experimental: true,
            }
            square_weights: SquareWeights = "square-weights" {
                default: "off",
                range: Range::SquareWeights,
                help: "static evaluation by the squares owned, in place of the game's: the weights of the squares, row by row from the top left; for games on 64 squares that can be evaluated so",
                source: "a report of 2024 (experiments/published)",
                experimental: true,
            }
            near_tie: f32 = "near-tie" {
                default: "0",
                range: Range::Real { min: 0.0, max: 1.0, step: 0.01 },
                help: "final move: among moves whose mean (UCB with final=ucb) is within this share of the reward's range of the chosen one, that of the heaviest square",
                source: "a report of 2024 (experiments/published)",
                experimental: true,
                conflicts: [|config| conflict(
                    config.near_tie > 0.0 && config.square_weights.weights().is_none(),
                    format!("near-tie={}", config.near_tie),
                    "square-weights with it", "add square-weights, or leave near-tie out",
                )],
            }
            take_weight: u32 = "take-weight" {
                default: "0",
                range: Range::Whole { min: 0, max: 32_767, step: 1 },
                help: "final move: one whose square weighs at least this, if there is any; 0: no such rule",
                source: "a report of 2024: corners",
                experimental: true,
                conflicts: [|config| conflict(
                    config.take_weight > 0 && config.square_weights.weights().is_none(),
                    format!("take-weight={}", config.take_weight),
                    "square-weights with it", "add square-weights, or leave take-weight out",
                )],
            }
            lazy_expansion: f32 = "lazy-expansion" {
                default: "0",
                range: Range::Real { min: 0.0, max: 0.95, step: 0.1 },
                help: "probability that a node with visited and unvisited children expands none of them (see lazy-mode)",
                source: "a report of 2024: 0.5",
                experimental: true,
            }
            lazy_mode: LazyMode = "lazy-mode" {
                default: "descend",
                help: "what it does instead: descend, select a visited child; resample, evaluate a random visited child once more",
                source: "a report of 2024: resample",
                experimental: true,
            }
            top: u32 = "top" {
                default: "0",
                range: Range::Whole { min: 0, max: 1_000_000_000, step: 10000 },
                help: "stop when one move has had the most visits for so many playouts; 0: never",
                source: "Zhang and Meng 2020",
                experimental: true,
            }
        }
    };
}

/// Declares a table of the settings of an alpha-beta search in the same way.
macro_rules! with_published_alpha_beta_rows {
    ($($table:tt)*) => {
        $crate::options::tunables! {
            $($table)*

            depth_schedule: Schedule = "depth-schedule" {
                default: "off",
                range: Range::Schedule,
                help: "greatest depth by the phase of the game, rounded to whole plies: 0:2/1:6 rises evenly from 2 at the start to 6 at the end; the lower one counts where depth is set too",
                source: "Zhang and Meng 2020",
                experimental: true,
            }
            eval_noise: f32 = "eval-noise" {
                default: "0",
                range: Range::Real { min: 0.0, max: 1000.0, step: 1.0 },
                help: "points that the evaluations margin and static are wrong by at most: an error for each position, uniform between this and its negative",
                source: "Zhang and Meng 2020, an argument made an experiment",
                experimental: true,
            }
            // The maximum still lets a search stop within 50 ms: it looks for a stop every 256 positions.
            pad: u32 = "pad" {
                default: "0",
                range: Range::Whole { min: 0, max: 1_000, step: 10 },
                help: "least duration of a static evaluation in microseconds of wall time: stands for costlier evaluations when threads are measured; 0: none",
                source: "Zhang and Meng 2020",
                experimental: true,
            }
            lock: Locking = "lock" {
                default: "never",
                help: "common lock of the threads: never; updates, one for all updates of the table",
                source: "Zhang and Meng 2020",
                experimental: true,
            }
        }
    };
}

pub(crate) use {with_published_alpha_beta_rows, with_published_rows};
