//! Causes of death, and the clock to which each belongs: the *competing risks* of survival analysis.
//!
//! Each death has exactly one cause, written into its event (exit reason). Three clocks kill from within: money (ruin, bankruptcy),
//! knowledge (senescence) and chance (hazard). The other causes come from outside and have no clock, so that analyses can treat such lives
//! as right-censored. Only chance is sudden: no review of the life, and the knowledge of the last snapshot. A fault (a panic in
//! the golem's step) ends a life at once and leaves money but no knowledge. Nothing here has a unit.

morta_base::words! {
    /// The cause of death, as one of several competing risks.
    pub enum Cause {
        /// The money ran out, by the scenario's `economic.death` rule.
        Economic = "economic",
        /// Knowledge of the market failed and didn't recover.
        EpistemicSenescence = "epistemic_senescence",
        /// Knowledge of the market was worse than guessing for too long.
        ModelStaleness = "model_staleness",
        /// The stochastic clock: struck by chance.
        Stochastic = "stochastic",
        /// Its owner ended it.
        OwnerKill = "owner_kill",
        /// Its whole cohort was shut down.
        KillSwitch = "kill_switch",
        /// The golem's own step failed: the engine's fault. Recorded as a death, because the panic of one golem would otherwise end the
        /// run.
        Fault = "fault",
    }

    /// One of the three clocks, a hazard source (competing risk): money, knowledge or chance.
    pub enum Clock {
        /// Runs out with the balance.
        Economic = "economic",
        /// Runs out when predictions have failed for too long.
        Epistemic = "epistemic",
        /// Strikes at random, with a hazard that grows with age.
        Stochastic = "stochastic",
    }
}

impl Cause {
    /// The competing risk (cause category) to which the death belongs, by the clock that ran out; `None` for a cause from outside.
    pub const fn clock(self) -> Option<Clock> {
        match self {
            Self::Economic => Some(Clock::Economic),
            Self::EpistemicSenescence | Self::ModelStaleness => Some(Clock::Epistemic),
            Self::Stochastic => Some(Clock::Stochastic),
            Self::OwnerKill | Self::KillSwitch | Self::Fault => None,
        }
    }

    /// Whether it comes without warning: then there is no review, and the legacy is that of the last snapshot (digest section 13, M03).
    /// Kills from outside aren't sudden: an owner's golem may settle its affairs (graceful shutdown).
    pub const fn is_sudden(self) -> bool {
        matches!(self, Self::Stochastic)
    }
}
