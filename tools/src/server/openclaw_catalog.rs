//! The catalogue of an OpenClaw workspace: synonyms of arguments, the schemas of answers, MEMORY.md and the status as MCP resources, and a
//! prompt for reviewing promotions before they are written. Memory is a resource, so that a client can show it without a call; it is
//! listed only where the file exists.

use super::Toolbox as _;
use super::catalog::{Catalog, OtherName, answer_with, json_content, list_of, of_type, prompt};
use super::openclaw::OpenClawTools;
use crate::limits::log_text;
use morta_lab::error::{Error, Result};
use rmcp::model::{Prompt, Resource, ResourceContents};
use serde_json::{Map, Value};

/// Name of the workspace's long-term memory.
const MEMORY: &str = "MEMORY.md";
const MEMORY_URI: &str = "openclaw://MEMORY.md";
const STATUS_URI: &str = "openclaw://status";

const NAMES: [OtherName; 3] = [
    OtherName { tool: "record_search", name: "hits", means: "results" },
    OtherName { tool: "record_search", name: "timestamp", means: "at" },
    OtherName { tool: "promote", name: "max", means: "limit" },
];

impl Catalog for OpenClawTools {
    fn other_names(&self) -> &'static [OtherName] {
        &NAMES
    }

    fn answer(&self, tool: &str) -> Value {
        match tool {
            "record_search" => answer_with(&[("recalls", of_type("integer"))]),
            "get_status" => {
                answer_with(&[("store", of_type("string")), ("phases", list_of(of_type("object")))])
            }
            "promote" => answer_with(&[("passing", of_type("integer"))]),
            "dreaming" => answer_with(&[("enabled", of_type("boolean"))]),
            _ => of_type("object"),
        }
    }

    fn resources(&self) -> Result<Vec<Resource>> {
        let status = Resource::new(STATUS_URI, "status")
            .with_description("What the store holds, and when each phase is due")
            .with_mime_type("application/json");
        let memory = Resource::new(MEMORY_URI, MEMORY)
            .with_description("What was promoted: the workspace's long-term memory")
            .with_mime_type("text/markdown");
        let is_there = self.workspace.join(MEMORY).is_file();
        Ok(is_there.then_some(memory).into_iter().chain([status]).collect())
    }

    fn read_resource(&self, uri: &str) -> Result<Option<ResourceContents>> {
        let path = self.workspace.join(MEMORY);
        match uri {
            MEMORY_URI if path.is_file() => {
                let text =
                    log_text(&path).map_err(|error| Error::at(path, format!("can't be read: {error}")))?;
                Ok(Some(ResourceContents::text(text, uri).with_mime_type("text/markdown")))
            }
            STATUS_URI => json_content(uri, &self.call("get_status", Map::new(), None)?),
            _ => Ok(None),
        }
    }

    fn prompts(&self) -> Vec<Prompt> {
        let about = "Look through what would be promoted to MEMORY.md, before it is.";
        vec![prompt("review_promotions", about, &[])]
    }

    fn prompt(&self, _: &str, _: &Map<String, Value>) -> Result<String> {
        Ok("Call promote without apply, and show me what passes: each with its score, how often and on how many days it was recalled. Say of each whether \
            it will still be true in a month, and whether MEMORY.md says it already. Write nothing: I decide, and then you call promote with apply."
            .to_owned())
    }
}
