//! Sinks of events: an output trait (event sink, consumer) that gets the events of each tick in order, and last the events of the run's
//! end. It is a trait, because tables, digests and tests need the same run with different outputs. The sink of a run is mostly called on
//! the writer's thread; where a world is stepped without that thread, as in runs with checkpoints and cells of sweeps, the stepping thread
//! calls it.

use morta_engine::event::Event;

/// The reason why events could not be written. Boxed, because each kind of sink has an error of its own, and the actors only pass it on.
pub type WriteError = Box<dyn std::error::Error + Send + Sync>;

/// An event sink: the destination of a run's events (output), such as tables, a digest, or nothing.
pub trait EventSink: Send + 'static {
    /// Takes in all events of one tick, in their order.
    ///
    /// # Errors
    /// When they can't be kept; the run then ends with this error.
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError>;

    /// Takes in all events of one tick by value, so that a sink that keeps them needn't clone them.
    ///
    /// # Errors
    /// As above.
    fn take_over(&mut self, events: Vec<Event>) -> Result<(), WriteError> {
        self.take(&events)
    }
}
