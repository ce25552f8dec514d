//! Training resumes after an interruption, and refuses what is not its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use banyan_catalog::Catalog;
use banyan_catalog::training::{
    Epoch, Excluded, Selection, Target, TrainingFolder, TrainingObserver, TrainingPlan, play_games,
};
use banyan_learn::Samples;

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
    let reversi = banyan_reversi_family::family();
    let (connect_four, dots) = (banyan_connect_four_family::family(), banyan_dots_and_boxes_family::family());
    Catalog::of([connect_four, reversi, dots]).expect("valid presets")
}

fn plan(catalog: &Catalog) -> TrainingPlan {
    let usual = TrainingPlan::usual(catalog, "dots-and-boxes:2x2", None).expect("it learns something");
    TrainingPlan { games: 40, opening_plies: [0, 4], plies_left: [1, 12], epochs: 4, ..usual }
}

/// Stops after so many games or passes.
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
        // As a kill leaves it.
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
        selection.add(line, &*trainable, &mut samples).map(|_| samples)
    };
    let values = |plies_left, proven| -> Vec<(u16, f32)> {
        samples(plies_left, proven).expect("a game").iter().map(|sample| (sample.group, sample.targets[0])).collect()
    };
    // Second closes the left box with the fourth edge, moves again, and closes the right one with the last. That First could have
    // had the right one is made up.
    assert_eq!(values([1, 7], false), [(6, 2.0), (5, -2.0), (4, 2.0), (3, 1.0), (2, 1.0), (1, 1.0)]);
    assert_eq!(values([1, 7], true), [(3, 1.0), (2, 1.0)]);
    assert_eq!(values([2, 3], false), [(3, 1.0), (2, 1.0)]);
    let all = selection();
    let err = |line: &str| all.add(line, &*trainable, &mut Samples::default()).expect_err(line).to_string();
    assert!(err("h0,0 v0,0").starts_with("a game without an end: "), "{}", err("h0,0 v0,0"));
    assert!(err(&format!("{line} h0,0")).starts_with("h0,0: the end of the line"), "{}", err(line));
    assert!(err("h0,0 h0,0").contains("h0,0"));
    assert!(err("h0,0!x").starts_with("h0,0!x: a move, ! and a margin"), "{}", err("h0,0!x"));
    assert!(err("h0,0!").starts_with("h0,0!: a move, ! and a margin"), "{}", err("h0,0!"));
}

#[test]
fn expected_margins_are_mixed_with_what_follows() {
    let catalog = builtin();
    let trainable = catalog.game("dots-and-boxes:1x2").expect("a game").trainable("windows").expect("it is learned");
    // Seen by First, Second to move: the result is -2.
    let line = "h0,0 v0,0 h1,0~-1.5 v0,1~0.5 h0,1!-2 h1,1 v0,2";
    let labels = |lambda| -> Vec<f32> {
        let mut samples = Samples::default();
        Selection { lambda, plies_left: [3, 7], ..selection() }.add(line, &*trainable, &mut samples).expect("a game");
        samples.iter().map(|sample| sample.targets[0]).collect()
    };
    assert_eq!(labels(1.0), [-2.0, 2.0, -2.0, 2.0, 1.0]);
    assert_eq!(labels(0.0), [-1.5, 1.5, -1.5, -0.5, 1.0]);
    assert_eq!(labels(0.5)[2..], [-(1.5 + 0.75) / 2.0, 0.75, 1.0]);
    // A random move after which the end says nothing: what was expected before it stands for the end.
    let line = line.replace("v0,1~0.5", "v0,1?~0.5");
    let mut samples = Samples::default();
    Selection { lambda: 1.0, plies_left: [3, 7], ..selection() }.add(&line, &*trainable, &mut samples).expect("a game");
    let labels: Vec<f32> = samples.iter().map(|sample| sample.targets[0]).collect();
    assert_eq!(labels, [0.5, -0.5, 0.5, -0.5, 1.0]);
    let err = |word: &str| {
        let line = format!("h0,0~{word} v0,0 h1,0 v0,1 h0,1 h1,1 v0,2");
        selection().add(&line, &*trainable, &mut Samples::default()).expect_err(word).to_string()
    };
    assert!(err("x").starts_with("h0,0~x: a move, ~ and a margin"), "{}", err("x"));
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
    assert!(err.contains(&format!("games of weights {fingerprint}: those of weights ")), "{err}");
}

