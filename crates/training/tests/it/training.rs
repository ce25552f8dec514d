//! Training resumes after an interruption, and refuses what is not its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use banyan_catalog::learnable::{Excluded, Selection};
use banyan_catalog::{Catalog, ScoredPosition, Start};
use banyan_inference::Samples;
use banyan_training::{Epoch, Target, TrainingFolder, TrainingObserver, TrainingPlan, play_games};

/// A folder that is removed when the test ends.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> TempDir {
        let path = std::env::temp_dir().join(format!("banyan-training-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        TempDir(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn builtin() -> Catalog {
    let reversi = banyan_reversi_engine::family();
    let (connect_four, dots) = (banyan_connect_four_engine::family(), banyan_dots_and_boxes_engine::family());
    Catalog::of([connect_four, reversi, dots]).expect("valid presets")
}

fn plan(catalog: &Catalog) -> TrainingPlan {
    let usual = TrainingPlan::usual(catalog, "dots-and-boxes:2x2", None).expect("it learns something");
    TrainingPlan { games: 40, opening_plies: [0, 4], plies_left: [1, 12], epochs: 4, ..usual }
}

/// Stops after this number of games or passes.
struct StopAfter(AtomicU64);

impl StopAfter {
    fn count(&self) {
        self.0.store(self.0.load(Relaxed).saturating_sub(1), Relaxed);
    }
}

impl TrainingObserver for StopAfter {
    fn stopped(&self) -> bool {
        self.0.load(Relaxed) == 0
    }

    fn played(&self, _games: u64, _of: u64) {
        self.count();
    }

    fn fitted(&self, _epoch: &Epoch) {
        self.count();
    }
}

fn never() -> StopAfter {
    StopAfter(AtomicU64::new(u64::MAX))
}

fn train(path: &Path, catalog: &Catalog, plan: TrainingPlan, threads: u32, observer: &StopAfter) -> bool {
    let mut folder = TrainingFolder::open(path, plan, catalog).expect("it opens");
    play_games(&mut folder, catalog, threads, observer).expect("games are played")
        && folder.fit(catalog, observer).expect("weights are fitted").is_some()
}

#[test]
fn interruptions_and_threads_change_nothing() {
    let (catalog, root) = (builtin(), TempDir::new("whole"));
    let (whole, parts) = (root.path().join("whole"), root.path().join("parts"));
    assert!(train(&whole, &catalog, plan(&catalog), 1, &never()));
    let mut calls = 0;
    while !train(&parts, &catalog, plan(&catalog), 2, &StopAfter(AtomicU64::new(7))) {
        calls += 1;
        assert!(calls < 1000, "every call continues");
        // The file as a killed process leaves it.
        let games = fs::read_to_string(parts.join("games.txt")).expect("games");
        fs::write(parts.join("games.txt"), games + "h0,0 h0").expect("a torn line");
    }
    assert!(calls > 0, "{calls}");
    for file in ["games.txt", "weights.bin", "curve.csv", "curve.svg", "train.toml"] {
        let read = |folder: &Path| fs::read(folder.join(file)).expect(file);
        assert!(read(&whole) == read(&parts), "{file} differs");
    }
    // More games are played after those.
    let before = fs::read_to_string(whole.join("games.txt")).expect("games");
    assert!(train(&whole, &catalog, TrainingPlan { games: 50, ..plan(&catalog) }, 1, &never()));
    let after = fs::read_to_string(whole.join("games.txt")).expect("games");
    assert!(after.starts_with(&before) && after.lines().count() == 50);
    assert_ne!(fs::read(whole.join("weights.bin")).ok(), fs::read(parts.join("weights.bin")).ok());
}

#[test]
fn an_incomplete_last_line_is_reported_and_played_again() {
    let (catalog, root) = (builtin(), TempDir::new("torn"));
    let open = || TrainingFolder::open(root.path(), plan(&catalog), &catalog).expect("it opens");
    assert_eq!(open().cut_off(), None);
    fs::write(root.path().join("games.txt"), "h0,0 h0").expect("a torn line");
    assert_eq!(open().cut_off(), Some(7));
    assert_eq!(open().cut_off(), None);
}

#[test]
fn small_boards_have_their_share_of_the_plies() {
    let catalog = builtin();
    let plies = |game: &str, evaluation: Option<&str>| {
        let usual = TrainingPlan::usual(&catalog, game, evaluation).expect(game);
        (usual.opening_plies, usual.plies_left)
    };
    for game in ["dots-and-boxes", "dots-and-boxes:5x5", "dots-and-boxes:6x6"] {
        assert_eq!(plies(game, None), ([18, 24], [24, 42]), "{game}");
    }
    // 40 and 12 plies instead of 60.
    assert_eq!(plies("dots-and-boxes:4x4", None), ([12, 16], [16, 28]));
    assert_eq!(plies("dots-and-boxes:2x2", Some("windows")), ([3, 4], [4, 8]));
    assert_eq!(plies("reversi", None), ([4, 14], [1, 56]));
    assert_eq!(plies("connect-four:4x5", Some("priors")), ([0, 8], [1, u16::MAX]), "one set of weights for all boards");
    let root = TempDir::new("shares");
    for game in ["dots-and-boxes:1x2", "dots-and-boxes:2x2", "dots-and-boxes:3x3"] {
        let usual = TrainingPlan::usual(&catalog, game, None).expect("it is learned");
        let plan = TrainingPlan { games: 20, proven: true, ..usual };
        assert!(train(&root.path().join(game.replace(':', "-")), &catalog, plan, 2, &never()), "{game}");
    }
}

#[test]
fn small_boards_are_learned() {
    let (catalog, root) = (builtin(), TempDir::new("small"));
    let path = root.path().join("small");
    let game = "dots-and-boxes:1x2".to_owned();
    let plan = TrainingPlan { game, games: 400, epochs: 20, proven: true, ..plan(&catalog) };
    let mut folder = TrainingFolder::open(&path, plan, &catalog).expect("it opens");
    assert!(play_games(&mut folder, &catalog, 2, &never()).expect("games are played"));
    let fitted = folder.fit(&catalog, &never()).expect("weights are fitted").expect("nobody stopped it");
    // The one window sees the whole board, so that its weight is the value.
    assert!(fitted.errors.all.learned < 0.1, "{fitted:?}");
    assert!(fitted.errors.all.zero > 0.5, "{fitted:?}");
}

fn selection() -> Selection {
    let excluded = Excluded::default();
    Selection { target: Target::Points, plies_left: [1, 7], proven: false, group: 1, lambda: 1.0, excluded }
}

#[test]
fn values_are_those_of_the_games() {
    let catalog = builtin();
    let trainable = catalog.game("dots-and-boxes:1x2").expect("a game").trainable("windows").expect("it is learned");
    let line = "h0,0? v0,0 h1,0 v0,1 h0,1!-2 h1,1!0 v0,2";
    let samples = |plies_left, proven| {
        let mut samples = Samples::default();
        let selection = Selection { plies_left, proven, ..selection() };
        selection.add(line, &trainable, &mut samples).map(|_| samples)
    };
    let values = |plies_left, proven| -> Vec<(u16, f32)> {
        samples(plies_left, proven).expect("a game").iter().map(|sample| (sample.group, sample.targets[0])).collect()
    };
    // Second closes the left box with the fourth edge, moves again, and closes the right one with the last. The mark `!0`, by which
    // First could have had the right one, is invented.
    assert_eq!(values([1, 7], false), [(6, 2.0), (5, -2.0), (4, 2.0), (3, 1.0), (2, 1.0), (1, 1.0)]);
    assert_eq!(values([1, 7], true), [(3, 1.0), (2, 1.0)]);
    assert_eq!(values([2, 3], false), [(3, 1.0), (2, 1.0)]);
    let all = selection();
    let err = |line: &str| all.add(line, &trainable, &mut Samples::default()).expect_err(line).to_string();
    assert!(err("h0,0 v0,0").starts_with("a game without an end: "), "{}", err("h0,0 v0,0"));
    assert!(err(&format!("{line} h0,0")).starts_with("h0,0: expected the end of the line"), "{}", err(line));
    assert!(err("h0,0 h0,0").contains("h0,0"));
    assert!(err("h0,0!x").starts_with("h0,0!x: expected a move, ! and a margin"), "{}", err("h0,0!x"));
    assert!(err("h0,0!").starts_with("h0,0!: expected a move, ! and a margin"), "{}", err("h0,0!"));
}

#[test]
fn expected_margins_are_mixed_with_what_follows() {
    let catalog = builtin();
    let trainable = catalog.game("dots-and-boxes:1x2").expect("a game").trainable("windows").expect("it is learned");
    // Seen by First, Second to move: the result is -2.
    let line = "h0,0 v0,0 h1,0~-1.5 v0,1~0.5 h0,1!-2 h1,1 v0,2";
    let labels = |lambda| -> Vec<f32> {
        let mut samples = Samples::default();
        Selection { lambda, plies_left: [3, 7], ..selection() }.add(line, &trainable, &mut samples).expect("a game");
        samples.iter().map(|sample| sample.targets[0]).collect()
    };
    assert_eq!(labels(1.0), [-2.0, 2.0, -2.0, 2.0, 1.0]);
    assert_eq!(labels(0.0), [-1.5, 1.5, -1.5, -0.5, 1.0]);
    assert_eq!(labels(0.5)[2..], [-(1.5 + 0.75) / 2.0, 0.75, 1.0]);
    // After a random move the end is not informative: the margin expected before it replaces the end.
    let line = line.replace("v0,1~0.5", "v0,1?~0.5");
    let mut samples = Samples::default();
    Selection { lambda: 1.0, plies_left: [3, 7], ..selection() }.add(&line, &trainable, &mut samples).expect("a game");
    let labels: Vec<f32> = samples.iter().map(|sample| sample.targets[0]).collect();
    assert_eq!(labels, [0.5, -0.5, 0.5, -0.5, 1.0]);
    let err = |word: &str| {
        let line = format!("h0,0~{word} v0,0 h1,0 v0,1 h0,1 h1,1 v0,2");
        selection().add(&line, &trainable, &mut Samples::default()).expect_err(word).to_string()
    };
    assert!(err("x").starts_with("h0,0~x: expected a move, ~ and a margin"), "{}", err("x"));
    assert!(err("nan").starts_with("h0,0~nan: "), "{}", err("nan"));
}

#[test]
fn generations_play_with_the_weights_of_those_before() {
    let (catalog, root) = (builtin(), TempDir::new("generations"));
    let exclude = root.path().join("exclude.obf");
    // The position after f5 with another side's colours, and an image of it.
    fs::write(&exclude, "8/8/8/3ox3/3ooo2/8/8/8 x\n\n8/8/8/3oo3/2ooox2/8/8/8 x\n").expect("a file");
    let usual = TrainingPlan::usual(&catalog, "reversi", None).expect("it is learned");
    let exclude = vec![exclude.display().to_string()];
    let player = "solver:from=6".to_owned();
    let budget = "depth=1".to_owned();
    let plan = TrainingPlan { games: 10, opening_plies: [0, 8], epochs: 2, exclude, player, budget, ..usual };
    let folder = |number: u32| root.path().join(format!("generation-{number}"));
    let first = plan.generation(0, folder).expect("a plan");
    assert!(train(&folder(0), &catalog, first, 1, &never()));
    let second = plan.generation(1, folder).expect("a plan");
    assert!(second.games == 20 && second.player.ends_with("generation-0/weights.bin"), "{second:?}");
    assert!(train(&folder(1), &catalog, second.clone(), 2, &never()));
    let text = fs::read_to_string(folder(1).join("train.toml")).expect("the plan");
    let line = String::from_utf8_lossy(&fs::read(folder(0).join("weights.bin")).expect("weights")[..100]).into_owned();
    let fingerprint =
        line.lines().next().and_then(|line| line.split(' ').next_back()).expect("a first line").to_owned();
    assert!(text.contains(&format!("weights = \"{fingerprint}\"")), "{fingerprint}: {text}");
    // Games of other weights are not mixed with these.
    assert!(train(
        &folder(0),
        &catalog,
        TrainingPlan { epochs: 3, ..plan.generation(0, folder).expect("a plan") },
        1,
        &never()
    ));
    let err = TrainingFolder::open(&folder(1), second, &catalog).map(|_| ()).expect_err("other weights").to_string();
    assert!(err.contains(&format!("games of weights {fingerprint}: expected those of weights ")), "{err}");
}

#[test]
fn excluded_positions_and_their_images_are_not_learned_from() {
    let catalog = builtin();
    let line = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/training/reversi_game.txt"));
    let line = line.expect("a game");
    let check = |evaluation: &str, target: Target, line: &str| {
        let trainable = catalog.game("reversi").expect("a game").trainable(evaluation).expect("it is learned");
        let n_samples = |excluded: &[&str]| {
            let mut samples = Samples::default();
            let mut selection = Selection { plies_left: [1, 60], target, ..selection() };
            for position in excluded {
                selection.excluded.insert(&trainable.features_of(position).expect("a position"));
            }
            let n_excluded = selection.add(line, &trainable, &mut samples).expect("a game");
            (samples.len(), n_excluded)
        };
        let all = n_samples(&[]).0;
        assert_eq!(n_samples(&[]), (all, 0), "{evaluation}");
        // The start, and the position after f5: turned, and with the colours swapped.
        assert_eq!(n_samples(&["8/8/8/3ox3/3xo3/8/8/8 x"]), (all - 1, 1), "{evaluation}");
        assert_eq!(n_samples(&["8/8/8/3ox3/3xxx2/8/8/8 o"]), (all - 1, 1), "{evaluation}");
        let both = ["8/8/8/2ooo3/3ox3/8/8/8 x", "8/8/8/3ox3/3xo3/8/8/8 x"];
        assert_eq!(n_samples(&both), (all - 2, 2), "{evaluation}");
        assert_eq!(n_samples(&["8/8/8/3ox3/3xxx2/8/8/8 x"]), (all, 0), "{evaluation}: another side to move");
    };
    check("patterns", Target::Points, &line);
    // The first two moves with visits, also where a search left some moves out.
    let [first, second, rest] = line.splitn(3, ' ').collect::<Vec<_>>().try_into().expect("three words");
    assert_eq!([first, second], ["f5", "d6"]);
    check("priors", Target::Visits, &format!("f5=f5:3/d3:2/c4:2/e6:1 d6=d6:2/f6:1 {rest}"));
}

/// The last edge is at the lower box on the right, and at the upper one.
const LOWER: &str = "11/11/11/111/110 x 1-2 oo/x.";
const UPPER: &str = "11/11/11/110/111 x 2-1 o./xx";

#[test]
fn a_file_of_excluded_positions_counts_by_its_contents() {
    /// The epochs that were fitted.
    struct Epochs(AtomicU64);
    impl TrainingObserver for Epochs {
        fn fitted(&self, _epoch: &Epoch) {
            self.0.fetch_add(1, Relaxed);
        }
    }
    let (catalog, root) = (builtin(), TempDir::new("contents"));
    let fit = |folder: &str, file: &Path, positions: &str| {
        fs::write(file, positions).expect("a file");
        let plan = TrainingPlan { exclude: vec![file.display().to_string()], ..plan(&catalog) };
        let mut folder = TrainingFolder::open(&root.path().join(folder), plan, &catalog).expect("it opens");
        play_games(&mut folder, &catalog, 1, &never()).expect("games are played");
        let epochs = Epochs(AtomicU64::new(0));
        let fitted = folder.fit(&catalog, &epochs).expect("weights are fitted").expect("nobody stopped it");
        assert!(fitted.n_excluded > 0, "{fitted:?}");
        (epochs.0.into_inner(), fitted.fingerprint)
    };
    let (one, other) = (root.path().join("one"), root.path().join("other"));
    let (n_epochs, lower) = fit("a", &one, LOWER);
    assert_eq!(n_epochs, 4);
    // The same position, from another file and seen by the other side.
    let twice = format!("\u{feff}# twice\n{LOWER}\n\n% again\n  11/11/11/111/110 o 2-1 xx/o.\n");
    assert_eq!(fit("a", &other, &twice), (0, lower));
    let (n_epochs, upper) = fit("a", &other, UPPER);
    assert_eq!(n_epochs, 4);
    assert_ne!(upper, lower);
    assert_eq!(fit("b", &one, UPPER), (4, upper), "as in a new folder");
}

#[test]
fn files_and_folders_of_others_are_checked_before_the_first_game() {
    let (catalog, root) = (builtin(), TempDir::new("checked"));
    let path = |name: &str| root.path().join(name).display().to_string();
    for (name, text) in [("blank", " \n\n"), ("comment", "# none\n"), ("bad", "11/11/11/111/110 x 1-2 oo/x.\nh0,0\n")] {
        fs::write(path(name), text).expect("a file");
    }
    let refused = |plan: TrainingPlan| {
        let new = root.path().join("new");
        let err = TrainingFolder::open(&new, plan, &catalog).map(|_| ()).expect_err("refused").to_string();
        assert!(!new.exists() && !err.contains('\n'), "{err}");
        err
    };
    let exclude = |name: &str| refused(TrainingPlan { exclude: vec![path(name)], ..plan(&catalog) });
    let err = exclude("blank");
    assert!(err.ends_with("blank: no position: expected one in each line; add one, or leave the file out"), "{err}");
    assert!(exclude("comment").contains("comment: no position: "), "{}", exclude("comment"));
    assert!(exclude("missing").starts_with("cannot read "), "{}", exclude("missing"));
    assert!(exclude("bad").starts_with(&format!("{}:2: ", path("bad"))), "{}", exclude("bad"));

    let also = |plan: TrainingPlan, folder: &str| refused(TrainingPlan { also: vec![path(folder)], ..plan });
    let games = "v0,2? h2,1 h0,0 h0,1 h1,0 h1,1 h2,0 v0,0 v0,1 v1,0 v1,1 v1,2";
    let other = |name: &str, plan: TrainingPlan, games: &str| {
        drop(TrainingFolder::open(&root.path().join(name), plan, &catalog).expect("it opens"));
        fs::write(root.path().join(name).join("games.txt"), games).expect("games");
    };
    other("boxes", plan(&catalog), &format!("{games}\n{games}\nv0,2 h2\n{games}\n"));
    assert!(also(plan(&catalog), "missing").starts_with("cannot read "), "{}", also(plan(&catalog), "missing"));
    let err = also(plan(&catalog), "boxes");
    assert!(err.starts_with(&format!("{}/games.txt:3: ", path("boxes"))), "{err}");
    let reversi = TrainingPlan::usual(&catalog, "reversi", None).expect("it is learned");
    let windows = TrainingPlan { evaluation: "windows".to_owned(), ..plan(&catalog) };
    let larger = TrainingPlan { game: "dots-and-boxes:3x3".to_owned(), ..plan(&catalog) };
    for (plan, expected) in [
        (reversi, "patterns on reversi"),
        (windows, "windows on dots-and-boxes:2x2"),
        (larger, "structure on dots-and-boxes:3x3"),
    ] {
        let found = format!("--also {}: games of structure on dots-and-boxes:2x2", path("boxes"));
        assert_eq!(also(plan, "boxes"), format!("{found}: expected those of {expected}; choose another folder"));
    }
}

#[test]
fn games_of_other_folders_are_learned_from_too() {
    let (catalog, root) = (builtin(), TempDir::new("also"));
    let path = |name: &str| root.path().join(name);
    assert!(train(&path("other"), &catalog, TrainingPlan { seed: 2, ..plan(&catalog) }, 1, &never()));
    let n_positions = |name: &str, also: &[PathBuf]| {
        let also = also.iter().map(|folder| folder.display().to_string()).collect();
        let mut folder =
            TrainingFolder::open(&path(name), TrainingPlan { also, ..plan(&catalog) }, &catalog).expect("it opens");
        play_games(&mut folder, &catalog, 1, &never()).expect("games are played");
        folder.fit(&catalog, &never()).expect("weights are fitted").expect("nobody stopped it").n_positions
    };
    let (alone, with) = (n_positions("alone", &[]), n_positions("with", &[path("other")]));
    assert!(with > alone, "{with} {alone}");
    // An incomplete last line, as while the other training is being played.
    let games = fs::read_to_string(path("other").join("games.txt")).expect("games");
    fs::write(path("other").join("games.txt"), games + "h0,0 h0").expect("a torn line");
    assert_eq!(n_positions("with", &[path("other")]), with);
    // One set of weights serves all boards of Connect Four.
    let small = TrainingPlan { game: "connect-four:5x5".to_owned(), ..connect_four(&catalog, "node-eval") };
    let mut folder = TrainingFolder::open(&path("5x5"), small, &catalog).expect("it opens");
    play_games(&mut folder, &catalog, 1, &never()).expect("games are played");
    let also = vec![path("5x5").display().to_string()];
    assert!(train(&path("range"), &catalog, TrainingPlan { also, ..connect_four(&catalog, "node-eval") }, 1, &never()));
}

#[test]
fn weights_are_measured_on_scored_positions() {
    let (catalog, root) = (builtin(), TempDir::new("measured"));
    let usual = TrainingPlan::usual(&catalog, "reversi", None).expect("it is learned");
    let (player, budget) = ("solver:from=4".to_owned(), "depth=1".to_owned());
    let plan = TrainingPlan { games: 10, epochs: 2, player, budget, ..usual };
    let scored = |position: &str, scores: &[(&str, i16)]| {
        let scores = scores.iter().map(|&(mv, score)| (mv.to_owned(), score)).collect();
        ScoredPosition { line: 1, start: Start::Position(position.to_owned()), scores, score: None }
    };
    let positions = [
        scored(
            "XXXXXX---XXXXXXXXXXXXOXOXXXXOXO-XXOOOOOOXOXOOOXOXXOOOXX-X--O-XXX X",
            &[("b8", 10), ("e8", 8), ("h4", 4), ("c8", 4)],
        ),
        scored("OOOO-XOOOOOOOOXOOOOXOO-OXXXXXXX-X-XXXXXXXXXXXX--XXXXXX--OOOOOOOO X", &[("e1", -30), ("g3", -40)]),
    ];
    let mut folder = TrainingFolder::open(&root.path().join("rev"), plan.clone(), &catalog).expect("it opens");
    play_games(&mut folder, &catalog, 1, &never()).expect("games are played");
    let fitted = folder.fit(&catalog, &never()).expect("weights are fitted").expect("nobody stopped it");
    let mut measure =
        |observer: &StopAfter| folder.measure(&catalog, &fitted, &positions, observer).expect("it is measured");
    assert_eq!(measure(&StopAfter(AtomicU64::new(0))), None);
    let accuracy = measure(&never()).expect("nobody stopped it");
    let text = fs::read_to_string(folder.file("measured.csv")).expect("a file");
    let (header, row) = text.split_once('\n').expect("two lines");
    let cells: Vec<(&str, &str)> = header.split(',').zip(row.trim_end().split(',')).collect();
    let cell = |name: &str| cells.iter().find(|(heading, _)| *heading == name).expect(name).1.to_owned();
    assert_eq!((cell("weights"), cell("positions")), (fitted.fingerprint.to_string(), "2".to_owned()));
    let number = |name: &str| cell(name).parse::<f64>().expect(name);
    assert!((number("error") - accuracy.error().mid.expect("a mean")).abs() < 1e-5, "{text}");
    assert!((number("best_move") - accuracy.best_moves().mid.expect("a share")).abs() < 1e-5, "{text}");
    let odd = TrainingFolder::open(&root.path().join("a,b"), plan, &catalog).expect("it opens");
    assert!(odd.subject().expect_err("no value of a setting").to_string().contains("a path without , : and +"));
}

/// The plan of a training of Connect Four with short searches on small boards.
fn connect_four(catalog: &Catalog, evaluation: &str) -> TrainingPlan {
    let usual = TrainingPlan::usual(catalog, "connect4:5-6x5-6,holes=1", Some(evaluation)).expect("it is learned");
    TrainingPlan { games: 30, budget: "playouts=40".to_owned(), ..usual }
}

#[test]
fn policies_and_results_are_learned_on_a_range_of_boards() {
    for (evaluation, file, sign) in [("node-eval", "node_eval.bin", '?'), ("priors", "priors.bin", '/')] {
        let (catalog, root) = (builtin(), TempDir::new(evaluation));
        let (whole, parts) = (root.path().join("whole"), root.path().join("parts"));
        let plan = || connect_four(&catalog, evaluation);
        assert_eq!(plan().game, "connect-four:5-6x5-6,holes=1");
        assert!(train(&whole, &catalog, plan(), 2, &never()));
        let mut calls = 0;
        while !train(&parts, &catalog, plan(), 1, &StopAfter(AtomicU64::new(6))) {
            calls += 1;
            assert!(calls < 100, "every call continues");
        }
        assert!(calls > 3, "{calls}");
        for file in ["games.txt", "weights.bin", file, "curve.csv", "curve.svg", "train.toml"] {
            let read = |folder: &Path| fs::read(folder.join(file)).expect(file);
            assert!(read(&whole) == read(&parts), "{file} differs");
        }
        let games = fs::read_to_string(whole.join("games.txt")).expect("games");
        let boards: BTreeSet<&str> = games.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(boards.len() > 10 && boards.iter().all(|board| board.contains(",hole=")), "{boards:?}");
        assert!(games.contains(sign) && games.contains('!'), "{games}");
        assert_eq!(games.contains('/'), evaluation == "priors", "only a policy needs the visits");
    }
}

#[test]
fn evaluations_have_boards_of_their_own() {
    let catalog = builtin();
    let usual = |game: &str, evaluation| TrainingPlan::usual(&catalog, game, Some(evaluation)).map(|plan| plan.game);
    assert_eq!(usual("connect-four", "priors").as_deref(), Ok("connect-four:9-12x9-12,holes=1"));
    assert_eq!(usual("connect-four:6x7", "priors").as_deref(), Ok("connect-four"));
    assert_eq!(usual("dots-and-boxes", "windows").as_deref(), Ok("dots-and-boxes"));
    let err = usual("dots-and-boxes:3-4x3", "windows").expect_err("each board has its own weights").to_string();
    assert!(
        err.starts_with("dots-and-boxes:3-4x3: expected one board, as each has its own weights of windows; try "),
        "{err}"
    );
    let err = usual("connect-four", "windows").expect_err("it is of another game").to_string();
    assert_eq!(
        err,
        "train connect-four windows: expected one of node-eval, priors; try banyan train connect-four node-eval"
    );
}

/// FNV-1a of a file, for a comparison with files that are not kept.
fn digest(path: &Path) -> u64 {
    let bytes = fs::read(path).expect("a file");
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

/// The digest of the file for the game that is fitted to these games.
fn fitted_file(evaluation: &str, games: &str, file: &str) -> u64 {
    let (catalog, root) = (builtin(), TempDir::new(file));
    let n_games = games.lines().count() as u64;
    let usual = TrainingPlan::usual(&catalog, "connect-four", Some(evaluation)).expect("it is learned");
    let open = || TrainingFolder::open(root.path(), TrainingPlan { games: n_games, ..usual.clone() }, &catalog);
    drop(open().expect("it opens"));
    fs::write(root.path().join("games.txt"), games).expect("games");
    open().expect("it opens").fit(&catalog, &never()).expect("weights are fitted").expect("nobody stopped it");
    digest(&root.path().join(file))
}

// Recorded games: columns are letters, and proven positions are marked. The digests are those of the files that the programs before
// `banyan train` wrote for these games.
#[test]
fn weights_are_those_of_the_programs_before() {
    let games = include_str!("training/node_eval_games.txt");
    assert_eq!(fitted_file("node-eval", games, "node_eval.bin"), 0x42becd5207353876);
    let games = include_str!("training/priors_games.txt");
    assert_eq!(fitted_file("priors", games, "priors.bin"), 0x922ae22ac0838173);
}

const REMEDY: &str = "restore the file, or remove this line and all after it";

#[test]
fn impossible_margins_are_refused() {
    let trainable =
        builtin().game("dots-and-boxes:1x2").expect("a game").trainable("structure").expect("it is learned");
    let err = |line: &str| selection().add(line, &trainable, &mut Samples::default()).map_err(|err| err.to_string());
    let line = |word: &str| format!("h0,0{word} v0,0 h1,0 v0,1 h0,1 h1,1 v0,2");
    // No side can win three of two boxes; a search may expect more than is possible.
    for word in ["!2", "!-2", "!0", "~2.50", "~-4"] {
        assert!(err(&line(word)).is_ok(), "{word}: {:?}", err(&line(word)));
    }
    for (word, expected) in [
        ("!3", "h0,0!3: expected a margin from -2 to 2"),
        ("!-30", "h0,0!-30: expected a margin from -2 to 2"),
        ("~4.01", "h0,0~4.01: expected a margin from -4 to 4"),
        ("~inf", "h0,0~inf: expected a move, ~ and a margin"),
    ] {
        assert_eq!(err(&line(word)), Err(format!("{expected}; {REMEDY}")));
    }
    // What is proven later must be possible from there on: the first box is won by the second side.
    let late = "h0,0 v0,0 h1,0 v0,1 h0,1!2 h1,1 v0,2";
    assert!(err(late).is_err() || err(&late.replace("!2", "!-2")).is_err());
}

#[test]
fn a_damaged_state_of_a_fit_is_not_used() {
    let (catalog, root) = (builtin(), TempDir::new("state"));
    let folder = root.path().join("boxes");
    assert!(train(&folder, &catalog, plan(&catalog), 1, &never()));
    let read = |name: &str| fs::read(folder.join(name)).expect(name);
    let (weights, state, curve) = (read("weights.bin"), read("fit.state"), read("curve.csv"));
    // Nothing is fitted again, so that the state alone makes the weights.
    let again = || {
        assert!(train(&folder, &catalog, plan(&catalog), 1, &never()));
        read("weights.bin") == weights && read("curve.csv") == curve
    };
    assert!(again());
    for bit in (0..8 * state.len()).step_by(8 * state.len() / 12 + 3) {
        let mut damaged = state.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(folder.join("fit.state"), damaged).expect("a file");
        assert!(again(), "bit {bit}");
        assert_eq!(read("fit.state"), state);
    }
    for bit in (0..8 * curve.len()).step_by(151) {
        let mut damaged = curve.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(folder.join("curve.csv"), damaged).expect("a file");
        assert!(again(), "bit {bit} of the curve");
    }
}

#[test]
fn a_flipped_bit_in_a_game_is_noticed() {
    let (catalog, root) = (builtin(), TempDir::new("flipped"));
    let folder = root.path().join("boxes");
    assert!(train(&folder, &catalog, plan(&catalog), 1, &never()));
    let games = fs::read(folder.join("games.txt")).expect("games");
    for bit in (0..8 * games.len()).step_by(11) {
        let mut damaged = games.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        fs::write(folder.join("games.txt"), &damaged).expect("a file");
        let err = TrainingFolder::open(&folder, plan(&catalog), &catalog).and_then(|mut opened| {
            if opened.cut_off().is_some() {
                return Ok(None);
            }
            opened.fit(&catalog, &never())
        });
        match err {
            Err(err) => assert!(err.to_string().contains("games.txt:"), "bit {bit}: {err}"),
            Ok(None) => assert_eq!(bit / 8 + 1, games.len(), "only an incomplete last line is played again"),
            Ok(Some(_)) => panic!("bit {bit} is believed"),
        }
    }
    // So is a line that is missing, and a plan that was changed.
    let text = String::from_utf8(games.clone()).expect("text");
    let second = text.lines().nth(1).expect("a line");
    fs::write(folder.join("games.txt"), text.replacen(&format!("{second}\n"), "", 1)).expect("a file");
    let err = TrainingFolder::open(&folder, plan(&catalog), &catalog).map(|_| ()).expect_err("a line is missing");
    assert!(err.to_string().contains("games.txt:2: a damaged line: "), "{err}");
    fs::write(folder.join("games.txt"), games).expect("a file");
    let toml = fs::read_to_string(folder.join("train.toml")).expect("a plan");
    fs::write(folder.join("train.toml"), toml.replace("games = ", "games = 1")).expect("a file");
    let err = TrainingFolder::open(&folder, plan(&catalog), &catalog).map(|_| ()).expect_err("it was changed");
    assert!(err.to_string().contains("train.toml: expected the plan of its games"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_training_whose_folder_is_removed_ends_with_advice_that_works() {
    let (catalog, root) = (builtin(), TempDir::new("removed"));
    let path = root.path().join("boxes");
    let mut folder = TrainingFolder::open(&path, plan(&catalog), &catalog).expect("it opens");
    assert!(play_games(&mut folder, &catalog, 1, &never()).expect("games are played"));
    let games = fs::read(path.join("games.txt")).expect("games");
    fs::remove_dir_all(&path).expect("it is ours");
    let err = folder.fit(&catalog, &never()).expect_err("it is gone").to_string();
    assert!(err.contains("was removed while the training was running; it is written again; continue with "), "{err}");
    drop(folder);
    assert_eq!(fs::read(path.join("games.txt")).expect("games"), games);
    assert!(train(&path, &catalog, plan(&catalog), 1, &never()));
}

#[test]
fn games_that_are_none_are_refused_by_line() {
    let refused = |line: &str| {
        let games = format!("connect-four:4x4 a b a b a b a\n{line}\n");
        let (catalog, root) = (builtin(), TempDir::new("refused"));
        let usual = TrainingPlan::usual(&catalog, "connect-four", Some("priors")).expect("it is learned");
        let open = || TrainingFolder::open(root.path(), TrainingPlan { games: 2, ..usual.clone() }, &catalog);
        drop(open().expect("it opens"));
        fs::write(root.path().join("games.txt"), games).expect("games");
        let err = open().expect("it opens").fit(&catalog, &never()).expect_err(line).to_string();
        let (_, err) = err.split_once("games.txt:2: ").unwrap_or_else(|| panic!("{err}"));
        err.to_owned()
    };
    assert_eq!(refused("connect-four:4x4 a=a:1/b"), format!("b: expected a move and its visits, as in d:70; {REMEDY}"));
    assert_eq!(
        refused("connect-four:4x4 a=a:1/b:-2"),
        format!("b:-2: expected a move and its visits, as in d:70; {REMEDY}")
    );
    assert!(refused("connect-four:4x4 a=a:1/z:2").starts_with("move \"z\": "));
    assert!(refused("a b c").starts_with("unknown game \"a\": "));
    assert!(refused("dots-and-boxes h0,0").starts_with("evaluation priors: "));
    assert!(refused("connect-four:4x4").starts_with("a game without an end: "));
}

#[test]
fn a_folder_of_something_else_is_refused_and_kept() {
    let (catalog, root) = (builtin(), TempDir::new("folder"));
    let path = root.path().join("mine");
    fs::create_dir(&path).expect("a folder");
    fs::write(path.join("diary.txt"), "dear diary").expect("a file");
    let open = |plan| TrainingFolder::open(&path, plan, &catalog).map(|_| ()).expect_err("refused").to_string();
    assert!(open(plan(&catalog)).contains("expected a new or empty folder"), "{}", open(plan(&catalog)));
    assert_eq!(fs::read_dir(&path).expect("a folder").count(), 1);
    fs::remove_file(path.join("diary.txt")).expect("it was there");
    assert!(train(&path, &catalog, TrainingPlan { games: 20, ..plan(&catalog) }, 1, &never()));
    let of_other_games = open(TrainingPlan { seed: 2, ..plan(&catalog) });
    assert!(
        of_other_games.contains("games of --seed 1: expected those of --seed 2; choose another --out"),
        "{of_other_games}"
    );
    fs::write(path.join("train.toml"), "v = 1\ngame = 3").expect("a file");
    assert!(open(plan(&catalog)).contains("the plan of a training"), "{}", open(plan(&catalog)));
}

#[test]
fn plans_without_sense_are_refused() {
    let (catalog, root) = (builtin(), TempDir::new("plans"));
    let usual = plan(&catalog);
    let check = |plan: TrainingPlan, expected: &str| {
        let err = TrainingFolder::open(&root.path().join("new"), plan, &catalog).map(|_| ()).expect_err(expected);
        assert!(err.to_string().contains(expected), "{err}");
    };
    check(TrainingPlan { games: 0, ..usual.clone() }, "--games 0");
    check(TrainingPlan { epochs: 0, ..usual.clone() }, "--epochs 0");
    check(TrainingPlan { rate: f32::NAN, ..usual.clone() }, "--rate NaN");
    check(TrainingPlan { opening_plies: [4, 3], ..usual.clone() }, "--opening-plies 4..3");
    let taken = TrainingPlan { plies_left: [10, 12], opening_plies: [3, 4], ..usual.clone() };
    check(
        taken.clone(),
        "--plies-left 10..12 after --opening-plies 3..4: expected some of the 12 plies of dots-and-boxes:2x2, of which at most 9 \
         are left then; change one of the two ranges",
    );
    assert!(
        TrainingFolder::open(&root.path().join("drawn"), TrainingPlan { opening: None, ..taken }, &catalog).is_ok()
    );
    check(TrainingPlan { plies_left: [0, 0], ..usual.clone() }, "--plies-left 0..0 after ");
    check(TrainingPlan { opening_plies: [12, 14], ..usual.clone() }, "of which at most 0 are left then");
    check(TrainingPlan { budget: "1s".to_owned(), ..usual.clone() }, "so that the games can be repeated");
    check(TrainingPlan { player: "nobody".to_owned(), ..usual.clone() }, "nobody");
    check(TrainingPlan { lambda: 1.5, ..usual.clone() }, "--lambda 1.5: expected 0 to 1");
    check(TrainingPlan { ridge: -1.0, ..usual.clone() }, "--ridge -1");
    check(TrainingPlan { player: "pvs:eval=none.bin".to_owned(), ..usual.clone() }, "eval=none.bin: ");
    let err = usual.generation(1, |_| "a,b".into()).expect_err("no value of a setting").to_string();
    assert!(err.starts_with("a,b/weights.bin: expected a path without , : and +"), "{err}");
    assert!(usual.generation(64, |_| "a".into()).is_err(), "too many games");
    let err = TrainingPlan::usual(&catalog, "reversi:6x6", None).expect_err("nothing is learned there").to_string();
    assert!(err.contains("train reversi:6x6"), "{err}");
}
