//! Summaries of matches that were counted by hand.

use banyan_catalog::pairs::{EndingKind, GameLine, SideName};
use banyan_catalog::view::json_line;
use banyan_matches::exports::{PlayerNames, sheets};
use banyan_matches::{MatchFormat, OpeningResult, Summary, by_opening};
use banyan_review::Language;

use crate::fixture::{config, fault, game, pair, pairs, sprt};

fn kinds(summary: &Summary) -> Vec<&str> {
    summary.warnings.iter().map(|warning| warning.kind.as_str()).collect()
}

/// Checks the results of pairs of two players: (wdl, as first, as second, pentanomial).
#[track_caller]
fn check(results: &[&str], wdl: [u64; 3], as_first: [u64; 3], as_second: [u64; 3], pentanomial: [u64; 5]) {
    let summary = Summary::of(&config(&["anna", "bert"]), &pairs(results));
    let pairing = &summary.pairings[0];
    let found = (pairing.wdl, pairing.as_first, pairing.as_second, pairing.pentanomial);
    assert_eq!(found, (wdl, as_first, as_second, pentanomial), "{results:?}");
    assert_eq!(pairing.pairs, pentanomial.iter().sum::<u64>());
    assert_eq!(summary.players[0].wdl, wdl);
    let [wins, draws, losses] = wdl;
    assert_eq!(summary.players[1].wdl, [losses, draws, wins]);
}

#[test]
fn games_are_counted_by_side_and_by_pair() {
    // In the second game the player is the second side: `-` is then its win.
    check(&["+-"], [2, 0, 0], [1, 0, 0], [1, 0, 0], [0, 0, 0, 0, 1]);
    check(&["-+"], [0, 0, 2], [0, 0, 1], [0, 0, 1], [1, 0, 0, 0, 0]);
    check(&["++", "=="], [1, 2, 1], [1, 1, 0], [0, 1, 1], [0, 0, 2, 0, 0]);
    check(&["+=", "-=", "=-", "=+"], [2, 4, 2], [1, 2, 1], [1, 2, 1], [0, 2, 0, 2, 0]);
    // A game without a partner counts as a game and in no pair.
    check(&["+-", "-"], [2, 0, 1], [1, 0, 1], [1, 0, 0], [0, 0, 0, 0, 1]);
}

#[test]
fn estimates_are_those_of_the_counts() {
    // 5 LL, 10 LD, 16 even, 13 WD, 6 WW: mean .525; Elo = 400 log10(.525 / .475) = 17.386.
    let bins = [("-+", 5), ("-=", 10), ("++", 16), ("+=", 13), ("+-", 6)];
    let results: Vec<&str> = bins.iter().flat_map(|&(pair, n)| vec![pair; n]).collect();
    let summary = Summary::of(&config(&["anna", "bert"]), &pairs(&results));
    let pairing = &summary.pairings[0];
    assert_eq!(pairing.pentanomial, [5, 10, 16, 13, 6]);
    assert_eq!(pairing.strength.elo[1], Some(17.386));
    assert_eq!(pairing.strength.score[1], Some(0.525));
    assert!(pairing.strength.elo[0] < Some(0.0) && pairing.strength.elo[2] > Some(0.0));
    assert!(pairing.strength.more_pairs > Some(100));
    assert_eq!(pairing.trail.last().map(|point| (point.pairs, point.elo)), Some((50, pairing.strength.elo)));
}

