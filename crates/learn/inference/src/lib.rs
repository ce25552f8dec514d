//! What a game needs to use weights that were learned: [features](Features) of positions and [of moves](MoveFeatures), a small
//! [network](MoveNetwork) in integers, and [files of weights](Weights) with a fingerprint. The weights of a
//! built-in game are [in the program or loaded later](WeightFile).
//!
//! It also has what games, self-play and fits pass to each other: the [tasks](TrainingTask) by which a game names what can be learned, and
//! [samples](Samples) of positions. The fits are in `banyan-fit`.

mod features;
mod learnable;
mod move_network;
mod network_size;
mod samples;
mod task;
mod weight_file;
mod weights;

pub use features::{Features, MoveFeatures};
pub use learnable::Learnable;
pub use move_network::{MoveNetwork, NETWORK_LANES, network_bytes, network_units};
pub use network_size::NetworkSize;
pub use samples::{Sample, Samples};
pub use task::{Target, TrainingTask, WeightForm};
pub use weight_file::WeightFile;
pub use weights::{Fingerprint, Weights, Width};
