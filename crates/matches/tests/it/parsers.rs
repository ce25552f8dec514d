//! Every text that is read from people and programs: no parser panics, and printed values are read again.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use banyan_catalog::pairs::{EndingKind, GameLine, OpeningLines, OpeningSpec, SideName, Winner};
use banyan_catalog::view::VERSION;
use banyan_catalog::{
    ALPHA_BETA_TUNABLES, BoardRange, Budget, JudgeKind, PRESETS, PlayerSpec, Players, Record, TUNABLES, Tunable,
    did_you_mean,
};
use banyan_core::TextError;
use banyan_matches::{ClockKind, Entrant, MatchConfig, MatchFormat, RatingTerms, SprtBounds};
use banyan_testkit::rounds;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::catalog;

/// A text with a few characters inserted, replaced or removed.
fn damaged(text: &'static str) -> impl Strategy<Value = String> {
    let edits = vec(
        (
            any::<prop::sample::Index>(),
            0..10u8,
            prop_oneof![any::<char>(), "[-0-9\"'{}\\[\\],:=./@+ \n]".prop_map(first)],
        ),
        0..4,
    );
    edits.prop_map(|edits| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, how, char) in edits {
            let at = at.index(chars.len() + 1);
            match how {
                0..3 => chars.insert(at, char),
                3..6 if at < chars.len() => chars[at] = char,
                6..9 if at < chars.len() => drop(chars.remove(at)),
                _ => chars.truncate(at.max(1)),
            }
        }
        chars.into_iter().collect()
    })
}

fn first(text: String) -> char {
    text.chars().next().expect("one character")
}

/// An error is one line with a message; a printed value is read again as the same value.
fn check<T: FromStr<Err = TextError> + Display + PartialEq + Debug>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string().parse::<T>().as_ref(), Ok(&value), "{text:?}"),
        Err(err) => check_error(&err),
    }
}

fn check_error(err: &TextError) {
    let text = err.to_string();
    assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
}

/// A setting and a value that it may take: its default, or one that others have.
fn setting(rows: &'static [Tunable]) -> impl Strategy<Value = String> {
    const VALUES: &[&str] =
        &["0", "1", "2", "0.25", "off", "on", "tree", "graph", "puct", "max", "64", "1e-3", "0:0.5/1:0.2"];
    let values = prop_oneof![Just(None), prop::sample::select(VALUES).prop_map(Some)];
    (0..rows.len(), values)
        .prop_map(|(row, value)| format!("{}={}", rows[row].name, value.unwrap_or(rows[row].default)))
}

/// A player with some settings, most of which are compatible.
fn player() -> impl Strategy<Value = String> {
    let tree = (prop::sample::select(&["uct", "graph", "mcgs", "best"][..]), vec(setting(TUNABLES), 0..4));
    let alpha_beta = (prop::sample::select(&["pvs", "mtdf", "negamax"][..]), vec(setting(ALPHA_BETA_TUNABLES), 0..4));
    let join = |(name, settings): (&str, Vec<String>)| match settings.is_empty() {
        true => name.to_owned(),
        false => format!("{name}:{}", settings.join(",")),
    };
    let one = prop_oneof![
        tree.prop_map(join),
        alpha_beta.prop_map(join),
        Just("random".to_owned()),
        Just("greedy".to_owned())
    ];
    let one = one.boxed();
    let vote = vec(one.clone(), 1..4).prop_map(|members| format!("vote:{}", members.join("+")));
    prop_oneof![4 => one, 1 => vote]
}

