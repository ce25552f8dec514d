//! Work shared out by `--shard`: parts come to what one process makes, and what does not belong together is refused.

use std::fs;
use std::path::Path;

use crate::{folder, games, output_in, refusal, text};

fn done(folder: &Path, line: &str) -> String {
    let output = output_in(folder, line);
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|err| panic!("{name}: {err}"))
}

#[test]
fn rounds_of_a_rating_in_parts_are_the_rating_of_one_process() {
    let folder = folder("shards-rating");
    let pool = "rate connect-four:4x5 random greedy uct@playouts=5 uct@playouts=20 --budget playouts=5 --pairs 60 --los 99.99 --quiet";
    done(&folder, &format!("{pool} --out alone"));
    let mut after = String::new();
    let rounds = (1..).find(|round| {
        for part in 1..=3 {
            done(&folder, &format!("{pool} --shard {part}/3{after} --out round-{round}-{part} --jobs 1"));
        }
        // A part that is resumed has nothing left to do; one that is given twice counts once.
        let before = games(&folder.join(format!("round-{round}-2")));
        done(&folder, &format!("rate --resume round-{round}-2 --quiet"));
        assert!(games(&folder.join(format!("round-{round}-2"))) == before, "round {round}");
        let parts = format!("round-{round}-3 round-{round}-1 round-{round}-2 round-{round}-1");
        let merged = done(&folder, &format!("merge {parts} --out whole-{round} --json"));
        after = format!(" --after whole-{round}");
        !merged.contains("the rating is not finished")
    });
    let rounds = rounds.expect("a last round");
    assert!(rounds > 2, "{rounds}");
    let (alone, whole) = (folder.join("alone"), folder.join(format!("whole-{rounds}")));
    assert!(games(&whole) == games(&alone));
    assert_eq!(read(&whole, "rating.json"), read(&alone, "rating.json"));
    // A round that is merged in part is refused and named, and one process can continue it.
    let merged = done(&folder, "merge round-2-1 round-2-3 --out some");
    assert!(merged.contains("pairs of the last round are missing; name every part"), "{merged}");
    let error = refusal(&output_in(&folder, &format!("{pool} --shard 1/3 --after some --out other")));
    assert!(error.contains("some: a round of which "), "{error}");
    done(&folder, "rate --resume some --quiet");
    assert!(games(&folder.join("some")) == games(&alone));
    for (line, expected) in [
        (
            format!("{pool} --seed 2 --shard 1/3 --after whole-1 --out other"),
            "whole-1: a different match: seed 1: expected seed 2",
        ),
        (
            format!("{pool} --shard 1/3 --after round-1-1 --out other"),
            "round-1-1: part 1/3 of a round: expected rounds that are merged",
        ),
        (
            format!("{pool} --shard 1/3 --after alone --out other"),
            "alone: a finished rating: expected rounds that are merged",
        ),
        (format!("{pool} --shard 4/3 --out other"), "shard \"4/3\": expected I/N, counted from 1"),
    ] {
        let error = refusal(&output_in(&folder, &line));
        assert!(error.contains(expected) && !folder.join("other").exists(), "{error}");
    }
}

#[test]
fn a_ladder_in_parts_is_the_ladder_of_one_process() {
    let folder = folder("shards-ladder");
    let ladder = "ladder greedy --game connect-four --pairs 2 --openings random:plies=4 --quiet";
    done(&folder, &format!("{ladder} --out alone"));
    for part in ["1", "2"] {
        done(&folder, &format!("{ladder} --shard {part}/2 --out part-{part}"));
    }
    done(&folder, "merge part-1 part-2 --out whole");
    assert!(games(&folder.join("whole")) == games(&folder.join("alone")));
    assert_eq!(read(&folder, "whole/ladder.json"), read(&folder, "alone/ladder.json"));
}

