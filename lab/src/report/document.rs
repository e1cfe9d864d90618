//! A document: headings, sentences, tables and figures, written once, which a terminal, a section of Markdown and a page each show in their
//! own way. It is a document model (blocks as an intermediate representation) with three renderers, so that no result is worded twice.
//! Terminal and Markdown leave out figures, explanations and detail tables, and cut tables at 100 rows; only the page has all. Only the
//! analysis of a sweep uses it; other pages are written to `Page` directly.

use super::page::{Page, PageTable};
use super::plot::Figure;
use crate::io::text::{Align, table};
use crate::sweep::measure::with_labels;

/// Most rows of a table on the terminal and in Markdown, where a reader can't scroll back far; a page has all.
const ROWS_MAX: usize = 100;

/// A report as a document of blocks, which a terminal, Markdown and a page show alike.
#[derive(Debug, Default)]
pub struct Document {
    blocks: Vec<Block>,
}

/// One block of the document model, by what it is, so that each renderer can choose.
#[derive(Debug)]
enum Block {
    Section(String),
    Sentence(String),
    Finding(String),
    Note(String),
    /// An explanation of the figures below, shown on pages only, where there is room for it.
    Explanation(String),
    Table(PageTable),
    /// A table that a terminal has no room for.
    Detail(PageTable),
    Figure(Figure),
}

impl Document {
    /// Begins a section of the report under a heading.
    pub fn section(&mut self, heading: impl Into<String>) {
        self.blocks.push(Block::Section(heading.into()));
    }

    /// Adds a sentence to the report as a paragraph, shown everywhere.
    pub fn sentence(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Sentence(text.into()));
    }

    /// Adds a finding to the report: a highlighted result, to be quoted.
    pub fn finding(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Finding(text.into()));
    }

    /// Adds a caveat to the report: what can't be concluded, with the reason.
    pub fn note(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Note(text.into()));
    }

    /// Adds an explanation of the figures that follow, shown on a page alone.
    pub fn explanation(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Explanation(text.into()));
    }

    /// Adds a table to the report; a table without rows is left out.
    pub fn table(&mut self, table: PageTable) {
        if !table.rows.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }

    /// Adds the full table of one that stands before it in brief, shown on a page alone.
    pub fn detail(&mut self, table: PageTable) {
        self.blocks.push(Block::Detail(table));
    }

    /// Adds a figure (plot) to the report, if there is one. It is shown on a page alone: a terminal has the table that goes with it.
    pub fn figure(&mut self, figure: Option<Figure>) {
        self.blocks.extend(figure.map(Block::Figure));
    }

    /// Renders the report as HTML on a page. A terminal and Markdown name measures as flags and files do, to be typed; a page has the words
    /// for them.
    pub(crate) fn on_page(self, page: &mut Page) {
        for block in self.blocks {
            match block {
                Block::Section(heading) => page.section(&with_labels(&heading)),
                Block::Sentence(text) | Block::Explanation(text) => page.paragraph(&with_labels(&text)),
                Block::Finding(text) => page.finding(&with_labels(&text)),
                Block::Note(text) => page.note(&with_labels(&text)),
                Block::Table(table) | Block::Detail(table) => page.table(&in_words(table)),
                Block::Figure(figure) => page.figure(Some(figure)),
            }
        }
    }

    /// Renders the report as lines for a terminal. A caption is cut at its first colon: captions name what is compared before it, and
    /// explain how figures are made after it, which would take more lines than a short table.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        let mut after_table = false;
        for block in self.for_text() {
            match block {
                Block::Section(heading) => lines.extend([String::new(), heading.clone()]),
                Block::Table(shown) => {
                    let caption = shown.caption.split(": ").next().unwrap_or_default().trim_end_matches('.');
                    lines.extend([String::new(), caption.to_owned()]);
                    let align = |place| if place < shown.words.max(1) { Align::Left } else { Align::Right };
                    let columns = shown.head.iter().enumerate();
                    let columns: Vec<(&str, Align)> =
                        columns.map(|(place, name)| (name.as_str(), align(place))).collect();
                    lines.extend(table(&columns, first_rows(shown)));
                    lines.extend(more(shown));
                }
                said => {
                    lines.extend(after_table.then(String::new));
                    lines.extend(said.text().map(str::to_owned));
                }
            }
            after_table = matches!(block, Block::Table(_));
        }
        // The caller has printed an empty line before it.
        lines.into_iter().skip_while(String::is_empty).collect()
    }

    /// The blocks that a terminal and Markdown show: no figures, nothing that needs a page's room. A section without any other block is left out too,
    /// because a heading alone would look like a result that got lost.
    fn for_text(&self) -> impl Iterator<Item = &Block> {
        let is_shown =
            |block: &Block| !matches!(block, Block::Explanation(_) | Block::Detail(_) | Block::Figure(_));
        let shown: Vec<&Block> = self.blocks.iter().filter(|block| is_shown(block)).collect();
        let is_section =
            |block: Option<&&Block>| block.is_none_or(|block| matches!(block, Block::Section(_)));
        let kept: Vec<&Block> = (0..shown.len())
            .filter(|place| !(is_section(shown.get(*place)) && is_section(shown.get(place + 1))))
            .map(|place| shown[place])
            .collect();
        kept.into_iter()
    }

    /// Renders the report as lines of Markdown; sections are headings of the third level.
    pub fn markdown(&self) -> Vec<String> {
        let row = |cells: &Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |", cells.join(" | "))
        };
        let mut lines = Vec::new();
        for block in self.for_text() {
            match block {
                Block::Section(heading) => lines.extend([String::new(), format!("### {heading}")]),
                Block::Table(shown) => {
                    let rule = format!("|{}", "---|".repeat(shown.head.len()));
                    lines.extend([
                        String::new(),
                        shown.caption.clone(),
                        String::new(),
                        row(&shown.head),
                        rule,
                    ]);
                    lines.extend(first_rows(shown).iter().map(row));
                    lines.extend(more(shown).into_iter().flat_map(|more| [String::new(), more]));
                }
                said => lines.extend([String::new()].into_iter().chain(said.text().map(str::to_owned))),
            }
        }
        lines
    }
}

