use morta_memories::openclaw::relocate::relocate;

const NOTE: &str = "# Saturday\n\nRouter is new\nVLAN ten is for guests\nand has no DNS\nBackups run at 3\n";

fn lines(start: u32, end: u32, snippet: &str) -> Option<(u32, u32)> {
    relocate(NOTE, start, end, snippet).map(|found| (found.start_line, found.end_line))
}

#[test]
fn snippets_are_found_again() {
    assert_eq!(lines(4, 4, "VLAN  ten is for guests"), Some((4, 4)), "where it stood");
    assert_eq!(lines(1, 1, "VLAN ten is for guests"), Some((4, 4)), "moved down");
    assert_eq!(lines(1, 2, "VLAN ten is for guests and has no DNS"), Some((4, 5)), "two lines");
    assert_eq!(lines(4, 4, "is for guests and has"), Some((4, 5)), "inside a window");
    assert_eq!(lines(1, 1, "is for guests and has"), Some((4, 5)), "no line that has nothing of it");
    let whole = "Backups run at 3 every night but on Sundays";
    assert_eq!(lines(1, 1, whole), None, "a fragment is left of it");
    assert_eq!(lines(4, 4, "The printer is gone"), None);
    assert_eq!(lines(40, 41, "Router is new"), Some((3, 3)), "beyond the end");
    assert_eq!(lines(5, 3, "Router is new"), Some((3, 3)), "lines that end before they begin");
    assert_eq!(relocate("", 1, 1, "Router is new"), None);
}

#[test]
fn the_nearest_of_equals_is_taken() {
    let note = "same\nother\nsame\nother\nsame\n";
    let start = |line| relocate(note, line, line, "same").unwrap().start_line;
    assert_eq!((start(2), start(4), start(5)), (1, 3, 5));
}

#[test]
fn a_snippet_without_text_is_what_stands_there() {
    let found = relocate(NOTE, 4, 5, "").unwrap();
    assert_eq!(found.text, "VLAN ten is for guests and has no DNS");
    assert_eq!(relocate(NOTE, 2, 2, ""), None, "an empty line is nothing");
    assert_eq!(relocate(NOTE, 9, 9, ""), None);
}

/// Where the text of a snippet is found, and what it is there; empty when it isn't.
fn text(note: &str, lines: (u32, u32), snippet: &str) -> String {
    let found = relocate(note, lines.0, lines.1, snippet);
    found.map_or_else(String::new, |it| format!("{}-{} {}", it.start_line, it.end_line, it.text))
}

/// OpenClaw took the dash, or any other line that is part of the snippet, for what is left of it.
#[test]
fn a_fragment_of_a_rewritten_sentence_is_not_it() {
    let snippet = "Moved backups to Glacier - retention is ninety days";
    for left in
        ["-", "retention", "days", "*", "Moved backups", "ninety days", "is", "retention is ninety days"]
    {
        let note = format!("# Friday\n\nBackups now go to a NAS\n{left}\nmore\n");
        assert_eq!(text(&note, (3, 3), snippet), "", "{left}");
    }
    for nothing in ["-", "---", "***", "- [ ]", "…"] {
        assert_eq!(text(&format!("{nothing}\n"), (1, 1), nothing), "", "{nothing}");
    }
    let heading = text("# Friday\n## Decisions\n", (2, 2), "## Decisions");
    assert_eq!(heading, "", "a heading says nothing by itself");
}

#[test]
fn whole_sentences_of_a_changed_snippet_are_kept() {
    let snippet = "The printer moved. VLAN ten is for guests. Bo has the key.";
    let kept = text("The printer moved. Bo has the key.\n", (1, 1), snippet);
    assert_eq!(kept, "1-1 The printer moved. Bo has the key.");
    let list = "- chose Postgres - dropped Redis - froze the API";
    let kept = text("# Fri\n\n- chose Postgres\n- froze the API\n", (3, 5), list);
    assert_eq!(kept, "3-4 - chose Postgres; froze the API");
    // Four lines without a full stop, of which one was deleted.
    let chunk = "Router restarted at noon VLAN ten is for guests The lease ends in June Bo fixed the printer";
    let note = "# Thu\n\nRouter restarted at noon\nVLAN ten is for guests\nBo fixed the printer\n";
    let kept = text(note, (3, 6), chunk);
    assert_eq!(kept, "3-5 Router restarted at noon VLAN ten is for guests Bo fixed the printer");
    assert_eq!(text("Bo fixed the printer\n", (3, 6), chunk), "", "less than half of it");
}

