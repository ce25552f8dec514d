//! `banyan sweep`: plays the values of a setting on common openings and reports the optimum of a fitted curve.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use banyan_arena::StopSignal;
use banyan_arena::stats::detectable;
use banyan_catalog::matches::{
    GameLine, Match, MatchConfig, MatchFolder, MatchWatch, OpeningLines, Quantity, Standing, SweepConfig, Warning,
    config_of, fresh_folder,
};
use banyan_catalog::sweep::{StageGames, SweepResult, finer};
use banyan_catalog::{Catalog, Players};
use banyan_core::TextError;

use crate::engines::EngineFile;
use crate::live::Live;
use crate::match_::{STOP_SIGNAL, check_same, engines_file, handle_interrupts};
use crate::program::{program, shell_word};
use crate::reopen::{OpenFolder, reopen};
use crate::sweep_args::SweepArgs;
use crate::terminal::Terminal;
use crate::{Exit, sweep_report};

/// The folder of the second stage within that of the first.
const FINER: &str = "finer";

/// The variance of the score of a pair in comparisons, for the announcement before any game is played: a guess. A sweep of c in Connect
/// Four (docs/sweep.md) found 0.094.
const PAIR_VARIANCE: f64 = 0.10;

/// Games before the sweep that tell how long it takes: pairs, and the time after which no further one is begun.
const WARM_UP_PAIRS: u64 = 4;
const WARM_UP: Duration = Duration::from_secs(3);

/// What every stage needs.
struct Setting<'a> {
    args: &'a SweepArgs,
    catalog: &'a Catalog,
    players: &'a Players,
    engines: &'a EngineFile,
    jobs: usize,
}

/// A stage that is played, or was interrupted.
struct Stage {
    folder: MatchFolder,
    lines: Vec<GameLine>,
    unfinished: bool,
}

impl Stage {
    fn games(&self) -> StageGames<'_> {
        StageGames { config: self.folder.config(), lines: &self.lines }
    }
}

pub(crate) fn run(args: &SweepArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    // A folder that cannot be read is reported below.
    let stored = args.resume.as_deref().and_then(|path| config_of(path).ok());
    let engines = args.engines.or_stored(stored.as_ref().and_then(|config| config.made_by.engines_file.as_deref()));
    let players = engines.players()?;
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, |jobs| jobs as usize);
    let setting = Setting { args, catalog, players: &players, engines: &engines, jobs };
    let (mut game, begun) = setting.begin(terminal)?;
    if let Some(warning) = Warning::oversubscribed(begun.folder.config(), jobs, cores) {
        writeln!(terminal.err, "warning: {}", warning.text)?;
    }
    handle_interrupts()?;
    let coarse = setting.play(&mut game, begun, terminal)?;
    let mut stages = vec![coarse];
    if let Some((mut game, begun)) = setting.begin_finer(&stages[0], terminal)? {
        let finer = setting.play(&mut game, begun, terminal)?;
        stages.push(finer);
    }
    finish(args, &stages, terminal)
}

/// A stage that is ready to be played.
struct Begun {
    folder: MatchFolder,
    lines: Vec<GameLine>,
}

