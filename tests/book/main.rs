//! The book under `docs/` and the pages at the top are true: their links lead somewhere, their paths are there, and what they tell the
//! reader to type does what they say it does.
//!
//! Where the program says something else than a page shows, `MORTA_RECORD=1 cargo test --workspace --test book` writes into the page
//! what it says now. A `[..]` in shown output stands for what differs from run to run, such as a time.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

mod built;
#[path = "../common/mod.rs"]
mod common;
mod console;
mod links;
mod pages;

use common::root;
use console::Session;
use links::Document;
use pages::{book, files_of_book, included, top};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_link_leads_somewhere() {
    let documents = || top().into_iter().chain(files_of_book());
    let mut wrong = Vec::new();
    let mut followed = 0;
    for path in documents() {
        let document = Document::read(&path);
        let within = path.starts_with(book()).then(book);
        followed += document.links.len();
        wrong.extend(document.dead_links(within.as_deref()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(followed > 50, "the pages lead to each other: {followed} links");
}

#[test]
fn a_dead_link_is_found() {
    let room = tempfile::tempdir().unwrap();
    let page = room.path().join("page.md");
    let text =
        "# A `b`, and c\n[here](#a-b-and-c) [gone](#a-c) [file](other.md) [part](other.md#x-1) [out](/etc)\n";
    std::fs::write(&page, text).unwrap();
    std::fs::write(room.path().join("other.md"), "# x\n\n# x\n").unwrap();
    let dead = |within: Option<&Path>| Document::read(&page).dead_links(within).len();
    assert_eq!((dead(None), dead(Some(room.path()))), (1, 2), "{:?}", Document::read(&page).dead_links(None));
    std::fs::remove_file(room.path().join("other.md")).unwrap();
    assert_eq!(dead(None), 3);
}

#[test]
fn the_summary_names_every_page_once() {
    let summary = book().join("SUMMARY.md");
    let named: Vec<_> = Document::read(&summary).links.iter().map(|link| book().join(link)).collect();
    let once: BTreeSet<_> = named.iter().cloned().collect();
    assert_eq!(once.len(), named.len(), "SUMMARY.md names a page twice");
    let there: BTreeSet<_> = files_of_book().into_iter().filter(|page| *page != summary).collect();
    assert_eq!(once, there, "SUMMARY.md, and the pages of docs/src");
}

/// A page that is there twice is one that will be wrong once.
#[test]
fn the_generated_pages_are_included_and_not_copied() {
    let all: BTreeSet<_> = files_of_book().iter().flat_map(|page| included(page)).collect();
    for name in ["REFERENCE.md", "SWEEPS.md", "TABLES.md", "RESULTS.md"] {
        let page = root().join("scenarios").join(name);
        assert!(all.contains(&page), "no page of the book includes scenarios/{name}");
    }
}

#[test]
fn every_path_that_a_page_names_exists() {
    let tops = [
        "docs", "base", "stats", "load", "console", "tools", "memories", "engine", "actors", "lab", "python",
        "src", "tests", "benches", "scenarios", "sim-data",
    ];
    let pages = files_of_book().into_iter().chain([root().join("CONTRIBUTING.md")]);
    let mut named = 0;
    for page in pages {
        for code in Document::read(&page).codes {
            let is_plain = !code.contains([' ', '*', '<', '=']);
            if is_plain
                && tops.iter().any(|top| code.strip_prefix(top).is_some_and(|rest| rest.starts_with('/')))
            {
                named += 1;
                assert!(root().join(&code).exists(), "{} names {code}, which isn't there", page.display());
            }
        }
    }
    assert!(named > 30, "the pages name their places: {named}");
}

#[test]
fn the_citation_is_of_this_version() {
    let citation = std::fs::read_to_string(root().join("CITATION.cff")).unwrap();
    let version = concat!("version: ", env!("CARGO_PKG_VERSION"));
    assert!(citation.lines().any(|line| line == version), "CITATION.cff doesn't say `{version}`");
}

#[test]
fn every_command_does_what_its_page_says() {
    let sessions: Vec<Session> = files_of_book().iter().filter_map(|page| Session::of(page)).collect();
    let steps: usize = sessions.iter().map(Session::steps).sum();
    assert!(steps > 30, "the book shows what to type: {steps} commands");
    let wrong = sessions.par_iter().with_max_len(1).flat_map(Session::live).collect::<Vec<_>>();
    assert!(
        wrong.is_empty(),
        "{}\nif it is the page that is wrong: MORTA_RECORD=1 cargo test --workspace --test book",
        wrong.join("\n")
    );
}
