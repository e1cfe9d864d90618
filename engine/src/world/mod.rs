//! The world: scenario, plan, census and services, and the plain loop, by which sweeps and runs with checkpoints are lived and actors are
//! checked.
//!
//! A tick has four steps, with every driver:
//! 1. births that are due ([`Barrier::births`]);
//! 2. every golem steps once, in the order of ids ([`crate::golem::Golem::step_guarded`]);
//! 3. letters are sorted by service ([`Barrier::deliver`]), and every service that is asked answers its own
//!    ([`service::serve_guarded`]);
//! 4. the tick is closed ([`Barrier::close`]); answers are in the inboxes of the next tick.
//!
//! Money is in whole micro-dollars, time in ticks. It is a bulk synchronous parallel (BSP) agent-based simulation: the same bytes on any
//! number of threads.

pub mod barrier;
pub mod census;
pub mod change;
pub mod context;
pub mod ledger;
pub mod lookahead;
pub mod mail;
pub mod plain;
pub mod plan;
pub mod scenario;
pub mod service;
pub mod services;

pub use barrier::Barrier;
pub use census::Census;
pub use change::KeyChange;
pub use context::TickContext;
pub use lookahead::MarketLookahead;
pub use mail::{Deliveries, Inboxes, LetheMail};
pub use plain::{ChangeError, LivedTick, Parts, ResumeError, Snapshot, World};
pub use plan::Plan;
pub use scenario::{Cohort, Fault, FaultTarget, PopulationConfig, PopulationPolicy, Scenario};
pub use service::{LetheService, MarketService, Service, ServiceError, ServiceKind};
pub use services::Services;
