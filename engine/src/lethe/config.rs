//! The `[lethe]` table.

use crate::episode::KnowledgeDomain;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How long a bloodstain takes to surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DelayRule {
    /// Uniform between `delay_hours_min` and `delay_hours_max`.
    #[default]
    Uniform,
    /// By what it speaks of, as `delays` says.
    Domain,
}

/// What the provenance term of the rank goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProvenanceRule {
    /// Who left it: the asker's own lineage counts as `provenance_self`, its clade as `provenance_clade`, all others as
    /// `provenance_inherited`.
    #[default]
    Kinship,
    /// How whoever left it had come by it: awake counts as `provenance_self`, in a dream as `provenance_dream`, from others as
    /// `provenance_inherited`.
    Source,
}

/// The `[lethe.delays]` table: hours until a bloodstain surfaces, by what it speaks of (`delay = "domain"`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DomainDelays {
    /// How venues work: lessons about yield and protocols; 0 or more, as are all of these.
    pub mechanics_hours: f64,
    /// Risk: scars, and lessons about volatility.
    pub risk_hours: f64,
    /// Lessons about gas.
    pub gas_hours: f64,
    /// Lessons about the depth of the market.
    pub structure_hours: f64,
    /// Lessons that cross domains.
    pub cross_hours: f64,
    /// Lessons about where prices go in a regime.
    pub regime_hours: f64,
}

impl Default for DomainDelays {
    fn default() -> Self {
        Self {
            mechanics_hours: 1.0,
            risk_hours: 2.0,
            gas_hours: 2.0,
            structure_hours: 3.0,
            cross_hours: 4.0,
            regime_hours: 6.0,
        }
    }
}

impl DomainDelays {
    /// Hours for a lesson of this domain; `None` stands for a scar.
    pub fn hours(&self, domain: Option<KnowledgeDomain>) -> f64 {
        match domain {
            None | Some(KnowledgeDomain::Volatility) => self.risk_hours,
            Some(KnowledgeDomain::Yield | KnowledgeDomain::Protocol) => self.mechanics_hours,
            Some(KnowledgeDomain::Gas) => self.gas_hours,
            Some(KnowledgeDomain::Structure) => self.structure_hours,
            Some(KnowledgeDomain::General) => self.cross_hours,
            Some(KnowledgeDomain::Price) => self.regime_hours,
        }
    }
}

/// What leaving and finding bloodstains takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct LetheConfig {
    /// Whether there is a Lethe at all. Without, nothing passes from the dead to the living.
    pub enabled: bool,
    /// Folder of a Lethe, or of a finished run, that is read before tick 0: what it holds can be drawn from the beginning. Given
    /// relative to the scenario file. It is only read, and the run keeps a copy.
    pub start_from: Option<String>,
    /// Folder of a Lethe that outlives the run: what is left in this one is added to it, at the barrier of the tick in which
    /// it is left. Given relative to the scenario file; made when it isn't there. Nothing is ever taken out of it.
    pub persist: Option<String>,
    /// Price of leaving one bloodstain, dollars, taken from the estate; 0 or more.
    pub deposit_usdc: f64,
    /// Price of one query, dollars, 0 or more.
    pub query_usdc: f64,
    /// How long a bloodstain takes to surface.
    pub delay: DelayRule,
    /// Least time between a death and the moment its bloodstains can be found, simulated hours, 0 or more.
    pub delay_hours_min: f64,
    /// Most time, simulated hours; the delay is uniform in between.
    pub delay_hours_max: f64,
    /// The delays by domain.
    pub delays: DomainDelays,
    /// Time constant of the temporal term of the rank, simulated hours, above 0.
    pub recency_hours: f64,
    /// How fast the quality of a bequest fades, a day of simulated time, 0 or more; .08 halves it in 8.66 days.
    pub quality_decay_per_day: f64,
    /// Bloodstains a newborn draws, 0 to 1,000.
    pub draws_at_birth: u32,
    /// Most bloodstains kept; the oldest go first. 1 to 100,000,000.
    pub capacity: u32,
    /// Likeness beyond which two bequests are drawn as one, −1 to 1; 1 for never. Lessons are as alike as their claims, scars of
    /// one strategy and asset as the markets they were got in.
    pub merge_above: f64,
    /// Golems that must have left something before a stranger's bequest is handed to anybody: below, it would say whose it is. 0 to
    /// 1,000,000; one's own lineage and clade are no strangers.
    pub anonymity: u32,
    /// Heirs that must have spoken of a bequest before their word counts, 1 to 1,000,000. Then its quality is the share of
    /// them for whom it worked.
    pub quorum_votes: u32,
    /// Heirs that must have spoken in dying; as good as a quorum. 1 to 1,000,000.
    pub quorum_dying_votes: u32,
    /// Trades in which a bequest must have spoken before its heir votes on it while alive, 1 to 1,000,000.
    pub vote_after_uses: u32,
    /// Whether a bequest that failed most of its quorum is no longer handed out.
    pub withdraw_refuted: bool,
    /// Weight of likeness to the present market in the rank, 0 or more.
    pub semantic_weight: f64,
    /// Weight of recency.
    pub temporal_weight: f64,
    /// Weight of quality.
    pub quality_weight: f64,
    /// Weight of provenance.
    pub provenance_weight: f64,
    /// Weight of being a scar.
    pub scar_weight: f64,
    /// What the provenance term goes by.
    pub provenance: ProvenanceRule,
    /// Provenance of what is one's own, 0 to 1.
    pub provenance_self: f64,
    /// Provenance of one's clade, 0 to 1.
    pub provenance_clade: f64,
    /// Provenance of dreams, 0 to 1.
    pub provenance_dream: f64,
    /// Provenance of what comes from others, 0 to 1.
    pub provenance_inherited: f64,
    /// What the score of a scar is multiplied by, 0 or more.
    pub scar_boost: f64,
    /// What the score of bequests is multiplied by when their golem saw its death coming and had time for a testament, that is
    /// when it didn't die by chance; 0 or more.
    pub testament_boost: f64,
}

