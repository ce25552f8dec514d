//! `banyan solve`: the exact value of a position and all its best moves.

mod args;
mod explain;
mod file;
mod part;
mod progress;

use std::io::Write;

use anyhow::{Result, bail};
use banyan_catalog::view::{Solved, json_line};
use banyan_catalog::{Budget, Catalog, GameState, Goal, Session};
use banyan_core::{Margin, TextError};

use crate::Exit;
use crate::interrupt::Interrupt;
use crate::output::board;
use crate::output::game_words;
use crate::output::table::Table;
use crate::output::terminal::Terminal;
use crate::output::work::work;
use crate::output::wrap::lines_of_words;
pub(crate) use args::{LARGEST_TABLE, SolveArgs};
pub(crate) use part::{holds_positions, merge_positions};
use progress::solve_progress;

/// Maximum number of moves in the table, unless more are best; `--json` has all of them.
const LISTED: usize = 16;

/// Exits with 0 if everything requested is proven; with 1 if the budget ended the search earlier.
pub(crate) fn run(args: &SolveArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    args.check()?;
    if let Some(file) = &args.file {
        return file::run(args, file, catalog, terminal);
    }
    let mut session = args.at.open(catalog)?.session;
    if let Some(margin) = session.result() {
        let found = format!("the end of a game ({})", board::result(&session, margin));
        bail!(TextError::new(found, "expected a position that is not over", "leave out the last moves"));
    }
    session.set_solver_book(args.book(&session, session.tables())?);
    if args.explain {
        explain::check(&session)?;
    }
    if !args.json {
        write!(terminal.out, "{}", board::paint_session(&session, terminal.ascii))?;
    }
    let interrupt = Interrupt::install();
    let (goal, limits) = (args.goal(session.tables()), args.budget.first_limits());
    let solved = session.prove_line(goal, args.means(), &limits, &mut solve_progress(&interrupt, ""));
    if args.json {
        writeln!(terminal.out, "{}", json_line(&solved))?;
    } else {
        write!(terminal.out, "{}", listing(&session, &solved, goal, terminal.width))?;
    }
    if args.explain {
        explain::print(args, session.clone(), &solved, terminal)?;
    }
    if solved.reaches(goal) {
        return Ok(Exit::Done);
    }
    writeln!(terminal.err, "{}", what_is_missing(&session, &solved, &args.budget, interrupt.pressed()))?;
    Ok(if interrupt.pressed() { Exit::Interrupted } else { Exit::No })
}

fn listing(session: &Session, solved: &Solved, goal: Goal, width: usize) -> String {
    if goal == Goal::Value && solved.margin.is_some() {
        // Other moves are not part of the goal.
        return value(session, solved) + &line(session, solved, goal, width) + &done(solved);
    }
    let mut lines = Table::new(1, &["move", "value", ""]);
    let n_listed = LISTED.max(solved.best.len());
    for mv in solved.moves.iter().take(n_listed) {
        let mark = if solved.best.contains(&mv.mv) { "best" } else { "" };
        lines.add_row([mv.mv.as_str(), &mv.proof().in_words(), mark]);
    }
    let mut text = lines.text(width);
    if let Some(rest) = solved.moves.get(n_listed..).filter(|rest| !rest.is_empty()) {
        text += &format!("and {} more; --json has all\n", rest.len());
    }
    text + &value(session, solved) + &line(session, solved, goal, width) + &done(solved)
}

/// `line: 4 4 3`: the principal variation, or a line that keeps the winner, if it is known.
fn line(session: &GameState, solved: &Solved, goal: Goal, width: usize) -> String {
    let text = match line_in_words(session, solved) {
        Some(line) => line,
        None if goal == Goal::Winner && solved.reaches(goal) => {
            "line: none, as no move that keeps the winner is proven within the budget".to_owned()
        }
        None => return String::new(),
    };
    lines_of_words(&text, width).join("\n") + "\n"
}

/// `line (not to the end): 4 4 3`, or `None` without a line.
fn line_in_words(session: &GameState, solved: &Solved) -> Option<String> {
    let notes = [
        solved.margin.is_none().then_some("keeps the winner, not the margin"),
        (!is_to_the_end(session, solved)).then_some("not to the end"),
    ];
    let notes: Vec<&str> = notes.into_iter().flatten().collect();
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
    (!solved.pv.is_empty()).then(|| format!("line{notes}: {}", solved.pv.join(" ")))
}

/// Whether the line leads to the end of the game.
fn is_to_the_end(session: &GameState, solved: &Solved) -> bool {
    let mut end = session.clone();
    solved.pv.iter().all(|mv| end.play(mv).is_ok()) && end.result().is_some()
}

/// `value: win +3 for X (X wins by 3 discs)`, or the proven bounds.
fn value(session: &Session, solved: &Solved) -> String {
    let side = session.to_move();
    let (words, name) = (solved.proof().in_words(), session.side_name(side));
    match solved.margin {
        Some(0) => "value: draw\n".to_owned(),
        Some(margin) => {
            let result = board::result(session, Margin::won_by(side, margin));
            format!("value: {words} for {name} ({result}{})\n", game_words::point_note(session))
        }
        None if solved.reaches(Goal::Winner) => format!("value: {words} for {name}\n"),
        None => format!("value: {words} for {name} (not solved)\n"),
    }
}

fn done(solved: &Solved) -> String {
    let mib = solved.memory_bytes.div_ceil(1 << 20);
    let book = solved.book.as_ref().map_or(String::new(), |book| format!(", with the {book}"));
    format!("done: {}, {mib} MiB{book}\n", work(solved.nodes, solved.elapsed_ms))
}

/// The reason why the result is incomplete, and the remedy.
fn what_is_missing(session: &Session, solved: &Solved, budget: &Budget, interrupted: bool) -> String {
    let when = if interrupted { "before the interrupt".to_owned() } else { format!("within {budget}") };
    if solved.margin.is_some() && solved.best.is_empty() {
        return format!("value proven, but no move that reaches it {when}; raise --budget");
    }
    if solved.knows_best_moves() {
        return format!("value and best moves proven, but other moves have only bounds {when}; raise --budget");
    }
    if solved.margin.is_some() {
        return format!("value proven, but not all moves solved {when}: more moves may be best; raise --budget");
    }
    let (words, name) = (solved.proof().in_words(), session.side_name(session.to_move()));
    format!("not solved {when}: proven for {name}: {words}; raise --budget")
}
