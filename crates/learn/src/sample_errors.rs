//! The errors of a model on one position.

/// The errors of one position: of a value in points, absolute errors; of a probability or a policy, cross-entropies in nats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SampleErrors {
    /// Of what was learned.
    pub learned: f64,
    /// Of the value by knowledge that is not learned; for a policy the entropy of the visits, which is the least possible.
    pub known: f64,
    /// Of a guess without knowledge: 0 points, even chances, or all moves alike.
    pub zero: f64,
    /// 1 if the most visited move is the one that a policy prefers; 0 otherwise and for values.
    pub hit: f64,
}
