//! The exact solver: null-window search of quiet positions.
//!
//! The boxes won from a position on depend only on its undrawn edges and on who moves, so all values here are boxes of the
//! side to move minus those of the other side, from there on, and the table is keyed by the undrawn edges alone (Barker and
//! Korf 2012, Solving Dots-And-Boxes).
//!
//! **Quiet positions only.** If boxes are on offer, the side to move has one choice at most: to take all of them, or to
//! hand the last ones back and make the other side move (`undominated.rs` has the proof). With n boxes on offer, t of
//! which can be handed back, and v the value of the quiet rest for the side that moves there, it wins `n + v` if t = 0 and
//! otherwise `max(n + v, n - 2 t - v) = n - t + |v + t|`. So a move that offers boxes leads to another quiet position at
//! once.
//!
//! **Isolated chains and loops** are those whose ends do not lead to a box with three or more undrawn edges. Of those of one kind
//! only the smallest need be opened, the kinds being chains of one or two boxes (t = 0), chains of three or more (t = 2)
//! and loops (t = 4). Proof: let a < b be sizes of one kind, and v(X) the value of the rest together with X. Opening a leaves
//! the other side a + f(v(b)), opening b leaves it b + f(v(a)), with the same f, which changes by no more than its argument. So
//! opening a is at least as good if |v(a) - v(b)| <= b - a. The two positions have the same moves but for the chain
//! itself; its values differ by exactly b - a when it is opened, and by at most as much after every other move, by induction.

mod playouts;
mod prover;
mod search;

pub use playouts::SafePlayouts;
pub use prover::ExactEndings;
