//! Messages and records of all formats: printed messages are parsed again, and no text causes a panic in a parser.

use std::fmt::{Debug, Display};

use banyan_catalog::{Opening, Session};
use banyan_core::{Rng, Side};
use banyan_formats::{Reading, ScoredFile, botzone, ccgc, gtp, nboard, saiblo, sau, wthor};
use banyan_testkit::rounds;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::catalog;

/// Keywords of protocols, numbers, and arbitrary text.
fn words(known: &'static [&'static str]) -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => prop::sample::select(known).prop_map(str::to_owned),
        1 => "-?[0-9]{1,20}(\\.[0-9]{0,3})?",
        1 => "\\PC{0,6}",
    ];
    prop_oneof![6 => vec(word, 0..6).prop_map(|words| words.join(" ")), 1 => any::<String>()]
}

/// Parses what was parsed and printed. A number is printed with two digits, so only the second text is equal.
fn settles<T: Display + PartialEq + Debug>(line: &str, parse: impl Fn(&str) -> Option<T>) {
    let Some(read) = parse(line) else { return };
    let again = parse(&read.to_string());
    let printed = again.as_ref().map(T::to_string);
    assert!(printed.as_deref().and_then(&parse) == again && again.is_some(), "{line:?}: {read:?}, then {again:?}");
}

/// A line without leading or trailing white space.
fn line() -> impl Strategy<Value = String> {
    "[a-zA-Z]([ -~é]{0,20}[!-~é])?"
}

fn edge() -> impl Strategy<Value = sau::Edge> {
    (any::<bool>(), 0..26u8, 0..26u8).prop_map(|(is_horizontal, row, column)| sau::Edge { is_horizontal, row, column })
}

fn played() -> impl Strategy<Value = nboard::Played> {
    let hundredths = || option::of((-100_000..100_000i32).prop_map(|n| f64::from(n) / 100.0));
    let mv = prop_oneof!["[a-h][1-9]", "[a-h]10", Just("pass".to_owned())];
    (mv, hundredths(), hundredths()).prop_map(|(mv, eval, time)| nboard::Played { mv, eval, time })
}

fn place() -> impl Strategy<Value = botzone::Place> {
    (-2..9i64, -2..9i64).prop_map(|(x, y)| botzone::Place { x, y })
}

fn numbers(text: &[u8]) -> saiblo::Numbers<&[u8]> {
    saiblo::Numbers::new(text)
}

fn read_start(text: &str) -> Option<saiblo::Start> {
    saiblo::Start::read(&mut numbers(text.as_bytes())).expect("it was printed")
}

fn read_turn(text: &str, start: &saiblo::Start) -> Option<saiblo::Turn> {
    saiblo::Turn::read(&mut numbers(text.as_bytes()), start).expect("it was printed")
}

/// A piece of a file or message, or arbitrary text.
fn piece(known: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop_oneof![8 => prop::sample::select(known).prop_map(str::to_owned), 1 => "\\PC{0,5}"]
}

const NBOARD: &[&str] = &[
    "nboard",
    "set",
    "depth",
    "game",
    "contempt",
    "move",
    "hint",
    "go",
    "ping",
    "learn",
    "analyze",
    "quit",
    "F5",
    "PA",
    "f5/1.25/0.5",
    "myname",
    "status",
    "nodestats",
    "search",
    "F5d6PA",
    "100%W",
    "===",
    "pong",
    "learned",
    "analysis",
    "book",
];
const SAU: &[&str] =
    &["name?", "new", "black", "white", "move", "1", "2", "AED", "AEDBBC", "error", "end", "quit", "name"];
const GTP: &[&str] =
    &["1", "play", "b", "white", "f5", "pass", "#", "genmove", "=", "?", "=3", "=3 ", "\t", "boardsize"];