fn line(text: &str, numbers: &[u64], sides: [bool; 3]) -> GameLine {
    let number = |i: usize| numbers.get(i).copied().unwrap_or_default();
    let values: Vec<f64> = numbers.iter().map(|&n| n as f64 / 3.0).collect();
    GameLine {
        v: VERSION,
        event: "game_end".into(),
        pair: number(0),
        game: u8::from(sides[0]),
        spec: text.to_owned(),
        opening: number(1),
        opening_plies: number(2) as u16,
        players: [text.to_owned(), "uct".into()],
        seats: [number(3) as usize % 9, 1],
        tuned: if sides[2] { vec![text.to_owned(), String::new()] } else { Vec::new() },
        seeds: [number(4), u64::MAX],
        moves: text.to_owned(),
        movers: if sides[1] { text.to_owned() } else { String::new() },
        margin: sides[2].then_some(number(5) as i16),
        winner: if sides[0] { Winner::First } else { Winner::Draw },
        ending: if sides[1] { EndingKind::Finished } else { EndingKind::Crashed },
        fault_by: sides[1].then_some(SideName::Second),
        fault: sides[1].then(|| text.to_owned()),
        replays: number(7) as u32,
        time_us: numbers.to_vec(),
        overrun_us: Vec::new(),
        playouts: numbers.to_vec(),
        nodes: Vec::new(),
        value: values.clone(),
        reused: values,
        memory_bytes: sides[0].then_some([number(5), 1]),
        at_ms: number(6),
    }
}

const LINE: &str = r#"{"v":1,"event":"game_end","pair":0,"game":0,"spec":"connect-four:4x4","opening":1,"opening_plies":0,"players":["uct","random"],"seats":[0,1],"seeds":[7,8],"moves":"1 2","margin":null,"winner":"draw","ending":"finished","value":[0.5],"at_ms":12}"#;
const CONFIG: &str = "\
    v = 1\ngame = \"connect-four\"\nformat = \"round-robin\"\npairs = 2\n\
    openings = \"none\"\nseed = 1\nclock = \"wall\"\nmargin_ms = 100\n\
    \n[[players]]\nname = \"uct\"\nplayer = \"uct\"\n\
    budget = \"playouts=9\"\n";
