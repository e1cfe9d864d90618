//! Names for the parts of a tick, so that a profile can say where the time goes.
//!
//! A phase is a `tracing` span of target [`PHASE_TARGET`]. While nobody listens, entering one is a load and a branch, because no span is
//! made: even a disabled span costs some nanoseconds, and a golem enters some half a dozen phases in a waking tick, one more for each asset
//! that it weighs. The engine itself never reads a clock. So a subscriber of the process, that of `morta run --profile` for example, can
//! profile a run (instrumentation spans) while results stay functions of the keys alone. "Phase" here is a stage of a tick, not a
//! behavioural phase of a golem.

/// Target of the spans that mark phases.
pub const PHASE_TARGET: &str = "morta::phase";

/// Whether any subscriber of the process wants spans as fine as phases are.
#[inline]
pub(crate) fn is_profiled() -> bool {
    tracing::level_filters::LevelFilter::current() == tracing::level_filters::LevelFilter::TRACE
}

/// Marks a phase from here to the end of the enclosing block. Phases may be nested: the time of an inner one isn't the outer one's.
macro_rules! phase {
    ($name:literal) => {
        let _phase = $crate::phase::is_profiled()
            .then(|| tracing::trace_span!(target: $crate::phase::PHASE_TARGET, $name).entered());
    };
}
pub(crate) use phase;
