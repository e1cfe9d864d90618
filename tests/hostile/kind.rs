//! Files of one kind, sound, with who reads them; and what a case makes of them.

use super::common::{files_below, text};
use super::luck::Luck;
use super::mutate::{Shape, mutate};
use morta_lab::Error;
use std::fs;
use std::path::Path;

/// One file of a sample.
pub struct SampleFile {
    pub name: String,
    pub bytes: Vec<u8>,
    /// None for a file that is left as it is.
    pub shape: Option<Shape>,
}

/// Reads the files of a folder as the program does.
pub type Look = Box<dyn Fn(&Path) -> Result<(), Error>>;

/// Files of one kind, sound, with who reads them.
pub struct Kind {
    pub name: &'static str,
    pub files: Vec<SampleFile>,
    pub look: Look,
    /// Whether who reads also writes, so that all files are put back after every case.
    pub writes: bool,
}

impl Kind {
    pub fn new(name: &'static str, look: impl Fn(&Path) -> Result<(), Error> + 'static) -> Self {
        Self { name, files: Vec::new(), look: Box::new(look), writes: false }
    }

    /// One file, by its name, and who reads it.
    pub fn of_file(
        name: &'static str,
        file: &'static str,
        shape: Shape,
        bytes: impl Into<Vec<u8>>,
        look: fn(&Path) -> Result<(), Error>,
    ) -> Self {
        Self::new(name, move |room| look(&room.join(file))).hostile(file, shape, bytes)
    }

    pub fn hostile(mut self, name: &str, shape: Shape, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.push(SampleFile { name: name.to_owned(), bytes: bytes.into(), shape: Some(shape) });
        self
    }

    pub fn sound(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.push(SampleFile { name: name.to_owned(), bytes: bytes.into(), shape: None });
        self
    }

    pub fn writing(mut self) -> Self {
        self.writes = true;
        self
    }

    /// Every file of a folder, those with these endings mutated.
    pub fn folder(mut self, folder: &Path, shape_of: impl Fn(&str) -> Option<Shape>) -> Self {
        for path in files_below(folder) {
            let bytes = fs::read(&path).expect("the sample can be read");
            let name = text(path.strip_prefix(folder).expect("it lies below")).to_owned();
            let shape = shape_of(&name);
            self.files.push(SampleFile { name, bytes, shape });
        }
        assert!(!self.files.is_empty(), "{}: there is no sample", folder.display());
        self
    }

    /// All of its files one folder further down.
    pub fn below(mut self, folder: &str) -> Self {
        self.files.iter_mut().for_each(|file| file.name = format!("{folder}/{}", file.name));
        self
    }

    pub fn put(&self, room: &Path, file: &SampleFile, bytes: &[u8]) {
        let path = room.join(&file.name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).expect("the room can be written to");
        }
        fs::write(&path, bytes).expect("the room can be written to");
    }

    pub fn put_all(&self, room: &Path) {
        let _ = fs::remove_dir_all(room);
        fs::create_dir_all(room).expect("the room can be made");
        self.files.iter().for_each(|file| self.put(room, file, &file.bytes));
    }

    /// The file that a case changes, and what it becomes.
    pub fn case(&self, seed: u64, number: u64) -> (&SampleFile, Vec<u8>) {
        let mut luck = Luck::of_case(seed, self.name, number);
        let hostile: Vec<&SampleFile> = self.files.iter().filter(|file| file.shape.is_some()).collect();
        let file = hostile[luck.below(hostile.len())];
        let others: Vec<&[u8]> = self.files.iter().map(|file| file.bytes.as_slice()).collect();
        let shape = file.shape.expect("it is one that is changed");
        (file, mutate(shape, &file.bytes, &others, &mut luck))
    }
}
