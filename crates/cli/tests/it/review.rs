//! `banyan review`: losses compared with the proofs of `solve`, every format of records, the page, and wrong use.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{folder, output_in, refusal, text};

/// The review printed by a command line as JSON.
fn review(folder: &Path, line: &str) -> Value {
    let output = output_in(folder, &format!("review {line} --json"));
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|err| panic!("{line}: {err}"))
}

fn moves(review: &Value) -> &Vec<Value> {
    review["moves"].as_array().expect("moves")
}

/// Writes a saved game.
fn save(folder: &Path, name: &str, game: &str, moves: &str) {
    let moves: Vec<&str> = moves.split(' ').collect();
    let saved = serde_json::json!({"v": 1, "game": game, "players": ["a", "b"], "moves": moves});
    fs::write(folder.join(name), saved.to_string()).expect("a saved game");
}

/// Whether a text has two English words one after another: notation, names of players and settings have one.
fn has_english(text: &str) -> bool {
    let is_word = |word: &str| word.len() > 2 && word.chars().all(|c| c.is_ascii_lowercase());
    let parts = text.split(['\n', '<', '>', '"', '，', '。', '；', '：', '（', '）', '|']);
    parts.map(|part| part.split(' ').collect::<Vec<_>>()).any(|words| {
        let mut pairs = words.windows(2);
        pairs.any(|pair| is_word(pair[0]) && is_word(pair[1]))
    })
}

#[test]
fn a_page_and_a_picture_in_chinese_have_no_english_sentence() {
    let folder = folder("review-chinese");
    save(&folder, "game.json", "dots-and-boxes:2x2", "h0,0 h0,1 h1,0 h1,1 h2,0 h2,1 v0,0 v0,1 v0,2 v1,0 v1,1 v1,2");
    let output = output_in(&folder, "review game.json --lang zh --budget nodes=1e6 --html page.html --svg curve.svg");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!has_english(&text(&output.stdout)), "{}", text(&output.stdout));
    let page = fs::read_to_string(folder.join("page.html")).expect("a page");
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"zh\">"), "{page}");
    let main = page.split("<main>").nth(1).and_then(|rest| rest.split("</main>").next()).expect("a body");
    let data = page.split("id=\"review\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("data");
    let data: Value = serde_json::from_str(data).expect("JSON");
    let written = [&data["notes"], &data["texts"]].map(ToString::to_string).concat();
    // Elements of drawings have attributes of two words.
    let read =
        main.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect::<Vec<_>>().join("\n");
    for text in [&read, &written] {
        assert!(!has_english(text) && text.contains('着'), "{text}");
    }
    let picture = fs::read_to_string(folder.join("curve.svg")).expect("a picture");
    assert!(picture.contains("评估，每个局面"), "{picture}");
}

#[test]
fn reports_in_chinese_have_no_english_sentence() {
    let folder = folder("match-chinese");
    for (line, word) in [
        (
            "match connect-four:4x4 uct greedy random --pairs 2 --budget playouts=20 --review nodes=1e4 --out match",
            "等级分",
        ),
        ("match connect-four:4x4 uct greedy --sprt 0,100 --max-pairs 4 --budget playouts=20 --out test", "序贯检验"),
        ("ladder random --pairs 1 --review nodes=1e3 --out ladder", "天梯"),
        ("rate connect-four:4x4 uct greedy random --pairs 6 --budget playouts=20 --out rate", "先手优势"),
        ("sweep connect-four:4x4 uct --vary c=0.2..1/3 --pairs 4 --budget playouts=20 --out sweep", "拟合"),
        ("tune connect-four:4x4 uct --vary c=0.2..1 --pairs 30 --confirm 4 --budget playouts=20 --out tune", "默认值"),
    ] {
        let exports = "--export report.html --export report.md --export report.course.md --export report.course.csv \
                       --export report.table.csv";
        let output = output_in(&folder, &format!("{line} --lang zh {exports}"));
        let printed = text(&output.stdout);
        assert!(printed.contains(word), "{line}: {printed}");
        let written = |name: &str| fs::read_to_string(folder.join(name)).expect("a report");
        let page = written("report.html");
        assert!(page.contains("<html lang=\"zh\">"), "{line}");
        let main = page.split("<main>").nth(1).and_then(|rest| rest.split("</main>").next()).expect("a body");
        let read = main.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect::<Vec<_>>();
        // Warnings are messages, in English.
        let is_result = |line: &&str| !line.starts_with("> **Warning");
        let markdown: Vec<String> = written("report.md").lines().filter(is_result).map(str::to_owned).collect();
        let commands = printed.lines().filter(|line| !line.contains("banyan ")).collect::<Vec<_>>().join("\n");
        for text in [&commands, &markdown.join("\n"), &written("report.course.md")] {
            assert!(!has_english(text), "{line}: {text}");
        }
        let sentences: Vec<&&str> =
            read.iter().filter(|text| has_english(text) && !text.contains("openings decide")).collect();
        assert!(sentences.is_empty(), "{line}: {sentences:?}");
        assert!(written("report.course.csv").starts_with("number,opponent,games,won"), "{line}");
        assert!(written("report.table.csv").is_ascii() || line.starts_with("ladder"), "{line}");
        let heading = if line.starts_with("ladder") { "opponent,Elo,won-drawn-lost" } else { "," };
        assert!(written("report.table.csv").contains(heading), "{line}");
    }
}

