//! The subcommands that play games into a folder: small implementations of [`FolderCommand`](crate::frame::FolderCommand),
//! and `merge`.

mod ablate;
mod ablate_args;
mod estimate;
mod ladder;
mod loss_review;
mod match_;
pub(crate) mod match_args;
pub(crate) mod merge;
mod rate;
mod rate_args;
mod sweep;
mod sweep_args;
mod tune;
mod tune_args;

pub(crate) use ablate_args::AblateArgs;
pub(crate) use ladder::LadderArgs;
pub(crate) use match_args::MatchArgs;
pub(crate) use rate_args::RateArgs;
pub(crate) use sweep_args::SweepArgs;
pub(crate) use tune_args::TuneArgs;
