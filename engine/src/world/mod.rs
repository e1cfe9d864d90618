//! The world: what a scenario says, who lives in it, and the plain loop that is the oracle for the actors.
//!
//! A tick goes like this, whoever drives it:
//! 1. births that are due ([`Census::births`]);
//! 2. every golem steps once, in the order of ids ([`crate::golem::Golem::step_guarded`]);
//! 3. letters are sorted into [`Mail`] and each shared service answers its own, in one fixed order;
//! 4. the tick is closed ([`Census::close`]); answers are in the inboxes of the next tick.

pub mod census;
pub mod change;
pub mod foresight;
pub mod mail;
pub mod plain;
pub mod plan;
pub mod scenario;
pub mod services;

pub use census::Census;
pub use change::KeyChange;
pub use foresight::Foresight;
pub use mail::{Inboxes, LetheMail, Mail};
pub use plain::{ChangeError, LivedTick, Parts, ResumeError, Snapshot, World, WorldError};
pub use plan::{Knowledge, Plan};
pub use scenario::{Cohort, Fault, FaultTarget, PopulationConfig, PopulationPolicy, Scenario};
pub use services::{
    Broker, CuratorDesk, LetheDesk, LetheReport, MarketDesk, MarketReport, ServiceReport, TickContext,
};
