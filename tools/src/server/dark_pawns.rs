//! What a Dark Pawns agent is told at login, as tools.

use super::{ToolSpec, Toolbox, read, text};
use crate::dark_pawns::login::login;
use crate::dark_pawns::notes::{USUAL, notes};
use morta_lab::error::{Error, Result};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// The tools of a folder of memories.
pub struct DarkPawnsTools {
    dreaming: PathBuf,
}

impl DarkPawnsTools {
    /// Of a folder with a folder for each agent, as `morta-memory dark-pawns dream` writes it.
    pub fn new(dreaming: PathBuf) -> Self {
        Self { dreaming }
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

impl Toolbox for DarkPawnsTools {
    fn name(&self) -> &'static str {
        "morta-dark-pawns"
    }

    fn about(&self) -> &'static str {
        "Autobiographical memory of agents in a game. Call get_login_message when an agent enters the world."
    }

    fn tools(&self) -> Vec<ToolSpec> {
        let agent = || text("the agent's id: the name of its folder");
        vec![
            ToolSpec {
                name: "get_login_message",
                about: "The message that a server sends an agent at login: type memory_summary and the summary of its last dream; null when there is nothing to \
                    say.",
                arguments: vec![("agent", agent(), true)],
                writes: false,
            },
            ToolSpec {
                name: "get_memory_notes",
                about: "An agent's strongest memories, and those of them to beware of.",
                arguments: vec![
                    ("agent", agent(), true),
                    (
                        "limit",
                        json!({ "type": "integer", "minimum": 0, "description": "most notes; 15 when left out" }),
                        false,
                    ),
                ],
                writes: false,
            },
        ]
    }

    fn call(&self, tool: &str, arguments: Map<String, Value>) -> Result<Value> {
        match tool {
            "get_login_message" => {
                let message = login(&read::<Agent>(arguments)?.agent, &self.dreaming)?;
                Ok(json!({ "message": message }))
            }
            "get_memory_notes" => {
                let Reminder { agent, limit } = read(arguments)?;
                Ok(serde_json::to_value(notes(&agent, &self.dreaming, limit.unwrap_or(USUAL))?)?)
            }
            _ => Err(Error::invalid(format!("there is no tool {tool}"))),
        }
    }
}
