use banyan_core::{Bounds, Game, Margin, MoveList, Side, mix};

/// Each turn takes one, two or three stones; the last stone wins.
pub struct Subtraction {
    pub stones: u16,
}

impl Game for Subtraction {
    /// Stones left, and moves played.
    type State = (u16, u16);
    /// Stones taken.
    type Move = u8;

    fn start(&self) -> (u16, u16) {
        (self.stones, 0)
    }
    fn to_move(&self, &(_, ply): &(u16, u16)) -> Side {
        Side::BOTH[usize::from(ply % 2)]
    }
    fn result(&self, state: &(u16, u16)) -> Option<Margin> {
        // The side to move after the last stone has lost.
        (state.0 == 0).then(|| Margin::won_by(!self.to_move(state), 1))
    }
    fn moves(&self, &(stones, _): &(u16, u16), out: &mut MoveList<u8>) {
        out.extend(1..=stones.min(3) as u8);
    }
    fn play(&self, (stones, ply): &mut (u16, u16), taken: u8) {
        *stones -= u16::from(taken);
        *ply += 1;
    }
    fn ply(&self, &(_, ply): &(u16, u16)) -> u16 {
        ply
    }
    fn max_plies(&self) -> u16 {
        self.stones
    }
    fn key(&self, &(stones, ply): &(u16, u16)) -> u64 {
        mix(u64::from(stones * 2 + ply % 2))
    }
    fn margin_range(&self) -> Bounds {
        Bounds::new(Margin(-1), Margin(1))
    }
}
