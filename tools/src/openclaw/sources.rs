//! What of a store a phase looks at, where its `sources` say so.

use morta_memories::openclaw::entry::RecallEntry;
use morta_memories::openclaw::settings::Source;
use morta_memories::openclaw::text::note_day;

/// Whether an entry is of one of these sources. A recall store holds what searches found in daily notes, and what of it was promoted; of
/// transcripts and logs it holds nothing.
pub fn has(sources: &[Source], entry: &RecallEntry) -> bool {
    sources.iter().any(|source| match source {
        Source::Daily => note_day(&entry.path).is_some(),
        Source::Recall => entry.recall_count > 0,
        Source::Memory | Source::Deep => entry.promoted_at.is_some(),
        Source::Sessions | Source::Logs => false,
    })
}
