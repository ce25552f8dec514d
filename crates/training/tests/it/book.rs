//! Books have exact values, resume after an interruption, serve every symmetric image of a position, and refuse damaged files.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use banyan_catalog::book::{Book, BookError};
use banyan_catalog::storage::LineForm;
use banyan_catalog::view::Analysis;
use banyan_catalog::{Budget, Catalog, Means, Opening, PlayerSpec, Session};
use banyan_core::{Game, Limits, Margin, Notation, Rng, Side, Silent, Symmetry};
use banyan_dots_and_boxes::DotsAndBoxes;
use banyan_testkit::rounds;
use banyan_training::book::{BookFile, BookLimits, BookObserver, grow_book, new_plan, open_book};
use proptest::prelude::*;

/// A folder that is removed when the test ends.
pub(crate) struct TempDir(PathBuf);

impl TempDir {
    pub(crate) fn new(name: &str) -> TempDir {
        let path = std::env::temp_dir().join(format!("banyan-book-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        TempDir(path)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn builtin() -> Catalog {
    let families =
        [banyan_connect_four_engine::family(), banyan_reversi_engine::family(), banyan_dots_and_boxes_engine::family()];
    Catalog::of(families).expect("valid presets")
}

/// Stops after this number of searches.
struct StopAfter(AtomicU64);

impl BookObserver for StopAfter {
    fn stopped(&self) -> bool {
        self.0.load(Relaxed) == 0
    }

    fn added(&self, _book: &Book) {
        self.0.store(self.0.load(Relaxed).saturating_sub(1), Relaxed);
    }
}

/// The book to make: its game, player, budget and limits.
struct Order<'a> {
    game: &'a str,
    player: &'a str,
    budget: &'a str,
    limits: BookLimits,
}

const EVERYTHING: BookLimits = BookLimits { plies: 1000, positions: usize::MAX, threads: 1 };

impl Order<'_> {
    fn make(&self, path: &Path, searches: u64) -> Result<bool, BookError> {
        let catalog = builtin();
        let game = catalog.game(self.game).expect("a game");
        let budget: Budget = self.budget.parse().expect("a budget");
        let plan = new_plan(&game, self.player, budget, 1)?;
        let mut file = BookFile::open(path, plan, &game)?;
        grow_book(&mut file, &game, self.limits, &StopAfter(AtomicU64::new(searches)))
    }
}

/// The margin under best play seen by `First`, by plain minimax.
fn exact(game: &mut Session, known: &mut HashMap<u64, Margin>) -> Margin {
    if let Some(margin) = game.result() {
        return margin;
    }
    if let Some(&margin) = known.get(&game.position_key()) {
        return margin;
    }
    let (side, key) = (game.to_move(), game.position_key());
    let mut best: Option<Margin> = None;
    for mv in game.legal_moves() {
        game.play(&mv).expect("a legal move");
        let margin = exact(game, known);
        game.undo();
        if best.is_none_or(|best| margin.seen_by(side) > best.seen_by(side)) {
            best = Some(margin);
        }
    }
    let best = best.expect("a move");
    known.insert(key, best);
    best
}

/// Every position of a book, each once.
fn check_all(book: &Book, game: &mut Session, seen: &mut HashMap<u64, Margin>, known: &mut HashMap<u64, Margin>) {
    let Some(view) = book.view(game) else { return };
    let (side, margin) = (game.to_move(), exact(game, known));
    let (value, points) = (f64::from(margin.seen_by(side).signum()), f64::from(margin.seen_by(side)));
    assert_eq!((view.value, view.margin), (value, Some(points)), "{}", game.position());
    for mv in view.moves {
        game.play(&mv.mv).expect("a legal move");
        let exact_after = exact(game, known).seen_by(side);
        assert_eq!(mv.margin, Some(f64::from(exact_after)), "{}", game.position());
        if seen.insert(game.position_key(), margin).is_none() {
            check_all(book, game, seen, known);
        }
        game.undo();
    }
}

/// A player without knowledge, so that all values come from the ends of the games, which sides reach by extra turns.
#[test]
fn values_are_those_of_minimax_whoever_moves_next() {
    let root = TempDir::new("minimax");
    for (game, margin, n_least) in [("dots-and-boxes:1x2", None, 40), ("dots-and-boxes:2x2", Some(2.0), 600)] {
        let file = root.file(&game.replace(':', "-"));
        let order = Order { game, player: "random", budget: "nodes=1", limits: EVERYTHING };
        assert!(order.make(&file, u64::MAX).expect("a book"));
        let (book, mut session) = open_book(&file, &builtin()).expect("the book is read");
        assert!(book.n_positions() >= n_least, "{game}: {}", book.n_positions());
        let view = book.view(&session).expect("the start");
        assert!(margin.is_none() || view.margin == margin, "{view:?}");
        assert_eq!(view.pv.len() as u32, book.main_line_plies());
        assert_eq!(view.positions_below + 1, view.positions);
        let mut seen = HashMap::new();
        check_all(&book, &mut session, &mut seen, &mut HashMap::new());
        assert!(seen.len() + 1 == book.n_positions(), "{} of {}", seen.len() + 1, book.n_positions());
    }
}

#[test]
fn interruptions_and_threads_change_nothing() {
    let root = TempDir::new("parts");
    let limits = BookLimits { plies: 6, positions: 120, threads: 1 };
    for (game, player, budget) in [
        ("dots-and-boxes:2x2", "pvs", "depth=2"),
        ("reversi:4x4", "uct", "playouts=20"),
        ("connect-four:4x4", "mcgs", "nodes=30"),
    ] {
        let order = Order { game, player, budget, limits };
        let files = ["whole", "parts", "threads"].map(|name| root.file(&format!("{player}-{name}")));
        assert!(order.make(&files[0], u64::MAX).expect("a book"));
        let mut calls = 0;
        while !order.make(&files[1], 7).expect("a part") {
            calls += 1;
            assert!(calls < 1000, "every call adds positions");
            // The file as a killed process leaves it.
            let text = fs::read_to_string(&files[1]).expect("a book");
            fs::write(&files[1], format!("{text}h0,")).expect("it is writable");
        }
        let threaded = Order { limits: BookLimits { threads: 3, ..limits }, ..order };
        assert!(threaded.make(&files[2], u64::MAX).expect("a book"));
        let [whole, parts, mut threads] = files.map(|file| fs::read_to_string(file).expect("a book"));
        assert!(calls > 5 && whole.lines().count() > 120, "{calls} calls:\n{whole}");
        assert_eq!(whole, parts, "{game}");
        // Threads may finish the positions of one expansion in another order.
        let sorted = |text: &str| {
            let text: String = text.lines().map(|line| LineForm::Numbered.without_checksum(line) + "\n").collect();
            let mut parts: Vec<Vec<&str>> = text.split("expand ").map(|part| part.lines().collect()).collect();
            parts.iter_mut().for_each(|part| part[1..].sort_unstable());
            parts.iter().map(|part| part.join("\n")).collect::<Vec<String>>()
        };
        assert_eq!(sorted(&whole), sorted(&threads), "{game}");
        // A finished book is not changed.
        threads = fs::read_to_string(root.file(&format!("{player}-threads"))).expect("a book");
        assert!(threaded.make(&root.file(&format!("{player}-threads")), u64::MAX).expect("a book"));
        assert_eq!(fs::read_to_string(root.file(&format!("{player}-threads"))).expect("a book"), threads);
    }
}

#[test]
fn the_main_line_is_expanded_first_and_then_the_least_losses() {
    let root = TempDir::new("order");
    let file = root.file("book");
    let order = |plies, positions| Order {
        game: "dots-and-boxes:2x3",
        player: "pvs",
        budget: "depth=3",
        limits: BookLimits { plies, positions, threads: 1 },
    };
    // The start only.
    assert!(order(0, 1).make(&file, u64::MAX).expect("a book"));
    let lines = |file: &Path| fs::read_to_string(file).expect("a book").lines().count();
    assert_eq!(lines(&file), 2);
    // For any number of positions, the main line is complete.
    for positions in [2, 20, 60, 200] {
        assert!(order(5, positions).make(&file, u64::MAX).expect("a book"));
        assert!(lines(&file) > positions);
        assert_eq!(open_book(&file, &builtin()).expect("the book is read").0.main_line_plies(), 5, "{positions}");
    }
    let (book, session) = open_book(&file, &builtin()).expect("the book is read");
    let view = book.view(&session).expect("the start");
    // All moves of the start but symmetric ones are there, in the order of their values.
    assert!(view.moves.len() >= 4 && view.moves.is_sorted_by(|a, b| a.value >= b.value), "{view:?}");
    assert_eq!(view.value, view.moves[0].value);
    assert!(view.moves[0].positions > view.moves[view.moves.len() - 1].positions, "{view:?}");
}

fn choose(session: &mut Session, player: &str, budget: &str) -> Analysis {
    let player: PlayerSpec = player.parse().expect("a player");
    let seat = session.seat(&player, 1).expect("a seat");
    let limits = budget.parse::<Budget>().expect("a budget").first_limits();
    session.choose(seat, &limits, &mut Silent).expect("a move")
}

fn is_exactly_best(session: &Session, mv: &str) -> bool {
    let solved = session.solve(Means { table_mib: 16, threads: 1 }, &Limits::default(), &mut Silent);
    solved.best.iter().any(|best| best == mv)
}

#[test]
fn every_image_of_a_position_has_the_moves_of_the_book() {
    let root = TempDir::new("images");
    let file = root.file("book");
    let limits = BookLimits { plies: 4, positions: 400, threads: 1 };
    let order = Order { game: "dots-and-boxes:2x2", player: "solver", budget: "nodes=1000000", limits };
    assert!(order.make(&file, u64::MAX).expect("a book"));
    let (book, _) = open_book(&file, &builtin()).expect("the book is read");
    let game = DotsAndBoxes::<u64>::from_options("2x2").expect("a board");
    assert_eq!(game.symmetries(), 8);
    let player = format!("random:book={}", file.display());
    let (catalog, mut rng, mut n_book) = (builtin(), Rng::new(3), 0);
    for _ in 0..20 {
        let mut state = game.start();
        for _ in 0..rng.below(5) {
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        }
        let mut seen = Vec::new();
        for image in 0..game.symmetries() {
            let text = game.print_position(&game.transform(&state, Symmetry(image)));
            let mut session =
                catalog.game("dots-and-boxes:2x2").expect("a game").open(Opening::Position(&text)).expect("it");
            let view = book.view(&session);
            let analysis = choose(&mut session, &player, "nodes=1");
            assert_eq!(analysis.book, view.is_some(), "{text}");
            let best = analysis.best.expect("a move");
            if view.is_some() {
                n_book += 1;
                assert!(is_exactly_best(&session, &best), "{text}: {best}");
            }
            session.play(&best).expect("a legal move");
            seen.push((analysis.book, analysis.value, session.position_key()));
        }
        // A move that was drawn at random is another one in each image.
        assert!(!seen[0].0 || seen.iter().all(|image| *image == seen[0]), "{seen:?}");
    }
    assert!(n_book > 60, "{n_book}");
}

#[test]
fn a_book_made_by_a_solver_plays_perfectly() {
    let root = TempDir::new("perfect");
    let file = root.file("book");
    let order = Order { game: "dots-and-boxes:2x2", player: "solver", budget: "nodes=1000000", limits: EVERYTHING };
    assert!(order.make(&file, u64::MAX).expect("a book"));
    let catalog = builtin();
    let player = format!("random:book={}", file.display());
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let mut session = catalog.game("dots-and-boxes:2x2").expect("a game").open(Opening::Start).expect("a session");
        let side = Side::BOTH[seed as usize % 2];
        let seat = session.seat(&player.parse().expect("a player"), seed).expect("a seat");
        let mut lost = 0;
        while session.result().is_none() {
            if session.to_move() == side {
                let analysis = session.choose(seat, &Limits::default(), &mut Silent).expect("a move");
                assert!(analysis.book && analysis.playouts == 0, "{analysis:?}");
                let best = analysis.best.expect("a move");
                assert!(is_exactly_best(&session, &best), "{}: {best}", session.position());
                session.play(&best).expect("a legal move");
            } else {
                let moves = session.legal_moves();
                let mv = &moves[rng.below(moves.len() as u32) as usize];
                lost += u32::from(!is_exactly_best(&session, mv));
                session.play(mv).expect("a legal move");
            }
        }
        let margin = session.result().expect("the end").seen_by(side);
        let least = if side == Side::First { 2 } else { -2 };
        assert!(margin >= least && (lost == 0 || margin > -4), "seed {seed}: {margin}");
    }
}