/// The proof of a position by `solve`: its margin, and the margin of every move.
fn solved(folder: &Path, game: &str, position: &str) -> Value {
    let args = ["solve", game, "--position", position, "--prove", "all", "--json"];
    let output = crate::banyan(&args).current_dir(folder).output().expect("the command runs");
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("a solution")
}

/// A small game of each kind that the solver proves from the first move: every value and loss equals that of `solve`,
/// and the known blunder is marked and has its reason.
#[test]
fn every_loss_is_what_the_solver_proves() {
    let folder = folder("review-losses");
    for (game, line, blunder, expected_loss, reason) in BLUNDERS {
        save(&folder, "game.json", game, line);
        let review = review(&folder, "game.json --budget nodes=1e8 --svg curve.svg");
        let picture = fs::read_to_string(folder.join("curve.svg")).expect("a picture");
        let n_marked = moves(&review).iter().filter(|mv| !mv["mark"].is_null()).count();
        assert_eq!(picture.matches("<circle ").count(), n_marked, "{game}: {picture}");
        assert!(picture.contains(&format!("<title>{game}: a - b</title>")), "{game}: {picture}");
        let is_percent = review["unit"] == "percent";
        assert_eq!(is_percent, game.starts_with("connect-four"), "{game}");
        assert_eq!(moves(&review).len(), line.split(' ').count(), "{game}");
        for mv in moves(&review) {
            let solved = solved(&folder, game, mv["position"].as_str().expect("text"));
            let of_move = |name: &Value| {
                let found = solved["moves"].as_array().expect("moves").iter().find(|solved| solved["move"] == *name);
                found.expect("a legal move")["margin"].as_i64().expect("a margin")
            };
            let (best, made) = (solved["margin"].as_i64().expect("a margin"), of_move(&mv["move"]));
            let loss = if is_percent { 50 * (best.signum() - made.signum()) } else { best - made };
            assert_eq!((mv["loss"].as_f64(), &mv["exact"]), (Some(loss as f64), &Value::Bool(true)), "{game}: {mv}");
            assert_eq!(mv["before"]["margin"].as_f64(), Some(best as f64), "{game}: {mv}");
            assert_eq!(mv["after"]["margin"].as_f64(), Some(made as f64), "{game}: {mv}");
            assert_eq!(of_move(&mv["best"]), best, "{game}: {mv}");
            let loss_percent = 50 * (best.signum() - made.signum());
            assert_eq!(mv["loss_percent"].as_f64(), Some(loss_percent as f64), "{game}: {mv}");
            assert_eq!(mv["mark"] == "??", loss_percent > 0, "{game}: {mv}");
            let has_reasons = mv["reasons"].as_array().is_some_and(|reasons| !reasons.is_empty());
            assert_eq!(has_reasons, made < best, "{game}: {mv}");
        }
        let mv = &moves(&review)[blunder - 1];
        assert_eq!((mv["mark"].as_str(), mv["loss"].as_f64()), (Some("??"), Some(*expected_loss)), "{game}: {mv}");
        assert_eq!(mv["reasons"][0]["kind"], *reason, "{game}: {mv}");
        let side = usize::from(mv["to_move"] == "second");
        assert!(review["summary"][side]["blunders"].as_u64() >= Some(1), "{game}: {}", review["summary"]);
    }
}

