//! `banyan rate`: puts a pool of players on one scale of ratings.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::{Catalog, Players};
use banyan_matches::exports::Details;
use banyan_matches::frame::{Kind, PlayedStage, Stage};
use banyan_matches::rating::earlier_rounds;
use banyan_matches::sweep::StageGames;

use super::rate_args::RateArgs;
use crate::frame::{Ended, FolderArgs, FolderCommand, Frame, Requested};
use crate::output::terminal::Terminal;

impl FolderCommand for RateArgs {
    const KIND: Kind = Kind::Rating;

    fn shared(&self) -> &FolderArgs {
        &self.shared
    }

    fn config(&self, catalog: &Catalog, players: &Players) -> Result<Option<Requested>> {
        let requested = self.requested(catalog, players)?;
        if let (Some((config, _)), Some(before)) = (&requested, &self.after) {
            // Before the new folder is created.
            earlier_rounds(config, before)?;
        }
        Ok(requested)
    }

    fn settings(&self) -> Vec<(bool, &'static str)> {
        self.given()
    }

    fn play(&self, frame: &Frame<'_>, mut stage: Stage, terminal: &mut Terminal) -> Result<Ended> {
        if let Some(before) = self.after.as_deref() {
            let lines = earlier_rounds(stage.folder.config(), before)?;
            stage.begin_with(lines)?;
        }
        let PlayedStage { folder, played, .. } = frame.play(stage, terminal)?;
        let stages = [StageGames { config: folder.config(), lines: &played.lines }];
        let details =
            Details { is_finished: !played.unfinished && folder.config().shard.is_none(), ..Details::default() };
        frame.ending(&folder).write(&stages, details, terminal)?;
        if let Some(shard) = folder.config().shard.as_deref().filter(|_| !self.shared.quiet && !played.unfinished) {
            writeln!(terminal.err, "part {shard} of the round is played; combine the parts with `banyan merge`")?;
        }
        Ok(Ended::done_unless(played.unfinished))
    }
}
