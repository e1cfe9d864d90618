//! Where events go.

use morta_engine::event::Event;

/// Why events could not be written.
pub type WriteError = Box<dyn std::error::Error + Send + Sync>;

/// Where a run's events go: tables, a digest, nowhere.
pub trait EventSink: Send + 'static {
    /// Takes in all events of one tick, in their order.
    ///
    /// # Errors
    /// When they can't be kept; the run then ends with this error.
    fn take(&mut self, events: &[Event]) -> Result<(), WriteError>;

    /// The same, from somebody who has no more use for them.
    ///
    /// # Errors
    /// As above.
    fn take_over(&mut self, events: Vec<Event>) -> Result<(), WriteError> {
        self.take(&events)
    }
}
