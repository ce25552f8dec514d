//! The time that the planned games take, and the differences that they can show, before the first of them.

use std::fs;
use std::time::{Duration, Instant};

use anyhow::Result;
use banyan_arena::StopSignal;
use banyan_catalog::pairs::{GameLine, OpeningLines};
use banyan_matches::{Match, MatchConfig, MatchFolder, MatchFormat, MatchWatch, Standing};

use crate::frame::Frame;
use crate::interrupt;

/// The variance of the score of a pair in comparisons, for the announcement before any game is played: a guess. A sweep of c in Connect
/// Four (docs/sweep.md) found 0.094.
pub(super) const PAIR_VARIANCE: f64 = 0.10;

/// Games before the others that estimate their duration: pairs, and the time after which no further one is begun.
const WARM_UP_PAIRS: u64 = 4;
const WARM_UP: Duration = Duration::from_secs(3);

/// The seconds that a pair of these two players takes, with as many games at once as later.
///
/// # Errors
/// The games cannot be played.
pub(super) fn seconds_of_pair(
    frame: &Frame<'_>,
    (config, openings): (&MatchConfig, Option<&OpeningLines>),
    players: [usize; 2],
) -> Result<f64> {
    let players = players.map(|player| config.players[player].clone()).to_vec();
    // A configuration with some of the players only is neither a sweep nor an ablation.
    let config = MatchConfig {
        players,
        pairs: WARM_UP_PAIRS,
        format: MatchFormat::Sweep,
        shard: None,
        sweep: None,
        ablation: None,
        ..config.clone()
    };
    let started = Instant::now();
    let lines = warm_up(frame, config, openings)?;
    Ok(2.0 * started.elapsed().as_secs_f64() / lines.len().max(1) as f64)
}

/// Plays a few pairs in a separate folder that is removed afterwards.
fn warm_up(frame: &Frame<'_>, config: MatchConfig, openings: Option<&OpeningLines>) -> Result<Vec<GameLine>> {
    let game = Match::new(frame.catalog, &frame.players, &config, openings)?;
    let path = std::env::temp_dir().join(format!("banyan-estimate-{}", std::process::id()));
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

/// A duration in words: `12 min`.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        ..90.0 => format!("{seconds:.0} s"),
        ..5400.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}
