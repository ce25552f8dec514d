//! `banyan tune`: tunes several settings of a player by single pairs of games, and confirms the result by a sequential test.

use std::io::Write;

use anyhow::Result;
use banyan_arena::stats::detectable;
use banyan_catalog::pairs::OpeningLines;
use banyan_catalog::view::json_line;
use banyan_catalog::{Catalog, Players};
use banyan_matches::exports::Details;
use banyan_matches::frame::{Kind, PlayedStage, Stage};
use banyan_matches::sweep::StageGames;
use banyan_matches::tune::{TuneResult, confirmation};
use banyan_matches::{MatchConfig, Summary};

use super::tune_args::TuneArgs;
use crate::frame::{Ended, FolderArgs, FolderCommand, Frame, Requested};
use crate::output::terminal::Terminal;

/// The variance of the score of a pair, for the announcement: a guess, as in `banyan sweep`.
const PAIR_VARIANCE: f64 = 0.10;

impl FolderCommand for TuneArgs {
    const KIND: Kind = Kind::Tuning;

    fn shared(&self) -> &FolderArgs {
        &self.shared
    }

    fn config(&self, catalog: &Catalog, players: &Players) -> Result<Option<Requested>> {
        self.requested(catalog, players)
    }

    fn settings(&self) -> Vec<(bool, &'static str)> {
        self.given()
    }

    fn announce(
        &self,
        _frame: &Frame<'_>,
        (config, _): (&MatchConfig, Option<&OpeningLines>),
        terminal: &mut Terminal,
    ) -> Result<()> {
        let Some(tune) = &config.tune else { return Ok(()) };
        let settings: Vec<&str> = tune.vary.iter().map(|row| row.name.as_str()).collect();
        let pairs = config.pairs * (config.players.len() as u64 - 1);
        writeln!(terminal.err, "tuning {} by {pairs} pairs", settings.join(", "))?;
        if tune.confirm > 0 {
            // One mean is compared with one half, not with a second mean.
            let least = 100.0 * detectable(PAIR_VARIANCE, 2 * tune.confirm);
            let text = format!(
                "then at most {} pairs against the default, which detect a gain from {least:.1} % in score on",
                tune.confirm
            );
            writeln!(terminal.err, "{text} (power 80 %, level 5 %)")?;
        }
        Ok(())
    }

    fn play(&self, frame: &Frame<'_>, stage: Stage, terminal: &mut Terminal) -> Result<Ended> {
        let mut tuned = frame.play(stage, terminal)?;
        let confirmed = if tuned.played.unfinished { None } else { self.confirm(frame, &mut tuned, terminal)? };
        let unfinished = tuned.played.unfinished || confirmed.as_ref().is_some_and(|stage| stage.played.unfinished);
        let stages: Vec<StageGames<'_>> = std::iter::once(&tuned).chain(&confirmed).map(PlayedStage::games).collect();
        frame.ending(&tuned.folder).write(&stages, Details::default(), terminal)?;
        Ok(Ended::done_unless(unfinished))
    }
}

impl TuneArgs {
    /// Plays the match of the tuned player against the default; `None` if there is none.
    fn confirm(
        &self,
        frame: &Frame<'_>,
        tuned: &mut PlayedStage,
        terminal: &mut Terminal,
    ) -> Result<Option<PlayedStage>> {
        let Some(values) = TuneResult::of(tuned.config(), tuned.lines(), None)?.values() else { return Ok(None) };
        let Some(config) = confirmation(&frame.players, tuned.config(), &values)? else { return Ok(None) };
        let stage = frame.second(tuned, config, terminal)?;
        if stage.is_new && !self.shared.quiet {
            let player = &stage.folder.config().players[0].player;
            writeln!(terminal.err, "confirming {player} against the default")?;
        }
        let stage = frame.play_second(tuned, stage, terminal)?;
        let summary = Summary::of(stage.config(), stage.lines());
        stage.folder.write_file(Kind::Match.result(), &(json_line(&summary) + "\n"))?;
        Ok(Some(stage))
    }
}
