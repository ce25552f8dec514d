use std::path::PathBuf;
use std::sync::Arc as Shared;

use banyan_core::{Fault, Game, Player, Report, Situation, Watch};
use banyan_games::connect_four::{ConnectFour, Shape};

use super::super::host::Hosting;
use super::super::record::EndingKind;
use super::super::{MadeBy, MatchFormat, SprtBounds, Summary, read_folder};
use super::*;
use crate::view::VERSION;

type FourByFive = ConnectFour<u64>;

struct Nobody;

impl MatchWatch for Nobody {
    fn game(&mut self, _line: &GameLine) {}
    fn pair(&mut self, _standing: &Standing) {}
}

fn config(players: &[&str], pairs: u64) -> MatchConfig {
    MatchConfig {
        v: VERSION,
        game: "connect-four:4x5".into(),
        format: MatchFormat::RoundRobin,
        pairs,
        openings: "random:plies=3".into(),
        openings_digest: None,
        seed: 1,
        clock: ClockKind::Wall,
        margin_ms: 100,
        shard: None,
        sprt: None,
        players: Entrant::list(&Players::presets(), players, &"playouts=20".parse().expect("a budget"))
            .expect("players"),
        made_by: MadeBy::default(),
    }
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("banyan-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    path
}

/// Plays a match into a folder that is gone afterwards.
fn played(name: &str, config: &MatchConfig, jobs: usize, change: impl FnOnce(&mut Match)) -> Played {
    let path = folder(name);
    let mut game = Match::new(&Catalog::builtin(), config, None).expect("a match");
    change(&mut game);
    let mut folder = MatchFolder::create(&path, config.clone(), None).expect("a folder");
    let played = game.play(&mut folder, Vec::new(), jobs, &Brake::new(), &mut Nobody).expect("a match");
    drop(folder);
    let (_, _, written) = read_folder(&path).expect("the folder");
    assert_eq!(written.len(), played.lines.len() + played.uncounted);
    std::fs::remove_dir_all(&path).expect("the folder is ours");
    played
}

/// Without what a clock said.
fn timeless(lines: &[GameLine]) -> Vec<GameLine> {
    let strip = |line: &GameLine| GameLine { time_us: Vec::new(), overrun_us: Vec::new(), at_ms: 0, ..line.clone() };
    lines.iter().map(strip).collect()
}

/// Makes nothing but mistakes from its third move on.
struct Spoiler(fn(&Situation<'_, FourByFive>) -> Result<u8, Fault>);

impl Player<FourByFive> for Spoiler {
    fn choose(
        &mut self,
        at: &Situation<'_, FourByFive>,
        _limits: &Limits,
        _watch: &mut dyn Watch<<FourByFive as Game>::Move>,
    ) -> Result<Report<<FourByFive as Game>::Move>, Fault> {
        let mut moves = Vec::new();
        at.game.moves(at.state, &mut moves);
        let chosen = if at.played.len() < 7 { Ok(0) } else { (self.0)(at) };
        chosen.map(|_| Report::bare(moves[0], Duration::ZERO))
    }

    fn new_game(&mut self, _seed: u64) {}
}

fn rigged(player: &PlayerSpec, seed: u64) -> Box<dyn Player<FourByFive>> {
    match player.to_string().as_str() {
        "uct:c=0.1" => Box::new(Spoiler(|_| panic!("out of its depth"))),
        "uct:c=0.2" => Box::new(Spoiler(|_| Err(Fault::Resigned))),
        "uct:c=0.4" => Box::new(Spoiler(|_| Err(Fault::Crashed("signal 11".into())))),
        _ => player.build(seed),
    }
}

#[test]
fn what_a_player_does_wrong_loses_it_the_game_and_the_match_goes_on() {
    let config = config(&["random", "uct:c=0.1", "uct:c=0.2", "uct:c=0.4"], 10);
    let played = played("faults", &config, 3, |game| {
        let rules = Shared::new(FourByFive::new(Shape::parse("4x5").expect("a shape")));
        let openings = "random:plies=3".parse().expect("openings");
        game.boards = Boards::One(Box::new(Hosting::new(rules, &openings, None, 1, rigged).expect("a host")));
    });
    assert_eq!(played.lines.len(), 6 * 10 * 2);
    assert!(!played.unfinished);
    let mut seen = Vec::new();
    for line in played.lines.iter().filter(|line| line.ending != EndingKind::Finished) {
        let loser = line.fault_by.expect("somebody's fault") as usize;
        let expected = [EndingKind::Finished, EndingKind::Panicked, EndingKind::Resigned, EndingKind::Crashed];
        assert_eq!(line.ending, expected[line.seats[loser]], "{line:?}");
        assert_ne!(line.outcome(banyan_core::Side::BOTH[loser]), banyan_arena::stats::Outcome::Win);
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
fn equal_players_are_not_told_apart_by_a_thousand_pairs() {
    let config = config(&["uct", "uct"], 1000);
    let played = played("equal", &config, 2, |_| {});
    let score = played.standing.tally(0).estimate().score;
    assert!(score.low < Some(0.5) && score.high > Some(0.5), "{score:?}");
    assert!(score.low > Some(0.45) && score.high < Some(0.55), "{score:?}");
}

#[test]
fn a_test_finds_twice_the_playouts_stronger_whatever_the_number_of_threads() {
    let sprt = Some(SprtBounds { elo0: 0.0, elo1: 60.0, alpha: 0.05, beta: 0.05 });
    let config =
        MatchConfig { sprt, game: "connect-four".into(), ..config(&["uct@playouts=200", "uct@playouts=100"], 2000) };
    let [one, four] = [("one", 1), ("four", 4)].map(|(name, jobs)| played(name, &config, jobs, |_| {}));
    let decision = one.standing.sprt().expect("a test").decision;
    assert_eq!(decision, banyan_arena::stats::Decision::AcceptH1);
    assert!(!one.unfinished && one.standing.pairs < 2000);
    // The pair that was being played when the test was decided, and those that waited for a sink held up by others.
    assert!(one.uncounted <= 12, "{} games", one.uncounted);
    assert_eq!(timeless(&one.lines), timeless(&four.lines));
}

#[test]
fn boards_drawn_from_a_range_are_the_same_for_every_pairing_of_a_round() {
    let game = "connect-four:4-6x4-6,holes=1".into();
    let config = MatchConfig { game, openings: "balanced".into(), ..config(&["random", "greedy", "uct"], 12) };
    let played = played("range", &config, 2, |_| {});
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
    let game = Match::new(&Catalog::builtin(), &Players::presets(), &config, Some(&lines)).expect("a match");
    let Boards::One(host) = &game.boards else { panic!("one board") };
    let openings: Vec<_> = (0..3).map(|n| host.opening(n).expect("an opening")).collect();
    assert_eq!(openings, [("1 2".into(), 2), ("3 3 4".into(), 3), ("1 2".into(), 2)]);
    for (text, part) in [("9", "line 1"), ("reversi;f5", "an opening for reversi"), ("1 2 1 2 1 2 1", "over")] {
        let lines = OpeningLines::read(text).expect("lines");
        let err =
            Match::new(&Catalog::builtin(), &Players::presets(), &config, Some(&lines)).err().expect(text).to_string();
        assert!(err.contains(part), "{err}");
    }
}

#[test]
fn a_folder_is_played_by_one_program_only_and_holds_only_its_own_games() {
    let (path, config) = (folder("own"), config(&["random", "greedy"], 2));
    let held = MatchFolder::create(&path, config.clone(), None).expect("a folder");
    let err = MatchFolder::resume(&path).err().expect("it is held").to_string();
    assert!(err.contains("another program"), "{err}");
    drop(held);
    assert!(
        MatchFolder::create(&path, config.clone(), None).err().expect("not empty").to_string().contains("--resume")
    );
    let other = played("other", &MatchConfig { seed: 2, ..config.clone() }, 1, |_| {});
    let mut folder = MatchFolder::resume(&path).expect("a folder").folder;
    let game = Match::new(&Catalog::builtin(), &Players::presets(), &config, None).expect("a match");
    let err = game.play(&mut folder, other.lines, 1, &Brake::new(), &mut Nobody).err().expect("foreign").to_string();
    assert!(err.contains("expected a game of this match"), "{err}");
    drop(folder);
    std::fs::remove_dir_all(&path).expect("the folder is ours");
}
