//! Where the links of a page lead.

use super::pages::put_together;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A page, as far as links go.
pub struct Document {
    path: PathBuf,
    /// Where its links and pictures lead, as they are written.
    pub links: Vec<String>,
    /// What it has between backquotes.
    pub codes: Vec<String>,
    headings: Vec<String>,
}

/// What the project's pages use of Markdown.
pub fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH
}

impl Document {
    /// Reads a page, with what it includes.
    pub fn read(path: &Path) -> Self {
        let text = put_together(path);
        let mut read =
            Self { path: path.to_owned(), links: Vec::new(), codes: Vec::new(), headings: Vec::new() };
        let mut heading: Option<String> = None;
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for event in Parser::new_ext(&text, options()) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    read.links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let slug = slug(&heading.take().unwrap_or_default());
                    let before = seen.entry(slug.clone()).or_default();
                    read.headings.push(if *before == 0 { slug } else { format!("{slug}-{before}") });
                    *before += 1;
                }
                Event::Text(text) => heading.iter_mut().for_each(|heading| *heading += &text),
                Event::Code(code) => {
                    heading.iter_mut().for_each(|heading| *heading += &code);
                    read.codes.push(code.into_string());
                }
                _ => {}
            }
        }
        read
    }

    /// Links that lead nowhere; of a book, also those that lead out of its folder, which isn't there where it is read.
    pub fn dead_links(&self, within: Option<&Path>) -> Vec<String> {
        let is_here =
            |link: &&String| !["https://", "http://", "mailto:"].iter().any(|of| link.starts_with(of));
        let links = self.links.iter().filter(is_here);
        let told = |link: &String, why: &str| format!("{}: {link}: {why}", self.path.display());
        links.filter_map(|link| self.follow(link, within).err().map(|why| told(link, why))).collect()
    }

    fn follow(&self, link: &str, within: Option<&Path>) -> Result<(), &'static str> {
        let (file, heading) =
            link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
        let path = if file.is_empty() { self.path.clone() } else { self.path.parent().unwrap().join(file) };
        let Ok(path) = path.canonicalize() else { return Err("there is no such file") };
        if within.is_some_and(|folder| !path.starts_with(folder.canonicalize().unwrap())) {
            return Err("the book is read where this isn't");
        }
        match heading {
            Some(heading) if !Self::read(&path).headings.iter().any(|of| of == heading) => {
                Err("there is no such heading")
            }
            _ => Ok(()),
        }
    }
}

/// What a heading is called in links, by GitHub and by mdBook.
fn slug(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}
