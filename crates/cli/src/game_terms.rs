//! The arguments that `match`, `rate` and `ladder` share: how their games are played.

use banyan_catalog::matches::OpeningSpec;
use clap::Args;

use crate::match_args::{Clock, Margin};

/// How games are played, besides their budgets.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct GameTerms {
    /// Clock that measures thinking time: wall time, or CPU time of the player's thread [default: wall].
    #[arg(long, value_name = "CLOCK")]
    pub(crate) clock: Option<Clock>,

    /// Time by which a player may exceed its budget without losing the game [default: 100ms].
    #[arg(long, value_name = "TIME")]
    pub(crate) margin: Option<Margin>,

    /// Games played in parallel [default: number of cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) jobs: Option<u32>,

    /// Random seed [default: 1].
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,

    /// Openings: none, random:plies=N, balanced:plies=N (random moves, kept if a short search finds them balanced), or
    /// file:PATH with one opening per line [default: balanced].
    #[arg(long, value_name = "SPEC")]
    pub(crate) openings: Option<OpeningSpec>,
}

impl GameTerms {
    /// An option given beside `--resume` but without the game, which would have no effect.
    pub(crate) fn ineffective_option(&self) -> Option<&'static str> {
        let given = [
            (self.clock.is_some(), "--clock"),
            (self.margin.is_some(), "--margin"),
            (self.seed.is_some(), "--seed"),
            (self.openings.is_some(), "--openings"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, name)| name)
    }
}