impl Default for LetheConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            start_from: None,
            persist: None,
            deposit_usdc: 0.005,
            query_usdc: 0.002,
            delay: DelayRule::Uniform,
            delay_hours_min: 1.0,
            delay_hours_max: 6.0,
            delays: DomainDelays::default(),
            recency_hours: 168.0,
            quality_decay_per_day: 0.08,
            draws_at_birth: 8,
            capacity: 1_000_000,
            merge_above: 0.9,
            anonymity: 5,
            quorum_votes: 3,
            quorum_dying_votes: 1,
            vote_after_uses: 3,
            withdraw_refuted: true,
            semantic_weight: 0.35,
            temporal_weight: 0.20,
            quality_weight: 0.25,
            provenance_weight: 0.10,
            scar_weight: 0.10,
            provenance: ProvenanceRule::Kinship,
            provenance_self: 1.0,
            provenance_clade: 0.8,
            provenance_dream: 0.6,
            provenance_inherited: 0.4,
            scar_boost: 1.2,
            testament_boost: 1.5,
        }
    }
}

impl LetheConfig {
    /// Everything about the values that can't be.
    pub fn check(&self, check: &mut crate::base::Checker) {
        let mut table = check.table("lethe");
        for (name, folder) in [("start_from", &self.start_from), ("persist", &self.persist)] {
            let named = folder.as_ref().is_none_or(|folder| !folder.is_empty());
            table.demand(named, name, "\"\"", "name a folder, or leave the key out");
        }
        table.at_least("deposit_usdc", self.deposit_usdc, 0.0);
        table.at_least("query_usdc", self.query_usdc, 0.0);
        table.within("delay_hours_min", self.delay_hours_min, 0.0, 1e6);
        table.within("delay_hours_max", self.delay_hours_max, self.delay_hours_min, 1e6);
        self.delays.check(&mut table.table("delays"));
        table.within("recency_hours", self.recency_hours, 1e-6, 1e9);
        table.within("quality_decay_per_day", self.quality_decay_per_day, 0.0, 1e6);
        table.whole("draws_at_birth", self.draws_at_birth.into(), 0, 1_000);
        table.whole("capacity", self.capacity.into(), 1, 100_000_000);
        table.within("merge_above", self.merge_above, -1.0, 1.0);
        table.whole("anonymity", self.anonymity.into(), 0, 1_000_000);
        table.whole("quorum_votes", self.quorum_votes.into(), 1, 1_000_000);
        table.whole("quorum_dying_votes", self.quorum_dying_votes.into(), 1, 1_000_000);
        table.whole("vote_after_uses", self.vote_after_uses.into(), 1, 1_000_000);
        for (name, weight) in [
            ("semantic_weight", self.semantic_weight),
            ("temporal_weight", self.temporal_weight),
            ("quality_weight", self.quality_weight),
            ("provenance_weight", self.provenance_weight),
            ("scar_weight", self.scar_weight),
            ("scar_boost", self.scar_boost),
            ("testament_boost", self.testament_boost),
        ] {
            table.within(name, weight, 0.0, 1e6);
        }
        table.share("provenance_self", self.provenance_self);
        table.share("provenance_clade", self.provenance_clade);
        table.share("provenance_dream", self.provenance_dream);
        table.share("provenance_inherited", self.provenance_inherited);
    }
}

impl DomainDelays {
    fn check(&self, table: &mut crate::base::TableChecker<'_>) {
        table.within("mechanics_hours", self.mechanics_hours, 0.0, 1e6);
        table.within("risk_hours", self.risk_hours, 0.0, 1e6);
        table.within("gas_hours", self.gas_hours, 0.0, 1e6);
        table.within("structure_hours", self.structure_hours, 0.0, 1e6);
        table.within("cross_hours", self.cross_hours, 0.0, 1e6);
        table.within("regime_hours", self.regime_hours, 0.0, 1e6);
    }
}
