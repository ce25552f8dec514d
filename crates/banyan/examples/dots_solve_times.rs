//! Times of exact values of random safe positions on 5x5 boxes, by the number of undrawn edges.
//!
//! ```sh
//! cargo run --release -p banyan --features games --example dots_solve_times -- 50 36 38 40 42
//! ```
//!
//! Prints median and maximum of the time by the processor's clock for the given number of positions, each with an empty table, on one thread.

#![allow(clippy::print_stdout)]

use std::error::Error;

use banyan::dots_and_boxes::{DotsAndBoxes, ExactEndings, Shape, State};
use banyan::{Game, MoveList, Prover, Rng};
use cpu_time::ThreadTime;

/// Bytes of the table.
const TABLE: u64 = 1 << 30;

fn main() -> Result<(), Box<dyn Error>> {
    let numbers: Vec<u32> = std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let (&n, undrawn) =
        numbers.split_first().ok_or("expected the number of positions, then numbers of undrawn edges")?;
    let game = DotsAndBoxes::<u64>::new(Shape::default());
    for &undrawn in undrawn {
        let mut rng = Rng::new(undrawn.into());
        let mut times = Vec::new();
        let mut nodes = Vec::new();
        for _ in 0..n.max(1) {
            let state = random_safe(&game, undrawn, &mut rng);
            let mut prover = ExactEndings::new(TABLE);
            let started = ThreadTime::now();
            value(&game, &state, &mut prover);
            times.push(started.elapsed().as_secs_f64());
            nodes.push(Prover::<DotsAndBoxes<u64>>::nodes(&prover));
        }
        times.sort_by(f64::total_cmp);
        nodes.sort_unstable();
        let (middle, last) = (times.len() / 2, times.len() - 1);
        println!(
            "undrawn {undrawn}: median {:.2} ms, most {:.2} ms; median of positions {}",
            1e3 * times[middle],
            1e3 * times[last],
            nodes[middle]
        );
    }
    Ok(())
}

/// A position reached by random edges that put no box on offer.
fn random_safe(game: &DotsAndBoxes<u64>, undrawn: u32, rng: &mut Rng) -> State<u64> {
    loop {
        let mut state = game.start();
        loop {
            if u32::from(game.plies_left(&state)) == undrawn {
                return state;
            }
            let mut moves = MoveList::new();
            game.casual_moves(&state, &mut moves);
            let mut next = state;
            game.play(&mut next, moves[rng.below(moves.len() as u32) as usize]);
            let mut replies = MoveList::new();
            game.casual_moves(&next, &mut replies);
            let mut after = next;
            game.play(&mut after, replies[0]);
            if game.to_move(&after) == game.to_move(&next) {
                // No safe edge was left.
                break;
            }
            state = next;
        }
    }
}

/// The final margin under best play, seen by the side to move.
fn value(game: &DotsAndBoxes<u64>, state: &State<u64>, prover: &mut ExactEndings<u64>) -> i16 {
    let mover = game.to_move(state);
    let (mut lower, mut upper) = game.bounds(state).seen_by(mover);
    let mut points = 1;
    while lower < upper {
        points = points.clamp(lower + 1, upper);
        let bounds = prover.reaches(game, state, points, &mut |_| Some(u64::MAX)).expect("nothing stops it");
        (lower, upper) = {
            let (proven_lower, proven_upper) = bounds.seen_by(mover);
            (lower.max(proven_lower), upper.min(proven_upper))
        };
        points = if lower >= points { lower + 1 } else { upper };
    }
    lower
}
