//! A verdict that counts wins over several criteria, registered before the first cell was run. It is a decision rule over several endpoints
//! (vote counting): wins and losses are counts of criteria. A criterion is won or lost by the registered test beyond its
//! superiority margin, after correction for the number of criteria; several judged arms aren't corrected for one another. Here is the table
//! of the file, the counting is the analysis's. Losses count as well as wins, because a hypothesis that can't lose can't be refuted.

use super::name::demand_measure;
use super::value::{Direction, everybody};
use morta_base::TableChecker;
use morta_base::keys;

/// Most criteria of a rule.
const CRITERIA_MAX: usize = 32;

keys! {
    /// The `[preregistration.rule]` table: what counts as support over several criteria. Each criterion is put to the registered test by
    /// itself, corrected for the number of criteria.
    pub struct Rule {
        /// The arm that is judged; left out: each arm that is compared with the baseline.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        treated: Option<String>;
        /// The arm it is judged against; left out: the baseline.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        control: Option<String>;
        /// What is counted.
        criteria: Vec<Criterion>, len 1..=CRITERIA_MAX;
        /// Wins from which on the hypothesis is supported.
        wins_needed: u64, in 1..=CRITERIA_MAX as u64, "criteria";
        /// Wins that support it weakly, where there are fewer losses than that; the same number of losses refutes it weakly.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        wins_weak: Option<u64>, in 1..=CRITERIA_MAX as u64, "criteria";
        /// Losses from which on it is refuted; left out: as many as make the wins needed impossible.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        losses_needed: Option<u64>, in 1..=CRITERIA_MAX as u64, "criteria";
    }
    also is_possible;
}

keys! {
    /// One entry of `criteria`.
    pub struct Criterion {
        /// What it is called; left out: as its measure.
        #[serde(default)]
        name: String;
        /// Its measure.
        measure: String;
        /// Whether more of it or less is better.
        direction: Direction;
        /// The cohort it is taken of (by default `all`: everybody).
        #[serde(default = "everybody")]
        cohort: String;
        /// By how much the better arm must be better (by default 0): a win is a gain beyond it, a loss the opposite beyond it.
        #[serde(default)]
        margin: f64, in 0.0..=1e12, "the measure's unit";
    }
    also is_known;
}

impl Rule {
    /// Losses that refute the hypothesis (refutation threshold); the default threshold is the fewest losses that make the wins needed
    /// impossible.
    pub fn losses_needed(&self) -> u64 {
        self.losses_needed.unwrap_or((self.criteria.len() as u64 + 1).saturating_sub(self.wins_needed))
    }

    pub(super) fn is_possible(&self, table: &mut TableChecker<'_>) {
        let all = self.criteria.len() as u64;
        let too_many = format!("there are {all} criteria: no more can be won");
        table.demand(self.wins_needed <= all, "wins_needed", self.wins_needed, too_many.as_str());
        if self.wins_needed > all {
            return;
        }
        let impossible = all + 1 - self.wins_needed;
        if let Some(losses) = self.losses_needed {
            let fits = (impossible..=all).contains(&losses);
            let remedy =
                format!("must be from {impossible} to {all}: with fewer losses the wins could still be had");
            table.demand(fits, "losses_needed", losses, remedy);
        }
        if let Some(weak) = self.wins_weak {
            let remedy = format!("must be below wins_needed, {}", self.wins_needed);
            table.demand(weak < self.wins_needed, "wins_weak", weak, remedy);
        }
        for (index, criterion) in self.criteria.iter().enumerate() {
            let twice = self.criteria[..index].iter().any(|other| other.label() == criterion.label());
            let remedy = "another criterion is called so already: give it a name of its own";
            table.table(&format!("criteria.{index}")).demand(!twice, "name", criterion.label(), remedy);
        }
    }
}

impl Criterion {
    /// The label of the criterion: its name, or without one that of its measure.
    pub fn label(&self) -> &str {
        if self.name.is_empty() { &self.measure } else { &self.name }
    }

    pub(super) fn is_known(&self, table: &mut TableChecker<'_>) {
        demand_measure(table, "measure", &self.measure);
    }
}
