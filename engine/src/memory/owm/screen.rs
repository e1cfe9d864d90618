//! Keeps what could be among the best, from scores that are nearly right.

/// Scores that are kept beyond twice the limit before they are sifted.
const ROOM: usize = 32;
/// Scores below this are too near the end of single precision to be told apart.
const DUST: f32 = 1e-30;

/// The places whose true score could be among the `limit` best, when each score is off by at most a known share of itself.
#[derive(Debug)]
pub(super) struct Screen {
    limit: usize,
    /// What of the `limit`th best score is certainly below it.
    share: f32,
    /// Scores below this can't be among the best.
    cut: f32,
    kept: Vec<(f32, u32)>,
    room: usize,
}

impl Screen {
    /// An empty screen for scores with a relative error.
    pub(super) fn new(limit: usize, error: f64) -> Self {
        let room = ROOM + 2 * limit;
        let share = (1.0 - 3.0 * error) as f32;
        Self { limit, share, cut: f32::NEG_INFINITY, kept: Vec::with_capacity(room), room }
    }

    /// Scores below this can't be among the best.
    pub(super) const fn cut(&self) -> f32 {
        self.cut
    }

    /// Looks at the scores of places that follow each other.
    pub(super) fn look(&mut self, first: u32, scores: &[f32]) {
        let mut best = f32::NEG_INFINITY;
        for &score in scores {
            best = if score > best { score } else { best };
        }
        if best < self.cut {
            return;
        }
        let places = scores.iter().zip(first..).filter(|(score, _)| **score >= self.cut);
        self.kept.extend(places.map(|(score, place)| (*score, place)));
        if self.kept.len() >= self.room {
            self.sift();
            // Where everything is alike, nothing can be left out.
            self.room = (ROOM + 2 * self.limit).max(2 * self.kept.len());
        }
    }

    fn sift(&mut self) {
        if self.limit == 0 || self.kept.len() <= self.limit {
            return;
        }
        let (_, worst_of_best, _) =
            self.kept.select_nth_unstable_by(self.limit - 1, |a, b| b.0.total_cmp(&a.0));
        self.cut = worst_of_best.0 * self.share - DUST;
        let cut = self.cut;
        self.kept.retain(|(score, _)| *score >= cut);
    }

    /// What is left, in rising order.
    pub(super) fn into_places(mut self) -> Vec<u32> {
        self.sift();
        let mut places: Vec<u32> = self.kept.into_iter().map(|(_, place)| place).collect();
        places.sort_unstable();
        places
    }
}
