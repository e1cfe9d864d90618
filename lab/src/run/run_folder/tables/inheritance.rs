//! `inheritance.parquet`: a row for each inherited thing, with its giver, its heir, its way and its use. It is the table of
//! knowledge transfer between generations: trust is 0 to 1, results are R, times are ticks. A row is written at the end of the heir's life,
//! by death or with the run, because use is known only then; `uses` is empty where the heir's memory was lost with it.

use super::cast::CohortEntry;
use super::{Heard, RowsOf, came_by};
use crate::io::error::Result;
use crate::io::table::{Named, table};
use crate::run::run_folder::writer::TableWriter;
use morta_base::{BloodstainId, GolemId, Tick};
use morta_engine::episode::{Claim, Provenance};
use morta_engine::event::EventKind;
use morta_engine::lethe::RankTerms;
use morta_engine::memory::{Inheritance, InheritedItem};
use std::collections::BTreeMap;

/// A bloodstain as a newborn drew it (inherited bloodstain). It has the rank and the retrieval score with its terms.
pub(crate) struct DrawnBloodstain {
    id: BloodstainId,
    tick: Tick,
    rank: u32,
    score: f64,
    is_scar: bool,
    merged: u32,
    terms: RankTerms,
}

/// The record of an inherited item with its usage, at the end of the heir's life.
pub(crate) struct InheritanceRecord<'a> {
    heir: GolemId,
    cohort: &'a CohortEntry,
    source: Provenance,
    came: Tick,
    drawn: Option<&'a DrawnBloodstain>,
    is_scar: bool,
    settled_tick: Tick,
    /// None when the heir's memory was lost with it.
    settled: Option<&'a Inheritance>,
}

impl InheritanceRecord<'_> {
    fn giver(&self) -> GolemId {
        came_by(self.source).1.unwrap_or(self.heir)
    }

    fn dead<T>(&self, of: fn(GolemId) -> T) -> Option<T> {
        (!matches!(self.source, Provenance::Clade(_))).then(|| of(self.giver()))
    }

    fn draw<T>(&self, of: fn(&DrawnBloodstain) -> T) -> Option<T> {
        self.drawn.map(of)
    }

    fn item(&self) -> Option<String> {
        match self.settled?.inherited_item {
            InheritedItem::Scar(id) => Some(id.to_string()),
            InheritedItem::Lesson { entry, .. } => entry.map(|id| id.to_string()),
        }
    }

    fn claim(&self) -> Option<Claim> {
        match self.settled?.inherited_item {
            InheritedItem::Scar(_) => None,
            InheritedItem::Lesson { claim, .. } => Some(claim),
        }
    }

    fn settled<T>(&self, of: fn(&Inheritance) -> T) -> Option<T> {
        self.settled.map(of)
    }

    fn settled_lesson<T>(&self, of: fn(&Inheritance) -> T) -> Option<T> {
        self.settled.filter(|settled| !settled.is_scar()).map(of)
    }

    fn mean_r(&self) -> Option<f64> {
        let used = self.settled.filter(|settled| settled.uses > 0)?;
        Some(used.total_r / f64::from(used.uses))
    }
}

