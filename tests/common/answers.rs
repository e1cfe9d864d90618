//! What studies of the book have answered: a file of lines, each what was asked of, two spaces, what moved, two spaces, the page of
//! `docs/src/results` that has the figures. A figure that its page hasn't got fails the test that reads the file. A line about what no
//! study can ask needs no page where it has no figure.

use super::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// How an effect begins that is none.
const NULL: &str = "none found";
/// How the line of an event begins that only says what something else decided.
const RECORD: &str = "a record";
/// How a line begins about what no key takes away.
const FIXED: &str = "can't be taken away";

/// The page of a line that needs none.
const NO_PAGE: &str = "a line without a page";

/// The answers of a file, by what was asked of: the effect, and the page of its figures.
pub struct Answers {
    source: &'static str,
    lines: BTreeMap<String, (String, Option<String>)>,
}

/// How many answers say what.
#[derive(Debug, Default, PartialEq)]
pub struct Counted {
    /// A consequence that a study found.
    pub found: usize,
    /// That none was found.
    pub none: usize,
    /// That it is a record.
    pub records: usize,
    /// That no key takes it away.
    pub fixed: usize,
}

impl Answers {
    /// The answers of a file of the repository.
    pub fn read(source: &'static str) -> Self {
        let text = fs::read_to_string(root().join(source)).unwrap();
        let mut lines = BTreeMap::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (of, effect, page) = match line.split("  ").collect::<Vec<_>>()[..] {
                [of, effect, page] => (of, effect, Some(page.to_owned())),
                [of, effect] if effect.starts_with(RECORD) || effect.starts_with(FIXED) => (of, effect, None),
                _ => panic!("{source}: {line}"),
            };
            let twice = lines.insert(of.to_owned(), (effect.to_owned(), page));
            assert!(twice.is_none(), "{source} has {of} twice");
        }
        Self { source, lines }
    }

    /// The answer with its page, on a page from which `results` leads to the pages of results.
    pub fn cell(&self, of: &str, results: &str) -> Option<String> {
        let (effect, page) = self.lines.get(of)?;
        let in_brackets = |page: &String| format!(" ({})", link(page, results));
        Some(format!("{effect}{}", page.as_ref().map_or_else(String::new, in_brackets)))
    }

    /// How many of these have which answer.
    pub fn counted<'a>(&self, of: impl Iterator<Item = &'a str>) -> Counted {
        let mut counted = Counted::default();
        for (effect, _) in of.filter_map(|of| self.lines.get(of)) {
            let kinds =
                [(NULL, &mut counted.none), (RECORD, &mut counted.records), (FIXED, &mut counted.fixed)];
            let kind = kinds.into_iter().find(|(begin, _)| effect.starts_with(begin));
            *kind.map_or(&mut counted.found, |(_, count)| count) += 1;
        }
        counted
    }

    /// What was asked of, and the page of the answer.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lines.iter().filter_map(|(of, (_, page))| Some((&**of, page.as_deref()?)))
    }

    /// What is wrong: lines about nothing that is there or that name such, pages that aren't, and figures that their page hasn't got.
    pub fn wrong(&self, is_there: impl Fn(&str) -> bool) -> Vec<String> {
        let mut wrong = Vec::new();
        // A page has the figures of hundreds of lines: it is read once.
        let mut pages: BTreeMap<&str, Option<BTreeSet<String>>> = BTreeMap::new();
        for (of, (effect, page)) in &self.lines {
            let mut note = |what: String| wrong.push(format!("{}: {of}: {what}", self.source));
            if !is_there(of) {
                note("there is no such thing".to_owned());
            }
            let named = effect.split('`').skip(1).step_by(2).filter(|named| named.contains(": "));
            named.filter(|named| !is_there(named)).for_each(|named| note(format!("there is no {named}")));
            let page = page.as_deref().unwrap_or(NO_PAGE);
            let there = pages.entry(page).or_insert_with(|| match page {
                NO_PAGE => Some(BTreeSet::new()),
                _ => Some(figures(&fs::read_to_string(page_of(page)).ok()?).map(str::to_owned).collect()),
            });
            let Some(there) = there else {
                note(format!("there is no page {page}"));
                continue;
            };
            figures(effect)
                .filter(|figure| !there.contains(*figure))
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
fn a_record_has_a_line_of_its_own() {
    let lines = [
        ("a", "trades +1", Some("p")),
        ("b", "none found: trades +0", Some("p")),
        ("c", "a record: of `a: b`, 3", None),
        ("d", "can't be taken away", None),
    ];
    let lines =
        lines.map(|(of, effect, page)| (of.to_owned(), (effect.to_owned(), page.map(str::to_owned)))).into();
    let answers = Answers { source: "file", lines };
    let all = answers.counted(["a", "b", "c", "d", "e"].into_iter());
    assert_eq!(all, Counted { found: 1, none: 1, records: 1, fixed: 1 });
    assert_eq!(answers.cell("d", "results").as_deref(), Some("can't be taken away"));
    let wrong = answers.wrong(|of| of.len() == 1);
    assert!(wrong.contains(&"file: c: there is no a: b".to_owned()), "{wrong:?}");
    assert!(wrong.contains(&"file: c: a line without a page hasn't got 3".to_owned()), "{wrong:?}");
}

#[test]
fn figures_are_read_with_their_signs_and_points() {
    let found = figures("R **+.0033** [.0027, −.5] of .0293, p = .0004; luck's -0.1 (.010).");
    assert_eq!(found.collect::<Vec<_>>(), ["+.0033", ".0027", "−.5", ".0293", ".0004", "-0.1", ".010"]);
}
