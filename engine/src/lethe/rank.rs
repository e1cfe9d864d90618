//! The rank of bloodstains for an asker, term by term (digest section 15): a retrieval score, as a weighted sum of similarity, recency,
//! quality and provenance.
//!
//! Each unweighted term runs from 0 to 1; score = sum of weighted terms · boost, the boost being 1.5 for a death that left time for a
//! testament (`lethe.testament_boost`), times `lethe.scar_boost` for scars (1 by default). A quorum of heirs' votes takes the place of the
//! giver's quality. Which bloodstains are ranked at all (delay, anonymity, refutation) is decided in `state`. Terms are kept beside the
//! score, so that an event can say why a bloodstain was drawn (explainable ranking).

use crate::episode::{Claim, FindingKind, Lesson};
use crate::lethe::clade::CladeMap;
use crate::lethe::config::ProvenanceRule;
use crate::lethe::{Bequest, Bloodstain, LetheConfig, LetheQuery, Votes};
use crate::market::{AssetIndex, Strategy};
use crate::mortality::Cause;
use morta_base::dot::cosine_similarity;
use morta_base::{BloodstainId, GolemId, Lineage, Tick, math};
use serde::{Deserialize, Serialize};

/// The terms of one relevance score, by feature; the score is their sum times the boost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RankTerms {
    /// Weighted likeness to the present market.
    pub semantic: f64,
    /// Weighted recency.
    pub temporal: f64,
    /// Weighted quality, decayed.
    pub quality: f64,
    /// Weighted provenance.
    pub provenance: f64,
    /// Weighted being a scar.
    pub scar: f64,
    /// Product of the factors of scars and of testaments; 1 for neither.
    pub boost: f64,
}

impl RankTerms {
    /// The relevance score: the sum of the terms times the boost, by which draws are sorted.
    pub fn score(&self) -> f64 {
        (self.semantic + self.temporal + self.quality + self.provenance + self.scar) * self.boost
    }
}

morta_base::words! {
    /// How the giver of a bequest had learned it (`lethe.provenance = "source"`).
    pub(super) enum Learned {
        Awake = "awake",
        InADream = "in_a_dream",
        FromOthers = "from_others",
    }
}

impl Learned {
    /// How a golem had learned a lesson that it gives away.
    pub(super) fn by(giver: GolemId, lesson: &Lesson) -> Self {
        match lesson.finding {
            _ if lesson.origin != giver => Self::FromOthers,
            FindingKind::Lesson => Self::FromOthers,
            FindingKind::Insight => Self::Awake,
            _ => Self::InADream,
        }
    }

    /// What it counts for.
    pub(super) const fn weight(self, config: &LetheConfig) -> f64 {
        match self {
            Self::Awake => config.provenance_self,
            Self::InADream => config.provenance_dream,
            Self::FromOthers => config.provenance_inherited,
        }
    }
}

/// The subject of a bequest, by which duplicates are found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Subject {
    Scar { strategy: Strategy, asset: AssetIndex },
    Lesson(Claim),
}

/// A bloodstain in the Lethe's index, with all that finding and ranking need, so that draws read the store only for the few bloodstains
/// that they hand out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct IndexEntry {
    pub id: BloodstainId,
    /// The tick from which it can be drawn.
    pub available: Tick,
    /// The tick of its golem's death; 0 for one of an earlier run.
    pub died: Tick,
    /// Simulated hours before tick 0 for a death of an earlier run, and 0 for one of this run.
    pub hours_before: f64,
    /// Quality of the bequest when it was left, 0 to 1.
    quality: f64,
    learned: Learned,
    /// Whether its golem died by chance, without a testament.
    sudden: bool,
    subject: Subject,
    /// The market of the scar, or of the death for a lesson.
    embedding: Box<[f32]>,
    pub votes: Votes,
}

