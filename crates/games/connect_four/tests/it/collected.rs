//! Connect Four against the positions of gamesolver, if the environment variable BANYAN_DATA names their folder: part `positions` of
//! `./test`.

use std::path::Path;

use banyan_connect_four::ExactValues;
use banyan_core::{Game, Prover};
use banyan_testkit::{Exact, is_deep, proven};

use crate::values::{after, game};

/// Positions that are proven in a quick test have at least this many stones.
const QUICK_FROM: usize = 15;

#[test]
#[expect(clippy::print_stderr, reason = "a skipped check must be seen")]
fn gamesolver_positions_have_their_scores() {
    let Some(data) = std::env::var_os("BANYAN_DATA") else {
        eprintln!(
            "skipped: BANYAN_DATA names no folder with connect-four/*.txt, so gamesolver's scores were not checked"
        );
        return;
    };
    let folder = Path::new(&data).join("connect-four");
    let files = std::fs::read_dir(&folder).unwrap_or_else(|err| panic!("{}: {err}", folder.display()));
    let game = game("6x7");
    let (mut replayed, mut searched, mut solved) = (0, 0, 0);
    let mut prover = ExactValues::new(1 << 26);
    for path in files
        .map(|file| file.expect("a readable folder").path())
        .filter(|path| path.extension() == Some("txt".as_ref()))
    {
        for line in std::fs::read_to_string(&path).expect("a readable file").lines() {
            let (moves, score) = line.split_once(' ').unwrap_or_else(|| panic!("{line:?} in {}", path.display()));
            let score: i16 = score.trim().parse().expect("a score");
            let state = after(&game, moves);
            assert_eq!(usize::from(game.ply(&state)), moves.len(), "{line}");
            let (lower, upper) = game.bounds(&state).seen_by(game.to_move(&state));
            assert!((lower..=upper).contains(&score), "{line}: bounds {lower} to {upper}");
            replayed += 1;
            if moves.len() >= 32 {
                assert_eq!(Exact::new(&game).value(&state), score, "{line}");
                searched += 1;
            }
            if moves.len() >= QUICK_FROM || is_deep() {
                Prover::forget(&mut prover);
                assert_eq!(proven(&game, &state, &mut prover, 0), score, "{line}");
                solved += 1;
            }
        }
    }
    assert!(replayed >= 2000 && searched >= 300, "{replayed} replayed, {searched} by plain search");
    assert!(solved >= 2000, "{solved} by the solver");
}