#[test]
fn where_the_book_ends_the_player_searches_and_off_leaves_it_out() {
    let root = TempDir::new("end");
    let file = root.file("book");
    let limits = BookLimits { plies: 0, positions: 1, threads: 1 };
    Order { game: "connect-four:4x4", player: "uct", budget: "playouts=50", limits }
        .make(&file, u64::MAX)
        .expect("a book");
    let at =
        |moves| builtin().game("connect-four:4x4").expect("a game").open(Opening::Moves(moves)).expect("a session");
    for name in ["best", "uct", "pvs", "greedy", "solver"] {
        let with = format!("{name}:book={}", file.display());
        let found = choose(&mut at(""), &with, "nodes=50");
        assert!(
            found.book
                && found.nodes == 1
                && found.moves.iter().all(|mv| mv.visits == 1 && mv.value == Some(found.value)),
            "{name}: {found:?}"
        );
        assert!(!choose(&mut at("1"), &with, "nodes=50").book, "{name}");
        assert!(!choose(&mut at(""), &format!("{name}:book=off"), "nodes=50").book, "{name}");
    }
    // The vote of a book and a search is no move of the book.
    let vote = choose(&mut at(""), &format!("vote:uct:book={}+greedy", file.display()), "nodes=50");
    assert!(!vote.book, "{vote:?}");
}

