//! Conversion between board words and columns of 16 bits each.

use banyan_bits::cpu::SHORTS;

use super::{Grid, Place, Shape};

/// Columns of 16 bits, bit 0 the lowest row: four in each word, the first lowest.
pub(super) type Fours = [u64; SHORTS / 4];

/// Conversion of the words of one board.
#[derive(Clone, Debug)]
pub(super) struct ColumnPacking {
    /// Bits from a column to the next in a board word.
    stride: u32,
    /// The lowest bits of two columns of 32 bits, as many as the stride.
    low: u64,
    /// Cells that are no holes, and holes.
    valid: Fours,
    holes: Fours,
}

impl ColumnPacking {
    pub(super) fn of(shape: &Shape) -> ColumnPacking {
        let stride = shape.stride();
        let (mut valid, mut holes) = ([0; SHORTS / 4], [0; SHORTS / 4]);
        for place in shape.places() {
            let Place { column, row } = place;
            let set = if shape.is_hole(place) { &mut holes } else { &mut valid };
            set[column as usize / 4] |= 1 << (16 * (column % 4) + row);
        }
        ColumnPacking { stride, low: 0x1_0000_0001 * ((1 << stride) - 1), valid, holes }
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

    /// The columns of `own`, the stones of the side to move, of the stones of the other side, and of `filled`, all stones and
    /// holes.
    #[inline(always)]
    pub(super) fn unpack<B: Grid>(&self, own: B, filled: B) -> [Fours; 3] {
        let (mut own, mut enemy, mut filled) = (self.unpack_set(own), Fours::default(), self.unpack_set(filled));
        for i in 0..SHORTS / 4 {
            own[i] &= self.valid[i];
            enemy[i] = filled[i] & !own[i] & self.valid[i];
            filled[i] &= self.valid[i] | self.holes[i];
        }
        [own, enemy, filled]
    }

    /// The board word of these columns.
    #[inline(always)]
    pub(super) fn pack<B: Grid>(&self, columns: &[u16; SHORTS]) -> B {
        let mut word = B::EMPTY;
        for (c, &column) in columns.iter().enumerate() {
            word = word.or(B::from_slice(column.into(), c as u32 * self.stride));
        }
        word
    }

    #[inline(always)]
    fn unpack_set<B: Grid>(&self, set: B) -> Fours {
        let mut fours = Fours::default();
        for (i, four) in fours.iter_mut().enumerate() {
            let packed = set.slice(4 * self.stride * i as u32);
            // Move two columns together first, then one of each two.
            let pairs = (packed & ((1 << (2 * self.stride)) - 1)) | packed >> (2 * self.stride) << 32;
            *four = (pairs & self.low) | (pairs << (16 - self.stride) & self.low << 16);
        }
        fours
    }
}

/// The columns as an array.
#[inline(always)]
pub(super) fn columns(fours: &Fours) -> [u16; SHORTS] {
    std::array::from_fn(|c| (fours[c / 4] >> (16 * (c % 4))) as u16)
}