#[test]
fn excluded_positions_and_their_images_are_not_learned_from() {
    let catalog = builtin();
    let trainable = catalog.game("reversi").expect("a game").trainable("patterns").expect("it is learned");
    let line = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/training/reversi_game.txt"));
    let line = line.expect("a game");
    let n_samples = |excluded: &[&str]| {
        let mut samples = Samples::default();
        let mut selection = Selection { plies_left: [1, 60], ..selection() };
        for position in excluded {
            selection.excluded.insert(&trainable.features_of(position).expect("a position"));
        }
        let n_excluded = selection.add(&line, &*trainable, &mut samples).expect("a game");
        (samples.len(), n_excluded)
    };
    let all = n_samples(&[]).0;
    assert_eq!(n_samples(&[]), (all, 0));
    // The start, and the position after f5: turned, and with the colours swapped.
    assert_eq!(n_samples(&["8/8/8/3ox3/3xo3/8/8/8 x"]), (all - 1, 1));
    assert_eq!(n_samples(&["8/8/8/3ox3/3xxx2/8/8/8 o"]), (all - 1, 1));
    assert_eq!(n_samples(&["8/8/8/2ooo3/3ox3/8/8/8 x", "8/8/8/3ox3/3xo3/8/8/8 x"]), (all - 2, 2));
    assert_eq!(n_samples(&["8/8/8/3ox3/3xxx2/8/8/8 x"]), (all, 0), "another side to move");
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
    assert!(err.starts_with("dots-and-boxes:3-4x3: one board, as each has its own weights of windows; try "), "{err}");
    let err = usual("connect-four", "windows").expect_err("it is of another game").to_string();
    assert_eq!(err, "train connect-four windows: one of node-eval, priors; try banyan train connect-four node-eval");
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

// The programs that fitted the weights of Connect Four before `banyan train` did, examples/connect_four_node_eval.rs and
// examples/connect_four_priors.rs, played these games (`play 40 12 FILE node-eval=0` and `play 40 4 FILE`); columns are letters
// here, and proven positions marked. Their `fit` wrote files with these digests.
#[test]
fn weights_are_those_of_the_programs_before() {
    let games = include_str!("training/node_eval_games.txt");
    assert_eq!(fitted_file("node-eval", games, "node_eval.bin"), 0x42becd5207353876);
    let games = include_str!("training/priors_games.txt");
    assert_eq!(fitted_file("priors", games, "priors.bin"), 0x922ae22ac0838173);
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
    assert_eq!(refused("connect-four:4x4 a=a:1/b"), "b: a move and its visits, as in d:70; remove the line");
    assert_eq!(refused("connect-four:4x4 a=a:1/b:-2"), "b:-2: a move and its visits, as in d:70; remove the line");
    assert!(refused("connect-four:4x4 a=a:1/z:2").starts_with("move \"z\": "));
    assert!(refused("a b c").starts_with("unknown game \"a\": "));
    assert!(refused("reversi d3").starts_with("evaluation priors: "), "{}", refused("reversi d3"));
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
    assert!(of_other_games.contains("games of --seed 1: those of --seed 2; choose another --out"), "{of_other_games}");
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
    check(TrainingPlan { budget: "1s".to_owned(), ..usual.clone() }, "so that the games can be repeated");
    check(TrainingPlan { player: "nobody".to_owned(), ..usual.clone() }, "nobody");
    check(TrainingPlan { lambda: 1.5, ..usual.clone() }, "--lambda 1.5: 0 to 1");
    check(TrainingPlan { ridge: -1.0, ..usual.clone() }, "--ridge -1");
    check(TrainingPlan { player: "pvs:eval=none.bin".to_owned(), ..usual.clone() }, "eval=none.bin: ");
    let err = usual.generation(1, |_| "a,b".into()).expect_err("no value of a setting").to_string();
    assert!(err.starts_with("a,b/weights.bin: a path without , : and +"), "{err}");
    assert!(usual.generation(64, |_| "a".into()).is_err(), "too many games");
    let err = TrainingPlan::usual(&catalog, "reversi:6x6", None).expect_err("nothing is learned there").to_string();
    assert!(err.contains("train reversi:6x6"), "{err}");
}
