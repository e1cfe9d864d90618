//! Directions of embeddings at half the bytes, for a fast pass over all episodes.
//!
//! Unit vectors in numbers of 16 bits, the upper halves of single precision; sixteen episodes side by side, so that vectors of any
//! width work on as many episodes at once and no sum goes across lanes: sums have the same order, and bits, at every width. The numbers are
//! bfloat16 (quantisation to half precision) of unit vectors, and the dot product of two is their cosine similarity, 0 to 1 after clamping.
//! Rounding errors are bounded and known, so a pass that prunes by them loses no result (SIMD scan with an error bound). The pass chooses
//! what is replayed; one episode whose numbers aren't finite, or whose embedding is extremely short or long (`Outline::is_trusted`), turns
//! it off, and all are scored exactly.

use morta_base::wide::unit;

/// Episodes side by side.
pub(crate) const LANES: usize = 16;

/// The bits of 2⁻⁴⁰, as good as 0: with nothing above the lower half, processors would slow down.
const LEAST: u32 = (127 - 40) << 23;

/// Two numbers of each of sixteen episodes: the first is what the lower half is the upper half of; the second is the whole, of which
/// the lower half only adds what is lost by half in the rounding of the upper.
type Pairs = [u32; LANES];

/// The directions of all episodes, by slot: a quantised vector index for nearest neighbour search by brute force.
#[derive(Clone, Debug, Default)]
pub(crate) struct Directions {
    /// Pairs of numbers of one direction.
    pairs: usize,
    len: usize,
    /// Group by group, all pairs of it.
    words: Vec<Pairs>,
    /// The largest rounding error of any direction so far, as a distance.
    furthest: f64,
}

impl Directions {
    /// No directions yet, of embeddings of a length.
    pub(super) const fn new(dimensions: usize) -> Self {
        Self { pairs: dimensions.div_ceil(2), len: 0, words: Vec::new(), furthest: 0.0 }
    }

    /// Adds the next slot's: an embedding and one over its length, 0 if that is 0.
    pub(super) fn push(&mut self, embedding: &[f32], inverse_length: f32) {
        if self.len.is_multiple_of(LANES) {
            self.words.resize(self.words.len() + self.pairs, [0; LANES]);
        }
        let lane = self.len % LANES;
        self.len += 1;
        let group = self.words.len() - self.pairs..;
        let mut off = 0.0;
        for (pairs, two) in self.words[group].iter_mut().zip(embedding.chunks(2)) {
            let [x, y] = scaled(two, inverse_length);
            pairs[lane] = packed(x, y);
            let [found_x, found_y] = unpacked(pairs[lane]);
            let (off_x, off_y) = (f64::from(found_x - x), f64::from(found_y - y));
            off += off_x * off_x + off_y * off_y;
        }
        self.furthest = self.furthest.max(off.sqrt());
    }

    /// Takes a slot out; the last moves into its place.
    pub(super) fn swap_remove(&mut self, slot: usize) {
        let last = self.len - 1;
        let (to, from) = (slot / LANES * self.pairs, last / LANES * self.pairs);
        for nth in 0..self.pairs {
            self.words[to + nth][slot % LANES] = self.words[from + nth][last % LANES];
            self.words[from + nth][last % LANES] = 0;
        }
        self.len = last;
        self.words.truncate(last.div_ceil(LANES) * self.pairs);
    }

    /// The largest error of a likeness by the sixteen bits: by the Cauchy–Schwarz inequality, that of a direction. A pass leaves out only
    /// episodes that are worse by more.
    pub(crate) const fn error(&self) -> f64 {
        self.furthest
    }

    /// Likenesses of the sixteen slots from `group`·16 to a direction, clamped to [0, 1]; of slots that there aren't, 0.
    #[inline(always)]
    pub(crate) fn likenesses(&self, group: usize, now: &Direction, likenesses: &mut [f32; LANES]) {
        let words = &self.words[group * self.pairs..(group + 1) * self.pairs];
        // Sums of their own, so that an addition needn't wait for the one before.
        let [mut a, mut b, mut c, mut d] = [[0.0_f32; LANES]; 4];
        let (words, last) = words.as_chunks::<2>();
        let (now, last_now) = now.0.as_chunks::<2>();
        for ([one, two], [now_one, now_two]) in words.iter().zip(now) {
            add(&mut a, &mut b, one, now_one);
            add(&mut c, &mut d, two, now_two);
        }
        for (pairs, now) in last.iter().zip(last_now) {
            add(&mut a, &mut b, pairs, now);
        }
        for lane in 0..LANES {
            likenesses[lane] = unit((a[lane] + b[lane]) + (c[lane] + d[lane]));
        }
    }

