//! The testament of a dying golem, in nine sections (digest section 13, M06): a structured post-mortem report for heirs and for people.
//!
//! Results are in R, confidence and arousal run from 0 to 1, money is in dollars. A sudden death has only the sections of its last
//! snapshot, whatever the memory. At any other a memory that dreams fills them (`memory::bardo::testament`), and those of others are empty;
//! `golem::testament` puts the document together. The whole goes into an event; heirs receive bequests and not this document. Treatments
//! are advice on paper: nothing carries them out. Two things differ by the source of the sections. In `killed_me` a memory that dreams has
//! its last losses, each with its share of their sum for a confidence, so that the largest comes first; a snapshot has its scars, which are
//! the worst losses of the life rather than the last ones (`memory::bardo::scars`), each with a confidence of 1.

use crate::episode::{Claim, Episode, Lesson, Provenance};
use crate::lethe::bloodstain::{Bequest, CausalNote, DeathMark};
use crate::market::{Regime, Strategy};
use crate::mortality::narrative::{LandmarkMoment, NarrativeArc, TurningPoint};
use crate::mortality::thanatopsis::{DeathBudget, TestamentTier};
use morta_base::{DreamId, EpisodeId, RuleId, Tick, Usdc};
use serde::{Deserialize, Serialize};

morta_base::words! {
    /// The nine sections, in order. A section heading of the post-mortem report.
    pub enum SectionKind {
        /// Its knowledge: the rules it lived by.
        Learned = "learned",
        /// Its errors: claims with more evidence against than for.
        GotWrong = "got_wrong",
        /// Its doubts: claims with about as much evidence for as against, and findings that contradicted its knowledge.
        Confused = "confused",
        /// Claims that it never tested.
        NeverTested = "never_tested",
        /// The events that killed it: its last losses.
        KilledMe = "killed_me",
        /// Its regrets: the untaken alternatives that it regretted most.
        WouldChange = "would_change",
        /// Its suspicions: claims under test that the evidence supports so far.
        Suspect = "suspect",
        /// Links of its causal graph.
        CausalEdges = "causal_edges",
        /// Its feelings by regime.
        EmotionalTopology = "emotional_topology",
    }
}

/// The content of an entry: a claim, a loss, a causal edge or a feeling (a tagged union of statements).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Saying {
    /// Expected R of a strategy in some circumstances.
    Claim(Claim),
    /// A losing trade.
    Loss {
        /// The trade's episode.
        episode: EpisodeId,
        /// The strategy that was followed.
        strategy: Strategy,
        /// The regime, as it read it.
        regime: Regime,
        /// The result, in R.
        realised_r: f64,
    },
    /// A causal edge.
    Edge(CausalNote),
    /// The feeling of a regime.
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

/// One entry of a section of the testament: a piece of knowledge with its confidence and provenance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SectionEntry {
    /// Its content.
    pub saying: Saying,
    /// The golem's confidence in it, 0 to 1. Of a loss it isn't trust: it is the loss's share of the summed last losses, or 1 for a scar of
    /// a snapshot.
    pub confidence: f64,
    /// Its provenance.
    pub provenance: Provenance,
    /// Waking outcomes for it.
    pub confirmed: u32,
    /// Waking outcomes against it.
    pub contradicted: u32,
    /// The episodes it rests on.
    pub learned_from: Vec<EpisodeId>,
}

impl SectionEntry {
    /// Makes an entry of what it said itself, which no outcome has tested since.
    pub(crate) const fn untested(saying: Saying, confidence: f64, learned_from: Vec<EpisodeId>) -> Self {
        Self { saying, confidence, provenance: Provenance::Own, confirmed: 0, contradicted: 0, learned_from }
    }

    /// Makes an entry of a loss that it lived through or inherited.
    pub(crate) fn of_loss<E>(episode: &Episode<E>, confidence: f64) -> Self {
        let saying = Saying::Loss {
            episode: episode.id,
            strategy: episode.strategy,
            regime: episode.context.regime,
            realised_r: episode.realised_r,
        };
        let provenance = episode.provenance;
        Self { provenance, ..Self::untested(saying, confidence, vec![episode.id]) }
    }
}

/// A report section of the post-mortem, with its entries, the surest first (top-k by confidence).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// The kind of knowledge its entries are.
    pub kind: SectionKind,
    /// Its entries; may be empty.
    pub entries: Vec<SectionEntry>,
}

impl Section {
    /// Most entries; our choice, so that the event of a testament stays bounded however long the life was.
    pub(crate) const MAX_ENTRIES: usize = 10;

    /// Makes a section of the top ten of these entries, the surest first, ties in the order given (stable sort).
    pub fn new(kind: SectionKind, mut entries: Vec<SectionEntry>) -> Self {
        entries.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
        entries.truncate(Self::MAX_ENTRIES);
        Self { kind, entries }
    }

    /// All nine sections, empty: the testament of a golem whose memory doesn't dream.
    pub fn none() -> Vec<Self> {
        SectionKind::ALL.map(|kind| Self { kind, entries: Vec::new() }).into()
    }

