//! A testament: what a golem has to say for itself at the end, in nine sections (digest section 13, M06).

use crate::episode::{Claim, Lesson, Provenance};
use crate::lethe::bloodstain::{Bequest, CausalNote, DeathMark};
use crate::market::{Regime, Strategy};
use crate::mortality::narrative::{LandmarkMoment, NarrativeArc, TurningPoint};
use crate::mortality::thanatopsis::{DeathBudget, TestamentTier};
use morta_base::{DreamId, EpisodeId, RuleId, Tick, Usdc};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// The nine sections, in order.
    pub enum SectionKind {
        /// What it had learned: the rules it lived by.
        Learned = "learned",
        /// What it got wrong: what experience spoke against more often than for.
        GotWrong = "got_wrong",
        /// What confused it: what experience spoke for about as often as against, and what contradicted what was known.
        Confused = "confused",
        /// What it never tested.
        NeverTested = "never_tested",
        /// What killed it: its last losses.
        KilledMe = "killed_me",
        /// What it would do otherwise: the ways not taken that it regretted most.
        WouldChange = "would_change",
        /// What it suspects: what experience bears out so far.
        Suspect = "suspect",
        /// What leads to what.
        CausalEdges = "causal_edges",
        /// Where it felt what.
        EmotionalTopology = "emotional_topology",
    }
}

/// What an entry says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Saying {
    /// A strategy is worth so much in such circumstances.
    Claim(Claim),
    /// This trade hurt.
    Loss {
        /// The trade's episode.
        episode: EpisodeId,
        /// By which strategy.
        strategy: Strategy,
        /// In which regime, as it read it.
        regime: Regime,
        /// What it made, in R.
        realised_r: f64,
    },
    /// One thing leads to another.
    Edge(CausalNote),
    /// How a regime felt.
    Feeling {
        /// The regime, as it read it.
        regime: Regime,
        /// Episodes remembered from it.
        episodes: u32,
        /// Their mean arousal.
        arousal: f64,
        /// Their mean result, in R.
        mean_r: f64,
    },
}

/// One entry of a section.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// What it says.
    pub saying: Saying,
    /// How sure of it the golem is, 0 to 1.
    pub confidence: f64,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Waking outcomes for it.
    pub confirmed: u32,
    /// Waking outcomes against it.
    pub contradicted: u32,
    /// The episodes it rests on.
    pub learned_from: Vec<EpisodeId>,
}

/// A section with its entries, the surest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// The kind of knowledge its entries are.
    pub kind: SectionKind,
    /// What it holds; may be empty.
    pub entries: Vec<Entry>,
}

impl Section {
    /// Most entries.
    pub const MAX_ENTRIES: usize = 10;

    /// A section of these entries, the surest first, ties in the order given; at most ten.
    pub fn new(kind: SectionKind, mut entries: Vec<Entry>) -> Self {
        entries.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        entries.truncate(Self::MAX_ENTRIES);
        Self { kind, entries }
    }

    /// All nine, empty: the testament of somebody who remembers nothing.
    pub fn none() -> Vec<Self> {
        SectionKind::ALL.map(|kind| Self { kind, entries: Vec::new() }).into()
    }

    /// The sections a snapshot can fill: what was learned, never tested and suspected, and what hurt.
    pub fn of_bequests(bequests: &[Bequest]) -> Vec<Self> {
        let fill = |kind| {
            let entries = bequests.iter().filter_map(|bequest| entry_of(bequest, kind)).collect();
            Self::new(kind, entries)
        };
        SectionKind::ALL.map(fill).into()
    }
}

fn entry_of(bequest: &Bequest, kind: SectionKind) -> Option<Entry> {
    match bequest {
        Bequest::Scar(episode) => (kind == SectionKind::KilledMe).then(|| Entry {
            saying: Saying::Loss {
                episode: episode.id,
                strategy: episode.strategy,
                regime: episode.context.regime,
                realised_r: episode.realised_r,
            },
            confidence: 1.0,
            provenance: episode.provenance,
            confirmed: 0,
            contradicted: 0,
            learned_from: vec![episode.id],
        }),
        Bequest::Lesson(lesson) => (section_of(lesson) == kind).then(|| Entry {
            saying: Saying::Claim(lesson.claim),
            confidence: lesson.confidence,
            provenance: Provenance::Own,
            confirmed: lesson.confirmed,
            contradicted: lesson.contradicted,
            learned_from: lesson.learned_from.clone(),
        }),
    }
}

fn section_of(lesson: &Lesson) -> SectionKind {
    match (lesson.unfinished, lesson.confirmed + lesson.contradicted) {
        (false, _) => SectionKind::Learned,
        (true, 0) => SectionKind::NeverTested,
        (true, _) => SectionKind::Suspect,
    }
}

