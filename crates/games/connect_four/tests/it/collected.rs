//! Connect Four against the positions of gamesolver, if the environment variable BANYAN_DATA names their folder: part `positions` of
//! `./test`.

use std::path::Path;

use banyan_core::Game;
use banyan_testkit::Exact;

use crate::values::{after, game};

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
    let (mut replayed, mut solved) = (0, 0);
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
                solved += 1;
            }
        }
    }
    assert!(replayed >= 2000 && solved >= 300, "{replayed} replayed, {solved} solved");
}
