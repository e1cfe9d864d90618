//! The `[lethe]` table: what leaving and finding bloodstains takes: delays in simulated hours, prices in dollars, weights of the rank,
//! quorums in heirs, limits on numbers.
//!
//! The weights are those of a retrieval score: similarity, recency, quality, provenance (trust in the source, by kinship or by how it was
//! learned; digest section 15). The delay (an embargo) and k-anonymity hide which death left a bloodstain. The Lethe is on by default.
//! Delays, ranks and limits act in the service; prices are paid by the golems: of a deposit by those that leave one, of a query by those
//! whose memory draws. The board of a clade ranks the lessons of siblings by the same scores of provenance, always by source. The folders
//! are read and written by the laboratory. The provenance rule is a source weight: by relatedness, or by how it was learned
//! (source credibility).

use crate::episode::KnowledgeDomain;
use morta_base::TableChecker;
use morta_base::keys;

morta_base::words! {
    /// How long a bloodstain takes to surface.
    #[derive(Default)]
    pub enum DelayRule: Key {
        /// Uniform between `delay_hours_min` and `delay_hours_max`.
        #[default]
        Uniform = "uniform",
        /// By what it speaks of, as `delays` says.
        Domain = "domain",
    }

    /// What the provenance term of the rank goes by.
    #[derive(Default)]
    pub(crate) enum ProvenanceRule: Key {
        /// Who left it: the asker's own lineage counts as `provenance_self`, its clade as `provenance_clade`, all others as
        /// `provenance_inherited`.
        #[default]
        Kinship = "kinship",
        /// How whoever left it had come by it: awake counts as `provenance_self`, in a dream as `provenance_dream`, from others as
        /// `provenance_inherited`.
        Source = "source",
    }
}

keys! {
    /// The `[lethe.delays]` table: hours until a bloodstain surfaces, by what it speaks of (`delay = "domain"`).
    #[derive(Copy)]
    pub struct DomainDelays {
        /// How venues work: lessons about yield and protocols.
        mechanics_hours: f64 = 1.0, in 0.0..=1e6, "hours";
        /// Risk: scars, and lessons about volatility.
        risk_hours: f64 = 2.0, in 0.0..=1e6, "hours";
        /// Lessons about gas.
        gas_hours: f64 = 2.0, in 0.0..=1e6, "hours";
        /// Lessons about the depth of the market.
        structure_hours: f64 = 3.0, in 0.0..=1e6, "hours";
        /// Lessons that cross domains.
        cross_hours: f64 = 4.0, in 0.0..=1e6, "hours";
        /// Lessons about where prices go in a regime.
        regime_hours: f64 = 6.0, in 0.0..=1e6, "hours";
    }
}