    /// The numbers of a slot.
    #[cfg(test)]
    pub(super) fn numbers(&self, slot: usize) -> Vec<f32> {
        let group = &self.words[slot / LANES * self.pairs..][..self.pairs];
        group.iter().flat_map(|pairs| unpacked(pairs[slot % LANES])).collect()
    }
}

#[inline(always)]
fn add(even: &mut [f32; LANES], odd: &mut [f32; LANES], pairs: &Pairs, [x, y]: &[f32; 2]) {
    for lane in 0..LANES {
        let [first, second] = unpacked(pairs[lane]);
        even[lane] += first * x;
        odd[lane] += second * y;
    }
}

/// A query vector of unit length, to compare with the directions of episodes.
#[derive(Clone, Debug)]
pub(crate) struct Direction(Box<[[f32; 2]]>);

impl Direction {
    /// The direction of an embedding, with one over its length, or 0 if that is 0.
    pub(crate) fn from_embedding(embedding: &[f32], inverse_length: f32) -> Self {
        Self(embedding.chunks(2).map(|two| scaled(two, inverse_length)).collect())
    }
}

fn scaled(two: &[f32], factor: f32) -> [f32; 2] {
    [0, 1].map(|nth| two.get(nth).map_or(0.0, |x| x * factor))
}

/// Two numbers as they are stored, each as near as can be. A NaN is stored as anything: one such episode turns the fast pass
/// off (`Outline::is_trusted`).
fn packed(x: f32, y: f32) -> u32 {
    let (x, y) = (x.to_bits(), y.to_bits());
    let low = x.wrapping_add(0x7FFF + (x >> 16 & 1)) >> 16;
    // The upper half for which the whole, lower half and all, comes nearest.
    let (sign, size) = (y & 1 << 31, y & !(1 << 31));
    sign | size.saturating_sub(low).wrapping_add(0x8000).max(LEAST) & 0x7FFF_0000 | low
}

#[inline(always)]
const fn unpacked(pair: u32) -> [f32; 2] {
    [f32::from_bits(pair << 16), f32::from_bits(pair)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::dot::{cosine_similarity, square};
    use proptest::prelude::*;

    fn inverse_length(x: &[f32]) -> f32 {
        let square = square(x);
        if square > 0.0 { 1.0 / square.sqrt() } else { 0.0 }
    }

    fn directions_of(embeddings: &[Vec<f32>], dimensions: usize) -> Directions {
        let mut directions = Directions::new(dimensions);
        embeddings.iter().for_each(|x| directions.push(x, inverse_length(x)));
        directions
    }

    #[test]
    fn numbers_come_near() {
        for (x, y) in
            [(0.3, 0.7), (-0.3, 1e-3), (0.999, -0.999), (1e-6, 0.0), (-1.0, 0.0), (0.0, -0.1), (1.0, 1.0)]
        {
            let [found_x, found_y] = unpacked(packed(x, y));
            let near = |found: f32, x: f32| (found - x).abs() <= x.abs() / 256.0 + 1e-12;
            assert!(near(found_x, x) && near(found_y, y), "{x} {y}: {found_x} {found_y}");
        }
    }

    proptest! {
        #[test]
        fn likenesses_are_cosines_but_for_the_rounding(
            dimensions in 1_usize..40,
            numbers in prop::collection::vec(-4.0_f32..4.0, 40 * 37),
            count in 1_usize..37,
        ) {
            let embeddings: Vec<Vec<f32>> =
                numbers.chunks(40).take(count).map(|all| all[..dimensions].to_vec()).collect();
            let now = &numbers[40 * 36..][..dimensions];
            let direction = Direction::from_embedding(now, inverse_length(now));
            let directions = directions_of(&embeddings, dimensions);
            for (slot, embedding) in embeddings.iter().enumerate() {
                let mut found = [0.0; LANES];
                directions.likenesses(slot / LANES, &direction, &mut found);
                let off = f64::from(found[slot % LANES]) - cosine_similarity(embedding, now).max(0.0);
                prop_assert!(off.abs() < directions.error() + 1e-6, "{off}");
                prop_assert!(directions.error() < 1.0 / 256.0);
            }
        }

        #[test]
        fn removals_leave_the_directions_of_the_remaining_entries(
            count in 1_usize..70,
            leaving in prop::collection::vec(0_usize..1_000, 0..60),
        ) {
            let mut embeddings: Vec<Vec<f32>> =
                (0..count).map(|nth| (0..5).map(|d| (nth * 5 + d) as f32 - 60.0).collect()).collect();
            let mut directions = directions_of(&embeddings, 5);
            for slot in leaving.into_iter().take(count) {
                let slot = slot % embeddings.len();
                directions.swap_remove(slot);
                embeddings.swap_remove(slot);
                prop_assert_eq!(&directions.words, &directions_of(&embeddings, 5).words);
            }
        }
    }
}
