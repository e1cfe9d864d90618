//! Names for the parts of a tick, so that a profile can say where the time goes.
//!
//! A phase is a `tracing` span of target [`PHASE_TARGET`]. While nobody listens, entering one is a load and a branch; the engine itself
//! never reads a clock. So a subscriber of the process (`morta run --profile`) can profile a run (instrumentation spans) while results
//! stay functions of the keys alone. "Phase" here is a stage of a tick, not a behavioural phase of a golem.

/// Target of the spans that mark phases.
pub const PHASE_TARGET: &str = "morta::phase";

/// Marks a phase from here to the end of the enclosing block. Phases may be nested: the time of an inner one isn't the outer one's.
macro_rules! phase {
    ($name:literal) => {
        let _phase = tracing::trace_span!(target: $crate::phase::PHASE_TARGET, $name).entered();
    };
}
pub(crate) use phase;
