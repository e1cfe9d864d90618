//! Decisions of a sweep's golems, with a memory and without, as the lines that Dark Pawns' measures of effect read.
//!
//! The stimulus is the regime as the golem read it; the action is the strategy that it followed, or that it stayed out. The memory of a
//! regime is the last trade that the golem closed there: its valence (by the arm's `memory.dark_pawns`), and the number of consolidations
//! of its memory since, which stand for dreams. Decisions to explore are left out, because they are drawn at random and no memory could
//! explain them. In the arm without a memory every decision is written without one, whatever the golem has traded; so is a decision in a
//! regime where the golem has closed no trade yet. An abstention is an event only when it was followed to its end: it carries the regime of
//! its beginning, and the memory of the tick at which it ended.
//!
//! It is an attribution study (causal effect of memory, with an ablated control arm). `morta-memory dark-pawns decisions` prints the lines.
//! Runs are read and not lived again, so the sweep must have been lived with `record.runs = true`, and its scenarios with event logs
//! (`record.events`, by default true). Cells packed in archives of units of work are unpacked one after the other.

use crate::io::error::{Error, Result};
use crate::run::laboratory::Laboratory;
use crate::run::run_folder::RunFolder;
use crate::run::run_folder::events::{EventFilter, read_events};
use crate::sweep::sweep_file::Sweep;
use crate::sweep::sweep_folder::{CellStore, read_manifest, restore};
use crate::sweep::sweep_run::cell::RUN;
use morta_base::GolemId;
use morta_engine::event::{Event, EventKind};
use morta_engine::market::Regime;
use morta_engine::memory::{DarkPawnsConfig, UpkeepKind};
use morta_memories::dark_pawns::Valence;
use morta_memories::dark_pawns::effects::{Arm, Decision};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

/// The action of a golem that turns every candidate down.
const STAY_OUT: &str = "stay_out";

/// Hands over every decision of two arms of a sweep to the callback `tell`, read from the event log of each cell, in the order of arms,
/// worlds and time (decision extraction).
///
/// # Errors
/// [`Error::Invalid`] when the folder holds no sweep, lacks an arm, or has a cell that hasn't ended or kept no run; what `tell` returns.
pub fn decisions(
    folder: &Path,
    (memory, none): (&str, &str),
    laboratory: &Laboratory,
    mut tell: impl FnMut(&Decision) -> Result<()>,
) -> Result<()> {
    let manifest = read_manifest(folder)?;
    let (sweep, _) = restore(folder, &manifest, laboratory)?;
    let cells = CellStore::open(folder)?;
    for (name, arm) in [(memory, Arm::Memory), (none, Arm::None)] {
        let place = place_of(&sweep, folder, name)?;
        let config = &sweep.arms[place].scenario.memory.dark_pawns;
        for id in sweep.cells().filter(|id| id.arm == place) {
            let refused = |why: &str| Error::at(folder, format!("world {} of arm {name} {why}", id.world));
            let cell = cells.place(&sweep.cell_hash(id, &manifest.build))?;
            let cell = cell.ok_or_else(|| refused("hasn't ended: go on with the sweep by --resume"))?;
            let run = cell.join(RUN);
            if !run.exists() {
                return Err(refused("has kept no run: live the sweep with record.runs = true"));
            }
            of_run(&run, arm, config, &mut tell)?;
        }
    }
    Ok(())
}

fn place_of(sweep: &Sweep, folder: &Path, name: &str) -> Result<usize> {
    sweep.arm_named(name).ok_or_else(|| {
        let names: Vec<&str> = sweep.arms.iter().map(|arm| arm.name.as_str()).collect();
        Error::at(folder, format!("there is no arm {name}; there are {}", names.join(", ")))
    })
}

fn of_run(
    dir: &Path,
    arm: Arm,
    config: &DarkPawnsConfig,
    tell: &mut impl FnMut(&Decision) -> Result<()>,
) -> Result<()> {
    let kinds = vec!["decided", "stayed_out", "trade_closed", "memory_kept", "life_ended"];
    let mut golems: BTreeMap<GolemId, Remembered> = BTreeMap::new();
    read_events(&RunFolder::open(dir)?, EventFilter { kinds, ..EventFilter::default() }, |event| {
        let Event { golem: Some(golem), kind, .. } = event else { return Ok(ControlFlow::Continue(())) };
        if let EventKind::LifeEnded(_) = kind {
            golems.remove(&golem);
        } else if let Some((regime, action)) = golems.entry(golem).or_default().take(&kind, config) {
            tell(&golems[&golem].decision(arm, regime, action))?;
        }
        Ok(ControlFlow::Continue(()))
    })
}

/// The memory of a golem, as far as the measures need it.
#[derive(Default)]
struct Remembered {
    dreams: u32,
    /// How the last trade in a regime felt, and the dreams before it.
    last: BTreeMap<Regime, (Valence, u32)>,
}

impl Remembered {
    /// Takes in an event; returns stimulus and action where it is a decision.
    fn take(&mut self, kind: &EventKind, config: &DarkPawnsConfig) -> Option<(Regime, &'static str)> {
        match kind {
            EventKind::MemoryKept { upkeep, .. } if upkeep.kind == UpkeepKind::Consolidation => {
                self.dreams += 1
            }
            EventKind::TradeClosed { episode, .. } => {
                let felt = (config.felt(episode.realised_r), self.dreams);
                self.last.insert(episode.context.regime, felt);
            }
            EventKind::Decided { strategy, context, explored: false, .. } => {
                return Some((context.regime, strategy.name()));
            }
            EventKind::StayedOut { episode } => return Some((episode.context.regime, STAY_OUT)),
            _ => {}
        }
        None
    }

    fn decision(&self, arm: Arm, regime: Regime, action: &str) -> Decision {
        let remembered = self.last.get(&regime).filter(|_| arm == Arm::Memory);
        Decision {
            arm,
            stimulus: regime.name().to_owned(),
            action: action.to_owned(),
            sessions: remembered.map(|(_, before)| self.dreams - before),
            valence: remembered.map(|(felt, _)| *felt),
        }
    }
}