const RECORD: &str = r#"{"v":1,"game":"reversi:4x4","position":null,"players":["a","b"],"moves":["a2"],"result":null}"#;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rounds(300, 1500)))]

    #[test]
    fn any_player(text in "(best|uct|graph|mcgs|pvs|mtdf|vote|random|human|[a-z+]{0,6})(:([a-z-]{0,12}=?\
        [-0-9a-z./:+]{0,8},?){0,4})?|\\PC{0,30}") {
        check::<PlayerSpec>(&text);
        check::<JudgeKind>(&text);
        let names = PRESETS.iter().map(|preset| preset.name);
        prop_assert!(!did_you_mean(&text, names).contains('\n'));
    }

    #[test]
    fn players_are_read_as_they_are_printed(text in player()) {
        check::<PlayerSpec>(&text);
        check::<JudgeKind>(&text);
    }

    #[test]
    fn any_entrants(
        texts in vec(prop_oneof![player(), "[a-z@:=+0-9]{0,12}"], 0..4),
        budget in "(@(playouts=[0-9]{1,3}|[0-9]{1,2}ms|[a-z]{0,5}))?",
    ) {
        let texts: Vec<String> = texts.into_iter().map(|text| text + &budget).collect();
        match Entrant::list(&Players::presets(), &texts, &Budget::playouts(9)) {
            Err(err) => check_error(&err),
            Ok(entrants) => {
                for entrant in entrants {
                    prop_assert!(entrant.parse(&Players::presets()).is_ok(), "{:?}", entrant);
                }
            }
        }
    }

    #[test]
    fn any_openings_of_a_match(text in "(none|random|balanced|file)?:?(plies=[0-9]{0,4})?|\\PC{0,20}") {
        check::<OpeningSpec>(&text);
    }

    #[test]
    fn any_file_of_openings(text in "((#|[a-z-]{0,5};|)[ -~é]{0,12}\r?\n?){0,6}") {
        match OpeningLines::read(&text) {
            Err(err) => check_error(&err),
            Ok(lines) => {
                prop_assert!(!lines.digest().is_empty() && lines.text() == text);
                // A line is found again under its number.
                for line in &lines.lines {
                    let found = text.lines().nth(line.number - 1).expect("a line of the file");
                    prop_assert!(found.contains(&line.moves), "{:?}", line);
                }
            }
        }
    }

    #[test]
    fn any_range_of_boards(
        text in "(connect-four|reversi|x)?:?[0-9]{0,3}(-[0-9]{0,2})?x?[0-9]{0,2}(-[0-9]{0,2})?(,?holes=[0-9]{0,2}\
            (-[0-9])?)?(,hole=[a-z][0-9])?|\\PC{0,20}",
        seed in any::<u64>(),
    ) {
        match BoardRange::parse(&text) {
            Err(err) => check_error(&err),
            Ok(None) => if let Err(err) = catalog().game(&text).map(drop) { check_error(&err) },
            Ok(Some(range)) => if let Err(err) = range.draw(&catalog(), seed).map(drop) { check_error(&err) },
        }
    }

    #[test]
    fn any_configuration_of_a_match(text in prop_oneof![damaged(CONFIG), "\\PC{0,40}"]) {
        match MatchConfig::read(&text) {
            Err(err) => check_error(&err),
            Ok(config) => {
                prop_assert_eq!(MatchConfig::read(&config.write()), Ok(config.clone()));
                if let Err(err) = config.schedule() { check_error(&err) }
            }
        }
    }

    #[test]
    fn configurations_are_read_as_they_are_written(
        texts in vec("\\PC{0,12}|[\n\"'\\\\=]{0,4}", 6),
        shard in option::of("[0-9]{0,3}/?[0-9]{0,3}"),
        numbers in vec(0..=i64::MAX as u64, 3),
        sprt in option::of((-100f64..100.0, -100f64..100.0)),
        choices in any::<[bool; 3]>(),
    ) {
        let config = MatchConfig {
            v: VERSION,
            game: texts[0].clone(),
            format: if choices[0] { MatchFormat::Gauntlet } else { MatchFormat::RoundRobin },
            pairs: numbers[0],
            openings: texts[1].clone(),
            openings_digest: choices[1].then(|| texts[2].clone()),
            seed: numbers[1],
            clock: if choices[2] { ClockKind::Cpu } else { ClockKind::Wall },
            margin_ms: numbers[2],
            shard,
            sprt: sprt.map(|(elo0, elo1)| SprtBounds { elo0, elo1, alpha: 0.05, beta: 0.1 }),
            sweep: None,
            ablation: None,
            tune: None,
            rating: choices[1].then(|| RatingTerms {
                pairs: numbers[2],
                superiority: 0.975,
                error: choices[0].then_some(30.5),
                anchor: choices[2].then(|| texts[3].clone()),
            }),
            players: vec![Entrant {
                name: texts[3].clone(),
                player: texts[4].clone(),
                budget: texts[5].clone(),
                engines: texts[..2].to_vec(),
            }],
            made_by: Default::default(),
        };
        let read = MatchConfig::read(&config.write());
        prop_assert_eq!(read.as_ref(), Ok(&config));
        if let Err(err) = config.schedule() { check_error(&err) }
    }

    #[test]
    fn any_line_of_a_record(text in prop_oneof![damaged(LINE), "\\PC{0,40}"]) {
        match GameLine::read(&text) {
            Err(err) => check_error(&err),
            Ok(line) => prop_assert_eq!(GameLine::read(&line.write()), Ok(line)),
        }
    }

    #[test]
    fn lines_of_a_record_are_read_as_they_are_written(
        text in "\\PC{0,20}|[\n\"\\\\]{0,4}",
        numbers in vec(any::<u64>(), 0..8),
        sides in any::<[bool; 3]>(),
    ) {
        let line = line(&text, &numbers, sides);
        prop_assert!(!line.write().contains('\n'));
        prop_assert_eq!(GameLine::read(&line.write()), Ok(line));
    }

    #[test]
    fn any_saved_game(text in prop_oneof![damaged(RECORD), "\\PC{0,40}"]) {
        match Record::read(&text) {
            Err(err) => check_error(&err),
            Ok(record) => {
                if let Err(err) = record.open(&catalog()).map(drop) { check_error(&err) }
                prop_assert_eq!(Record::read(&record.write()), Ok(record));
            }
        }
    }

    #[test]
    fn saved_games_are_read_as_they_are_written(
        texts in vec("\\PC{0,12}|[\n\"\\\\]{0,4}", 5),
        result in option::of(any::<i16>()),
        from in any::<bool>(),
    ) {
        let record = Record {
            v: VERSION,
            game: texts[0].clone(),
            position: from.then(|| texts[1].clone()),
            players: [texts[2].clone(), texts[3].clone()],
            moves: texts[2..].to_vec(),
            result,
        };
        prop_assert_eq!(Record::read(&record.write()), Ok(record));
    }
}
