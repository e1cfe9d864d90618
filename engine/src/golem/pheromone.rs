//! Pheromones that a golem leaves for its siblings, and its response to theirs (digest section 15).
//!
//! A loss of r ≤ −1 leaves a threat of intensity min(1, |r| / 2), a gain of r ≥ gain_r an opportunity likewise: at the
//! threshold a half, at twice the threshold 1. The specs give no intensity; this one is our choice. It separates a loss from a ruin and
//! never exceeds 1. Where the danger had been rehearsed, its severity is the least; a death leaves a threat of 1. Results are in R,
//! intensity runs from 0 to 1. Pheromones are off by default, reach siblings of the clade alone, and cost `deposit_usdc` each (threats
//! nothing with `threats_are_free`): a golem that can't pay leaves none. They need no memory that teaches, unlike lessons. A smelled threat
//! arouses, adds to surprise and to the urgency of dreams, is rehearsed above .5 (by dreams of the tier `hardened`) and wakes a dreamer
//! above .8; opportunities and wisdom move no golem. It is the agent's side of stigmergy: deposit and response.

use crate::daimon::{Happening, Pad};
use crate::dream::schedule::interrupt::SiblingsThreat;
use crate::episode::{Episode, ThreatKind};
use crate::event::EventKind;
use crate::golem::{Golem, Letter, Moment, Outbox};
use crate::lethe::pheromone::config::LOSS_R;
use crate::lethe::pheromone::field::{relevance, warns};
use crate::lethe::pheromone::{PheromoneSubject, PheromoneTrace};
use crate::lethe::{CladeLetter, Pheromone, PheromoneKind};
use crate::market::{AssetIndex, Regime};
use morta_base::Usdc;

/// Relevance above which a new threat wakes a dreamer. The dream architecture has a critical alert of the clade wake it and names no limit; our choice, well
/// above the .5 beyond which a threat is only rehearsed.
const WAKE_ABOVE: f64 = 0.8;

impl Golem {
    /// Leaves a pheromone after a trade: a threat for a loss beyond the threshold, an opportunity for such a gain. A loss under the signs of a danger that it
    /// had rehearsed is that danger come true, and its intensity is at least the danger's severity.
    pub(super) fn leave_pheromone(&mut self, episode: &Episode, moment: &Moment<'_>, out: &mut Outbox) {
        let config = &moment.rules.pheromones;
        let r = episode.realised_r;
        let (kind, intensity) = if r <= -LOSS_R {
            (PheromoneKind::Threat, (-r / (2.0 * LOSS_R)).min(1.0))
        } else if r >= config.gain_r {
            (PheromoneKind::Opportunity, (r / (2.0 * config.gain_r)).min(1.0))
        } else {
            return;
        };
        let lost = kind == PheromoneKind::Threat;
        let threat = ThreatKind::ALL.into_iter().find(|threat| lost && threat.shows_in(episode));
        let dreamer = self.memory.dreams();
        let feared =
            threat.filter(|threat| dreamer.is_some_and(|dreamer| dreamer.threats().contains_key(threat)));
        let intensity = feared.map_or(intensity, |threat| intensity.max(threat.tier().severity()));
        let (asset, regime, strategy) = (episode.asset, episode.context.regime, Some(episode.strategy));
        let subject = PheromoneSubject { kind, asset, regime, strategy };
        self.leave(Pheromone { subject, threat, intensity }, moment, out);
    }

    /// Leaves a death's pheromones: a threat, and wisdom as intense as the confidence of its most trusted lesson.
    pub(super) fn leave_death_pheromones(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let regime = self.regime_of(0, moment);
        let lessons = self.memory.teaches().map_or(Vec::new(), |memory| memory.lessons(moment.tick, 0));
        let known = lessons.iter().map(|l| l.confidence).fold(0.0, f64::max);
        for (kind, intensity) in [(PheromoneKind::Threat, 1.0), (PheromoneKind::Wisdom, known)] {
            if intensity >= moment.rules.pheromones.gone_below {
                let subject = PheromoneSubject { kind, asset: 0, regime, strategy: None };
                self.leave(Pheromone { subject, threat: None, intensity }, moment, out);
            }
        }
    }

