//! Luck that is the same on every machine and for every build: a failing case is named by its seed and its number alone.

/// SplitMix64 (Steele, Lea and Flood 2014). Not of `rand`, whose generators may change between versions, and then recorded seeds would mean
/// other cases.
pub struct Luck(u64);

impl Luck {
    /// The luck of one case of one kind.
    pub fn of_case(seed: u64, kind: &str, number: u64) -> Self {
        let hash = blake3::hash(format!("{seed} {kind} {number}").as_bytes());
        let first = hash.as_bytes().first_chunk().expect("a hash has 32 bytes");
        Self(u64::from_le_bytes(*first))
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `most`; 0 where there is none.
    pub fn below(&mut self, most: usize) -> usize {
        if most == 0 { 0 } else { (self.next() % most as u64) as usize }
    }

    pub fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}
