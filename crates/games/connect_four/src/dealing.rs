//! Board words dealt out by columns, 16 bits each: a column is then a number of its own, with its neighbours beside it.

use banyan_core::cpu::SHORTS;

use super::{Grid, Place, Shape, State};

/// Columns of 16 bits, bit 0 the lowest row: four in each word, the first lowest.
pub(super) type Fours = [u64; SHORTS / 4];

/// How the words of a board are dealt out.
#[derive(Clone, Debug)]
pub(super) struct Dealing {
    /// Bits from a column to the next in a board word.
    stride: u32,
    /// The lowest bits of two columns of 32 bits, as many as the stride.
    low: u64,
    /// Cells that are no holes, and holes.
    valid: Fours,
    holes: Fours,
}

impl Dealing {
    pub(super) fn of(shape: &Shape) -> Dealing {
        let stride = shape.stride();
        let (mut valid, mut holes) = ([0; SHORTS / 4], [0; SHORTS / 4]);
        for place in shape.places() {
            let Place { column, row } = place;
            let set = if shape.is_hole(place) { &mut holes } else { &mut valid };
            set[column as usize / 4] |= 1 << (16 * (column % 4) + row);
        }
        Dealing { stride, low: 0x1_0000_0001 * ((1 << stride) - 1), valid, holes }
    }

    /// The cells of each column that are no holes.
    #[inline(always)]
    pub(super) fn valid(&self) -> [u16; SHORTS] {
        columns(&self.valid)
    }

    /// The holes of each column.
    #[inline(always)]
    pub(super) fn holes(&self) -> [u16; SHORTS] {
        columns(&self.holes)
    }

    /// Stones of the side to move, stones of the other side, and all stones and holes.
    #[inline(always)]
    pub(super) fn deal<B: Grid>(&self, state: &State<B>) -> [Fours; 3] {
        let (mut own, mut enemy, mut filled) = (self.fours(state.own), Fours::default(), self.fours(state.filled));
        for i in 0..SHORTS / 4 {
            own[i] &= self.valid[i];
            enemy[i] = filled[i] & !own[i] & self.valid[i];
            filled[i] &= self.valid[i] | self.holes[i];
        }
        [own, enemy, filled]
    }

    /// The word of these columns.
    #[inline(always)]
    pub(super) fn gather<B: Grid>(&self, columns: &[u16; SHORTS]) -> B {
        let mut word = B::EMPTY;
        for (c, &column) in columns.iter().enumerate() {
            word = word.or(B::from_slice(column.into(), c as u32 * self.stride));
        }
        word
    }

    #[inline(always)]
    fn fours<B: Grid>(&self, set: B) -> Fours {
        let mut fours = Fours::default();
        for (i, four) in fours.iter_mut().enumerate() {
            let packed = set.slice(4 * self.stride * i as u32);
            // First two columns go up together, then one of each two.
            let pairs = (packed & ((1 << (2 * self.stride)) - 1)) | packed >> (2 * self.stride) << 32;
            *four = (pairs & self.low) | (pairs << (16 - self.stride) & self.low << 16);
        }
        fours
    }
}

/// One column after another.
#[inline(always)]
pub(super) fn columns(fours: &Fours) -> [u16; SHORTS] {
    std::array::from_fn(|c| (fours[c / 4] >> (16 * (c % 4))) as u16)
}
