//! Positions to learn from, as numbers.

/// Positions in memory: the numbers of their features and what is known of their value or of their moves.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    features: Vec<u32>,
    targets: Vec<f32>,
    rest: Vec<Rest>,
}

/// One position: the ends of its features and targets in the lists, and its other data.
#[derive(Clone, Copy, Debug)]
struct Rest {
    features_end: usize,
    targets_end: usize,
    known: f32,
    group: u16,
    is_measured: bool,
}

/// One position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// The numbers of its features; for a policy those of its moves, one move after the other.
    pub features: &'a [u32],
    /// Labels: one value seen by the side to move, points from here on or the probability to win; or the share of visits of each move.
    pub targets: &'a [f32],
    /// The value by knowledge that is not learned, for comparison; in the same unit. Unused for a policy.
    pub known: f32,
    /// The group of positions to which it belongs in reports, such as the number of plies left.
    pub group: u16,
    /// Whether reports count it.
    pub is_measured: bool,
}

impl Samples {
    /// Adds a position.
    pub fn push(&mut self, sample: Sample<'_>) {
        let Sample { features, targets, known, group, is_measured } = sample;
        self.features.extend_from_slice(features);
        self.targets.extend_from_slice(targets);
        let (features_end, targets_end) = (self.features.len(), self.targets.len());
        self.rest.push(Rest { features_end, targets_end, known, group, is_measured });
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
        let before = i.checked_sub(1).map(|i| self.rest[i]);
        let [first, first_target] = before.map_or([0, 0], |before| [before.features_end, before.targets_end]);
        let Rest { features_end, targets_end, known, group, is_measured } = self.rest[i];
        let (features, targets) = (&self.features[first..features_end], &self.targets[first_target..targets_end]);
        Sample { features, targets, known, group, is_measured }
    }

    /// All positions, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = Sample<'_>> {
        (0..self.len()).map(|i| self.get(i))
    }
}
