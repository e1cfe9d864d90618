//! `morta-memory openclaw` on files of real workspaces: each case is from a public report, with variants.

use super::{Room, answer, count, has, printed, read, refuses, says, write};
use serde_json::{Map, Value, json};
use std::fs;
use std::path::Path;

pub const NOW: [&str; 2] = ["--now", "2026-04-05T03:00:00Z"];

/// The daily note that most entries are of.
pub const NOTE: &str = "memory/2026-04-03.md";

/// An entry that passes every gate.
pub fn strong(path: &str, lines: (u32, u32), snippet: &str) -> Value {
    json!({
        "path": path, "startLine": lines.0, "endLine": lines.1, "source": "memory", "snippet": snippet, "recallCount": 7,
        "totalScore": 6.65, "maxScore": 0.95, "firstRecalledAt": "2026-03-30T08:00:00.000Z", "lastRecalledAt": "2026-04-04T03:00:00.000Z",
        "queryHashes": ["1", "2", "3", "4", "5", "6"], "recallDays": ["2026-03-30", "2026-04-01", "2026-04-04"],
        "conceptTags": ["a1", "b1", "c1", "d1", "e1", "f1"]
    })
}

pub fn store(room: &Path, entries: &[Value]) {
    store_in(room, "memory/.dreams/short-term-recall.json", entries);
}

/// Writes a store of these entries under their keys.
pub fn store_in(room: &Path, name: &str, entries: &[Value]) {
    let keyed = entries.iter().map(|entry| {
        let lines = (entry["startLine"].as_u64().unwrap(), entry["endLine"].as_u64().unwrap());
        (format!("memory:{}:{}:{}", entry["path"].as_str().unwrap(), lines.0, lines.1), entry.clone())
    });
    let entries: Map<String, Value> = keyed.collect();
    let file = json!({ "version": 1, "updatedAt": "2026-04-05T03:00:00.000Z", "entries": entries });
    write(room, name, serde_json::to_string_pretty(&file).unwrap());
}

pub fn tell(room: &Path, what: &str, more: &[&str]) -> (Value, String) {
    answer(room, &[&["openclaw", what, "--json"], &NOW[..], more].concat())
}

/// Applies after a preview, and asserts that both agree.
fn promoted(room: &Path) -> (Value, String) {
    let before = fs::read(room.join("MEMORY.md")).ok();
    let (preview, _) = tell(room, "promote", &[]);
    assert_eq!(fs::read(room.join("MEMORY.md")).ok(), before);
    let (done, noted) = tell(room, "promote", &["--apply"]);
    assert_eq!(preview["passing"], done["applied"]["applied"], "{preview}");
    assert_eq!(preview["preview"]["stale"], done["applied"]["stale"]);
    (done["applied"].clone(), noted)
}

fn long_term(room: &Path) -> String {
    fs::read_to_string(room.join("MEMORY.md")).unwrap_or_default()
}

/// The facts under markers, without their scores.
fn facts(room: &Path) -> Vec<String> {
    let memory = long_term(room);
    let facts = memory.lines().filter_map(|line| Some(line.strip_prefix("- ")?.split_once(" [score=")?.0));
    facts.map(str::to_owned).collect()
}

/// Promotes an entry for each of these lines, in a note with a title and an empty line above.
fn promote_lines(lines: &[&str]) -> (Room, Value) {
    let room = Room::new();
    write(&room, NOTE, format!("# Fri\n\n{}\n", lines.join("\n")));
    let entries = (3..).zip(lines).map(|(at, line)| strong(NOTE, (at, at), line));
    store(&room, &entries.collect::<Vec<_>>());
    let (done, _) = promoted(&room);
    (room, done)
}

/// oc-block-leak: openclaw#80613, #67580, #89444.
#[test]
fn candidates_that_a_phase_wrote_are_not_promoted() {
    for note in [
        "# Fri\n\n## Light Sleep\n<!-- openclaw:dreaming:light:start -->\n- Candidate: The switch is called exRule\n  - confidence: 0.00\n  - status: staged\n<!-- openclaw:dreaming:light:end -->\n",
        // Earlier releases wrote no markers around a block.
        "# Fri\n\n## Light Sleep\n- Candidate: The switch is called exRule\n  - confidence: 0.58\n  - evidence: memory/.dreams/session-corpus/2026-04-02.txt:1-1\n  - recalls: 0\n  - status: staged\n",
    ] {
        let room = &Room::new();
        write(room, NOTE, note);
        store(room, &[strong(NOTE, (3, 3), "Candidate: The switch is called exRule")]);
        let (done, _) = promoted(room);
        assert_eq!((&done["applied"], count(&done["stale"]), long_term(room)), (&json!(0), 1, String::new()));
    }
}

