//! Differences of searches of Reversi from shallower ones, for ProbCut.
//!
//! ```sh
//! cargo run --release -p banyan --features catalog --example reversi_depth_errors -- 300
//! ```
//!
//! Plays the given number of games with random first moves and then by searches of depth 1, and searches a position of each at every tenth ply to
//! all depths up to 10, without ProbCut. Prints the standard deviation and the mean of the difference for each pair of depths, and the
//! constants of `ln deviation = a + b shallow + c deep + d empty` by least squares over the cells, weighted by their positions.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::error::Error;

use banyan::reversi::{Reversi, ReversiKit, State};
use banyan_core::{FINE, Game, Knowledge, MoveList, Notation, Rng, random_move};
use banyan_search::{Algorithm, AlphaBeta, AlphaBetaConfig, Kit};

type Board = Reversi<u64>;

/// Searches are made from depth 1 to this one.
const DEEPEST: u32 = 10;
/// Random plies at the beginning of a game.
const RANDOM_PLIES: u16 = 12;
/// Plies between two positions of a game.
const EVERY: u16 = 7;
/// The smallest number of empty squares: below, searches reach the end.
const FEWEST_EMPTY: u16 = 14;

/// Sums over the positions of a cell.
#[derive(Clone, Copy, Default)]
struct Cell {
    n: f64,
    sum: f64,
    squares: f64,
}

impl Cell {
    fn mean(&self) -> f64 {
        self.sum / self.n
    }

    fn deviation(&self) -> f64 {
        (self.squares / self.n - self.mean().powi(2)).max(0.0).sqrt()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let games: u32 = std::env::args().nth(1).ok_or("expected the number of games")?.parse()?;
    let game = Board::from_options("")?;
    let kit = ReversiKit::default();
    let mut rng = Rng::new(26);
    let mut cells: BTreeMap<(u16, u32, u32), Cell> = BTreeMap::new();
    for number in 0..games {
        let mut state = game.start();
        while game.result(&state).is_none() && game.plies_left(&state) >= FEWEST_EMPTY {
            let ply = game.ply(&state);
            if ply > RANDOM_PLIES && u32::from(ply % EVERY) == number % u32::from(EVERY) {
                let values = values(&game, &kit, &state);
                // Three bands of empty squares.
                let band = game.plies_left(&state) / 16 * 16 + 8;
                for deep in 1..=DEEPEST {
                    for shallow in 0..deep {
                        let difference = f64::from(values[deep as usize] - values[shallow as usize]);
                        let cell = cells.entry((band, shallow, deep)).or_default();
                        cell.n += 1.0;
                        cell.sum += difference;
                        cell.squares += difference * difference;
                    }
                }
            }
            let mv = if ply < RANDOM_PLIES {
                random_move(&game, &state, &mut rng, &mut MoveList::new())
            } else {
                search(&kit).search_to_depth(&game, &state, 1).best
            };
            game.play(&mut state, mv);
        }
    }
    for (&(empty, shallow, deep), cell) in &cells {
        if (deep - shallow) % 2 == 0 && shallow * 4 >= deep {
            let fine = f64::from(FINE);
            let (mean, deviation) = (cell.mean() / fine, cell.deviation() / fine);
            println!(
                "empty about {empty}, depth {shallow} for {deep}: mean {mean:+.2}, deviation {deviation:.2}, {} positions",
                cell.n
            );
        }
    }
    let rows: Vec<([f64; 4], f64, f64)> = cells
        .iter()
        .filter(|&(_, cell)| cell.n > 50.0 && cell.deviation() > 0.0)
        .map(|(&(empty, shallow, deep), cell)| {
            ([1.0, f64::from(shallow), f64::from(deep), f64::from(empty)], cell.deviation().ln(), cell.n)
        })
        .collect();
    let [a, b, c, d] = least_squares(&rows);
    println!("ln deviation in 1/{FINE} discs = {a:.3} {b:+.3} shallow {c:+.3} deep {d:+.4} empty");
    Ok(())
}

fn search(kit: &ReversiKit) -> AlphaBeta<Board, <ReversiKit as Kit<Board>>::Knowledge> {
    let config = AlphaBetaConfig { prob_cut: None, table_mib: Some(16), ..AlphaBetaConfig::new(Algorithm::Pvs) };
    AlphaBeta::with_knowledge(config, Kit::<Board>::knowledge(kit))
}

/// The values of searches to every depth, seen by the side to move.
fn values(game: &Board, kit: &ReversiKit, state: &State<u64>) -> Vec<i32> {
    let sign = i32::from(game.to_move(state).sign());
    let mut search = search(kit);
    let eval = Kit::<Board>::knowledge(kit).static_eval(game, state);
    let deeper = (1..=DEEPEST).map(|depth| search.search_to_depth(game, state, depth).points);
    std::iter::once(eval).chain(deeper).map(|points| points * sign).collect()
}

/// Weighted least squares by the normal equations.
fn least_squares(rows: &[([f64; 4], f64, f64)]) -> [f64; 4] {
    let mut system = [[0.0; 5]; 4];
    for (x, y, weight) in rows {
        for i in 0..4 {
            for j in 0..4 {
                system[i][j] += weight * x[i] * x[j];
            }
            system[i][4] += weight * x[i] * y;
        }
    }
    for i in 0..4 {
        let pivot = (i..4).max_by(|&a, &b| system[a][i].abs().total_cmp(&system[b][i].abs())).expect("a row");
        system.swap(i, pivot);
        let pivot = system[i];
        for (_, row) in system.iter_mut().enumerate().filter(|&(number, _)| number != i) {
            let factor = row[i] / pivot[i];
            row.iter_mut().zip(pivot).for_each(|(at, of_pivot)| *at -= factor * of_pivot);
        }
    }
    std::array::from_fn(|i| system[i][4] / system[i][i])
}
