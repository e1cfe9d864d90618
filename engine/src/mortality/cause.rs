//! What ends a life, and which of the three clocks it belongs to.

use serde::{Deserialize, Serialize};

/// What ended a life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// The money ran out, by the scenario's `economic.death` rule.
    Economic,
    /// Knowledge of the market failed and didn't recover.
    EpistemicSenescence,
    /// Knowledge of the market was worse than guessing for too long.
    ModelStaleness,
    /// The stochastic clock: struck by chance.
    Stochastic,
    /// Its owner ended it.
    OwnerKill,
    /// Its whole cohort was shut down.
    KillSwitch,
    /// The golem's own step failed; the engine's fault, recorded so that the run can go on.
    Fault,
}

/// One of the three clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// Runs out with the balance.
    Economic,
    /// Runs out when predictions have failed for too long.
    Epistemic,
    /// Strikes at random, with a hazard that grows with age.
    Stochastic,
}

impl Cause {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Economic,
        Self::EpistemicSenescence,
        Self::ModelStaleness,
        Self::Stochastic,
        Self::OwnerKill,
        Self::KillSwitch,
        Self::Fault,
    ];

    /// Its name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Economic => "economic",
            Self::EpistemicSenescence => "epistemic_senescence",
            Self::ModelStaleness => "model_staleness",
            Self::Stochastic => "stochastic",
            Self::OwnerKill => "owner_kill",
            Self::KillSwitch => "kill_switch",
            Self::Fault => "fault",
        }
    }

    /// The clock that ran out; none for what comes from outside.
    pub const fn clock(self) -> Option<Clock> {
        match self {
            Self::Economic => Some(Clock::Economic),
            Self::EpistemicSenescence | Self::ModelStaleness => Some(Clock::Epistemic),
            Self::Stochastic => Some(Clock::Stochastic),
            Self::OwnerKill | Self::KillSwitch | Self::Fault => None,
        }
    }

    /// Whether it comes without warning: no time to look back, and what is left is what was last put down.
    pub const fn is_sudden(self) -> bool {
        matches!(self, Self::Stochastic)
    }
}

impl Clock {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Economic, Self::Epistemic, Self::Stochastic];

    /// Its place in [`Clock::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }
}
