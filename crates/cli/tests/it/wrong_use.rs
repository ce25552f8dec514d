//! Invalid players and settings: each is refused before anything is written, by one line with the text found, the text
//! expected and the fix.

use crate::{output, refusal, text, unused};

#[test]
fn what_a_player_cannot_be_is_refused_in_one_line_with_the_remedy() {
    let out = unused("wrong-use");
    for (game, player, parts) in [
        // Evaluators that the game does not have, or that do not exist.
        ("reversi", "uct:eval=threat", ["eval=threat: ", "an evaluator of this game", "try one of uniform, tactical"]),
        ("dots-and-boxes", "mcgs:eval=threat", ["eval=threat: ", "an evaluator of this game", "margin, static"]),
        ("reversi", "vote:greedy+uct:eval=threat", ["uct:eval=threat: ", "an evaluator of this game", "try one of"]),
        ("connect-four", "uct:eval=thread", ["eval=thread: ", "an evaluator of this game", "static, threat"]),
        (
            "connect-four",
            "uct:eval=Threat!",
            ["eval=Threat!: ", "expected uniform, tactical, threat", "try eval=uniform"],
        ),
        ("connect-four", "pvs:eval=threat", ["eval=threat: ", "expected static, margin, hash", "try eval=static"]),
        ("dots-and-boxes", "uct:priors=game,select=puct", ["priors=game: ", "a game with priors", "leave priors out"]),
        // Published systems in other games, and settings that they do not support.
        (
            "reversi",
            "uct-2019",
            ["player uct-2019: ", "the game of this player, UCT for Connect Four", "choose another player"],
        ),
        ("connect-four", "alpha-beta-dots-study", ["the game of this player", "Dots and Boxes", "or its game"]),
        (
            "connect-four",
            "uct-2019:reuse=none,opponent-model=uct-2018",
            ["opponent-model=uct-2018: unknown player", "did you mean uct-2019?", "`banyan players` lists them"],
        ),
        (
            "reversi",
            "uct-reversi-report:square-weights=1/2/3",
            ["square-weights of 3 numbers: ", "64 whole numbers", "write one for each square"],
        ),
        ("reversi:6x6", "uct-reversi-report", ["square-weights in reversi:6x6", "64 squares", "play on such a board"]),
        // Settings that contradict each other.
        ("connect-four", "uct:priors=game", ["priors=game: ", "select=puct with it", "add select=puct"]),
        (
            "connect-four",
            "uct:expand=eval-children",
            ["expand=eval-children: ", "select=puct with it", "add select=puct"],
        ),
        (
            "connect-four",
            "uct:eval=threat,playout-plies=4",
            ["eval=threat,playout-plies=4: ", "to the end of the game", "leave playout-plies out"],
        ),
        (
            "connect-four",
            "uct:threat-rules=win",
            ["eval=uniform,threat-rules=win: ", "expected eval=threat with it", "add eval=threat"],
        ),
        (
            "reversi",
            "mcgs:threat-rules=win",
            ["eval=static,threat-rules=win: ", "expected eval=threat with it", "leave threat-rules out"],
        ),
        // Techniques that exclude each other, or that the leaves of a game cannot serve.
        (
            "reversi",
            "mcgs:amaf=rave",
            ["amaf=rave,eval=static: ", "leaves that report the moves of their playouts", "try eval=uniform"],
        ),
        (
            "dots-and-boxes",
            "mcgs:amaf=grave",
            ["amaf=grave,eval=safe: ", "leaves that report the moves of their playouts", "try eval=uniform"],
        ),
        (
            "connect-four",
            "uct:amaf=rave,amaf-weight=0.1",
            ["amaf-weight=0.1,amaf=rave: ", "amaf=alpha", "leave amaf-weight out"],
        ),
        ("connect-four", "uct:amaf-bias=0.1", ["amaf-bias=0.1,amaf=off: ", "amaf=rave or grave", "add amaf=rave"]),
        ("connect-four", "uct:amaf=rave,amaf-ref=9", ["amaf-ref=9,amaf=rave: ", "amaf=grave", "leave amaf-ref out"]),
        ("reversi", "uct:mast-temperature=1", ["mast-temperature=1,eval=uniform: ", "eval=mast", "add eval=mast"]),
        ("reversi", "uct:root-moves=4", ["root-moves=4,root=tree: ", "root=gumbel", "add root=gumbel"]),
        (
            "reversi",
            "uct:leaf-search-below=3",
            ["leaf-search-below=3: ", "leaf-search-depth with it", "add leaf-search-depth=2"],
        ),
        (
            "connect-four",
            "uct:amaf=grave,final=ucb",
            ["amaf=grave,final=ucb: ", "another final move", "add final=robust"],
        ),
        (
            "connect-four",
            "uct:eval=mast,threads=2",
            ["eval=mast,threads=2: ", "a graph for each thread, which learns alone", "add parallel=root"],
        ),
        (
            "connect-four",
            "uct:root=gumbel,early=always",
            ["root=gumbel,early=always: ", "its whole budget", "leave early out"],
        ),
        ("connect-four", "uct:widening=3,expand=all", ["widening=3: ", "expand=one with it", "add expand=one"]),
        (
            "connect-four",
            "mcgs:threat-rules=wni",
            ["threat-rules=wni: ", "all, none, or some of win", "join names by +"],
        ),
        (
            "connect-four",
            "pvs:threads=2,table-mib=off",
            ["threads=2,table-mib=off: ", "a table with it", "try table-mib=256"],
        ),
    ] {
        for command in [
            &["analyse", game, "--player", player][..],
            &["play", game, "--first", player, "--second", "random"],
            &["match", game, player, "random", "--out", out.to_str().expect("text")],
        ] {
            // If the search came first, the test would take an hour.
            let error = refusal(&output(&[command, &["--budget", "60m"]].concat()));
            for part in parts {
                assert!(error.contains(part), "{command:?}: {part} in {error}");
            }
        }
        assert!(!out.exists(), "{player} has begun a match");
    }
}

