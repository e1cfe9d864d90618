//! `morta branch`, and the branches that a viewer of `morta watch` makes: two arms of one world, paired tick by tick from the first tick
//! under the change. The control is the unchanged run, the branch the same run under the change: a trajectory divergence under an
//! intervention. Both arms have one seed, so each difference follows from the change. The report has the first event that differs in any
//! field, the first decision that differs, a curve of shares, and the totals of both arms by lineage from the branch on. Shares are of all
//! lineages of the plan, 0 to 1; results are R, money is USDC. `PairedSink` feeds the comparison while the branch is lived; the change
//! itself is made elsewhere. `control` gets the unchanged arm from the record or lives it again, `decision` says when two decisions differ,
//! `lineage` has the totals, `text` the summary.

mod control;
mod decision;
mod lineage;
mod sink;
mod text;

pub use control::Control;
pub use decision::Chosen;
pub use lineage::{LineageRow, OutcomeDifference};
pub use sink::PairedSink;
pub use text::text;

use crate::run::provenance::Changes;
use crate::run::run_folder::tables::Cast;
use decision::decisions;
use lineage::Slot;
use morta_base::{Lineage, Tick};
use morta_engine::event::Event;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The content of `divergence.json`, the divergence report in the folder of a branch: the first difference of the arms, the totals by
/// lineage, and a time series of shares. `text` prints a short form of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DivergenceReport {
    /// The run that was branched.
    pub parent: PathBuf,
    /// First tick under the change.
    pub at: Tick,
    /// First tick not lived any more.
    pub until: Tick,
    /// The tick of the checkpoint from which the world was lived again; 0 when it was lived from the start.
    pub lived_from: Tick,
    /// Why a checkpoint that was kept at or before the branch wasn't used; none where it was used, or none was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unused_checkpoint: Option<String>,
    /// The change.
    pub changes: Changes,
    /// Source of the unchanged arm: "recorded" or "recomputed".
    pub control: String,
    /// Hash of its events.
    pub control_digest: String,
    /// Hash of the branch's events.
    pub branch_digest: String,
    /// The first differences between the arms.
    pub parting: BranchParting,
    /// Every lineage.
    pub lineages: Vec<LineageRow>,
    /// All lineages together.
    pub sum: OutcomeDifference,
    /// Shares of lineages whose decisions have differed so far; a point wherever one changes, constant in between (step function).
    pub series: Vec<SharePoint>,
}

/// The first differences between two arms (divergence point). Events, decisions and choices are apart, because nearly every change alters
/// some figure of an event at once, and few alter what a golem does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BranchParting {
    /// Whether there is none.
    pub identical: bool,
    /// The first event that isn't the same; the world's own, such as the close of a tick, have no golem.
    pub first_event: Option<EventPair>,
    /// The first event of a golem that isn't the same.
    pub first_golem_event: Option<EventPair>,
    /// The first decision that isn't the same in what is done: whether, strategy, asset, side or stake.
    pub first_decision: Option<DecisionPair>,
    /// The first that isn't the same in more than the stake.
    pub first_choice: Option<DecisionPair>,
}

/// An event in both arms; null where there is none at its place (paired events).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventPair {
    /// Its tick.
    pub tick: Tick,
    /// Its golem; the control's, where both have one.
    pub golem: Option<String>,
    /// Without the change.
    pub control: Option<EventRecord>,
    /// With it.
    pub branch: Option<EventRecord>,
}

/// An event as it is written (serialized event): its kind and its JSON payload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventRecord {
    /// Its golem.
    pub golem: Option<String>,
    /// The kind of event, as `events.parquet` has it.
    pub kind: String,
    /// Its payload.
    pub payload: Value,
}

impl EventRecord {
    fn from_event(event: &Event) -> Self {
        let payload = serde_json::from_str(&event.kind.payload()).unwrap_or_default();
        Self {
            golem: event.golem.map(|golem| golem.to_string()),
            kind: event.kind.name().to_owned(),
            payload,
        }
    }
}

/// A decision in both arms; null where there was none (paired decisions).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionPair {
    /// The tick at which it is taken.
    pub tick: Tick,
    /// The lineage slot.
    pub lineage: Lineage,
    /// Without the change.
    pub control: Option<Chosen>,
    /// With it.
    pub branch: Option<Chosen>,
}

/// Shares from a tick on: a point of the time series (divergence curve point).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharePoint {
    /// From here on.
    pub tick: Tick,
    /// Share of lineages whose decisions have differed in anything so far.
    pub decided_otherwise: f64,
    /// Share of lineages whose decisions have differed in more than the stake so far.
    pub chose_otherwise: f64,
}

