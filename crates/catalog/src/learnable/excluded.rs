//! Positions that are not learned from.

use std::collections::BTreeSet;

use banyan_core::mix;

/// Positions that are not learned from, with all positions that have the same features, such as their images under the symmetries.
/// For a policy, the features of all moves are compared.
#[derive(Clone, Debug, Default)]
pub struct Excluded(BTreeSet<u64>);

impl Excluded {
    /// Adds a position with these features.
    pub fn insert(&mut self, features: &[u32]) {
        self.0.insert(digest(features));
    }

    /// Whether a position with these features is among them.
    pub fn contains(&self, features: &[u32]) -> bool {
        !self.0.is_empty() && self.0.contains(&digest(features))
    }

    /// A number for each position, sorted, so that it does not matter in which order the positions were added.
    pub fn digests(&self) -> impl Iterator<Item = u64> {
        self.0.iter().copied()
    }
}

/// A digest of the features that does not depend on their order.
fn digest(features: &[u32]) -> u64 {
    let mut sorted = features.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().fold(features.len() as u64, |digest, feature| mix(digest ^ u64::from(feature)))
}
