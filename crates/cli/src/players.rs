//! `banyan players`: who can play, and everything that can be set on them.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::{ALPHA_BETA_TUNABLES, PRESETS, TUNABLES, Tunable};

use crate::terminal::Terminal;
use crate::{Exit, builtin, table};

pub(crate) fn run(terminal: &mut Terminal) -> Result<Exit> {
    let mut lines = table::table(&["player", "what it does"]);
    lines.add_row(["human", "a person at the terminal, in `banyan play` only"]);
    for preset in PRESETS {
        lines.add_row([preset.name, preset.summary]);
    }
    lines.add_row(["NAME", "an engine of engines.toml, see `banyan engines`"]);
    write!(terminal.out, "{}", table::text(&lines))?;
    settings(terminal, TUNABLES, "uct:c=0.8,final=mean")?;
    game_presets(terminal)?;
    settings(terminal, ALPHA_BETA_TUNABLES, "pvs:depth=6,eval=margin")?;
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

/// What presets are in each game.
fn game_presets(terminal: &mut Terminal) -> Result<()> {
    for family in builtin::catalog().families() {
        for preset in family.tables.presets {
            for (i, variant) in preset.variants.iter().enumerate() {
                let when = if i == 0 { "as far as nothing else is set" } else { "if that does not go together, this" };
                writeln!(terminal.out, "In {}, {} is, {when}: {variant}", family.name, preset.name)?;
            }
        }
    }
    Ok(())
}