/// Game, moves, the ply of a blunder, its loss and its first reason.
const BLUNDERS: &[(&str, &str, usize, f64, &str)] = &[
    // The second side allows the first one to have three in a row that are open at both ends.
    ("connect-four:4x5", "3 3 2 3 4 1 5", 4, 100.0, "allows-double-threat"),
    ("reversi:4x4", "c4 b4 a1 d2 d4 d3 a2 c1 a4 a3 b1 pass d1", 2, 24.0, "corner-left"),
    ("dots-and-boxes:2x2", "v0,0 v0,1 h0,0 h2,1 v1,2 h2,0 h1,1 v1,0 v0,2 v1,1 h0,1 h1,0", 7, 6.0, "boxes-left"),
];

#[test]
fn every_form_of_record_is_read() {
    let folder = folder("review-records");
    let ggf = "(;GM[Othello]PC[x]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
               B[F5]W[F6];)";
    let mut wthor = vec![20, 26, 1, 2, 1, 0, 0, 0, 0, 0, 0xD0, 0x07, 8, 0, 22, 0, 3, 0, 1, 0, 2, 0, 40, 38, 56, 66];
    wthor.resize(16 + 68, 0);
    let ccgc = r#"{"R":"a","B":"b","winner":"U","RScore":0,"BScore":0,"Date":"2022-08-06","Event":"CCGC","game":[{"piece":"r(a1,h)"},{"piece":"b(e2,v)"}]}"#;
    let openspiel = "[Meta]\nVersion: 1\n\n[Game]\ndots_and_boxes()\n[State]\n0\n1\n";
    let one_shot = r#"{"requests":[{"x":-1,"y":-1},{"x":2,"y":2}],"responses":[{"x":2,"y":3}]}"#;
    save(&folder, "saved.json", "connect-four:4x4", "1 2 3");
    let played = "match connect-four:4x4 greedy random --pairs 1 --openings none --budget playouts=1 --seed 1 --quiet --out played";
    assert!(output_in(&folder, played).status.success());
    for (name, contents) in [
        ("ugi.txt", b"> position startpos moves 1 2 3\n> uginewgame\n> position startpos moves 6 6\n".to_vec()),
        ("gtp.txt", b"play b f5\n=\n\ngenmove w\n= f6\n\n".to_vec()),
        ("nboard.txt", format!("nboard 2\nset game {ggf}\nping 1\npong 1\nmove D3/1.5\n=== C3").into_bytes()),
        ("sau.txt", b"> new black\n< move 1 AAA\n> move 1 BAA".to_vec()),
        ("botzone.txt", one_shot.as_bytes().to_vec()),
        ("games.ggf", ggf.as_bytes().to_vec()),
        ("games.wtb", wthor),
        ("ccgc.json", ccgc.as_bytes().to_vec()),
        ("openspiel.txt", openspiel.as_bytes().to_vec()),
        ("digits.txt", b"4453\n44\n".to_vec()),
        ("squares.txt", b"f5d6c3\n".to_vec()),
        ("odd:2", b"12\n".to_vec()),
    ] {
        fs::write(folder.join(name), contents).expect("a record");
    }
    for (line, game, expected) in [
        ("saved.json", "connect-four:4x4", "1 2 3"),
        ("ugi.txt", "connect-four", "1 2 3"),
        ("ugi.txt:2", "connect-four", "6 6"),
        ("gtp.txt", "reversi", "f5 f6"),
        ("nboard.txt", "reversi", "f5 f6 d3"),
        ("sau.txt", "dots-and-boxes", "h0,0 v0,0"),
        ("sau.txt --board dots-and-boxes:2x2", "dots-and-boxes:2x2", "h0,0 v0,0"),
        ("botzone.txt", "reversi", "c4 c3"),
        ("games.ggf", "reversi", "f5 f6"),
        ("games.wtb:1", "reversi", "f5 f6"),
        ("ccgc.json", "dots-and-boxes", "h5,0 v3,4"),
        ("openspiel.txt", "dots-and-boxes:2x2", "h0,0 h0,1"),
        ("digits.txt", "connect-four", "4 4 5 3"),
        ("digits.txt:2", "connect-four", "4 4"),
        ("squares.txt", "reversi", "f5 d6 c3"),
        // A file whose name looks like a file with the number of a game.
        ("odd:2", "connect-four", "1 2"),
        ("saved.json --plies 2..", "connect-four:4x4", "2 3"),
    ] {
        let review = review(&folder, &format!("{line} --player greedy --budget nodes=100"));
        let made: Vec<&str> = moves(&review).iter().map(|mv| mv["move"].as_str().expect("text")).collect();
        assert_eq!((review["game"].as_str(), made.join(" ")), (Some(game), expected.to_owned()), "{line}");
    }
    for line in ["played", "played:0.1", "played/games.jsonl:0.0"] {
        let review = review(&folder, &format!("{line} --player greedy --budget nodes=100"));
        assert_eq!(review["plies"], moves(&review).len(), "{line}");
        assert!(review["players"][0].is_string(), "{line}");
    }
}