#[test]
fn without_games_or_with_one_there_is_no_interval() {
    let none = Summary::of(&config(&["anna", "bert"]), &[]);
    assert_eq!((none.games, none.pairs, none.pairings.len()), (0, 0, 0));
    assert!(none.warnings.is_empty());
    assert_eq!(none.players[0].spending.playouts, None);
    let done = json_line(&none.done());
    assert!(done.starts_with(r#"{"v":1,"event":"done","players":["anna","bert"],"pairs":0,"games":0,"wdl":[0,0,0],"elo":[null,null,null],"#), "{done}");

    let one = Summary::of(&config(&["anna", "bert"]), &pairs(&["+"]));
    assert_eq!((one.games, one.pairs), (1, 0));
    assert_eq!((one.pairings[0].pairs, one.pairings[0].wdl), (0, [1, 0, 0]));
    assert_eq!(one.pairings[0].incomplete_pairs, [0]);
    assert_eq!(one.pairings[0].strength.elo[1], None);
    assert_eq!(kinds(&one), ["incomplete"]);
}

#[test]
fn a_clean_score_has_a_lower_end_only() {
    let summary = Summary::of(&config(&["anna", "bert"]), &pairs(&["+-"; 20]));
    let [low, mid, high] = summary.pairings[0].strength.elo;
    assert!(low.is_some_and(|low| low > 0.0) && mid.is_none() && high.is_none());
    let json = json_line(&summary);
    assert!(!json.contains("NaN") && !json.contains("inf"), "{json}");
    assert_eq!(
        serde_json::from_str::<Summary>(&json).expect("a summary").pairings[0].strength,
        summary.pairings[0].strength
    );
}

#[test]
fn faults_are_losses_with_a_name() {
    let mut games = pairs(&["+-", "+-", "++"]);
    games[0] = fault(games[0].clone(), SideName::First, EndingKind::Late);
    games[3] = fault(games[3].clone(), SideName::Second, EndingKind::Late);
    games[4] = fault(games[4].clone(), SideName::Second, EndingKind::Panicked);
    let summary = Summary::of(&config(&["anna", "bert"]), &games);
    assert_eq!(summary.pairings[0].wdl, [3, 0, 3]);
    assert_eq!(summary.pairings[0].pentanomial, [0, 0, 3, 0, 0]);
    assert_eq!(summary.players[0].spending.faults_text(), "2 late");
    assert_eq!(summary.players[1].spending.faults_text(), "1 panicked");
    assert_eq!(summary.warnings[0].text, "anna lost 2 games by fault: 2 late (first in game 0.0: so it was)");
    assert_eq!(summary.warnings[1].text, "bert lost 1 game by fault: 1 panicked (first in game 2.0: so it was)");
}

#[test]
fn a_pair_that_repeats_another_counts_once() {
    let mut games = pairs(&["+-", "+-", "+-", "++"]);
    // Pair 1 is pair 0 again; of pair 2 only one game repeats.
    for (to, from) in [(2, 0), (3, 1), (4, 0)] {
        games[to].moves = games[from].moves.clone();
    }
    let summary = Summary::of(&config(&["anna", "bert"]), &games);
    let pairing = &summary.pairings[0];
    assert_eq!((summary.games, summary.pairs), (8, 4));
    assert_eq!((pairing.pairs, pairing.repeated_pairs, pairing.pentanomial), (3, 1, [0, 0, 1, 0, 2]));
    assert_eq!(kinds(&summary), ["duplicates", "openings"]);
    // The same moves by other players, or with another result, are another game.
    let two = [pair(0, [0, 1], "+-"), pair(1, [0, 2], "+-")].concat();
    let mut alike = two.clone();
    alike.iter_mut().for_each(|game| game.moves = "1 1 1 2 3".to_owned());
    let repeated = |games: &[GameLine]| {
        let summary = Summary::of(&config(&["anna", "bert", "cleo"]), games);
        summary.pairings.iter().map(|pairing| pairing.repeated_pairs).sum::<u64>()
    };
    assert_eq!(repeated(&alike), 0);
}

#[test]
fn what_players_spend_is_a_mean_over_their_own_moves() {
    // After two plies of opening the first side makes moves 0 and 2, the second move 1.
    let summary = Summary::of(&config(&["anna", "bert"]), &[game(0, 0, [0, 1], '+')]);
    let [anna, bert] = [&summary.players[0].spending, &summary.players[1].spending];
    assert_eq!((anna.moves, anna.playouts, anna.nodes, anna.time_ms), (2, Some(150.0), Some(20.0), Some(1.5)));
    assert_eq!((bert.moves, bert.playouts, bert.reused), (1, Some(50.0), Some(0.5)));
    let mut unlike = game(0, 0, [0, 1], '+');
    unlike.movers = "110".to_owned();
    let summary = Summary::of(&config(&["anna", "bert"]), &[unlike]);
    assert_eq!((summary.players[0].spending.playouts, summary.players[1].spending.playouts), (Some(200.0), Some(75.0)));
}

#[test]
fn memory_is_the_peak_of_all_games_and_may_be_unknown() {
    let mut games = pairs(&["+-", "+-"]);
    games[0].memory_bytes = None;
    games[3].memory_bytes = Some([0, 5 << 20]);
    let peaks = |games: &[GameLine]| {
        let summary = Summary::of(&config(&["anna", "bert"]), games);
        [0, 1].map(|player: usize| summary.players[player].spending.memory_bytes)
    };
    // Anna is first in games 0 and 2, second in 1 and 3.
    assert_eq!(peaks(&games), [Some(5 << 20), Some(3 << 20)]);
    // Records of earlier versions.
    games.iter_mut().for_each(|game| game.memory_bytes = None);
    assert_eq!(peaks(&games), [None, None]);
    let text = games[0].write();
    assert!(!text.contains("memory_bytes") && GameLine::read(&text).expect("a record") == games[0]);
}

#[test]
fn overruns_and_crowded_cores_are_named() {
    let mut config = config(&["anna", "bert"]);
    config.players[0].budget = "1ms".to_owned();
    let mut games = pairs(&["+-", "+-"]);
    // A millisecond late is not late.
    games[0].overrun_us = vec![0, 1000, 2500];
    // 24 ms of thinking in 10 ms on two cores.
    let summary = Summary::of(&config, &games);
    assert_eq!(kinds(&summary), ["overruns", "oversubscribed"]);
    assert_eq!(summary.warnings[0].text, "anna exceeded its time in 1 move, by at most 2.5 ms");
    config.made_by.cores = 3;
    assert_eq!(kinds(&Summary::of(&config, &games)), ["overruns"]);
}

#[test]
fn openings_that_decide_are_named() {
    let decided = Summary::of(&config(&["anna", "bert"]), &pairs(&["++"; 40]));
    assert_eq!(kinds(&decided), ["openings"]);
    let fair = Summary::of(&config(&["anna", "bert"]), &pairs(&["++", "+-"].repeat(20)));
    assert!(fair.warnings.is_empty(), "{:?}", fair.warnings);
}

#[test]
fn a_test_ends_where_it_first_crosses_a_bound() {
    let mut config = config(&["anna", "bert"]);
    config.sprt = sprt(0.0, 50.0);
    let many = [vec!["+-"; 30], ["++", "-+"].repeat(60)].concat();
    let summary = Summary::of(&config, &pairs(&many));
    let pairing = &summary.pairings[0];
    let view = pairing.sprt.as_ref().expect("a test");
    assert_eq!(view.decision, "H1");
    assert!(pairing.decided_after.is_some_and(|n| n < 30), "{:?}", pairing.decided_after);
    // The pairs in progress when the test was decided depend on the machine, and are not counted.
    assert_eq!(Some(pairing.pairs), pairing.decided_after);
    assert_eq!(summary.games, 2 * pairing.pairs);
    assert!(view.llr >= view.upper);
    // The order of the records does not matter.
    let mut backwards = pairs(&many);
    backwards.reverse();
    assert_eq!(Summary::of(&config, &backwards).pairings, summary.pairings);
}

#[test]
fn three_players_are_rated() {
    // 0-1, 0-2, 1-2 in every round, as the schedule has them.
    let round = |i: u64, results: [&str; 3]| {
        let players = [[0, 1], [0, 2], [1, 2]];
        (0..3).flat_map(move |k| pair(3 * i + k as u64, players[k], results[k])).collect::<Vec<_>>()
    };
    let games: Vec<GameLine> =
        (0..10).flat_map(|i| round(i, if i < 5 { ["+-", "+-", "++"] } else { ["++", "+=", "+-"] })).collect();
    let summary = Summary::of(&config(&["anna", "bert", "cleo"]), &games);
    assert_eq!(summary.pairings.len(), 3);
    let ratings: Vec<f64> =
        summary.players.iter().map(|player| player.rating.and_then(|elo| elo[1]).expect("rated")).collect();
    assert!(ratings[0] > ratings[1] && ratings[1] > ratings[2], "{ratings:?}");
    assert!(ratings.iter().sum::<f64>().abs() < 0.01, "0 is the mean: {ratings:?}");
    assert_eq!(summary.players[0].wdl, [30, 5, 5]);
    assert_eq!(summary.done().elo, summary.players[0].rating.expect("rated"));

    let mut gauntlet = config(&["anna", "bert", "cleo"]);
    gauntlet.format = MatchFormat::Gauntlet;
    assert_eq!(Summary::of(&gauntlet, &games).players[0].rating.and_then(|elo| elo[1]), Some(0.0));
}

#[test]
fn records_of_unknown_players_are_excluded_with_a_warning() {
    let games =
        [pairs(&["+-"]), vec![game(9, 0, [0, 5], '+'), game(9, 1, [1, 1], '+'), game(0, 0, [0, 1], '-')]].concat();
    let summary = Summary::of(&config(&["anna", "bert"]), &games);
    assert_eq!((summary.games, summary.pairings[0].wdl), (2, [2, 0, 0]));
    assert_eq!(kinds(&summary), ["records"]);
}

#[test]
fn faults_are_warned_of_with_the_reason_of_each_kind_and_a_game() {
    let mut games = pairs(&["+-", "+-", "+-"]);
    for (i, ending, reason) in [
        (5, EndingKind::Crashed, "crashed: exited with code 7"),
        (3, EndingKind::Crashed, "crashed: exited with code 1; last line on stderr: \"no\\nmemory\""),
        (4, EndingKind::Late, "late: 250 ms"),
    ] {
        // Player 1 is the first side of the second game of a pair.
        let side = if i % 2 == 1 { SideName::First } else { SideName::Second };
        games[i] = GameLine { fault: Some(reason.to_owned()), ..fault(games[i].clone(), side, ending) };
    }
    let summary = Summary::of(&config(&["anna", "bert"]), &games);
    let warning = &summary.warnings[0];
    assert_eq!(
        warning.text,
        "bert lost 3 games by fault: 2 crashed (first in game 1.1: exited with code 1; last line on stderr: \
         \"no\\nmemory\"), 1 late (first in game 2.0: 250 ms)"
    );
    assert_eq!(warning.game.as_deref(), Some("1.1"));
}

/// A match of `n` pairs of which the first `late` games were lost by lateness.
fn summary_of_late(n: usize, late: usize) -> Summary {
    let mut games = pairs(&vec!["+-"; n]);
    for game in &mut games[..late] {
        *game = fault(game.clone(), SideName::Second, EndingKind::Late);
    }
    Summary::of(&config(&["anna", "bert"]), &games)
}

#[test]
fn a_match_that_lateness_decides_is_said_to_be_one_first_of_all() {
    let is_loud = |n, late| summary_of_late(n, late).warnings[0].kind == "lateness";
    assert_eq!([is_loud(3, 3), is_loud(3, 4), is_loud(200, 4), is_loud(200, 5)], [false, true, false, true]);
    let warning = &summary_of_late(25, 25).warnings[0];
    assert!(warning.text.starts_with("LATENESS DECIDED 25 of 50 games"), "{}", warning.text);
    assert_eq!(warning.game.as_deref(), Some("0.0"));
}

#[test]
fn overruns_beyond_the_margin_are_those_of_the_scheduler() {
    let text = |overrun_us: u64| {
        let mut games = pairs(&["+-"]);
        games[0].overrun_us = vec![overrun_us];
        Summary::of(&config(&["anna", "bert"]), &games).warnings.remove(0).text
    };
    assert_eq!(text(99_000), "anna exceeded its time in 1 move, by at most 99.0 ms");
    let expected = "anna exceeded its time in 1 move, by at most 250.0 ms; its CPU time kept the limit, so it did not lose: other \
                    programs or games took the processor";
    assert_eq!(text(250_000), expected);
}

#[test]
fn games_begun_again_are_named() {
    let text = |replays: &[u32]| {
        let mut games = pairs(&["+-", "+-"]);
        games.iter_mut().zip(replays).for_each(|(game, &replays)| game.replays = replays);
        let warnings = Summary::of(&config(&["anna", "bert"]), &games).warnings;
        warnings.into_iter().find(|warning| warning.kind == "standstill").map(|warning| warning.text)
    };
    assert_eq!(text(&[0, 0]), None);
    let again = "begun again because the program stood still";
    assert_eq!(text(&[1]), Some(format!("1 game was {again}")));
    assert_eq!(text(&[2, 0, 1, 3]), Some(format!("3 games were {again}")));
}

#[test]
fn two_pairs_do_not_show_how_many_more_are_needed() {
    let more = |n: usize| {
        let results: Vec<&str> = ["++", "+-"].into_iter().cycle().take(n).collect();
        Summary::of(&config(&["anna", "bert"]), &pairs(&results)).pairings[0].strength.more_pairs
    };
    assert_eq!((more(2), more(9)), (None, None));
    assert!(more(10).is_some());
}

#[test]
fn a_game_without_its_partner_is_shown_beside_the_pairs() {
    let summary = Summary::of(&config(&["anna", "bert"]), &pairs(&["+-", "++", "+-", "+"]));
    let results = sheets(&summary, &PlayerNames::full(&summary), Language::En)
        .into_iter()
        .find(|sheet| sheet.title == "Results")
        .expect("results");
    assert_eq!([1, 2].map(|column| results.rows[0][column].text.as_str()), ["3 + 1 game", "6-0-1"]);
}

#[test]
fn results_are_counted_by_opening() {
    let config = config(&["anna", "bert"]);
    let named = |moves: &str, line: GameLine| GameLine { spec: "reversi".into(), moves: moves.into(), ..line };
    let lines: Vec<GameLine> = pairs(&["+-", "=-", "-"])
        .into_iter()
        .zip(["f5 d6 c3 d3 c4 f4", "c4 e3 f6 e6 f5", "f5 d6", "d3 c5", "f5"])
        .map(|(line, moves)| named(moves, line))
        .collect();
    let counted = by_opening(&config, &lines, &crate::catalog());
    let row = |opening: Option<&str>, sides: [u64; 3], players: [[u64; 3]; 2]| OpeningResult {
        opening: opening.map(str::to_owned),
        games: sides.iter().sum(),
        sides,
        players: players.to_vec(),
    };
    let expected = [
        // Anna wins as the first side and as the second one.
        row(Some("Perpendicular"), [0, 1, 1], [[1, 1, 0], [0, 1, 1]]),
        row(Some("Tiger"), [1, 0, 1], [[2, 0, 0], [0, 0, 2]]),
        row(None, [0, 0, 1], [[0, 0, 1], [1, 0, 0]]),
    ];
    assert_eq!(counted, expected);
    let summary = Summary { openings: counted, ..Summary::of(&config, &lines) };
    let sheet = sheets(&summary, &PlayerNames::full(&summary), Language::En)
        .into_iter()
        .find(|sheet| sheet.title == "Openings");
    let sheet = sheet.expect("a table of openings");
    let headings: Vec<&str> = sheet.columns.iter().map(|column| column.heading.as_str()).collect();
    assert_eq!(headings, ["opening", "games", "first side %", "anna %", "bert %"]);
    let cells = |row: usize| sheet.rows[row].iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>();
    assert_eq!(cells(1), ["Tiger", "2", "50.0", "100.0", "0.0"]);
    assert_eq!(cells(2)[0], "without a name");
    // In a game without names there is nothing to count.
    assert_eq!(by_opening(&config, &pairs(&["+-"]), &crate::catalog()), []);
}
