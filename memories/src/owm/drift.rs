//! Drift detection on outcomes (drift test, drift detector, alarm threshold, drift parameters with default values; digest section 7):
//! two-sided CUSUM (Page 1954), Page-Hinkley, and the original's binary CUSUM. It is change-point detection (concept drift) on a stream of
//! results in R, one detector for each strategy and symbol. The document names the first two tests and gives no parameters; they are ours.
//! The third is there because the original has it. The default is the two-sided CUSUM, which uses its first 20 outcomes as its reference.
//! Sums aren't reset by an alarm, so an alarm lasts until its sum has fallen again. `super::procedural` feeds it each closed trade with a
//! known R. A drift is only reported: no stake, belief or recall depends on it.

use morta_base::keys;
use morta_base::moments::{mean, population_deviation};
use serde::{Deserialize, Serialize};

/// The least standard deviation that outcomes are divided by, in R. Without it, a reference of nearly equal outcomes would make an alarm of any
/// other outcome.
const LEAST_SPREAD_R: f64 = 0.5;

morta_base::words! {
    /// How drift is found.
    pub enum DriftTest: Key {
        /// Sums of what outcomes differ by from a frozen reference, up and down.
        Cusum = "cusum",
        /// Sums of what outcomes differ by from their own running mean, up and down.
        PageHinkley = "page_hinkley",
        /// Sums of wins over one half; it sees improvement only.
        BinaryCusum = "binary_cusum",
    }
}

keys! {
    /// The `drift` table.
    pub struct DriftConfig {
        /// The test.
        test: DriftTest = DriftTest::Cusum;
        /// First outcomes that make the reference of the CUSUM; drift is looked for after them.
        reference_trades: u32 = 20, in 2..=100_000, "outcomes";
        /// What a CUSUM forgives at each outcome, in standard deviations (shares of a win for the binary one).
        allowance: f64 = 0.5, in 0.0..=10.0, "standard deviations";
        /// A CUSUM above this is an alarm.
        threshold: f64 = 4.0, in 1e-6..=1_000.0, "standard deviations";
        /// What Page-Hinkley forgives at each outcome, in R.
        delta: f64 = 0.1, in 0.0..=10.0, "R";
        /// A Page-Hinkley sum above this is an alarm.
        lambda: f64 = 5.0, in 1e-6..=1_000.0, "R";
    }
}

morta_base::words! {
    /// Direction of a drift (regime change): improving, degrading, or both.
    pub enum DriftDirection {
        /// Outcomes have become better.
        Improving = "improving",
        /// Outcomes have become worse.
        Degrading = "degrading",
        /// Both alarms are set: outcomes have become more extreme, or moved in one direction and then in the other.
        Shifting = "shifting",
    }
}

/// The result of a drift test after an outcome: the change-point alarm and its size (drift detection).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// Direction of the drift; `None` without an alarm.
    pub direction: Option<DriftDirection>,
    /// The larger sum divided by the threshold; an alarm is above 1.
    pub magnitude: f64,
}

impl Drift {
    fn from_sums(up: f64, down: f64, threshold: f64) -> Self {
        let direction = match (up > threshold, down > threshold) {
            (true, true) => Some(DriftDirection::Shifting),
            (true, false) => Some(DriftDirection::Improving),
            (false, true) => Some(DriftDirection::Degrading),
            (false, false) => None,
        };
        Self { direction, magnitude: up.max(down) / threshold }
    }
}

/// A two-sided CUSUM of z = (r − μ₀)/max(½, s₀): g₊ ← max(0, g₊ + z − allowance), g₋ ← max(0, g₋ − z − allowance).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cusum {
    /// The reference mean μ₀, in R.
    mean_r: f64,
    /// The reference standard deviation s₀, in R, at least ½.
    spread_r: f64,
    /// The upper sum g₊, in standard deviations (`spread_r`), 0 or more.
    pub up: f64,
    /// The lower sum g₋, in standard deviations, 0 or more.
    pub down: f64,
}

