//! `banyan solve --explain`: the position of the principal variation from which a simple strategy decides.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::view::Solved;
use banyan_catalog::{GameState, svg_with_structure};
use banyan_core::{Structure, TextError};

use super::args::SolveArgs;
use crate::output::board;
use crate::output::output_file;
use crate::output::structure::structure_in_words;
use crate::output::terminal::Terminal;

/// The fact that names a strategy; its number is the margin that it reaches at least, seen by the first side.
const STRATEGY: &str = "follow-up";

/// Refuses a game whose positions have no structure.
pub(super) fn check(session: &GameState) -> Result<(), TextError> {
    if session.structure().is_some() {
        return Ok(());
    }
    let expected = "expected a game whose positions have a structure";
    Err(TextError::new(session.spec(), expected, "leave out --explain"))
}

/// Prints the position with its structure, and writes its picture.
pub(super) fn print(args: &SolveArgs, mut session: GameState, solved: &Solved, terminal: &mut Terminal) -> Result<()> {
    let to_first = i32::from(session.to_move().sign());
    let [lower, upper] = [solved.lower, solved.upper].map(|margin| i32::from(margin).signum() * to_first);
    let outcome = (lower == upper).then_some(lower);
    let decides = |structure: &Structure| {
        let strategy = structure.facts.iter().find(|fact| fact.name == STRATEGY);
        outcome.is_some() && strategy.and_then(|fact| fact.number).map(i32::signum) == outcome
    };
    let mut played = 0;
    let mut later = session.clone();
    for (i, mv) in [None].into_iter().chain(solved.pv.iter().map(Some)).enumerate() {
        mv.map(|mv| later.play(mv)).transpose()?;
        if later.structure().is_some_and(|structure| decides(&structure)) {
            played = i;
            break;
        }
    }
    solved.pv[..played].iter().try_for_each(|mv| session.play(mv).map(drop))?;
    let Some(structure) = session.structure() else { return Ok(()) };
    // One side holds the draw; that the other one can do so too is proven by the search alone.
    let verb = if outcome == Some(0) { "holds the draw" } else { "decides" };
    let place = match (played, decides(&structure)) {
        _ if outcome.is_none() => "not known, since the result is not proven; the position".to_owned(),
        (_, false) => "the position; no simple strategy decides it in the line".to_owned(),
        (0, true) => format!("the position, in which a strategy {verb}"),
        (n, true) => format!("after {n} moves of the line, {}, a strategy {verb}", solved.pv[..n].join(" ")),
    };
    writeln!(terminal.out, "\nwhy: {place}\n{}", board::paint_structure(&session, &structure, terminal.ascii))?;
    write!(terminal.out, "{}", structure_in_words(&structure, terminal.width))?;
    if let (Some(path), Some(picture)) = (&args.svg, session.picture()) {
        output_file::write(path, svg_with_structure(&picture, &structure, &session.spec()))?;
        output_file::note_written(path, terminal)?;
    }
    Ok(())
}
