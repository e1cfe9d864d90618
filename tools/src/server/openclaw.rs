//! OpenClaw's dreaming as MCP tools (function calling) on one workspace: `record_search`, `get_status`, `promote` and `dreaming`. They
//! answer as the commands `morta-memory openclaw`, but a call without a moment happens now, by the clock, where the commands take the
//! latest instant of the store. Searches are recorded by a tool, because only the agent knows what it has searched for.
//! Arguments of `promote` win over the settings, which are those of `--config` or of the openclaw.json that is found for the workspace.
//! Nothing dreams by itself: `promote` writes to MEMORY.md only with `apply`, and `dreaming` only switches the schedule in openclaw.json.

use super::progress::Progress;
use super::{ToolSpec, Toolbox, count, moment, needed, now, number, optional, read, switch, text};
use crate::openclaw::configuration::find;
use crate::openclaw::dreaming::{self, Switch};
use crate::openclaw::promote;
use crate::openclaw::record;
use crate::openclaw::{STORE, Surroundings, status};
use morta_lab::error::{Error, Result};
use morta_memories::openclaw::schedule::Phase;
use morta_memories::openclaw::time::Instant;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// The MCP tools that ask and change the recall store of a workspace.
pub struct OpenClawTools {
    pub(super) workspace: PathBuf,
    pub(super) config: Option<PathBuf>,
}

impl OpenClawTools {
    /// Makes the tools for a workspace, with the settings of a file if one is given.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the workspace isn't a folder.
    pub fn new(workspace: PathBuf, config: Option<PathBuf>) -> Result<Self> {
        if !workspace.is_dir() {
            return Err(Error::at(workspace, "is no folder: name a workspace"));
        }
        Ok(Self { workspace, config })
    }

    fn around(&self, now: Option<Value>) -> Result<Surroundings> {
        let now = now.unwrap_or_else(super::now);
        let now: Instant = serde_json::from_value(now.clone()).map_err(|_| {
            Error::invalid(format!("arguments: now = {now}: write a moment as 2026-02-01T14:00:00Z"))
        })?;
        Ok(Surroundings {
            store: self.workspace.join(STORE),
            now: Some(now),
            config: self.config.clone(),
            workspace: Some(self.workspace.clone()),
        })
    }
}

/// Adds remarks to an answer.
fn with_notes(mut answer: Value, notes: Vec<String>) -> Value {
    if !notes.is_empty() {
        answer["notes"] = notes.into();
    }
    answer
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct When {
    now: Option<Value>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Switching {
    enabled: Option<bool>,
    phase: Option<Phase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Promotion {
    #[serde(default)]
    apply: bool,
    limit: Option<u64>,
    min_score: Option<f64>,
    now: Option<Value>,
}

impl Toolbox for OpenClawTools {
    fn name(&self) -> &'static str {
        "morta-openclaw"
    }

    fn about(&self) -> &'static str {
        "OpenClaw's dreaming. Record every memory search; what is recalled often, by different queries, on different days, can be promoted to MEMORY.md."
    }

    fn tools(&self) -> Vec<ToolSpec> {
        let moment = || moment("when, as 2026-02-01T14:00:00Z; now when left out");
        vec![
            ToolSpec {
                name: "record_search",
                about: "Record a search of memory and what it found.",
                arguments: vec![
                    needed("query", text("what was searched for")),
                    needed(
                        "results",
                        json!({ "type": "array", "description": "what was found, the best first", "items": { "type": "object", "properties": {
                            "path": text("the note, from the workspace"), "startLine": { "type": "integer" }, "endLine": { "type": "integer" },
                            "score": number("0 to 1"), "snippet": text("the text"), "source": text("memory counts") },
                            "required": ["path", "startLine", "endLine", "score"] } }),
                    ),
                    optional("at", moment()),
                ],
                writes: true,
            },
            ToolSpec {
                name: "get_status",
                about: "What the store holds, how dreaming is configured, and when each phase is due next.",
                arguments: vec![optional("now", moment())],
                writes: false,
            },
            ToolSpec {
                name: "promote",
                about: "Rank what was recalled by the gates of deep sleep; with apply, what passes is written to MEMORY.md.",
                arguments: vec![
                    optional("apply", switch("false when left out: nothing is written")),
                    optional("limit", count("most that are promoted")),
                    optional("min_score", number("least score, 0 to 1")),
                    optional("now", moment()),
                ],
                writes: true,
            },
            ToolSpec {
                name: "dreaming",
                about: "Whether dreaming is on, and when each phase sleeps; with enabled, it is switched on or off in openclaw.json: all of it, or one phase.",
                arguments: vec![
                    optional("enabled", switch("left out: nothing is changed")),
                    optional(
                        "phase",
                        json!({ "type": "string", "enum": ["light", "deep", "rem"], "description": "left out: all of dreaming" }),
                    ),
                ],
                writes: true,
            },
        ]
    }

    fn call(&self, tool: &str, mut arguments: Map<String, Value>, _: Option<&Progress>) -> Result<Value> {
        let mut notes = Vec::new();
        let mut note = |text: &str| notes.push(text.to_owned());
        let answer = match tool {
            "record_search" => {
                arguments.entry("at").or_insert_with(now);
                let log = Value::Object(arguments).to_string();
                let store = self.workspace.join(STORE);
                let report = record::RecordReport::from_text(
                    &store,
                    (&log, "arguments"),
                    self.config.as_deref(),
                    &mut note,
                );
                // The error names the whole log; the last remark has the reason for the one line of it.
                let report = report.map_err(|error| match notes.last() {
                    Some(why) => Error::invalid(why.clone()),
                    None => error,
                });
                return Ok(with_notes(serde_json::to_value(report?)?, notes));
            }
            "get_status" => {
                let around = self.around(read::<When>(arguments)?.now)?;
                serde_json::to_value(status::StatusReport::for_workspace(&around, None, &mut note)?)?
            }
            "promote" => {
                let Promotion { apply, limit, min_score, now } = read(arguments)?;
                if min_score.is_some_and(|score| !(0.0..=1.0).contains(&score)) {
                    return Err(Error::invalid("arguments: min_score: must be 0 to 1"));
                }
                let limit = limit.map(u32::try_from).transpose().map_err(|_| {
                    Error::invalid(format!("arguments: limit: must be a whole number from 0 to {}", u32::MAX))
                })?;
                let around = self.around(now)?;
                let report = promote::PromotionReport::for_request(
                    &promote::PromotionRequest::new(&around, apply),
                    |mut usual| {
                        usual.limit = limit.unwrap_or(usual.limit);
                        usual.min_score = min_score.unwrap_or(usual.min_score);
                        usual
                    },
                    &mut note,
                )?;
                serde_json::to_value(report)?
            }
            "dreaming" => {
                let Some(config) = find(self.config.as_deref(), &self.workspace) else {
                    return Err(Error::invalid(
                        "no configuration is known: start the server with --config openclaw.json",
                    ));
                };
                let Switching { enabled, phase } = read(arguments)?;
                let report = match (enabled, phase) {
                    (None, None) => dreaming::status(&config)?,
                    (Some(on), what) => {
                        dreaming::switch(&config, what.map_or(Switch::All, Switch::Phase), on)?
                    }
                    (None, Some(_)) => {
                        let what = "arguments: enabled: missing: say whether the phase is to be on or off";
                        return Err(Error::invalid(what));
                    }
                };
                serde_json::to_value(report)?
            }
            _ => return Err(Error::invalid(format!("there is no tool {tool}"))),
        };
        Ok(with_notes(answer, notes))
    }
}