impl IndexEntry {
    /// Takes from a bloodstain the features that it is ranked by.
    pub(super) fn new(bloodstain: &Bloodstain, available: Tick, hours_before: Option<f64>) -> Self {
        let (learned, subject) = match &bloodstain.bequest {
            Bequest::Scar(episode) => {
                (Learned::Awake, Subject::Scar { strategy: episode.strategy, asset: episode.asset })
            }
            Bequest::Lesson(lesson) => {
                (Learned::by(bloodstain.id.golem, lesson), Subject::Lesson(lesson.claim))
            }
        };
        Self {
            id: bloodstain.id,
            available,
            died: if hours_before.is_some() { 0 } else { bloodstain.died },
            hours_before: hours_before.unwrap_or(0.0),
            quality: bloodstain.quality(),
            learned,
            sudden: bloodstain.cause == Cause::Stochastic,
            subject,
            embedding: bloodstain.embedding.clone(),
            votes: Votes::default(),
        }
    }

    /// Whether two bequests are near-duplicates: claims whose features, or scars of one strategy and asset whose markets, are alike (cosine
    /// similarity) beyond the limit. A limit of 1 keeps everything. Without it, one crash that killed many would fill all draws.
    pub(super) fn duplicates(&self, other: &Self, limit: f64) -> bool {
        if limit >= 1.0 {
            return false;
        }
        match (&self.subject, &other.subject) {
            (Subject::Lesson(a), Subject::Lesson(b)) => a.similarity(b) > limit,
            (Subject::Scar { .. }, Subject::Scar { .. }) => {
                self.subject == other.subject && cosine_similarity(&self.embedding, &other.embedding) > limit
            }
            _ => false,
        }
    }

    /// Rank of layer L2, a hybrid retrieval score (digest section 15, X01): .35 semantic + .20 temporal e^(−h/168) + .25 quality + .10
    /// provenance + .10 bloodstain. Quality fades by e^(−λ·days), λ = .08 a day (M16). Bequests of a death that left time for a testament
    /// count 1.5 times (M06).
    ///
    /// M00 lets scars count 1.2 times as well. Being a scar is counted once by default, by the term: it is one of five weights that
    /// sum to 1. With the factor on top, scars were 93 of 100 bloodstains drawn, though 53 of 100 left.
    pub(super) fn rank(
        &self,
        now: Tick,
        query: &LetheQuery,
        config: &LetheConfig,
        (ticks_per_hour, clades): (f64, &CladeMap),
    ) -> RankTerms {
        let hours = now.saturating_sub(self.died) as f64 / ticks_per_hour + self.hours_before;
        let is_scar = matches!(self.subject, Subject::Scar { .. });
        let quality = self.votes.quality(config).unwrap_or(self.quality);
        let fade = math::exp(-config.quality_decay_per_day * hours / HOURS_A_DAY);
        RankTerms {
            semantic: config.semantic_weight
                * 0.5
                * (1.0 + cosine_similarity(&query.embedding, &self.embedding)),
            temporal: config.temporal_weight * math::exp(-hours / config.recency_hours),
            quality: config.quality_weight * quality * fade,
            provenance: config.provenance_weight * self.provenance(query.kin, config, clades),
            scar: if is_scar { config.scar_weight } else { 0.0 },
            boost: if is_scar { config.scar_boost } else { 1.0 }
                * if self.sudden { 1.0 } else { config.testament_boost },
        }
    }

    fn provenance(&self, kin: Option<Lineage>, config: &LetheConfig, clades: &CladeMap) -> f64 {
        let left_by = self.id.golem;
        match config.provenance {
            ProvenanceRule::Kinship if Some(left_by.lineage) == kin => config.provenance_self,
            ProvenanceRule::Kinship if kin.is_some_and(|kin| clades.are_siblings(left_by.lineage, kin)) => {
                config.provenance_clade
            }
            ProvenanceRule::Kinship => config.provenance_inherited,
            ProvenanceRule::Source => self.learned.weight(config),
        }
    }
}

const HOURS_A_DAY: f64 = 24.0;
