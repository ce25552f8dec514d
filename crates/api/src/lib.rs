//! The answers of Banyan's page: each is a function from a request to an answer. Requests and answers are serde types;
//! docs/web-api.md describes them as JSON.
//!
//! A transport (an HTTP server, a web worker) reads requests, runs long work on a thread or in slices, and sends the
//! events that arrive in its [`Sink`]. Here is no transport, no thread, no clock, no lock and no file. No games are
//! stored: a game is its specification and its moves, which the page holds.
//!
//! Long work is first checked ([`Search::new`], [`Solving::new`], [`Reviewing::new`]), then run.

mod about;
mod analysis;
mod edit;
mod export;
mod import;
mod kept;
mod offer;
mod refusal;
mod review;
mod sink;
mod solve;
mod spot;
mod state;
mod title;

pub use about::{About, GamePlayerView, GameView, LevelView, SizesView, UnitView, about};
pub use analysis::{AnalysisView, End, RunningSearch, Search, SearchRequest};
/// The ASCII character for a full-width one, as the command reads typed text.
pub use banyan_formats::half_width;
pub use edit::{EditRequest, EditedView, edit};
pub use export::{DrawRequest, FormView, WriteRequest, WrittenView, draw, write};
pub use import::{ImportRequest, ImportedView, RecordView, import, import_file};
pub use kept::{Kept, SearchTree, TreeView};
pub use offer::Offer;
pub use refusal::{Code, Refusal};
pub use review::{ReviewProgress, ReviewRequest, Reviewing, RunningReview};
pub use sink::{Sink, Step};
pub use solve::{SolveRequest, Solving, SolvingView};
pub use spot::Spot;
pub use state::{After, At, CellView, EdgeView, LegalView, PictureView, PlayedView, ResultView, StateView, state};