/// Compares while both arms are lived (streaming comparison of two arms): an accumulator of paired events, tick by tick.
pub struct BranchComparison {
    /// Names of cohorts and assets, the same in both arms.
    cast: Cast,
    /// By lineage: totals of both arms, and the first ticks at which decisions differed.
    slots: Vec<Slot>,
    parting: BranchParting,
    /// Lineages whose decisions have differed in anything so far, and of these those that differed in more than the stake.
    decided: usize,
    chose: usize,
    series: Vec<SharePoint>,
}

impl BranchComparison {
    /// Begins a comparison for a world with so many lineages.
    pub fn new(cast: Cast, lineages: u32) -> Self {
        let slots = vec![Slot::default(); lineages as usize];
        let parting = BranchParting { identical: true, ..BranchParting::default() };
        Self { cast, slots, parting, decided: 0, chose: 0, series: Vec::new() }
    }

    /// Takes in one tick of both arms and compares its events. Totals of lineages are kept for every tick; a point of the series is added
    /// only where a share changes.
    pub fn take(&mut self, tick: Tick, control: &[Event], branch: &[Event]) {
        for (arm, events) in [(0, control), (1, branch)] {
            for event in events {
                if let Some(golem) = event.golem.filter(|golem| (golem.lineage as usize) < self.slots.len()) {
                    self.slots[golem.lineage as usize].arms[arm].take(event);
                }
            }
        }
        if control == branch {
            return;
        }
        self.parting.identical = false;
        self.find_first_events(control, branch);
        let before = (self.decided, self.chose);
        self.compare_decisions(tick, control, branch);
        if (self.decided, self.chose) != before {
            let share = |count: usize| count as f64 / self.slots.len() as f64;
            let point = SharePoint {
                tick,
                decided_otherwise: share(self.decided),
                chose_otherwise: share(self.chose),
            };
            self.series.push(point);
        }
    }

    fn find_first_events(&mut self, control: &[Event], branch: &[Event]) {
        if self.parting.first_event.is_none() {
            let every: [Vec<&Event>; 2] = [control, branch].map(|events| events.iter().collect());
            self.parting.first_event = first_pair(&every);
        }
        if self.parting.first_golem_event.is_none() {
            let golems =
                [control, branch].map(|events| events.iter().filter(|event| event.golem.is_some()).collect());
            self.parting.first_golem_event = first_pair(&golems);
        }
    }

    fn compare_decisions(&mut self, tick: Tick, control: &[Event], branch: &[Event]) {
        let (ours, theirs) = (decisions(control, &self.cast), decisions(branch, &self.cast));
        let lineages: BTreeSet<Lineage> = ours.keys().chain(theirs.keys()).copied().collect();
        for lineage in lineages {
            let (a, b) = (ours.get(&lineage), theirs.get(&lineage));
            let pair = || DecisionPair { tick, lineage, control: a.cloned(), branch: b.cloned() };
            let Some(slot) = self.slots.get_mut(lineage as usize) else { continue };
            if a.map(Chosen::done) == b.map(Chosen::done) {
                continue;
            }
            self.parting.first_decision.get_or_insert_with(pair);
            if slot.decided_otherwise.is_none() {
                slot.decided_otherwise = Some(tick);
                self.decided += 1;
            }
            if a.map(Chosen::choice) == b.map(Chosen::choice) {
                continue;
            }
            self.parting.first_choice.get_or_insert_with(pair);
            if slot.chose_otherwise.is_none() {
                slot.chose_otherwise = Some(tick);
                self.chose += 1;
            }
        }
    }

    /// Ends the comparison: returns the first differences, the rows of all lineages, their sum and the series.
    pub fn finish(self) -> (BranchParting, Vec<LineageRow>, OutcomeDifference, Vec<SharePoint>) {
        let cast = &self.cast;
        let rows: Vec<LineageRow> =
            (0_u32..).zip(&self.slots).map(|(lineage, slot)| slot.row(lineage, cast)).collect();
        let sum = OutcomeDifference::sum(rows.iter().map(|row| &row.outcome));
        (self.parting, rows, sum, self.series)
    }
}

fn first_pair([control, branch]: &[Vec<&Event>; 2]) -> Option<EventPair> {
    let place =
        (0..control.len().max(branch.len())).find(|place| control.get(*place) != branch.get(*place))?;
    let (a, b) = (control.get(place).copied(), branch.get(place).copied());
    let either = a.or(b)?;
    let golem = a.and_then(|event| event.golem).or(b.and_then(|event| event.golem));
    Some(EventPair {
        tick: either.tick,
        golem: golem.map(|golem| golem.to_string()),
        control: a.map(EventRecord::from_event),
        branch: b.map(EventRecord::from_event),
    })
}

#[cfg(test)]
mod tests;
