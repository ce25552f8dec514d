//! A toy game: a random graph of positions in layers, determined by a seed.
//!
//! Many paths lead to a place, with different scores; the side to move is random, so turns do not alternate; some
//! places end the game early. With `hints` set, the game has knowledge: correct bounds of random width, and forced
//! moves that omit other moves and prove bounds.

use std::sync::atomic::{AtomicU64, Ordering};

use banyan_core::{Bounds, Evaluator, FINE, Game, Knowledge, Leaves, Margin, MoveList, Priors, Rng, Side, mix};

/// Most points of a move, and of an end of the game.
const MOST_POINTS: i16 = 2;

/// A random graph of positions.
pub struct Mesh {
    /// The seed that determines the graph.
    pub seed: u64,
    /// Places of the last layer end the game.
    pub layers: u16,
    /// Places per layer.
    pub width: u16,
    /// Whether the game has knowledge beyond the rules.
    pub hints: bool,
    /// If set, the number of moves after which one move panics, once: "a brittle rule".
    pub brittle: Option<AtomicU64>,
    /// `[layers + 1][width]`: the margin under best play from there on, excluding the score, seen by the first side.
    to_come: Vec<i16>,
}

/// A position: a place and its history.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Spot {
    /// Number of moves played.
    pub layer: u16,
    /// Number of the place in its layer.
    pub place: u16,
    /// Points scored so far, seen by the first side.
    pub score: i16,
    /// A hash of the moves that led here, so that every history has its own state.
    way: u64,
}

impl Mesh {
    /// A graph with 24 places per layer, so that many paths lead to each.
    pub fn new(seed: u64, layers: u16, hints: bool) -> Mesh {
        Mesh::wide(seed, layers, 24, hints)
    }

    /// A graph with `width` places per layer.
    pub fn wide(seed: u64, layers: u16, width: u16, hints: bool) -> Mesh {
        let places = usize::from(layers + 1) * usize::from(width);
        let mut mesh = Mesh { seed, layers, width, hints: false, brittle: None, to_come: vec![0; places] };
        for layer in (0..=layers).rev() {
            for place in 0..width {
                let spot = Spot { layer, place, score: 0, way: 0 };
                let best = match mesh.result(&spot) {
                    Some(margin) => margin.0,
                    None => mesh.best_of(&spot),
                };
                let at = mesh.number(&spot);
                mesh.to_come[at] = best;
            }
        }
        Mesh { hints, ..mesh }
    }

    fn number(&self, spot: &Spot) -> usize {
        usize::from(spot.layer) * usize::from(self.width) + usize::from(spot.place)
    }

    fn all_moves(&self, spot: &Spot) -> MoveList<u8> {
        let mut moves = MoveList::new();
        self.moves(spot, &mut moves);
        moves
    }

    /// The final margin under best play, seen by the first side, from the values of the next layer.
    fn best_of(&self, spot: &Spot) -> i16 {
        let sign = self.to_move(spot).sign();
        let values = self.all_moves(spot).into_iter().map(|mv| self.after(spot, mv) * sign);
        values.max().expect("the game is not over") * sign
    }

    /// The final margin under best play after `mv`, seen by the first side.
    fn after(&self, spot: &Spot, mv: u8) -> i16 {
        let mut next = *spot;
        self.play(&mut next, mv);
        self.best(&next)
    }

    /// The final margin under best play, seen by the first side.
    pub fn best(&self, spot: &Spot) -> i16 {
        spot.score + self.to_come[self.number(spot)]
    }

    /// A random number determined by a place and a purpose.
    fn drawn(&self, spot: &Spot, purpose: u64) -> u64 {
        let place = u64::from(spot.layer) << 32 | u64::from(spot.place) << 16;
        mix(mix(self.seed ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(purpose))
    }

    /// Correct bounds of the final margin, too wide by random amounts.
    fn around_best(&self, spot: &Spot, purpose: u64) -> Bounds {
        let range = self.margin_range();
        let (best, drawn) = (self.best(spot), self.drawn(spot, purpose));
        let slack = |drawn: u64| [0, 1, 2, 1000][(drawn % 4) as usize];
        let lower = (best - slack(drawn)).max(range.lower.0);
        let upper = (best + slack(drawn >> 8)).min(range.upper.0);
        Bounds::new(Margin(lower), Margin(upper))
    }
}

impl Game for Mesh {
    type State = Spot;
    type Move = u8;

    fn start(&self) -> Spot {
        Spot { layer: 0, place: 0, score: 0, way: 0 }
    }

    fn to_move(&self, spot: &Spot) -> Side {
        Side::BOTH[(self.drawn(spot, 0) % 2) as usize]
    }

