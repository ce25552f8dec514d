//! NBoard server: answers the GUI until `quit` or the end of input.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use banyan_catalog::view::{Analysis, Proof};
use banyan_catalog::{AnalysisObserver, AnyGame, Catalog};
use banyan_core::{Clock, Fault, Flow, Limits, TextError};

use super::{FromEngine, Ggf, Played, ToEngine};
use crate::server::{HostedGame, Inbox, Line, ServeError, Setup, best_of, duration_from_seconds, require};

/// Maximum length of a line in bytes; longer ones are ignored. A game of 120 plies with times takes about 2000 bytes.
const LONGEST_LINE: usize = 64 * 1024;

/// Interval between two reports of a search.
const BETWEEN_REPORTS: Duration = Duration::from_millis(500);

/// Evaluation in discs of a certain win, for players that return no margin; other values are scaled in proportion. The
/// values are expected results, so this does not predict the margin.
pub(super) const DISCS_OF_A_WIN: f64 = 64.0;

/// Serves NBoard for `game`, which must be Reversi; `set game` may change the board size. Commands that end a search, and
/// the end of input, are noticed during a search, which then answers with the best move so far.
///
/// # Errors
/// Another game, a stream error, or a player without a move.
pub fn serve(
    catalog: &Catalog,
    game: AnyGame,
    setup: Setup,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), ServeError> {
    require(&game, "reversi", "NBoard")?;
    let table = HostedGame::new(game, setup)?;
    let inbox = Inbox::new(input, LONGEST_LINE);
    let mut server = Server { table, catalog: catalog.clone(), depth: None, game: None, inbox, output };
    while let Some(line) = server.inbox.next()? {
        let Line::Text(text) = line else { continue };
        match ToEngine::parse(&text) {
            Ok(Some(ToEngine::Quit)) => break,
            Ok(Some(command)) => server.answer(command)?,
            Ok(None) => {}
            Err(err) => server.status(&format!("error: {err}"))?,
        }
    }
    Ok(())
}

struct Server<W> {
    table: HostedGame,
    catalog: Catalog,
    depth: Option<u32>,
    /// The game as last set, with the moves since; it stores the remaining time.
    game: Option<Ggf>,
    inbox: Inbox,
    output: W,
}

impl<W: Write> Server<W> {
    fn answer(&mut self, command: ToEngine) -> Result<(), ServeError> {
        match command {
            ToEngine::NBoard(_) => self.send(&FromEngine::Name("Banyan".to_owned()))?,
            ToEngine::Depth(depth) => self.set_depth(depth)?,
            ToEngine::Game(text) => match Ggf::parse(&text).and_then(|game| self.set_game(game)) {
                Ok(()) => {}
                Err(err) => self.status(&format!("cannot set the game: {err}"))?,
            },
            ToEngine::Move(played) => match self.play(played) {
                Ok(()) => {}
                Err(err) => self.status(&format!("cannot play: {err}"))?,
            },
            ToEngine::Hint(moves) => self.hint(moves)?,
            ToEngine::Go => self.go()?,
            ToEngine::Ping(number) => self.send(&FromEngine::Pong(number))?,
            // There is no book to add it to.
            ToEngine::Learn => self.send(&FromEngine::Learned)?,
            ToEngine::Analyze => self.analyze()?,
            ToEngine::Contempt(_) | ToEngine::Quit => {}
        }
        Ok(())
    }

    fn send(&mut self, answer: &FromEngine) -> io::Result<()> {
        writeln!(self.output, "{answer}")?;
        self.output.flush()
    }

    fn status(&mut self, text: &str) -> io::Result<()> {
        self.send(&FromEngine::Status(text.to_owned()))
    }

    fn set_depth(&mut self, depth: u32) -> io::Result<()> {
        let is_new = self.depth.replace(depth) != Some(depth);
        match self.table.player_without_depth() {
            Some(player) if is_new => {
                self.status(&format!("depth has no effect on {player}; its budget ends the search"))
            }
            _ => Ok(()),
        }
    }

    fn set_game(&mut self, game: Ggf) -> Result<(), TextError> {
        let moves: Vec<String> = game.moves.iter().map(|(_, played)| played.mv.clone()).collect();
        let opening = game.position();
        if self.table.size() == (game.size as usize, game.size as usize) {
            self.table.go_to(Some(&opening), &moves)?;
        } else {
            self.table.change_reversi_size(&self.catalog, &game.size.to_string(), Some(&opening), &moves)?;
        }
        self.game = Some(game);
        Ok(())
    }