fn refusal(text: &str) -> String {
    let root = TempDir::new("damaged");
    let file = root.file("some.book");
    fs::write(&file, text).expect("a file");
    let err = open_book(&file, &builtin()).map(|_| ()).expect_err(text).to_string();
    assert!(!err.contains('\n') && !err.ends_with('.'), "{err}");
    // A player reports it too.
    let game = builtin().game("dots-and-boxes:1x2").expect("a game");
    let player: PlayerSpec = format!("uct:book={}", file.display()).parse().expect("a player");
    game.check_player(&player).expect_err(text);
    err.split_once("some.book:").map_or_else(|| err.clone(), |(_, place)| place.to_owned())
}

const FIRST: &str = "banyan-book v=1 game=dots-and-boxes:1x2 player=random budget=nodes=1 seed=1\n";

#[test]
fn what_is_damaged_is_refused_with_its_line() {
    let start = format!("{FIRST}start +0.0000 h0,0\n");
    for (text, part) in [
        ("".to_owned(), "1: \"\": expected \"banyan-book v=1\""),
        ("some text\n".to_owned(), "1: \"some text\": expected \"banyan-book v=1\""),
        (FIRST.replace("v=1", "v=2"), "1: a book of version 2: expected version 1"),
        (FIRST.replace(" seed=1", ""), "1: \"banyan-book v=1 game="),
        (FIRST.replace("seed=1", "seed=x"), "1: \"banyan-book"),
        (FIRST.replace("dots-and-boxes", "dominoes"), "1: unknown game \"dominoes\""),
        (format!("{FIRST}start +0.0000\n"), "2: \"start +0.0000\": expected a move, a value and the best move"),
        (format!("{FIRST}begin +0.0000 h0,0\n"), "2: move \"begin\": expected a move that is missing, such as start"),
        (format!("{FIRST}start 0.0 h0,0\n"), "2: value \"0.0\": expected a value such as"),
        (format!("{FIRST}start +0.0000 h9,9\n"), "2: "),
        (format!("{FIRST}start +0.0000 -\n"), "2: "),
        (format!("{start}start +0.0000 h0,0\n"), "3: move \"start\": expected a move that is missing, such as expand"),
        (format!("{start}\n"), "3: \"\": expected a move"),
        (format!("{start}expand h0,0\n"), "3: expand \"h0,0\": expected moves to a position above"),
        (format!("{start}expand\nexpand\n"), "4: expand \"\": expected the position after h0,0 first"),
        (
            format!("{start}expand\nh0,1 +0.0000 h0,0\n"),
            "4: move \"h0,1\": expected a move that is missing, such as h0,0",
        ),
    ] {
        let err = refusal(&text);
        assert!(err.starts_with(part), "{text}{err}");
    }
    // Every line has a checksum, which depends on its place.
    let checked = || checked_book().to_owned();
    let lines: Vec<&str> = checked_book().lines().collect();
    let flipped = checked().replacen("+0.0000", "+0.0001", 1);
    let number = flipped.lines().zip(&lines).position(|(flipped, line)| flipped != *line).expect("a value") + 1;
    assert!(refusal(&flipped).starts_with(&format!("{number}: a damaged line: expected the checksum")));
    let removed = checked().replacen(&format!("{}\n", lines[3]), "", 1);
    assert!(refusal(&removed).starts_with("4: a damaged line: "), "{}", refusal(&removed));
    // Texts with the byte order mark and line ends of other editors are equal.
    let root = TempDir::new("editors");
    let file = root.file("book");
    fs::write(&file, format!("\u{feff}{}", checked().replace('\n', "\r\n"))).expect("a file");
    assert_eq!(open_book(&file, &builtin()).expect("a book").0.n_positions(), lines.len() - 1 - n_expansions(&lines));
    // An incomplete last line of a killed process is no damage.
    let root = TempDir::new("unfinished");
    let file = root.file("book");
    fs::write(&file, format!("{start}expand\nh0,0 +0.0")).expect("a file");
    assert_eq!(open_book(&file, &builtin()).expect("a book").0.n_positions(), 1);
}

