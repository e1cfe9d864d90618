use morta_memories::openclaw::text::{collapse, jaccard, normalise_path, note_day, query_hash};

#[test]
fn c27_to_c30_jaccard() {
    for (id, a, b, expected) in [
        ("C27", "router vlan ten", "Router VLAN ten!", 1.0),
        ("C28", "a b c d", "a b c e", 0.6),
        ("C29", "alpha beta", "gamma", 0.0),
        ("C30", "???", "???", 1.0),
    ] {
        assert_eq!(jaccard(a, b), expected, "{id}");
    }
    assert_eq!(jaccard("???", "!!!"), 0.0);
    assert_eq!(jaccard("路由器 备份", "路由器 网络"), 0.0, "no tokens, other texts");
    assert_eq!(jaccard("路由器 备份", " 路由器 备份 "), 1.0, "no tokens, equal texts");
}

#[test]
fn queries_are_known_by_their_hash() {
    assert_eq!(query_hash("  Router VLAN "), "ddf671495620");
    assert_eq!(query_hash("router vlan"), query_hash("ROUTER VLAN"));
}

#[test]
fn only_daily_notes_are_short_term() {
    for (path, day) in [
        ("memory/2026-04-03.md", Some("2026-04-03")),
        ("2026-04-03.md", Some("2026-04-03")),
        ("memory/2026-02-30.md", None),
        ("memory/2026-04-03-late.md", None),
        ("other/2026-04-03.md", None),
        ("MEMORY.md", None),
    ] {
        assert_eq!(note_day(path).map(|day| day.to_string()).as_deref(), day, "{path}");
    }
    assert_eq!(normalise_path(" ./.\\memory\\2026-04-03.md"), "memory/2026-04-03.md");
    assert_eq!(collapse("  a \n\t b  "), "a b");
}
