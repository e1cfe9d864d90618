//! Shared resources for reading scenarios: files of bars, so that the many scenarios of a sweep read each of them once, and the memory
//! architectures they may name. It is a cache (memoization) by file and period: a sweep of hundreds of arms reads a file of prices once.
//! For branches and repetitions of folders that were moved it also finds the files: first in the folder that `--data DIR` names (`morta
//! branch`, `morta reproduce`, `morta verify`), then where the scenario says, then from each folder above the run's. Nothing here compares
//! contents: `History::changed_data` does it by hashes, for branches and repetitions.

use crate::io::bars::{self, BarsError, BarsOptions, Days};
use crate::run::laboratory::Laboratory;
use morta_engine::market::Bar;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file and the period of it that is used.
type Part = (PathBuf, Option<i64>, Option<i64>);

/// Cached price bars of a file in a period.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The bars.
    pub bars: Vec<Bar>,
    /// The hash of all bytes of the file.
    pub blake3: String,
    /// Assumptions about the file.
    pub remarks: Vec<String>,
}

/// A cache of bars by file and period, with the memory architectures that scenarios may name.
#[derive(Debug, Default)]
pub struct Library {
    read: BTreeMap<Part, Recorded>,
    laboratory: Laboratory,
    folder: Option<PathBuf>,
    /// The folder above which files of prices are looked for, where scenarios are of a folder that was made elsewhere; and the folder that
    /// the user says holds them (`--data`).
    near: Option<PathBuf>,
    given: Option<PathBuf>,
}

impl Library {
    /// Makes an empty cache for scenarios whose cohorts may name any architecture of a laboratory; the default knows the shipped ones.
    pub fn new(laboratory: &Laboratory) -> Self {
        Self { laboratory: laboratory.clone(), ..Self::default() }
    }

    /// Makes a cache for the scenarios that the folder of a run or a sweep keeps. A name that the registry lacks isn't misspelt there: the
    /// program that wrote the folder knew it.
    pub fn of_folder(folder: &Path, laboratory: &Laboratory) -> Self {
        Self { folder: Some(folder.to_owned()), ..Self::new(laboratory) }
    }

    /// Sets the search path of data, for scenarios of a folder that was made elsewhere. A file is looked for in the folder that is given,
    /// by its path and by its name alone; then where they say; then from each folder above `near` on.
    pub(crate) fn finding_data(self, near: &Path, given: Option<&Path>) -> Self {
        let near = near.canonicalize().unwrap_or_else(|_| near.to_owned());
        Self { near: Some(near), given: given.map(Path::to_owned), ..self }
    }

    /// Whether files are searched elsewhere too, as in the folders above a run.
    pub fn finds_data(&self) -> bool {
        self.near.is_some()
    }

    /// Resolves the path of a file of prices by the search; where it was found nowhere, it is the path that errors are to name.
    pub fn place_of(&self, path: &Path) -> PathBuf {
        let in_given = self.given.iter().flat_map(|folder| {
            let name = path.file_name().map(|name| folder.join(name));
            [Some(folder.join(path)), name].into_iter().flatten()
        });
        let above = self.near.iter().flat_map(|near| near.ancestors()).map(|folder| folder.join(path));
        let here = std::iter::once(path.to_owned());
        in_given.chain(here).chain(above).find(|place| place.is_file()).unwrap_or_else(|| path.to_owned())
    }

    /// The folder of a run or sweep that keeps the scenarios; none when they come from files.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The laboratory whose memory architectures may be named.
    pub fn laboratory(&self) -> &Laboratory {
        &self.laboratory
    }

    /// Reads the bars of a file in a period, from the cache if they are there.
    ///
    /// # Errors
    /// When the file can't be read or holds something else.
    pub fn read(&mut self, path: &Path, days: Days) -> Result<Recorded, BarsError> {
        let key = (path.to_owned(), days.start_s, days.end_s);
        if let Some(known) = self.read.get(&key) {
            return Ok(known.clone());
        }
        let file =
            bars::open(path, &BarsOptions { days, ..BarsOptions::default() }, self.laboratory.limits())?;
        let found = Recorded { bars: file.bars, blake3: file.blake3, remarks: file.about.remarks };
        self.read.insert(key, found.clone());
        Ok(found)
    }

    /// How many files, or periods of files, have been read.
    #[cfg(test)]
    fn files_read(&self) -> usize {
        self.read.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_looked_for_where_they_are_given_then_here_then_above() {
        let room = tempfile::tempdir().unwrap();
        let at = |name: &str| room.path().canonicalize().unwrap().join(name);
        std::fs::create_dir_all(at("project/runs/x")).unwrap();
        std::fs::create_dir_all(at("project/prices")).unwrap();
        std::fs::create_dir_all(at("kept")).unwrap();
        let wanted = Path::new("prices/nowhere-else.csv");
        let library = Library::default();
        assert_eq!(library.place_of(wanted), wanted);
        let near = Library::default().finding_data(&at("project/runs/x"), None);
        assert_eq!(near.place_of(wanted), wanted, "there is none");
        std::fs::write(at("project/prices/nowhere-else.csv"), "").unwrap();
        assert_eq!(near.place_of(wanted), at("project/prices/nowhere-else.csv"));
        let given = Library::default().finding_data(&at("project/runs/x"), Some(&at("kept")));
        assert_eq!(given.place_of(wanted), at("project/prices/nowhere-else.csv"));
        std::fs::write(at("kept/nowhere-else.csv"), "").unwrap();
        assert_eq!(given.place_of(wanted), at("kept/nowhere-else.csv"));
    }

    #[test]
    fn a_file_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.csv");
        std::fs::write(&path, "time_utc,open,high,low,close\n2020-01-01T00:00:00Z,1,2,1,2\n").unwrap();
        let mut library = Library::default();
        let first = library.read(&path, Days::default()).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(library.read(&path, Days::default()).unwrap(), first);
        assert_eq!(library.files_read(), 1);
    }
}
