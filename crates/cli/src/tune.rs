//! `banyan tune`: tunes several settings of a player by single pairs of games, and confirms the result by a sequential test.

use std::io::Write;
use std::path::Path;
use std::thread;

use anyhow::Result;
use banyan_arena::stats::detectable;
use banyan_catalog::exports::tune_page;
use banyan_catalog::matches::{
    Match, MatchConfig, MatchFolder, OpeningLines, Summary, Warning, config_of, fresh_folder, read_folder,
};
use banyan_catalog::tune::{Confirmation, TuneResult, TunedValue, confirmation, tune};
use banyan_catalog::view::json_line;
use banyan_catalog::{Catalog, Players};
use banyan_core::TextError;

use crate::Exit;
use crate::engines::EngineFile;
use crate::live::Live;
use crate::match_::{STOP_SIGNAL, check_same, engines_file, handle_interrupts};
use crate::program::{program, shell_word};
use crate::reopen::{OpenFolder, reopen};
use crate::table::Table;
use crate::terminal::Terminal;
use crate::tune_args::TuneArgs;
use crate::wrap::wrapped;

/// The folder of the confirming match within that of the tuning.
const CONFIRM: &str = "confirm";

/// The variance of the score of a pair, for the announcement: a guess, as in `banyan sweep`.
const PAIR_VARIANCE: f64 = 0.10;

/// What both stages need.
struct Setting<'a> {
    args: &'a TuneArgs,
    catalog: &'a Catalog,
    players: &'a Players,
    engines: &'a EngineFile,
    jobs: usize,
}

pub(crate) fn run(args: &TuneArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    // A folder that cannot be read is reported below.
    let stored = args.resume.as_deref().and_then(|path| config_of(path).ok());
    let engines = args.engines.or_stored(stored.as_ref().and_then(|config| config.made_by.engines_file.as_deref()));
    let players = engines.players()?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, |jobs| jobs as usize);
    let setting = Setting { args, catalog, players: &players, engines: &engines, jobs };
    let (game, mut stage) = setting.begin(terminal)?;
    if let Some(warning) = Warning::oversubscribed(stage.folder.config(), jobs, cores) {
        writeln!(terminal.err, "warning: {}", warning.text)?;
    }
    handle_interrupts()?;
    let mut live = setting.live(stage.folder.config(), terminal);
    let lines = std::mem::take(&mut stage.lines);
    let played = tune(&game, (&players, &mut stage.folder), lines, jobs, &STOP_SIGNAL, &mut live);
    live.end()?;
    let played = played?;
    stage.lines = played.lines;
    let confirmed = if played.unfinished { None } else { setting.confirm(&stage, terminal)? };
    setting.finish(&stage, played.unfinished, confirmed, terminal)
}

/// The confirming match: its result, and whether it is unfinished.
struct Confirmed {
    result: Option<Confirmation>,
    unfinished: bool,
}

