//! `--list`: the games of a record, by player, result and opening.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use banyan_catalog::Catalog;
use banyan_core::TextError;
use banyan_matches::exports::game_sheet;
use banyan_matches::{GameFilter, GameResult, kept_drops, read_games};
use clap::Args;

use crate::Exit;
use crate::input::replay::GameId;
use crate::output::table::Table;
use crate::output::terminal::Terminal;
use crate::program::{program, shell_word};

/// Whether games are listed, and which.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct GameListArgs {
    /// List the games of a match instead: of its folder, or of its games.jsonl. With --json as the lines of the record.
    #[arg(long)]
    pub(crate) list: bool,

    /// List only games of this player: its name, or a part of it.
    #[arg(long, value_name = "PLAYER", requires = "list")]
    of: Option<String>,

    /// List only games with this result for the player of --of, or else for the first player of the match: won, drawn,
    /// lost, or fault (lost by an illegal move, by time or another fault).
    #[arg(long, value_name = "RESULT", requires = "list")]
    result: Option<GameResult>,

    /// List only games that begin with these moves, such as "f5 d6".
    #[arg(long, value_name = "MOVES", requires = "list", allow_hyphen_values = true)]
    begins_with: Option<String>,
}

impl GameListArgs {
    /// Prints the games of the match at `path`. Exits with 1 if there is none.
    pub(crate) fn print(
        &self,
        catalog: &Catalog,
        (path, id): (&Path, Option<GameId>),
        json: bool,
        terminal: &mut Terminal,
    ) -> Result<Exit> {
        let (folder, file) = match path.is_dir() {
            true => (path, path.join("games.jsonl")),
            false => (path.parent().unwrap_or(path), path.to_owned()),
        };
        let place = path.display().to_string();
        if id.is_some() || file.extension().is_none_or(|ending| ending != "jsonl") {
            let expected = "expected the folder of a match, or its games.jsonl";
            return Err(
                TextError::new(format!("--list of {place}"), expected, "name the whole record of a match").into()
            );
        }
        let lines = read_games(&file)?;
        let filter = GameFilter { player: self.of.clone(), result: self.result, opening: self.begins_with.clone() };
        let games = filter.select(&lines).map_err(|err| err.at(&place))?;
        let Some(first) = games.first() else {
            writeln!(terminal.err, "none of the {} games of {place} fits", lines.len())?;
            return Ok(Exit::No);
        };
        if json {
            games.iter().try_for_each(|game| writeln!(terminal.out, "{}", game.write()))?;
            return Ok(Exit::Done);
        }
        let sheet = game_sheet(catalog, &games, &kept_drops(folder, &lines), terminal.language);
        write!(terminal.out, "{}", Table::of(&sheet).text(terminal.width))?;
        let (program, game) = (program(), format!("{}:{}.{}", shell_word(&place), first.pair, first.game));
        writeln!(terminal.err, "{} of {} games; open one with", games.len(), lines.len())?;
        writeln!(terminal.err, "  {program} show {game}\n  {program} review {game}")?;
        Ok(Exit::Done)
    }
}
