//! `banyan ablate`: plays variants of a player against it at several budgets, and judges them together.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::pairs::OpeningLines;
use banyan_catalog::{Catalog, Players};
use banyan_matches::MatchConfig;
use banyan_matches::ablation::Detectable;
use banyan_matches::exports::Details;
use banyan_matches::frame::{Kind, Stage};
use banyan_texts::Language;

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
        for kept in &plan.kept {
            writeln!(terminal.err, "stays: {} ({})", kept.setting, kept.in_words(Language::En))?;
        }
        let (n_rows, n_budgets, n) = (plan.rows.len(), plan.budgets.len(), plan.n_comparisons());
        let counted = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let [rows, budgets] = [(n_rows, "row"), (n_budgets, "budget")].map(|(n, what)| counted(n as u64, what));
        writeln!(terminal.err, "{rows} at {budgets}, {} each", counted(config.pairs, "pair"))?;
        let shown = Detectable::of(PAIR_VARIANCE, config.pairs, n);
        writeln!(terminal.err, "expected: {}", shown.in_words(n, Language::En))?;
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

    fn play(&self, frame: &Frame<'_>, stage: Stage, terminal: &mut Terminal) -> Result<Ended> {
        let played = frame.play(stage, terminal)?;
        frame.ending(&played.folder).write(&[played.games()], Details::default(), terminal)?;
        Ok(Ended::done_unless(played.played.unfinished))
    }
}
