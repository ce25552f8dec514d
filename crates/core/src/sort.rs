//! Sorting in little code: a standard sort is eight kilobytes for every type and every order, and searches are compiled for many
//! games. Used per move, never per ply.

/// Sorts stably. `before` tells whether its first argument has to stand before the second one.
pub fn sort_by_order<T>(items: &mut [T], mut before: impl FnMut(&T, &T) -> bool) {
    let order = merge_sorted(items.len(), &mut |a, b| before(&items[a], &items[b]));
    for place in 0..items.len() {
        // What stood here may have been exchanged for another, which is found where that came from.
        let mut from = order[place];
        while from < place {
            from = order[from];
        }
        items.swap(place, from);
    }
}

/// The numbers below `n` in the order that `before` asks for: a merge sort, compiled once for all types.
fn merge_sorted(n: usize, before: &mut dyn FnMut(usize, usize) -> bool) -> Vec<usize> {
    let (mut order, mut merged) = ((0..n).collect::<Vec<usize>>(), Vec::with_capacity(n));
    let mut width = 1;
    while width < n {
        for pair in order.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let (Some((&a, rest_left)), Some((&b, rest_right))) = (left.split_first(), right.split_first()) {
                // Of equals the left one comes first.
                if before(b, a) {
                    merged.push(b);
                    right = rest_right;
                } else {
                    merged.push(a);
                    left = rest_left;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(&mut order, &mut merged);
        merged.clear();
        width *= 2;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn lists_are_sorted_as_by_the_standard_sort() {
        let mut rng = Rng::new(1);
        for len in 0..100 {
            // Few keys, so that the order of equals shows.
            let list: Vec<(u32, usize)> = (0..len).map(|place| (rng.below(6), place)).collect();
            let (mut ours, mut theirs) = (list.clone(), list);
            sort_by_order(&mut ours, |a, b| a.0 > b.0);
            theirs.sort_by_key(|&(key, _)| std::cmp::Reverse(key));
            assert_eq!(ours, theirs);
        }
    }
}