#[test]
fn the_opening_of_a_match_is_left_out() {
    let folder = folder("review-opening");
    let played = "match connect-four:4x4 greedy random --pairs 1 --openings random:plies=4 --budget playouts=1 --seed 1 --quiet --out played";
    assert!(output_in(&folder, played).status.success());
    let plies = |review: &Value| moves(review).iter().filter_map(|mv| mv["ply"].as_u64()).collect::<Vec<_>>();
    let whole = review(&folder, "played --player greedy --budget nodes=100");
    let n_moves = whole["plies"].as_u64().expect("a number");
    assert_eq!((&whole["opening_plies"], plies(&whole)), (&Value::from(4), (5..=n_moves).collect::<Vec<_>>()));
    let first = review(&folder, "played --player greedy --budget nodes=100 --plies 1..5");
    assert_eq!(plies(&first), [5]);
    let error = refusal(&output_in(&folder, "review played --plies 1..4"));
    let expected = format!(
        "moves 1..4: expected moves from 5 to {n_moves}, since no player chose those of the opening; try 5..{n_moves}"
    );
    assert!(error.contains(&expected), "{error}");
}

#[test]
fn the_page_has_every_board_and_loads_nothing() {
    let folder = folder("review-page");
    let ggf = "(;GM[Othello]PC[x]PB[</script><b>&]PW[\"b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]\
               B[F5]W[F6]B[E6];)";
    fs::write(folder.join("game.ggf"), ggf).expect("a record");
    save(&folder, "dots.json", "dots-and-boxes:2x2", "h0,0 v0,0 h1,0 h2,1 v0,1");
    for (file, n_moves) in [("game.ggf", 3), ("dots.json", 5)] {
        review(&folder, &format!("{file} --player pvs --budget nodes=2000 --html page.html"));
        let page = fs::read_to_string(folder.join("page.html")).expect("a page");
        for outside in ["http:", "https:", "src=", "href=", "url(/", "@import", "<b>&", "fetch("] {
            assert!(!page.contains(outside), "{outside} in {file}");
        }
        assert_eq!(page.matches("</script>").count(), 2, "{file}");
        assert!(page.contains("default-src 'none'"), "{file}");
        let (_, data) = page.split_once("id=\"review\">").expect("data");
        let data: Value = serde_json::from_str(data.split("</script>").next().expect("its end")).expect("JSON");
        let boards = data["boards"].as_array().expect("boards");
        assert_eq!((boards.len(), data["notes"].as_array().map(Vec::len)), (n_moves + 1, Some(n_moves + 1)), "{file}");
        for (ply, board) in boards.iter().enumerate() {
            let pieces = board.as_array().expect("indices").iter().map(|idx| {
                data["pieces"][idx.as_u64().expect("an index") as usize].as_str().expect("an element").to_owned() + "\n"
            });
            let drawn = text(&output_in(&folder, &format!("show --record {file} --ply {ply} --svg -")).stdout);
            assert!(drawn.contains(&pieces.collect::<String>()), "{file}, ply {ply}: {drawn}");
        }
        for ply in 1..=n_moves {
            assert!(page.contains(&format!("<tr data-ply=\"{ply}\">")), "{file}, ply {ply}");
        }
    }
}