morta_base::words! {
    /// What to do with knowledge that failed.
    pub enum Treatment {
        /// It says nothing: let it go.
        Discard = "discard",
        /// The opposite is true.
        Invert = "invert",
        /// Too little is known: look again.
        Reinvestigate = "reinvestigate",
    }
}

/// Knowledge that went against its golem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToxicEntry {
    /// Which rule or claim under test.
    pub id: RuleId,
    /// What it says.
    pub claim: Claim,
    /// Trust in it all the same.
    pub confidence: f64,
    /// Remembered trades it speaks of.
    pub trades: u32,
    /// What they made on average, in R.
    pub mean_r: f64,
    /// What to do with it.
    pub treatment: Treatment,
}

/// Trades from which experience can contradict for good.
const ENOUGH_TRADES: u32 = 3;
/// Mean result in R from which experience says the opposite.
const CLEAR_R: f64 = 0.25;

impl Treatment {
    /// What is to be done with a claim whose trades made so much on average: look again after fewer than three trades, invert
    /// when they made .25 R or more the other way, discard otherwise. (The digest names the three; the limits are our own.)
    pub fn of(claim: &Claim, trades: u32, mean_r: f64) -> Self {
        let opposite = (claim.expected_r > 0.0) != (mean_r > 0.0);
        if trades < ENOUGH_TRADES {
            Self::Reinvestigate
        } else if opposite && mean_r.abs() >= CLEAR_R {
            Self::Invert
        } else {
            Self::Discard
        }
    }
}

/// A dream that life has not borne out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnvalidatedDream {
    /// The dream.
    pub dream: DreamId,
    /// How good the golem thought it was, 0 to 1.
    pub quality: f64,
    /// Claims it had put to the test.
    pub staged: u32,
}

/// An episode that was looked back on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remembered {
    /// The episode.
    pub episode: EpisodeId,
    /// The tick at which it ended.
    pub tick: Tick,
    /// The strategy that was followed in it.
    pub strategy: Strategy,
    /// Its regime, as read.
    pub regime: Regime,
    /// What it made, in R.
    pub realised_r: f64,
    /// How strongly it was felt.
    pub arousal: f64,
}

/// A life looked back on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LifeReview {
    /// The episodes felt most strongly, the strongest first.
    pub episodes: Vec<Remembered>,
    /// What a model read in them; each is passed on as a hypothesis nobody has tested.
    pub findings: Vec<Claim>,
    /// What the model was paid for reading them.
    pub cost: Usdc,
    /// What must not be left out.
    pub landmarks: Vec<LandmarkMoment>,
    /// Where the life turned.
    pub turning_points: Vec<TurningPoint>,
}

impl LifeReview {
    /// Picks what to look back on: arousal above `least`, the strongest first, at most `most` and of one strategy in one
    /// regime at most `per_profile` (digest section 13: .3, 20, 3).
    pub fn pick(mut all: Vec<Remembered>, least: f64, most: usize, per_profile: usize) -> Vec<Remembered> {
        all.retain(|episode| episode.arousal > least);
        all.sort_by(|a, b| b.arousal.total_cmp(&a.arousal).then(b.tick.cmp(&a.tick)));
        let mut picked: Vec<Remembered> = Vec::new();
        for episode in all {
            let same =
                |other: &&Remembered| (other.strategy, other.regime) == (episode.strategy, episode.regime);
            if picked.len() < most && picked.iter().filter(same).count() < per_profile {
                picked.push(episode);
            }
        }
        picked
    }
}

/// The testament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeathTestament {
    /// The bloodstain the death leaves.
    pub mark: DeathMark,
    /// What dying could cost.
    pub budget: DeathBudget,
    /// When what is in it was put down: at the end, or at the last snapshot before a sudden death; `None` when there was none.
    pub as_of: Option<Tick>,
    /// The nine sections.
    pub sections: Vec<Section>,
    /// What poisoned its judgement, when its knowledge failed.
    pub autopsy: Vec<ToxicEntry>,
    /// Dreams life has not borne out, the best first.
    pub unvalidated_dreams: Vec<UnvalidatedDream>,
    /// Hypotheses for a successor to finish testing.
    pub unfinished: u32,
    /// The shape of the life.
    pub arc: NarrativeArc,
    /// The life looked back on; none in a sudden or a necrotic death.
    pub review: Option<LifeReview>,
    /// What the market would not take back.
    pub stranded: Usdc,
}

impl DeathTestament {
    /// The tier of the death.
    pub fn tier(&self) -> TestamentTier {
        self.budget.tier
    }
}
