//! Collects the problems of a configuration, table by table (configuration validation, validator). It goes on after the first mistake, so
//! that a file is mended in one go. The macro `keys!` calls it for every declared range; methods named by `also` add what keys must be to
//! one another. The caller refuses the file if any problem was noted: nothing is refused here.

use super::Problem;
use std::fmt::Display;

/// Accumulates the problems (validation errors) found so far, of all tables.
#[derive(Debug, Default)]
pub struct Checker {
    problems: Vec<Problem>,
}

impl Checker {
    /// Examines one table (nested validation).
    pub fn table(&mut self, path: &str) -> TableChecker<'_> {
        TableChecker { problems: &mut self.problems, path: path.to_owned() }
    }

    /// Returns all problems (validation errors), in the order found.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }
}

/// Validates the values of one table.
#[derive(Debug)]
pub struct TableChecker<'a> {
    problems: &'a mut Vec<Problem>,
    path: String,
}

impl TableChecker<'_> {
    /// Examines a table inside this one (nested table).
    pub fn table(&mut self, name: &str) -> TableChecker<'_> {
        TableChecker { path: self.key(name), problems: self.problems }
    }

    fn key(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// Notes a problem unless `good` (assertion of validity).
    pub fn demand(&mut self, good: bool, name: &str, value: impl Display, remedy: impl Into<String>) {
        self.demand_else(good, name, value, || remedy.into());
    }

    /// Demands as `demand` does, with a remedy (error message) that is only worded when it is needed: most values are good.
    pub fn demand_else(
        &mut self,
        good: bool,
        name: &str,
        value: impl Display,
        remedy: impl FnOnce() -> String,
    ) {
        if !good {
            let key = self.key(name);
            self.problems.push(Problem { key, value: value.to_string(), remedy: remedy() });
        }
    }

    /// Checks the index of a lineage slot in a world with `lineages` slots. With none, every slot is refused.
    pub fn slot(&mut self, name: &str, lineage: u32, lineages: u64) {
        let last = lineages.saturating_sub(1);
        let remedy = || format!("must be a lineage slot of this world, from 0 to {last}");
        self.demand_else(u64::from(lineage) < lineages, name, lineage, remedy);
    }

    /// Checks that keys are in ascending order: none may be below the one before it (monotonicity). Those that aren't numbers at all are
    /// not reported here: they are in no range either.
    pub fn in_order(&mut self, keys: &[(&str, f64)]) {
        for pair in keys.windows(2) {
            let [(lower, least), (name, value)] = [pair[0], pair[1]];
            let least_name = || self.key(lower);
            let remedy = (value < least).then(|| format!("must be at least {} ({least})", least_name()));
            if let Some(remedy) = remedy {
                self.demand(false, name, value, remedy);
            }
        }
    }

    /// Checks a range: a number must be from `low` to `high`, both included.
    pub fn within(&mut self, name: &str, value: f64, low: f64, high: f64) {
        let good = (low..=high).contains(&value);
        self.demand(good, name, value, format!("must be a number from {low} to {high}"));
    }

    /// Checks a share of something: it must be in the unit interval, a fraction from 0 to 1, a probability say.
    pub fn share(&mut self, name: &str, value: f64) {
        self.within(name, value, 0.0, 1.0);
    }

    /// Checks that a number is finite and above `low` (exclusive lower bound), and below a trillion: small enough for exact money.
    pub fn above(&mut self, name: &str, value: f64, low: f64) {
        let good = value > low && value < LARGEST_AMOUNT;
        self.demand(good, name, value, format!("must be a number above {low} and below a trillion"));
    }

    /// Checks that a whole number (integer) is from `low` to `high`, both included.
    pub fn whole(&mut self, name: &str, value: u64, low: u64, high: u64) {
        let good = (low..=high).contains(&value);
        self.demand(good, name, value, format!("must be a whole number from {low} to {high}"));
    }
}

/// A bound on amounts (our choice: a trillion). Money is counted in whole micro-dollars of 64 bits, which would overflow at nine trillion.
const LARGEST_AMOUNT: f64 = 1e12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_name_their_key() {
        let mut check = Checker::default();
        let mut table = check.table("market");
        table.table("pool").within("fee_bps", 20_000.0, 0.0, 1_000.0);
        table.share("fine", 0.5);
        table.above("depth", f64::NAN, 0.0);
        let problems = check.into_problems();
        let keys: Vec<&str> = problems.iter().map(|p| p.key.as_str()).collect();
        assert_eq!(keys, ["market.pool.fee_bps", "market.depth"]);
        assert_eq!(problems[0].remedy, "must be a number from 0 to 1000");
    }
}