    fn leave(&mut self, pheromone: Pheromone, moment: &Moment<'_>, out: &mut Outbox) {
        let config = &moment.rules.pheromones;
        if !config.enabled || moment.rules.clades.clade_of(self.id.lineage).is_none() {
            return;
        }
        let price = Usdc::from_dollars(config.price_usdc(pheromone.subject.kind));
        if self.purse.total() < price {
            return;
        }
        self.pay_lethe(price, out);
        self.tell(moment.tick, EventKind::PheromoneDeposited(pheromone), out);
        self.write(Letter::Clade(CladeLetter::Pheromone(pheromone)), out);
    }

    fn regime_of(&self, asset: AssetIndex, moment: &Moment<'_>) -> Regime {
        self.genome.regime_thresholds(&moment.rules.golem).classify(moment.view.asset(asset))
    }

    /// Threats that siblings have left, each with its relevance here and now. Its own are left out: a golem would frighten itself again with every loss.
    fn smelled<'a>(&'a self, moment: &'a Moment<'_>) -> impl Iterator<Item = (&'a PheromoneTrace, f64)> {
        let config = &moment.rules.pheromones;
        let clade = moment.rules.clades.clade_of(self.id.lineage).filter(|_| config.enabled);
        let pheromones = clade.map_or(&[][..], |clade| moment.pheromones.of_clade(clade));
        let ticks_per_hour = 3_600.0 / moment.rules.tick_seconds;
        pheromones.iter().filter(|pheromone| warns(pheromone) && pheromone.left_by != self.id).map(
            move |pheromone| {
                let intensity = pheromone.intensity_at(moment.tick, ticks_per_hour, config);
                let asset = pheromone.subject.asset;
                (pheromone, relevance(pheromone, intensity, (asset, self.regime_of(asset, moment))))
            },
        )
    }

    /// The largest relevance of any threat in the air, 0 to 1; 0 without one.
    pub(super) fn smelled_threat(&self, moment: &Moment<'_>) -> f64 {
        self.smelled(moment).map(|(_, relevance)| relevance).fold(0.0, f64::max)
    }

    /// Appraises the most relevant threat: it arouses, and one that others have confirmed is unpleasant too (digest section 15, M10: +.3 of
    /// arousal, −.1 of pleasure from three confirmations on).
    pub(super) fn appraise_pheromones(&mut self, moment: &Moment<'_>, out: &mut Outbox) {
        let config = &moment.rules.pheromones;
        let threat = self.smelled_threat(moment);
        if threat == 0.0 {
            return;
        }
        let confirmed = self
            .smelled(moment)
            .any(|(pheromone, r)| r > 0.0 && pheromone.confirmations >= config.confirmed_by);
        let pleasure = if confirmed { -config.confirmed_displeasure } else { 0.0 };
        let pad = Pad::new(pleasure, config.threat_arousal * threat, 0.0);
        self.appraise(Happening::ThreatSmelled(pad), moment, out);
    }

    /// Dangers whose pheromones are relevant enough for a rehearsal in a dream (digest section 6: beyond .5).
    pub(super) fn smelled_dangers(&self, moment: &Moment<'_>) -> Vec<ThreatKind> {
        let above = moment.rules.pheromones.rehearse_above;
        let strong = self.smelled(moment).filter(|(_, relevance)| *relevance > above);
        let mut dangers: Vec<ThreatKind> = strong.filter_map(|(pheromone, _)| pheromone.threat).collect();
        dangers.sort_unstable();
        dangers.dedup();
        dangers
    }

    /// The most relevant threat that a sibling left in the last tick, if it is worth waking for. Older ones were in the air when the dream began, or have
    /// been passed over already.
    pub(super) fn alert(&self, moment: &Moment<'_>) -> Option<SiblingsThreat> {
        let fresh = self.smelled(moment).filter(|(pheromone, _)| pheromone.left + 1 == moment.tick);
        let alarming = fresh.filter(|(_, relevance)| *relevance > WAKE_ABOVE);
        let most = alarming.max_by(|(_, a), (_, b)| a.total_cmp(b));
        most.map(|(pheromone, relevance)| SiblingsThreat {
            left_by: pheromone.left_by,
            subject: pheromone.subject,
            relevance,
            alarm: WAKE_ABOVE,
        })
    }
}
