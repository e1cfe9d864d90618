//! Labels of a column as groups: their names, and the baseline that the others are compared with. They are
//! the levels of a categorical variable with a reference level. The first by name is the default, so that the
//! order of rows makes no difference. Arms of a paired table, groups of a survival table and text covariates of a
//! Cox model go through it; fewer than two labels or more than 50 are refused.

use crate::io::error::{Error, Result};
use crate::io::text::{nearest, quoted};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Most groups, arms or levels of a text column: with more, it is not a group but an identity.
const GROUPS_MAX: usize = 50;

/// Names in the order in which a report has them: the baseline, then the others by name (factor levels).
pub(super) struct Names {
    /// The baseline first; at least two.
    pub all: Vec<String>,
}

impl Names {
    /// Finds the distinct labels of a column; the baseline is the reference group that was asked for, or the first by name.
    pub(crate) fn from_labels(
        file: &str,
        column: &str,
        labels: &[Arc<str>],
        baseline: Option<&str>,
    ) -> Result<Self> {
        let distinct: BTreeSet<&str> = labels.iter().map(Arc::as_ref).collect();
        let mut all: Vec<String> = distinct.into_iter().map(str::to_owned).collect();
        if all.len() > GROUPS_MAX {
            let count = all.len();
            let line = format!(
                "{file}: {column} has {count} different values, and the most is {GROUPS_MAX}: group them"
            );
            return Err(Error::invalid(line));
        }
        if all.len() < 2 {
            let only = &all[0];
            return Err(Error::invalid(format!(
                "{file}: {column} is {} in every row: there is nothing to compare it with",
                quoted(only)
            )));
        }
        if let Some(wanted) = baseline {
            let Some(place) = all.iter().position(|name| name == wanted) else {
                let guess = nearest(wanted, all.iter().map(String::as_str));
                let guess = guess.map_or(String::new(), |guess| format!("did you mean `{guess}`? "));
                let there = all.join(", ");
                return Err(Error::invalid(format!("--baseline {wanted}: {guess}{column} has {there}")));
            };
            let baseline = all.remove(place);
            all.insert(0, baseline);
        }
        Ok(Self { all })
    }

    /// The group that the others are compared with (reference group).
    pub(super) fn baseline(&self) -> &str {
        &self.all[0]
    }

    /// The others (other groups, non-baseline; treatment or comparison groups): a slice without the first name, the baseline.
    pub(super) fn others(&self) -> &[String] {
        &self.all[1..]
    }
}
