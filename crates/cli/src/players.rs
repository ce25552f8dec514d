//! `banyan players`: who can play, and everything that can be set on them.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::{ALPHA_BETA_TUNABLES, Catalog, PRESETS, TUNABLES, Tunable};

use crate::terminal::Terminal;
use crate::{Exit, table};

pub(crate) fn run(terminal: &mut Terminal) -> Result<Exit> {
    let mut lines = table::table(&["player", "what it does"]);
    lines.add_row(["human", "a person at the terminal, in `banyan play` only"]);
    for preset in PRESETS {
        lines.add_row([preset.name, preset.summary]);
    }
    lines.add_row(["NAME", "an engine of engines.toml, see `banyan engines`"]);
    write!(terminal.out, "{}", table::text(&lines))?;
    settings(terminal, TUNABLES, "uct:c=0.8,final=mean")?;
    strong_settings(terminal)?;
    settings(terminal, ALPHA_BETA_TUNABLES, "pvs:depth=6,eval=standing")?;
    Ok(Exit::Done)
}

fn settings(terminal: &mut Terminal, rows: &[Tunable], example: &str) -> Result<()> {
    let takers = PRESETS.iter().filter(|preset| preset.settings == rows).map(|preset| preset.name);
    writeln!(terminal.out, "\nSettings of {}, as in {example}:", takers.collect::<Vec<_>>().join(", "))?;
    let mut lines = table::table(&["name", ">default", "values", "meaning"]);
    for row in rows {
        lines.add_row([row.name, row.default, &row.range.to_string(), row.meaning]);
    }
    write!(terminal.out, "{}", table::text(&lines))?;
    Ok(())
}

/// What players that suit their game set by themselves.
fn strong_settings(terminal: &mut Terminal) -> Result<()> {
    let suiting = PRESETS.iter().filter(|preset| preset.suits_its_game).map(|preset| preset.name);
    let suiting = suiting.collect::<Vec<_>>().join(", ");
    for family in Catalog::builtin().families() {
        for (i, settings) in family.strong_settings.iter().enumerate() {
            let settings: Vec<String> = settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let when = if i == 0 { "as far as nothing else is set" } else { "if that does not go together, this" };
            writeln!(terminal.out, "In {}, {suiting} has, {when}: {}", family.name, settings.join(","))?;
        }
    }
    Ok(())
}
