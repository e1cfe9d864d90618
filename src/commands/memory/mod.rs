//! `morta memory`: `conformance` runs here, because it tests memories of the simulation; every other word is handed over to `morta-memory`,
//! the program for memories on a user's own logs. It is delegation to another executable, on Unix by exec, with the limits of `--at-most`
//! passed on; the exit code is that program's. It is looked for beside this program, then on the path. `Args` has the CLI arguments with
//! words for an external program.

mod conformance;

use clap::Subcommand;
use morta_console::failure::UserError;
use morta_console::limits::as_flags;
use morta_lab::Laboratory;
use morta_lab::limits::Limits;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const ELSEWHERE: &str = "\
Handed over to the program morta-memory, if it lies beside this one or on the path (cargo install --path tools):
  owm          outcome-weighted memory: recall, stakes, plans, validation
  dark-pawns   valenced autobiographical memory of game agents
  openclaw     OpenClaw dreaming: what is recalled often is promoted
`morta memory owm --help` is `morta-memory owm --help`.";

/// The flags of `morta memory`.
#[derive(clap::Args)]
#[command(after_help = ELSEWHERE)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Whether an architecture keeps what the simulation relies on: the same bytes, honest accounts, bounded size; exit code 1 if not.
    Conformance(conformance::Args),
    #[command(external_subcommand)]
    Elsewhere(Vec<OsString>),
}

/// Runs the command (delegates to another program).
///
/// # Errors
/// When `morta-memory` isn't there or can't be started; those of the check.
pub(crate) fn run(args: Args, laboratory: &Laboratory) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Conformance(args) => conformance::run(&args, laboratory),
        What::Elsewhere(words) => hand_over(&words, laboratory.limits()),
    }
}

fn hand_over(words: &[OsString], limits: &Limits) -> anyhow::Result<ExitCode> {
    let command_name = words.first().map_or_else(String::new, |word| word.to_string_lossy().into_owned());
    let Some(program) = memory_program() else {
        return Err(UserError::new(format!(
            "morta memory {command_name}: this is done by the program morta-memory, which is neither beside morta nor on the path: \
             `cargo install --path tools` installs it"
        )));
    };
    let mut command = Command::new(&program);
    command.args(words).args(as_flags(limits));
    in_its_place(command, &program)
}

/// Replaces this process, so that signals, standard input and the exit code are the other program's.
#[cfg(unix)]
fn in_its_place(mut command: Command, program: &Path) -> anyhow::Result<ExitCode> {
    let error = std::os::unix::process::CommandExt::exec(&mut command);
    Err(UserError::new(format!("{}: can't be started: {error}", program.display())))
}

#[cfg(not(unix))]
fn in_its_place(mut command: Command, program: &Path) -> anyhow::Result<ExitCode> {
    let ended = command.status();
    let ended =
        ended.map_err(|error| UserError::new(format!("{}: can't be started: {error}", program.display())))?;
    Ok(ExitCode::from(ended.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

/// The program beside this one, because both were built together; otherwise the first one on the path. Empty or relative parts of the path are
/// skipped: they would start whatever lies in the current folder.
fn memory_program() -> Option<PathBuf> {
    let name = format!("morta-memory{}", std::env::consts::EXE_SUFFIX);
    let own = std::env::current_exe().ok();
    let beside = own.as_deref().and_then(Path::parent).map(Path::to_owned);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders =
        beside.into_iter().chain(std::env::split_paths(&path)).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(&name)).find(|file| file.is_file())
}
