//! The configuration of a match as a table, with which every report begins.

use super::report::{Report, Sheet};
use crate::config::{MatchConfig, MatchFormat};

impl Report {
    /// A report in English with nothing but its configuration.
    pub(super) fn new(heading: impl Into<String>, config: &MatchConfig) -> Report {
        let heading = heading.into();
        Report {
            language: "en",
            title: heading.clone(),
            heading,
            facts: Vec::new(),
            notes: Vec::new(),
            warnings: Vec::new(),
            sheets: Vec::new(),
            lost: None,
            short: None,
            answer: Vec::new(),
            sections: Vec::new(),
            configuration: configuration(config),
            boards: None,
            picture: Vec::new(),
        }
    }
}

/// The last table of every page.
fn configuration(config: &MatchConfig) -> Sheet {
    let format = match config.format {
        MatchFormat::RoundRobin => "round robin",
        MatchFormat::Gauntlet => "gauntlet",
        MatchFormat::Sweep => "sweep",
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut add = |name: &str, value: String| rows.push(vec![name.to_owned(), value]);
    add("game", config.game.clone());
    add("format", format.to_owned());
    add("openings", config.openings.clone());
    add("seed", config.seed.to_string());
    add("clock", format!("{:?} time, {} ms margin", config.clock, config.margin_ms).to_lowercase());
    match &config.rating {
        None => add("pairs per pairing", config.pairs.to_string()),
        Some(rating) => {
            add("pairs in all", format!("at most {}, chosen by what they tell", rating.pairs));
            add("rating 0", rating.anchor.clone().unwrap_or_else(|| "the mean of all players".to_owned()));
        }
    }
    if let Some(test) = &config.sprt {
        let rates = format!("error rates {} and {}", test.alpha, test.beta);
        add("sequential test", format!("{} against {} normalised Elo, {rates}", test.elo0, test.elo1));
    }
    if let Some(shard) = &config.shard {
        add("shard", shard.clone());
    }
    for player in &config.players {
        add("player", format!("{}: {}, budget {}", player.name, player.player, player.budget));
    }
    let made = &config.made_by;
    add("played by", format!("Banyan {} on {}, {} cores", made.version, made.system, made.cores));
    let sheet = Sheet::new("Configuration", &[] as &[&str], rows);
    Sheet { class: "settings", ..sheet }
}