    fn play(&mut self, played: Played) -> Result<(), TextError> {
        let session = self.table.session_mut();
        // Plays an omitted pass.
        session.play_all(&played.mv)?;
        let mover = session.movers().pop().unwrap_or(session.to_move());
        if let Some(game) = &mut self.game {
            game.moves.push((mover, played));
        }
        Ok(())
    }

    /// The budget and the depth set by the GUI.
    fn limits(&self) -> Limits {
        let own = self.table.limits();
        Limits { depth: self.depth.or(own.depth), ..own }
    }

    /// The budget and the depth set by the GUI, with the remaining time of the game.
    fn limits_in_play(&self) -> Limits {
        let own = self.limits();
        let side = self.table.session().to_move();
        let left = |side| self.game.as_ref()?.seconds_left(side).map(duration_from_seconds);
        let written = left(side).zip(left(!side)).map(|(own, other)| Clock { own, other, increment: Duration::ZERO });
        Limits { clock: own.clock.or(written), ..own }
    }

    fn hint(&mut self, moves: u32) -> Result<(), ServeError> {
        if self.table.session().result().is_some() {
            return Ok(self.status("the game is over")?);
        }
        self.status("Banyan is thinking")?;
        let limits = Limits { lines: Some(moves.max(1)), ..self.limits() };
        let (analysis, _) = self.think(&limits)?;
        for line in hints(&analysis, moves.max(1) as usize) {
            self.send(&line)?;
        }
        self.send(&effort(&analysis))?;
        Ok(self.status("")?)
    }

    fn go(&mut self) -> Result<(), ServeError> {
        if self.table.session().result().is_some() {
            return Ok(self.send(&FromEngine::Choice(Played::bare("pass")))?);
        }
        if let Some(mv) = self.table.forced() {
            return Ok(self.send(&FromEngine::Choice(Played::bare(&mv)))?);
        }
        self.status("Banyan is thinking")?;
        let (analysis, _) = self.think(&self.limits_in_play())?;
        self.send(&effort(&analysis))?;
        let eval = Some(eval(analysis.value, analysis.margin, analysis.proof));
        let time = Some(analysis.elapsed_ms / 1000.0);
        Ok(self.send(&FromEngine::Choice(Played { mv: best_of(&analysis).to_owned(), eval, time }))?)
    }

    /// Analyses from the last position to the first, so that each search can use the tree of the one after it.
    fn analyze(&mut self) -> Result<(), ServeError> {
        self.status("Banyan is analysing")?;
        let moves = self.table.session().history();
        for n_moves in (0..=moves.len()).rev() {
            let (analysis, interrupted) = match self.table.session().verdict() {
                Some(verdict) => (verdict, false),
                None => self.think(&self.limits())?,
            };
            if interrupted {
                break;
            }
            let eval = eval(analysis.value, analysis.margin, analysis.proof);
            self.send(&FromEngine::Analysis { moves: n_moves as u32, eval })?;
            self.table.session_mut().undo();
        }
        let back_at = self.table.session().history().len();
        for mv in &moves[back_at..] {
            self.table.session_mut().play(mv)?;
        }
        Ok(self.status("")?)
    }

    /// Searches the position. Returns also whether the search was stopped.
    fn think(&mut self, limits: &Limits) -> Result<(Analysis, bool), ServeError> {
        let mut telling = Telling {
            inbox: &mut self.inbox,
            output: &mut self.output,
            last: Instant::now(),
            cut: false,
            broken: None,
        };
        let analysis: Result<Analysis, Fault> = self.table.choose(limits, &mut telling);
        let cut = telling.cut;
        telling.broken.map_or(Ok(()), Err)?;
        Ok((analysis?, cut))
    }
}

/// Reports the progress of a search, and stops it when another command arrives.
struct Telling<'a, W> {
    inbox: &'a mut Inbox,
    output: &'a mut W,
    last: Instant,
    cut: bool,
    broken: Option<io::Error>,
}

