//! The errors of a model on one position.

/// The errors on one position: absolute errors for a value in points, cross-entropies in nats for a probability or a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SampleErrors {
    /// Error of the model.
    pub learned: f64,
    /// Error of the value by knowledge that is not learned; for a policy the entropy of the visits, a lower bound of the error.
    pub known: f64,
    /// Error of a guess without knowledge: 0 points, probability 1/2, or equal probabilities for all moves.
    pub zero: f64,
    /// 1 if the most visited move is the one that a policy prefers; 0 otherwise and for values.
    pub hit: f64,
}
