//! A Dark Pawns agent's memory as MCP tools (function calling): its login message, its strongest memories, and its dreams. They answer as
//! the commands `morta-memory dark-pawns login`, `notes` and `dream`, from the same files. The tool `dream` exists only if the server was
//! started with `--sessions`, because a reader needn't be able to write. It dreams by the default rules and never reads a log again;
//! other rules and `--reread` are flags of the command only.

use super::catalog::{Catalog, OtherName, answer_with, list_of, of_type, prompt};
use super::progress::Progress;
use super::{ToolSpec, Toolbox, count, needed, optional, read, switch, text};
use crate::dark_pawns::dream::{DreamRequest, agents, check_agent, dream_reporting};
use crate::dark_pawns::login::login;
use crate::dark_pawns::notes::{USUAL, notes};
use morta_lab::error::{Error, Result};
use morta_memories::dark_pawns::DreamRules;
use rmcp::model::{Prompt, Resource, ResourceContents, ResourceTemplate};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// The MCP tools that read, and may dream over, a folder of agents' memories.
pub struct DarkPawnsTools {
    dreaming: PathBuf,
    sessions: Option<PathBuf>,
}

impl DarkPawnsTools {
    /// Makes the tools for a folder with a folder for each agent, as `morta-memory dark-pawns dream` writes it. With a folder of session
    /// logs there is a tool to dream as well.
    pub fn new(dreaming: PathBuf, sessions: Option<PathBuf>) -> Self {
        Self { dreaming, sessions }
    }