/// oc-cjk-dedupe: openclaw#80613.
#[test]
fn sentences_are_compared_by_the_words_of_their_script() {
    for (same, other) in [
        (
            ["路由器每晚两点自动备份配置", "路由器每晚两点自动备份配置。"],
            ["Plan 配置的开关字段是 exRule", "Plan 已停用，不要再改 exRule"],
        ),
        (
            ["バックアップは毎晩二時に動く", "バックアップは毎晩二時に動く！"],
            ["Plan の設定は exRule", "Plan は廃止、exRule に触るな"],
        ),
        (
            ["백업은 매일 밤 두 시에 돌아간다", "백업은 매일 밤 두 시에 돌아간다."],
            ["Plan 설정은 exRule 이다", "Plan 폐지됨 exRule 금지"],
        ),
        (
            ["Резервная копия в два часа", "резервная копия, в два часа."],
            ["Plan это exRule", "Plan отменён, не exRule"],
        ),
        (["النسخ الاحتياطي كل ليلة", "النسخ الاحتياطي كل ليلة."], ["Plan هو exRule", "Plan ملغى exRule"]),
    ] {
        let lines = [same[0], same[1], other[0], other[1]];
        let (room, done) = &promote_lines(&lines);
        assert_eq!((&done["appended"], &done["reconciledExisting"]), (&json!(3), &json!(1)), "{lines:?}");
        assert_eq!(facts(room), [same[0], other[0], other[1]]);
        let (light, _) = tell(room, "light", &[]);
        assert_eq!(count(&light["candidates"]), 3, "{lines:?}");
    }
}

/// oc-daily-subfolder: openclaw#64642.
#[test]
fn notes_may_lie_in_folders_and_have_slugs() {
    for (path, is_daily) in [
        ("memory/daily/2026-04-03.md", true),
        ("memory/2026/04/2026-04-03.md", true),
        ("memory/2026-04-03-vendor-pitch.md", true),
        ("memory/logs/2026-04-03-1124.md", true),
        ("2026-04-03-standup.md", true),
        ("memory/dreaming/light/2026-04-03.md", false),
        ("memory/projects.md", false),
    ] {
        let room = &Room::new();
        let file = if path.contains('/') { path.to_owned() } else { format!("memory/{path}") };
        write(room, &file, "# Fri\n\nThe spare key is at the neighbour's\n");
        store(room, &[strong(path, (3, 3), "The spare key is at the neighbour's")]);
        let (done, _) = promoted(room);
        assert_eq!(done["applied"], json!(u8::from(is_daily)), "{path}");
        assert_eq!(facts(room).len(), usize::from(is_daily), "{path}");
    }
    // A path that leads out of the workspace isn't read, because it would promote text from anywhere on the disk.
    let room = &Room::new();
    write(room, "2026-04-03.md", "secret of another\n");
    store(&room.join("ws"), &[strong("memory/../../2026-04-03.md", (1, 1), "secret of another")]);
    let (done, _) = promoted(&room.join("ws"));
    assert_eq!(done["applied"], 0);
}

/// oc-double-bullet: openclaw PR 85724; also a byte-order mark, and a paragraph as long as a page.
#[test]
fn facts_have_one_bullet_no_byte_order_mark_and_an_end() {
    for mark in ["- ", "* ", "+ ", "• ", "> ", "- - ", "  - "] {
        let (room, _) = &promote_lines(&[&format!("{mark}Printer lives in room four")]);
        assert_eq!(facts(room), ["Printer lives in room four"], "{mark}");
    }
    let room = &Room::new();
    let long = "The router restarted at noon and nobody noticed. ".repeat(60);
    write(room, NOTE, format!("\u{feff}Printer lives in room four\r\n{long}\r\n"));
    store(
        room,
        &[strong(NOTE, (1, 1), "\u{feff}Printer lives in room four"), strong(NOTE, (2, 2), long.trim())],
    );
    promoted(room);
    let written = facts(room);
    assert!(!long_term(room).contains('\u{feff}'), "{written:?}");
    assert!(written.contains(&"Printer lives in room four".to_owned()), "{written:?}");
    let longest = written.iter().map(|fact| fact.chars().count()).max().unwrap();
    assert!((100..=800).contains(&longest), "{longest}");
    assert!(written.iter().all(|fact| !fact.starts_with("The router") || fact.ends_with("noticed.")));
}

