//! What a toolbox says of itself besides its tools: other names and words that its clients use, the form of its answers, what can be read of it
//! without a tool, and what a person may begin a conversation with.

use morta_lab::error::Result;
use serde_json::{Map, Value, json};

/// Another name of an argument.
#[derive(Clone, Copy, Debug)]
pub struct OtherName {
    /// The tool; empty for all.
    pub tool: &'static str,
    /// As clients write it; marks and capitals don't matter.
    pub name: &'static str,
    /// The argument, or a member of one that is an object, as `current_context.regime`.
    pub means: &'static str,
}

/// Another word for one of an argument's words.
#[derive(Clone, Copy, Debug)]
pub struct OtherWord {
    /// The argument.
    pub argument: &'static str,
    /// As clients write it; marks and capitals don't matter.
    pub word: &'static str,
    /// One of the words of its schema.
    pub means: &'static str,
}

/// Something that a client can read: a resource of the protocol.
#[derive(Clone, Debug)]
pub struct ResourceSpec {
    /// Its address.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// What it holds.
    pub about: &'static str,
    /// The form it is in.
    pub mime: &'static str,
}

/// Addresses of one form, for what can't all be listed.
#[derive(Clone, Copy, Debug)]
pub struct TemplateSpec {
    /// With names in braces where they differ.
    pub uri: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What lies there.
    pub about: &'static str,
    /// The form it is in.
    pub mime: &'static str,
}

/// What is read at an address.
#[derive(Clone, Debug)]
pub struct Content {
    /// The form it is in.
    pub mime: &'static str,
    /// It.
    pub text: String,
}

/// Something to begin a conversation with, of which a client makes a command.
#[derive(Clone, Debug)]
pub struct PromptSpec {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Its arguments, all of them text: name, what it is, and whether it must be given.
    pub arguments: Vec<(&'static str, &'static str, bool)>,
}

/// What a toolbox says of itself.
pub trait Catalog: Send + Sync + 'static {
    /// Other names of its tools' arguments.
    fn other_names(&self) -> &'static [OtherName] {
        &[]
    }

    /// Other words for the words of its schemas.
    fn other_words(&self) -> &'static [OtherWord] {
        &[]
    }

    /// The schema of a tool's answers; besides what it says there may be `notes`, a list of what was odd.
    fn answer(&self, _tool: &str) -> Value {
        json!({ "type": "object" })
    }

    /// What can be read, as of now.
    ///
    /// # Errors
    /// When the memory can't be looked through.
    fn resources(&self) -> Result<Vec<ResourceSpec>> {
        Ok(Vec::new())
    }

    /// Forms of addresses.
    fn templates(&self) -> Vec<TemplateSpec> {
        Vec::new()
    }

    /// What lies at an address; none for an address that means nothing here.
    ///
    /// # Errors
    /// When it is there and can't be read.
    fn read_resource(&self, _uri: &str) -> Result<Option<Content>> {
        Ok(None)
    }

    /// What to begin a conversation with.
    fn prompts(&self) -> Vec<PromptSpec> {
        Vec::new()
    }

    /// The text of one of its prompts.
    ///
    /// # Errors
    /// When an argument can't be, or the memory can't be read.
    fn prompt(&self, _name: &str, _arguments: &Map<String, Value>) -> Result<String> {
        Ok(String::new())
    }
}

/// The schema of an object that has these members and may have others.
pub(super) fn answer_with(members: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> =
        members.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    let required: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
    json!({ "type": "object", "properties": properties, "required": required })
}

/// The schema of a value of one type, or of one of several (`number|null`).
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