impl Setting<'_> {
    fn live<'t>(&self, config: &MatchConfig, terminal: &'t mut Terminal) -> Live<'t> {
        let names = config.players.iter().map(|player| player.name.clone()).collect();
        Live::new(&mut terminal.out, &STOP_SIGNAL, false, self.args.quiet, names)
    }

    fn begin(&self, terminal: &mut Terminal) -> Result<(Match, OpenFolder)> {
        let requested = self.args.config(self.catalog, self.players)?;
        let Some(path) = &self.args.resume else {
            let (config, openings) = requested.expect("clap requires a game without --resume");
            // Check the configuration before the folder is created.
            let game = Match::new(self.catalog, self.players, &config, openings.as_ref())?;
            let path = self.args.out.clone().unwrap_or_else(|| fresh_folder(Path::new("banyan-tunings")));
            if !self.args.quiet {
                announce(&config, terminal)?;
                writeln!(terminal.err, "tuning in {}", path.display())?;
            }
            return Ok((game, self.create(&path, config, openings)?));
        };
        let config = config_of(path)?;
        if config.tune.is_none() {
            let remedy = format!("use {} match --resume, or another folder", program());
            return Err(TextError::new(path.display().to_string(), "expected a tuning, found a match", remedy).into());
        }
        let stage = reopen(path, terminal)?;
        if let Some((requested, _)) = &requested {
            check_same(stage.folder.config(), requested)?;
        }
        let game = Match::new(self.catalog, self.players, stage.folder.config(), stage.openings.as_ref())?;
        Ok((game, stage))
    }

    fn create(&self, path: &Path, mut config: MatchConfig, openings: Option<OpeningLines>) -> Result<OpenFolder> {
        config.made_by.engines_file = engines_file(&config, self.engines);
        let folder = MatchFolder::create(path, config, openings.as_ref())?;
        Ok(OpenFolder { folder, lines: Vec::new(), openings })
    }

    /// Plays the match of the tuned player against the default; `None` if there is none.
    fn confirm(&self, stage: &OpenFolder, terminal: &mut Terminal) -> Result<Option<Confirmed>> {
        let config = stage.folder.config();
        let Some(values) = TuneResult::of(config, &stage.lines, None)?.values() else { return Ok(None) };
        let Some(config) = confirmation(self.players, config, &values)? else { return Ok(None) };
        let path = stage.folder.path().join(CONFIRM);
        let openings = stage.openings.as_ref();
        let game = Match::new(self.catalog, self.players, &config, openings)?;
        let mut stage = if config_of(&path).is_err() {
            if !self.args.quiet {
                writeln!(terminal.err, "confirming {} against the default", config.players[0].player)?;
            }
            let openings = stage.openings.as_ref().map(|_| read_folder(stage.folder.path())).transpose()?;
            self.create(&path, config, openings.and_then(|(_, openings, _)| openings))?
        } else {
            let reopened = reopen(&path, terminal)?;
            reopened.folder.config().check_same(&config)?;
            reopened
        };
        let mut live = self.live(stage.folder.config(), terminal);
        let played = game.play(&mut stage.folder, stage.lines, self.jobs, &STOP_SIGNAL, &mut live);
        live.end()?;
        let played = played?;
        let summary = Summary::of(stage.folder.config(), &played.lines);
        stage.folder.write_file("summary.json", &(json_line(&summary) + "\n"))?;
        let result = Confirmation::of(stage.folder.config(), &played.lines);
        Ok(Some(Confirmed { result, unfinished: played.unfinished }))
    }

    fn finish(
        &self,
        stage: &OpenFolder,
        unfinished: bool,
        confirmed: Option<Confirmed>,
        terminal: &mut Terminal,
    ) -> Result<Exit> {
        let (folder, args) = (&stage.folder, self.args);
        let unfinished = unfinished || confirmed.as_ref().is_some_and(|confirmed| confirmed.unfinished);
        let result = TuneResult::of(folder.config(), &stage.lines, confirmed.and_then(|confirmed| confirmed.result))?;
        let warnings = Summary::of(folder.config(), &stage.lines).warnings;
        folder.write_file("tune.json", &(json_line(&result) + "\n"))?;
        folder.write_file("report.html", &tune_page(folder.config(), &result, &warnings))?;
        if args.json {
            writeln!(terminal.out, "{}", json_line(&result))?;
        } else if !args.quiet {
            writeln!(terminal.out, "{}", table(&result).text(terminal.width))?;
            wrapped(terminal, "", "", &result.conclusion)?;
            for name in at_an_end(&result) {
                let text =
                    format!("the value of {name} is close to an end of its range; a wider one may hold a better value");
                wrapped(terminal, "", "", &text)?;
            }
            writeln!(terminal.out, "report in {}", folder.path().join("report.html").display())?;
        }
        if !args.quiet {
            for warning in &warnings {
                writeln!(terminal.err, "warning: {}", warning.text)?;
            }
        }
        if !unfinished {
            return Ok(Exit::Done);
        }
        let jobs = args.jobs.map(|jobs| format!(" --jobs {jobs}")).unwrap_or_default();
        let path = shell_word(&folder.path().display().to_string());
        writeln!(terminal.err, "resume with\n  {} tune --resume {path}{jobs}", program())?;
        Ok(Exit::Interrupted)
    }
}

/// What the match that confirms the result can detect.
fn announce(config: &MatchConfig, terminal: &mut Terminal) -> Result<()> {
    let Some(tune) = &config.tune else { return Ok(()) };
    let settings: Vec<&str> = tune.vary.iter().map(|row| row.name.as_str()).collect();
    let pairs = config.pairs * (config.players.len() as u64 - 1);
    writeln!(terminal.err, "tuning {} by {pairs} pairs", settings.join(", "))?;
    if tune.confirm > 0 {
        // One mean against one half, not two means.
        let least = 100.0 * detectable(PAIR_VARIANCE, 2 * tune.confirm);
        let text = format!(
            "then at most {} pairs against the default, which detect a gain from {least:.1} % in score on",
            tune.confirm
        );
        writeln!(terminal.err, "{text} (power 80 %, level 5 %)")?;
    }
    Ok(())
}

fn table(result: &TuneResult) -> Table {
    let headings = ["setting", ">value", "95 % interval", ">default", "range"];
    let mut table = Table::new(1, &headings.map(str::to_owned));
    let number = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| x.to_string());
    for TunedValue { name, found: value, default, range, .. } in &result.settings {
        let interval = value[0].zip(value[2]).map_or_else(|| "-".to_owned(), |(low, high)| format!("{low} .. {high}"));
        let [low, high] = range;
        table.add_row(vec![name.clone(), number(value[1]), interval, number(*default), format!("{low} .. {high}")]);
    }
    table
}

/// Settings whose value is in the outer twentieth of the range.
fn at_an_end(result: &TuneResult) -> impl Iterator<Item = &str> {
    let is_end = |setting: &&TunedValue| {
        let scale = |x: f64| if setting.log { x.ln() } else { x };
        let [low, high] = setting.range.map(scale);
        setting.found[1].is_some_and(|value| {
            let part = (scale(value) - low) / (high - low);
            !(0.05..=0.95).contains(&part)
        })
    };
    result.settings.iter().filter(is_end).map(|setting| setting.name.as_str())
}
