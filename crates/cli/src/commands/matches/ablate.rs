//! `banyan ablate`: plays variants of a player against it at several budgets, and judges them together.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::pairs::OpeningLines;
use banyan_catalog::{Catalog, Players};
use banyan_matches::ablation::Detectable;
use banyan_matches::exports::Details;
use banyan_matches::frame::{Kind, Stage};
use banyan_matches::{AblationConfig, KeptSetting, MatchConfig};

use super::ablate_args::AblateArgs;
use super::estimate::{PAIR_VARIANCE, duration, seconds_of_pair};
use crate::frame::{Ended, FolderArgs, FolderCommand, Frame, Requested};
use crate::output::terminal::Terminal;

impl FolderCommand for AblateArgs {
    const KIND: Kind = Kind::Ablation;

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
        let plan = config.ablation.as_ref().expect("the configuration of an ablation");
        announce(frame, plan, (config, openings), terminal)
    }

    fn play(&self, frame: &Frame<'_>, stage: Stage, terminal: &mut Terminal) -> Result<Ended> {
        let played = frame.play(stage, terminal)?;
        frame.ending(&played.folder).write(&[played.games()], Details::default(), terminal)?;
        Ok(Ended::done_unless(played.played.unfinished))
    }
}

/// Prints what stays, the differences that the planned games can show, and their estimated duration.
fn announce(
    frame: &Frame<'_>,
    plan: &AblationConfig,
    (config, openings): (&MatchConfig, Option<&OpeningLines>),
    terminal: &mut Terminal,
) -> Result<()> {
    for KeptSetting { setting, reason } in &plan.kept {
        writeln!(terminal.err, "stays: {setting} ({reason})")?;
    }
    let (n_rows, n_budgets, n) = (plan.rows.len(), plan.budgets.len(), plan.n_comparisons());
    let shown = Detectable::of(PAIR_VARIANCE, config.pairs, n);
    let elo = |elo: Option<f64>| elo.map_or_else(|| "more".to_owned(), |elo| format!("{elo:.0} Elo"));
    writeln!(
        terminal.err,
        "{n_rows} rows at {n_budgets} budgets, {} pairs each: differences from {} on are found among all {n} comparisons, from {} on \
         in one alone (power 80 %, level 5 %)",
        config.pairs,
        elo(shown.of_all),
        elo(shown.alone)
    )?;
    let mut seconds = 0.0;
    for budget in 0..n_budgets {
        let player = budget * (n_rows + 1);
        seconds += seconds_of_pair(frame, (config, openings), [player, player + n_rows.div_ceil(2)])?;
    }
    let n_pairs = config.schedule()?.n_pairs_of_shard().unwrap_or(0);
    let seconds = seconds / n_budgets as f64 * n_pairs as f64;
    writeln!(terminal.err, "estimated time: {} with {} games in parallel", duration(seconds), frame.jobs)?;
    Ok(())
}
