//! A stable sort with a small code size: each instance of the standard sort takes eight kilobytes, and searches are
//! compiled for many games. Used per move, never per ply.

/// Sorts stably. `before(a, b)` is true if `a` must come before `b`.
pub fn sort_by_order<T>(items: &mut [T], mut before: impl FnMut(&T, &T) -> bool) {
    let order = merge_sorted(items.len(), &mut |a, b| before(&items[a], &items[b]));
    for place in 0..items.len() {
        // The item may have been swapped away by an earlier step; follow the chain to its present place.
        let mut from = order[place];
        while from < place {
            from = order[from];
        }
        items.swap(place, from);
    }
}

/// The numbers below `n` sorted by `before`: a merge sort, compiled once for all types.
fn merge_sorted(n: usize, before: &mut dyn FnMut(usize, usize) -> bool) -> Vec<usize> {
    let (mut order, mut merged) = ((0..n).collect::<Vec<usize>>(), Vec::with_capacity(n));
    let mut width = 1;
    while width < n {
        for pair in order.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at(width.min(pair.len()));
            while let (Some((&a, rest_left)), Some((&b, rest_right))) = (left.split_first(), right.split_first()) {
                // Stable: of equals the left one comes first.
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
            // Few distinct keys, so that stability is tested.
            let list: Vec<(u32, usize)> = (0..len).map(|place| (rng.below(6), place)).collect();
            let (mut ours, mut theirs) = (list.clone(), list);
            sort_by_order(&mut ours, |a, b| a.0 > b.0);
            theirs.sort_by_key(|&(key, _)| std::cmp::Reverse(key));
            assert_eq!(ours, theirs);
        }
    }
}
