//! Thrift's compact protocol, as far as is needed to walk through a structure without keeping any of it.
//! <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md>
//!
//! It serves to check the footer and the page headers of Parquet (varint, zigzag, struct, list) before the Parquet reader allocates by what
//! they claim. A length that the bytes can't hold is refused. Nothing is kept, so that a hostile structure costs no memory.

/// Deepest nesting; Parquet's own structures have six levels.
const DEPTH_MAX: u8 = 32;

/// Kinds of values that are of use here.
pub(crate) const I32: u8 = 5;
pub(crate) const STRUCT: u8 = 12;

/// A cursor over bytes in Thrift's encoding; every `None` is bytes that end too early or can't be.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    depth: u8,
}

impl<'a> Reader<'a> {
    /// Begins at the first byte of a Thrift structure (Thrift compact protocol reader).
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, depth: 0 }
    }

    /// The number of bytes that remain.
    pub(super) fn left(&self) -> usize {
        self.bytes.len()
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, left) = self.bytes.split_at_checked(count)?;
        self.bytes = left;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|taken| taken[0])
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// Reads a whole number of any width (zigzag varint).
    pub(super) fn whole(&mut self) -> Option<i64> {
        let value = self.unsigned()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// Hands over each field of a structure with its number and kind; the callback must read its value or skip it (struct fields).
    pub(super) fn fields(&mut self, mut take: impl FnMut(&mut Self, i64, u8) -> Option<()>) -> Option<()> {
        let mut number = 0;
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return None;
        }
        loop {
            let head = self.byte()?;
            if head == 0 {
                self.depth -= 1;
                return Some(());
            }
            number = if head >> 4 == 0 { self.whole()? } else { number.wrapping_add(i64::from(head >> 4)) };
            take(self, number, head & 15)?;
        }
    }

    /// Walks through a structure (skip a Thrift struct).
    pub(crate) fn skip_struct(&mut self) -> Option<()> {
        self.fields(|reader, _, kind| reader.skip(kind))
    }

    /// Walks through the value of a field (skip a Thrift value).
    pub(super) fn skip(&mut self, kind: u8) -> Option<()> {
        match kind {
            // True and false stand in the field's head.
            1 | 2 => Some(()),
            3 => self.byte().map(drop),
            4..=6 => self.unsigned().map(drop),
            7 => self.take(8).map(drop),
            8 => {
                let length = self.unsigned()?;
                self.take(usize::try_from(length).ok()?).map(drop)
            }
            9 | 10 => self.skip_list(),
            11 => self.skip_map(),
            STRUCT => self.skip_struct(),
            _ => None,
        }
    }

    /// An element of a list or a map; there true and false take a byte.
    fn skip_element(&mut self, kind: u8) -> Option<()> {
        if matches!(kind, 1 | 2) { self.byte().map(drop) } else { self.skip(kind) }
    }

    fn skip_list(&mut self) -> Option<()> {
        let head = self.byte()?;
        let length = if head >> 4 == 15 { self.unsigned()? } else { u64::from(head >> 4) };
        self.elements(length, |reader| reader.skip_element(head & 15))
    }

    fn skip_map(&mut self) -> Option<()> {
        let length = self.unsigned()?;
        if length == 0 {
            return Some(());
        }
        let kinds = self.byte()?;
        self.elements(length, |reader| {
            reader.skip_element(kinds >> 4)?;
            reader.skip_element(kinds & 15)
        })
    }

    /// Every element takes a byte at least, so that no length is believed that the bytes can't hold.
    fn elements(&mut self, length: u64, mut skip: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.depth += 1;
        if self.depth > DEPTH_MAX || length > self.bytes.len() as u64 {
            return None;
        }
        for _ in 0..length {
            skip(self)?;
        }
        self.depth -= 1;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_walked_through_to_their_end() {
        // Field 1: i32 −3; field 2: text "ab"; field 3: a list of two i64; field 4: true; then the end and a byte behind it.
        let bytes = [0x15, 5, 0x18, 2, b'a', b'b', 0x19, 0x26, 2, 4, 0x11, 0, 99];
        let mut reader = Reader::new(&bytes);
        let mut first = None;
        reader
            .fields(|reader, number, kind| match number {
                1 => {
                    first = reader.whole();
                    Some(())
                }
                _ => reader.skip(kind),
            })
            .unwrap();
        assert_eq!((first, reader.left()), (Some(-3), 1));
        for length in 0..bytes.len() - 1 {
            assert_eq!(Reader::new(&bytes[..length]).skip_struct(), None, "cut to {length}");
        }
    }

    #[test]
    fn no_length_is_believed_that_the_bytes_cant_hold() {
        // A list of 2³² − 1 structures in twelve bytes, and lists within lists without end.
        let long = [0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0, 0];
        assert_eq!(Reader::new(&long).skip_struct(), None);
        let deep: Vec<u8> = [0x19].into_iter().chain([0x19; 10_000]).collect();
        assert_eq!(Reader::new(&deep).skip_struct(), None);
    }
}