impl DomainDelays {
    /// The publication delay of a lesson of this domain, in simulated hours; `None` stands for a scar.
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

keys! {
    /// What leaving and finding bloodstains takes.
    pub struct LetheConfig {
        /// Whether there is a Lethe at all. Without, nothing passes from the dead to the living.
        enabled: bool = true;
        /// Folder of a Lethe, or of a finished run, that is read before tick 0: what it holds can be drawn from the
        /// beginning. Given relative to the scenario file. It is only read, and the run keeps a copy.
        start_from: Option<String> = None;
        /// Folder of a Lethe that outlives the run: what is left in this one is added to it, at the barrier of the tick
        /// in which it is left. Given relative to the scenario file; made when it isn't there. Nothing is ever taken
        /// out of it.
        persist: Option<String> = None;
        /// Price of leaving one bloodstain, dollars, taken from the estate.
        deposit_usdc: f64 = 0.005, in 0.0..=1e12, "dollars";
        /// Price of one query, dollars.
        query_usdc: f64 = 0.002, in 0.0..=1e12, "dollars";
        /// How long a bloodstain takes to surface.
        delay: DelayRule = DelayRule::Uniform;
        /// Least time between a death and the moment its bloodstains can be found, simulated hours.
        delay_hours_min: f64 = 1.0, in 0.0..=1e6, "hours";
        /// Most time, simulated hours, at least `delay_hours_min`; the delay is uniform in between.
        delay_hours_max: f64 = 6.0, in 0.0..=1e6, "hours";
        /// The delays by domain.
        delays: DomainDelays = DomainDelays::default();
        /// Time constant of the temporal term of the rank, simulated hours.
        recency_hours: f64 = 168.0, in 1e-6..=1e9, "hours";
        /// How fast the quality of a bequest fades, a day of simulated time; .08 halves it in 8.66 days.
        quality_decay_per_day: f64 = 0.08, in 0.0..=1e6, "per day";
        /// Bloodstains a newborn draws.
        draws_at_birth: u32 = 8, in 0..=1_000, "bloodstains";
        /// Most bloodstains kept; the oldest go first.
        capacity: u32 = 1_000_000, in 1..=100_000_000, "bloodstains";
        /// Likeness beyond which two bequests are drawn as one; 1 for never. Lessons are as alike as their claims,
        /// scars of one strategy and asset as the markets they were got in.
        merge_above: f64 = 0.9, in -1.0..=1.0, "similarity";
        /// Golems that must have left something before a stranger's bequest is handed to anybody: below, it would say
        /// whose it is. One's own lineage and clade are no strangers.
        anonymity: u32 = 5, in 0..=1_000_000, "golems";
        /// Heirs that must have spoken of a bequest before their word counts. Then its quality is the share of them for
        /// whom it worked.
        quorum_votes: u32 = 3, in 1..=1_000_000, "heirs";
        /// Heirs that must have spoken in dying; as good as a quorum.
        quorum_dying_votes: u32 = 1, in 1..=1_000_000, "heirs";
        /// Weight of likeness to the present market in the rank.
        semantic_weight: f64 = 0.35, in 0.0..=1e6, "weight";
        /// Weight of recency.
        temporal_weight: f64 = 0.20, in 0.0..=1e6, "weight";
        /// Weight of quality.
        quality_weight: f64 = 0.25, in 0.0..=1e6, "weight";
        /// Weight of provenance.
        provenance_weight: f64 = 0.10, in 0.0..=1e6, "weight";
        /// Weight of being a scar.
        scar_weight: f64 = 0.10, in 0.0..=1e6, "weight";
        /// What the provenance term goes by.
        provenance: ProvenanceRule = ProvenanceRule::Kinship;
        /// Provenance of what is one's own.
        provenance_self: f64 = 1.0, in 0.0..=1.0, "score";
        /// Provenance of one's clade.
        provenance_clade: f64 = 0.8, in 0.0..=1.0, "score";
        /// Provenance of dreams.
        provenance_dream: f64 = 0.6, in 0.0..=1.0, "score";
        /// Provenance of what comes from others.
        provenance_inherited: f64 = 0.4, in 0.0..=1.0, "score";
        /// What the score of a scar is multiplied by.
        scar_boost: f64 = 1.0, in 0.0..=1e6, "factor";
        /// What the score of bequests is multiplied by when their golem saw its death coming and had time for a
        /// testament, that is when it didn't die by chance.
        testament_boost: f64 = 1.5, in 0.0..=1e6, "factor";
    }
    also folders_are_named_and_delays_in_order;
}

impl LetheConfig {
    fn folders_are_named_and_delays_in_order(&self, table: &mut TableChecker<'_>) {
        for (name, folder) in [("start_from", &self.start_from), ("persist", &self.persist)] {
            let named = folder.as_ref().is_none_or(|folder| !folder.is_empty());
            table.demand(named, name, "\"\"", "name a folder, or leave the key out");
        }
        table.in_order(&[
            ("delay_hours_min", self.delay_hours_min),
            ("delay_hours_max", self.delay_hours_max),
        ]);
    }
}
