//! The book as mdBook makes pages of it: they are all there, and whatever a page leads to within the book is there too.

use super::common::root;
use mdbook_driver::MDBook;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A page's own names for its places, and where it leads.
struct Page {
    places: BTreeSet<String>,
    links: Vec<String>,
}

/// All values of an attribute. mdBook writes them in double quotes.
fn values<'a>(html: &'a str, attribute: &'a str) -> impl Iterator<Item = String> + 'a {
    let values = html.split(attribute).skip(1).filter_map(|rest| rest.strip_prefix("=\"")?.split('"').next());
    values.map(|value| value.replace("&amp;", "&"))
}

impl Page {
    fn of(html: &str) -> Self {
        let links = values(html, " href").chain(values(html, " src"));
        Self { places: values(html, " id").collect(), links: links.collect() }
    }
}

/// A path without `..`.
fn straight(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut so_far, part| {
        match part {
            Component::ParentDir => drop(so_far.pop()),
            other => so_far.push(other),
        }
        so_far
    })
}

/// What a link leads to is missing; nothing for links that lead out of the book.
fn dead(pages: &BTreeMap<PathBuf, Page>, from: &Path, link: &str) -> bool {
    if link.contains("://") || ["mailto:", "data:", "javascript:"].iter().any(|other| link.starts_with(other))
    {
        return false;
    }
    let (file, place) = link.split_once('#').map_or((link, None), |(file, place)| (file, Some(place)));
    let folder = from.parent().unwrap_or(Path::new(""));
    let path = if file.is_empty() { from.to_owned() } else { straight(&folder.join(file)) };
    match pages.get(&path) {
        Some(page) => place.is_some_and(|place| !place.is_empty() && !page.places.contains(place)),
        None => !path.is_file(),
    }
}

#[test]
fn the_book_is_built_and_its_pages_lead_to_each_other() {
    let room = tempfile::tempdir().unwrap();
    let mut book = MDBook::load(root().join("docs")).unwrap();
    book.config.build.build_dir = room.path().to_owned();
    book.build().unwrap();
    let built = |page: PathBuf| {
        let page = room.path().join(page.strip_prefix(super::pages::book()).unwrap());
        page.with_extension("html")
    };
    let paths: Vec<PathBuf> = super::pages::files_of_book().into_iter().map(built).collect();
    let paths = paths.into_iter().filter(|path| !path.ends_with("SUMMARY.html"));
    let pages: BTreeMap<PathBuf, Page> =
        paths.map(|path| (path.clone(), Page::of(&fs::read_to_string(&path).unwrap()))).collect();
    let links = || pages.iter().flat_map(|(path, page)| page.links.iter().map(move |link| (path, link)));
    let wrong: Vec<String> = links()
        .filter(|(path, link)| dead(&pages, path, link))
        .map(|(path, link)| format!("{}: {link}", path.file_name().unwrap().display()))
        .collect();
    assert!(wrong.is_empty(), "{} dead links:\n{}", wrong.len(), wrong.join("\n"));
    assert!(links().count() > 20 * pages.len(), "pages lead to each other");
    let first = pages.keys().next().unwrap();
    assert!(dead(&pages, first, "gone.html") && dead(&pages, first, "#gone"), "what is gone is found");
    // What a page includes is in it.
    let clusters = fs::read_to_string(room.path().join("clusters.html")).unwrap();
    assert!(clusters.contains("as_completed") && !clusters.contains("{{#include"), "inclusions");
}
