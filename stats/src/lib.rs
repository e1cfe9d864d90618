//! Statistics for experiments with mortal agents: pure functions, structs in and structs out.
//!
//! - Two arms in the same worlds: [`paired`], with [`differences`], [`t_test`], [`signed_rank`], [`rank_sum`], [`permutation`], [`effect_size`];
//!   that they are alike within a margin: [`equivalence`].
//! - Arms against an upper bound, and many arms at once: [`ceiling`], [`ranking`].
//! - Many runs, many tasks: [`aggregate`] (rliable's definitions), [`bootstrap`], [`blocks`] of series, worlds that share data ([`overlap`]), [`multiple`] comparisons.
//! - Many effects drawn towards 0 by what all show together ([`shrinkage`]).
//! - A [`median`] with its interval.
//! - Whether two variables depend on each other, in whatever form: [`mutual_information`].
//! - How many worlds it takes: [`power`]; tests before all of them are there: [`looks`].
//! - Which factors of a model matter, and whether they act together: [`sensitivity`].
//! - How often something happens, as a share of trials: [`share`]; what is rare, by exposure: [`rates`].
//! - Lives that may outlast their observation: [`survival`].
//!
//! What a test or an estimate can't compute is a [`StatsError`] that says why, not NaN; functions of `distribution` expect checked
//! arguments. Random numbers come from a seed that is handed in. Figures are held against scipy, statsmodels, lifelines, rliable, SALib,
//! scikit-learn or R in `stats/tests/statistics/main.rs`.
//!
//! P-values, shares and powers are from 0 to 1. Means, medians and differences keep the unit of the caller's values; test statistics,
//! ratios, correlations and effect sizes have none, and mutual information is in nats. Reasons take the place of NaN, because a NaN travels
//! through sums unseen.
#![deny(missing_docs)]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(unreachable_pub))]

pub mod aggregate;
pub mod blocks;
pub mod bootstrap;
mod by_rank;
pub mod ceiling;
pub mod differences;
pub mod distribution;
pub mod effect_size;
pub mod equivalence;
pub mod error;
pub mod looks;
mod matrix;
pub mod median;
pub mod multiple;
pub mod mutual_information;
pub mod overlap;
pub mod paired;
pub mod permutation;
pub mod power;
pub mod rank_sum;
pub mod ranking;
mod ranks;
pub mod rates;
pub mod sensitivity;
pub mod share;
pub mod shrinkage;
pub mod signed_rank;
pub mod summary;
pub mod survival;
pub mod t_test;

pub use error::{Computed, StatsError};
pub use paired::{CompareOptions, PairedComparison, compare_pairs};
pub use summary::{Interval, Summary};
