//! What studies of the book have answered: a file of lines, each what was asked of, two spaces, what moved, two spaces, the page of
//! `docs/src/results` that has the figures. A figure that its page hasn't got fails the test that reads the file.

use super::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// How an effect begins that is none.
const NULL: &str = "none found";

/// The answers of a file, by what was asked of.
pub struct Answers {
    source: &'static str,
    lines: BTreeMap<String, (String, String)>,
}

impl Answers {
    /// The answers of a file of the repository.
    pub fn read(source: &'static str) -> Self {
        let text = fs::read_to_string(root().join(source)).unwrap();
        let mut lines = BTreeMap::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let [of, effect, page] = line.split("  ").collect::<Vec<_>>()[..] else {
                panic!("{source}: {line}")
            };
            let twice = lines.insert(of.to_owned(), (effect.to_owned(), page.to_owned()));
            assert!(twice.is_none(), "{source} has {of} twice");
        }
        Self { source, lines }
    }

    /// The answer with its page, on a page from which `results` leads to the pages of results.
    pub fn cell(&self, of: &str, results: &str) -> Option<String> {
        let (effect, page) = self.lines.get(of)?;
        Some(format!("{effect} ({})", link(page, results)))
    }

    /// How many of these have a consequence that a study found, and for how many none was found.
    pub fn counted<'a>(&self, of: impl Iterator<Item = &'a str>) -> (usize, usize) {
        let effects: Vec<&str> =
            of.filter_map(|of| self.lines.get(of)).map(|(effect, _)| &**effect).collect();
        let none = effects.iter().filter(|effect| effect.starts_with(NULL)).count();
        (effects.len() - none, none)
    }

    /// What was asked of, and the page of the answer.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines.iter().map(|(of, (_, page))| (&**of, &**page))
    }

    /// What is wrong: lines about nothing that is there, pages that aren't, and figures that their page hasn't got.
    pub fn wrong(&self, is_there: impl Fn(&str) -> bool) -> Vec<String> {
        let mut wrong = Vec::new();
        for (of, (effect, page)) in &self.lines {
            let mut note = |what: String| wrong.push(format!("{}: {of}: {what}", self.source));
            if !is_there(of) {
                note("there is no such thing".to_owned());
            }
            let Ok(text) = fs::read_to_string(page_of(page)) else {
                note(format!("there is no page {page}"));
                continue;
            };
            let there: BTreeSet<&str> = figures(&text).collect();
            figures(effect)
                .filter(|figure| !there.contains(figure))
                .for_each(|figure| note(format!("{page} hasn't got {figure}")));
        }
        wrong
    }
}

/// A link to a page of results.
pub fn link(page: &str, results: &str) -> String {
    format!("[{page}]({results}/{page}.md)")
}

/// The file of a page of results.
pub fn page_of(page: &str) -> PathBuf {
    root().join("docs/src/results").join(page).with_extension("md")
}

/// Words with a digit, as both texts write them. Marks go at the end alone: a figure may begin with its point.
fn figures(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| c.is_whitespace() || "[]()|*`\"='".contains(c));
    let words = words.map(|word| word.trim_end_matches(['.', ',', ';', ':']));
    words.filter(|word| word.contains(|c: char| c.is_ascii_digit()))
}

#[test]
fn figures_are_read_with_their_signs_and_points() {
    let found = figures("R **+.0033** [.0027, −.5] of .0293, p = .0004; luck's -0.1 (.010).");
    assert_eq!(found.collect::<Vec<_>>(), ["+.0033", ".0027", "−.5", ".0293", ".0004", "-0.1", ".010"]);
}