/// oc-file-mode and oc-symlinked-memory: hermes-agent PR 6292, openclaw#68501.
#[cfg(unix)]
#[test]
fn file_modes_and_links_of_a_workspace_are_kept() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let room = &Room::new();
    let fact = "The spare key is at the neighbour's";
    write(room, NOTE, format!("# Fri\n\n{fact}\n"));
    store(room, &[strong(NOTE, (3, 3), fact)]);
    write(room, "vault/M.md", "# vault\n");
    write(room, "vault/day.md", "# day\n");
    write(room, "vault/openclaw.json", "{ agents: {} }\n");
    symlink("vault/M.md", room.join("MEMORY.md")).unwrap();
    symlink("../vault/day.md", room.join("memory/2026-04-05.md")).unwrap();
    symlink("vault/openclaw.json", room.join("openclaw.json")).unwrap();
    let kept = ["vault/M.md", "vault/day.md", "vault/openclaw.json", "memory/.dreams/short-term-recall.json"];
    for name in kept {
        fs::set_permissions(room.join(name), fs::Permissions::from_mode(0o600)).unwrap();
    }
    promoted(room);
    tell(room, "light", &["--apply"]);
    answer(room, &["openclaw", "dreaming", "disable", "rem", "--json"]);
    for name in kept {
        assert_eq!(fs::metadata(room.join(name)).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
    }
    for name in ["MEMORY.md", "memory/2026-04-05.md", "openclaw.json"] {
        assert!(fs::symlink_metadata(room.join(name)).unwrap().is_symlink(), "{name}");
    }
    let vault = read(room, "vault/M.md");
    assert!(vault.starts_with("# vault\n") && vault.contains(fact), "{vault}");
    assert!(read(room, "vault/day.md").contains("## Light Sleep"));
}

/// oc-fragment: openclaw PR 151284.
#[test]
fn a_fragment_of_a_sentence_that_was_rewritten_is_stale() {
    for left in
        ["-\nretention", "retention is ninety days", "ninety", "Moved backups to", "- to\n- Glacier\n- days"]
    {
        let room = &Room::new();
        write(room, NOTE, format!("# Friday\n\nBackups now go to a NAS\n{left}\n"));
        store(room, &[strong(NOTE, (3, 3), "Moved backups to Glacier - retention is ninety days")]);
        let (done, _) = promoted(room);
        assert_eq!((&done["applied"], count(&done["stale"])), (&json!(0), 1), "{left}");
        assert!(!room.join("MEMORY.md").exists());
    }
}

/// oc-heading-context: openclaw#77707, #74334.
#[test]
fn a_snippet_under_its_heading_is_found_and_stale_entries_are_listed() {
    let note =
        "# Fri\n\n## Decisions today\n- 11:18 chose Postgres\n- 12:02 dropped Redis\n- 13:40 froze the API\n";
    let snippet = "Decisions today: 11:18 chose Postgres; 12:02 dropped Redis; 13:40 froze the API";
    let room = &Room::new();
    write(room, NOTE, note);
    store(room, &[strong(NOTE, (4, 6), snippet), strong(NOTE, (9, 9), "was deleted")]);
    let (done, _) = promoted(room);
    has(&done, json!({ "applied": 1, "stale": ["memory:memory/2026-04-03.md:9:9"] }));
    assert_eq!(facts(room), [snippet]);
    assert!(long_term(room).contains("source=memory/2026-04-03.md:4-6 "));
    let text = printed(room, &[&["openclaw", "promote", "--apply"], &NOW[..]].concat());
    assert!(text.contains("stale: memory:memory/2026-04-03.md:9:9: "), "{text}");
}

