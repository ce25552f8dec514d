//! Positions to learn from, as numbers.

/// Positions in memory: the numbers of their features and what is known of their value.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    features: Vec<u32>,
    rest: Vec<Rest>,
}

/// What belongs to one position besides its features, which end at `end`.
#[derive(Clone, Copy, Debug)]
struct Rest {
    end: usize,
    value: f32,
    known: f32,
    group: u16,
}

/// One position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// The numbers of its features.
    pub features: &'a [u32],
    /// The value to learn, seen by the side to move: points from here on, or the probability to win.
    pub value: f32,
    /// The value by knowledge that is not learned, to compare with; in the same unit.
    pub known: f32,
    /// The group of positions to which it belongs in reports, such as the number of plies left.
    pub group: u16,
}

impl Samples {
    /// Adds a position.
    pub fn push(&mut self, sample: Sample<'_>) {
        self.features.extend_from_slice(sample.features);
        let Sample { value, known, group, .. } = sample;
        self.rest.push(Rest { end: self.features.len(), value, known, group });
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Position number `i`.
    ///
    /// # Panics
    /// There are fewer.
    pub fn get(&self, i: usize) -> Sample<'_> {
        let start = if i == 0 { 0 } else { self.rest[i - 1].end };
        let Rest { end, value, known, group } = self.rest[i];
        Sample { features: &self.features[start..end], value, known, group }
    }

    /// All positions, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = Sample<'_>> {
        (0..self.len()).map(|i| self.get(i))
    }
}
