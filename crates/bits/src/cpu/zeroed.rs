//! Memory that is zero without having been touched.

use std::sync::atomic::AtomicU64;

/// So many words that are 0. A large list takes its memory from the system page by page, when it is used: measured, a table
/// of 1 GiB is there in a microsecond, while writing it word by word took 4 s on a busy machine.
pub fn zeroed_words(n: usize) -> Box<[AtomicU64]> {
    // SAFETY: an atomic integer has the representation of the integer, for which all bits 0 is a value.
    unsafe { Box::<[AtomicU64]>::new_zeroed_slice(n).assume_init() }
}

/// Bytes of a huge page of x86-64 and of most others.
pub const HUGE_PAGE: usize = 2 << 20;
/// `MADV_HUGEPAGE` of Linux, madvise(2).
#[cfg(target_os = "linux")]
const ADVICE: std::ffi::c_int = 14;

#[cfg(target_os = "linux")]
unsafe extern "C" {
    /// madvise(2), of the C library that the standard library is linked with.
    fn madvise(begin: *mut std::ffi::c_void, n_bytes: usize, advice: std::ffi::c_int) -> std::ffi::c_int;
}

/// Advises the system to use huge pages for a large table that is read at random and has not been used: fewer of the reads miss the
/// TLB. The system may ignore the advice. The first use of a huge page may take milliseconds, so this is not for a search that is to
/// end in time. (Measured: Dots and Boxes 3x5 from the start on two threads with a table of 1 GiB 1.8 million positions a second
/// instead of 1.3, `bench/results/2026-11-25-amd-epyc/dots-small-boards.txt`; but moves of 0.1 s took up to 0.8 s on a virtual
/// machine, `experiments/best`.)
#[cfg(target_os = "linux")]
pub fn advise_huge_pages(words: &[AtomicU64]) {
    let begin = words.as_ptr().addr().next_multiple_of(HUGE_PAGE);
    let end = words.as_ptr_range().end.addr() / HUGE_PAGE * HUGE_PAGE;
    if begin < end {
        let first = words.as_ptr().with_addr(begin).cast_mut();
        // SAFETY: the pages lie within `words`, and this advice changes neither what they hold nor who may use them.
        unsafe { madvise(first.cast(), end - begin, ADVICE) };
    }
}

/// Without effect on this system.
#[cfg(not(target_os = "linux"))]
pub fn advise_huge_pages(_words: &[AtomicU64]) {}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn all_words_are_there_and_zero() {
        for (n, is_huge) in [0, 1, 7, 100_000, 1 << 20, 3_000_001].into_iter().flat_map(|n| [(n, false), (n, true)]) {
            let words = zeroed_words(n);
            if is_huge {
                advise_huge_pages(&words);
            }
            assert_eq!(words.len(), n);
            assert!(words.iter().all(|word| word.fetch_add(1, Relaxed) == 0));
            assert!(words.iter().all(|word| word.load(Relaxed) == 1));
        }
    }
}
