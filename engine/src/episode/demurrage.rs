//! Demurrage: stored confidence that is not borne out is paid away (digest section 12).
//!
//! Invariant: an interval is paid for once. What has been paid is noted in the entry's [`Standing`], so that looking often,
//! seldom or twice comes to the same.

use crate::episode::{EntryKind, EntryNature, KnowledgeDomain, Provenance, Standing};
use morta_base::keys;
use morta_base::keys::{Free, KeyValue};
use morta_base::{TableChecker, Tick};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which document's rates hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DemurrageVariant {
    /// .03 · domain / type every 250 ticks (M05).
    #[default]
    A,
    /// .03 · domain every 250 ticks, other domain factors, no types (M02).
    APrime,
    /// .05 every 5,000 ticks (M11, M12, M13).
    B,
    /// None.
    Off,
}

impl KeyValue for DemurrageVariant {
    type Rule = Free;
}

keys! {
    /// The `[memory.bardo.demurrage]` table.
    pub struct DemurrageConfig {
        /// Whose rates hold: "a", "a_prime", "b" or "off".
        variant: DemurrageVariant = DemurrageVariant::default();
        /// Factor on all of it: immortals can have it off with 0.
        factor: f64 = 1.0, in 0.0..=100.0, "factor";
        /// Confidence below which an entry goes to the archive.
        archive_below: f64 = 0.1, in 0.0..=1.0, "confidence";
        /// Confidence below which it is burnt, at most `archive_below`.
        burn_below: f64 = 0.02, in 0.0..=1.0, "confidence";
        /// Factor for what a dream drew and life bore out.
        dream_validated_factor: f64 = 0.5, in 0.0..=100.0, "factor";
        /// Factor for what was inherited and hasn't been borne out in this life.
        unvalidated_inherited_factor: f64 = 2.0, in 0.0..=100.0, "factor";
        /// Confidence that demurrage leaves to what is known to be wrong.
        anti_knowledge_floor: f64 = 0.3, in 0.0..=1.0, "confidence";
        /// Factor for what is known to be wrong.
        anti_knowledge_factor: f64 = 0.5, in 0.0..=100.0, "factor";
        /// Share of the endowment below which the economic clock presses: entries that nobody has looked at for
        /// `idle_ticks` are archived then. 0 for never.
        economic_pressure_below: f64 = 0.3, in 0.0..=1.0, "share";
        /// Those ticks.
        idle_ticks: u64 = 500, in 1..=1_000_000_000, "ticks";
        /// Accuracy of a domain's predictions below which its entries pay twice, 0 for never.
        epistemic_pressure_below: f64 = 0.3, in 0.0..=1.0, "fitness";
    }
    also burning_is_below_archiving;
}

impl DemurrageConfig {
    fn burning_is_below_archiving(&self, table: &mut TableChecker<'_>) {
        table.in_order(&[("burn_below", self.burn_below), ("archive_below", self.archive_below)]);
    }
}

/// Additions and subtractions of hundredths don't come out even in binary; thresholds are compared to within this.
const EPSILON: f64 = 1e-9;
/// How many times its due an entry pays in a domain that is predicted badly.
const FAST_TRACK: f64 = 2.0;

impl DemurrageConfig {
    /// Ticks an entry may go unvalidated before it pays; `None` without demurrage.
    pub const fn interval(&self) -> Option<Tick> {
        match self.variant {
            DemurrageVariant::A | DemurrageVariant::APrime => Some(250),
            DemurrageVariant::B => Some(5_000),
            DemurrageVariant::Off => None,
        }
    }

    /// What is due for one interval, in confidence.
    pub fn due(&self, standing: &Standing, nature: &EntryNature, fast_track: bool) -> f64 {
        let base = match self.variant {
            DemurrageVariant::A => 0.03 * domain_factor(nature.domain) / kind_factor(nature.kind),
            DemurrageVariant::APrime => 0.03 * domain_factor_prime(nature.domain),
            DemurrageVariant::B => 0.05,
            DemurrageVariant::Off => 0.0,
        };
        let foreign = nature.provenance != Provenance::Own && nature.evidence.confirmed == 0;
        let when = |holds: bool, factor: f64| if holds { factor } else { 1.0 };
        base * self.factor
            * when(standing.dream_validated, self.dream_validated_factor)
            * when(foreign, self.unvalidated_inherited_factor)
            * when(nature.kind == EntryKind::AntiKnowledge, self.anti_knowledge_factor)
            * when(fast_track, FAST_TRACK)
    }

