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
    assert_eq!(lines(1, 1, "is for guests and has"), Some((1, 5)), "the nearest first line decides");
    let whole = "Backups run at 3 every night but on Sundays";
    assert_eq!(lines(1, 1, whole), Some((6, 6)), "a fragment is left of it");
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