    fn result(&self, spot: &Spot) -> Option<Margin> {
        let early = spot.layer > 2 && self.drawn(spot, 1).is_multiple_of(u64::from(self.layers.max(10)));
        let last = (self.drawn(spot, 2) % 5) as i16 - MOST_POINTS;
        (early || spot.layer == self.layers).then_some(Margin(spot.score + last))
    }

    fn moves(&self, spot: &Spot, out: &mut MoveList<u8>) {
        let most = if spot.layer == 0 { 4 } else { 1 + self.drawn(spot, 3) % 4 };
        out.extend(0..most as u8);
    }

    fn play(&self, spot: &mut Spot, mv: u8) {
        if let Some(left) = &self.brittle {
            assert!(left.fetch_sub(1, Ordering::Relaxed) != 1, "a brittle rule");
        }
        let drawn = self.drawn(spot, 100 + u64::from(mv));
        let points = [0, 0, 1, MOST_POINTS][(drawn >> 32) as usize % 4] * self.to_move(spot).sign();
        *spot = Spot {
            layer: spot.layer + 1,
            place: (drawn % u64::from(self.width)) as u16,
            score: spot.score + points,
            way: mix(spot.way.wrapping_add(u64::from(mv) + 1)),
        };
    }

    fn ply(&self, spot: &Spot) -> u16 {
        spot.layer
    }

    fn max_plies(&self) -> u16 {
        self.layers
    }

    fn key(&self, spot: &Spot) -> u64 {
        self.drawn(spot, 4)
    }

    fn margin_range(&self) -> Bounds {
        let most = MOST_POINTS * (self.layers as i16 + 1);
        Bounds::new(Margin(-most), Margin(most))
    }

    fn score(&self, spot: &Spot) -> Margin {
        Margin(spot.score)
    }

    fn bounds(&self, spot: &Spot) -> Bounds {
        match self.result(spot) {
            Some(margin) => Bounds::exact(margin),
            None if self.hints && self.drawn(spot, 5).is_multiple_of(4) => self.around_best(spot, 6),
            None => self.margin_range(),
        }
    }

    fn centrality(&self, mv: u8) -> u8 {
        mv % 2
    }
}

/// The knowledge of a mesh.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeshKnowledge;

impl Knowledge<Mesh> for MeshKnowledge {
    fn forced_moves(&self, mesh: &Mesh, spot: &Spot, out: &mut MoveList<u8>) -> Option<Bounds> {
        let moves = mesh.all_moves(spot);
        let drawn = mesh.drawn(spot, 7);
        if !mesh.hints || drawn.is_multiple_of(2) {
            out.extend(moves);
            return None;
        }
        let best = mesh.best(spot);
        let keep = moves.iter().position(|&mv| mesh.after(spot, mv) == best).expect("one of the moves is best");
        let kept = (0..moves.len()).filter(|&i| i == keep || drawn >> (8 + i) & 1 == 1);
        out.extend(kept.map(|i| moves[i]));
        drawn.is_multiple_of(3).then(|| mesh.around_best(spot, 8))
    }
}

/// A node evaluation: half the evaluation scale for a random side, or 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeshNodeEvaluator;

impl MeshNodeEvaluator {
    /// The evaluation in units of 1 / [`FINE`] of a point, seen by the first side.
    pub fn points(mesh: &Mesh, spot: &Spot) -> i32 {
        let some = MeshKnowledge.eval_scale(mesh) / 2 * ((mesh.drawn(spot, 8) % 3) as i32 - 1);
        i32::from(spot.score) * FINE + some
    }
}

impl Evaluator<Mesh> for MeshNodeEvaluator {
    fn evaluate(&mut self, mesh: &Mesh, leaves: &mut Leaves<'_, Mesh>, _rng: &mut Rng) {
        for (i, spot) in leaves.states().iter().enumerate() {
            leaves.set_points(i, MeshNodeEvaluator::points(mesh, spot));
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Mesh>> {
        Box::new(*self)
    }
}

/// Random priors with weights from 1 to 7. Gives no values.
#[derive(Clone, Copy, Debug, Default)]
pub struct MeshPriors;

impl Evaluator<Mesh> for MeshPriors {
    fn evaluate(&mut self, _mesh: &Mesh, _leaves: &mut Leaves<'_, Mesh>, _rng: &mut Rng) {}

    fn gives_priors(&self) -> Priors {
        Priors::OnRequest
    }

    fn priors(&mut self, mesh: &Mesh, spot: &Spot, moves: &[u8], out: &mut Vec<f32>) {
        let weight = |&mv: &u8| (1 + mesh.drawn(spot, 50 + u64::from(mv)) % 7) as f32;
        let total: f32 = moves.iter().map(weight).sum();
        out.extend(moves.iter().map(|mv| weight(mv) / total));
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Mesh>> {
        Box::new(*self)
    }
}