    /// Pays for every whole interval since the last payment or validation. Confidence stays in [0, 1], and what is known to be
    /// wrong keeps its floor if it had it.
    pub fn levy(
        &self,
        standing: &mut Standing,
        nature: &EntryNature,
        confidence: &mut f64,
        now: Tick,
        fast_track: bool,
    ) {
        let Some(interval) = self.interval() else { return };
        let intervals = now.saturating_sub(standing.paid_until) / interval;
        if intervals == 0 {
            return;
        }
        standing.paid_until += intervals * interval;
        let floor = if nature.kind == EntryKind::AntiKnowledge { self.anti_knowledge_floor } else { 0.0 };
        let owed = intervals as f64 * self.due(standing, nature, fast_track);
        let left = (*confidence - owed).max(floor.min(*confidence));
        standing.levied += *confidence - left;
        *confidence = left;
    }

    /// Whether so little confidence is left that an entry goes to the archive.
    pub fn archives(&self, confidence: f64) -> bool {
        confidence < self.archive_below - EPSILON
    }

    /// Whether so little is left that it is burnt.
    pub fn burns(&self, confidence: f64) -> bool {
        confidence < self.burn_below - EPSILON
    }
}

/// M05: gas 3, price 1.5, volatility .8, yield .5, protocol .3, structure .7, general 1.
const fn domain_factor(domain: KnowledgeDomain) -> f64 {
    match domain {
        KnowledgeDomain::Gas => 3.0,
        KnowledgeDomain::Price => 1.5,
        KnowledgeDomain::Volatility => 0.8,
        KnowledgeDomain::Yield => 0.5,
        KnowledgeDomain::Protocol => 0.3,
        KnowledgeDomain::Structure => 0.7,
        KnowledgeDomain::General => 1.0,
    }
}

/// M02: gas 2, price 1.5, volatility 1, yield .8, protocol .5; others 1.
const fn domain_factor_prime(domain: KnowledgeDomain) -> f64 {
    match domain {
        KnowledgeDomain::Gas => 2.0,
        KnowledgeDomain::Price => 1.5,
        KnowledgeDomain::Yield => 0.8,
        KnowledgeDomain::Protocol => 0.5,
        KnowledgeDomain::Volatility | KnowledgeDomain::Structure | KnowledgeDomain::General => 1.0,
    }
}

/// M05: insight 1, heuristic 1.2, warning 1.5, causal 1.8, fragment .7, question 2; 1 for what was refuted.
const fn kind_factor(kind: EntryKind) -> f64 {
    match kind {
        EntryKind::Insight | EntryKind::AntiKnowledge => 1.0,
        EntryKind::Heuristic => 1.2,
        EntryKind::Warning => 1.5,
        EntryKind::StrategyFragment => 0.7,
        EntryKind::Question => 2.0,
    }
}

