use morta_memories::openclaw::long_term::{Fact, Held, Written, held, marked_keys, with_facts, written};
use morta_memories::openclaw::time::Day;

#[test]
fn facts_are_added_under_their_markers() {
    let day: Day = "2026-04-05".parse().unwrap();
    let fact = Fact {
        key: "memory:memory/2026-04-03.md:1:1",
        also: &[],
        snippet: "VLAN ten is for guests",
        score: 0.866_495,
        recalls: 6,
        average: 0.95,
        source: "memory/2026-04-03.md:4-4",
        recovered: false,
        promoted_at: None,
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
    let again = with_facts("Kept by hand", day, &[Fact { recovered: true, ..fact.clone() }]);
    assert!(again.starts_with("Kept by hand\n\n## ") && again.ends_with("4-4 recovered]\n"), "{again}");
    assert_eq!(with_facts("as it is", day, &[]), "as it is");
    let timed =
        Fact { promoted_at: Some("2026-04-05T03:00:00Z".parse().unwrap()), snippet: "- VLAN ten", ..fact };
    let windows = with_facts("# Mine\r\n\r\n- by hand\r\n", day, std::slice::from_ref(&timed));
    assert!(windows.contains("\r\n- VLAN ten [score="), "{windows}");
    assert!(windows.ends_with(" promoted=2026-04-05T03:00:00.000Z]\r\n"), "{windows}");
    assert_eq!(windows.matches('\n').count(), windows.matches("\r\n").count(), "{windows}");
}

#[test]
fn every_fact_is_held_whoever_wrote_it() {
    let memory = "# Title\n\nA paragraph of\ntwo lines\n\n- by hand\n1. first\n\n```\n- code\n```\n<!-- a comment -->\n---\n\n\
        ## Promoted From Short-Term Memory (2026-04-01)\n\n<!-- openclaw-memory-promotion:k -->\n\
        - VLAN ten [score=0.850 recalls=5 avg=0.900 source=memory/2026-03-01.md:3-3]\n\
        <!-- openclaw-memory-promotion:l -->\n\
        - DNS is off [score=0.850 recalls=5 avg=0.900 source=memory/2026-03-01.md:4-4 promoted=2026-04-01T03:00:00.000Z]\n";
    let hand = |text| Held { key: None, promoted_at: None, text };
    let promoted =
        |key, at: &str, text| Held { key: Some(key), promoted_at: Some(at.parse().unwrap()), text };
    let expected = [
        hand("A paragraph of"),
        hand("by hand"),
        promoted("k", "2026-04-01", "VLAN ten"),
        promoted("l", "2026-04-01T03:00:00Z", "DNS is off"),
    ];
    let found = held(memory);
    assert_eq!(found.iter().filter(|fact| fact.text != "1. first").copied().collect::<Vec<_>>(), expected);
}