#[test]
fn a_snippet_with_the_heading_it_stands_under_is_found() {
    let note = "# Fri\n\n## Decisions today\n- 11:18 chose Postgres\n- 12:02 dropped Redis\n- 13:40 froze the API\n\n## Later\n- nothing\n";
    let joined = "Decisions today: 11:18 chose Postgres; 12:02 dropped Redis; 13:40 froze the API";
    assert_eq!(text(note, (4, 6), joined), format!("4-6 {joined}"));
    let two = "Decisions today: 12:02 dropped Redis; 13:40 froze the API";
    assert_eq!(text(note, (5, 6), two), format!("5-6 {two}"));
    let nested = "Fri: Decisions today: 12:02 dropped Redis; 13:40 froze the API";
    assert_eq!(text(note, (5, 6), nested), format!("5-6 {nested}"));
    let all = format!("Fri: {joined}");
    assert_eq!(text(note, (4, 6), &all), format!("4-6 {all}"));
    let one = "Decisions today: 13:40 froze the API";
    assert_eq!(text(note, (6, 6), one), format!("6-6 {one}"));
    let deleted = note.replace("- 12:02 dropped Redis\n", "");
    let left = "4-5 Decisions today: 11:18 chose Postgres; 13:40 froze the API";
    assert_eq!(text(&deleted, (4, 6), joined), left);
    assert_eq!(text("# Fri\n\n## Decisions today\n\n- other\n", (4, 6), joined), "");
    let chinese = "# 周五\n\n## 今天的决定\n- 选择了数据库\n- 放弃了缓存\n";
    assert_eq!(text(chinese, (5, 5), "今天的决定: 放弃了缓存"), "5-5 今天的决定: 放弃了缓存");
}

#[test]
fn marks_case_and_byte_order_marks_make_no_difference() {
    let marked = text("\u{feff}VLAN ten is for guests\r\n", (1, 1), "VLAN ten is for guests");
    assert_eq!(marked, "1-1 VLAN ten is for guests");
    let strong = text("x\n* **VLAN ten** is for guests.\n", (1, 1), "- VLAN ten is for guests");
    assert_eq!(strong, "2-2 * **VLAN ten** is for guests.");
    let long = "One. Two is here. VLAN ten is for guests. Four is there.";
    assert_eq!(text(long, (9, 9), "VLAN ten is for"), "1-1 VLAN ten is for guests.", "its sentence alone");
    let titled = "# Log\n## Backup\n- at three\n## Network\n- VLAN ten\n";
    let whole = text(titled, (9, 9), "Log Backup at three Network VLAN ten");
    assert_eq!(whole, "3-5 Log: Backup: at three; Network: VLAN ten");
}

/// Search results are cut off after 700 letters, in the middle of a word.
#[test]
fn a_snippet_that_was_cut_off_is_found_with_the_rest_of_its_sentence() {
    let sentence =
        "Router restarted at noon because of the storm and nobody noticed until the evening meeting. ";
    let note = format!("# Thu\n\n{}The lease ends in June.\nMore\n", sentence.repeat(4));
    let cut = format!("# Thu {}The lease en", sentence.repeat(4));
    let found = text(&note, (1, 3), &cut);
    assert!(found.starts_with("3-3 Thu: Router") && found.ends_with("The lease ends in June."), "{found}");
    assert_eq!(text("The lease ends in June.\n", (9, 9), "The lease en"), "", "short ones aren't cut off");
    let flat = "The lease of the flat ends in June.\n";
    let said = text(flat, (9, 9), "@@ -9,4 @@ (8 before, 0 after) The lease of the flat en...");
    assert_eq!(said, "1-1 The lease of the flat ends in June.", "but for those that say so");
    assert_eq!(text(flat, (9, 9), "J..."), "", "a letter is no beginning");
}
