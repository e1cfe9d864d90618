//! `man`: manual pages of the program and of each command, a subcommand of both programs. They are roff man pages by clap_mangen: one to
//! standard output, or all of them as files in a folder. They are made from the help texts, so that both say the same. Control characters
//! are escaped on a terminal alone; an unknown command is a user error (exit code 2). Its command-line arguments are parsed by clap.

use crate::failure::UserError;
use crate::output;
use anyhow::Context as _;
use clap_mangen::Man;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Gives the command, with a pipe, that shows the man page of a command.
pub fn how_to_read(program: &str, command: &str) -> String {
    format!("To read one: {program} man {command} | man -l -")
}

/// The flags of `man`.
#[derive(clap::Args)]
pub struct Args {
    /// The command whose page is printed, and after it the one within it, if there is one. Left out: the program's own.
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,

    /// Write every page into this folder (a file for each command), such as ~/.local/share/man/man1; pages of the same names are
    /// replaced.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints a page, or writes all pages, generated from the whole command line in `program` (man page).
///
/// # Errors
/// When there is no such command, or the folder or standard output can't be written.
pub fn run(args: Args, program: clap::Command) -> anyhow::Result<ExitCode> {
    match args.out {
        Some(folder) => write_all(program, &folder)?,
        None => print(program, &args.command)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn write_all(program: clap::Command, folder: &Path) -> anyhow::Result<()> {
    let failed = || format!("{}: the pages can't be written", folder.display());
    std::fs::create_dir_all(folder).with_context(failed)?;
    clap_mangen::generate_to(program, folder).with_context(failed)
}

fn print(mut program: clap::Command, words: &[String]) -> anyhow::Result<()> {
    // Builds the full names of nested commands: morta-stats-compare.
    program.build();
    let (name, mut page) = (program.get_name(), &program);
    for word in words {
        page = page.find_subcommand(word).ok_or_else(|| {
            UserError::new(format!("there is no command `{}`: {name} --help lists them", words.join(" ")))
        })?;
    }
    let mut text = Vec::new();
    Man::new(page.clone()).render(&mut text)?;
    output::text(&String::from_utf8(text)?)
}