impl<W: Write> AnalysisObserver for Telling<'_, W> {
    fn stopped(&mut self) -> bool {
        let ends_search = |line: &str| matches!(ToEngine::parse(line), Ok(Some(command)) if command.ends_search());
        self.cut |= self.inbox.has_stop(ends_search);
        self.cut || self.broken.is_some()
    }

    fn progress(&mut self, analysis: &Analysis) -> Flow {
        if self.last.elapsed() < BETWEEN_REPORTS {
            return Flow::Continue;
        }
        self.last = Instant::now();
        let lines = hints(analysis, 1).into_iter().chain([effort(analysis)]);
        let written = lines.into_iter().try_for_each(|line| writeln!(self.output, "{line}"));
        match written.and_then(|()| self.output.flush()) {
            Ok(()) => Flow::Continue,
            Err(err) => {
                self.broken = Some(err);
                Flow::Stop
            }
        }
    }
}

/// The evaluations of the best moves.
fn hints(analysis: &Analysis, moves: usize) -> Vec<FromEngine> {
    if analysis.moves.is_empty() {
        let eval = eval(analysis.value, analysis.margin, analysis.proof);
        return vec![hint(&analysis.pv, eval, analysis.proof, "")];
    }
    let line = |view: &banyan_catalog::view::MoveView| {
        // The form has no bounds.
        let (value, margin) =
            view.at_most.map_or((view.value.unwrap_or(0.0), view.margin), |most| (most.value, most.margin));
        let eval = eval(value, margin, view.proof);
        hint(&view.pv, eval, view.proof, &format!("{} visits", view.visits))
    };
    analysis.moves.iter().take(moves).map(line).collect()
}

fn hint(pv: &[String], eval: f64, proof: Option<Proof>, text: &str) -> FromEngine {
    FromEngine::Search { pv: pv.to_vec(), eval, depth: depth(pv, proof), text: text.to_owned() }
}

fn effort(analysis: &Analysis) -> FromEngine {
    FromEngine::NodeStats { nodes: analysis.nodes, seconds: analysis.elapsed_ms / 1000.0 }
}

/// The margin if proven; else the expected margin, or the scaled value if there is none, within the proven bounds.
fn eval(value: f64, margin: Option<f64>, proof: Option<Proof>) -> f64 {
    let guess = margin.unwrap_or(value * DISCS_OF_A_WIN);
    proof.map_or(guess, |proof| guess.clamp(f64::from(proof.lower), f64::from(proof.upper)))
}

/// `100%` if the margin is proven, `100%W` if the winner is, otherwise the length of the principal variation.
fn depth(pv: &[String], proof: Option<Proof>) -> String {
    match proof {
        Some(proof) if proof.lower == proof.upper => "100%".to_owned(),
        Some(proof) if proof.lower > 0 || proof.upper < 0 => "100%W".to_owned(),
        _ => pv.len().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_proven_is_said_as_nboard_expects_it() {
        let pv = ["f5".to_owned(), "d6".to_owned()];
        for (value, margin, proof, shown, deep) in [
            (0.5, None, None, 32.0, "2"),
            (0.5, Some(4.75), None, 4.75, "2"),
            (1.0, None, Some((4, 4)), 4.0, "100%"),
            (1.0, Some(5.25), Some((4, 4)), 4.0, "100%"),
            (1.0, None, Some((2, 20)), 20.0, "100%W"),
            (1.0, Some(3.5), Some((2, 20)), 3.5, "100%W"),
            (-0.25, None, Some((-64, -20)), -20.0, "100%W"),
            (0.5, None, Some((-2, 64)), 32.0, "2"),
            (0.0, None, Some((0, 0)), 0.0, "100%"),
        ] {
            let proof = proof.map(|(lower, upper)| Proof { lower, upper });
            assert_eq!((eval(value, margin, proof), depth(&pv, proof).as_str()), (shown, deep));
        }
    }

    #[test]
    fn hints_are_the_margins_that_the_player_expects() {
        let setup = Setup::new("pvs".parse().expect("a player"), "depth=4".parse().expect("a budget"), 1);
        let game = crate::builtin().game("reversi").expect("a game");
        let mut table = HostedGame::new(game, setup.expect("a budget that ends")).expect("a table");
        let limits = table.limits();
        let analysis = table.choose(&limits, &mut banyan_core::Silent).expect("a move");
        let margin = analysis.margin.expect("alpha-beta expects one");
        assert_ne!(margin, analysis.value * DISCS_OF_A_WIN);
        let FromEngine::Search { eval, .. } = hints(&analysis, 1).remove(0) else { panic!("a hint is a search") };
        assert_eq!(eval, margin);
    }
}