#[test]
fn the_largest_boards_make_a_page_below_two_megabytes() {
    let folder = folder("review-size");
    for (game, moves) in [
        ("connect-four:15x16", long_game("connect-four:15x16")),
        ("dots-and-boxes:9x9", long_game("dots-and-boxes:9x9")),
    ] {
        save(&folder, "game.json", game, &moves);
        // Only one move is reviewed, but the page has the boards of the whole game.
        review(&folder, "game.json --player greedy --budget nodes=1 --plies 1..1 --html page.html");
        let size = fs::metadata(folder.join("page.html")).expect("a page").len();
        assert!(size < 2_000_000, "{game}: {size} bytes");
    }
}

/// A game of the first legal moves, which is long.
fn long_game(game: &str) -> String {
    let catalog = banyan_cli::builtin();
    let mut session = catalog.game(game).expect("a game").open(banyan_catalog::Opening::Start).expect("it begins");
    while session.result().is_none() {
        let legal = session.legal_moves();
        let mv = legal[(session.history().len() / 2 * 5) % legal.len()].clone();
        session.play(&mv).expect("a legal move");
    }
    session.history().join(" ")
}

#[test]
fn wrong_use_is_refused_in_one_line_with_the_remedy() {
    let folder = folder("review-refused");
    save(&folder, "saved.json", "connect-four:4x4", "1 2 3");
    fs::write(folder.join("ugi.txt"), "> position startpos moves 1 2 3\n").expect("a record");
    fs::write(folder.join("other.txt"), "no game at all\n").expect("a file");
    fs::write(folder.join("illegal.txt"), "> setoption name Game value connect-four\n> position startpos moves 1 9\n")
        .expect("a file");
    let empty = r#"{"v":1,"game":"reversi","players":["a","b"],"moves":[]}"#;
    fs::write(folder.join("empty.json"), empty).expect("a saved game");
    for (arguments, part) in [
        ("none.json", "cannot read none.json: "),
        ("none.json:2", "cannot read none.json: "),
        ("other.txt", "other.txt: line 1, column 1: \"no\": expected a move with which a game begins"),
        ("illegal.txt", "illegal.txt: line 2: move 2: "),
        ("empty.json", "record: expected a game with moves; use another game"),
        ("saved.json:2", "--game: expected no number for a saved file, which holds one game; remove it"),
        ("saved.json:x", "x: expected PAIR.GAME, where GAME is 0 or 1, or the number of a game"),
        ("ugi.txt:3", "ugi.txt: --game 3: expected one of the games of the transcript, which has 1 game; use 1"),
        ("saved.json --plies 4..9", "moves 4..9: expected moves from 1 to 3, which the game has; try 1..3"),
        ("saved.json --budget 15m/game", "--budget 15m/game: expected a limit for each position"),
        ("saved.json --table 0", "--table 0: expected 1 .. 65536 MiB; try --table 256"),
        ("saved.json --threads 0", "--threads 0: expected 1 .. 256 threads"),
        ("saved.json --player random", "player random: expected a player that values positions"),
        ("saved.json --player vote:random+random", "expected a player that values positions"),
        ("saved.json --player best --budget depth=3", "does not support a depth limit"),
        ("saved.json --board reversi", "reversi: expected connect-four:4x4, as in the record; leave the game out"),
    ] {
        let error = refusal(&output_in(&folder, &format!("review {arguments}")));
        assert!(error.contains(part), "{arguments}: {error}");
    }
    let output = output_in(&folder, "review saved.json --plies 3..1");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("3..1: expected two move numbers from 1, FROM..TO; try 1..20"));
}
