//! `banyan sweep`: plays the values of a setting on common openings and reports the optimum of a fitted curve.

use std::io::Write;

use anyhow::Result;
use banyan_arena::stats::detectable;
use banyan_catalog::pairs::OpeningLines;
use banyan_catalog::{Catalog, Players};
use banyan_matches::exports::Details;
use banyan_matches::frame::{Kind, PlayedStage, Stage};
use banyan_matches::sweep::{StageGames, SweepResult, finer};
use banyan_matches::{MatchConfig, Quantity};

use super::estimate::{PAIR_VARIANCE, duration, seconds_of_pair};
use super::sweep_args::SweepArgs;
use crate::frame::{Ended, FolderArgs, FolderCommand, Frame, Requested};
use crate::output::terminal::Terminal;

impl FolderCommand for SweepArgs {
    const KIND: Kind = Kind::Sweep;

    fn shared(&self) -> &FolderArgs {
        &self.shared
    }

    fn config(&self, catalog: &Catalog, players: &Players) -> Result<Option<Requested>> {
        self.requested(catalog, players)
    }

    fn settings(&self) -> Vec<(bool, &'static str)> {
        self.given()
    }

    fn pairs(&self) -> Option<u64> {
        self.pairs
    }

    fn announce(
        &self,
        frame: &Frame<'_>,
        (config, openings): (&MatchConfig, Option<&OpeningLines>),
        terminal: &mut Terminal,
    ) -> Result<()> {
        let n_values = config.players.len() as u64 - 1;
        let n_pairs = config.schedule()?.n_pairs_of_shard().unwrap_or(0);
        let quantity = config.sweep.as_ref().map_or(Quantity::Score, |sweep| sweep.quantity);
        // The opponent and the middle value.
        let seconds = seconds_of_pair(frame, (config, openings), [0, config.players.len() / 2])? * n_pairs as f64;
        let difference = match quantity {
            Quantity::Score => format!("{:.1} % in score", 100.0 * detectable(PAIR_VARIANCE, config.pairs)),
            Quantity::Margin => {
                let deviations = detectable(1.0, config.pairs);
                format!("{deviations:.2} standard deviations of the mean margin of a pair")
            }
        };
        writeln!(
            terminal.err,
            "{n_values} values, {} pairs each: differences between two values from {difference} on are detected (power 80 %, level 5 %)",
            config.pairs
        )?;
        writeln!(terminal.err, "estimated time: {} with {} games in parallel", duration(seconds), frame.jobs)?;
        Ok(())
    }

    fn resume_options(&self) -> String {
        let by_colour = if self.by_colour { " --by-colour" } else { "" };
        let repetitions = self.repetitions.map(|n| format!(" --repetitions {n}"));
        by_colour.to_owned() + &repetitions.unwrap_or_default()
    }

    fn play(&self, frame: &Frame<'_>, stage: Stage, terminal: &mut Terminal) -> Result<Ended> {
        let mut stages = vec![frame.play(stage, terminal)?];
        if let Some(stage) = refined(frame, &stages[0], terminal)? {
            let finer = frame.play_second(&mut stages[0], stage, terminal)?;
            stages.push(finer);
        }
        let games: Vec<StageGames<'_>> = stages.iter().map(PlayedStage::games).collect();
        let repetitions = self.repetitions.unwrap_or(0) as usize;
        let details = Details { by_colour: self.by_colour, repetitions, ..Details::default() };
        frame.ending(&stages[0].folder).write(&games, details, terminal)?;
        Ok(Ended::done_unless(stages.iter().any(|stage| stage.played.unfinished)))
    }
}

/// The second stage, if there is one and the first is complete and has an optimum.
fn refined(frame: &Frame<'_>, coarse: &PlayedStage, terminal: &mut Terminal) -> Result<Option<Stage>> {
    let sweep = coarse.config().sweep.as_ref().filter(|sweep| sweep.refine && !coarse.played.unfinished);
    let Some(sweep) = sweep else { return Ok(None) };
    let Some(optimum) = SweepResult::of(&[coarse.games()], false, 0)?.optimum() else { return Ok(None) };
    let Some(config) = finer(&frame.players, coarse.config(), sweep, &optimum)? else { return Ok(None) };
    let stage = frame.second(coarse, config, terminal)?;
    if stage.is_new {
        frame.note_folder(&stage, terminal)?;
    }
    Ok(Some(stage))
}
