//! `banyan rate`: puts a pool of players on one scale of ratings.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::view::json_line;
use banyan_catalog::{Catalog, Players};
use banyan_matches::Summary;
use banyan_matches::exports::{rating_notes, rating_page, rating_sheet};
use banyan_matches::frame::{Kind, PlayedStage, Stage};
use banyan_matches::rating::RatingSummary;

use super::rate_args::RateArgs;
use crate::frame::{Ended, FolderArgs, FolderCommand, Frame, Requested, check_page, page_option};
use crate::output::output_file;
use crate::output::table::Table;
use crate::output::terminal::Terminal;
use crate::output::wrap::{wrapped, wrapped_settings};

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
    let summary = Summary::of(folder.config(), &played.lines);
    let rating = RatingSummary::of(folder.config(), &summary, !played.unfinished)?;
    let page = rating_page(folder.config(), &rating);
    folder.write_file(Kind::Rating.result(), &(json_line(&rating) + "\n"))?;
    folder.write_file("report.html", &page)?;
    if let Some(path) = &args.html {
        output_file::write(path, &page)?;
    }
    if args.shared.json {
        writeln!(terminal.out, "{}", json_line(&rating))?;
    } else if !args.shared.quiet {
        print(&rating, terminal)?;
    }
    Ok(())
}

fn print(rating: &RatingSummary, terminal: &mut Terminal) -> Result<()> {
    let full: Vec<String> = rating.players.iter().map(|player| player.name.clone()).collect();
    let table = |names: &[String]| {
        let sheet = rating_sheet(rating, names);
        let mut table = Table::new(sheet.n_keys, &sheet.headings);
        sheet.rows.into_iter().for_each(|row| table.add_row(row));
        table
    };
    let mut shown = table(&full);
    if !shown.names_fit(terminal.width) {
        writeln!(terminal.out, "Players")?;
        for (name, player) in full.iter().zip(&rating.players) {
            wrapped_settings(terminal, &format!("{:>2} ", player.rank), "   ", name)?;
        }
        writeln!(terminal.out)?;
        let short = |name: &String| name.split([':', '@']).next().unwrap_or_default().to_owned();
        shown = table(&full.iter().map(short).collect::<Vec<_>>());
    }
    write!(terminal.out, "Ratings on {}\n{}", rating.game, shown.text(terminal.width))?;
    writeln!(terminal.out)?;
    for note in rating_notes(rating) {
        wrapped(terminal, "", "", &note)?;
    }
    for warning in &rating.warnings {
        writeln!(terminal.err, "warning: {}", warning.text)?;
    }
    Ok(())
}
