//! The file formats, for `--help` (long help text of clap). They are in the help, because files are written
//! by other programs whose authors read it.

/// What a store and its surroundings look like.
pub(super) const STORE: &str = r#"STORE.json is a recall store, usually memory/.dreams/short-term-recall.json of a workspace:
  version     1
  updatedAt   an ISO 8601 instant
  entries     an object: an entry for each key, usually memory:PATH:STARTLINE:ENDLINE
An entry:
  path, startLine, endLine       the daily note, memory/YYYY-MM-DD.md or YYYY-MM-DD.md, and its lines from 1; in folders below memory/ and
                                 with a slug (YYYY-MM-DD-standup.md) too
  source                         "memory"; other entries are dropped
  snippet                        the text of these lines
  recallCount, totalScore, maxScore
                                 search results that hit it, and their scores from 0 to 1
  firstRecalledAt, lastRecalledAt, promotedAt
                                 ISO 8601 instants; one that can't be read counts as now
  queryHashes, recallDays        distinct queries and days (YYYY-MM-DD) it was found on
  conceptTags                    what it is about; derived from the snippet when missing; an empty list stays empty
  (other fields)                 kept as they are
An entry that can't be used is dropped: it is named on standard error with its line, and counted in the output. When a key comes
twice, the last one counts. A file that is no JSON, or no store, is refused.

Of --config, sources choose among the entries: daily those of daily notes, recall those that were recalled, memory and deep those
that were promoted, sessions and logs those of transcripts; the usual list takes all. To light and REM sleep, sessions adds what was
said lately in sessions/*.jsonl of the workspace, and logs what stands in logs/. A phase that is off doesn't run; verboseLogging tells
of every run on standard error; without dreaming.timezone agents.defaults.userTimezone counts.

Without --config, the configuration is openclaw.json of the workspace, of the folder one is in, or of OpenClaw's folder around the
workspace. Without STORE.json and --workspace, all workspaces are asked that its agents have (agents.defaults.workspace,
agents.NAME.workspace, agents.list), and the one one is in; one that fails is told of, and the others go on.

Nothing is written without --apply. Files are replaced as a whole or not at all; they keep their permissions, and of a link the target
is written. Live notes are read in the workspace: the folder above memory/.dreams, or the store's own folder when it lies elsewhere.
A snippet is looked for by its words, sentence by sentence; one that was rewritten is stale, and uses up no place of the limit. A note
that can't be read is told of and left out. What MEMORY.md says already is not written again, in whatever note it stands.

--now is when the store last changed, when left out: there is no hidden clock, and the same store gives the same answer."#;

/// What a life is.
pub(crate) const LIFE: &str = r#"LOG.jsonl is a log as morta-memory openclaw record takes it; with several workspaces every search also has
  workspace   a workspace as it is named here, or the name of its folder
Left out, it is each workspace's own log of events, memory/.dreams/events.jsonl.
Time goes from the first search to --until. A phase runs on a workspace once something was recalled there, at the moment its schedule
names, with what was recalled by then; of one moment light, REM and deep sleep run in this order. Live notes are those that lie in the
workspace now. What is lived is written into the workspaces: live in a copy, and a log once, because a second life adds to the first.
A run that fails is told of and counted; the others go on."#;

/// What a log of searches looks like.
pub(crate) const SEARCHES: &str = r#"SEARCHES.jsonl has a search a line, in order of time; - reads standard input:
  at        an ISO 8601 instant, not before that of an earlier line
  query     what was searched for; an empty one records nothing
  results   a list of
              path, startLine, endLine   the note and its lines from 1; only daily notes count
              score                      likeness to the query; cut to 0 to 1
              snippet                    the text found; empty or left out: what is known stays
              source                     "memory" when left out; other results don't count
              tags                       what it is about; derived from the snippet when left out
  id        any text; a search whose id has come before is skipped
  action    "search" when left out; other lines are skipped
OpenClaw's own log, memory/.dreams/events.jsonl, is read as it is: type memory.recall.recorded with timestamp for at; other events are
counted. Of a result without a snippet the lines of the note count, as they are now.
A line that can't be used is skipped: it is named on standard error with its number, and counted in the output; the searches of the other
lines are recorded. The store is made when it isn't there, and replaced as a whole or not at all."#;
