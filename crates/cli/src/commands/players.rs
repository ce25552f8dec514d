//! `banyan players`: the players and their settings, in 80 columns.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::view::json_line;
use banyan_catalog::{
    ALPHA_BETA_TUNABLES, Catalog, EVALUATORS, GameTables, HANDICAPS, LEVELS, PRESETS, Preset, SOLVER_TUNABLES,
    TUNABLES, Tunable, players,
};

use crate::Exit;
use crate::output::terminal::Terminal;
use crate::output::wrap::{wrapped, wrapped_settings};

/// The arguments of `banyan players`.
#[derive(Debug, clap::Args)]
pub(crate) struct PlayersArgs {
    /// Print one JSON object per player (docs/json.md).
    #[arg(long)]
    json: bool,
}

/// Indent of the text about a player.
const INDENT: &str = "           ";

pub(crate) fn run(args: &PlayersArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    if args.json {
        for player in players(catalog) {
            writeln!(terminal.out, "{}", json_line(&player))?;
        }
        return Ok(Exit::Done);
    }
    for (name, summary) in [("human", "a person at the terminal (only in `banyan play`)")]
        .into_iter()
        .chain(PRESETS.iter().map(|preset| (preset.name, preset.summary)))
        .chain([("level-N", "one of ten levels of known strength, level-1 .. level-10 (below)")])
        .chain([("NAME", "an external engine of engines.toml (see `banyan engines`)")])
    {
        wrapped(terminal, &format!("{name:<width$} ", width = INDENT.len() - 1), INDENT, summary)?;
    }
    game_presets(catalog, terminal)?;
    writeln!(terminal.out, "\nSettings of all players but vote, as in best:book=FILE:")?;
    for (name, values, help) in HANDICAPS {
        wrapped(terminal, "  ", "    ", &format!("{name}  ({values})"))?;
        wrapped(terminal, "      ", "      ", help)?;
    }
    wrapped(terminal, "  ", "    ", "book=off  (off, or the file of a book)")?;
    wrapped(terminal, "      ", "      ", "opening book to move from where it has the position (see `banyan book`)")?;
    settings(terminal, TUNABLES, "uct:c=0.8,final=max")?;
    settings(terminal, ALPHA_BETA_TUNABLES, "pvs:depth=6,eval=margin")?;
    settings(terminal, SOLVER_TUNABLES, "solver:from=40,opening=mcgs")
}

/// The settings of one table, with the experimental ones last.
fn settings(terminal: &mut Terminal, rows: &[Tunable], example: &str) -> Result<Exit> {
    let takers: Vec<&Preset> = PRESETS.iter().filter(|preset| preset.settings == rows).collect();
    let names: Vec<&str> = takers.iter().map(|preset| preset.name).collect();
    writeln!(terminal.out)?;
    wrapped(terminal, "", "", &format!("Settings of {}, as in {example}:", names.join(", ")))?;
    for preset in takers.iter().filter(|preset| !preset.needs_its_game) {
        let own = rows.iter().map(|row| (row, preset.default_of(row))).filter(|(row, own)| *own != row.default);
        let own: Vec<String> = own.map(|(row, own)| format!("{}={own}", row.name)).collect();
        if !own.is_empty() {
            wrapped_settings(terminal, "  ", "    ", &format!("by default {}:{}", preset.name, own.join(",")))?;
        }
    }
    rows.iter().filter(|row| !row.experimental).try_for_each(|row| setting(terminal, row))?;
    if rows.iter().any(|row| row.experimental) {
        writeln!(terminal.out, "\nExperimental settings, each used by one published engine or study:")?;
        rows.iter().filter(|row| row.experimental).try_for_each(|row| setting(terminal, row))?;
    }
    Ok(Exit::Done)
}

fn setting(terminal: &mut Terminal, row: &Tunable) -> Result<()> {
    wrapped(terminal, "  ", "    ", &format!("{}={}  ({})", row.name, row.default, row.range))?;
    let source = if row.source.is_empty() { String::new() } else { format!(" [{}]", row.source) };
    wrapped(terminal, "      ", "      ", &format!("{}{source}", row.help))
}

/// The definition of the presets that each game tunes, and its own evaluators.
fn game_presets(catalog: &Catalog, terminal: &mut Terminal) -> Result<()> {
    for family in catalog.families() {
        let tables = &family.tables;
        let evidence = if tables.evidence.is_empty() { String::new() } else { format!(" ({})", tables.evidence) };
        writeln!(terminal.out, "\nbest in {} is {}{evidence}.", family.name, tables.best)?;
        for preset in tables.presets {
            let which = match preset.variants {
                [_] => "",
                _ => " (the first variant compatible with the other settings)",
            };
            writeln!(terminal.out, "{} in {}{which}:", preset.name, family.name)?;
            for variant in preset.variants {
                wrapped_settings(terminal, "  ", "    ", variant)?;
            }
        }
        let own = catalog.game(family.name)?.evaluators();
        for (name, meaning) in own.into_iter().filter(|own| !EVALUATORS.contains(own)) {
            wrapped(terminal, "", "  ", &format!("eval={name} in {}: {meaning}", family.name))?;
        }
        levels(family.name, tables, terminal)?;
    }
    Ok(())
}

/// The levels of a game.
fn levels(game: &str, tables: &GameTables, terminal: &mut Terminal) -> Result<()> {
    if tables.levels.is_empty() {
        return Ok(());
    }
    writeln!(terminal.out, "levels of {game}, in Elo above random (experiments/ratings):")?;
    for (i, (level, name)) in tables.levels.iter().zip(LEVELS).enumerate() {
        let also = level.also.map_or_else(String::new, |also| format!(", {also}"));
        let facts = match i.checked_sub(1) {
            None => String::new(),
            Some(below) => {
                let score = 100.0 * level.expected_score(tables.levels[below].elo);
                format!(", beats {} in {score:.0} %", LEVELS[below])
            }
        };
        writeln!(terminal.out, "  {name}{also}: {:+}{facts}", level.elo)?;
    }
    Ok(())
}
