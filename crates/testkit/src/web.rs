//! A toy game on a random acyclic graph: a position is reached at different plies, the side to move is random, and
//! moves score points. Its exact values are computed in one pass over the positions.

use banyan_core::{Bounds, FINE, Game, Knowledge, Margin, MoveList, Rng, Side, mix};

/// Positions are numbered so that moves lead to higher numbers; the last one is the end.
pub struct Web {
    /// `[position][move]`: the next position, and the points scored, seen by the first side.
    moves: Vec<Vec<(usize, i16)>>,
    movers: Vec<Side>,
    /// `[position]`: points under best play from there on, seen by the first side.
    to_come: Vec<i16>,
    salt: u64,
    /// Whether the rules prove the exact value.
    pub open: bool,
    /// Whether the key includes the history, so that few positions share one.
    pub apart: bool,
}

/// A position and its history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    number: usize,
    ply: u16,
    score: i16,
    /// A hash of the moves played.
    way: u64,
}

impl Web {
    /// A random graph of `n_positions` positions and the end.
    pub fn new(n_positions: u32, rng: &mut Rng) -> Web {
        let end = n_positions as usize;
        let target = |from: usize, rng: &mut Rng| (from + 1 + rng.below(6) as usize).min(end);
        let gain = |rng: &mut Rng| if rng.below(2) == 0 { 0 } else { rng.below(7) as i16 - 3 };
        let moves = |from, rng: &mut Rng| (0..1 + rng.below(4)).map(|_| (target(from, rng), gain(rng))).collect();
        let moves: Vec<Vec<(usize, i16)>> = (0..end).map(|from| moves(from, rng)).collect();
        let movers: Vec<Side> = (0..=end).map(|_| Side::BOTH[rng.below(2) as usize]).collect();
        let mut to_come = vec![0; end + 1];
        for number in (0..end).rev() {
            let values = moves[number].iter().map(|&(to, gain)| to_come[to] + gain);
            let best = if movers[number] == Side::First { values.max() } else { values.min() };
            to_come[number] = best.expect("every position but the end has moves");
        }
        Web { moves, movers, to_come, salt: rng.next_u64(), open: false, apart: false }
    }

    /// The final margin under best play, seen by the first side.
    pub fn value(&self, place: &Place) -> Margin {
        Margin(place.score + self.to_come[place.number])
    }
}

impl Game for Web {
    type State = Place;
    type Move = u8;

    fn start(&self) -> Place {
        Place { number: 0, ply: 0, score: 0, way: 0 }
    }

    fn to_move(&self, place: &Place) -> Side {
        self.movers[place.number]
    }

    fn result(&self, place: &Place) -> Option<Margin> {
        (place.number == self.moves.len()).then_some(Margin(place.score))
    }

    fn moves(&self, place: &Place, out: &mut MoveList<u8>) {
        let n_moves = self.moves.get(place.number).map_or(0, Vec::len);
        out.extend(0..n_moves as u8);
    }

    fn play(&self, place: &mut Place, mv: u8) {
        let (number, gain) = self.moves[place.number][usize::from(mv)];
        let way = mix(place.way + u64::from(mv) + 1);
        *place = Place { number, ply: place.ply + 1, score: place.score + gain, way };
    }

    fn ply(&self, place: &Place) -> u16 {
        place.ply
    }

    fn max_plies(&self) -> u16 {
        self.moves.len() as u16
    }

    fn key(&self, place: &Place) -> u64 {
        let way = if self.apart { place.way } else { 0 };
        mix((self.salt ^ way).wrapping_add(place.number as u64))
    }

    fn margin_range(&self) -> Bounds {
        let most = 3 * self.moves.len() as i16;
        Bounds::new(Margin(-most), Margin(most))
    }

    fn score(&self, place: &Place) -> Margin {
        Margin(place.score)
    }

    fn bounds(&self, place: &Place) -> Bounds {
        if self.open {
            return Bounds::exact(self.value(place));
        }
        self.result(place).map_or_else(|| self.margin_range(), Bounds::exact)
    }
}

/// A static evaluation by a hash, up to `most` to either side of the score.
#[derive(Clone, Copy, Debug)]
pub struct Hashed {
    /// Selects the hash function.
    pub salt: u64,
    /// In units of 1 / [`FINE`] of a point.
    pub most: i32,
}

impl Knowledge<Web> for Hashed {
    fn static_eval(&mut self, game: &Web, place: &Place) -> i32 {
        let to_come = (mix(game.key(place) ^ self.salt) % (2 * self.most as u64 + 1)) as i32 - self.most;
        i32::from(place.score) * FINE + to_come
    }
}
