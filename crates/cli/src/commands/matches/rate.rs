//! `banyan rate`: puts a pool of players on one scale of ratings.

use anyhow::Result;
use banyan_catalog::{Catalog, Players};
use banyan_matches::Summary;
use banyan_matches::exports::rating_report;
use banyan_matches::frame::{Kind, PlayedStage, Stage};
use banyan_matches::rating::RatingSummary;

use super::rate_args::RateArgs;
use crate::frame::{Ended, Ending, FolderArgs, FolderCommand, Frame, Requested, check_page, page_option};
use crate::output::terminal::Terminal;

impl FolderCommand for RateArgs {
    const KIND: Kind = Kind::Rating;

    fn shared(&self) -> &FolderArgs {
        &self.shared
    }

    fn check(&self) -> Result<()> {
        check_page(self.html.as_ref(), &self.shared, Kind::Rating)
    }

    fn config(&self, catalog: &Catalog, players: &Players) -> Result<Option<Requested>> {
        self.requested(catalog, players)
    }

    fn settings(&self) -> Vec<(bool, &'static str)> {
        self.given()
    }

    fn resume_options(&self) -> String {
        page_option(self.html.as_ref())
    }

    fn play(&self, frame: &Frame<'_>, stage: Stage, terminal: &mut Terminal) -> Result<Ended> {
        let played = frame.play(stage, terminal)?;
        report(self, &played, terminal)?;
        Ok(Ended::done_unless(played.played.unfinished))
    }
}

/// Writes and prints the ratings.
fn report(args: &RateArgs, PlayedStage { folder, played, .. }: &PlayedStage, terminal: &mut Terminal) -> Result<()> {
    let config = folder.config();
    let rating = RatingSummary::of(config, &Summary::of(config, &played.lines), !played.unfinished)?;
    let report = rating_report(config, &rating);
    let ending = Ending { kind: Kind::Rating, folder, args: &args.shared, html: args.html.as_ref() };
    ending.write(&rating, &report, terminal)
}
