//! `banyan players`: the players and their settings, in 80 columns.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::book::BuiltInBook;
use banyan_catalog::view::json_line;
use banyan_catalog::{
    ALPHA_BETA_TUNABLES, Catalog, DEFAULT_PLAYER, EVALUATORS, Family, GamePreset, GameTables, HANDICAPS, LEVELS,
    LevelView, PRESETS, PlayerView, Preset, SOLVER_TUNABLES, TUNABLES, Tunable, did_you_mean, players,
};
use banyan_core::TextError;

use crate::Exit;
use crate::input::engine_file::EngineFile;
use crate::output::terminal::Terminal;
use crate::output::wrap::{wrapped, wrapped_settings};

const EXAMPLES: &str = "\
Examples:
  banyan players                               all players and settings
  banyan players reversi                       the players of a game
  banyan players pvs                           one player and its settings
  banyan players level-3                       what a level plays in each game";

/// The arguments of `banyan players`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PlayersArgs {
    /// Only the players of this game, or only this player or engine.
    #[arg(value_name = "GAME|PLAYER")]
    game_or_player: Option<String>,

    /// Print one JSON object per player (docs/json.md).
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    engines: EngineFile,
}

/// Indent of the text about a player.
const INDENT: &str = "           ";

/// The part of the list that is printed.
enum Listed<'a> {
    All,
    OfGame(&'a Family),
    Preset(&'static Preset),
    /// A level by its name, or by its other name in a game.
    Level(&'static str),
}

pub(crate) fn run(args: &PlayersArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let name = args.game_or_player.as_deref().map(|text| text.split([':', '@']).next().unwrap_or_default());
    let listed = match name.map(|name| (name, listed(name, catalog))) {
        None => Listed::All,
        Some((_, Some(listed))) => listed,
        Some((name, None)) => return engine(name, args, catalog, terminal),
    };
    if args.json {
        for player in players(catalog).into_iter().filter_map(|player| listed.view(player)) {
            writeln!(terminal.out, "{}", json_line(&player))?;
        }
        return Ok(Exit::Done);
    }
    match listed {
        Listed::All => all(catalog, terminal),
        Listed::OfGame(family) => of_game(family, catalog, terminal),
        Listed::Preset(preset) => one(preset, catalog, terminal),
        Listed::Level(name) => level(name, catalog, terminal),
    }
}

/// The game, or else the built-in player, of this name; `None` if there is none.
fn listed<'a>(name: &str, catalog: &'a Catalog) -> Option<Listed<'a>> {
    let is_it = |known: &str| known.eq_ignore_ascii_case(name);
    let level = || LEVELS.into_iter().find(|level| is_it(level)).map(Listed::Level);
    let preset = || PRESETS.iter().find(|preset| is_it(preset.name)).map(Listed::Preset);
    catalog.family(name).map(Listed::OfGame).or_else(level).or_else(preset)
}

impl Listed<'_> {
    /// The object of a player, if it is listed; of the levels of one game only those.
    fn view(&self, mut player: PlayerView) -> Option<PlayerView> {
        match self {
            Listed::All => Some(player),
            Listed::OfGame(family) => {
                let is_level = !player.levels.is_empty();
                player.levels.retain(|level| level.game == family.name);
                let is_there = if is_level { !player.levels.is_empty() } else { is_in(player.player, family) };
                is_there.then_some(player)
            }
            Listed::Preset(preset) => (player.player == preset.name).then_some(player),
            Listed::Level(name) => (player.player == *name).then_some(player),
        }
    }
}

/// Whether a game has the preset of this name: all but the published systems of other games.
fn is_in(name: &str, family: &Family) -> bool {
    let needs_its_game = PRESETS.iter().any(|preset| preset.name == name && preset.needs_its_game);
    !needs_its_game || family.tables.presets.iter().any(|own| own.name == name)
}