#[test]
fn a_judge_and_a_drawn_board_that_lack_an_evaluator_are_refused_too() {
    let out = unused("wrong-use-drawn");
    let path = out.to_str().expect("text");
    for command in [
        &["openings", "make", "reversi", "--count", "1", "--judge", "uct:eval=threat"][..],
        &["match", "dots-and-boxes:2-3x2-3", "uct:eval=threat", "random", "--budget", "playouts=9", "--out", path],
    ] {
        let error = refusal(&output(command));
        assert!(
            error.contains("eval=threat: expected an evaluator of this game; try one of uniform, tactical"),
            "{error}"
        );
    }
    assert!(!out.exists(), "a match has begun");
}

#[test]
fn messages_repeat_little_of_a_long_argument() {
    let (word, words) = ("x".repeat(5000), "12 ".repeat(2000));
    for args in [
        &["analyse", &word][..],
        &["analyse", "connect-four", "--player", &word],
        &["analyse", "connect-four", "--player", &format!("uct:{word}=1")],
        &["analyse", "connect-four", "--moves", &word],
        &["analyse", "connect-four", "--position", &words],
        &["analyse", "connect-four", "--budget", &word],
        &["analyse", "connect-four", "--budget", &words],
        &["match", "connect-four", &word, "uct"],
        &["match", "connect-four", "uct", "random", "--openings", &words],
        &["show", "--record", &word],
        &[&word],
    ] {
        let output = output(args);
        assert_eq!(output.status.code(), Some(2));
        let errors = text(&output.stderr);
        assert!(errors.len() < 800, "{} bytes for {}: {errors}", errors.len(), &args[0][..args[0].len().min(9)]);
    }
}

#[test]
fn a_published_system_that_is_changed_or_elsewhere_is_announced_in_one_line() {
    for (n, (game, player, expected)) in [
        ("connect-four:9x10,hole=d3", "uct-2019", None),
        ("connect-four:9-10x9-12,holes=1", "uct-2019", None),
        ("connect-four", "uct-2019", Some("uct-2019 on connect-four: its document has boards 9-12x9-12,holes=1")),
        ("connect-four:9x10", "mcgs-lionjump", Some("mcgs-lionjump on connect-four:9x10: its document has boards")),
        ("connect-four:8-12x9-12,holes=1", "uct-2023", Some("uct-2023 on connect-four:8-12x9-12,holes=1: its")),
        ("reversi", "uct-reversi-report", None),
        ("connect-four:9x10,hole=d3", "uct-2019:c=0.8", None),
        ("connect-four:9x10,hole=d3", "uct-2019:threads=2", None),
        (
            "reversi",
            "uct-reversi-report:near-tie=0,c=40",
            Some("uct-reversi-report with c=40,near-tie=0 is not the published system"),
        ),
        ("dots-and-boxes", "uct-dots-study", None),
        (
            "dots-and-boxes:3x3",
            "uct-dots-study",
            Some("uct-dots-study on dots-and-boxes:3x3: its document has boards 5x5"),
        ),
        ("reversi", "uct:c=40", None),
    ]
    .into_iter()
    .enumerate()
    {
        let out = unused(&format!("published-{n}"));
        let path = out.to_str().expect("text");
        let budget = ["--pairs", "1", "--budget", "playouts=2", "--openings", "none", "--quiet", "--out", path];
        let output = output(&[&["match", game, player, "random"][..], &budget].concat());
        let errors = text(&output.stderr);
        let notices: Vec<&str> =
            errors.lines().filter(|line| line.contains("document") || line.contains("published")).collect();
        assert_eq!(notices.len(), usize::from(expected.is_some()), "{player} in {game}: {errors}");
        if let Some(expected) = expected {
            assert!(notices[0].starts_with("warning: ") && notices[0].contains(expected), "{errors}");
        }
    }
}
