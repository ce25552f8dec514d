//! Copies words that others may write to.

use super::sync::AtomicU32;

/// Copies `from` to `to`, which is as long. Every word is one that was there while it was copied, as with a relaxed load of
/// each, but words of the same moment they need not be.
#[inline(always)]
pub(super) fn copy(from: &[AtomicU32], to: &mut [u32]) {
    assert_eq!(from.len(), to.len());
    let done = copy_fours(from, to);
    for (word, to) in from[done..].iter().zip(&mut to[done..]) {
        *to = word.load(super::sync::Ordering::Relaxed);
    }
}

/// Copies four words at a time as far as that goes; returns how many words.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn copy_fours(from: &[AtomicU32], to: &mut [u32]) -> usize {
    let n = from.len().min(to.len()) & !3;
    let (mut source, mut target) = (from.as_ptr(), to.as_mut_ptr());
    for _ in 0..n / 4 {
        // SAFETY: both pointers have four words before them, since this is done a quarter as often as both lists are long.
        // A compiler's own vector load must not race with writes, so it is written as an instruction: this processor
        // family loads each aligned word of a vector at once, which makes it four relaxed loads. Copying word by word
        // instead costs a simulation TODO.
        unsafe {
            std::arch::asm!(
                "movdqu {words}, [{source}]",
                "movdqu [{target}], {words}",
                words = out(xmm_reg) _,
                source = in(reg) source,
                target = in(reg) target,
                options(nostack, preserves_flags)
            );
            (source, target) = (source.add(4), target.add(4));
        }
    }
    n
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
fn copy_fours(_: &[AtomicU32], _: &mut [u32]) -> usize {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_are_copied_and_none_beside_them() {
        for n in 0..70u32 {
            let from: Vec<AtomicU32> = (0..n + 9).map(|i| AtomicU32::new(i * i + 1)).collect();
            let mut to = vec![0; n as usize + 2];
            copy(&from[5..n as usize + 5], &mut to[1..=n as usize]);
            let expected: Vec<u32> = (5..n + 5).map(|i| i * i + 1).collect();
            assert_eq!(to[1..=n as usize], expected);
            assert_eq!((to[0], to[n as usize + 1]), (0, 0), "{n} words");
        }
    }
}
