//! Top-k pruning with error bounds: keeps every place that could be among the best, from approximate scores. The replay utility and the
//! recall of outcome-weighted memory pass it the fast scores of `wide` and then score exactly what is left (exact re-ranking); scores have
//! no unit and are at least 0. More places than the limit may be left, and never one too few, if no score is further off than its
//! `ErrorBound`. It exists because exact scores of millions of episodes would take too long, and approximate ones alone would change
//! results.

/// Scores that are kept beyond the limit before it is worth sifting them: a sift looks at all that are kept, so it should be rare.
const ROOM: usize = 64;
/// Scores below this are too near the end of single precision to be distinguished.
const DUST: f64 = 1e-30;

/// Errors that a score must be below another by: one for each of the two, and a little for the roundings of the sum.
const MARGIN: f64 = 2.1;

/// The error bound of scores: how far they may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorBound {
    /// As a share of the score; below 0.1.
    pub relative: f64,
    /// On top of that.
    pub absolute: f64,
}

/// The places whose true score could be among the `limit` best (top-k candidates), when no score is further off than its error bound.
#[derive(Debug)]
pub struct Screen {
    limit: usize,
    error: ErrorBound,
    /// Scores below this can't be among the best.
    cut: f32,
    kept: Vec<(f32, u32)>,
    /// As many are kept before they are sifted.
    room: usize,
}

impl Screen {
    /// An empty screen for the top `limit` values.
    pub fn new(limit: usize, error: ErrorBound) -> Self {
        let room = ROOM + limit;
        Self { limit, error, cut: f32::NEG_INFINITY, kept: Vec::with_capacity(2 * room), room }
    }

    /// Leaves out what is certainly not above a true score (threshold).
    pub fn above(mut self, least: f64) -> Self {
        self.cut = self.below(least);
        self
    }

    /// Scores below this can't be among the best (top-k threshold).
    #[inline(always)]
    pub const fn cut(&self) -> f32 {
        self.cut
    }

    /// Takes in some places and their scores, and keeps those that could be among the best. A NaN is dropped.
    #[inline(always)]
    pub fn look(&mut self, scored: impl Iterator<Item = (u32, f32)>) {
        let cut = self.cut;
        for (place, score) in scored {
            if score >= cut {
                self.kept.push((score, place));
            }
        }
        if self.kept.len() >= self.room {
            self.sift();
            // Where everything is alike, nothing can be left out.
            self.room = (ROOM + self.limit).max(2 * self.kept.len());
        }
    }

    /// Looks as `look` does, at scores of places that follow each other from `first`.
    #[inline(always)]
    pub fn look_along(&mut self, first: u32, scores: &[f32]) {
        let mut best = f32::NEG_INFINITY;
        for &score in scores {
            best = if score > best { score } else { best };
        }
        if best >= self.cut {
            self.look((first..).zip(scores.iter().copied()));
        }
    }

    /// Below which score the true one is certainly below those of which this is one. Once for each of the two that are compared, and
    /// a little more, so that its own roundings don't matter.
    fn below(&self, score: f64) -> f32 {
        (score * (1.0 - MARGIN * self.error.relative) - MARGIN * self.error.absolute - DUST) as f32
    }

    fn sift(&mut self) {
        if self.limit == 0 || self.kept.len() <= self.limit {
            return;
        }
        let (_, &mut (worst_of_best, _), _) =
            self.kept.select_nth_unstable_by(self.limit - 1, |a, b| b.0.total_cmp(&a.0));
        let cut = self.below(worst_of_best.into());
        self.cut = if cut > self.cut { cut } else { self.cut };
        let cut = self.cut;
        self.kept.retain(|(score, _)| *score >= cut);
    }

    /// Returns the candidates that are left, in any order.
    pub fn into_places(mut self) -> Vec<u32> {
        self.sift();
        self.kept.into_iter().map(|(_, place)| place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// However the scores are off within the error, the best by their true scores are among what is left.
        #[test]
        fn the_best_are_never_left_out(
            scores in prop::collection::vec((0.0_f64..1.0, -1.0_f64..1.0), 1..400),
            limit in 1_usize..20,
            relative in 0.0_f64..0.09,
            absolute in 0.0_f64..0.01,
        ) {
            let mut screen = Screen::new(limit, ErrorBound { relative, absolute });
            for (place, (truth, off)) in scores.iter().enumerate() {
                let found = (truth + off * (relative * truth + absolute)) as f32;
                screen.look(std::iter::once((place as u32, found)));
            }
            let left = screen.into_places();
            let mut best: Vec<u32> = (0..scores.len() as u32).collect();
            best.sort_by(|a, b| scores[*b as usize].0.total_cmp(&scores[*a as usize].0));
            for place in best.iter().take(limit) {
                prop_assert!(left.contains(place), "{place} of {left:?}");
            }
        }
    }

    #[test]
    fn scores_not_above_the_least_are_left_out() {
        let mut screen = Screen::new(4, ErrorBound { relative: 0.01, absolute: 0.0 }).above(0.5);
        screen.look_along(7, &[0.1, 0.49, 0.9, 0.3]);
        let mut places = screen.into_places();
        places.sort_unstable();
        assert_eq!(places, [8, 9]);
    }
}