/// oc-health-of-full-memory.
#[test]
fn health_counts_what_long_term_memory_holds() {
    let room = &Room::new();
    write(room, NOTE, "# F\n\nThe good fact\n");
    let mut weak = strong(NOTE, (3, 3), "The good fact");
    (weak["recallCount"], weak["totalScore"]) = (json!(2), json!(1.2));
    store(room, &[weak]);
    let health = |memory: &str| {
        write(room, "MEMORY.md", memory);
        tell(room, "status", &[]).0["health"].as_f64().unwrap()
    };
    let hand: String = (0..40).map(|n| format!("- hand-written fact {n}\n")).collect();
    let promoted: String = (1..20)
        .map(|n| {
            let at = format!("memory/2026-03-{n:02}.md:3");
            format!("<!-- openclaw-memory-promotion:memory:{at}:3 -->\n- promoted fact {n} [score=0.850 recalls=5 avg=0.900 source={at}-3]\n")
        })
        .collect();
    let section = "## Promoted From Short-Term Memory (2026-04-01)\n\n";
    assert!((health(&format!("# Mine\n\n{hand}\n{section}{promoted}")) - 0.994).abs() < 0.005);
    // Nineteen facts of four days ago, whose entries are no longer in the store.
    assert!((health(&format!("{section}{promoted}")) - (0.6 * 19.0 / 20.0 + 0.4 * 0.955)).abs() < 0.005);
    assert!((health("# Mine\n\n* one\n* two\n") - (0.06 + 0.4)).abs() < 1e-9);
    assert!((health("A paragraph\nof two lines.\n\nAnother.\n") - 0.46).abs() < 1e-9);
    for empty in ["", "# Title\n\n## Section\n", "<!-- nothing -->\n---\n"] {
        assert_eq!(health(empty), 0.0, "{empty}");
    }
    write(room, "MEMORY.md", &hand);
    let (done, _) = tell(room, "promote", &["--apply"]);
    assert_eq!(done["applied"]["recovery"]["ran"], false);
}

/// oc-latin1-note: openclaw#64757.
#[test]
fn an_unreadable_note_is_skipped_and_the_others_are_promoted() {
    let utf16: Vec<u8> = "Café closes at six\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let gbk = b"\xc2\xb7\xd3\xc9\xc6\xf7\xb1\xb8\xb7\xdd\n".to_vec();
    for bytes in [b"# Thu\n\nCaf\xe9 closes at six\n".to_vec(), [b"\xff\xfe".to_vec(), utf16].concat(), gbk] {
        let room = &Room::new();
        fs::create_dir_all(room.join("memory/2026-04-01.md")).unwrap();
        fs::write(room.join("memory/2026-04-02.md"), bytes).unwrap();
        write(room, NOTE, "# Fri\n\nThe good fact is still here\n");
        store(
            room,
            &[
                strong("memory/2026-04-01.md", (3, 3), "A folder is no note"),
                strong("memory/2026-04-02.md", (3, 3), "Café closes at six"),
                strong(NOTE, (3, 3), "The good fact is still here"),
            ],
        );
        let (done, noted) = promoted(room);
        assert_eq!((&done["applied"], count(&done["unreadable"])), (&json!(1), 2));
        assert_eq!(facts(room), ["The good fact is still here"]);
        says(&noted, &["memory/2026-04-02.md: is not UTF-8: save it as UTF-8; its entries are left out"]);
        assert!(noted.contains("memory/2026-04-01.md: is a folder"), "{noted}");
    }
    // An unreadable file that would be written is an error, because writing would destroy it.
    let (room, _) = &promote_lines(&["One fact of the day"]);
    fs::write(room.join("MEMORY.md"), b"Caf\xe9\n").unwrap();
    refuses(room, &[&["openclaw", "promote", "--apply"], &NOW[..]].concat(), &["MEMORY.md: is not UTF-8"]);
    assert_eq!(fs::read(room.join("MEMORY.md")).unwrap(), b"Caf\xe9\n");
}

/// oc-overlapping-chunks.
#[test]
fn overlapping_chunks_of_a_note_are_written_once() {
    let lines = [
        "Router restarted at noon",
        "VLAN ten is for guests",
        "The lease ends in June",
        "Bo fixed the printer",
    ];
    let room = &Room::new();
    write(room, NOTE, format!("# Thu\n\n{}\n", lines.join("\n")));
    let chunk =
        |from: usize, to: usize| strong(NOTE, (from as u32, to as u32), &lines[from - 3..=to - 3].join(" "));
    store(room, &[chunk(3, 6), chunk(3, 4), chunk(4, 4), chunk(3, 3), chunk(5, 6)]);
    let (done, _) = promoted(room);
    assert_eq!(done["applied"], 5);
    for line in lines {
        assert_eq!(long_term(room).matches(line).count(), 1, "{line}: {}", long_term(room));
    }
    // A night later nothing is left to promote. A new chunk adds only its new lines.
    assert_eq!(promoted(room).0["applied"], 0);
    write(room, NOTE, format!("# Thu\n\n{}\nThe roof leaks\n", lines.join("\n")));
    store(room, &[strong(NOTE, (6, 7), "Bo fixed the printer The roof leaks")]);
    promoted(room);
    assert_eq!(facts(room).last().unwrap(), "The roof leaks");
    assert_eq!(long_term(room).matches("Bo fixed").count(), 1);
}