#[test]
fn a_training_in_parts_has_the_weights_of_one_process() {
    let folder = folder("shards-training");
    let train = "train connect-four:4x4 priors --games 42 --budget playouts=50 --epochs 2";
    done(&folder, &format!("{train} --out alone"));
    for part in ["1/4", "2/4", "3/4", "4/4"] {
        let told = done(&folder, &format!("{train} --shard {part} --out part-{}", &part[..1]));
        assert!(told.contains(&format!("games of part {part} in part-{}", &part[..1])), "{told}");
    }
    done(&folder, "merge part-3 part-1 part-4 part-2 part-1 --out whole");
    done(&folder, &format!("{train} --out whole"));
    for file in ["games.txt", "weights.bin", "curve.csv", "train.toml"] {
        let of = |name: &str| fs::read(folder.join(name).join(file)).expect(file);
        assert!(of("alone") == of("whole"), "{file} differs");
    }
    done(&folder, &format!("{train} --seed 2 --shard 2/4 --out seed"));
    done(&folder, &format!("{train} --shard 2/3 --out thirds"));
    let epochs = train.replace("--epochs 2", "--epochs 3");
    done(&folder, &format!("{epochs} --shard 2/4 --out epochs"));
    done(&folder, &format!("{epochs} --out alone"));
    let plan = read(&folder, "alone/train.toml");
    fs::create_dir(folder.join("torn")).expect("a folder");
    fs::write(folder.join("torn/train.toml"), read(&folder, "part-2/train.toml")).expect("a plan");
    let torn: String = read(&folder, "part-2/games.txt").split_inclusive('\n').take(4).collect();
    fs::write(folder.join("torn/games.txt"), torn).expect("games");
    for (line, expected) in [
        ("merge part-1 part-2 --out new", "2 of 4 parts: expected all of them: 3/4, 4/4 missing; name every part"),
        ("merge part-1 seed --out new", "seed: games of --seed 2: expected those of --seed 1"),
        (
            "merge part-1 thirds --out new",
            "thirds: a part of a training with parts 3: expected 4; merge the parts of one",
        ),
        (
            "merge part-1 epochs --out new",
            "epochs: a part of a training with epochs 3: expected 2; merge the parts of one",
        ),
        (
            "merge part-1 nothing --out new",
            "nothing: expected a part of a training, as part-1 is; merge parts of one kind",
        ),
        ("merge part-1 torn --out new", "torn: 4 of the 11 games of part 2/4: expected all of them; resume it"),
        (
            "merge part-1 part-2 part-3 part-4 --out alone",
            "alone: expected a new or empty folder; choose another --out",
        ),
        ("merge part-1 part-2 part-3 part-4", "no --out: expected the place of the merged parts; give --out"),
        (&format!("{train} --out part-1"), "part-1: games of --shard 1/4: expected those of --shard 1/1"),
    ] {
        let error = refusal(&output_in(&folder, line));
        assert!(error.contains(expected) && !folder.join("new").exists(), "{line}: {error}");
    }
    assert_eq!(read(&folder, "alone/train.toml"), plan, "a refused merge changes nothing");
}

#[test]
fn positions_in_parts_are_scored_as_in_one_process() {
    const POSITIONS: &str = "\
XXXXXX---XXXXXXXXXXXXOXOXXXXOXO-XXOOOOOOXOXOOOXOXXOOOXX-X--O-XXX X;
OOOO-XOOOOOOOOXOOOOXOO-OXXXXXXX-X-XXXXXXXXXXXX--XXXXXX--OOOOOOOO X;
OOO-OOO-OOOOOOO-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO X;
";
    let folder = folder("shards-positions");
    fs::write(folder.join("own.obf"), POSITIONS).expect("a file");
    fs::write(folder.join("other.obf"), POSITIONS.lines().take(2).collect::<Vec<_>>().join("\n")).expect("a file");
    done(&folder, "solve reversi --file own.obf --out alone.obf");
    for part in ["1", "2"] {
        let line = format!("solve reversi --file own.obf --shard {part}/2 --out part-{part}");
        done(&folder, &line);
        let again = done(&folder, &line);
        assert!(again.contains("positions are in the file of --out already"), "{again}");
    }
    done(&folder, "merge part-2 part-1 --out whole.obf");
    assert_eq!(read(&folder, "whole.obf"), read(&folder, "alone.obf"));
    done(&folder, "solve reversi --file other.obf --shard 2/2 --out of-other");
    for (name, plan, scored) in [
        ("renamed", read(&folder, "part-1/solve.toml").replace("1/2", "2/2"), read(&folder, "part-1/scored.txt")),
        (
            "swapped",
            read(&folder, "part-2/solve.toml"),
            read(&folder, "part-1/scored.txt").split_inclusive('\n').take(1).collect(),
        ),
        (
            "unsolved",
            read(&folder, "part-2/solve.toml"),
            format!("{}\n", POSITIONS.lines().nth(1).expect("a position")),
        ),
    ] {
        fs::create_dir(folder.join(name)).expect("a folder");
        fs::write(folder.join(name).join("solve.toml"), plan).expect("a plan");
        fs::write(folder.join(name).join("scored.txt"), scored).expect("positions");
    }
    for (line, expected) in [
        ("merge part-2 --out new.obf", "1 of 2 parts: expected all of them: 1/2 missing; name every part"),
        ("merge part-1 of-other --out new.obf", "of-other: positions 2 with digest"),
        (
            "merge part-1 renamed --out new.obf",
            "solve.toml: expected the plan of a part of `banyan solve --file`, as it was",
        ),
        ("merge part-1 swapped --out new.obf", "scored.txt: expected the positions of part 2/2; restore the file"),
        ("merge part-1 part-2 unsolved --out new.obf", "unsolved: other scores of part 2/2: expected the same in both"),
        ("solve reversi --file own.obf --shard 1/2 --out own.obf", "own.obf: expected a folder with --shard"),
        ("solve reversi --file own.obf --out part-1", "--out part-1: a folder: expected a file without --shard"),
        ("merge part-1 part-2 --out alone.obf", "alone.obf: expected the name of a new file"),
        ("merge part-1 part-2 --out new.obf --json", "--json: expected no such option with positions; leave it out"),
        ("solve reversi --file own.obf --shard 1/2 --out part-2", "part-2: --shard 2/2: expected --shard 1/2"),
        ("solve reversi --file own.obf --shard 1/2", "--out <FILE>"),
    ] {
        let error = refusal(&output_in(&folder, line));
        assert!(error.contains(expected) && !folder.join("new.obf").exists(), "{line}: {error}");
    }
}
