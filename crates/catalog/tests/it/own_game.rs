//! A user's own game in the catalog: registered by one line, then played, searched, counted and saved like any other.

use std::cell::Cell;

use banyan_catalog::view::Analysis;
use banyan_catalog::{
    AnalysisObserver, AnyGame, Catalog, Family, GamePreset, GameState, GameTables, Means, Opening, PRESETS, PlayerSpec,
    Record, Session,
};
use banyan_core::{Bounds, Flow, Game, Limits, Margin, MoveList, Notation, Plain, Side, Silent, TextError, mix};

/// A heap of matches; each side takes one or two, and the side that takes the last one wins.
#[derive(Debug)]
struct Matches(u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Heap {
    left: u8,
    ply: u8,
}

impl Game for Matches {
    type State = Heap;
    type Move = u8;

    fn start(&self) -> Heap {
        Heap { left: self.0, ply: 0 }
    }

    fn to_move(&self, heap: &Heap) -> Side {
        Side::BOTH[usize::from(heap.ply % 2)]
    }

    fn result(&self, heap: &Heap) -> Option<Margin> {
        (heap.left == 0).then(|| Margin::won_by(!self.to_move(heap), 1))
    }

    fn moves(&self, heap: &Heap, out: &mut MoveList<u8>) {
        out.extend(1..=heap.left.min(2));
    }

    fn play(&self, heap: &mut Heap, taken: u8) {
        *heap = Heap { left: heap.left - taken, ply: heap.ply + 1 };
    }

    fn ply(&self, heap: &Heap) -> u16 {
        u16::from(heap.ply)
    }

    fn max_plies(&self) -> u16 {
        u16::from(self.0)
    }

    fn key(&self, heap: &Heap) -> u64 {
        mix(u64::from(heap.left) << 1 | u64::from(heap.ply % 2))
    }

    fn margin_range(&self) -> Bounds {
        Bounds::new(Margin(-1), Margin(1))
    }
}

impl Notation for Matches {
    const NAME: &'static str = "matches";
    const SUMMARY: &'static str = "take one or two; the last one wins (options: how many)";

    fn from_options(options: &str) -> Result<Matches, TextError> {
        let size = if options.is_empty() { Ok(7) } else { options.parse() };
        size.map(Matches).map_err(|_| TextError::new(options, "a number below 256", "try matches:7"))
    }

    fn options(&self) -> String {
        if self.0 == 7 { String::new() } else { self.0.to_string() }
    }

    fn print_move(&self, _: &Heap, taken: u8) -> String {
        taken.to_string()
    }

    fn print_position(&self, heap: &Heap) -> String {
        format!("{} {}", heap.left, heap.ply)
    }

    fn parse_position(&self, text: &str) -> Result<Heap, TextError> {
        let numbers = text.split_once(' ').and_then(|(left, ply)| Some((left.parse().ok()?, ply.parse().ok()?)));
        let (left, ply) =
            numbers.ok_or_else(|| TextError::new(text, "matches left and plies played", "try \"7 0\""))?;
        Ok(Heap { left, ply })
    }
}

fn catalog() -> Catalog {
    let mut catalog = crate::catalog();
    catalog.register::<Matches>(&[]).expect("no presets");
    catalog
}

fn open(spec: &str, opening: Opening<'_>) -> Session {
    catalog().game(spec).expect("a game").open(opening).expect("a position")
}

#[test]
fn it_is_found_by_name_among_the_others() {
    let names: Vec<&str> = catalog().families().iter().map(|family| family.name).collect();
    assert_eq!(names, ["connect-four", "reversi", "dots-and-boxes", "matches"]);
    assert_eq!(catalog().game("matches").expect("a game").spec(), "matches");
    assert_eq!(catalog().game("matches:9").expect("a game").spec(), "matches:9");
    let errors =
        [("match", "did you mean matches?"), ("chess", "expected one of connect-four"), ("matches:x", "below 256")];
    for (spec, part) in errors {
        let err = catalog().game(spec).err().expect(spec).to_string();
        assert!(err.contains(part), "{spec}: {err}");
    }
}

#[test]
fn presets_are_players_or_refused_by_name() {
    let register = |presets| Catalog::empty().register::<Matches>(presets).map(|_| ());
    for (presets, parts) in [
        (&[GamePreset { name: "mcgs", variants: &["graph:selct=puct"] }], ["preset mcgs", "did you mean select?"]),
        (&[GamePreset { name: "mcsg", variants: &["graph"] }], ["preset \"mcsg\"", "one of mcgs"]),
        (&[GamePreset { name: "mcgs", variants: &["graph:parallel=leaf"] }], ["preset mcgs", "parallel=leaf"]),
        (&[GamePreset { name: "mcgs", variants: &["vote:uct+pvs"] }], ["preset mcgs", "expected a Monte Carlo search"]),
        (
            &[GamePreset { name: "mcgs", variants: &["greedy"] }],
            ["variant \"greedy\"", "expected a Monte Carlo search"],
        ),
        (&[GamePreset { name: "mcgs", variants: &["pvs"] }], ["variant \"pvs\"", "expected a Monte Carlo search"]),
    ] {
        let err = register(presets).expect_err(parts[1]).to_string();
        assert!(parts.iter().all(|part| err.contains(part)) && !err.contains('\n'), "{err}");
    }
    const TUNED: &[GamePreset] = &[GamePreset { name: "mcgs", variants: &["uct:c=0.5"] }];
    let mut catalog = Catalog::empty();
    let game = catalog.register::<Matches>(TUNED).expect("a player").game("matches").expect("a game");
    let play = |player: &str| {
        let mut session = game.open(Opening::Start).expect("the start");
        let seat = session.seat(&player.parse().expect("a player"), 1).expect("a player of the game");
        let analysis = session.choose(seat, &Limits::playouts(300), &mut Silent).expect("a move");
        Analysis { elapsed_ms: 0.0, cpu_ms: 0.0, ..analysis }
    };
    assert_eq!(play("mcgs"), play("uct:c=0.5"));
    assert_ne!(play("mcgs"), play("uct"));
}

#[test]
fn evaluators_that_the_game_does_not_have_are_refused() {
    let game = catalog().game("matches").expect("a game");
    for (player, part) in
        [("uct:eval=threat", "threat"), ("vote:uct+graph:eval=tactica", "try one of uniform, tactical")]
    {
        let player: PlayerSpec = player.parse().expect("a player of some game");
        let err = game.check_player(&player).expect_err(part).to_string();
        assert!(err.contains(part) && !err.contains('\n'), "{err}");
        let mut session = game.open(Opening::Start).expect("the start");
        assert_eq!(session.seat(&player, 1).expect_err(part).to_string(), err);
    }
}

#[test]
fn moves_are_played_and_taken_back() {
    let mut session = open("matches", Opening::Moves("2 1"));
    assert_eq!((session.position().as_str(), session.to_move()), ("4 2", Side::First));
    assert_eq!(session.legal_moves(), ["1", "2"]);
    assert_eq!(session.play("2").as_deref(), Ok("2"));
    assert!(session.play("3").expect_err("too many").to_string().contains("legal"));
    assert!(session.play_all("1 1 1").expect_err("one too many").to_string().contains("move 3"));
    assert_eq!(session.position(), "2 3");
    session.play_all("1 1").expect("legal moves");
    assert_eq!(session.result(), Some(Margin(1)));
    assert!(session.play("1").expect_err("it is over").to_string().contains("over"));
    assert_eq!(session.history(), ["2", "1", "2", "1", "1"]);
    assert_eq!(session.movers()[..2], Side::BOTH);
    assert_eq!(session.undo().as_deref(), Some("1"));
    assert_eq!((session.result(), session.position().as_str()), (None, "1 4"));
    assert_eq!((0..4).filter(|_| session.undo().is_some()).count(), 4);
    assert_eq!((session.undo(), session.opening()), (None, None));
    assert_eq!(open("matches", Opening::Position("5 2")).opening().as_deref(), Some("5 2"));
    assert!(session.picture().is_none());
}

#[test]
fn every_player_chooses_and_the_search_finds_the_winning_move() {
    for preset in PRESETS.iter().filter(|preset| !preset.needs_its_game) {
        let mut session = open("matches", Opening::Start);
        let player = if preset.name == "vote" { "vote:uct+pvs+mcgs" } else { preset.name };
        let seat = session.seat(&player.parse().expect("a preset"), 1).expect("a player of the game");
        let analysis = session.choose(seat, &Limits::playouts(2000), &mut Silent).expect("a move");
        let best = analysis.best.expect("a move");
        assert!(session.legal_moves().contains(&best), "{}", preset.name);
        // Leaving a multiple of three wins; from seven that is taking one.
        if preset.name != "random" && preset.name != "greedy" {
            assert_eq!(best, "1", "{player}");
        }
        if preset.name == "uct" {
            assert!(analysis.value > 0.5, "{}", analysis.value);
            assert_eq!((analysis.pv[0].as_str(), analysis.moves[0].mv.as_str()), ("1", "1"));
        }
    }
}

#[test]
fn the_solver_plays_with_every_opening() {
    for opening in ["casual", "pvs", "mcgs"] {
        // The solver proves the value from the first move on, or never.
        for (from, wins) in [(1000, true), (0, opening != "casual")] {
            let mut session = open("matches", Opening::Start);
            let player = format!("solver:opening={opening},from={from},threads=2");
            let seat = session.seat(&player.parse().expect("a preset"), 1).expect("a player of the game");
            let analysis = session.choose(seat, &Limits::playouts(2000), &mut Silent).expect("a move");
            let best = analysis.best.expect("a move");
            assert!(session.legal_moves().contains(&best), "{player}");
            assert!(!wins || best == "1", "{player} plays {best}");
            assert!(from == 0 || analysis.proof.is_some(), "{player}");
        }
    }
}

#[test]
fn a_vote_is_repeatable_and_counts_its_votes() {
    let ask = || {
        let mut session = open("connect-four", Opening::Moves("4 4"));
        let seat =
            session.seat(&"vote:uct+uct:c=1+greedy+pvs".parse().expect("a player"), 7).expect("a player of the game");
        let limits = Limits { playouts: Some(1200), depth: Some(4), ..Limits::default() };
        let analysis = session.choose(seat, &limits, &mut Silent).expect("a move");
        Analysis { elapsed_ms: 0.0, cpu_ms: 0.0, ..analysis }
    };
    let analysis = ask();
    assert_eq!(analysis.moves.iter().map(|stat| stat.visits).sum::<u64>(), 4);
    assert_eq!(analysis.best.as_ref(), Some(&analysis.moves[0].mv));
    assert_eq!(analysis, ask());
}

#[test]
fn a_position_is_solved_with_all_its_best_moves() {
    let solve =
        |session: &Session, limits: Limits| session.solve(Means { table_mib: 1, threads: 1 }, &limits, &mut Silent);
    // The side that leaves a multiple of three wins.
    let solved = solve(&open("matches", Opening::Moves("1")), Limits::default());
    assert_eq!((solved.margin, solved.lower, solved.upper, solved.best.len()), (Some(-1), -1, -1, 2));
    assert_eq!((solved.to_move.as_str(), solved.position.as_str()), ("second", "6 1"));
    let solved = solve(&open("matches:5", Opening::Start), Limits::default());
    assert_eq!((solved.margin, solved.best.clone(), solved.is_complete()), (Some(1), vec!["2".to_owned()], true));
    assert_eq!((solved.moves[0].mv.as_str(), solved.moves[0].margin), ("2", Some(1)));
    assert!(solved.moves[1].upper < 1 && solved.nodes > 0, "{solved:?}");

    let over = solve(&open("matches:2", Opening::Moves("2")), Limits::default());
    assert_eq!((over.margin, over.best.len() + over.moves.len()), (Some(-1), 0));
    // Too large for this limit of nodes: the bounds must be true, and no move is called best.
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    let open_ended = solve(&open("reversi", Opening::Start), limits);
    assert_eq!((open_ended.margin, open_ended.best.len(), open_ended.is_complete()), (None, 0, false));
    assert!(open_ended.lower <= 0 && open_ended.upper >= 0 && open_ended.moves.len() == 4);
}

#[test]
fn published_values_are_found() {
    for (spec, moves, value, best) in [
        ("dots-and-boxes:2x3", "", -2, None),
        ("dots-and-boxes:1x5", "", -1, None),
        ("reversi:4x4", "", -10, Some(4)),
        ("reversi:4x4,count=discs", "", -8, Some(4)),
        ("connect-four:4x4", "", 0, None),
    ] {
        let session = open(spec, Opening::Moves(moves));
        let solved = session.solve(Means { table_mib: 16, threads: 2 }, &Limits::default(), &mut Silent);
        assert_eq!((solved.margin, solved.is_complete()), (Some(value), true), "{spec}");
        assert!(best.is_none_or(|n| solved.best.len() == n), "{spec}: {:?}", solved.best);
        assert!(solved.moves.iter().all(|mv| solved.best.contains(&mv.mv) == (mv.margin == Some(value))), "{spec}");
    }
}

/// Stops at the first report.
struct Impatient(u32);

impl AnalysisObserver for Impatient {
    fn progress(&mut self, analysis: &Analysis) -> Flow {
        assert!(analysis.playouts > 0);
        self.0 += 1;
        Flow::Stop
    }
}

#[test]
fn an_observer_sees_the_search_and_stops_it() {
    let mut session = open("reversi", Opening::Start);
    let seat = session.seat(&PlayerSpec::default(), 1).expect("a player of the game");
    let mut observer = Impatient(0);
    let analysis = session.choose(seat, &Limits::default(), &mut observer).expect("a move");
    assert!(observer.0 >= 1 && analysis.elapsed_ms < 5_000.0, "{} reports, {} ms", observer.0, analysis.elapsed_ms);
}

#[test]
fn a_player_keeps_its_search_from_move_to_move() {
    let mut session = open("connect-four", Opening::Start);
    let seat = session.seat(&PlayerSpec::default(), 1).expect("a player of the game");
    for expected in [false, true] {
        let analysis = session.choose(seat, &Limits::playouts(5000), &mut Silent).expect("a move");
        assert_eq!(analysis.reused > 0.0, expected, "{} reused", analysis.reused);
        session.play_all(&analysis.pv[..2].join(" ")).expect("the principal variation is legal");
    }
}

#[test]
fn paths_are_counted_and_the_count_can_be_stopped() {
    let session = open("matches", Opening::Start);
    let mut split = Vec::new();
    let total = session.perft(3, &|| false, &mut |mv, count| split.push((mv.to_owned(), count)));
    assert_eq!(total, Some(8));
    assert_eq!(split, [("1".to_owned(), 4), ("2".to_owned(), 4)]);
    assert_eq!(session.perft(0, &|| false, &mut |_, _| {}), Some(1));

    // Deep enough to be counted in chunks, each of which checks whether to stop.
    let session = open("connect-four", Opening::Start);
    assert_eq!(session.perft(7, &|| false, &mut |_, _| {}), Some(823_536));
    let asked = Cell::new(0);
    let stop = || asked.replace(asked.get() + 1) == 5;
    assert_eq!(session.perft(12, &stop, &mut |_, _| {}), None);
    assert_eq!(asked.get(), 6);
}

/// The tables of the game define what it counts.
#[test]
fn points_are_counted_as_its_tables_tell() {
    let make = |options: &str, tables| Ok(AnyGame::new(Matches::from_options(options)?, Plain, tables));
    let taken = |game: &GameState| {
        let movers = game.movers();
        let count = |side| (0..movers.len()).filter(|&i| movers[i] == side).count() as u32;
        Some(Side::BOTH.map(count))
    };
    let tables = GameTables { points: Some(taken), ..GameTables::with_presets(&[]) };
    let catalog = Catalog::of([Family::of::<Matches>(tables, make)]).expect("no presets");
    let session = catalog.game("matches").and_then(|game| game.open(Opening::Moves("1 2 1"))).expect("a position");
    assert_eq!(session.points(), Some([2, 1]));
    assert_eq!(open("matches", Opening::Moves("1 2 1")).points(), None);
    assert_eq!(open("reversi", Opening::Moves("f5")).points(), Some([4, 1]));
    assert_eq!(open("dots-and-boxes:1x1", Opening::Moves("h0,0 h1,0 v0,0 v0,1")).points(), Some([0, 1]));
}

/// Its results are won, drawn or lost, so no margin is expected.
#[test]
fn without_margins_none_is_expected() {
    let mut session = open("matches", Opening::Start);
    let seat = session.seat(&"pvs".parse().expect("a player"), 1).expect("a player of the game");
    let analysis = session.choose(seat, &Limits { depth: Some(2), ..Limits::default() }, &mut Silent).expect("a move");
    assert_eq!((analysis.depth, analysis.margin), (Some(2), None));
}

#[test]
fn a_finished_game_is_counted_as_by_perft() {
    let session = open("reversi:4x4", Opening::Position("xxxx/xxxx/xxxx/xxxx o"));
    assert!(session.result().is_some());
    // Published counts include one more pass after the end of a game of Reversi.
    for (depth, expected) in [(0, 1), (1, 1), (2, 0), (7, 0)] {
        assert_eq!(session.perft(depth, &|| false, &mut |_, _| {}), Some(expected), "depth {depth}");
    }
}

#[test]
fn the_verdict_on_a_finished_game_is_proven() {
    assert_eq!(open("matches", Opening::Start).verdict(), None);
    let verdict = open("matches:2", Opening::Moves("2")).verdict().expect("it is over");
    assert_eq!((verdict.best, verdict.to_move.as_str(), verdict.value), (None, "second", -1.0));
    assert_eq!(verdict.proof.map(|proof| (proof.lower, proof.upper)), Some((-1, -1)));
}

#[test]
fn a_saved_game_comes_back() {
    for (spec, opening, more) in [
        ("matches:9", Opening::Start, "2 1"),
        ("connect-four:10x11,hole=d3", Opening::Moves("5 6"), "5"),
        ("matches", Opening::Position("6 1"), "2"),
    ] {
        let mut session = open(spec, opening);
        session.play_all(more).expect("legal moves");
        let record = Record::of(&session, ["human".into(), "uct:c=0.8".into()]);
        let read = Record::read(&record.write()).expect("a record");
        assert_eq!(read, record);
        let again = read.open(&catalog()).expect("a session");
        assert_eq!((again.position(), again.history()), (session.position(), session.history()));
    }
}

#[test]
fn a_damaged_record_is_refused_in_one_line() {
    let record = Record::of(&open("matches", Opening::Moves("1")), ["human".into(), "uct".into()]).write();
    for (from, to, part) in [
        ("{", "", "JSON"),
        ("\"v\": 1", "\"v\": 2", "version 2"),
        ("\"matches\"", "\"chess\"", "unknown game"),
        ("\"1\"", "\"9\"", "move 1"),
    ] {
        let damaged = record.replacen(from, to, 1);
        assert_ne!(damaged, record);
        let err =
            Record::read(&damaged).and_then(|record| record.open(&catalog()).map(|_| ())).expect_err(to).to_string();
        assert!(err.contains(part) && !err.contains('\n'), "{err}");
    }
}

#[test]
fn every_size_of_the_built_in_games_is_begun_in_a_word_that_holds_it() {
    for spec in [
        "connect-four:4x4",
        "connect-four",
        "connect-four:8x9",
        "connect-four:12x12",
        "connect-four:15x16,hole=h8",
        "reversi:4x4",
        "reversi",
        "reversi:10x10",
        "dots-and-boxes:1x1",
        "dots-and-boxes:5x5",
        "dots-and-boxes:7x7",
        "dots-and-boxes:8x8",
    ] {
        let mut session = open(spec, Opening::Start);
        let again = open(&session.spec(), Opening::Position(&session.position()));
        assert_eq!((again.spec(), again.position()), (session.spec(), session.position()), "{spec}");
        let seat = session.seat(&"random".parse().expect("a preset"), 7).expect("a player of the game");
        while session.result().is_none() {
            let mv = session.choose(seat, &Limits::default(), &mut Silent).expect("a move").best.expect("a move");
            session.play(&mv).unwrap_or_else(|err| panic!("{spec}: {err}"));
        }
        assert!(session.legal_moves().is_empty(), "{spec}");
    }
}
