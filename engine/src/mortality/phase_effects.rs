//! Effects of behavioural phases on a golem's life: factors on stakes and on the exploration rate (0 to 1), intervals in ticks, and
//! thresholds of trust (0 to 1). Dreams read the phase by themselves.
//!
//! All effects but that on exploration can be switched off for an ablation, so that an experiment can tell which of them does the work. Switched off, every phase
//! behaves like the first, Thriving; so do immortals, whose phase never changes. The values are of digest sections 2, 3 and 15; those of
//! stakes and exploration are our own. The golem combines each with others: stakes with the rung of the credit ladder, trust and
//! exploration with the stage of senescence.

use crate::mortality::Phase;
use morta_base::Tick;
use morta_base::keys;

keys! {
    /// The `[mortality.phases]` table. Each effect can be switched off; then golems live in all phases as the thriving
    /// do, but for exploration, which fades.
    pub struct PhaseEffects {
        /// Whether the scarce remember less: every decision when thriving or stable, abstentions only when they
        /// surprised by at least .5 R in conservation, trades only when declining (digest section 2, G03).
        encoding: bool = true;
        /// Whether the Curator comes half as often in conservation and no more when declining (digest section 3, G03).
        curator: bool = true;
        /// Whether stakes shrink with the phase: to three quarters in conservation, to half when declining, to nothing when terminal (our own
        /// values).
        risk: bool = true;
        /// Whether knowledge is shared the more freely the worse things stand; the thresholds are .6, .5, .4, .3 and .1
        /// (digest section 15, M12).
        sharing: bool = true;
    }
}

/// Surprise in R from which an abstention is remembered in conservation. The digest (section 2, G03) keeps escalated ticks only and names
/// no number; half a stop counts as one here.
const NOTABLE_SURPRISE_R: f64 = 0.5;

impl PhaseEffects {
    /// Whether an abstention is remembered, given its surprise in R. Memory encoding is gated by surprise (prediction error) in
    /// Conservation, and off from Declining on.
    pub fn encodes_abstention(&self, phase: Phase, surprise_r: f64) -> bool {
        match phase {
            _ if !self.encoding => true,
            Phase::Thriving | Phase::Stable => true,
            Phase::Conservation => surprise_r >= NOTABLE_SURPRISE_R,
            Phase::Declining | Phase::Terminal => false,
        }
    }

    /// Ticks between two visits of the Curator, a maintenance schedule (housekeeping) by phase, with longer intervals in late phases;
    /// `None` when it no longer comes.
    pub fn curator_interval(&self, phase: Phase, usual: Tick) -> Option<Tick> {
        match phase {
            _ if !self.curator => Some(usual),
            Phase::Thriving | Phase::Stable => Some(usual),
            Phase::Conservation => Some(usual.saturating_mul(2)),
            Phase::Declining | Phase::Terminal => None,
        }
    }

    /// Factor on stakes, 0 to 1: our choice, less from phase to phase, because the sources name no sizes. At 0 no position is opened and
    /// the golem doesn't decide (position sizing).
    pub fn stake_factor(&self, phase: Phase) -> f64 {
        match phase {
            _ if !self.risk => 1.0,
            Phase::Thriving | Phase::Stable => 1.0,
            Phase::Conservation => 0.75,
            Phase::Declining => 0.5,
            Phase::Terminal => 0.0,
        }
    }

    /// Trust from which knowledge is shared with others, by phase (digest section 15, M12), where `clade.sharing` is `phase`. The less a
    /// golem has to lose, the more it shares (terminal altruism). It is a threshold for communication with the clade, 0 to 1; in the second
    /// stage of senescence the golem takes `epistemic.senescent_sharing` if that is lower.
    pub fn sharing_threshold(&self, phase: Phase) -> f64 {
        match phase {
            _ if !self.sharing => 0.6,
            Phase::Thriving => 0.6,
            Phase::Stable => 0.5,
            Phase::Conservation => 0.4,
            Phase::Declining => 0.3,
            Phase::Terminal => 0.1,
        }
    }

    /// Factor on the exploration rate, 0 to 1: half in conservation, nothing when declining. Our choice, as for stakes; no consequence was found of
    /// exploring alike in all phases (`scenarios/sensitivity/knobs.toml`). The exploration rate (epsilon of epsilon-greedy) decays with the phase;
    /// in the second stage of senescence the caller takes 0 whatever the phase.
    pub fn exploration_factor(phase: Phase) -> f64 {
        match phase {
            Phase::Thriving | Phase::Stable => 1.0,
            Phase::Conservation => 0.5,
            Phase::Declining | Phase::Terminal => 0.0,
        }
    }
}