impl Cusum {
    /// Makes a CUSUM detector against a reference mean and standard deviation, in R.
    pub fn new(mean_r: f64, spread_r: f64) -> Self {
        Self { mean_r, spread_r: spread_r.max(LEAST_SPREAD_R), up: 0.0, down: 0.0 }
    }

    /// Adds an outcome in R to both cumulative sums and tests them against the threshold (CUSUM update).
    pub fn take(&mut self, r: f64, config: &DriftConfig) -> Drift {
        let z = (r - self.mean_r) / self.spread_r;
        self.up = (self.up + z - config.allowance).max(0.0);
        self.down = (self.down - z - config.allowance).max(0.0);
        Drift::from_sums(self.up, self.down, config.threshold)
    }
}

/// Page-Hinkley: with mᵢ the running mean including rᵢ, U ← U + mᵢ − rᵢ − δ and PH = U − min(0, min U) for falls; mirrored for rises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PageHinkley {
    /// Outcomes so far.
    count: u32,
    /// Their sum, in R.
    total_r: f64,
    /// U of rises, then of falls, in R.
    sums: [f64; 2],
    /// The least value of each so far, 0 or below.
    least: [f64; 2],
}

impl PageHinkley {
    /// Adds an outcome in R to the running mean and both sums, and tests them against lambda (Page-Hinkley test).
    pub fn take(&mut self, r: f64, config: &DriftConfig) -> Drift {
        self.count += 1;
        self.total_r += r;
        let above = r - self.total_r / f64::from(self.count);
        for ((sum, least), rise) in self.sums.iter_mut().zip(&mut self.least).zip([above, -above]) {
            *sum += rise - config.delta;
            *least = least.min(*sum);
        }
        Drift::from_sums(self.rise(), self.fall(), config.lambda)
    }

    /// The sum of rises above its minimum (Page-Hinkley statistic).
    pub fn rise(&self) -> f64 {
        self.sums[0] - self.least[0]
    }

    /// The sum of falls above its minimum (Page-Hinkley statistic).
    pub fn fall(&self) -> f64 {
        self.sums[1] - self.least[1]
    }
}

/// A drift detector that takes outcomes one by one (change-point detection).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Detector {
    /// A CUSUM that gathers the outcomes of its reference. It reports no drift yet.
    Reference(Vec<f64>),
    /// A two-sided CUSUM with a frozen reference. Frozen, because a reference that follows the outcomes would hide a slow drift.
    Cusum(Cusum),
    /// Page-Hinkley, whose reference is its running mean.
    PageHinkley(PageHinkley),
    /// The binary CUSUM's sum. Ten losses in a row raise no alarm: kept for comparison with the original.
    Binary(f64),
}

impl Detector {
    /// Makes a (change-point) detector of the configured kind. The kind is fixed here: a test that is reconfigured later counts for new
    /// domains only.
    pub fn new(config: &DriftConfig) -> Self {
        match config.test {
            DriftTest::Cusum => Self::Reference(Vec::new()),
            DriftTest::PageHinkley => Self::PageHinkley(PageHinkley::default()),
            DriftTest::BinaryCusum => Self::Binary(0.0),
        }
    }

    /// Adds an outcome in R (online update). With the CUSUM, the outcome that completes the reference freezes its mean and
    /// standard deviation.
    pub fn take(&mut self, r: f64, config: &DriftConfig) -> Drift {
        match self {
            Self::Reference(outcomes) => {
                outcomes.push(r);
                if outcomes.len() >= config.reference_trades as usize {
                    *self = Self::Cusum(Cusum::new(
                        mean(&*outcomes).unwrap_or(0.0),
                        population_deviation(outcomes),
                    ));
                }
                Drift::default()
            }
            Self::Cusum(cusum) => cusum.take(r, config),
            Self::PageHinkley(test) => test.take(r, config),
            Self::Binary(sum) => {
                let won = if r > 0.0 { 1.0 } else { 0.0 };
                *sum = (*sum + won - config.allowance).max(0.0);
                Drift::from_sums(*sum, 0.0, config.threshold)
            }
        }
    }
}
