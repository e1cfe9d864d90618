//! The subcommands of `morta`, one module each: flags for clap and a `run` that calls the laboratory and prints, so that nothing is
//! computed here. Exit codes are shared: 0 for success, 1 for a failed check or a failure underway, 2 for a mistake of the user, 130
//! after Ctrl-C.

pub(crate) mod bars;
pub(crate) mod branch;
pub(crate) mod cassette;
pub(crate) mod compare;
pub(crate) mod export;
pub(crate) mod fit;
pub(crate) mod inspect;
pub(crate) mod lethe;
pub(crate) mod list;
pub(crate) mod loadtest;
pub(crate) mod memory;
pub(crate) mod replicate;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod score;
pub(crate) mod sensitivity;
pub(crate) mod stats;
pub(crate) mod sweep;
pub(crate) mod validate;
pub(crate) mod verify;
pub(crate) mod watch;

use morta_console::failure::UserError;
use morta_console::output;
use std::path::Path;

/// Refuses the name of a file that is there already, because nobody asked for its end.
pub(crate) fn free(file: &Path) -> anyhow::Result<()> {
    if file.exists() {
        return Err(UserError::new(format!(
            "{}: there is a file already: choose another name",
            file.display()
        )));
    }
    Ok(())
}

/// Makes the folder that a flag names, and all above it.
pub(crate) fn make_folder(flag: &str, folder: &Path) -> anyhow::Result<()> {
    let made = std::fs::create_dir_all(folder);
    made.map_err(|error| UserError::new(format!("{flag} {}: can't be made: {error}", folder.display())))
}

/// Writes a sweep file (`--write`) and says how it is run, with these flags; it never overwrites one. `text` is given the file's folder.
pub(crate) fn write_sweep(
    file: &Path,
    text: impl FnOnce(&Path) -> morta_lab::Result<String>,
    flags: &str,
) -> anyhow::Result<()> {
    let shown = file.display();
    if file.exists() {
        return Err(UserError::new(format!("--write {shown}: the file is there already")));
    }
    std::fs::write(file, text(file.parent().unwrap_or(Path::new("")))?)
        .map_err(|error| UserError::new(format!("--write {shown}: can't be written: {error}")))?;
    output::line(format!("written to   {shown}"))?;
    output::line(format!("run it with  morta sweep {shown}{flags}"))
}
