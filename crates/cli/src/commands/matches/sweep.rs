//! `banyan sweep`: plays the values of a setting on common openings and reports the optimum of a fitted curve.

use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;
use banyan_arena::StopSignal;
use banyan_arena::stats::detectable;
use banyan_catalog::pairs::{GameLine, OpeningLines};
use banyan_catalog::{Catalog, Players};
use banyan_matches::exports::Details;
use banyan_matches::frame::{Kind, PlayedStage, Stage};
use banyan_matches::sweep::{StageGames, SweepResult, finer};
use banyan_matches::{Match, MatchConfig, MatchFolder, MatchWatch, Quantity, Standing};

use super::sweep_args::SweepArgs;
use crate::frame::{Ended, FolderArgs, FolderCommand, Frame, Requested};
use crate::interrupt;
use crate::output::terminal::Terminal;

/// The variance of the score of a pair in comparisons, for the announcement before any game is played: a guess. A sweep of c in Connect
/// Four (docs/sweep.md) found 0.094.
const PAIR_VARIANCE: f64 = 0.10;

/// Games before the sweep that estimate its duration: pairs, and the time after which no further one is begun.
const WARM_UP_PAIRS: u64 = 4;
const WARM_UP: Duration = Duration::from_secs(3);

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
        announce(frame, (config, openings), terminal)
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

/// Prints the differences that the planned games can detect, and their estimated duration.
fn announce(
    frame: &Frame<'_>,
    (config, openings): (&MatchConfig, Option<&OpeningLines>),
    terminal: &mut Terminal,
) -> Result<()> {
    let n_values = config.players.len() as u64 - 1;
    let n_pairs = config.schedule()?.n_pairs_of_shard().unwrap_or(0);
    let quantity = config.sweep.as_ref().map_or(Quantity::Score, |sweep| sweep.quantity);
    let started = Instant::now();
    let lines = warm_up(frame, config, openings)?;
    let seconds = started.elapsed().as_secs_f64() / lines.len().max(1) as f64 * 2.0 * n_pairs as f64;
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

/// Plays a few pairs of the middle value, in a separate folder that is removed afterwards.
fn warm_up(frame: &Frame<'_>, config: &MatchConfig, openings: Option<&OpeningLines>) -> Result<Vec<GameLine>> {
    let players = vec![config.players[0].clone(), config.players[config.players.len() / 2].clone()];
    // A configuration with some values only is not a sweep.
    let config = MatchConfig { players, pairs: WARM_UP_PAIRS, shard: None, sweep: None, ..config.clone() };
    let game = Match::new(frame.catalog, &frame.players, &config, openings)?;
    let path = std::env::temp_dir().join(format!("banyan-sweep-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    interrupt::set_temporary(Some(path.clone()));
    let stop_signal = StopSignal::new();
    let mut folder = MatchFolder::create(&path, config, openings)?;
    let mut watch = WarmUp { started: Instant::now(), stop_signal: &stop_signal };
    let played = game.play(&mut folder, Vec::new(), frame.jobs, &stop_signal, &mut watch);
    interrupt::wait_if_ending();
    drop(folder);
    let _ = fs::remove_dir_all(&path);
    interrupt::set_temporary(None);
    Ok(played?.lines)
}

/// Ends a warm-up after [`WARM_UP`].
struct WarmUp<'a> {
    started: Instant,
    stop_signal: &'a StopSignal,
}

impl MatchWatch for WarmUp<'_> {
    fn game(&mut self, _line: &GameLine) {}

    fn pair(&mut self, _standing: &Standing) {
        if self.started.elapsed() > WARM_UP {
            self.stop_signal.finish();
        }
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        ..90.0 => format!("{seconds:.0} s"),
        ..5400.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}
