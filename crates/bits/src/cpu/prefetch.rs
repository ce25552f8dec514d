//! Prefetching.

/// Prefetches the cache line of an element that will be read soon, if there is such an element. Changes no result.
///
/// Measured: with nodes prefetched as soon as their handles are known, searches of Connect Four on 12x12 with 300,000
/// playouts a move are 1.05 times as fast on an Intel Xeon.
#[inline(always)]
pub fn prefetch<T>(list: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(element) = list.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has SSE, and a prefetch never faults, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (list, index);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefetching_changes_no_memory() {
        let list: Vec<u32> = (0..100).collect();
        (0..102).chain([usize::MAX]).for_each(|index| prefetch(&list, index));
        prefetch::<u32>(&[], 0);
        assert_eq!(list.iter().sum::<u32>(), 4950);
    }
}
