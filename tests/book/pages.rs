//! Which pages there are, and what they are made of.

use super::common::{files_of, root};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the book's pages.
pub fn book() -> PathBuf {
    root().join("docs/src")
}

/// The book's pages and its summary, those in folders included.
pub fn files_of_book() -> Vec<PathBuf> {
    files_of(&book(), "md")
}

/// The pages at the top of the project, and those of its crates.
pub fn top() -> Vec<PathBuf> {
    let top = [
        "README.md", "RELIABILITY.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md",
        "engine/DECISIONS.md",
    ];
    let folders = fs::read_dir(root()).unwrap().map(|entry| entry.unwrap().path().join("README.md"));
    top.map(|name| root().join(name)).into_iter().chain(folders.filter(|page| page.exists())).collect()
}

/// What a line of mdBook's `{{#include FILE}}` or `{{#include FILE:ANCHOR}}` brings in.
fn directive(line: &str) -> Option<(&str, Option<&str>)> {
    let named = line.trim().strip_prefix("{{#include ")?.strip_suffix("}}")?;
    Some(named.split_once(':').map_or((named, None), |(file, anchor)| (file, Some(anchor))))
}

/// A page without its code blocks, and so what somebody wrote in sentences; in bytes.
pub fn prose(page: &Path) -> usize {
    let text = fs::read_to_string(page).unwrap();
    text.split("\n```").step_by(2).map(str::len).sum()
}

/// A page with what it includes in its place, as mdBook puts it together.
pub fn put_together(page: &Path) -> String {
    let text = fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let mut whole = String::with_capacity(text.len());
    for line in text.lines() {
        match directive(line) {
            Some((file, anchor)) => {
                let path = page.parent().unwrap().join(file);
                let brought = fs::read_to_string(&path);
                let brought = brought.unwrap_or_else(|error| panic!("{}: {file}: {error}", page.display()));
                whole += &anchor.map_or(brought.clone(), |anchor| part(&brought, anchor, &path));
            }
            None => whole += line,
        }
        whole.push('\n');
    }
    whole
}

/// The lines between a file's two marks of a name.
fn part(text: &str, anchor: &str, file: &Path) -> String {
    let (begin, end) = (format!("ANCHOR: {anchor}"), format!("ANCHOR_END: {anchor}"));
    let lines: Vec<&str> = text.lines().collect();
    let at = |mark: &str| lines.iter().position(|line| line.contains(mark));
    let (Some(from), Some(to)) = (at(&begin), at(&end)) else {
        panic!("{} has no part named {anchor}", file.display())
    };
    lines[from + 1..to].join("\n")
}