table! {
    /// One thing that a golem inherited (a bloodstain it drew, a legacy of its predecessor, or a lesson of a sibling), written at the end of
    /// the heir's life with what came of it.
    pub struct Draw in "inheritance.parquet" at settled_tick from inherited: InheritanceRecord<'_>;

    /// Lineage of the heir.
    lineage: u32, Number = inherited.heir.slot();
    /// Generation of the heir.
    generation: u32, Number = inherited.heir.generation;
    /// The heir.
    golem: String, Id = Named(inherited.heir);
    /// Its cohort.
    cohort: String, Name = &inherited.cohort.name;
    /// The memory architecture of its cohort.
    memory: String, Word = &inherited.cohort.memory;
    /// By which way it came: `bloodstain` (drawn from the Lethe at birth), `predecessor` (legacy of the golem it succeeded) or `clade` (a
    /// living sibling told it).
    source: String, Word = came_by(inherited.source).0;
    /// The golem it comes from.
    from_golem: String, Id = Named(inherited.giver());
    /// The bloodstain; empty for the other ways.
    bloodstain: Option<String>, Id = inherited.source.bloodstain().map(Named);
    /// Lineage of the golem it comes from; empty for what a sibling told, as are the three columns after it. For golems of earlier runs it
    /// has 16777216 times `dead_run` added.
    dead_lineage: Option<u32>, Number = inherited.dead(|golem| golem.lineage);
    /// Generation of that golem.
    dead_generation: Option<u32>, Number = inherited.dead(|golem| golem.generation);
    /// That golem.
    dead_golem: Option<String>, Id = inherited.dead(Named);
    /// The run in which that golem lived: 0 for this one, else the place (from 1) in the manifest's list of earlier runs.
    dead_run: Option<u8>, Number = inherited.dead(GolemId::run);
    /// When it came to the heir.
    drawn_tick: u64, Tick = inherited.came;
    /// Place among the bloodstains drawn with it, from 0; empty for what wasn't drawn, as are the eight columns up to `merged`.
    rank: Option<u32>, Number = inherited.draw(|drawn| drawn.rank);
    /// Score in the Lethe's ranking: the sum of the five terms after it, times the boost.
    score: Option<f64>, Score = inherited.draw(|drawn| drawn.score);
    /// Term of the score: likeness of its market to the present one, weighted.
    score_semantic: Option<f64>, Score = inherited.draw(|drawn| drawn.terms.semantic);
    /// Term of the score: recency, weighted.
    score_temporal: Option<f64>, Score = inherited.draw(|drawn| drawn.terms.temporal);
    /// Term of the score: quality less what has decayed, weighted.
    score_quality: Option<f64>, Score = inherited.draw(|drawn| drawn.terms.quality);
    /// Term of the score: how its giver had come by it, weighted.
    score_provenance: Option<f64>, Score = inherited.draw(|drawn| drawn.terms.provenance);
    /// Term of the score: being a scar, weighted.
    score_scar: Option<f64>, Score = inherited.draw(|drawn| drawn.terms.scar);
    /// Factor of the score: what scars and testaments count more.
    score_boost: Option<f64>, Ratio = inherited.draw(|drawn| drawn.terms.boost);
    /// Other bloodstains that say nearly the same and stand behind it.
    merged: Option<u32>, Count = inherited.draw(|drawn| drawn.merged);
    /// Whether it is an episode rather than a lesson.
    is_scar: bool, Flag = inherited.is_scar;
    /// When the heir's life ended, and the account with it.
    settled_tick: u64, Tick = inherited.settled_tick;
    /// The heir's entry for it, or the episode; empty when a lesson found no place. This and all columns after it are empty when the heir's
    /// memory was lost with it by a fault.
    item: Option<String>, Id = inherited.item();
    /// What the lesson says, in words; empty for scars.
    claim: Option<String>, Text = inherited.claim().map(|claim| claim.to_string());
    /// The golem that first lived or learned it.
    origin: Option<String>, Id = inherited.settled(|settled| settled.origin.to_string());
    /// Trust in it when it came; empty for scars.
    confidence: Option<f64>, Share = inherited.settled.and_then(|settled| settled.confidence);
    /// When the first trade closed in whose decision it had spoken; empty when it never did.
    first_use_tick: Option<u64>, Tick = inherited.settled.and_then(|settled| settled.first_use);
    /// Trades in whose decision it spoke.
    uses: Option<u32>, Count = inherited.settled(|settled| settled.uses);
    /// Of these, profitable.
    wins: Option<u32>, Count = inherited.settled(|settled| settled.wins);
    /// Sum of their R-multiples.
    total_r: Option<f64>, R = inherited.settled(|settled| settled.total_r);
    /// Their mean R-multiple; empty when it never spoke.
    mean_r: Option<f64>, R = inherited.mean_r();
    /// Outcomes of the heir's life for its claim, whether it spoke or not; empty for scars.
    confirmed: Option<u32>, Count = inherited.settled_lesson(|settled| settled.confirmed);
    /// Outcomes of the heir's life against its claim; empty for scars.
    contradicted: Option<u32>, Count = inherited.settled_lesson(|settled| settled.contradicted);
    /// Whether it was in force as a rule at any time; empty for scars.
    became_rule: Option<bool>, Flag = inherited.settled_lesson(|settled| settled.became_rule);
}

/// Makes the rows; remembers what the living have drawn (inheritance table recorder).
#[derive(Default)]
pub(crate) struct Inheritances {
    drawn: BTreeMap<GolemId, Vec<DrawnBloodstain>>,
}

impl RowsOf for Inheritances {
    type Row = Draw;

    fn take(&mut self, Heard { event, cast, .. }: Heard<'_>, out: &mut TableWriter<Draw>) -> Result<()> {
        let Some(heir) = event.golem else { return Ok(()) };
        let (cohort, settled_tick) = (cast.cohort(heir.lineage), event.tick);
        match &event.kind {
            EventKind::BloodstainDrawn { id, rank, score, is_scar, merged, terms } => {
                let (rank, score, is_scar, merged, terms) = (*rank, *score, *is_scar, *merged, **terms);
                let drawn =
                    DrawnBloodstain { id: *id, tick: event.tick, rank, score, is_scar, merged, terms };
                self.drawn.entry(heir).or_default().push(drawn);
            }
            EventKind::InheritanceSettled(settled) => {
                let mut drawn = None;
                if let Some(id) = settled.source.bloodstain() {
                    let draws = self.drawn.entry(heir).or_default();
                    let Some(index) = draws.iter().position(|draw| draw.id == id) else { return Ok(()) };
                    drawn = Some(draws.remove(index));
                }
                out.add(&InheritanceRecord {
                    heir,
                    cohort,
                    source: settled.source,
                    came: settled.drawn,
                    drawn: drawn.as_ref(),
                    is_scar: settled.is_scar(),
                    settled_tick,
                    settled: Some(settled),
                })?;
            }
            // What is still there was never settled: the heir's memory is lost.
            EventKind::LifeEnded(_) => {
                for drawn in self.drawn.remove(&heir).unwrap_or_default() {
                    out.add(&InheritanceRecord {
                        heir,
                        cohort,
                        source: Provenance::Bloodstain(drawn.id),
                        came: drawn.tick,
                        is_scar: drawn.is_scar,
                        drawn: Some(&drawn),
                        settled_tick,
                        settled: None,
                    })?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}