/// An external engine, which has no settings here.
fn engine(name: &str, args: &PlayersArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    if name.eq_ignore_ascii_case("human") {
        entry(terminal, "human", HUMAN)?;
        return Ok(Exit::Done);
    }
    let engines: Vec<String> = args.engines.read()?.into_iter().map(|engine| engine.name).collect();
    if let Some(engine) = engines.iter().find(|engine| engine.eq_ignore_ascii_case(name)) {
        if args.json {
            let expected = "expected a built-in player for --json, since an engine has no settings here";
            return Err(TextError::new(format!("engine {name}"), expected, "leave --json out").into());
        }
        let about = format!("an external engine, with its options in engines.toml (`banyan engines check {engine}`)");
        wrapped(terminal, &format!("{engine}  "), INDENT, &about)?;
        return Ok(Exit::Done);
    }
    let games = catalog.families().iter().map(|family| family.name);
    let known: Vec<&str> = games.chain(PRESETS.iter().map(|preset| preset.name)).chain(LEVELS).collect();
    let hint = did_you_mean(name, known.into_iter().chain(engines.iter().map(String::as_str)));
    let expected = format!("expected a game, a player, or an engine of engines.toml{hint}");
    Err(TextError::new(format!("{name:?}"), expected, "`banyan players` and `banyan games` list them").into())
}

/// The sentence about a person.
const HUMAN: &str = "a person at the terminal (only in `banyan play`)";

/// A player and what it is.
fn entry(terminal: &mut Terminal, name: &str, summary: &str) -> Result<()> {
    wrapped(terminal, &format!("{name:<width$} ", width = INDENT.len() - 1), INDENT, summary)
}

fn all(catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    entry(terminal, "human", HUMAN)?;
    PRESETS.iter().try_for_each(|preset| entry(terminal, preset.name, preset.summary))?;
    entry(terminal, "level-N", "one of ten levels of known strength, level-1 .. level-10 (below)")?;
    entry(terminal, "NAME", "an external engine of engines.toml (see `banyan engines`)")?;
    entry(terminal, "PATH.so", "a strategy library, such as ./mine.so (docs/strategy-library.md)")?;
    catalog.families().iter().try_for_each(|family| game_presets(family, catalog, terminal))?;
    handicaps(terminal)?;
    settings(terminal, TUNABLES, "uct:c=0.8,final=max")?;
    settings(terminal, ALPHA_BETA_TUNABLES, "pvs:depth=6,eval=margin")?;
    settings(terminal, SOLVER_TUNABLES, "solver:from=40,opening=mcgs")
}

/// The players of one game.
fn of_game(family: &Family, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let there = PRESETS.iter().filter(|preset| is_in(preset.name, family));
    there.into_iter().try_for_each(|preset| entry(terminal, preset.name, preset.summary))?;
    if !family.tables.levels.is_empty() {
        let last = family.tables.levels.len().min(LEVELS.len());
        let which = format!("one of the levels {} .. {} (below)", LEVELS[0], LEVELS[last - 1]);
        entry(terminal, "level-N", &which)?;
    }
    game_presets(family, catalog, terminal)?;
    writeln!(terminal.out, "\n`banyan players NAME` lists the settings of a player.")?;
    Ok(Exit::Done)
}

/// One preset: its games, its definition in each game, and its settings.
fn one(preset: &Preset, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    wrapped(terminal, &format!("{}  ", preset.name), INDENT, preset.summary)?;
    for family in catalog.families() {
        if preset.name == DEFAULT_PLAYER {
            let book = book_of_best(family);
            writeln!(terminal.out, "{} in {} is {}{book}", preset.name, family.name, family.tables.best)?;
        }
        let own = family.tables.presets.iter().filter(|own| own.name == preset.name);
        own.into_iter().try_for_each(|own| game_preset(own, family, terminal))?;
    }
    if preset.name != "vote" {
        handicaps(terminal)?;
    }
    if preset.settings.is_empty() {
        return Ok(Exit::Done);
    }
    writeln!(terminal.out, "\nSettings, with their defaults:")?;
    let rows = || preset.settings.iter();
    rows().filter(|row| !row.experimental).try_for_each(|row| setting(terminal, row, &preset.default_of(row)))?;
    if rows().any(|row| row.experimental) {
        writeln!(terminal.out, "\n{EXPERIMENTAL}")?;
        rows().filter(|row| row.experimental).try_for_each(|row| setting(terminal, row, &preset.default_of(row)))?;
    }
    Ok(Exit::Done)
}