    /// Makes the sections of a snapshot's bequests: learned, never tested, suspected, and its scars as `killed_me`, in the order of the
    /// bequests. The scars are the worst losses, or random ones by `memory.bardo.scar_content`, and not the last. The other five sections
    /// need a living memory and stay empty. The report is as of the last checkpoint.
    pub fn of_bequests(bequests: &[Bequest]) -> Vec<Self> {
        let fill = |kind| {
            let entries = bequests.iter().filter_map(|bequest| entry_of(bequest, kind)).collect();
            Self::new(kind, entries)
        };
        SectionKind::ALL.map(fill).into()
    }
}

fn entry_of(bequest: &Bequest, kind: SectionKind) -> Option<SectionEntry> {
    match bequest {
        Bequest::Scar(scar) => (kind == SectionKind::KilledMe).then(|| SectionEntry::of_loss(scar, 1.0)),
        Bequest::Lesson(lesson) => (section_of(lesson) == kind).then(|| SectionEntry {
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
    /// The advice on knowledge that failed. A recommended follow-up (remediation action).
    pub enum Treatment {
        /// It says nothing: let it go.
        Discard = "discard",
        /// The opposite is true.
        Invert = "invert",
        /// Too little is known: look again.
        Reinvestigate = "reinvestigate",
    }
}

/// Harmful knowledge, which misled its golem, as a post-mortem (root cause analysis) finds it (digest section 13, G03: the autopsy of an
/// epistemic death).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToxicEntry {
    /// The rule or claim under test.
    pub id: RuleId,
    /// The claim.
    pub claim: Claim,
    /// Trust in it all the same.
    pub confidence: f64,
    /// Number of remembered trades that it is about.
    pub trades: u32,
    /// Their mean result, in R.
    pub mean_r: f64,
    /// The treatment that the autopsy proposes.
    pub treatment: Treatment,
}

/// Fewest trades that can contradict a claim; as many as a cluster of the Curator needs for an insight (digest section 3).
const ENOUGH_TRADES: u32 = 3;
/// Mean result in R from which experience says the opposite: the margin by which a trade confirms a claim of gain (`confirm_margin_r`).
const CLEAR_R: f64 = 0.25;

impl Treatment {
    /// Sorts a claim by the mean result of its trades: reinvestigate after fewer than three trades, invert when they made .25 R or more the
    /// other way, discard in all other cases. (The digest names the three without limits.) A remediation rule.
    pub fn for_claim(claim: &Claim, trades: u32, mean_r: f64) -> Self {
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

/// A dream whose claims life has not confirmed: a set of unconfirmed hypotheses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnvalidatedDream {
    /// The dream.
    pub dream: DreamId,
    /// Its quality by the golem's own score, 0 to 1.
    pub quality: f64,
    /// Number of its claims that were put to the test.
    pub staged: u32,
}

/// An episode of a life review, remembered with its arousal and result.
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
    /// Its result, in R.
    pub realised_r: f64,
    /// Arousal of its memory.
    pub arousal: f64,
}

/// The review of a life: a retrospective of its salient episodes, with what a model read in them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LifeReview {
    /// The episodes felt most strongly, the strongest first.
    pub episodes: Vec<Remembered>,
    /// Claims that a model read in them; each is passed on as an untested hypothesis.
    pub findings: Vec<Claim>,
    /// Price of the model's reading.
    pub cost: Usdc,
    /// Landmarks, which a review must not leave out.
    pub landmarks: Vec<LandmarkMoment>,
    /// Turning points of the life.
    pub turning_points: Vec<TurningPoint>,
}

impl LifeReview {
    /// Picks the episodes of a review: arousal above `least`, the strongest first, at most `most` and of one strategy in one regime at most
    /// `per_profile` (digest section 13: .3, 20, 3), so that one bad week doesn't fill it.
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

/// The testament: the post-mortem report of a life as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeathTestament {
    /// The bloodstain the death leaves.
    pub mark: DeathMark,
    /// The budget of the last rites.
    pub budget: DeathBudget,
    /// The tick of its knowledge: the end, or the last snapshot before a sudden death; `None` without a snapshot.
    pub as_of: Option<Tick>,
    /// The nine sections.
    pub sections: Vec<Section>,
    /// Harmful knowledge, after an epistemic death.
    pub autopsy: Vec<ToxicEntry>,
    /// Dreams that life has not confirmed, the best first.
    pub unvalidated_dreams: Vec<UnvalidatedDream>,
    /// Hypotheses for a successor to finish testing.
    pub unfinished: u32,
    /// The shape of the life.
    pub arc: NarrativeArc,
    /// The life review; `None` in a sudden or a necrotic death.
    pub review: Option<LifeReview>,
    /// Value of positions that were given up.
    pub stranded: Usdc,
}

impl DeathTestament {
    /// The tier of the death, which the budget of its last rites decides.
    pub fn tier(&self) -> TestamentTier {
        self.budget.tier
    }
}
