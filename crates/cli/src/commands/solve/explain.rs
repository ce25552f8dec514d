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
    if session.result().is_some() || session.structure().is_some() {
        return Ok(());
    }
    let expected = "expected a game whose positions have a structure";
    Err(TextError::new(session.spec(), expected, "leave out --explain"))
}

/// Prints the position with its structure, and writes its picture.
pub(super) fn print(args: &SolveArgs, mut session: GameState, solved: &Solved, terminal: &mut Terminal) -> Result<()> {
    let to_first = i32::from(session.to_move().sign());
    let outcome = solved.margin.map(|margin| (i32::from(margin) * to_first).signum());
    let decides = |structure: &Structure| {
        let strategy = structure.facts.iter().find(|fact| fact.name == STRATEGY);
        strategy.and_then(|fact| fact.number).map(i32::signum) == outcome
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
    let place = match (played, decides(&structure)) {
        (_, false) => "the position; no simple strategy decides it in the line".to_owned(),
        (0, true) => "the position, which a strategy decides".to_owned(),
        (n, true) => format!("after {n} moves of the line, {}, a strategy decides", solved.pv[..n].join(" ")),
    };
    writeln!(terminal.out, "\nwhy: {place}\n{}", board::paint_structure(&session, &structure, terminal.ascii))?;
    write!(terminal.out, "{}", structure_in_words(&structure, terminal.width))?;
    if let (Some(path), Some(picture)) = (&args.svg, session.picture()) {
        output_file::write(path, svg_with_structure(&picture, &structure, &session.spec()))?;
        output_file::note_written(path, terminal)?;
    }
    Ok(())
}
