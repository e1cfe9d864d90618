//! `morta export phylogeny`: lives as a phylogeny in the ALife data standard (alife-data-standards, "phylogeny"), as CSV: `id`,
//! `ancestor_list`, `origin_time`, `destruction_time`, and columns of our own after them. Times are ticks. Ancestry is by succession
//! (the default) or also by inherited knowledge that spoke in at least one trade; lessons of living siblings are no ancestry, and neither
//! are bloodstains of earlier runs, whose golems have no line here. The command prints the text or writes it to a new file. The standard
//! was taken because its tools measure diversity and ancestry of lineages, which Morta doesn't.

use crate::io::error::{Context as _, Error, Result};
use crate::run::run_folder::{FinishedRun, Life};
use std::collections::{BTreeMap, BTreeSet};

morta_base::words! {
    /// The relation that makes a golem an ancestor (phylogenetic tree).
    pub enum Ancestry {
        /// The predecessor in its lineage: at most one ancestor.
        Succession = "succession",
        /// The predecessor, and every dead golem whose bloodstains or legacy spoke in one of its trades: as many as there are.
        Knowledge = "knowledge",
    }
}

const COLUMNS: [&str; 14] = [
    "id", "ancestor_list", "origin_time", "destruction_time", "taxon_label", "lineage", "generation",
    "cohort", "memory", "cause", "trades", "mean_r", "fitness", "balance_usdc",
];

/// Exports the phylogeny as CSV text, with a line for every life. Golems are numbered in the order of their births from 0; a golem that
/// outlived the run was destroyed at `inf`, a founder's ancestors are `[NONE]`.
///
/// # Errors
/// When a table of the run can't be read.
pub fn phylogeny(run: &FinishedRun, ancestry: Ancestry) -> Result<String> {
    let mut lives = run.lives()?.all()?;
    lives.sort_by_key(|life| (life.born_tick, life.lineage, life.generation));
    let numbers: BTreeMap<String, usize> =
        lives.iter().enumerate().map(|(number, life)| (life.golem.clone(), number)).collect();
    let mut teachers: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    if ancestry == Ancestry::Knowledge {
        for draw in run.inheritance()?.keep(|draw| draw.uses.is_some_and(|uses| uses > 0))? {
            // Dead golems of an earlier run have no line here, so they can be no ancestors; lessons of living siblings have no dead golem.
            if let Some(number) = draw.dead_golem.as_ref().and_then(|golem| numbers.get(golem)) {
                teachers.entry(draw.golem).or_default().insert(*number);
            }
        }
    }
    let mut out = csv::Writer::from_writer(Vec::new());
    out.write_record(COLUMNS)?;
    for (number, life) in lives.iter().enumerate() {
        let mut ancestors = teachers.remove(&life.golem).unwrap_or_default();
        ancestors.extend(life.parent.as_ref().and_then(|parent| numbers.get(parent)));
        out.write_record(line(number, life, &ancestors))?;
    }
    let bytes = out.into_inner().map_err(|error| Error::from(error.into_error()));
    let bytes = bytes.context("a table in memory is complete")?;
    String::from_utf8(bytes).ok().context("a table of text is text")
}

fn line(number: usize, life: &Life, ancestors: &BTreeSet<usize>) -> [String; COLUMNS.len()] {
    let list: Vec<String> = ancestors.iter().map(ToString::to_string).collect();
    [
        number.to_string(),
        if list.is_empty() { "[NONE]".to_owned() } else { format!("[{}]", list.join(",")) },
        life.born_tick.to_string(),
        if life.censored { "inf".to_owned() } else { life.ended_tick.to_string() },
        life.golem.clone(),
        life.lineage.to_string(),
        life.generation.to_string(),
        life.cohort.clone(),
        life.memory.clone(),
        life.cause.clone().unwrap_or_default(),
        life.trades.to_string(),
        life.mean_r.map(|mean| mean.to_string()).unwrap_or_default(),
        life.fitness.to_string(),
        life.balance_usdc.to_string(),
    ]
}
