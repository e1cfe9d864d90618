//! The page: sections of paragraphs, tables and figures, in one HTML file that needs nothing else. It is an HTML builder with semantic
//! headings, table captions and an outline, for accessibility. All text is escaped, so callers give plain text; notes are returned to the
//! command as well. Tables and figures are numbered in the order of writing, so that a text can name them. Reports of runs, sweeps,
//! statistics, replications, load tests and the `openclaw` tools are such pages.

use super::plot::{Figure, STYLE};
use crate::io::pointer::{POINTER, POINTER_STYLE};
use crate::io::text::markup::escape;
use std::fmt::Write as _;

/// The rules of the page.
const PAGE_STYLE: &str = include_str!("page.css");

/// Bytes beyond which a cell of words is given room (our choice: longer than a name of an arm or a measure usually is). Without it a browser would break
/// sentences into columns of single words.
const LONG: usize = 24;

/// Builds an HTML page, block by block.
#[derive(Debug, Default)]
pub struct Page {
    title: String,
    body: String,
    /// Headings of the sections so far.
    contents: Vec<String>,
    /// The figures so far, in their order.
    pub figures: Vec<Figure>,
    /// What can't be shown, and why.
    pub notes: Vec<String>,
    tables: usize,
}

/// The data of an HTML table: its header row, and rows of cells; columns beyond `words` are set as figures, the first never.
#[derive(Clone, Debug, Default)]
pub struct PageTable {
    /// What it shows, in sentences.
    pub caption: String,
    /// Names of the columns.
    pub head: Vec<String>,
    /// Cells, a row after the other, each as long as the head.
    pub rows: Vec<Vec<String>>,
    /// How many columns from the left hold words.
    pub words: usize,
}

impl Page {
    /// Begins a page with its heading, a line above it (`kicker`) and a sentence below it (`lead`, none if empty).
    pub fn new(title: &str, kicker: &str, lead: &str) -> Self {
        let mut page = Self { title: title.to_owned(), ..Self::default() };
        let lead =
            if lead.is_empty() { String::new() } else { format!("<p class=\"lead\">{}</p>", escape(lead)) };
        page.raw(&format!(
            "<header><p class=\"kicker\">{}</p><h1>{}</h1>{lead}</header>\n",
            escape(kicker),
            escape(title)
        ));
        page
    }

    fn raw(&mut self, markup: &str) {
        self.body.push_str(markup);
    }

    /// Begins a section; its heading is an entry of the contents too.
    pub fn section(&mut self, heading: &str) {
        self.contents.push(heading.to_owned());
        let number = self.contents.len();
        self.raw(&format!("<h2 id=\"part-{number}\">{}</h2>\n", escape(heading)));
    }

    /// Adds a paragraph of plain text, which is escaped.
    pub fn paragraph(&mut self, text: &str) {
        self.raw(&format!("<p>{}</p>\n", escape(text)));
    }

    /// Adds a finding, a paragraph that stands out (callout).
    pub fn finding(&mut self, text: &str) {
        self.raw(&format!("<p class=\"finding\">{}</p>\n", escape(text)));
    }

    /// Adds a remark on something that can't be shown, with the reason (caveat). The program repeats it on the terminal, because a gap would
    /// otherwise be noticed only by a reader who misses something.
    pub fn note(&mut self, text: &str) {
        self.raw(&format!("<p class=\"note\">{}</p>\n", escape(text)));
        self.notes.push(text.to_owned());
    }