/// A table with labels in place of measures' names; values of keys in cells stay as files have them.
fn in_words(table: PageTable) -> PageTable {
    let cells = |cells: Vec<String>| cells.iter().map(|cell| with_labels(cell)).collect();
    let PageTable { caption, head, rows, words } = table;
    let rows = rows.into_iter().map(cells).collect();
    PageTable { caption: with_labels(&caption), head: cells(head), rows, words }
}

impl Block {
    /// The text of a block that is a sentence; `None` of a table or a figure.
    fn text(&self) -> Option<&str> {
        match self {
            Self::Sentence(text) | Self::Finding(text) | Self::Note(text) => Some(text),
            _ => None,
        }
    }
}

fn first_rows(table: &PageTable) -> &[Vec<String>] {
    &table.rows[..table.rows.len().min(ROWS_MAX)]
}

fn more(table: &PageTable) -> Option<String> {
    let left = table.rows.len().saturating_sub(ROWS_MAX);
    (left > 0).then(|| format!("and {left} more, in analysis.json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let mut document = Document::default();
        document.section("Verdict");
        document.finding("a is better than b");
        document.explanation("How intervals are read.");
        document.table(PageTable {
            caption: "Arms: mean.".to_owned(),
            head: vec!["arm".to_owned(), "mean".to_owned()],
            rows: vec![vec!["a|c".to_owned(), "10".to_owned()], vec!["b".to_owned(), "2".to_owned()]],
            words: 1,
        });
        document.table(PageTable::default());
        document.section("Profile");
        document.detail(PageTable { caption: "Wide.".to_owned(), ..PageTable::default() });
        document
    }

    #[test]
    fn a_document_is_shown_in_three_ways() {
        assert_eq!(
            document().lines(),
            ["Verdict", "a is better than b", "", "Arms", "arm  mean", "a|c    10", "b       2"]
        );
        assert_eq!(
            document().markdown(),
            [
                "", "### Verdict", "", "a is better than b", "", "Arms: mean.", "", "| arm | mean |",
                "|---|---|", "| a\\|c | 10 |", "| b | 2 |"
            ]
        );
        let mut page = Page::new("", "", "");
        document().on_page(&mut page);
        let html = page.html();
        for shown in ["a is better than b", "How intervals are read.", "Arms: mean.", "Wide.", ">a|c<"] {
            assert!(html.contains(shown), "{shown}");
        }
    }

    #[test]
    fn a_long_table_states_the_rows_it_leaves_out() {
        let row = |number: usize| vec![number.to_string()];
        let mut document = Document::default();
        document.table(PageTable {
            head: vec!["n".to_owned()],
            rows: (0..ROWS_MAX + 3).map(row).collect(),
            ..PageTable::default()
        });
        assert_eq!(document.lines().last().unwrap(), "and 3 more, in analysis.json");
    }
}
