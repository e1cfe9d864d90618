//! Calibration of tests: how often a test says that arms differ which don't.
//!
//! share = comparisons with p < α / comparisons with a p, over arms without any difference; a test that keeps its promise has a share of at
//! most α. The worlds that an arm shares with the baseline are cut into blocks of equal size, and each block is one comparison by each of
//! three tests: sign flip, Wilcoxon, paired t. Their p-values aren't corrected. The interval is Clopper and Pearson's exact one, because a
//! share near 5 % of a few hundred comparisons is too far from normal for Wald's. It is the type I error rate (false positive rate) of the
//! tests on A/A comparisons. That the arms don't differ is up to the user, whose table it is; nothing here can check it.
//! `morta stats calibration` has 10 worlds a comparison and α = 0.05 by default.

use super::paired::{PairedColumns, PairedTable};
use crate::io::error::{Error, Result};
use crate::io::limits::Limits;
use crate::io::text::{Align, View, figure, or_dash, percent, range, table_of};
use morta_base::WorldSeed;
use morta_stats::Interval;
use morta_stats::differences::paired_differences;
use morta_stats::permutation::sign_flip;
use morta_stats::share::share_interval;
use morta_stats::signed_rank::signed_rank;
use morta_stats::t_test::paired_t;
use serde::Serialize;

/// How the tests are tried (false positive rate settings): sample size of a comparison, nominal error rate α, random seed.
#[derive(Clone, Copy, Debug)]
pub struct CalibrationOptions {
    /// Worlds of one comparison, at least 2; the worlds are dealt out in their order, and what is left over is not used.
    pub worlds: u32,
    /// The error rate that the tests claim, above 0 and below 1.
    pub alpha: f64,
    /// The seed of permutations.
    pub seed: u64,
}

/// Draws of a permutation test that can't be exact. Our choice: the error of a p near .05 is then .002, far below the interval of the
/// share.
const DRAWS: u32 = 10_000;
/// Level of the interval of a share.
const LEVEL: f64 = 0.95;

/// The false positive rates of the tests: how often they say that arms differ although they don't.
#[derive(Debug, Serialize)]
pub struct CalibrationReport {
    /// The table.
    pub file: String,
    /// Its column of scores.
    pub score: String,
    /// The arm that the others are compared with.
    pub baseline: String,
    /// The error rate that the tests claim.
    pub alpha: f64,
    /// Worlds of each comparison.
    pub worlds: u32,
    /// The result of each test.
    pub tests: Vec<TestCalibration>,
}

/// The result of one test (type I error rate): its rejection rate with an exact interval.
#[derive(Debug, Serialize)]
pub struct TestCalibration {
    /// Its name in the report, such as "paired t".
    pub test: &'static str,
    /// Comparisons that have a p.
    pub comparisons: u64,
    /// Of these, with p below the error rate.
    pub rejected: u64,
    /// Rejected of comparisons, 0 to 1; 0 without any.
    pub share: f64,
    /// Clopper and Pearson's exact 95 % interval of the share.
    pub interval: Option<Interval>,
    /// Comparisons without one, as when all differences are 0.
    pub without: u64,
    /// The p of each comparison that has one.
    pub p_values: Vec<f64>,
}

/// The p of the comparison with a number, from its differences.
type PValue<'a> = dyn Fn(usize, &[f64]) -> Option<f64> + 'a;

impl CalibrationReport {
    /// Reads a table and tries the tests on it (A/A test on a table): each arm's worlds are dealt into chunks, and each chunk is one
    /// comparison.
    ///
    /// # Errors
    /// [`Error::Invalid`] when a column is missing or holds what can't be, or no two arms share enough worlds.
    pub fn from_columns(
        columns: &PairedColumns,
        options: &CalibrationOptions,
        limits: &Limits,
    ) -> Result<Self> {
        if !(options.alpha > 0.0 && options.alpha < 1.0) {
            return Err(Error::invalid(format!("--alpha {}: must be above 0 and below 1", options.alpha)));
        }
        let PairedTable { file, names, scores, worlds } = PairedTable::read(columns, limits)?;
        let base = &scores[names.baseline()];
        let mut differences: Vec<Vec<f64>> = Vec::new();
        for name in names.others() {
            let own = &scores[name.as_str()];
            let shared =
                paired_differences(worlds.iter().filter_map(|world| Some((*own.get(world)?, base[world]))));
            differences.extend(shared.chunks_exact(options.worlds as usize).map(<[f64]>::to_vec));
        }
        if differences.is_empty() {
            let each = options.worlds;
            return Err(Error::invalid(format!(
                "{file}: no two arms share {each} worlds: use more worlds, or a smaller --worlds"
            )));
        }
        let seed = |number: usize| WorldSeed(options.seed.wrapping_add(number as u64));
        let tests: [(&str, &PValue<'_>); 3] = [
            ("sign-flip permutation", &|n, d| sign_flip(d, DRAWS, seed(n)).ok().map(|test| test.p)),
            ("Wilcoxon signed-rank", &|_, d| signed_rank(d, true).ok().map(|test| test.p)),
            ("paired t", &|_, d| paired_t(d, LEVEL).ok().map(|test| test.p)),
        ];
        let tests = tests
            .into_iter()
            .map(|(test, p)| TestCalibration::from_differences(test, &differences, p, options.alpha))
            .collect();
        Ok(Self {
            file,
            score: columns.score.clone(),
            baseline: names.baseline().to_owned(),
            alpha: options.alpha,
            worlds: options.worlds,
            tests,
        })
    }
}

impl TestCalibration {
    fn from_differences(test: &'static str, differences: &[Vec<f64>], p: &PValue<'_>, alpha: f64) -> Self {
        let p_values: Vec<f64> =
            differences.iter().enumerate().filter_map(|(number, block)| p(number, block)).collect();
        let (comparisons, rejected) =
            (p_values.len() as u64, p_values.iter().filter(|p| **p < alpha).count() as u64);
        let share = if comparisons > 0 { rejected as f64 / comparisons as f64 } else { 0.0 };
        Self {
            test,
            comparisons,
            rejected,
            share,
            interval: share_interval(rejected, comparisons, LEVEL).ok(),
            without: differences.len() as u64 - comparisons,
            p_values,
        }
    }
}

impl View for CalibrationReport {
    fn lines(&self) -> Vec<String> {
        use Align::{Left, Right};
        let heading = format!(
            "{}: {}, against {}, {} worlds a comparison; share of comparisons with p below {}",
            self.file,
            self.score,
            self.baseline,
            self.worlds,
            figure(self.alpha)
        );
        let reading = format!(
            "Where arms don't differ, a sound test says they do in about {} of comparisons.",
            percent(self.alpha)
        );
        let mut lines = vec![heading, String::new()];
        lines.extend(table_of::<TestCalibration>(
            &[
                ("test", Left, &|test| test.test.to_owned()),
                ("comparisons", Right, &|test| test.comparisons.to_string()),
                ("p below", Right, &|test| test.rejected.to_string()),
                ("share", Right, &|test| figure(test.share)),
                ("95 % interval", Right, &|test| or_dash(test.interval, range)),
                ("without p", Right, &|test| test.without.to_string()),
            ],
            &self.tests,
        ));
        lines.extend([String::new(), reading]);
        lines
    }
}
