//! Selective searches of a position before the exact one.
//!
//! A selective search takes a null window as decided where a shallow search of the evaluation is far enough beyond it (ProbCut: Buro
//! 1995, ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm). What it finds is no proof, so that it is kept
//! under separate keys: it gives a guess of the value, and the moves that the next search tries first. Positions with fewer
//! empty squares than [`FROM`] are searched exactly by all of them, so that they share the bounds.

use banyan_core::FINE;

/// Empty squares from which the evaluation may decide. This and the constants below: tuned by the nodes of FFO 40 to 44 and of 100
/// positions of 20 empty squares, few values each (`bench/results/2026-11-30-intel-xeon/reversi-endgames.txt`).
pub(super) const FROM: u32 = 13;
/// Least distance of the evaluation from the window at each level, in 1/16 of [`SPREAD`].
const MARGINS: [i32; 2] = [30, 70];
/// 1 / [`FINE`] discs, without empty squares and for each of them.
const SPREAD: [i32; 2] = [128, 3];
/// Plies of a search of the evaluation at most, a millisecond or two: no clock is read meanwhile.
const MOST_PLIES: u32 = 6;

/// Whether the evaluation may decide windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selectivity {
    /// It may: the lower the level, the more.
    Level(usize),
    /// It may not: the search is a proof.
    Exact,
}

impl Selectivity {
    /// The levels, in the order of the searches.
    pub(super) fn levels() -> impl Iterator<Item = Selectivity> {
        (0..MARGINS.len()).map(Selectivity::Level)
    }

    /// The one before.
    fn before(self) -> Option<Selectivity> {
        let before = match self {
            Selectivity::Level(number) => number.checked_sub(1)?,
            Selectivity::Exact => MARGINS.len() - 1,
        };
        Some(Selectivity::Level(before))
    }

    /// The key of the bounds that this search stores of a position with `n_empty` empty squares.
    #[inline(always)]
    pub(super) fn key(self, key: u64, n_empty: u32) -> u64 {
        match self {
            Selectivity::Level(number) if n_empty >= FROM => key ^ OTHER_KEYS.wrapping_mul(number as u64 + 1),
            _ => key,
        }
    }

    /// The key of the bounds that the search before has stored, if they are no proof.
    #[inline(always)]
    pub(super) fn key_before(self, key: u64, n_empty: u32) -> Option<u64> {
        (n_empty >= FROM).then(|| Some(self.before()?.key(key, n_empty))).flatten()
    }

    /// The evaluations that decide a null window above `alpha` in a position with `n_empty` empty squares, at most the first and at least the
    /// second, in 1 / [`FINE`] discs, and the plies of its search. `None` if no evaluation does.
    #[inline(always)]
    pub(super) fn trusted(self, alpha: i32, n_empty: u32) -> Option<((i32, i32), u32)> {
        match self {
            Selectivity::Level(number) if n_empty >= FROM => {
                let margin = MARGINS[number] * (SPREAD[0] + SPREAD[1] * n_empty as i32) / 16;
                Some(((FINE * alpha - margin, FINE * (alpha + 1) + margin), ((n_empty - 11) / 2).min(MOST_PLIES)))
            }
            _ => None,
        }
    }
}

/// An odd number whose multiples differ from the keys of positions by half of the bits.
const OTHER_KEYS: u64 = 0x5851_F42D_4C95_7F2D;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_search_has_its_own_keys_down_to_the_positions_that_all_prove() {
        let all = || Selectivity::levels().chain([Selectivity::Exact]);
        for (i, search) in all().enumerate() {
            assert_eq!(search.key(77, FROM - 1), 77);
            assert_eq!(search.trusted(3, FROM - 1), None);
            assert_eq!(search.key(77, FROM) == 77, search == Selectivity::Exact);
            assert!(all().skip(i + 1).all(|other| other.key(77, 20) != search.key(77, 20)));
            let before = i.checked_sub(1).and_then(|before| all().nth(before));
            assert_eq!(search.key_before(77, 20), before.map(|before| before.key(77, 20)));
            let trusted = search.trusted(3, 20);
            assert_eq!(trusted.is_none(), search == Selectivity::Exact);
            assert!(search.trusted(3, 60).is_none_or(|(_, depth)| depth == MOST_PLIES));
            assert!(trusted.is_none_or(|((least, most), _)| least < 3 * FINE && most > 4 * FINE));
        }
    }
}
