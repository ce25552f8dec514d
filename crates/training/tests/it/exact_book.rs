//! Books of exact values agree with the solver without one, resume after an interruption, bind players and provers, and refuse damaged
//! files.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use banyan_catalog::book::{BookError, ExactBook, ExactPlan, open_exact_book};
use banyan_catalog::{Goal, Means, Opening, Session, SolverBook};
use banyan_core::{Limits, Rng, Silent};
use banyan_training::book::{ExactBookFile, ExactBookObserver, open_exact};

use super::book::{TempDir, builtin};

const MEANS: Means = Means { table_mib: 16, threads: 1 };

/// Stops after this number of lines.
struct StopAfter(AtomicU64);

impl ExactBookObserver for StopAfter {
    fn stopped(&self) -> bool {
        self.0.load(Relaxed) == 0
    }

    fn added(&self, _book: &ExactBook) {
        self.0.store(self.0.load(Relaxed).saturating_sub(1), Relaxed);
    }
}

fn make(
    path: &Path,
    game: &str,
    plies: u32,
    has_margins: bool,
    (threads, lines): (u32, u64),
) -> Result<bool, BookError> {
    let game = builtin().game(game).expect("a game");
    let plan = ExactPlan { game: game.spec(), plies, has_margins };
    let mut file = ExactBookFile::open(path, plan, &game)?;
    file.solve(&game, Means { threads, ..MEANS }, &StopAfter(AtomicU64::new(lines)))
}

/// Calls `check` at every position after up to `plies` moves.
fn everywhere(session: &mut Session, plies: u32, check: &mut dyn FnMut(&Session)) {
    if session.result().is_some() {
        return;
    }
    check(session);
    if plies > 0 {
        for mv in session.legal_moves() {
            session.play(&mv).expect("a legal move");
            everywhere(session, plies - 1, check);
            session.undo();
        }
    }
}

#[test]
fn the_values_of_a_book_and_all_that_follows_from_it_are_those_of_the_solver() {
    let (root, mut total) = (TempDir::new("exact"), 0);
    // The second game has turns that continue, the third passes and few symmetries.
    for (game, plies) in
        [("connect-four:4x4", 3), ("connect-four:4x5,hole=b1", 2), ("dots-and-boxes:1x2", 5), ("reversi:4x4", 2)]
    {
        for has_margins in [false, true] {
            let path = root.file(&format!("{game}-{has_margins}"));
            assert!(make(&path, game, plies, has_margins, (1, u64::MAX)).expect("a book"), "{game}");
            let (book, mut session) = open_exact(&path, &builtin()).expect("it is read");
            let (book, mut n) = (Arc::new(book), 0);
            session.set_solver_book(SolverBook::Off);
            let any = builtin().game(game).expect("a game");
            everywhere(&mut session, plies, &mut |session| {
                let solved = session.solve(MEANS, &Limits::default(), &mut Silent);
                let view = book.view(session).expect("every position is in it");
                let margin = solved.margin.expect("it is solved");
                assert!((view.lower..=view.upper).contains(&margin), "{}", session.position());
                assert!(if has_margins {
                    view.lower == view.upper
                } else {
                    view.lower.signum() == view.upper.signum()
                });
                for known in &view.moves {
                    let solved = solved.moves.iter().find(|mv| mv.mv == known.mv).and_then(|mv| mv.margin);
                    assert!(
                        (known.lower..=known.upper).contains(&solved.expect("a move")),
                        "{} {}",
                        session.position(),
                        known.mv
                    );
                }
                n += 1;
                // With the book the solver finds the same.
                if n % 7 == 0 {
                    let mut with_book = any.session(session.fork());
                    with_book.set_solver_book(SolverBook::Given(Arc::clone(&book)));
                    for goal in [Goal::Winner, Goal::Value, Goal::BestMoves, Goal::Everything] {
                        let again = with_book.prove(goal, MEANS, &Limits::default(), &mut Silent);
                        assert!(again.reaches(goal) && (again.lower..=again.upper).contains(&margin), "{goal:?}");
                        // One test of the position proves its exact value, and one of each move at most finds one that reaches it.
                        if has_margins && goal == Goal::Value && session.history().len() < plies as usize {
                            let most = 1 + again.moves.len() as u64;
                            assert!(again.nodes <= most, "{} of {most}, {}", again.nodes, session.position());
                        }
                        if goal == Goal::Everything {
                            assert_eq!(again.moves, solved.moves, "{}", session.position());
                        }
                    }
                }
            });
            total += n;
        }
    }
    assert!(total > 200, "{total}");
}

