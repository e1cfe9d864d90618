use morta_engine::dream::BeliefEntry;

/// A golem may hold a thousand of them, and there may be a hundred thousand golems.
#[test]
fn an_entry_stays_small() {
    assert!(size_of::<BeliefEntry>() <= 224, "{} bytes", size_of::<BeliefEntry>());
}
