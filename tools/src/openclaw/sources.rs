//! The choice among the entries of a workspace that a phase's `sources` make.

use morta_memories::openclaw::entry::RecallEntry;
use morta_memories::openclaw::settings::Source;
use morta_memories::openclaw::text::note_day;

/// Whether an entry of the recall store is of one of these sources. A store holds what searches found in daily notes, what of it was promoted, and
/// what later releases have taken from transcripts (`memory/.dreams/session-corpus`).
pub fn has(sources: &[Source], entry: &RecallEntry) -> bool {
    sources.iter().any(|source| match source {
        Source::Daily => note_day(&entry.path).is_some(),
        Source::Recall => entry.recall_count > 0,
        Source::Memory | Source::Deep => entry.promoted_at.is_some(),
        Source::Sessions => {
            entry.path.starts_with("sessions/") || entry.path.starts_with("memory/.dreams/session-corpus/")
        }
        Source::Logs => entry.path.starts_with("logs/"),
    })
}