const CCGC: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"R\":\"x\",",
    "\"B\":\"y\",",
    "\"winner\":\"U\",",
    "\"winner\":\"R\",",
    "\"RScore\":0,",
    "\"BScore\":0,",
    "\"BScore\":1,",
    "\"Date\":null,",
    "\"game\":[",
    "{\"piece\":\"r(a1,h)\"}",
    "{\"piece\":\"b(e2,v)\"}",
    "{\"piece\":\"r(f9,h)\"}",
    "{\"piece\":7}",
    "]}",
    "\"piece\"",
];
const LINES_OF_SAU: &[&str] = &[
    "> new black\n",
    "> new white\n",
    "> move ",
    "< move ",
    "1 ",
    "2 ",
    "AAA",
    "BAA",
    "AED",
    "AFF",
    "é",
    "\n",
    "> error\n",
    "> end\n",
    "> end white\n",
    "> foo\n",
    "<",
    ">",
    " ",
];
const OPENSPIEL: &[&str] = &[
    "[Game]\n",
    "dots_and_boxes(",
    "num_rows=2",
    ",",
    "num_cols=3",
    ")\n",
    "[State]\n",
    "3\n",
    "P1(h,0,0)\n",
    "P2(v,0,0)\n",
    "# x\n",
    "é",
    "99\n",
];
proptest! {
    #![proptest_config(ProptestConfig::with_cases(rounds(500, 2000)))]

    #[test]
    fn any_line_of_gtp(line in words(GTP)) {
        settles(&line, gtp::Command::parse);
        settles(&line, gtp::Vertex::parse);
        settles(&line, gtp::Color::parse);
        if let Some(vertex) = gtp::Vertex::of_move(&line) {
            let mv = vertex.as_move().expect("a square or a pass");
            prop_assert_eq!(gtp::Vertex::of_move(&mv), Some(vertex));
        }
        let mut reader = gtp::ReplyReader::default();
        for reply in line.split(' ').chain(["", ""]).filter_map(|line| reader.take(line)) {
            prop_assert!(reply.to_string().ends_with("\n\n"));
        }
    }

    #[test]
    fn messages_of_gtp(
        id in option::of(0..=i32::MAX as u32),
        words in vec("[a-z_][!-\"$-~é]{0,8}", 1..5),
        lines in vec(line(), 0..4),
        is_error in any::<bool>(),
        column in 0..25u8,
        row in 0..25u8,
    ) {
        let command = gtp::Command { id, name: words[0].clone(), arguments: words[1..].to_vec() };
        prop_assert_eq!(gtp::Command::parse(&command.to_string()), Some(command));
        let reply = gtp::Reply { id, result: if is_error { Err(lines.join("\n")) } else { Ok(lines.join("\n")) } };
        let mut reader = gtp::ReplyReader::default();
        let read: Vec<gtp::Reply> = reply.to_string().split('\n').filter_map(|line| reader.take(line)).collect();
        prop_assert_eq!(read, [reply]);
        let vertex = gtp::Vertex::Square { column, row };
        prop_assert_eq!(gtp::Vertex::parse(&vertex.to_string()), Some(vertex));
        prop_assert_eq!(vertex.as_move().and_then(|mv| gtp::Vertex::of_move(&mv)), Some(vertex));
    }

    #[test]
    fn any_line_of_nboard(line in words(NBOARD)) {
        settles(&line, |line| nboard::ToEngine::parse(line).ok().flatten());
        settles(&line, nboard::FromEngine::parse);
        settles(&line, nboard::Played::parse);
    }

    #[test]
    fn messages_of_nboard(
        text in line(),
        played in played(),
        n in any::<u32>(),
        long in any::<i64>(),
        pv in vec(played(), 1..6),
    ) {
        use nboard::{FromEngine, ToEngine};
        for command in [
            ToEngine::NBoard(n.max(1)),
            ToEngine::Depth(n.max(1)),
            ToEngine::Game(text.clone()),
            ToEngine::Contempt(long as i32),
            ToEngine::Move(played.clone()),
            ToEngine::Hint(n.max(1)),
            ToEngine::Go,
            ToEngine::Ping(long),
            ToEngine::Learn,
            ToEngine::Analyze,
            ToEngine::Quit,
        ] {
            prop_assert_eq!(ToEngine::parse(&command.to_string()), Ok(Some(command)));
        }
        let pv = pv.into_iter().map(|played| played.mv).collect();
        let eval = played.eval.unwrap_or(0.25);
        for answer in [
            FromEngine::Name(text.clone()),
            FromEngine::Status(text.clone()),
            FromEngine::NodeStats { nodes: long.unsigned_abs(), seconds: eval.abs() },
            FromEngine::Search { pv, eval, depth: "12".into(), text },
            FromEngine::Choice(played),
            FromEngine::Pong(long),
            FromEngine::Learned,
            FromEngine::Analysis { moves: n, eval },
        ] {
            prop_assert_eq!(FromEngine::parse(&answer.to_string()), Some(answer));
        }
    }

    #[test]
    fn any_game_in_ggf(text in "(\\(;)?((GM\\[(Othello|x)|BO\\[(4|8|9|é) [-*Ox.é]{10,20}|[BW]\\[([A-H][1-9]|pa)\
        (/[0-9.-]{0,5}){0,2}|TI\\[[0-9:./e]{0,8}|[A-Z]{0,3}\\[[ -~]{0,5})\\]?){0,6}(;\\))?") {
        settles(&text, |text| nboard::Ggf::parse(text).ok());
        match nboard::Ggf::parse(&text) {
            Ok(game) => {
                prop_assert!(game.seconds_left(Side::First).is_none_or(|seconds| seconds >= 0.0));
                prop_assert!(game.position().contains(' '));
            }
            Err(err) => prop_assert!(!err.to_string().contains('\n')),
        }
    }

    #[test]
    fn games_in_ggf(
        board in "[-*O]{16}",
        first in any::<bool>(),
        seconds in option::of(0..100_000u32),
        moves in vec((any::<bool>(), played()), 0..5),
        players in option::of(("[a-z;)é]{1,8}", "[a-z]{1,3}").prop_map(|(black, white)| [black, white])),
        result in option::of(-64..=64_i16),
    ) {
        let side = |first| if first { Side::First } else { Side::Second };
        let moves = moves.into_iter().map(|(first, played)| (side(first), played)).collect();
        let seconds = seconds.map(f64::from);
        let game = nboard::Ggf { size: 4, board, to_move: side(first), seconds, moves, players, result };
        prop_assert_eq!(nboard::Ggf::parse(&game.to_string()), Ok(game));
    }

    #[test]
    fn any_line_of_sau(line in words(SAU)) {
        settles(&line, |line| sau::ToEngine::parse(line).ok().flatten());
        settles(&line, |line| sau::FromEngine::parse(line).ok().flatten());
        settles(&line, |line| line.parse::<sau::Turn>().ok());
        prop_assert!(sau::Edge::of_move(&line).is_none_or(|edge| sau::Edge::of_move(&edge.as_move()) == Some(edge)));
    }

    #[test]
    fn messages_of_sau(edges in vec(edge(), 1..9), name in line()) {
        prop_assert_eq!(sau::Edge::of_move(&edges[0].as_move()), Some(edges[0]));
        let turn = sau::Turn(edges);
        prop_assert_eq!(turn.to_string().parse(), Ok(turn.clone()));
        for command in [
            sau::ToEngine::Name,
            sau::ToEngine::New(Side::First),
            sau::ToEngine::Move(turn.clone()),
            sau::ToEngine::Error,
            sau::ToEngine::End(None),
            sau::ToEngine::End(Some(Side::Second)),
            sau::ToEngine::Quit,
        ] {
            prop_assert_eq!(sau::ToEngine::parse(&command.to_string()), Ok(Some(command)));
        }
        for answer in [sau::FromEngine::Name(name), sau::FromEngine::Move(turn)] {
            prop_assert_eq!(sau::FromEngine::parse(&answer.to_string()), Ok(Some(answer)));
        }
    }

    #[test]
    fn any_numbers_of_saiblo(
        text in prop_oneof!["(-?[0-9]{1,3}[ \n]){0,20}".prop_map(String::into_bytes), vec(any::<u8>(), 0..40)],
    ) {
        settles(&String::from_utf8_lossy(&text), saiblo::Stone::parse);
        let mut given = numbers(&text);
        if let Ok(Some(start)) = saiblo::Start::read(&mut given) {
            prop_assert_eq!(read_start(&start.to_string()), Some(start));
            if let Ok(Some(turn)) = saiblo::Turn::read(&mut given, &start) {
                prop_assert_eq!(read_turn(&turn.to_string(), &start), Some(turn.clone()));
                prop_assert!(turn.position(&start).ends_with(['x', 'o']));
            }
        }
    }

    #[test]
    fn messages_of_saiblo(
        (rows, columns, hole) in (1..=16usize, 1..=16usize)
            .prop_flat_map(|(rows, columns)| (Just(rows), Just(columns), option::of((0..rows, 0..columns)))),
        cells in vec(0..3u8, 256),
    ) {
        let stone = |(x, y)| saiblo::Stone { x, y };
        let start = saiblo::Start { rows, columns, hole: hole.map(stone) };
        prop_assert_eq!(read_start(&start.to_string()), Some(start));
        let turn = saiblo::Turn {
            last: hole.map(stone),
            top: (0..columns).map(|column| column % (rows + 1)).collect(),
            board: cells[..rows * columns].to_vec(),
        };
        prop_assert_eq!(read_turn(&turn.to_string(), &start), Some(turn.clone()));
        prop_assert!(turn.position(&start).ends_with(['x', 'o']));
        let stone = stone((rows, columns));
        prop_assert_eq!(saiblo::Stone::parse(&stone.to_string()), Some(stone));
    }

    #[test]
    fn any_line_of_botzone(line in "(\\{?(\"(requests|request|responses|response|x|y|data)\":?|[-0-9]{1,3}|[\\[\\]{}\
        ,]){0,16})|\\PC{0,30}") {
        match botzone::Input::parse(&line) {
            Ok(input) => prop_assert_eq!(botzone::Input::parse(&input.to_line()), Ok(input)),
            Err(err) => prop_assert!(!err.to_string().contains('\n')),
        }
        if let Ok(place) = botzone::Response::parse(&line) {
            let _ = place.as_move();
        }
        let _ = botzone::Place::of_move(&line);
    }

    #[test]
    fn messages_of_botzone(requests in vec(place(), 1..5), debug in option::of("\\PC{0,10}")) {
        let responses = requests[1..].to_vec();
        let bare = botzone::Input::Request(requests[0]);
        prop_assert_eq!(botzone::Input::parse(&bare.to_line()), Ok(bare));
        let response = botzone::Response { response: requests[0], debug };
        prop_assert_eq!(botzone::Response::parse(&response.to_line()), Ok(requests[0]));
        if let Ok(mv) = requests[0].as_move() {
            prop_assert_eq!(botzone::Place::of_move(&mv), Some(requests[0]));
        }
        let history = botzone::Input::History { requests, responses };
        prop_assert_eq!(botzone::Input::parse(&history.to_line()), Ok(history));
    }

    #[test]
    fn any_bytes_of_a_ccgc_record(bytes in prop_oneof![
        vec(any::<u8>(), 0..60),
        vec(any::<u8>(), 0..20).prop_map(|bytes| [b"{\"RScore\":0,\"R\":\"", &bytes[..], b"\"}"].concat()),
    ]) {
        match ccgc::decode(&bytes) {
            Ok(text) => drop(ccgc::Record::parse(&text).map_err(|err| assert!(!err.to_string().contains('\n')))),
            Err(err) => prop_assert!(err.found.starts_with("byte ") || err.found.starts_with("line "), "{}", err),
        }
    }

    #[test]
    fn any_text_of_a_ccgc_record(pieces in vec(piece(CCGC), 0..14)) {
        let text = format!("{{{}", pieces.concat());
        match ccgc::Record::parse(&text) {
            Ok(record) => prop_assert_eq!(ccgc::Record::parse(&record.write()), Ok(record)),
            Err(err) => prop_assert!(!err.to_string().contains('\n'), "{}", err),
        }
    }

    #[test]
    fn any_file_of_scored_positions(text in prop_oneof![
        "([-XO]{63,65}|--OX--|é| [XOZ]|; ?[A-H][1-9]:[+-]?[0-9]{1,3}|; PS:-4|; --:-127|;|#|%|\n){0,12}",
        any::<String>(),
    ]) {
        let game = catalog().game("reversi").expect("a game");
        let form = ScoredFile::of(&game).expect("it has one");
        let read = form.read(&text);
        for position in read.iter().flatten() {
            let written = form.line(position);
            prop_assert!(!written.contains('\n'));
            if position.open(&game).is_ok() {
                let again = form.read(&written).expect("it was written").remove(0);
                prop_assert_eq!(form.line(&again), written);
                prop_assert_eq!(again.best(), position.best());
            }
        }
        prop_assert!(!read.err().is_some_and(|err| err.to_string().contains('\n')));
    }

    #[test]
    fn any_bytes_of_wthor(
        head in vec(prop_oneof![Just(0u8), Just(1), Just(8), any::<u8>()], 0..20),
        games in vec(prop_oneof![4 => 11..89u8, 1 => Just(0u8), 1 => any::<u8>()], 0..150),
    ) {
        let bytes = [head, games].concat();
        let is_whole = wthor::is_in(&bytes);
        match wthor::read(&bytes) {
            Ok(games) => {
                let opened = games.iter().try_for_each(|game| game.open(catalog(), None).map(drop));
                prop_assert!(is_whole || games.is_empty());
                prop_assert!(!opened.is_err_and(|err| err.to_string().contains('\n')));
            }
            Err(err) => prop_assert!(!err.to_string().contains('\n'), "{}", err),
        }
    }

    #[test]
    fn any_transcript(text in prop_oneof![
        vec(piece(LINES_OF_SAU), 0..16).prop_map(|pieces| format!("> new black\n{}", pieces.concat())),
        vec(piece(OPENSPIEL), 0..10).prop_map(|pieces| format!("[Game]\n{}", pieces.concat())),
    ]) {
        let catalog = catalog();
        let opened = Reading::new(catalog, None).file(text.into_bytes(), "").and_then(|(file, _)| file.check(catalog, None));
        if let Err(err) = opened {
            prop_assert!(!err.to_string().contains('\n'), "{}", err);
        }
    }
}

