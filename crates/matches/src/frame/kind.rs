//! The kinds of what is played in a folder: match, sweep, ablation, tuning, rating and ladder.

use std::fmt;
use std::path::Path;

use banyan_catalog::Catalog;
use banyan_core::TextError;

use crate::config::MatchConfig;
use crate::ladder::is_ladder;

/// The kind of what is played in a folder. All kinds are stored as matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A match between players.
    Match,
    /// The values of a setting against the same opponent.
    Sweep,
    /// Variants of a player against it.
    Ablation,
    /// Settings that are chosen from the results so far.
    Tuning,
    /// Pairings that are chosen from the results so far.
    Rating,
    /// A player against the levels of a game.
    Ladder,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] = [Kind::Match, Kind::Sweep, Kind::Ablation, Kind::Tuning, Kind::Rating, Kind::Ladder];

    /// The kind of a configuration.
    pub fn of(config: &MatchConfig, catalog: &Catalog) -> Kind {
        if config.rating.is_some() {
            Kind::Rating
        } else if config.tune.is_some() {
            Kind::Tuning
        } else if config.sweep.is_some() {
            Kind::Sweep
        } else if config.ablation.is_some() {
            Kind::Ablation
        } else if is_ladder(config, catalog.tables(&config.game).as_ref()) {
            Kind::Ladder
        } else {
            Kind::Match
        }
    }

    /// Whether it is about its first player, whose lost games are listed.
    pub fn lists_lost_games(self) -> bool {
        matches!(self, Kind::Match | Kind::Ladder)
    }

    /// The subcommand of `banyan` that plays this kind.
    pub fn command(self) -> &'static str {
        match self {
            Kind::Match => "match",
            Kind::Sweep => "sweep",
            Kind::Ablation => "ablate",
            Kind::Tuning => "tune",
            Kind::Rating => "rate",
            Kind::Ladder => "ladder",
        }
    }

    /// The folder in which new folders of this kind are created by default.
    pub fn home(self) -> &'static str {
        match self {
            Kind::Match => "banyan-matches",
            Kind::Sweep => "banyan-sweeps",
            Kind::Ablation => "banyan-ablations",
            Kind::Tuning => "banyan-tunings",
            Kind::Rating => "banyan-ratings",
            Kind::Ladder => "banyan-ladders",
        }
    }

    /// The file of the result in the folder.
    pub fn result(self) -> &'static str {
        match self {
            Kind::Match => "summary.json",
            Kind::Sweep => "sweep.json",
            Kind::Ablation => "ablation.json",
            Kind::Tuning => "tune.json",
            Kind::Rating => "rating.json",
            Kind::Ladder => "ladder.json",
        }
    }

    /// The page of the result in the folder; that of a match is written on request only, since it grows with the games.
    pub fn page(self) -> Option<&'static str> {
        (self != Kind::Match).then_some("report.html")
    }

    /// The picture of the result in the folder; of other kinds it is written on request.
    pub fn picture(self) -> Option<&'static str> {
        match self {
            Kind::Sweep => Some("sweep.svg"),
            Kind::Ablation => Some("ablation.svg"),
            Kind::Match | Kind::Tuning | Kind::Rating | Kind::Ladder => None,
        }
    }

    /// The folder of a second stage within that of the first.
    pub fn second_stage(self) -> Option<&'static str> {
        match self {
            Kind::Sweep => Some("finer"),
            Kind::Tuning => Some("confirm"),
            Kind::Match | Kind::Ablation | Kind::Rating | Kind::Ladder => None,
        }
    }

    /// Whether the number of pairs may be raised after the start.
    pub fn may_grow(self) -> bool {
        matches!(self, Kind::Match | Kind::Sweep | Kind::Ablation)
    }

    /// The noun with its article, such as `a tuning`.
    pub fn with_article(self) -> String {
        format!("{} {self}", if self == Kind::Ablation { "an" } else { "a" })
    }

    /// Checks that what is stored in the folder `path` is of this kind. A ladder is played as a match too.
    ///
    /// # Errors
    /// It is of another kind; the error names its command.
    pub fn check(self, stored: Kind, path: &Path) -> Result<(), TextError> {
        if self == stored || (self, stored) == (Kind::Match, Kind::Ladder) {
            return Ok(());
        }
        let remedy = format!("use `banyan {} --resume`, or another folder", stored.command());
        Err(TextError::new(
            path.display().to_string(),
            format!("expected {}, found {}", self.with_article(), stored.with_article()),
            remedy,
        ))
    }
}

/// The noun, such as `tuning`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Match => "match",
            Kind::Sweep => "sweep",
            Kind::Ablation => "ablation",
            Kind::Tuning => "tuning",
            Kind::Rating => "rating",
            Kind::Ladder => "ladder",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_kind_is_refused_with_its_command() {
        let path = Path::new("dir");
        for expected in Kind::ALL {
            for found in Kind::ALL {
                let checked = expected.check(found, path).map_err(|err| err.to_string());
                if expected == found || (expected, found) == (Kind::Match, Kind::Ladder) {
                    assert_eq!(checked, Ok(()));
                    continue;
                }
                let remedy = format!("use `banyan {} --resume`, or another folder", found.command());
                assert_eq!(
                    checked,
                    Err(format!("dir: expected {}, found {}; {remedy}", expected.with_article(), found.with_article()))
                );
            }
        }
    }
}
