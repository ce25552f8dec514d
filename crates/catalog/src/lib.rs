//! Converts between text and types: games, players and budgets by name, sessions that hide the type of the game, pairs of games,
//! opening books, JSON views of analyses, and files that survive a crash.

mod analysis;
mod board_range;
pub mod book;
mod budget;
pub mod descriptors;
pub mod exploration;
mod external_engine;
mod external_player;
mod game_state;
mod kept_engine;
pub mod learnable;
mod logged_engine;
mod means;
mod move_proofs;
mod opening_judge;
mod opening_names;
mod opening_set;
pub mod pairs;
pub mod player_list;
mod players;
mod random_playouts;
mod record;
mod registry;
mod scored_position;
mod searches;
mod session;
pub mod storage;
pub mod strength;
mod suggest;
mod svg;
pub mod view;

pub use banyan_inference::TrainingTask;
pub use banyan_search::{ALPHA_BETA_TUNABLES, EVALUATORS, Goal, SOLVER_TUNABLES, TUNABLES, Tunable, prove};
pub use board_range::{BoardRange, playable};
pub use budget::Budget;
pub use external_engine::{Answer, Direction, EngineLog, ExternalEngine, RunningEngine, Stopped, quoted};
pub use game_state::{GameState, Opening};
pub use kept_engine::KeptEngines;
pub use means::{Means, proof_limits};
pub use move_proofs::MoveProofs;
pub use opening_judge::{JudgeKind, OpeningJudge};
pub use opening_names::{NamedOpening, OpeningNames};
pub use opening_set::{MadeOpening, NoOpening, OpeningMaker};
pub use player_list::{LevelView, PlayerView, SettingView, players};
pub use players::{
    BoardSizes, BoardStyle, CountPoints, DEFAULT_PLAYER, EVAL, EngineFinder, Entry, EvalSetting, GamePreset,
    GameTables, HANDICAPS, LEVELS, Level, PRESETS, PlayerCaps, PlayerSpec, Players, PointUnit, Preset, SignatureSearch,
    UNLEARNED, owned_cells,
};
pub use record::Record;
pub use registry::{AnyGame, Catalog, Family, Maker};
pub use scored_position::{ScoredPosition, Start};
pub use session::{AnalysisObserver, KeptProver, Seat, Session, SolverBook, StopWhen};
pub use storage::{FileError, LARGEST_TEXT, read_bytes, read_record, read_text, read_text_from};
pub use suggest::did_you_mean;
pub use svg::{BoardPieces, escape, pieces, svg, svg_with_caption, svg_with_structure};