#[test]
fn a_book_is_the_same_whole_in_parts_and_on_two_threads() {
    let root = TempDir::new("exact-parts");
    let files = ["whole", "parts", "threads"].map(|name| root.file(name));
    let game = "connect-four:4x6";
    assert!(make(&files[0], game, 5, false, (1, u64::MAX)).expect("a book"));
    let whole = fs::read_to_string(&files[0]).expect("a book");
    assert!(whole.lines().count() > 8, "{whole}");
    while !make(&files[1], game, 5, false, (1, 2)).expect("a part") {
        let part = fs::read_to_string(&files[1]).expect("a part");
        assert!(whole.starts_with(&part) && part.len() < whole.len());
        // A line that was being written when the program ended.
        fs::write(&files[1], format!("{part}(((")).expect("a part");
        let refused = open_exact_book(&files[1], &start(game)).expect_err("it is not finished").to_string();
        assert!(refused.contains("expected a finished one; continue it by"), "{refused}");
    }
    assert!(make(&files[2], game, 5, false, (2, u64::MAX)).expect("a book"));
    for file in &files {
        assert_eq!(fs::read_to_string(file).expect("a book"), whole, "{}", file.display());
    }
    // A finished book is not changed.
    assert!(make(&files[2], game, 5, false, (2, u64::MAX)).expect("a book"));
    assert_eq!(fs::read_to_string(&files[2]).expect("a book"), whole);
}

fn start(game: &str) -> Session {
    builtin().game(game).expect("a game").open(Opening::Start).expect("a session")
}

#[test]
fn a_player_with_a_book_never_leaves_its_best_moves() {
    let root = TempDir::new("exact-play");
    let file = root.file("book");
    assert!(make(&file, "connect-four:4x5", 6, false, (1, u64::MAX)).expect("a book"));
    let book = open_exact_book(&file, &start("connect-four:4x5")).expect("a book");
    let player = format!("random:book={}", file.display()).parse().expect("a player");
    let (mut rng, mut n) = (Rng::new(6), 0);
    for _ in 0..200 {
        let mut session = start("connect-four:4x5");
        let seat = session.seat(&player, 1).expect("a seat");
        for _ in 0..rng.below(9) {
            let moves = session.legal_moves();
            if session.result().is_none() {
                session.play(&moves[rng.below(moves.len() as u32) as usize]).expect("a legal move");
            }
        }
        if session.result().is_some() {
            continue;
        }
        let analysis = session.choose(seat, &Limits::playouts(1), &mut Silent).expect("a move");
        let view = book.view(&session).filter(|view| view.moves.len() == session.legal_moves().len());
        assert_eq!(analysis.proof.is_some(), view.is_some(), "{}", session.position());
        assert!(!analysis.book, "it did not search");
        let Some(view) = view else { continue };
        let best = analysis.best.expect("a move");
        let chosen = view.moves.iter().find(|mv| mv.mv == best).expect("a legal move");
        assert_eq!(chosen.lower.signum(), view.moves[0].lower.signum(), "{}: {best}", session.position());
        assert_eq!(analysis.value, f64::from(view.lower.signum()));
        assert_eq!(analysis.moves.len(), view.moves.len());
        assert!(analysis.moves.iter().all(|mv| mv.proof.is_some()) && analysis.proof.is_some());
        n += 1;
    }
    assert!(n > 60, "{n}");
}

#[test]
fn a_damaged_book_and_that_of_another_game_or_plan_are_refused() {
    let root = TempDir::new("exact-wrong");
    let file = root.file("book");
    assert!(make(&file, "connect-four:4x4", 4, false, (1, u64::MAX)).expect("a book"));
    let text = fs::read_to_string(&file).expect("a book");
    let refusal = |text: &str, game: &str| {
        let path = root.file("other");
        fs::write(&path, text).expect("a file");
        open_exact_book(&path, &start(game)).map(|book| book.n_solved()).map_err(|err| err.to_string())
    };
    assert_eq!(refusal(&text, "connect-four:4x4"), Ok(book_size(&text)));
    let refused = |text: &str, game: &str, expected: &str| {
        let err = refusal(text, game).expect_err("it is refused");
        assert!(err.contains(expected), "{err}");
    };
    refused(&text, "connect-four:4x5", "a book of connect-four:4x4: expected one of connect-four:4x5");
    refused(&text.replacen("plies=4", "plies=4294967295", 1), "connect-four:4x4", "other:1");
    refused("banyan-book v=1\n", "connect-four:4x4", "expected \"banyan-exact-book v=1\"");
    // Without its checksum a line is believed if it has the right form.
    let second = text.lines().nth(1).expect("values");
    refused(
        &text.replace(second, &second.replacen(second.chars().next().expect("a value"), "~", 1)),
        "connect-four:4x4",
        "other:2",
    );
    refused(&text.replace(second, "~~"), "connect-four:4x4", "values; make the book again");
    refused(&format!("{text}((\n"), "connect-four:4x4", "expected 0 values");
    let err = make(&file, "connect-four:4x4", 5, false, (1, 0)).expect_err("another plan").to_string();
    assert!(
        err.contains("expected one of connect-four:4x4 with --plies 5") && err.contains("choose another --out"),
        "{err}"
    );
    let err = make(&root.file("large"), "connect-four:8x8", 30, false, (1, 0)).expect_err("too many").to_string();
    assert!(err.contains("choose fewer --plies"), "{err}");
}

/// The number of positions that the text of the book above has values of.
fn book_size(text: &str) -> usize {
    let game = builtin().game("connect-four:4x4").expect("a game");
    let start = game.begin(Opening::Start).expect("the start");
    let lines: String =
        text.lines().map(|line| line.split(" #").next().unwrap_or_default().to_owned() + "\n").collect();
    ExactBook::read(&lines, "book", &start).expect("a book").n_positions()
}