/// One level: its strength and what it plays, in each game.
fn level(name: &str, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let views: Vec<LevelView> =
        players(catalog).into_iter().filter(|view| view.player == name).flat_map(|v| v.levels).collect();
    entry(terminal, name, "a player of known strength, which no change of other presets moves")?;
    for view in views {
        writeln!(terminal.out, "\nlevel {} of {}: {:+} Elo above random", view.level, view.game, view.elo)?;
        wrapped_settings(terminal, "  ", "    ", &view.plays)?;
    }
    Ok(Exit::Done)
}

/// The built-in book of `best`, in words.
fn book_of_best(family: &Family) -> String {
    let board = |game| if game == family.name { "on the usual board".to_owned() } else { format!("in {game}") };
    let board = family.tables.exact_book.map(BuiltInBook::game).map(board);
    board.map_or(String::new(), |board| format!("; {board} with book=built-in"))
}

/// Settings of all players but `vote`.
fn handicaps(terminal: &mut Terminal) -> Result<()> {
    writeln!(terminal.out, "\nSettings of all players but vote, as in best:book=FILE:")?;
    for (name, values, help) in HANDICAPS {
        wrapped(terminal, "  ", "    ", &format!("{name}  ({values})"))?;
        wrapped(terminal, "      ", "      ", help)?;
    }
    wrapped(terminal, "  ", "    ", "book=off  (off, the file of a book, or built-in where the game has one)")?;
    wrapped(terminal, "      ", "      ", "opening book to move from where it has the position (see `banyan book`)")
}

/// The heading of settings that no preset of ours needs.
const EXPERIMENTAL: &str = "Experimental settings: techniques of the literature, or of one published engine or study:";

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
    rows.iter().filter(|row| !row.experimental).try_for_each(|row| setting(terminal, row, row.default))?;
    if rows.iter().any(|row| row.experimental) {
        writeln!(terminal.out, "\n{EXPERIMENTAL}")?;
        rows.iter().filter(|row| row.experimental).try_for_each(|row| setting(terminal, row, row.default))?;
    }
    Ok(Exit::Done)
}

fn setting(terminal: &mut Terminal, row: &Tunable, default: &str) -> Result<()> {
    wrapped(terminal, "  ", "    ", &format!("{}={default}  ({})", row.name, row.range))?;
    let source = if row.source.is_empty() { String::new() } else { format!(" [{}]", row.source) };
    wrapped(terminal, "      ", "      ", &format!("{}{source}", row.help))
}

/// The presets that a game tunes, its own evaluators and its levels.
fn game_presets(family: &Family, catalog: &Catalog, terminal: &mut Terminal) -> Result<()> {
    let tables = &family.tables;
    let evidence = if tables.evidence.is_empty() { String::new() } else { format!(" ({})", tables.evidence) };
    let book = book_of_best(family);
    writeln!(terminal.out, "\nbest in {} is {}{evidence}{book}.", family.name, tables.best)?;
    tables.presets.iter().try_for_each(|preset| game_preset(preset, family, terminal))?;
    let own = catalog.game(family.name)?.evaluators();
    for (name, meaning) in own.into_iter().filter(|own| !EVALUATORS.contains(own)) {
        wrapped(terminal, "", "  ", &format!("eval={name} in {}: {meaning}", family.name))?;
    }
    levels(family.name, tables, terminal)
}

/// The definition of a preset in a game.
fn game_preset(preset: &GamePreset, family: &Family, terminal: &mut Terminal) -> Result<()> {
    let which = match preset.variants {
        [_] => "",
        _ => " (the first variant compatible with the other settings)",
    };
    writeln!(terminal.out, "{} in {}{which}:", preset.name, family.name)?;
    preset.variants.iter().try_for_each(|variant| wrapped_settings(terminal, "  ", "    ", variant))
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