/// A game of random moves on the board of the championship.
fn random_dots(n_moves: usize, seed: u64) -> Session {
    let mut game = catalog().game("dots-and-boxes:5x5").expect("a game").open(Opening::Start).expect("the start");
    let mut rng = Rng::new(seed);
    for _ in 0..n_moves {
        let moves = game.legal_moves();
        game.play(&moves[rng.below(moves.len() as u32) as usize]).expect("a legal move");
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn games_in_ccgc_records(
        n_moves in 0..=60usize,
        seed in any::<u64>(),
        names in ("\\PC{0,8}", "[甲乙a-z]{0,4}"),
        is_blue_first in any::<bool>(),
        texts in ("\\PC{0,8}", "2022-08-06|"),
        wrong in (0..60usize, 0..60usize),
    ) {
        let game = random_dots(n_moves, seed);
        // No side began a game without moves.
        let began = if is_blue_first && n_moves > 0 { ccgc::Color::Blue } else { ccgc::Color::Red };
        let heading = ccgc::Heading { players: [names.0, names.1], began, event: texts.0, date: texts.1 };
        let record = ccgc::Record::of(&game, &heading).expect("the board of the championship");
        let text = record.write();
        for encoding in [ccgc::Encoding::Utf8, ccgc::Encoding::Gbk] {
            // Some names cannot be encoded in GBK.
            let Ok(bytes) = ccgc::encode(&text, encoding) else { continue };
            // A text in GBK may also be valid UTF-8.
            if encoding == ccgc::Encoding::Gbk && std::str::from_utf8(&bytes).is_ok_and(|other| other != text) {
                continue;
            }
            let read = ccgc::decode(&bytes).expect("it was encoded");
            prop_assert_eq!(&read, &text);
            let read = ccgc::Record::parse(&read).expect("it was written");
            prop_assert_eq!(&read, &record);
            prop_assert_eq!(read.heading(), heading.clone());
            let opened = read.open(catalog()).expect("legal moves");
            prop_assert_eq!((opened.history(), opened.position()), (game.history(), game.position()));
        }
        // An edge that is drawn twice is reported.
        let (first, second) = (wrong.0.min(wrong.1), wrong.0.max(wrong.1));
        if first < second && second < n_moves {
            let mut doubled = record;
            doubled.entries[second].edge = doubled.entries[first].edge;
            let err = doubled.open(catalog()).err().expect("drawn twice");
            prop_assert!(err.to_string().starts_with(&format!("game[{second}].piece: ")), "{}", err);
            prop_assert!(err.to_string().contains(&format!("game[{first}] drew it")), "{}", err);
        }
    }
}

/// A CCGC record has an entry for each edge, not for each turn.
#[test]
fn an_unfinished_ccgc_record_may_end_within_a_turn() {
    let mut game = catalog().game("dots-and-boxes:5x5").expect("a game").open(Opening::Start).expect("the start");
    game.play_all("h5,0 v4,0 h4,0 v4,1").expect("legal moves");
    let written = ccgc::Record::of(&game, &ccgc::Heading::default()).expect("the board of the championship").write();
    for part in [r#""winner":"U","RScore":0,"BScore":1,"#, r#"{"piece":"b(b1,v)"}]"#] {
        assert!(written.contains(part), "{part} in {written}");
    }
    let read = ccgc::Record::parse(&written).and_then(|record| record.open(catalog())).expect("it was written");
    assert_eq!((read.history(), read.to_move()), (game.history(), Side::Second));
}
