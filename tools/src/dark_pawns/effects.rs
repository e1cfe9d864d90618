//! The effect of memory: decisions with it compared with decisions without it. It parses JSON Lines of decisions, encounters and costs, and
//! computes effect sizes by `morta_memories::dark_pawns::effects`; nothing is tested. A line of an unknown type is an error, because one
//! that was skipped would shift the effect unseen.

use super::lines::open;
use crate::limits;
use morta_lab::bounded_lines::Bounded;
use morta_lab::error::{Error, Result};
use morta_lab::limits::Limit;
use morta_memories::dark_pawns::effects::{Account, Cost, Decision, Encounter, account};
use serde::Deserialize;
use std::fmt::Display;
use std::io::{BufRead, BufReader};
use std::path::Path;

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Row {
    Decision(Decision),
    Encounter(Encounter),
    Cost(Cost),
}

/// Computes the effect sizes of memory from a file of decisions, encounters and costs; `-` reads standard input.
///
/// # Errors
/// [`Error::Invalid`] when the file can't be read, or a line has none of the three types.
pub fn effects(file: &Path) -> Result<Account> {
    let name = file.display();
    let (mut decisions, mut encounters, mut costs) = (Vec::new(), Vec::new(), Vec::new());
    for (place, line) in
        BufReader::new(Bounded::new(open(file)?, Limit::LogBytes, limits::now())).split(b'\n').enumerate()
    {
        let fail = |what: &dyn Display| Error::invalid(format!("{name}:{}: {what}", place + 1));
        let line = line.map_err(|error| fail(&error))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(&line).map_err(|error| fail(&error))? {
            Row::Decision(decision) => decisions.push(decision),
            Row::Encounter(encounter) => encounters.push(encounter),
            Row::Cost(cost) => costs.push(cost),
        }
    }
    Ok(account(&decisions, &encounters, &costs))
}
