//! Matches played to the end in temporary folders.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use banyan_arena::stats::{Decision, Outcome};
use banyan_arena::{Heartbeat, StopSignal};
use banyan_catalog::pairs::{EndingKind, GameLine, MatchError, OpeningLines};
use banyan_catalog::{Answer, ExternalEngine, GameState, Players, RunningEngine, Stopped};
use banyan_core::{Fault, Limits, Side, TextError};
use banyan_matches::{
    Entrant, MadeBy, Match, MatchConfig, MatchFolder, MatchWatch, Played, SprtBounds, Standing, Summary, read_folder,
};

use crate::catalog;

struct Nobody;

impl MatchWatch for Nobody {
    fn game(&mut self, _line: &GameLine) {}
    fn pair(&mut self, _standing: &Standing) {}
}

fn config(players: &[&str], pairs: u64) -> MatchConfig {
    config_of(&Players::presets(), players, pairs)
}

fn config_of(known: &Players, players: &[&str], pairs: u64) -> MatchConfig {
    MatchConfig {
        pairs,
        made_by: MadeBy::default(),
        ..MatchConfig::of(
            "connect-four:4x5",
            "random:plies=3",
            Entrant::list(known, players, &"playouts=20".parse().expect("a budget")).expect("players"),
        )
    }
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("banyan-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// Plays a match into a temporary folder.
fn played(name: &str, config: &MatchConfig, jobs: usize) -> Played {
    played_by(&Players::presets(), name, config, jobs)
}

fn played_by(known: &Players, name: &str, config: &MatchConfig, jobs: usize) -> Played {
    play(Match::new(&catalog(), known, config, None).expect("a match"), name, config, jobs)
}

fn play(game: Match, name: &str, config: &MatchConfig, jobs: usize) -> Played {
    let path = folder(name);
    let mut folder = MatchFolder::create(&path, config.clone(), None).expect("a folder");
    let played = game.play(&mut folder, Vec::new(), jobs, &StopSignal::new(), &mut Nobody).expect("a match");
    drop(folder);
    let (_, _, written) = read_folder(&path).expect("the folder");
    assert_eq!(written.len(), played.lines.len() + played.uncounted);
    std::fs::remove_dir_all(&path).expect("the folder is ours");
    played
}

/// The records without measured times.
fn timeless(lines: &[GameLine]) -> Vec<GameLine> {
    let strip = |line: &GameLine| GameLine { time_us: Vec::new(), overrun_us: Vec::new(), at_ms: 0, ..line.clone() };
    lines.iter().map(strip).collect()
}

/// Plays illegal moves from the third move of the game on.
#[derive(Clone, Copy, Debug)]
struct Spoiler(&'static str, fn() -> Fault);

impl ExternalEngine for Spoiler {
    fn name(&self) -> &str {
        self.0
    }
    fn identity(&self) -> String {
        self.0.to_owned()
    }
    fn check(&self, _at: &GameState, _limits: &Limits) -> Result<Box<dyn RunningEngine>, TextError> {
        Ok(self.open())
    }
    fn open(&self) -> Box<dyn RunningEngine> {
        Box::new(*self)
    }
}

impl RunningEngine for Spoiler {
    fn new_game(&mut self, _seed: u64) {}
    fn prepare(&mut self, _at: &GameState, _stopped: Stopped<'_>) -> Result<(), Fault> {
        Ok(())
    }
    fn choose(&mut self, at: &GameState, _limits: &Limits, _stopped: Stopped<'_>) -> Result<Answer, Fault> {
        if at.history().len() < 7 { Ok(Answer::bare(at.legal_moves().remove(0))) } else { Err((self.1)()) }
    }
}

#[test]
fn a_fault_loses_the_game_and_the_match_continues() {
    let mut known = Players::presets();
    for spoiler in [
        Spoiler("panics", || panic!("out of its depth")),
        Spoiler("resigns", || Fault::Resigned),
        Spoiler("crashes", || Fault::Crashed("signal 11".into())),
    ] {
        known.add(Arc::new(spoiler)).expect("a new name");
    }
    let config = config_of(&known, &["random", "panics", "resigns", "crashes"], 10);
    let played = played_by(&known, "faults", &config, 3);
    assert_eq!(played.lines.len(), 6 * 10 * 2);
    assert!(!played.unfinished);
    let mut seen = Vec::new();
    for line in played.lines.iter().filter(|line| line.ending != EndingKind::Finished) {
        let loser = line.fault_by.expect("somebody's fault") as usize;
        let expected = [EndingKind::Finished, EndingKind::Panicked, EndingKind::Resigned, EndingKind::Crashed];
        assert_eq!(line.ending, expected[line.seats[loser]], "{line:?}");
        assert_ne!(line.outcome(Side::BOTH[loser]), Outcome::Win);
        assert_eq!(line.margin, None);
        seen.push(line.fault.clone().expect("a reason"));
    }
    for reason in ["panicked: out of its depth", "resigned", "crashed: signal 11"] {
        assert!(seen.iter().any(|seen| seen == reason), "{reason} in {seen:?}");
    }
    let summary = Summary::of(&config, &played.lines);
    assert_eq!(summary.players.iter().map(|player| player.spending.n_faults()).sum::<u64>(), seen.len() as u64);
    assert_eq!(played.standing.faults, seen.len() as u64);
}

#[test]
fn a_machine_at_its_limits_ends_the_match_and_nobody_loses() {
    let mut known = Players::presets();
    let starved = Spoiler("starved", || Fault::NoResources("cannot start x: Too many open files".into()));
    known.add(Arc::new(starved)).expect("a new name");
    let (path, config) = (folder("starved"), config_of(&known, &["random", "starved"], 50));
    let mut folder = MatchFolder::create(&path, config.clone(), None).expect("a folder");
    let game = Match::new(&catalog(), &known, &config, None).expect("a match");
    let stop_signal = StopSignal::new();
    let err = game.play(&mut folder, Vec::new(), 2, &stop_signal, &mut Nobody).err().expect("no resources");
    assert!(matches!(err, MatchError::NoResources(_)), "{err}");
    assert!(err.to_string().starts_with("cannot start x: Too many open files: expected "), "{err}");
    assert!(stop_signal.is_aborting(), "the other games are dropped");
    drop((game, folder));
    let (_, _, written) = read_folder(&path).expect("the folder");
    assert!(written.iter().all(|line| line.ending == EndingKind::Finished), "{written:?}");
    std::fs::remove_dir_all(&path).expect("the folder is ours");
}

/// Milliseconds of a clock that only engines advance.
static CLOCK_MS: AtomicU64 = AtomicU64::new(0);
/// Moves left during which the program stands still.
static STANDSTILLS: AtomicU64 = AtomicU64::new(0);

/// Plays the first legal move, during which the program may stand still.
#[derive(Clone, Copy, Debug)]
struct Sleeper;

impl ExternalEngine for Sleeper {
    fn name(&self) -> &str {
        "sleeper"
    }
    fn identity(&self) -> String {
        "sleeper".to_owned()
    }
    fn check(&self, _at: &GameState, _limits: &Limits) -> Result<Box<dyn RunningEngine>, TextError> {
        Ok(self.open())
    }
    fn open(&self) -> Box<dyn RunningEngine> {
        Box::new(*self)
    }
}

impl RunningEngine for Sleeper {
    fn new_game(&mut self, _seed: u64) {}
    fn prepare(&mut self, _at: &GameState, _stopped: Stopped<'_>) -> Result<(), Fault> {
        Ok(())
    }
    fn choose(&mut self, at: &GameState, _limits: &Limits, _stopped: Stopped<'_>) -> Result<Answer, Fault> {
        let less = |n: u64| n.checked_sub(1);
        if at.history().len() > 4 && STANDSTILLS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok() {
            CLOCK_MS.fetch_add(3000, Ordering::Relaxed);
        }
        Ok(Answer::bare(at.legal_moves().remove(0)))
    }
}

#[test]
fn games_during_which_the_program_stood_still_are_played_again() {
    let mut known = Players::presets();
    known.add(Arc::new(Sleeper)).expect("a new name");
    let players = Entrant::list(&known, &["random", "sleeper"], &"10s".parse().expect("a budget")).expect("players");
    let config = MatchConfig { players, ..config_of(&known, &["random", "sleeper"], 1) };
    let prepared = |standstills: u64| {
        STANDSTILLS.store(standstills, Ordering::Relaxed);
        let mut game = Match::new(&catalog(), &known, &config, None).expect("a match");
        game.set_heartbeat(Heartbeat::by_hand(|| Duration::from_millis(CLOCK_MS.load(Ordering::Relaxed))));
        game
    };
    let run = |standstills: u64| play(prepared(standstills), "sleeper", &config, 1).lines;
    let undisturbed = timeless(&run(0));
    for (standstills, replays) in [(1, [1, 0]), (3, [3, 0])] {
        let lines = run(standstills);
        assert_eq!(lines.iter().map(|line| line.replays).collect::<Vec<_>>(), replays, "{standstills}");
        let same: Vec<_> = timeless(&lines).into_iter().map(|line| GameLine { replays: 0, ..line }).collect();
        assert_eq!(same, undisturbed, "played again with the same seeds");
    }
    // A game that cannot be played to its end has no result.
    let path = folder("standstill");
    let mut folder = MatchFolder::create(&path, config.clone(), None).expect("a folder");
    let err = prepared(4).play(&mut folder, Vec::new(), 1, &StopSignal::new(), &mut Nobody).err().expect("it gives up");
    assert!(matches!(err, MatchError::Standstill(0, 0)), "{err}");
    drop(folder);
    assert!(read_folder(&path).expect("the folder").2.is_empty());
    std::fs::remove_dir_all(&path).expect("the folder is ours");
}

#[test]
fn equal_players_are_not_told_apart_by_a_thousand_pairs() {
    let config = config(&["uct", "uct"], 1000);
    let played = played("equal", &config, 2);
    let score = played.standing.counts(0).estimate().score;
    assert!(score.low < Some(0.5) && score.high > Some(0.5), "{score:?}");
    assert!(score.low > Some(0.45) && score.high < Some(0.55), "{score:?}");
}

#[test]
fn a_test_finds_twice_the_playouts_stronger_whatever_the_number_of_threads() {
    let sprt = Some(SprtBounds { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05 });
    let config =
        MatchConfig { sprt, game: "connect-four".into(), ..config(&["uct@playouts=200", "uct@playouts=100"], 2000) };
    let [one, four] = [("one", 1), ("four", 4)].map(|(name, jobs)| played(name, &config, jobs));
    let decision = one.standing.sprt().expect("a test").decision;
    assert_eq!(decision, Decision::AcceptH1);
    assert!(!one.unfinished && one.standing.pairs < 2000);
    // The pair that was being played when the test was decided, and those that waited for a sink held up by others.
    assert!(one.uncounted <= 12, "{} games", one.uncounted);
    assert_eq!(timeless(&one.lines), timeless(&four.lines));
}

#[test]
fn boards_drawn_from_a_range_are_the_same_for_every_pairing_of_a_round() {
    let game = "connect-four:4-6x4-6,holes=1".into();
    let config = MatchConfig { game, openings: "balanced".into(), ..config(&["random", "greedy", "uct"], 12) };
    let played = played("range", &config, 2);
    let mut rounds: HashMap<u64, HashSet<(String, String)>> = HashMap::new();
    for line in &played.lines {
        let opening = line.moves.split(' ').take(line.opening_plies.into()).collect::<Vec<_>>().join(" ");
        rounds.entry(line.opening).or_default().insert((line.spec.clone(), opening));
    }
    assert_eq!(rounds.len(), 12);
    assert!(rounds.values().all(|drawn| drawn.len() == 1), "{rounds:?}");
    assert!(rounds.values().flatten().collect::<HashSet<_>>().len() > 6);
}

#[test]
fn openings_of_a_file_are_played_in_their_order() {
    let lines = OpeningLines::read("1 2\nconnect-four:4x5; 3 3 4\n").expect("openings");
    let config = MatchConfig { openings: "file:mine.txt".into(), ..config(&["random", "greedy"], 3) };
    let game = Match::new(&catalog(), &Players::presets(), &config, Some(&lines)).expect("a match");
    let played = play(game, "openings", &config, 1);
    assert_eq!(played.lines.len(), 6);
    for line in &played.lines {
        let opening = ["1 2", "3 3 4", "1 2"][line.pair as usize];
        assert_eq!(usize::from(line.opening_plies), opening.split(' ').count(), "{line:?}");
        assert!(line.moves.starts_with(&format!("{opening} ")), "{line:?}");
    }
    for (text, part) in [
        ("1 2\n9", "mine.txt: line 2: move 1: move \"9\": "),
        ("reversi;f5", "mine.txt: line 1: an opening for reversi"),
        ("1 2 1 2 1 2 1", "mine.txt: line 1: 1 2 1 2 1 2 1: expected moves that do not end the game"),
    ] {
        let lines = OpeningLines::read(text).expect("lines");
        let err = Match::new(&catalog(), &Players::presets(), &config, Some(&lines)).err().expect(text).to_string();
        assert!(err.contains(part), "{err}");
    }
}

#[test]
fn a_folder_is_played_by_one_process_only_and_holds_only_its_own_games() {
    let (path, config) = (folder("own"), config(&["random", "greedy"], 2));
    let held = MatchFolder::create(&path, config.clone(), None).expect("a folder");
    let err = MatchFolder::resume(&path).err().expect("it is held").to_string();
    assert!(err.contains("no other process"), "{err}");
    drop(held);
    assert!(
        MatchFolder::create(&path, config.clone(), None).err().expect("not empty").to_string().contains("--resume")
    );
    let other = played("other", &MatchConfig { seed: 2, ..config.clone() }, 1);
    let mut folder = MatchFolder::resume(&path).expect("a folder").folder;
    let game = Match::new(&catalog(), &Players::presets(), &config, None).expect("a match");
    let err =
        game.play(&mut folder, other.lines, 1, &StopSignal::new(), &mut Nobody).err().expect("engine").to_string();
    assert!(err.contains("expected a game of this match"), "{err}");
    drop(folder);
    std::fs::remove_dir_all(&path).expect("the folder is ours");
}

#[test]
fn what_a_kill_leaves_before_the_match_has_begun_is_replaced() {
    let (path, config) = (folder("leftover"), config(&["random", "greedy"], 2));
    let lines = OpeningLines::read("1 2\n3 3\n").expect("openings");
    for (names, openings, accepted) in [
        (&[("match.toml.12-0.tmp", "v = 1\ngame = \"conn")][..], None, true),
        (&[("openings.txt.12-3.tmp", "1"), ("games.jsonl", "")], None, true),
        (&[("openings.txt", "1 2\n3 3\n"), ("match.toml.1-0.tmp", "")], Some(&lines), true),
        // Files that may belong to the user.
        (&[("openings.txt", "1 2\n")], Some(&lines), false),
        (&[("openings.txt", "1 2\n3 3\n")], None, false),
        (&[("games.jsonl", "{}\n")], None, false),
        (&[("match.toml.1-0.tmp", ""), ("notes.txt", "")], None, false),
        (&[("match.toml", "")], None, false),
    ] {
        std::fs::create_dir_all(&path).expect("a folder");
        names.iter().for_each(|(name, text)| std::fs::write(path.join(name), text).expect("a file"));
        let created = MatchFolder::create(&path, config.clone(), openings).map(drop);
        assert_eq!(created.is_ok(), accepted, "{names:?}: {:?}", created.err());
        if accepted {
            let (found, ..) = read_folder(&path).expect("a match");
            assert_eq!(found, config);
            let is_draft = |entry: &std::fs::DirEntry| entry.file_name().to_string_lossy().ends_with(".tmp");
            let left = std::fs::read_dir(&path).expect("a folder").filter(|entry| entry.as_ref().is_ok_and(is_draft));
            assert_eq!(left.count(), 0, "{names:?}");
        } else {
            names.iter().for_each(|(name, text)| {
                assert_eq!(std::fs::read_to_string(path.join(name)).expect("untouched"), *text, "{name}");
            });
        }
        std::fs::remove_dir_all(&path).expect("the folder is ours");
    }
}

#[test]
fn a_configuration_that_was_changed_under_its_games_is_refused() {
    let (path, config) = (folder("changed"), config(&["random", "greedy"], 2));
    let game = Match::new(&catalog(), &Players::presets(), &config, None).expect("a match");
    let mut folder = MatchFolder::create(&path, config, None).expect("a folder");
    let file = path.join("match.toml");
    let edit = || {
        let text = std::fs::read_to_string(&file).expect("a configuration");
        assert!(text.contains("playouts=20"), "{text}");
        std::fs::write(&file, text.replace("playouts=20", "playouts=30")).expect("a file");
    };
    drop(folder);
    edit();
    // Before the first game it may be edited.
    folder = MatchFolder::resume(&path).expect("a folder").folder;
    assert_eq!(folder.config().players[0].budget, "playouts=30");
    std::fs::write(path.join("summary.json.1-0.tmp"), "{").expect("as a kill leaves it");
    let played = game.play(&mut folder, Vec::new(), 1, &StopSignal::new(), &mut Nobody).expect("a match");
    drop(folder);
    // The edited configuration is now that of its games.
    folder = MatchFolder::resume(&path).expect("a folder").folder;
    assert!(!path.join("summary.json.1-0.tmp").exists());
    // The program itself may change it.
    folder.set_pairs(4).expect("a new number");
    folder.set_engines_file("engines.toml".to_owned()).expect("a new name");
    drop(folder);
    assert_eq!(MatchFolder::resume(&path).expect("a folder").lines.len(), played.lines.len());
    let text = std::fs::read_to_string(&file).expect("a configuration");
    for (changed, is_refused) in [
        (text.replace("playouts=30", "playouts=20"), true),
        (text.replace("pairs = 4", "pairs = 5"), true),
        (text.replace('\n', "\r\n"), false),
        (format!("\u{feff}{text}"), false),
        // A file as earlier versions wrote it.
        (text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect(), false),
    ] {
        assert_ne!(changed, text);
        std::fs::write(&file, &changed).expect("a file");
        let found =
            [MatchFolder::resume(&path).err(), read_folder(&path).err(), banyan_matches::config_of(&path).err()];
        for err in found {
            let err = err.map(|err| err.to_string());
            assert_eq!(err.is_some(), is_refused, "{changed}");
            assert!(err.is_none_or(|err| err.contains("match.toml: expected the configuration of its games")));
        }
    }
    std::fs::remove_dir_all(&path).expect("the folder is ours");
}

#[test]
fn a_flipped_bit_in_a_game_is_noticed() {
    let (path, config) = (folder("flipped"), config(&["random", "greedy"], 1));
    let game = Match::new(&catalog(), &Players::presets(), &config, None).expect("a match");
    let mut folder = MatchFolder::create(&path, config, None).expect("a folder");
    game.play(&mut folder, Vec::new(), 1, &StopSignal::new(), &mut Nobody).expect("a match");
    drop(folder);
    let (file, read) = (path.join("games.jsonl"), || read_folder(&path).map(|(.., games)| games));
    let (whole, games) = (std::fs::read(&file).expect("games"), read().expect("games"));
    for bit in (0..8 * whole.len()).step_by(3) {
        let mut damaged = whole.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&file, damaged).expect("a file");
        match read() {
            Err(err) => assert!(err.to_string().contains("games.jsonl:") && !err.to_string().contains('\n'), "{err}"),
            // The damage is in an incomplete last line, or only keeps the checksum from being recognised.
            Ok(found) => assert!(found == games || found == games[..1] && bit / 8 + 1 == whole.len(), "bit {bit}"),
        }
    }
    std::fs::remove_dir_all(&path).expect("the folder is ours");
}

#[test]
fn the_leader_of_several_players_is_the_one_with_the_highest_rating() {
    let config = config(&["random", "greedy", "uct@playouts=200"], 20);
    let played = played("leader", &config, 2);
    let leader = played.standing.leader(3).expect("all have played");
    let summary = Summary::of(&config, &played.lines);
    let rating = |player: usize| summary.players[player].rating.and_then(|elo| elo[1]).expect("rated");
    let mut ranking = [0, 1, 2];
    ranking.sort_by(|&a, &b| rating(b).total_cmp(&rating(a)));
    assert_eq!([leader.player, leader.next], ranking[..2]);
    let gap = rating(ranking[0]) - rating(ranking[1]);
    assert!(leader.gap.mid.is_some_and(|mid| (mid - gap).abs() < 0.01), "{leader:?}, {gap}");
    assert_eq!(Standing::default().leader(3), None);
}
