//! Folders of games as they are shown, listed and exported later: without the players and engines of their games.

use std::fs;
use std::path::Path;

use crate::engines::folder;
use crate::{output_in, refusal, text};

const ENGINES: &str = r#"
    [twin]
    command = ["BANYAN", "ugi"]
    protocol = "ugi"
    options = { Player = "uct" }
"#;

#[track_caller]
fn done(folder: &Path, line: &str) -> String {
    let output = output_in(folder, line);
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

#[track_caller]
fn refused(folder: &Path, line: &str, parts: &[&str]) {
    let error = refusal(&output_in(folder, line));
    assert!(parts.iter().all(|part| error.contains(part)), "{line}: {error}");
}

#[test]
fn a_folder_is_shown_listed_and_exported_without_its_engine_from_anywhere() {
    let home = folder("folders-engine", ENGINES);
    let common = "connect-four:4x4 --budget playouts=20 --openings random:plies=2 --quiet";
    done(&home, &format!("match {common} random twin --pairs 4 --out match"));
    done(&home, &format!("rate {common} twin random greedy --pairs 8 --out rate"));
    done(&home, &format!("sweep {common} uct --vary c=0.2,0.6,1 --against twin --pairs 4 --out sweep"));
    done(&home, &format!("tune {common} uct --vary c=0.1..1 --against twin --pairs 24 --confirm 3 --out tune"));
    done(&home, "ladder twin --pairs 1 --budget playouts=2 --openings random:plies=4 --out ladder --quiet");
    let before = ["summary.json", "rating.json", "sweep.json", "tune.json", "ladder.json"];
    let kinds = ["match", "rate", "sweep", "tune", "ladder"];
    let written = kinds.iter().zip(before).map(|(kind, file)| fs::read_to_string(home.join(kind).join(file)));
    let written: Vec<String> = written.collect::<Result<_, _>>().expect("results");
    fs::remove_file(home.join("engines.toml")).expect("a file");
    let away = crate::folder("folders-away");
    for (kind, written) in kinds.iter().zip(written) {
        let path = home.join(kind).display().to_string();
        let shown = done(&away, &format!("show {path} --export {kind}.html --export {kind}.md --export {kind}.csv"));
        assert!(shown.starts_with(if *kind == "ladder" { "twin on" } else { "connect-four:4x4" }), "{shown}");
        assert_eq!(done(&away, &format!("show {path} --json")), written, "{kind}");
        for form in ["html", "md", "csv"] {
            assert!(
                fs::metadata(away.join(format!("{kind}.{form}"))).is_ok_and(|file| file.len() > 50),
                "{kind}.{form}"
            );
        }
        assert!(done(&away, &format!("show {path} --list")).contains("0.1"), "{kind}");
        assert!(done(&away, &format!("show {path}:0.1")).contains("players   "), "{kind}");
        done(&away, &format!("review {path}:0.0 --budget playouts=5"));
        done(&away, &format!("analyse {path}:0.1 --ply 5 --budget playouts=5"));
        refused(
            &away,
            &format!("{kind} --resume {path}"),
            &["engines.toml", &format!("see what is played with `banyan show {path}`")],
        );
    }
    done(&away, &format!("merge {} --export merged.html", home.join("match").display()));
}

#[test]
fn lost_games_are_listed_with_the_moves_that_decided_them() {
    let home = crate::folder("folders-lost");
    let play = "match connect-four:4x5 random greedy --pairs 6 --budget playouts=1 --openings none --out run";
    let printed = done(&home, &format!("{play} --review nodes=2000"));
    assert!(printed.contains("Games lost by random") && printed.contains("decisive move"), "{printed}");
    assert!(printed.contains("all of them: banyan show run --list --result lost"), "{printed}");
    let listed = done(&home, "show run --list --result lost");
    assert!(listed.contains("??") && listed.contains("better"), "{listed}");
    let games = |line: &str| done(&home, line).lines().count();
    let all = games("show run --list --json");
    let of = |result: &str| match output_in(&home, &format!("review run --list --json --of random --result {result}")) {
        output if output.status.code() == Some(1) => 0,
        output => text(&output.stdout).lines().count(),
    };
    assert_eq!((all, of("won") + of("drawn") + of("lost")), (12, 12));
    assert_eq!(games("show run/games.jsonl --list --json"), 12);
    let page = {
        done(&home, "show run --export page.html --export page.json");
        fs::read_to_string(home.join("page.html")).expect("a page")
    };
    assert!(page.contains("Lost games by cause") && page.contains("blunder (??)"), "the reviews that were kept");
}

#[test]
fn a_ladder_lists_the_lost_games_of_the_player_only() {
    let home = crate::folder("folders-ladder");
    let play = "ladder random --pairs 1 --budget playouts=1 --openings random:plies=4 --out ladder";
    let printed = done(&home, &format!("{play} --review nodes=200"));
    assert!(printed.contains("Games lost by random") && printed.contains("decisive move"), "{printed}");
    let reviews = fs::read_to_string(home.join("ladder/reviews.jsonl")).expect("reviews");
    let lost = done(&home, "show ladder --list --result lost --json");
    assert_eq!(reviews.lines().count(), lost.lines().count());
    let page = fs::read_to_string(home.join("ladder/report.html")).expect("a page");
    assert!(page.contains("Lost games by cause") && page.contains("id=\"board\""), "{page}");
}

#[test]
fn broken_empty_and_unfitting_folders_say_what_is_wrong() {
    let home = crate::folder("folders-wrong");
    done(&home, "match connect-four:4x4 random greedy --pairs 2 --budget playouts=1 --openings none --out run --quiet");
    fs::create_dir(home.join("empty")).expect("a folder");
    let folder = "expected a match folder, containing match.toml";
    for (line, parts) in [
        ("show empty", &["empty: ", folder][..]),
        ("show empty --export x.md", &["empty: ", folder]),
        ("show nowhere --list", &["--list: expected the folder of a match instead of the game"]),
        ("show nowhere", &["nowhere"]),
        ("show nowhere:1.1", &["nowhere: expected a match folder, containing match.toml, or a file", "does not exist"]),
        ("analyse runs/nowhere", &["runs/nowhere: expected a match folder, containing match.toml, or a file"]),
        ("show connect-four --svg x.png", &["--svg x.png: expected the extension .svg; try x.svg"]),
        ("review run:0.0 --html x.pdf", &["--html x.pdf: expected the extension .html; try x.html"]),
        ("show run:0.0 --all --svg x.svg", &["cannot be used with '--svg"]),
        ("show connect-four --as png", &["--as png: expected one of ", "choose svg"]),
        (
            "match mine.so --level 1",
            &[
                "mine.so: expected a game first, and this is a player; name the game, as in banyan match connect-four mine.so",
            ],
        ),
        ("show connect-four --list", &["--list: expected the folder of a match"]),
        ("show run --export x.pdf", &["export file \"x.pdf\": expected one of the extensions"]),
        ("show run:0.0 --export x.md", &["--export of run: expected the whole folder"]),
        ("show run --svg x.svg", &["--svg of run: expected a game of the folder; try run:0.0"]),
        ("show run:9.0", &["game 9.0: expected one of the 4 games"]),
        ("show run:x", &["x: expected PAIR.GAME"]),
        ("show connect-four --ply 3", &["--ply 3: expected a record with it; name one, such as runs/first:12.1"]),
        ("show run:0.0 --ply 99", &["--ply 99: expected at most"]),
        ("show run --ply 2", &["--ply of run: expected a game of the folder"]),
        ("show run --moves 4", &["--moves: expected a game with it, not the record run"]),
        ("show run --list --of nobody", &["run: player \"nobody\": expected one of greedy, random"]),
        ("show run --list --result los", &["expected won, drawn, lost or fault (did you mean lost?)"]),
        ("show run:0.0 --list", &["--list of run: expected the folder of a match"]),
        ("review run:0.0 --list", &["--list of run: expected the folder of a match"]),
    ] {
        refused(&home, line, parts);
        assert!(!home.join("x.md").exists() && !home.join("x.svg").exists(), "{line}");
    }
    let none = output_in(&home, "show run --list --begins-with 9");
    assert_eq!(none.status.code(), Some(1));
    assert_eq!(text(&none.stderr), "none of the 4 games of run fits\n");
    // Before the first game, with a damaged line, and with a configuration that was changed.
    let games = fs::read_to_string(home.join("run/games.jsonl")).expect("games");
    let config = fs::read_to_string(home.join("run/match.toml")).expect("a configuration");
    let write = |name: &str, text: &str| fs::write(home.join("run").join(name), text).expect("a file");
    write("games.jsonl", "");
    assert!(done(&home, "show run").contains("0 games, 0 pairs"));
    let unfinished = output_in(&home, "show run");
    assert!(text(&unfinished.stderr).contains("0 of 2 pairs are played; resume with\n  banyan match --resume run"));
    assert_eq!(output_in(&home, "show run --list").status.code(), Some(1));
    write("games.jsonl", &games.replacen("random", "rendom", 1));
    refused(&home, "show run", &["games.jsonl:1"]);
    refused(&home, "show run --list", &["games.jsonl:1"]);
    write("games.jsonl", &games);
    write("match.toml", &config.replace("seed = 1", "seed = 2"));
    refused(&home, "show run", &["match.toml"]);
}
