//! `PROGRAM completions`: the script by which a shell completes the program's commands, flags and files.

use crate::output;
use clap_complete::Shell;
use std::process::ExitCode;

const INSTALL: &str = "\
Where each shell looks for it:
  bash        PROGRAM completions bash > ~/.local/share/bash-completion/completions/morta
  zsh         PROGRAM completions zsh > _morta, in a folder of $fpath
  fish        PROGRAM completions fish > ~/.config/fish/completions/morta.fish
  powershell  PROGRAM completions powershell >> $PROFILE
  elvish      PROGRAM completions elvish >> ~/.config/elvish/rc.elv
For the running bash alone: source <(PROGRAM completions bash)";

/// The flags of `PROGRAM completions`.
#[derive(clap::Args)]
#[command(after_help = INSTALL)]
pub struct Args {
    /// The shell that is to complete.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script. `program` is the whole command line, of which it is made.
///
/// # Errors
/// When standard output can't be written.
pub fn run(args: Args, mut program: clap::Command) -> anyhow::Result<ExitCode> {
    let name = program.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, name, &mut script);
    output::text(&String::from_utf8(script)?)?;
    Ok(ExitCode::SUCCESS)
}