/// Why an entry left the active store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeavingReason {
    /// Demurrage took its confidence.
    ZeroConfidence,
    /// Experience spoke against it.
    Contradicted,
    /// Another entry says it better.
    Superseded,
    /// There were too many.
    Capacity,
    /// Nobody had looked at it while money was short.
    Idle,
    /// It was poor and hardly ever looked at.
    Pruned,
    /// It stayed below the least confidence for too many Curator cycles.
    Sunset,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::Evidence;
    use crate::episode::standing::tests::claim;
    use morta_base::GolemId;
    use proptest::prelude::*;

    fn nature(kind: EntryKind, domain: KnowledgeDomain) -> EntryNature {
        EntryNature { domain, ..EntryNature::of(kind, &claim(0.4), Provenance::Own, Evidence::NONE) }
    }

    /// First tick at which an entry of confidence .6 is archived, looked at every 250 ticks.
    fn archived_at(config: &DemurrageConfig, nature: &EntryNature) -> Tick {
        let (mut standing, mut confidence) = (Standing::new(0), 0.6);
        (1..1_000)
            .map(|step| step * 250)
            .find(|now| {
                config.levy(&mut standing, nature, &mut confidence, *now, false);
                config.archives(confidence)
            })
            .expect("it is archived at last")
    }

    /// Digest section 12: from .6, a gas insight is archived after 1,500 ticks, one on price after 3,000, on protocol
    /// after 14,000.
    #[test]
    fn variant_a_archives_when_the_digest_says() {
        let config = DemurrageConfig::default();
        let check = |domain, expected| {
            assert_eq!(archived_at(&config, &nature(EntryKind::Insight, domain)), expected, "{domain:?}");
        };
        check(KnowledgeDomain::Gas, 1_500);
        check(KnowledgeDomain::Price, 3_000);
        check(KnowledgeDomain::Protocol, 14_000);
    }

    /// Due for one interval under every variant.
    #[test]
    fn rates_by_domain_and_kind() {
        let due = |variant, kind, domain| {
            let config = DemurrageConfig { variant, ..DemurrageConfig::default() };
            config.due(&Standing::new(0), &nature(kind, domain), false)
        };
        use DemurrageVariant::{A, APrime, B, Off};
        use EntryKind::{AntiKnowledge, Heuristic, Insight, Question, StrategyFragment, Warning};
        use KnowledgeDomain::{Gas, General, Price, Protocol, Structure, Volatility, Yield};
        for (variant, kind, domain, expected) in [
            (A, Insight, Gas, 0.09),
            (A, Insight, Price, 0.045),
            (A, Insight, Volatility, 0.024),
            (A, Insight, Yield, 0.015),
            (A, Insight, Protocol, 0.009),
            (A, Insight, Structure, 0.021),
            (A, Heuristic, General, 0.025),
            (A, Warning, General, 0.02),
            (A, StrategyFragment, General, 0.03 / 0.7),
            (A, Question, General, 0.015),
            (A, AntiKnowledge, General, 0.015),
            (APrime, Warning, Gas, 0.06),
            (APrime, Insight, Price, 0.045),
            (APrime, Insight, Volatility, 0.03),
            (APrime, Insight, Yield, 0.024),
            (APrime, Insight, Protocol, 0.015),
            (B, Insight, Gas, 0.05),
            (Off, Insight, Gas, 0.0),
        ] {
            let found = due(variant, kind, domain);
            assert!((found - expected).abs() < 1e-12, "{variant:?} {kind:?} {domain:?}: {found}");
        }
        let b = DemurrageConfig { variant: B, ..DemurrageConfig::default() };
        assert_eq!((b.interval(), DemurrageConfig::default().interval()), (Some(5_000), Some(250)));
    }

    #[test]
    fn dreams_halve_it_and_untested_inheritance_doubles_it() {
        let config = DemurrageConfig::default();
        let own = nature(EntryKind::Insight, KnowledgeDomain::General);
        let dreamt = Standing { dream_validated: true, ..Standing::new(0) };
        assert!((config.due(&dreamt, &own, false) - 0.015).abs() < 1e-12);
        let inherited = EntryNature { provenance: Provenance::Predecessor(GolemId::founder(0)), ..own };
        assert!((config.due(&Standing::new(0), &inherited, false) - 0.06).abs() < 1e-12);
        let evidence = Evidence { confirmed: 1, contradicted: 0 };
        let tested = EntryNature { evidence, ..inherited };
        assert!((config.due(&Standing::new(0), &tested, false) - 0.03).abs() < 1e-12);
        assert!((config.due(&Standing::new(0), &own, true) - 0.06).abs() < 1e-12);
    }

    #[test]
    fn validation_starts_the_clock_anew() {
        let (config, nature) =
            (DemurrageConfig::default(), nature(EntryKind::Insight, KnowledgeDomain::General));
        let (mut standing, mut confidence) = (Standing::new(0), 0.6);
        config.levy(&mut standing, &nature, &mut confidence, 249, false);
        standing.validate(249);
        config.levy(&mut standing, &nature, &mut confidence, 498, false);
        assert_eq!(confidence, 0.6);
        config.levy(&mut standing, &nature, &mut confidence, 499, false);
        assert!(
            (confidence - 0.57).abs() < 1e-12 && (standing.before_demurrage(confidence) - 0.6).abs() < 1e-12
        );
    }

    #[test]
    fn what_is_known_to_be_wrong_keeps_its_floor() {
        let anti = nature(EntryKind::AntiKnowledge, KnowledgeDomain::Gas);
        let config = DemurrageConfig::default();
        for (before, after) in [(0.9, 0.3), (0.2, 0.2)] {
            let (mut standing, mut confidence) = (Standing::new(0), before);
            config.levy(&mut standing, &anti, &mut confidence, 1_000_000, false);
            assert_eq!(confidence, after);
        }
    }

    proptest! {
        /// However often one looks, an interval is paid for once; confidence stays in [0, 1].
        #[test]
        fn an_interval_is_paid_for_once(steps in prop::collection::vec(1_u64..900, 1..40), first in 0.0_f64..=1.0) {
            let (config, nature) = (DemurrageConfig::default(), nature(EntryKind::Insight, KnowledgeDomain::Yield));
            let (mut often, mut confidence, mut now) = (Standing::new(0), first, 0);
            for step in steps {
                now += step;
                for _ in 0..2 {
                    config.levy(&mut often, &nature, &mut confidence, now, false);
                }
                prop_assert!((0.0..=1.0).contains(&confidence));
                prop_assert!(now - often.paid_until < 250 && often.paid_until.is_multiple_of(250));
            }
            let (mut once, mut at_once) = (Standing::new(0), first);
            config.levy(&mut once, &nature, &mut at_once, now, false);
            prop_assert!((confidence - at_once).abs() < 1e-9, "{confidence} against {at_once}");
            prop_assert!((often.before_demurrage(confidence) - first).abs() < 1e-9);
        }
    }
}
