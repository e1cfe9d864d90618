//! `bloodstains.parquet`: a row for each bloodstain that a dead golem left, in the order of deaths. Results are R, quality and
//! trust are 0 to 1, times are ticks. It is the table of what knowledge transfer could draw from. It has also those that nobody
//! drew, because a rate of use needs them.

use super::{Heard, RowsOf, joined};
use crate::io::error::Result;
use crate::io::table::{FillRow as _, Named, table};
use crate::run::run_folder::writer::TableWriter;
use morta_engine::episode::{Claim, Episode, Lesson};
use morta_engine::event::EventKind;
use morta_engine::lethe::{Bequest, Bloodstain};
use morta_engine::market::Strategy;

/// A bloodstain, and the cohort of the golem that left it; both names are empty text for golems of earlier runs.
pub(crate) struct LeftBloodstain<'a> {
    left: &'a Bloodstain,
    cohort: &'a str,
    memory: &'a str,
}

impl LeftBloodstain<'_> {
    fn lesson(&self) -> Option<&Lesson> {
        match &self.left.bequest {
            Bequest::Lesson(lesson) => Some(lesson),
            Bequest::Scar(_) => None,
        }
    }

    fn scar(&self) -> Option<&Episode> {
        match &self.left.bequest {
            Bequest::Scar(episode) => Some(episode),
            Bequest::Lesson(_) => None,
        }
    }

    fn strategy(&self) -> Strategy {
        match &self.left.bequest {
            Bequest::Scar(episode) => episode.strategy,
            Bequest::Lesson(lesson) => lesson.claim.strategy,
        }
    }

    fn claim(&self) -> Option<&Claim> {
        self.lesson().map(|lesson| &lesson.claim)
    }
}

table! {
    /// One bloodstain that a golem left in the Lethe when it died, in the order of deaths.
    pub struct BloodstainRow in "bloodstains.parquet" at died_tick from stain: LeftBloodstain<'_>;

    /// Lineage of the golem that left it.
    lineage: u32, Number = stain.left.id.golem.slot();
    /// Generation of the golem that left it.
    generation: u32, Number = stain.left.id.golem.generation;
    /// The golem that left it.
    golem: String, Id = Named(stain.left.id.golem);
    /// Its cohort.
    cohort: String, Name = stain.cohort;
    /// The memory architecture of its cohort.
    memory: String, Word = stain.memory;
    /// The bloodstain.
    bloodstain: String, Id = Named(stain.left.id);
    /// What is passed on: `scar` (an episode), `lesson` (a rule or what proved wrong) or `hypothesis` (a claim still under test).
    kind: String, Word = kind_of(&stain.left.bequest);
    /// What the golem died of, by the words of `cause` in `lives.parquet`.
    cause: String, Word = stain.left.cause.name();
    /// When it died.
    died_tick: u64, Tick = stain.left.died;
    /// How long it had lived.
    age_ticks: u64, Ticks = stain.left.age;
    /// Its vitality at death.
    vitality: f64, Share = stain.left.vitality;
    /// How good the bloodstain is as a lesson: for a scar its surprise over 3 R (at most 1), else the giver's trust.
    quality: f64, Share = stain.left.quality();
    /// Regime at the death, or of the scar, as the golem read it.
    regime_read: String, Word = stain.left.context.regime.name();
    /// Volatility then by rank, from 1 (calm) to 5 (wild).
    volatility_quintile: u8, Number = stain.left.context.volatility_quintile;
    /// Depth of the pool then: `crisis`, `thin`, `normal` or `deep`.
    liquidity: String, Word = stain.left.context.liquidity.to_string();
    /// Price of gas then: `low`, `normal`, `elevated` or `spike`.
    gas_class: String, Word = stain.left.context.gas.to_string();
    /// Trading hours then: `asia`, `europe` or `america`.
    session: String, Word = stain.left.context.session.to_string();
    /// The strategy that the lesson is about, or that the scar was traded by.
    strategy: String, Word = stain.strategy().name();
    /// What the lesson says, in words; empty for scars, as are the four columns after it.
    claim: Option<String>, Text = stain.claim().map(Named);
    /// The R-multiple the lesson expects.
    claim_expected_r: Option<f64>, R = stain.claim().map(|claim| claim.expected_r);
    /// The giver's trust in the lesson.
    confidence: Option<f64>, Share = stain.lesson().map(|lesson| lesson.confidence);
    /// Generation of the golem that first learned the lesson.
    origin_generation: Option<u32>, Number = stain.lesson().map(|lesson| lesson.origin.generation);
    /// The episodes the lesson was learned from.
    learned_from: Option<String>, Ids = stain.lesson().map(|lesson| joined(&lesson.learned_from));
    /// The episode that is the scar; empty for lessons and hypotheses, as are the two columns after it.
    scar_episode: Option<String>, Id = stain.scar().map(|scar| Named(scar.id));
    /// What was expected of that trade.
    scar_expected_r: Option<f64>, R = stain.scar().map(|scar| scar.expected_r);
    /// What that trade made.
    scar_realised_r: Option<f64>, R = stain.scar().map(|scar| scar.realised_r);
}

impl BloodstainRow {
    /// Converts what a golem of an earlier run left: its cohort isn't known.
    pub(crate) fn of_earlier_run(left: &Bloodstain) -> Self {
        Self::from_source(&LeftBloodstain { left, cohort: "", memory: "" })
    }
}

/// Makes the rows of the table from events.
#[derive(Default)]
pub(super) struct Bloodstains;

impl RowsOf for Bloodstains {
    type Row = BloodstainRow;

    fn take(&mut self, heard: Heard<'_>, out: &mut TableWriter<BloodstainRow>) -> Result<()> {
        let EventKind::BloodstainLeft(left) = &heard.event.kind else { return Ok(()) };
        let cohort = heard.cast.cohort(left.id.golem.lineage);
        out.add(&LeftBloodstain { left, cohort: &cohort.name, memory: &cohort.memory })
    }
}

/// The word for the kind of a bequest, a scar, a lesson or a hypothesis (column `kind`). The journal and `morta lethe` use it too.
pub fn kind_of(bequest: &Bequest) -> &'static str {
    match bequest {
        Bequest::Scar(_) => "scar",
        Bequest::Lesson(Lesson { unfinished: false, .. }) => "lesson",
        Bequest::Lesson(Lesson { unfinished: true, .. }) => "hypothesis",
    }
}
