//! What a Dark Pawns agent is told at login, as a tool.

use super::{ToolSpec, Toolbox, read, text};
use crate::error::Error;
use crate::memory_tools::dark_pawns::login::login;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// The tools of a folder of memories.
pub struct DarkPawnsTools {
    dreaming: PathBuf,
}

impl DarkPawnsTools {
    /// Of a folder with a folder for each agent, as `morta memory dark-pawns dream` writes it.
    pub fn new(dreaming: PathBuf) -> Self {
        Self { dreaming }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Agent {
    agent: String,
}

impl Toolbox for DarkPawnsTools {
    fn name(&self) -> &'static str {
        "morta-dark-pawns"
    }

    fn about(&self) -> &'static str {
        "Autobiographical memory of agents in a game. Call get_login_message when an agent enters the world."
    }

    fn tools(&self) -> Vec<ToolSpec> {
        vec![ToolSpec {
            name: "get_login_message",
            about: "The message that a server sends an agent at login: type memory_summary and the summary of its last dream; null when there is nothing to \
                    say.",
            arguments: vec![("agent", text("the agent's id: the name of its folder"), true)],
            writes: false,
        }]
    }

    fn call(&self, tool: &str, arguments: Map<String, Value>) -> crate::Result<Value> {
        match tool {
            "get_login_message" => {
                let message = login(&read::<Agent>(arguments)?.agent, &self.dreaming)?;
                Ok(json!({ "message": message }))
            }
            _ => Err(Error::invalid(format!("there is no tool {tool}"))),
        }
    }
}
