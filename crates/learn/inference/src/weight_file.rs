//! The weights of a game, in the program or in a file beside it.

use std::sync::OnceLock;

use banyan_core::{TextError, mix};

/// Weights that a program contains or, where every byte is a download, loads from a file when their game is first searched.
#[derive(Debug)]
pub struct WeightFile {
    /// The name of the file.
    pub name: &'static str,
    /// Its number of bytes.
    pub n_bytes: usize,
    /// Its [`digest`](WeightFile::digest_of): others are refused.
    pub digest: u64,
    /// The bytes in the program.
    embedded: Option<&'static [u8]>,
    loaded: OnceLock<Box<[u8]>>,
}

impl WeightFile {
    /// A file of `n_bytes` bytes with this digest, which is in the program, or else is to be [loaded](WeightFile::load).
    pub const fn new(name: &'static str, n_bytes: usize, digest: u64, embedded: Option<&'static [u8]>) -> WeightFile {
        WeightFile { name, n_bytes, digest, embedded, loaded: OnceLock::new() }
    }

    /// Whether the weights are there.
    pub fn is_loaded(&self) -> bool {
        self.embedded.is_some() || self.loaded.get().is_some()
    }

    /// The weights.
    ///
    /// # Panics
    /// They are neither in the program nor loaded.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.embedded.or_else(|| self.loaded.get().map(|bytes| &**bytes)).unwrap_or_else(|| self.missing())
    }

    #[cold]
    fn missing(&self) -> ! {
        panic!("{}: the weights are not loaded", self.name)
    }

    /// Takes the weights from the bytes of the file. Weights that are there already stay.
    ///
    /// # Errors
    /// A file of another size or with other bytes.
    pub fn load(&self, bytes: Vec<u8>) -> Result<(), TextError> {
        let expected = || format!("expected the {} bytes that belong to this version", self.n_bytes);
        let refused = |found: String| TextError::new(found, expected(), "load the file again");
        if bytes.len() != self.n_bytes {
            return Err(refused(format!("{}: {} bytes", self.name, bytes.len())));
        }
        if WeightFile::digest_of(&bytes) != self.digest {
            return Err(refused(format!("{}: damaged, or of another version", self.name)));
        }
        let _ = self.loaded.set(bytes.into_boxed_slice());
        Ok(())
    }

    /// A digest of the bytes of a file.
    pub fn digest_of(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0, |digest, &byte| mix(digest ^ u64::from(byte)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: &[u8] = &[1, 2, 3];

    fn file(embedded: Option<&'static [u8]>) -> WeightFile {
        WeightFile::new("small.weights", 3, WeightFile::digest_of(BYTES), embedded)
    }

    #[test]
    fn weights_are_embedded_or_loaded() {
        assert!(file(Some(BYTES)).is_loaded());
        assert_eq!(file(Some(BYTES)).bytes(), BYTES);
        let file = file(None);
        assert!(!file.is_loaded());
        for damaged in [vec![], vec![1, 2], vec![1, 2, 4], vec![2, 1, 3]] {
            let refusal = file.load(damaged).expect_err("not these").to_string();
            assert!(refusal.starts_with("small.weights: "), "{refusal}");
        }
        assert!(!file.is_loaded());
        file.load(BYTES.to_vec()).expect("the weights");
        file.load(BYTES.to_vec()).expect("the same again");
        assert_eq!(file.bytes(), BYTES);
    }

    #[test]
    #[should_panic(expected = "small.weights: the weights are not loaded")]
    fn weights_that_are_not_there_are_not_used() {
        file(None).bytes();
    }
}
