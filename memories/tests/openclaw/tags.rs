use morta_memories::openclaw::tags::{MAX_TAGS, concept_tags};

#[test]
fn numbers_dates_stop_words_and_monsters_are_no_tags() {
    let monster = "x".repeat(33);
    assert!(concept_tags("2026-04-03.md", &format!("the 12345 of 2026-04-05 to {monster} by me")).is_empty());
    let many: String = (0..20).map(|n| format!("word{n} ")).collect();
    assert_eq!(concept_tags("memory/2026-04-03.md", &many).len(), MAX_TAGS);
    assert_eq!(concept_tags("2026-04-03.md", "ＶＬＡＮ"), ["vlan"], "compatibility forms are one");
}