/// oc-rem-single-memory: openclaw#68595, #111923, #70881.
#[test]
fn a_theme_needs_two_memories() {
    let room = &Room::new();
    let entries: Vec<Value> = (0..8)
        .map(|n| {
            let mut entry = strong(NOTE, (n + 3, n + 3), &format!("note {n}"));
            let third = if n < 4 { "shared".to_owned() } else { format!("x{n}") };
            entry["conceptTags"] = json!([
                format!("alpha{n}"),
                format!("beta{n}"),
                third,
                "assistant",
                "28-31",
                "memory/2026-04-12.md",
                "12345"
            ]);
            entry
        })
        .collect();
    store(room, &entries);
    for more in [&[][..], &["--themes", "tags"], &["--themes", "clusters"]] {
        let (rem, _) = tell(room, "rem", more);
        let themes: Vec<(&Value, &Value)> =
            rem["themes"].as_array().unwrap().iter().map(|one| (&one["tags"], &one["count"])).collect();
        assert_eq!(themes, [(&json!(["shared"]), &json!(4))], "{more:?}");
    }
    store(room, &entries[..1]);
    assert_eq!(tell(room, "rem", &[]).0["themes"], json!([]), "one memory keeps coming up nowhere");
}

/// oc-same-fact-two-days.
#[test]
fn a_sentence_in_two_days_notes_is_one_fact() {
    let sentence = "The office wifi password rotates monthly";
    for (first, second) in [
        (sentence.to_owned(), sentence.to_owned()),
        (format!("- {sentence}."), format!("* {}", sentence.to_lowercase())),
        (format!("{sentence}. Bo knows it."), sentence.to_owned()),
    ] {
        let room = &Room::new();
        write(room, "memory/2026-04-02.md", format!("# Thu\n\n{first}\n"));
        write(room, NOTE, format!("# Fri\n\n{second}\n"));
        store(room, &[strong("memory/2026-04-02.md", (3, 3), &first), strong(NOTE, (3, 3), &second)]);
        if first.len() < 50 {
            assert_eq!(tell(room, "light", &[]).0["candidates"].as_array().unwrap().len(), 1, "{first}");
        }
        let (done, _) = promoted(room);
        assert_eq!((&done["appended"], &done["reconciledExisting"]), (&json!(1), &json!(1)), "{first}");
        assert_eq!(long_term(room).to_lowercase().matches("wifi password").count(), 1);
    }
    // A fact that the user wrote by hand isn't written again. A fact with another number is another fact.
    let room = &Room::new();
    write(room, "MEMORY.md", format!("# Mine\n\n- {sentence}!\n"));
    write(
        room,
        NOTE,
        format!("{sentence}\nThe lease ends on day 30 of June\nThe lease ends on day 13 of June\n"),
    );
    let line = |at: u32, text: &str| strong(NOTE, (at, at), text);
    store(
        room,
        &[
            line(1, sentence),
            line(2, "The lease ends on day 30 of June"),
            line(3, "The lease ends on day 13 of June"),
        ],
    );
    let (done, _) = promoted(room);
    has(&done, json!({ "appended": 2, "reconciledExisting": 1 }));
    assert_eq!(long_term(room).matches(sentence).count(), 1);
}

