//! Choice of entries by a phase's `sources`. It is a provenance filter (filter by origin). Excluded entries stay in the store, because
//! another phase may want them. The usual list takes all.

use morta_memories::openclaw::entry::RecallEntry;
use morta_memories::openclaw::settings::Source;
use morta_memories::openclaw::text::note_day;

/// Whether an entry comes from one of these sources (provenance filter). A store holds search results from daily notes, promoted entries,
/// and entries that later releases took from transcripts (`memory/.dreams/session-corpus`).
pub(super) fn has(sources: &[Source], entry: &RecallEntry) -> bool {
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
