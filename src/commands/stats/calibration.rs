//! `morta stats calibration`: how often a test says that arms differ which don't.

use super::paired::{PairedArgs, PairedTable};
use crate::failure::UserError;
use crate::output::Told;
use morta_engine::base::WorldSeed;
use morta_engine::stats::Interval;
use morta_engine::stats::permutation::sign_flip;
use morta_engine::stats::share::share_interval;
use morta_engine::stats::signed_rank::signed_rank;
use morta_engine::stats::t_test::paired_t;
use morta_lab::text::{Align, or_dash, table};
use morta_lab::text::{figure, percent, range};
use serde::Serialize;

/// The flags of `morta stats calibration`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    paired: PairedArgs,
    /// Worlds of one comparison; the worlds are dealt out in their order, and what is left over is not used.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    worlds: u32,
    /// The error rate that the tests claim.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05)]
    alpha: f64,
    /// The seed of permutations.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print one JSON object instead of text.
    #[arg(long)]
    pub json: bool,
}

/// Draws of a permutation test that can't be exact.
const DRAWS: u32 = 10_000;
/// Level of the interval of a share.
const LEVEL: f64 = 0.95;

/// What the tests said.
#[derive(Debug, Serialize)]
pub struct Report {
    file: String,
    score: String,
    baseline: String,
    alpha: f64,
    /// Worlds of each comparison.
    worlds: u32,
    tests: Vec<TestReport>,
}

#[derive(Debug, Serialize)]
struct TestReport {
    test: &'static str,
    /// Comparisons that have a p.
    comparisons: u64,
    /// Of these, with p below the error rate.
    rejected: u64,
    share: f64,
    /// Clopper and Pearson's exact 95 % interval of the share.
    interval: Option<Interval>,
    /// Comparisons without one, as when all differences are 0.
    without: u64,
    p_values: Vec<f64>,
}

/// The p of the comparison with a number, from its differences.
type PValue<'a> = dyn Fn(usize, &[f64]) -> Option<f64> + 'a;

impl Report {
    /// Reads and computes.
    pub fn of(args: &Args) -> anyhow::Result<Self> {
        if !(args.alpha > 0.0 && args.alpha < 1.0) {
            return Err(UserError::new(format!("--alpha {}: must be above 0 and below 1", args.alpha)));
        }
        let PairedTable { file, names, scores, worlds } = PairedTable::read(&args.paired)?;
        let base = &scores[names.baseline()];
        let mut differences: Vec<Vec<f64>> = Vec::new();
        for name in names.others() {
            let own = &scores[name.as_str()];
            let shared: Vec<f64> =
                worlds.iter().filter_map(|world| Some(own.get(world)? - base[world])).collect();
            differences.extend(shared.chunks_exact(args.worlds as usize).map(<[f64]>::to_vec));
        }
        if differences.is_empty() {
            let each = args.worlds;
            return Err(UserError::new(format!(
                "{file}: no two arms share {each} worlds: use more worlds, or a smaller --worlds"
            )));
        }
        let seed = |number: usize| WorldSeed(args.seed.wrapping_add(number as u64));
        let tests: [(&str, &PValue<'_>); 3] = [
            ("sign-flip permutation", &|n, d| sign_flip(d, DRAWS, seed(n)).ok().map(|test| test.p)),
            ("Wilcoxon signed-rank", &|_, d| signed_rank(d, true).ok().map(|test| test.p)),
            ("paired t", &|_, d| paired_t(d, LEVEL).ok().map(|test| test.p)),
        ];
        let tests =
            tests.into_iter().map(|(test, p)| TestReport::of(test, &differences, p, args.alpha)).collect();
        Ok(Self {
            file,
            score: args.paired.score.clone(),
            baseline: names.baseline().to_owned(),
            alpha: args.alpha,
            worlds: args.worlds,
            tests,
        })
    }
}

impl TestReport {
    fn of(test: &'static str, differences: &[Vec<f64>], p: &PValue<'_>, alpha: f64) -> Self {
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

impl Told for Report {
    fn lines(&self) -> Vec<String> {
        let columns = [
            ("test", Align::Left),
            ("comparisons", Align::Right),
            ("p below", Align::Right),
            ("share", Align::Right),
            ("95 % interval", Align::Right),
            ("without p", Align::Right),
        ];
        let row = |test: &TestReport| {
            vec![
                test.test.to_owned(),
                test.comparisons.to_string(),
                test.rejected.to_string(),
                figure(test.share),
                or_dash(test.interval, |interval: Interval| range(interval)),
                test.without.to_string(),
            ]
        };
        let rows: Vec<Vec<String>> = self.tests.iter().map(row).collect();
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
        lines.extend(table(&columns, &rows));
        lines.extend([String::new(), reading]);
        lines
    }
}
