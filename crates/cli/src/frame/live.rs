//! Progress of a running match: one live line on a terminal, a line every ten seconds in a log, JSON events for other
//! programs.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use banyan_arena::StopSignal;
use banyan_arena::stats::Interval;
use banyan_catalog::pairs::GameLine;
use banyan_catalog::view::json_line;
use banyan_matches::{Leader, MatchWatch, Standing, StatsEvent};
use indicatif::{ProgressBar, ProgressStyle};

use crate::output::terminal::Output;

/// Interval between two lines in a log.
const LOG_EVERY: Duration = Duration::from_secs(10);
/// Interval between two `stats` events.
const STATS_EVERY: Duration = Duration::from_secs(1);
/// Interval between two updates of the live line; drawing costs more than a short game.
const LINE_EVERY: Duration = Duration::from_millis(50);

/// Shows the progress of a match.
pub(crate) struct Live<'a> {
    out: &'a mut Output,
    stop_signal: &'a StopSignal,
    json: bool,
    line: Option<ProgressBar>,
    /// Names of the players.
    players: Vec<String>,
    quiet: bool,
    started: Instant,
    drawn: Option<Instant>,
    emitted: Option<Instant>,
    /// The error that ended writing.
    failed: Option<io::Error>,
}

impl<'a> Live<'a> {
    pub(crate) fn new(
        out: &'a mut Output,
        stop_signal: &'a StopSignal,
        json: bool,
        quiet: bool,
        players: Vec<String>,
    ) -> Live<'a> {
        let line = (!quiet && io::IsTerminal::is_terminal(&io::stderr())).then(|| {
            let style = ProgressStyle::with_template("{wide_msg}").expect("a valid template");
            ProgressBar::new_spinner().with_style(style)
        });
        let started = Instant::now();
        Live { out, stop_signal, json, line, players, quiet, started, drawn: None, emitted: None, failed: None }
    }

    /// Removes the live line.
    ///
    /// # Errors
    /// The events could not be written, and the match was stopped.
    pub(crate) fn end(self) -> io::Result<()> {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
        self.failed.map_or(Ok(()), Err)
    }

    fn emit(&mut self, json: &str) {
        if self.failed.is_none()
            && let Err(err) = writeln!(self.out, "{json}")
        {
            self.failed = Some(err);
            self.stop_signal.finish();
        }
    }

    fn draw(&mut self, standing: &Standing) {
        let every = if self.line.is_some() { LINE_EVERY } else { LOG_EVERY };
        if self.quiet || !is_due(self.drawn.unwrap_or(self.started), every) {
            return;
        }
        self.drawn = Some(Instant::now());
        let text = progress(standing, &self.players, self.started.elapsed());
        match &self.line {
            Some(line) => {
                line.set_message(text);
                line.tick();
            }
            // The match continues even if the log cannot be written.
            None => drop(writeln!(io::stderr(), "{text}")),
        }
    }
}

impl MatchWatch for Live<'_> {
    fn game(&mut self, line: &GameLine) {
        if self.json {
            self.emit(&line.write());
        }
    }

    fn pair(&mut self, standing: &Standing) {
        self.draw(standing);
        if self.json && is_due(self.emitted.unwrap_or(self.started), STATS_EVERY) {
            self.emitted = Some(Instant::now());
            self.emit(&json_line(&StatsEvent::of(standing, self.players.len())));
        }
    }
}

fn is_due(last: Instant, every: Duration) -> bool {
    last.elapsed() >= every
}

/// `[00:03:12 ETA 00:08] 240/1000 pairs  +45 [21..69] Elo  W231 D12 L237`.
/// With more than two players the leader and its lead over the second: `[...] 61/360 pairs  mcgs leads uct by +45 [21..69] Elo`.
fn progress(standing: &Standing, players: &[String], elapsed: Duration) -> String {
    let counts = standing.counts(0);
    let games = counts.games();
    let Standing { pairs, new_pairs, of, faults, .. } = *standing;
    let left = elapsed.as_secs_f64() / new_pairs.max(1) as f64 * of.saturating_sub(pairs) as f64;
    let mut text = format!("[{}", clock(elapsed.as_secs()));
    text += &match standing.sprt() {
        Some(state) => {
            let counted = format!("] {pairs} pairs  {}", elo(&counts.estimate().elo));
            format!("{counted}  LLR {:.2} ({:.2}..{:.2})", state.llr, state.lower, state.upper)
        }
        None if players.len() > 2 => {
            let place = standing.leader(players.len()).map(|Leader { player, next, gap }| {
                format!("  {} leads {} by {}", players[player], players[next], elo(&gap))
            });
            format!(" ETA {}] {pairs}/{of} pairs{}", clock(left as u64), place.unwrap_or_default())
        }
        None => format!(" ETA {}] {pairs}/{of} pairs  {}", clock(left as u64), elo(&counts.estimate().elo)),
    };
    if players.len() <= 2 {
        text += &format!("  W{} D{} L{}", games.wins, games.draws, games.losses);
    }
    if faults > 0 {
        text += &format!("  {faults} lost by fault");
    }
    text
}

fn clock(seconds: u64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// `+45 [21..69] Elo`; a bound that the games do not determine is omitted.
pub(crate) fn elo(interval: &Interval) -> String {
    let end = |end: Option<f64>| end.map_or(String::new(), |x| format!("{x:.0}"));
    let mid = interval.mid.map_or("?".to_owned(), |x| format!("{x:+.0}"));
    format!("{mid} [{}..{}] Elo", end(interval.low), end(interval.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_match_that_has_just_begun_is_readable() {
        let mut standing = Standing::default();
        standing.of = 1000;
        let names = ["uct", "mcgs", "random"].map(str::to_owned);
        let text = progress(&standing, &names[..2], Duration::from_secs(192));
        assert_eq!(text, "[00:03:12 ETA 53:20:00] 0/1000 pairs  ? [..] Elo  W0 D0 L0");
        let text = progress(&standing, &names, Duration::from_secs(192));
        assert_eq!(text, "[00:03:12 ETA 53:20:00] 0/1000 pairs");
    }

    #[test]
    fn open_ends_are_left_open() {
        assert_eq!(elo(&Interval { low: Some(20.6), mid: Some(45.0), high: Some(69.0) }), "+45 [21..69] Elo");
        assert_eq!(elo(&Interval { low: Some(445.0), mid: None, high: None }), "? [445..] Elo");
    }
}
