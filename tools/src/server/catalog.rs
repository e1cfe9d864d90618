//! A toolbox's data besides its tools: synonyms of arguments and words, the schemas of answers, MCP resources that can be read without a
//! tool, and MCP prompts. What only some toolboxes have is empty by default. Synonyms are used by `arguments` on
//! each call; the server sends the schemas to clients and doesn't check answers by them. It is data and no code, so that a toolbox can be
//! read at a glance.

use morta_lab::error::Result;
use rmcp::model::{Prompt, PromptArgument, Resource, ResourceContents, ResourceTemplate};
use serde_json::{Map, Value, json};

/// An argument alias: another name under which clients send an argument.
#[derive(Clone, Copy, Debug)]
pub struct OtherName {
    /// The tool; empty for all tools.
    pub tool: &'static str,
    /// The client's name, compared without case and separators.
    pub name: &'static str,
    /// The argument, or a member of it, as `current_context.regime`.
    pub means: &'static str,
}

/// An enum value alias: another word that clients send for a word of an argument.
#[derive(Clone, Copy, Debug)]
pub struct OtherWord {
    /// The argument.
    pub argument: &'static str,
    /// The client's word, compared without case and separators.
    pub word: &'static str,
    /// One of the schema's words.
    pub means: &'static str,
}

/// What a toolbox offers besides its tools: MCP resources, prompts and aliases.
pub trait Catalog: Send + Sync + 'static {
    /// Synonyms of argument names.
    fn other_names(&self) -> &'static [OtherName];

    /// Synonyms of words in schemas.
    fn other_words(&self) -> &'static [OtherWord] {
        &[]
    }

    /// The schema of a tool's answers. Any answer may also have `notes`, a list of remarks.
    fn answer(&self, tool: &str) -> Value;

    /// The resources at this moment.
    ///
    /// # Errors
    /// When the memory can't be read.
    fn resources(&self) -> Result<Vec<Resource>>;

    /// Templates of URIs.
    fn templates(&self) -> Vec<ResourceTemplate> {
        Vec::new()
    }

    /// The content at a URI; none if it names no resource.
    ///
    /// # Errors
    /// When the resource exists and can't be read.
    fn read_resource(&self, uri: &str) -> Result<Option<ResourceContents>>;

    /// The prompts.
    fn prompts(&self) -> Vec<Prompt>;

    /// The text of a prompt.
    ///
    /// # Errors
    /// When an argument is invalid, or the memory can't be read.
    fn prompt(&self, name: &str, arguments: &Map<String, Value>) -> Result<String>;
}

/// The schema of an object with these members; others are allowed.
pub(super) fn answer_with(members: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> =
        members.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let required: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

/// The schema of a value of one type, or of several (`number|null`).
pub(super) fn of_type(types: &str) -> Value {
    let types: Vec<&str> = types.split('|').collect();
    match types[..] {
        [one] => json!({ "type": one }),
        _ => json!({ "type": types }),
    }
}

/// The schema of a list.
pub(super) fn list_of(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// A prompt with its arguments, all of them texts: name, description, and whether it is mandatory.
pub(super) fn prompt(name: &str, about: &str, arguments: &[(&str, &str, bool)]) -> Prompt {
    let argument = |(name, about, needed): &(&str, &str, bool)| {
        PromptArgument::new(*name).with_description(*about).with_required(*needed)
    };
    Prompt::new(name, Some(about), Some(arguments.iter().map(argument).collect()))
}

/// The content of a JSON resource.
pub(super) fn json_content(uri: &str, answer: &Value) -> Result<Option<ResourceContents>> {
    let text = serde_json::to_string_pretty(answer)?;
    Ok(Some(ResourceContents::text(text, uri).with_mime_type("application/json")))
}
