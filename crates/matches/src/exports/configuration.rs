//! The configuration of a match as a table, with which every report begins.

use std::fmt::Display;

use banyan_texts::Language;

use super::report::{Report, Sheet};
use crate::config::{ClockKind, MatchConfig, MatchFormat};

impl Report {
    /// A report with nothing but its configuration.
    pub(super) fn new(heading: impl Into<String>, config: &MatchConfig, language: Language) -> Report {
        let heading = heading.into();
        Report {
            language,
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
            configuration: configuration(config, language),
            boards: None,
            picture: Vec::new(),
        }
    }
}

/// The last table of every page.
fn configuration(config: &MatchConfig, language: Language) -> Sheet {
    let text = |key: &str| language.say(key, &[]);
    let format = match config.format {
        MatchFormat::RoundRobin => text("report.round-robin"),
        MatchFormat::Gauntlet => text("report.gauntlet"),
        MatchFormat::Sweep => text("report.sweep"),
        MatchFormat::Ablation => text("report.ablation"),
    };
    let clock = match config.clock {
        ClockKind::Wall => text("report.wall"),
        ClockKind::Cpu => text("report.cpu"),
    };
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut add = |key: &str, value: String| rows.push(vec![text(key), value]);
    add("report.game", config.game.clone());
    add("report.format", format);
    add("report.openings", config.openings.clone());
    add("report.seed", config.seed.to_string());
    add("report.clock", language.say("report.clock-is", &[("kind", &clock), ("n", &config.margin_ms)]));
    match &config.rating {
        None => add("report.pairs", config.pairs.to_string()),
        Some(rating) => {
            add("report.pairs-in-all", language.say("report.at-most", &[("n", &rating.pairs)]));
            add("report.rating-zero", rating.anchor.clone().unwrap_or_else(|| text("report.mean")));
        }
    }
    if let Some(test) = &config.sprt {
        let params: [(&str, &dyn Display); 4] =
            [("h0", &test.elo0), ("h1", &test.elo1), ("alpha", &test.alpha), ("beta", &test.beta)];
        add("report.test", language.say("report.hypotheses", &params));
    }
    if let Some(shard) = &config.shard {
        add("report.shard", shard.clone());
    }
    for player in &config.players {
        let params: [(&str, &dyn Display); 3] =
            [("name", &player.name), ("player", &player.player), ("budget", &player.budget)];
        add("report.player", language.say("report.player-is", &params));
    }
    let made = &config.made_by;
    let params: [(&str, &dyn Display); 3] =
        [("version", &made.version), ("system", &made.system), ("cores", &made.cores)];
    add("report.played-by", language.say("report.made-by", &params));
    let sheet = Sheet::new(text("report.configuration"), &[] as &[&str], rows);
    Sheet { class: "settings", ..sheet }
}
