//! `banyan games`: lists the games.

use std::io::Write;

use anyhow::Result;

use crate::terminal::Terminal;
use crate::{Exit, builtin, table};

pub(crate) fn run(terminal: &mut Terminal) -> Result<Exit> {
    let mut lines = table::table(&["game", "rules and options"]);
    for family in builtin::catalog().families() {
        lines.add_row([family.name, family.summary]);
    }
    write!(terminal.out, "{}", table::text(&lines))?;
    writeln!(terminal.out, "\nWrite options after a colon, separated by commas: connect-four:10x11,hole=d3")?;
    Ok(Exit::Done)
}