impl Setting<'_> {
    fn begin(&self, terminal: &mut Terminal) -> Result<(Match, Begun)> {
        let requested = self.args.config(self.catalog, self.players)?;
        let Some(path) = &self.args.resume else {
            let (config, openings) = requested.expect("clap requires a game without --resume");
            let openings = openings.as_ref();
            // Check the configuration before the folder is created.
            let game = Match::new(self.catalog, self.players, &config, openings)?;
            if !self.args.quiet {
                self.announce(&config, openings, terminal)?;
            }
            let path = self.args.out.clone().unwrap_or_else(|| fresh_folder(Path::new("banyan-sweeps")));
            return Ok((game, self.create(&path, config, openings, terminal)?));
        };
        let OpenFolder { folder, lines, openings } = reopen(path, terminal)?;
        sweep_of(path, folder.config())?;
        if let Some((requested, _)) = &requested {
            check_same(folder.config(), requested)?;
        }
        let begun = self.extended(Begun { folder, lines })?;
        let game = Match::new(self.catalog, self.players, begun.folder.config(), openings.as_ref())?;
        Ok((game, begun))
    }

    /// The second stage, if there is one and the first is complete and has an optimum.
    fn begin_finer(&self, coarse: &Stage, terminal: &mut Terminal) -> Result<Option<(Match, Begun)>> {
        let config = coarse.folder.config();
        let sweep = sweep_of(coarse.folder.path(), config)?;
        if !sweep.refine || coarse.unfinished {
            return Ok(None);
        }
        let Some(optimum) = SweepResult::of(&[coarse.games()], false, 0)?.optimum() else { return Ok(None) };
        let Some(config) = finer(self.players, config, sweep, &optimum)? else { return Ok(None) };
        let path = coarse.folder.path().join(FINER);
        let openings = coarse.openings()?;
        let game = Match::new(self.catalog, self.players, &config, openings.as_ref())?;
        if config_of(&path).is_err() {
            return Ok(Some((game, self.create(&path, config, openings.as_ref(), terminal)?)));
        }
        let OpenFolder { folder, lines, .. } = reopen(&path, terminal)?;
        // With more pairs the optimum of the first stage has moved.
        folder.config().check_same(&config)?;
        Ok(Some((game, self.extended(Begun { folder, lines })?)))
    }

    fn create(
        &self,
        path: &Path,
        mut config: MatchConfig,
        openings: Option<&OpeningLines>,
        terminal: &mut Terminal,
    ) -> Result<Begun> {
        config.made_by.engines_file = engines_file(&config, self.engines);
        let folder = MatchFolder::create(path, config, openings)?;
        if !self.args.quiet {
            writeln!(terminal.err, "sweep in {}", path.display())?;
        }
        Ok(Begun { folder, lines: Vec::new() })
    }

    /// The same with as many pairs as are asked for.
    fn extended(&self, mut begun: Begun) -> Result<Begun> {
        let pairs = begun.folder.config().pairs;
        match self.args.pairs {
            Some(requested) if requested > pairs && begun.folder.path().join(FINER).exists() => {
                let expected = "the second stage is made for the optimum of the first, which more pairs would move";
                let remedy = "remove --pairs, or use a new folder with --out";
                return Err(TextError::new(format!("{requested} pairs"), expected, remedy).into());
            }
            Some(requested) if requested > pairs => begun.folder.set_pairs(requested)?,
            Some(requested) if requested < pairs => {
                let expected = format!("the sweep has {pairs}, and the number can only increase");
                return Err(TextError::new(format!("{requested} pairs"), expected, "remove --pairs").into());
            }
            _ => {}
        }
        Ok(begun)
    }

    fn play(&self, game: &mut Match, begun: Begun, terminal: &mut Terminal) -> Result<Stage> {
        let Begun { mut folder, lines } = begun;
        let names = folder.config().players.iter().map(|player| player.name.clone()).collect();
        let mut live = Live::new(&mut terminal.out, &STOP_SIGNAL, false, self.args.quiet, names);
        let played = game.play(&mut folder, lines, self.jobs, &STOP_SIGNAL, &mut live);
        live.end()?;
        let played = played?;
        Ok(Stage { folder, lines: played.lines, unfinished: played.unfinished })
    }

    /// What the planned games can detect and how long they take.
    fn announce(&self, config: &MatchConfig, openings: Option<&OpeningLines>, terminal: &mut Terminal) -> Result<()> {
        let n_values = config.players.len() as u64 - 1;
        let n_pairs = config.schedule()?.n_pairs_of_shard().unwrap_or(0);
        let quantity = config.sweep.as_ref().map_or(Quantity::Score, |sweep| sweep.quantity);
        let started = Instant::now();
        let lines = self.warm_up(config, openings)?;
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
        writeln!(terminal.err, "estimated time: {} with {} games in parallel", duration(seconds), self.jobs)?;
        Ok(())
    }

    /// A few pairs of the middle value, in a folder of their own that is removed again.
    fn warm_up(&self, config: &MatchConfig, openings: Option<&OpeningLines>) -> Result<Vec<GameLine>> {
        let players = vec![config.players[0].clone(), config.players[config.players.len() / 2].clone()];
        let config = MatchConfig { players, pairs: WARM_UP_PAIRS, shard: None, ..config.clone() };
        let game = Match::new(self.catalog, self.players, &config, openings)?;
        let path = std::env::temp_dir().join(format!("banyan-sweep-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        let stop_signal = StopSignal::new();
        let mut folder = MatchFolder::create(&path, config, openings)?;
        let mut watch = WarmUp { started: Instant::now(), stop_signal: &stop_signal };
        let played = game.play(&mut folder, Vec::new(), self.jobs, &stop_signal, &mut watch);
        drop(folder);
        let _ = fs::remove_dir_all(&path);
        Ok(played?.lines)
    }
}

impl Stage {
    /// The openings, if they came from a file.
    fn openings(&self) -> Result<Option<OpeningLines>> {
        Ok(banyan_catalog::matches::read_folder(self.folder.path())?.1)
    }
}

/// Ends a warm-up in time.
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

fn sweep_of<'a>(path: &Path, config: &'a MatchConfig) -> Result<&'a SweepConfig, TextError> {
    config.sweep.as_ref().ok_or_else(|| {
        let path = shell_word(&path.display().to_string());
        let remedy = format!("use {} match --resume {path}", program());
        TextError::new(path, "expected a sweep, found a match", remedy)
    })
}

fn finish(args: &SweepArgs, stages: &[Stage], terminal: &mut Terminal) -> Result<Exit> {
    let games: Vec<StageGames<'_>> = stages.iter().map(Stage::games).collect();
    let repetitions = args.repetitions.unwrap_or(0) as usize;
    let result = SweepResult::of(&games, args.by_colour, repetitions)?;
    let folder = &stages[0].folder;
    sweep_report::write(folder, &result)?;
    if !args.quiet {
        sweep_report::print(&result, &games, args.json, terminal)?;
        if !args.json {
            writeln!(terminal.out, "plot in {}", folder.path().join("sweep.svg").display())?;
        }
    }
    if stages.iter().any(|stage| stage.unfinished) {
        let jobs = args.jobs.map(|jobs| format!(" --jobs {jobs}")).unwrap_or_default();
        let path = shell_word(&folder.path().display().to_string());
        writeln!(terminal.err, "resume with\n  {} sweep --resume {path}{jobs}", program())?;
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Done)
}
