//! A rolling content hash of a sequence of records: a BLAKE3 checksum (hash chain) for reproducibility. The laboratory records every
//! event of a run in it; the result is the digest of the run's manifest, by which `morta verify` compares runs. Cells of a sweep and
//! replayed bars have such digests too. It is over records and not files, so that compression and columns of tables make no difference.
//! It proves equality, not authorship. `hex_of` is the plain hash of bytes, such as the key of a model call, the identity of a scenario
//! or the seal of a sweep's cell.

use serde::Serialize;
use std::fmt;

/// A BLAKE3 hash (checksum) of a sequence of records, each encoded with postcard: compact, in the order of fields, without maps.
///
/// Two runs with the same digest made the same records in the same order.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    hasher: blake3::Hasher,
    buffer: Vec<u8>,
}

impl Digest {
    /// Adds one record (hash update).
    pub fn record<T: Serialize + fmt::Debug>(&mut self, record: &T) {
        // One buffer is kept for all records instead of an allocation for each: a run has millions.
        self.buffer.clear();
        let buffer = std::mem::take(&mut self.buffer);
        self.buffer =
            postcard::to_extend(record, buffer).expect("records are plain data, which postcard encodes");
        // The length first, because otherwise bytes could move from the end of one record to the next without a change of the digest.
        self.hasher.update(&(self.buffer.len() as u64).to_le_bytes());
        self.hasher.update(&self.buffer);
    }

    /// The hash of all records so far, as bytes.
    pub fn value(&self) -> [u8; 32] {
        *self.hasher.finalize().as_bytes()
    }

    /// The hash of all records so far, as 64 hexadecimal digits.
    pub fn hex(&self) -> String {
        self.hasher.finalize().to_hex().to_string()
    }
}

/// Hashes some bytes by BLAKE3, to 64 hexadecimal digits.
pub fn hex_of(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_between_records_count() {
        let (mut a, mut b) = (Digest::default(), Digest::default());
        a.record(&"ab");
        a.record(&"c");
        b.record(&"a");
        b.record(&"bc");
        assert_ne!(a.hex(), b.hex());
    }

    /// The published BLAKE3 test vector for the empty input.
    #[test]
    fn empty_digest_is_blake3_of_nothing() {
        assert_eq!(
            Digest::default().hex(),
            "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"
        );
    }
}
