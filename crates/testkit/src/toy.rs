//! Games of a fixed length that a test defines by functions: all of them are one type, for which a search is compiled once.

use banyan_core::{Bounds, Game, Margin, MoveList, Side};

/// The rules. A position is the number of plies and a value, whose meaning the rules define.
#[derive(Clone, Copy, Debug)]
pub struct Toy {
    /// Plies of every game.
    pub plies: u16,
    /// The value at the start.
    pub start: u64,
    /// The side to move, by the ply.
    pub to_move: fn(u16) -> Side,
    /// The number of moves, by the ply. They are numbered from 0.
    pub n_moves: fn(u16) -> u16,
    /// The value after a move.
    pub after: fn(u64, u16) -> u64,
    /// The key, by ply and value.
    pub key: fn(u16, u64) -> u64,
    /// The final margin, by the last value.
    pub margin: fn(u64) -> i16,
    /// The margins that a game can end with.
    pub range: [i16; 2],
    /// Points scored so far, by the value.
    pub score: fn(u64) -> i16,
    /// Centrality of a move.
    pub centrality: fn(u16) -> u8,
}

/// The sides alternate.
fn alternate(ply: u16) -> Side {
    Side::BOTH[usize::from(ply % 2)]
}

impl Toy {
    /// One ply with one move, which scores nothing.
    pub const PLAIN: Toy = Toy {
        plies: 1,
        start: 0,
        to_move: alternate,
        n_moves: |_| 1,
        after: |value, _| value,
        key: |ply, value| banyan_core::mix(u64::from(ply) << 32 | value),
        margin: |_| 0,
        range: [-1, 1],
        score: |_| 0,
        centrality: |_| 0,
    };
}

impl Game for Toy {
    /// Plies and value.
    type State = (u16, u64);
    type Move = u16;

    fn start(&self) -> (u16, u64) {
        (0, self.start)
    }

    fn to_move(&self, &(ply, _): &(u16, u64)) -> Side {
        (self.to_move)(ply)
    }

    fn result(&self, &(ply, value): &(u16, u64)) -> Option<Margin> {
        (ply == self.plies).then(|| Margin((self.margin)(value)))
    }

    fn moves(&self, &(ply, _): &(u16, u64), out: &mut MoveList<u16>) {
        if ply < self.plies {
            out.extend(0..(self.n_moves)(ply));
        }
    }

    fn play(&self, (ply, value): &mut (u16, u64), mv: u16) {
        (*ply, *value) = (*ply + 1, (self.after)(*value, mv));
    }

    fn ply(&self, &(ply, _): &(u16, u64)) -> u16 {
        ply
    }

    fn max_plies(&self) -> u16 {
        self.plies
    }

    fn key(&self, &(ply, value): &(u16, u64)) -> u64 {
        (self.key)(ply, value)
    }

    fn margin_range(&self) -> Bounds {
        let [lower, upper] = self.range.map(Margin);
        Bounds::new(lower, upper)
    }

    fn score(&self, &(_, value): &(u16, u64)) -> Margin {
        Margin((self.score)(value))
    }

    fn centrality(&self, mv: u16) -> u8 {
        (self.centrality)(mv)
    }
}
