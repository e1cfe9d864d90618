//! `completions`: the shell completion script (bash, zsh, fish, PowerShell, elvish), by which a shell completes commands, flags and files.
//! The subcommand of both programs prints it to standard output and installs nothing. clap_complete makes it from the command line itself,
//! so that it can't miss a flag; it has to be printed again after an update.

use crate::output;
use clap_complete::Shell;
use std::process::ExitCode;

/// Lists the commands that install the script, i.e. write it to the place where each shell looks for it, as the help text of the subcommand
/// shows them.
pub fn where_to_put_it(program: &str) -> String {
    format!(
        "\
Where each shell looks for it:
  bash        {program} completions bash > ~/.local/share/bash-completion/completions/{program}
  zsh         {program} completions zsh > _{program}, in a folder of $fpath
  fish        {program} completions fish > ~/.config/fish/completions/{program}.fish
  powershell  {program} completions powershell >> $PROFILE
  elvish      {program} completions elvish >> ~/.config/elvish/rc.elv
For the running bash alone: source <({program} completions bash)"
    )
}

/// The flags of `completions`.
#[derive(clap::Args)]
pub struct Args {
    /// The shell that is to complete.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the completion script, generated from the whole command line in `program`.
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
