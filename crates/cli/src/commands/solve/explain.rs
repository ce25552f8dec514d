//! `banyan solve --explain`: the position of the principal variation from which a simple strategy decides, or threats do.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::view::Solved;
use banyan_catalog::{GameState, svg_with_caption};
use banyan_core::{Side, Structure, TextError};

use super::args::SolveArgs;
use super::{is_to_the_end, line_in_words};
use crate::output::board;
use crate::output::output_file;
use crate::output::structure::structure_in_words;
use crate::output::terminal::Terminal;

/// A fact that decides a position. Its number is the margin that it reaches at least, seen by the first side.
#[derive(Clone, Copy)]
enum Decision {
    Strategy,
    /// One side wins within two moves, whatever the other one plays.
    Threats,
}

impl Decision {
    fn fact(self) -> &'static str {
        match self {
            Decision::Strategy => "follow-up",
            Decision::Threats => "threats-decide",
        }
    }

    /// Whether it proves this outcome, 1 for a win of the first side, in a position with this structure.
    fn proves(self, outcome: i32, structure: &Structure) -> bool {
        let fact = structure.facts.iter().find(|fact| fact.name == self.fact());
        fact.and_then(|fact| fact.number).map(i32::signum) == Some(outcome)
    }

    fn in_words(self, outcome: i32, session: &GameState) -> String {
        match (self, outcome) {
            // One side holds the draw; that the other one can do so too is proven by the search alone.
            (Decision::Strategy, 0) => "a strategy holds the draw".to_owned(),
            (Decision::Strategy, _) => "a strategy decides".to_owned(),
            (Decision::Threats, _) => {
                let winner = if outcome > 0 { Side::First } else { Side::Second };
                format!("the threats of {} decide", session.side_name(winner))
            }
        }
    }
}

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
    let (why, line) = (Why::new(&session, solved)?, line_in_words(&session, solved));
    solved.pv[..why.played].iter().try_for_each(|mv| session.play(mv).map(drop))?;
    let Some(structure) = session.structure() else { return Ok(()) };
    let place = why.in_words(&format!(", {}", solved.pv[..why.played].join(" ")));
    writeln!(terminal.out, "\nwhy: {place}\n{}", board::paint_structure(&session, &structure, terminal.ascii))?;
    write!(terminal.out, "{}", structure_in_words(&structure, terminal.width))?;
    if let (Some(path), Some(picture)) = (&args.svg, session.picture()) {
        let caption = caption(line, &why, &structure);
        output_file::write(path, svg_with_caption(&picture, &structure, &caption, &session.spec()))?;
        output_file::note_written(path, terminal)?;
    }
    Ok(())
}

/// The paragraphs below the picture: the line, the place of the position in it, and the facts.
fn caption(line: Option<String>, why: &Why, structure: &Structure) -> Vec<String> {
    let facts = structure.facts.iter().map(|fact| format!("{}: {}", fact.name.replace('-', " "), fact.text));
    line.into_iter().chain([format!("why: {}", why.in_words(""))]).chain(facts).collect()
}

/// The position of the line in which the result is decided, first by a strategy, else by threats.
struct Why {
    /// Moves of the line before it; none if nothing decides it.
    played: usize,
    /// The decision there in words, or the reason why there is none.
    how: String,
}

impl Why {
    fn new(session: &GameState, solved: &Solved) -> Result<Why, TextError> {
        let to_first = i32::from(session.to_move().sign());
        let [lower, upper] = [solved.lower, solved.upper].map(|margin| i32::from(margin).signum() * to_first);
        if lower != upper {
            let how = "not known, since the result is not proven; the position".to_owned();
            return Ok(Why { played: 0, how });
        }
        let mut later = session.clone();
        let mut structures = vec![later.structure()];
        for mv in &solved.pv {
            later.play(mv)?;
            structures.push(later.structure());
        }
        let first = |decision: Decision| {
            let is_decided =
                |structure: &Option<Structure>| structure.as_ref().is_some_and(|it| decision.proves(lower, it));
            Some((decision, structures.iter().position(is_decided)?))
        };
        let found = [Decision::Strategy, Decision::Threats].into_iter().find_map(first);
        Ok(match found {
            None => {
                let until = match solved.pv.is_empty() {
                    true => ", and no line is known",
                    false if is_to_the_end(session, solved) => " in the line",
                    false => " in the line, which does not reach the end of the game",
                };
                Why { played: 0, how: format!("the position; no simple strategy and no threats decide it{until}") }
            }
            Some((decision, 0)) => {
                Why { played: 0, how: format!("the position, in which {}", decision.in_words(lower, session)) }
            }
            Some((decision, played)) => Why { played, how: decision.in_words(lower, session) },
        })
    }

    /// `after 2 moves of the line, 4 4, a strategy decides`, with these `moves` behind a comma, or without them.
    fn in_words(&self, moves: &str) -> String {
        match self.played {
            0 => self.how.clone(),
            1 => format!("after the first move of the line{moves}, {}", self.how),
            n => format!("after {n} moves of the line{moves}, {}", self.how),
        }
    }
}
