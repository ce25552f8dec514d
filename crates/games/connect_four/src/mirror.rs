//! The mirror image of the board: the first column becomes the last.

use super::{ConnectFour, Grid, State};

impl<B: Grid> ConnectFour<B> {
    /// The mirror image of the position; the holes must be symmetric.
    pub(super) fn mirrored(&self, state: &State<B>) -> State<B> {
        State { own: self.mirror(state.own), filled: self.mirror(state.filled), ..*state }
    }

    pub(super) fn mirror(&self, set: B) -> B {
        let stride = self.shape.stride();
        let column = (1 << stride) - 1;
        let last = self.shape.columns() - 1;
        (0..=last).fold(B::EMPTY, |mirrored, c| {
            mirrored.or(B::from_slice(set.slice(c * stride) & column, (last - c) * stride))
        })
    }
}
