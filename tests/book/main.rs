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

use common::{root, written};
use console::Session;
use links::Document;
use pages::{book, files_of_book, top};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

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
    let text =
        "# A `b`, and c\n[here](#a-b-and-c) [gone](#a-c) [file](other.md) [part](other.md#x-1) [out](/etc)\n";
    let (room, page) = written("page.md", text);
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

/// Nobody reads what takes an hour: the limits are those of the project's design for its documents. Of the book, pages that are generated
/// don't count, nor do code and what commands print.
#[test]
fn pages_stay_as_short_as_their_readers_need_them() {
    const KB: usize = 1000;
    let limits = [("README.md", 10 * KB), ("ARCHITECTURE.md", 25 * KB), ("CONTRIBUTING.md", 9 * KB)];
    for (page, limit) in limits {
        let length = std::fs::metadata(root().join(page)).unwrap().len() as usize;
        assert!(length <= limit, "{page} has {length} bytes, {limit} are its limit");
    }
    let generated = ["keys", "scenario-files", "sweep-files", "tables", "coverage", "flags"];
    let is_written = |page: &PathBuf| {
        let page = page.strip_prefix(book()).unwrap().with_extension("");
        // A page below `results` is a sweep's own report; the chapter itself is written.
        let is_report = page.parent() == Some(Path::new("results"));
        !is_report && page != Path::new("SUMMARY") && generated.iter().all(|stem| !page.starts_with(stem))
    };
    let written: usize =
        files_of_book().iter().filter(|page| is_written(page)).map(|page| pages::prose(page)).sum();
    assert!(written <= 120 * KB, "the book's own text has {written} bytes");
}

/// The first picture is drawn by hand, so that its words can be read on a telephone; its figures are those of the sweep.
#[test]
fn the_picture_of_the_readme_has_the_figures_of_its_sweep() {
    let page = std::fs::read_to_string(book().join("results/bounded-recall.md")).unwrap();
    let map = page.split("## Map").nth(1).unwrap().split("## ").next().unwrap();
    let row = |law: &str| map.lines().find(|line| line.starts_with(&format!("| {law} |"))).unwrap();
    let figures = ["stands", "2000", "500"].map(|law| row(law).split('|').skip(2)).into_iter().flatten();
    let figures = figures.filter_map(|cell| cell.trim().trim_matches(['(', ')', '*']).parse::<f64>().ok());
    let figures: Vec<String> = figures.map(|figure| format!("{figure:+.4}").replacen("0.", ".", 1)).collect();
    assert_eq!(figures.len(), 12);
    let picture = std::fs::read_to_string(book().join("plots/dreams.svg")).unwrap().replace('−', "-");
    let texts = picture.split('>').filter_map(|rest| rest.strip_suffix("</text"));
    let drawn: Vec<&str> = texts.filter(|text| text.starts_with(['+', '-'])).collect();
    assert_eq!(drawn, figures);
}

/// They are drawn from the pages by `docs/gallery.py`, whose first table has a line for each arm.
#[test]
fn pictures_of_the_gallery_have_the_figures_of_their_pages() {
    let gallery = std::fs::read_to_string(book().join("gallery.md")).unwrap();
    let names: Vec<&str> =
        gallery.split("plots/gallery-").skip(1).map(|rest| rest.split(".svg").next().unwrap()).collect();
    assert_eq!(names.len(), 12);
    for name in names {
        let page = std::fs::read_to_string(book().join(format!("results/{name}.md"))).unwrap();
        let picture = std::fs::read_to_string(book().join(format!("plots/gallery-{name}.svg"))).unwrap();
        let mut table = page.lines().skip_while(|line| !line.starts_with("| arm |"));
        let is_difference = |title: &str| title.trim() == "difference" || title.trim().starts_with("less ");
        let column = table.next().unwrap().split('|').position(is_difference).unwrap();
        let rows = table.skip(1).take_while(|line| line.starts_with('|'));
        let differences = rows.filter_map(|row| row.split('|').nth(column)).map(str::trim);
        let differences: Vec<&str> =
            differences.filter(|difference| difference.starts_with(['+', '-'])).collect();
        assert!(!differences.is_empty(), "{name}");
        for difference in differences {
            assert!(picture.contains(difference), "{name}: {difference}: draw it again: docs/gallery.py");
        }
        let file = ["levers", "experiments"].map(|room| root().join(format!("scenarios/{room}/{name}.toml")));
        assert!(file.iter().any(|file| file.exists()), "{name} has no file");
    }
}

/// A picture that is left as it was when its page is made anew would show another build's figures beside the new ones.
#[test]
fn pictures_of_results_have_the_figures_of_their_pages() {
    let numbers = |text: &str| -> Vec<f64> {
        let plain = text.replace('−', "-");
        let words = plain.split(|sign: char| sign.is_whitespace() || "[](),|*;".contains(sign));
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let mut compared = 0;
    for path in files_of_book() {
        let Some(name) = path.strip_prefix(book().join("results")).ok().and_then(Path::to_str) else {
            continue;
        };
        let page = std::fs::read_to_string(&path).unwrap();
        let figures = numbers(&page);
        for picture in page.split("(../plots/").skip(1).filter_map(|rest| rest.split(".svg)").next()) {
            let drawn = std::fs::read_to_string(book().join(format!("plots/{picture}.svg"))).unwrap();
            let texts = drawn.split('>').filter_map(|rest| rest.strip_suffix("</text"));
            // Intervals of forests and shares; cells of maps, which have five decimals where marks of axes have fewer.
            let is_cell = |text: &str| {
                text.starts_with(['+', '−']) && text.ends_with(|sign: char| sign.is_ascii_digit())
            };
            for text in
                texts.filter(|text| text.contains(['[', '(']) || is_cell(text) && text.chars().count() == 8)
            {
                let parts = numbers(text);
                let is_there = |part: &f64| match text.contains(['[', '(']) {
                    true => figures.contains(part),
                    false => figures.iter().any(|figure| (figure - part).abs() < 0.51e-5),
                };
                assert!(
                    parts.iter().all(is_there),
                    "{name}: {picture}.svg has {text}: draw it again, morta report SWEEP --svg DIR"
                );
                compared += parts.len();
            }
        }
    }
    assert!(compared > 100, "{compared}");
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
    let pages = files_of_book().into_iter().chain([root().join("README.md")]);
    let sessions: Vec<Session> = pages.filter_map(|page| Session::of(&page)).collect();
    let steps: usize = sessions.iter().map(Session::steps).sum();
    assert!(steps > 30, "the book shows what to type: {steps} commands");
    let wrong = sessions.par_iter().with_max_len(1).flat_map(Session::live).collect::<Vec<_>>();
    assert!(
        wrong.is_empty(),
        "{}\nif it is the page that is wrong: MORTA_RECORD=1 cargo test --workspace --test book",
        wrong.join("\n")
    );
}