#[test]
fn the_book_of_another_game_or_plan_is_refused() {
    let root = TempDir::new("other");
    let file = root.file("some.book");
    let limits = BookLimits { plies: 1, positions: 3, threads: 1 };
    let order = Order { game: "dots-and-boxes:1x2", player: "random", budget: "nodes=1", limits };
    assert!(order.make(&file, u64::MAX).expect("a book"));
    let before = fs::read(&file).expect("a book");
    for (other, part) in [
        (
            Order { game: "dots-and-boxes:2x2", ..order },
            "some.book:1: a book of dots-and-boxes:1x2: expected one of dots-and-boxes:2x2",
        ),
        (Order { player: "greedy", ..order }, "some.book: a book of --player random: expected one of --player greedy"),
        (Order { budget: "nodes=2", ..order }, "a book of --budget nodes=1: expected one of --budget nodes=2"),
        (Order { budget: "1s", ..order }, "--budget 1s: expected a number of nodes, playouts or plies"),
        (Order { player: "uct:book=x", ..order }, "a player without a book"),
    ] {
        let err = other.make(&file, u64::MAX).expect_err(part).to_string();
        assert!(err.contains(part) && !err.contains('\n'), "{err}");
    }
    let player: PlayerSpec = format!("uct:book={}", file.display()).parse().expect("a player");
    let game = builtin().game("reversi:4x4").expect("a game");
    let err = game.check_player(&player).expect_err("another game").to_string();
    assert!(err.contains("some.book:1: a book of dots-and-boxes:1x2: expected one of reversi:4x4"), "{err}");
    let missing: PlayerSpec = "uct:book=none.book".parse().expect("a player");
    let err = game.check_player(&missing).expect_err("no file").to_string();
    assert!(err.contains("cannot read none.book") && !err.contains('\n'), "{err}");
    assert_eq!(fs::read(&file).expect("a book"), before);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rounds(100, 300)))]

    /// A book with any bytes changed is read with its new content, or refused in one line.
    #[test]
    fn damage_is_refused_or_harmless(at in 0usize..2000, with in "[ -~\n]{0,4}", cut in 0usize..6) {
        let text = whole_book();
        let at = at % text.len();
        let end = (at + cut).min(text.len());
        let damaged = format!("{}{with}{}", &text[..at], &text[end..]);
        let session = builtin().game("dots-and-boxes:1x2").expect("a game").open(Opening::Start).expect("a session");
        match Book::read(&damaged, "book", &session) {
            Ok(book) => prop_assert!(book.n_positions() <= text.lines().count()),
            Err(err) => {
                let err = err.to_string();
                prop_assert!(err.starts_with("book:") && !err.contains('\n'), "{}", err);
            }
        }
    }
}

fn n_expansions(lines: &[&str]) -> usize {
    lines.iter().filter(|line| line.starts_with("expand")).count()
}

fn whole_book() -> &'static str {
    static TEXT: LazyLock<String> =
        LazyLock::new(|| checked_book().lines().map(|line| LineForm::Numbered.without_checksum(line) + "\n").collect());
    &TEXT
}

/// The text of the file as it is written, with checksums.
fn checked_book() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let root = TempDir::new("text");
        let limits = BookLimits { plies: 3, positions: 60, threads: 1 };
        Order { game: "dots-and-boxes:1x2", player: "pvs", budget: "depth=2", limits }
            .make(&root.file("book"), u64::MAX)
            .expect("a book");
        fs::read_to_string(root.file("book")).expect("a book")
    });
    &TEXT
}
