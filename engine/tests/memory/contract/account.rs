use morta_engine::episode::Provenance;
use morta_engine::memory::{MemoryAccount, MemoryCensus, Voice, VoiceSource};

#[test]
fn junk_is_what_was_never_called_on_or_says_the_same_again() {
    let note = VoiceSource::Note;
    let mut account = MemoryAccount::default();
    (0..5).for_each(|number| account.store(note(number), number >= 3));
    let voice = |source| Voice::new(source, Provenance::Own, 1.0, 0.0);
    let why = [voice(note(0)), voice(note(3)), voice(VoiceSource::Gut)];
    account.call_on_all(&why);
    account.influenced_by(&[note(0)]);
    account.weigh(note(0));
    account.weigh(note(3));
    let expected = MemoryCensus { stored: 5, unused: 3, restated: 2, junk: 4, evidence: 2, self_evidence: 1 };
    assert_eq!(account.census(), expected);
}
