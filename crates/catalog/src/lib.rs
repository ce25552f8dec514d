//! Converts between text and types: games, players and budgets by name, sessions that hide the type of the game, and the
//! serialised form of all output.

pub mod accuracy;
pub mod book;
mod budget;
pub mod descriptors;
mod engine;
pub mod exploration;
pub mod exports;
mod external_engine;
mod external_player;
pub mod frame;
mod game_state;
mod kept_engine;
pub mod ladder;
mod logged_engine;
pub mod matches;
mod means;
pub mod measure;
mod opening_judge;
mod opening_set;
mod players;
mod random_playouts;
pub mod rating;
mod record;
mod registry;
pub mod review;
mod scored_position;
mod session;
pub mod storage;
pub mod strength;
mod suggest;
mod svg;
pub mod sweep;
pub mod training;
pub mod tune;
mod typed_game;
mod typed_session;
pub mod view;

pub use banyan_search::{ALPHA_BETA_TUNABLES, EVALUATORS, Goal, SOLVER_TUNABLES, TUNABLES, TrainingTask, Tunable};
pub use budget::Budget;
pub use engine::{BoardSizes, CountPoints, GameTables, PointUnit, Searches, owned_cells};
pub use external_engine::{Answer, Direction, EngineLog, ExternalEngine, RunningEngine, Stopped, quoted};
pub use game_state::{GameState, Opening};
pub use means::Means;
pub use opening_judge::{JudgeKind, OpeningJudge};
pub use opening_set::{MadeOpening, NoOpening, OpeningMaker};
pub use players::{
    DEFAULT_PLAYER, EngineFinder, GamePreset, HANDICAPS, LEVELS, Level, PRESETS, PlayerCaps, PlayerSpec, Players,
    Preset,
};
pub use record::Record;
pub use registry::{AnyGame, Catalog, Family, Maker, any_game};
pub use scored_position::ScoredPosition;
pub use session::{AnalysisObserver, Seat, Session};
pub use storage::{FileError, LARGEST_TEXT, read_bytes, read_record, read_text, read_text_from};
pub use suggest::did_you_mean;
pub use svg::{svg, svg_with_structure};