    /// Adds a list of names with their values; empty values are left out, so that a caller can list optional facts.
    pub fn facts(&mut self, facts: &[(&str, String)]) {
        let mut list = String::from("<dl>");
        for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
            let (name, value) = (escape(name), escape(value));
            write!(list, "<dt>{name}</dt><dd>{value}</dd>").expect("writing to a string does not fail");
        }
        self.raw(&format!("{list}</dl>\n"));
    }

    /// Adds a code block: commands or a file, as they are.
    pub fn code(&mut self, text: &str) {
        self.raw(&format!("<pre tabindex=\"0\"><code>{}</code></pre>\n", escape(text)));
    }

    /// Adds a table to the page.
    pub fn table(&mut self, table: &PageTable) {
        self.tables += 1;
        let mut markup = format!(
            "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table {0}\"><table><caption><span><b>Table {0}.</b> {1}</span></caption><thead><tr>",
            self.tables,
            escape(&table.caption)
        );
        let class = |column: usize| if column < table.words.max(1) { "" } else { " class=\"n\"" };
        for (column, name) in table.head.iter().enumerate() {
            // Keys of scenarios may be broken after their dots: otherwise one long key makes a table wider than the page.
            let class = match (name.len() > LONG, column < table.words.max(1)) {
                (true, true) => " class=\"w\"",
                (true, false) => " class=\"n w\"",
                (false, _) => class(column),
            };
            let name = escape(name).replace('.', ".<wbr>");
            let _ = write!(markup, "<th scope=\"col\"{class}>{name}</th>");
        }
        markup.push_str("</tr></thead><tbody>");
        for row in &table.rows {
            markup.push_str("<tr>");
            for (column, cell) in row.iter().enumerate() {
                let cell = escape(cell);
                let _ = match column {
                    0 => write!(markup, "<th scope=\"row\">{cell}</th>"),
                    _ if cell.len() > LONG && column < table.words => {
                        write!(markup, "<td class=\"long\">{cell}</td>")
                    }
                    _ => write!(markup, "<td{}>{cell}</td>", class(column)),
                };
            }
            markup.push_str("</tr>\n");
        }
        self.raw(&format!("{markup}</tbody></table></div>\n"));
    }

    /// Adds a figure with its number and caption; nothing when there is nothing to draw.
    pub fn figure(&mut self, figure: Option<Figure>) {
        let Some(figure) = figure else { return };
        let number = self.figures.len() + 1;
        let (title, description, name) =
            (escape(&figure.title), escape(&figure.description), escape(&figure.name));
        self.raw(&format!(
            "<figure id=\"figure-{number}\" data-name=\"{name}\"><div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Figure \
             {number}\">{}</div><figcaption><b>Figure {number}.</b> <b>{title}.</b> {description} {}</figcaption></figure>\n",
            figure.inline(),
            figure.data_link(),
        ));
        self.figures.push(figure);
    }

    /// Renders the whole HTML file, with styles and the one script inside.
    pub fn html(&self) -> String {
        let title = escape(&self.title);
        let entry = |(index, heading): (usize, &String)| {
            format!("<li><a href=\"#part-{}\">{}</a></li>", index + 1, escape(heading))
        };
        let contents: String = self.contents.iter().enumerate().map(entry).collect();
        let version = env!("CARGO_PKG_VERSION");
        // The contents stand above the sections but are known only when all have been written, so the body is split at the end of its header.
        let (head, rest) = self.body.split_once("</header>").unwrap_or(("", &self.body));
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"morta {version}\">\n\
             <title>{title}</title>\n<style>{PAGE_STYLE}{POINTER_STYLE}{STYLE}</style>\n</head>\n<body>\n<main>\n{head}</header>\n\
             <nav aria-label=\"Contents\"><ol>{contents}</ol></nav>{rest}\
             <footer>Made by morta {version} from the files of this folder; the same files give the same page.</footer>\n\
             </main>\n<script>{POINTER}</script>\n</body>\n</html>\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_markup() {
        let evil = "<script>alert(1)</script>";
        let mut page = Page::new(evil, evil, evil);
        page.section(evil);
        page.paragraph(evil);
        page.finding(evil);
        page.note(evil);
        page.code(evil);
        page.facts(&[("evil", evil.to_owned())]);
        let row = vec![evil.to_owned(); 2];
        page.table(&PageTable { caption: evil.to_owned(), head: row.clone(), rows: vec![row], words: 1 });
        let html = page.html();
        let (before, script) = html.split_once("<script>").unwrap();
        assert_eq!(script.split("</script>").next(), Some(POINTER), "the page's own script, and no other");
        assert_eq!(script.matches("<script").count(), 0);
        let html = before;
        assert!(html.matches("&lt;script&gt;").count() > 10, "{html}");
        assert_eq!(page.notes, [evil]);
    }
}
