//! Sorting of short lists in little code: a standard sort is eight kilobytes for every type and every order, and searches are
//! compiled for many games.

/// Sorts by exchanging neighbours: stable, quick for lists of some hundred items or lists that are nearly sorted, quadratic
/// otherwise. `before` tells whether its first argument has to stand before the second one.
pub fn sort_short<T>(items: &mut [T], mut before: impl FnMut(&T, &T) -> bool) {
    for sorted in 1..items.len() {
        let mut at = sorted;
        while at > 0 && before(&items[at], &items[at - 1]) {
            items.swap(at, at - 1);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn lists_are_sorted_as_by_the_standard_sort() {
        let mut rng = Rng::new(1);
        for len in 0..60 {
            // Few keys, so that the order of equals shows.
            let list: Vec<(u32, usize)> = (0..len).map(|place| (rng.below(6), place)).collect();
            let (mut ours, mut theirs) = (list.clone(), list);
            sort_short(&mut ours, |a, b| a.0 > b.0);
            theirs.sort_by_key(|&(key, _)| std::cmp::Reverse(key));
            assert_eq!(ours, theirs);
        }
    }
}
