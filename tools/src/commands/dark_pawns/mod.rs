//! `morta-memory dark-pawns`: session logs as feelings, memories and effects. It is the subcommand group, and its help text explains the
//! JSON Lines formats. Its commands follow a session (record, value, dream, read), so that each step can be looked at. `Args` has the CLI
//! arguments of a subcommand dispatch.

mod decisions;
mod dream;
mod effects;
mod login;
mod notes;
mod record;
mod rules;
mod salience;
mod session;
mod summary;
mod valence;

use super::serve::{self, DarkPawnsArgs};
use clap::Subcommand;
use morta_console::output::Printable as _;
use std::process::ExitCode;

/// The flags of `morta-memory dark-pawns`.
#[derive(clap::Args)]
#[command(after_long_help = LOG_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Say of every turn of a log how it feels and which events are in it.
    #[command(after_long_help = valence::HELP)]
    Valence(valence::Args),
    /// Record a session: turns as they come on standard input go into a new log, each with its valence.
    #[command(after_long_help = session::HELP)]
    Session(session::Args),
    /// Write a log again with the valence of every turn, or with none.
    #[command(after_long_help = LOG_HELP)]
    Record(record::Args),
    /// Dream over an agent's session logs: remember, forget, tell.
    #[command(after_long_help = dream::HELP)]
    Dream(dream::Args),
    /// Tell the narrative summary of a memory graph.
    Summary(summary::Args),
    /// Print the message that an agent is sent at login: the summary of its last dream, as it lies on disk; nothing where there is none.
    Login(login::Args),
    /// Print an agent's strongest memories, and those of them to beware of.
    Notes(notes::Args),
    /// Say how what happened fades, dream by dream and by the strength of feeling.
    #[command(after_long_help = salience::HELP)]
    Salience(salience::Args),
    /// Print the decisions of two arms of a sweep, with a memory and without, as effects takes them.
    #[command(after_long_help = decisions::HELP)]
    Decisions(decisions::Args),
    /// Measure what memory did to decisions, stances and costs.
    #[command(after_long_help = effects::HELP)]
    Effects(effects::Args),
    /// Serve the messages of login as tools of an MCP server: over standard input and output to the agent that starts this, or over HTTP.
    Serve(DarkPawnsArgs),
}

/// The format of session logs, for `--help`.
pub(crate) const LOG_HELP: &str = r#"A session log (.jsonl) has an object a line, one for each turn:
  timestamp                  needed: RFC 3339, with or without a zone (then UTC), or seconds or
                             milliseconds since 1970; also as C's ctime or a mail's header has it
  action                     a verb, needed, or a whole command ("kill rat"); kill, hit, flee, say and
                             get make events, and so do give, tell, backstab, heal, help, greet,
                             trade, insult, threaten and players' other words for these (attack,
                             take, whisper, k)
  args                       list of text, or one text; the first is the target or the item; of say
                             all of it is said
  room_vnum, room_name       room; 0 for unknown
  hp, max_hp                 hit points; max_hp 0 or less, or hp left out: unknown
  agent_level, mob_level     0 for unknown
  fighting                   the opponent; empty for none
  say_line                   what is said along with the action
  social_target, social_type with whom, and gift, betrayal and so on: an event, whatever the verb
  item_level                 0 to 100
  combat_result              won, lost or fled
  valence                    as recorded; dreaming computes its own
  (other fields)             not looked at
Whole numbers may be text or end in .0, names may be in any style (roomVnum). Empty lines are
skipped. A line that is no such object, or has more than 1 MiB, is skipped, named on standard error
and counted. Turns are taken in the order of the file, also when the clock goes back. Two events of
one kind in one nanosecond are one that was met twice."#;

/// Runs one of the subcommands (subcommand dispatch).
pub(crate) fn run(args: Args) -> anyhow::Result<ExitCode> {
    match args.what {
        What::Valence(args) => valence::run(args),
        What::Session(args) => session::run(args),
        What::Record(args) => record::run(args),
        What::Dream(args) => dream::run(args),
        What::Summary(args) => summary::run(args),
        What::Login(args) => login::run(args),
        What::Notes(args) => notes::notes(&args)?.print(args.json),
        What::Salience(args) => salience::run(args),
        What::Decisions(args) => decisions::run(args),
        What::Effects(args) => effects::run(args),
        What::Serve(args) => serve::dark_pawns(args),
    }
}
