//! `banyan rate`: puts a pool of players on one scale of ratings.

use std::io::Write;
use std::path::Path;
use std::{fs, thread};

use anyhow::{Context, Result};
use banyan_catalog::exports::{rating_notes, rating_page, rating_sheet};
use banyan_catalog::matches::{GameLine, Match, MatchFolder, Played, Summary, Warning, config_of, fresh_folder};
use banyan_catalog::rating::{RatingSummary, rate};
use banyan_catalog::view::json_line;
use banyan_catalog::{Catalog, Players};
use banyan_core::TextError;

use crate::engines::EngineFile;
use crate::live::Live;
use crate::match_::{STOP_SIGNAL, create, handle_interrupts, keep_engines_file};
use crate::program::{program, shell_word};
use crate::rate_args::RateArgs;
use crate::reopen::{OpenFolder, reopen};
use crate::table::Table;
use crate::terminal::Terminal;
use crate::wrap::{wrapped, wrapped_settings};
use crate::{Exit, results};

pub(crate) fn run(args: &RateArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    check_html(args)?;
    // A folder that cannot be read is reported below.
    let stored = args.resume.as_deref().and_then(|path| config_of(path).ok());
    let engines = args.engines.or_stored(stored.as_ref().and_then(|config| config.made_by.engines_file.as_deref()));
    let players = engines.players()?;
    let (game, mut folder, lines) = begin(args, catalog, (&players, &engines), terminal)?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.terms.jobs.map_or(cores, |jobs| jobs as usize);
    if let Some(warning) = Warning::oversubscribed(folder.config(), jobs, cores) {
        writeln!(terminal.err, "warning: {}", warning.text)?;
    }
    handle_interrupts()?;
    let names = folder.config().players.iter().map(|player| player.name.clone()).collect();
    let mut live = Live::new(&mut terminal.out, &STOP_SIGNAL, false, args.quiet, names);
    let played = rate(&game, &mut folder, lines, jobs, &STOP_SIGNAL, &mut live);
    live.end()?;
    finish(args, &folder, &played?, terminal)
}

/// Checks the file of the page before the games, not after hours of them.
fn check_html(args: &RateArgs) -> Result<()> {
    let Some(path) = &args.html else { return Ok(()) };
    if !path.to_ascii_lowercase().ends_with(".html") {
        let found = format!("page {path:?}");
        return Err(TextError::new(found, "expected a name that ends with .html", "try --html rating.html").into());
    }
    results::check_exports(std::slice::from_ref(path), args.out.as_deref())
}

fn begin(
    args: &RateArgs,
    catalog: &Catalog,
    (players, engines): (&Players, &EngineFile),
    terminal: &mut Terminal,
) -> Result<(Match, MatchFolder, Vec<GameLine>)> {
    let requested = args.config(catalog, players)?;
    let Some(path) = &args.resume else {
        let requested = requested.expect("clap requires a game without --resume");
        let path = || args.out.clone().unwrap_or_else(|| fresh_folder(Path::new("banyan-ratings")));
        let (game, folder) = create(requested, catalog, (players, engines), path)?;
        if !args.quiet {
            writeln!(terminal.err, "rating in {}", folder.path().display())?;
        }
        return Ok((game, folder, Vec::new()));
    };
    if let (None, Some(option)) = (&requested, args.ineffective_option()) {
        let expected = "has no effect without the game and the players";
        return Err(TextError::new(option, expected, "remove it: --resume reads match.toml").into());
    }
    if config_of(path)?.rating.is_none() {
        let expected = "expected a rating, found a match";
        let remedy = "use `banyan match --resume`, or another folder";
        return Err(TextError::new(path.display().to_string(), expected, remedy).into());
    }
    let OpenFolder { mut folder, lines, openings } = reopen(path, terminal)?;
    if let Some((config, _)) = requested {
        folder.config().check_same(&config)?;
    }
    let game = Match::new(catalog, players, folder.config(), openings.as_ref())?;
    keep_engines_file(&mut folder, engines)?;
    Ok((game, folder, lines))
}

fn finish(args: &RateArgs, folder: &MatchFolder, played: &Played, terminal: &mut Terminal) -> Result<Exit> {
    let summary = Summary::of(folder.config(), &played.lines);
    let rating = RatingSummary::of(folder.config(), &summary, !played.unfinished)?;
    let page = rating_page(folder.config(), &rating);
    folder.write_file("rating.json", &(json_line(&rating) + "\n"))?;
    folder.write_file("report.html", &page)?;
    if let Some(path) = &args.html {
        fs::write(path, &page).with_context(|| format!("cannot write {path}"))?;
    }
    if args.json {
        writeln!(terminal.out, "{}", json_line(&rating))?;
    } else if !args.quiet {
        print(&rating, terminal)?;
    }
    if played.unfinished {
        let jobs = args.terms.jobs.map(|jobs| format!(" --jobs {jobs}")).unwrap_or_default();
        let html = args.html.as_ref().map(|path| format!(" --html {}", shell_word(path))).unwrap_or_default();
        let path = shell_word(&folder.path().display().to_string());
        writeln!(terminal.err, "resume with\n  {} rate --resume {path}{jobs}{html}", program())?;
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Done)
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
