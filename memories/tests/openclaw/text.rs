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
    assert_eq!(jaccard("路由器 备份", "路由器 网络"), 1.0 / 3.0, "two of six pairs of letters");
    for (a, b) in [
        ("路由器每晚两点自动备份配置", "路由器每晚两点自动备份配置。"),
        ("バックアップは毎晩２時", "バックアップは毎晩2時！"),
        ("백업은 매일 밤 두 시", "백업은 매일 밤 두 시."),
        ("Резервная копия в два", "резервная копия, в два"),
        ("Café schließt um sechs", "CAFÉ SCHLIESST um sechs".replace("SS", "ß").as_str()),
        ("สำรองข้อมูลทุกคืน", "สำรองข้อมูลทุกคืน!"),
    ] {
        assert_eq!(jaccard(a, b), 1.0, "{a} / {b}");
    }
    assert!(jaccard("Plan 配置的开关字段是 exRule", "Plan 已停用，不要再改 exRule") < 0.5);
    assert!(jaccard("резервная копия в два", "принтер переехал в зал") < 0.5);
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
        ("memory/2026-04-03-late.md", Some("2026-04-03")),
        ("2026-04-03-vendor-pitch.md", Some("2026-04-03")),
        ("memory/daily/2026-04-03.md", Some("2026-04-03")),
        ("memory/2026/04/2026-04-03-late.md", Some("2026-04-03")),
        ("memory/2026-04-03-.md", None),
        ("memory/2026-04-03late.md", None),
        ("memory/2026-04-031.md", None),
        ("memory/x2026-04-03.md", None),
        ("memory/dreaming/light/2026-04-03.md", None),
        ("memory/.dreams/session-corpus/2026-04-03.md", None),
        ("memory/../2026-04-03.md", None),
        ("memory//2026-04-03.md", None),
        ("daily/2026-04-03.md", None),
        ("memory/é026-04-03.md", None),
        ("other/2026-04-03.md", None),
        ("MEMORY.md", None),
    ] {
        assert_eq!(note_day(path).map(|day| day.to_string()).as_deref(), day, "{path}");
    }
    assert_eq!(normalise_path(" ./.\\memory\\2026-04-03.md"), "memory/2026-04-03.md");
    assert_eq!(collapse("  a \n\t b  "), "a b");
}