    fn dream(&self, arguments: Map<String, Value>, progress: Option<&Progress>) -> Result<Value> {
        let Night { agent, nightly, dry_run } = read(arguments)?;
        let Some(sessions) = &self.sessions else {
            return Err(Error::invalid("no session logs are known: start the server with --sessions"));
        };
        let mut notes = Vec::new();
        let mut note = |text: &str| notes.push(text.to_owned());
        let request =
            DreamRequest { agent: &agent, sessions, output: &self.dreaming, dry_run, reread: false, nightly };
        let report = |done: u64, total: u64, log: &str| {
            if let Some(progress) = progress {
                progress.report(done, total, log);
            }
        };
        let mut answer =
            serde_json::to_value(dream_reporting(&request, &DreamRules::default(), &mut note, &report)?)?;
        answer["notes"] = notes.into();
        Ok(answer)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Agent {
    agent: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reminder {
    agent: String,
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Night {
    agent: String,
    #[serde(default)]
    nightly: bool,
    #[serde(default)]
    dry_run: bool,
}

impl Toolbox for DarkPawnsTools {
    fn name(&self) -> &'static str {
        "morta-dark-pawns"
    }

    fn about(&self) -> &'static str {
        "Autobiographical memory of agents in a game. Call get_login_message when an agent enters the world."
    }

    fn tools(&self) -> Vec<ToolSpec> {
        let agent = || text("the agent's id: the name of its folder");
        let mut tools = vec![
            ToolSpec {
                name: "get_login_message",
                about: "The message that a server sends an agent at login: type memory_summary and the summary of its last dream; null when there is nothing to \
                    say.",
                arguments: vec![needed("agent", agent())],
                writes: false,
            },
            ToolSpec {
                name: "get_memory_notes",
                about: "An agent's strongest memories, and those of them to beware of.",
                arguments: vec![
                    needed("agent", agent()),
                    optional("limit", count("most notes; 15 when left out")),
                ],
                writes: false,
            },
        ];
        if self.sessions.is_some() {
            tools.push(ToolSpec {
                name: "dream",
                about: "Dream over what is new in an agent's session logs: remember, forget, and tell the summary of its next login.",
                arguments: vec![
                    needed("agent", agent()),
                    optional("nightly", switch("a dream after each log, for logs of many nights; false when left out")),
                    optional("dry_run", switch("nothing is written; false when left out")),
                ],
                writes: true,
            });
        }
        tools
    }

    fn call(&self, tool: &str, arguments: Map<String, Value>, progress: Option<&Progress>) -> Result<Value> {
        match tool {
            "get_login_message" => {
                let message = login(&read::<Agent>(arguments)?.agent, &self.dreaming)?;
                Ok(json!({ "message": message }))
            }
            "get_memory_notes" => {
                let Reminder { agent, limit } = read(arguments)?;
                Ok(serde_json::to_value(notes(&agent, &self.dreaming, limit.unwrap_or(USUAL))?)?)
            }
            "dream" => self.dream(arguments, progress),
            _ => Err(Error::invalid(format!("there is no tool {tool}"))),
        }
    }
}

/// Prefix of the URIs of summaries.
const SUMMARIES: &str = "dark-pawns://summary/";

const fn agent(name: &'static str) -> OtherName {
    OtherName { tool: "", name, means: "agent" }
}

const NAMES: [OtherName; 4] = [agent("agent_id"), agent("agent_name"), agent("player"), agent("name")];

impl Catalog for DarkPawnsTools {
    fn other_names(&self) -> &'static [OtherName] {
        &NAMES
    }

    fn answer(&self, tool: &str) -> Value {
        match tool {
            "get_login_message" => {
                let message = answer_with(&[("type", of_type("string")), ("summary", of_type("string"))]);
                answer_with(&[("message", json!({ "anyOf": [message, { "type": "null" }] }))])
            }
            "get_memory_notes" => {
                let note = answer_with(&[
                    ("what", of_type("string")),
                    ("kind", json!({ "type": "string", "enum": ["event", "entity", "room", "item"] })),
                    ("salience", json!({ "type": "number", "minimum": 0, "maximum": 1 })),
                    ("valence", json!({ "type": "integer", "minimum": -3, "maximum": 3 })),
                    ("visits", of_type("integer")),
                    ("last", of_type("string")),
                ]);
                answer_with(&[
                    ("agent", of_type("string")),
                    ("notes", list_of(note)),
                    ("warnings", list_of(of_type("string"))),
                    ("remembered", of_type("integer")),
                ])
            }
            "dream" => answer_with(&[
                ("agent_id", of_type("string")),
                ("session_files_processed", of_type("integer")),
                ("events_extracted", of_type("integer")),
                ("nodes_before_consolidation", of_type("integer")),
                ("nodes_after_consolidation", of_type("integer")),
                ("nodes_pruned", of_type("integer")),
                ("summary_tokens_estimated", of_type("integer")),
                ("notes", list_of(of_type("string"))),
            ]),
            _ => of_type("object"),
        }
    }

    fn resources(&self) -> Result<Vec<Resource>> {
        let resource = |agent: String| {
            Resource::new(format!("{SUMMARIES}{agent}"), agent)
                .with_description("What this agent is told at login")
                .with_mime_type("text/markdown")
        };
        Ok(agents(&self.dreaming)?.into_iter().map(resource).collect())
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        let summary = ResourceTemplate::new("dark-pawns://summary/{agent}", "summary of an agent");
        vec![summary.with_description("What an agent is told at login").with_mime_type("text/markdown")]
    }

    fn read_resource(&self, uri: &str) -> Result<Option<ResourceContents>> {
        let Some(agent) = uri.strip_prefix(SUMMARIES) else { return Ok(None) };
        // A name that can't be a folder's name belongs to no agent, which isn't an error; a summary that can't be read is one.
        if check_agent(agent).is_err() {
            return Ok(None);
        }
        let message = login(agent, &self.dreaming)?;
        Ok(message.map(|it| ResourceContents::text(it.summary, uri).with_mime_type("text/markdown")))
    }

    fn prompts(&self) -> Vec<Prompt> {
        let agent = ("agent", "the agent's id: the name of its folder", true);
        vec![prompt("at_login", "Enter the world with what the agent remembers.", &[agent])]
    }

    fn prompt(&self, _: &str, arguments: &Map<String, Value>) -> Result<String> {
        let agent = arguments.get("agent").and_then(Value::as_str).unwrap_or_default().trim();
        Ok(match login(agent, &self.dreaming)? {
            Some(message) => {
                format!("You are {agent}, and enter the world again. You remember:\n\n{}", message.summary)
            }
            None => format!("You are {agent}, and enter the world. You remember nothing yet."),
        })
    }
}