/// oc-stale-fills-limit: openclaw#87854.
#[test]
fn stale_and_known_entries_dont_count_towards_the_limit() {
    let room = &Room::new();
    write(room, NOTE, "# Friday\n\nrewritten\n");
    write(room, "memory/2026-04-02.md", "# Thu\n\nThe good fact is still here\n");
    write(room, "MEMORY.md", "- The first fact was written by hand\n");
    write(room, "memory/2026-04-01.md", "The first fact was written by hand\n");
    let best = |mut entry: Value| {
        (entry["recallCount"], entry["totalScore"]) = (json!(12), json!(11.64));
        entry
    };
    let mut entries: Vec<Value> = (3..13)
        .map(|n| best(strong(NOTE, (n, n), &format!("Fact number {n} that was later deleted"))))
        .collect();
    entries.push(best(strong("memory/2026-04-01.md", (1, 1), "The first fact was written by hand")));
    entries.push(strong("memory/2026-04-02.md", (3, 3), "The good fact is still here"));
    store(room, &entries);
    let (preview, _) = tell(room, "promote", &["--limit", "1"]);
    has(&preview, json!({ "/preview/appended": 1, "passing": 2 }));
    let (done, _) = tell(room, "promote", &["--apply", "--limit", "1"]);
    let done = &done["applied"];
    assert_eq!((&done["applied"], &done["appended"], count(&done["stale"])), (&json!(2), &json!(1), 10));
    assert_eq!(facts(room), ["The good fact is still here"]);
}

/// oc-zero-recall: openclaw#92706, #76737.
#[test]
fn entries_without_recalls_name_their_gates() {
    let room = &Room::new();
    write(room, NOTE, "# Fri\n\na daily line\n");
    let mut daily = strong(NOTE, (3, 3), "a daily line");
    let mut corpus = strong("memory/.dreams/session-corpus/2026-04-03.txt", (1, 1), "User: question 1");
    for entry in [&mut daily, &mut corpus] {
        (entry["recallCount"], entry["totalScore"], entry["dailyCount"]) = (json!(0), json!(0.58), json!(1));
    }
    store(room, &[daily, corpus]);
    let (ranked, _) = tell(room, "promote", &[]);
    let gates = |place: usize| ranked["entries"][place]["stoppedBy"].as_array().unwrap().clone();
    assert!(gates(0).contains(&json!("not_short_term")), "{ranked}");
    assert!(gates(1).contains(&json!("no_recall")), "{ranked}");
    assert_eq!(ranked["passing"], 0);
}

/// C3: similar entries are listed together in the note.
#[test]
fn similar_entries_are_listed_together() {
    let (room, _) = &promote_lines(&["router vlan eleven", "router vlan ten", "backups at three"]);
    tell(room, "light", &["--apply"]);
    let note = read(room, "memory/2026-04-05.md");
    assert!(note.contains("  - cluster: 1, with memory/2026-04-03.md:4-4\n"), "{note}");
    assert_eq!(note.matches("cluster:").count(), 2, "{note}");
}

/// openclaw#130942: Windows line ends are kept.
#[test]
fn windows_line_ends_are_kept() {
    let room = &Room::new();
    write(room, NOTE, "# Fri\r\n\r\nThe roof leaks\r\n");
    write(room, "memory/2026-04-05.md", "# Sun\r\n");
    write(room, "MEMORY.md", "# Mine\r\n");
    store(room, &[strong(NOTE, (3, 3), "The roof leaks")]);
    let name = "memory/.dreams/short-term-recall.json";
    let windows = read(room, name).replace('\n', "\r\n");
    write(room, name, format!("\u{feff}{windows}"));
    promoted(room);
    tell(room, "light", &["--apply"]);
    tell(room, "light", &["--apply"]);
    for name in ["MEMORY.md", "memory/2026-04-05.md"] {
        let text = read(room, name);
        assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "{text:?}");
        assert_eq!(text.matches("The roof leaks").count(), 1, "{text:?}");
    }
}

/// A preview counts exactly what applying does, for any store.
#[test]
fn a_preview_counts_what_applying_does() {
    for (limit, keep) in [("1", 3), ("2", 5), ("10", 0), ("10", 12), ("0", 12)] {
        let room = &Room::new();
        let line = |n: u32| format!("Fact {} of the {} kind", n, n % 4);
        let kept: String =
            (0..12).map(|n| if n < keep { line(n) } else { "gone".to_owned() } + "\n").collect();
        write(room, NOTE, &kept);
        let entries: Vec<Value> = (0..12).map(|n| strong(NOTE, (n + 1, n + 1), &line(n))).collect();
        store(room, &entries);
        let (preview, _) = tell(room, "promote", &["--limit", limit]);
        let (done, _) = tell(room, "promote", &["--limit", limit, "--apply"]);
        let mut planned = preview["preview"].clone();
        planned["memory"] = done["applied"]["memory"].clone();
        assert_eq!(planned, done["applied"], "limit {limit}, {keep} kept");
        assert_eq!(preview["entries"], done["entries"]);
    }
}
