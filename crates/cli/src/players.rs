//! `banyan players`: who can play, and everything that can be set on them.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::{PRESETS, TUNABLES};

use crate::terminal::Terminal;
use crate::{Exit, table};

pub(crate) fn run(terminal: &mut Terminal) -> Result<Exit> {
    let mut lines = table::table(&["player", "what it does"]);
    lines.add_row(["human", "a person at the terminal, in `banyan play` only"]);
    for preset in PRESETS {
        lines.add_row([preset.name, preset.summary]);
    }
    write!(terminal.out, "{}", table::text(&lines))?;
    let tunable: Vec<&str> = PRESETS.iter().filter(|preset| preset.tunable).map(|preset| preset.name).collect();
    writeln!(terminal.out, "\nSettings of {}, as in uct:c=0.8,final=mean:", tunable.join(", "))?;
    let mut lines = table::table(&["name", ">default", "values", "meaning"]);
    for row in TUNABLES {
        lines.add_row([row.name, row.default, &row.range.to_string(), row.meaning]);
    }
    write!(terminal.out, "{}", table::text(&lines))?;
    Ok(Exit::Done)
}
