//! Between text and types: games, players and budgets by name, sessions that hide the type of the game, and the form
//! of everything that is written for other programs to read.

mod budget;
mod engine;
pub mod exploration;
pub mod exports;
mod external_player;
mod foreign;
mod game_state;
pub mod matches;
pub mod measure;
mod near_miss;
mod opening_set;
mod players;
mod record;
mod registry;
mod session;
mod sitting;
pub mod strength;
mod svg;
mod typed_game;
pub mod view;

pub use banyan_search::{ALPHA_BETA_TUNABLES, TUNABLES, Tunable};
pub use budget::Budget;
pub use engine::GameTables;
pub use foreign::{Answer, Foreign, ForeignPlayer, Stopped, quoted};
pub use game_state::{GameState, Opening};
pub use near_miss::did_you_mean;
pub use opening_set::{MadeOpening, NoOpening, OpeningJudge, OpeningMaker};
pub use players::{EngineFinder, GamePreset, PRESETS, PlayerSpec, Players, Preset};
pub use record::Record;
pub use registry::{AnyGame, Catalog, Family, Maker, any_game};
pub use session::{Means, Onlooker, Seat, Session};
pub use svg::svg;
