use morta_memories::openclaw::long_term::{Fact, Written, marked_keys, with_facts, written};
use morta_memories::openclaw::time::Day;

#[test]
fn facts_are_added_under_their_markers() {
    let day: Day = "2026-04-05".parse().unwrap();
    let fact = Fact {
        key: "memory:memory/2026-04-03.md:1:1",
        snippet: "VLAN ten is for guests",
        score: 0.866_495,
        recalls: 6,
        average: 0.95,
        source: "memory/2026-04-03.md:4-4",
        recovered: false,
    };
    let text = with_facts("", day, std::slice::from_ref(&fact));
    let expected = "# Long-Term Memory\n\n## Promoted From Short-Term Memory (2026-04-05)\n\n\
        <!-- openclaw-memory-promotion:memory:memory/2026-04-03.md:1:1 -->\n\
        - VLAN ten is for guests [score=0.866 recalls=6 avg=0.950 source=memory/2026-04-03.md:4-4]\n";
    assert_eq!(text, expected);
    assert_eq!(marked_keys(&text).into_iter().collect::<Vec<_>>(), [fact.key]);
    let line = "VLAN ten is for guests [score=0.866 recalls=6 avg=0.950 source=memory/2026-04-03.md:4-4]";
    assert_eq!(written(&text), [Written { key: fact.key, day: "2026-04-05", line }]);
    assert_eq!(written("- by hand\n"), []);
    let again = with_facts("Kept by hand", day, &[Fact { recovered: true, ..fact }]);
    assert!(again.starts_with("Kept by hand\n\n## ") && again.ends_with("4-4 recovered]\n"), "{again}");
    assert_eq!(with_facts("as it is", day, &[]), "as it is");
}
