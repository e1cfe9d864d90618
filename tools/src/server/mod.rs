//! Memories as tools of an MCP server (Model Context Protocol), by the protocol's Rust SDK. An agent calls them like the original
//! program's tools. The answers are those of the corresponding commands, by the same functions, though a default may differ
//! (`recall_memories`, a missing moment).
//!
//! Over standard input and output ([`serve`]) the agent starts the server, and standard output carries the protocol alone. Over streamable HTTP
//! ([`http`]) the server runs by itself, and several agents may call it.
//!
//! A `Toolbox` is a tool registry; a `ToolSpec` has a name, a description and the JSON Schema of its arguments. One function serves
//! command and tool, so that they can't disagree. `lines` filters messages, `arguments` normalises (normalizes) a call's arguments,
//! `catalog` has what a toolbox offers besides tools; `owm`, `openclaw` and `dark_pawns` are the toolboxes. An error of a tool is an
//! answer that the model can read, and of a tool call that `lines` passes only an unknown tool or a panic is an error of the protocol;
//! those of resources and prompts all are.

mod argument_forms;
mod arguments;
pub mod catalog;
pub mod dark_pawns;
pub mod http;
mod lines;
pub mod openclaw;
mod openclaw_catalog;
pub mod owm;
mod owm_catalog;
mod progress;

use arguments::{CallArguments, read_call};
use catalog::{Catalog, of_type};
use jiff::Timestamp;
use morta_lab::error::{Context as _, Error, Result};
use progress::Progress;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams,
    GetPromptResponse, GetPromptResult, Implementation, JsonObject, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams, PromptMessage,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Role, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A memory as a set of MCP tools: lists them, and answers their calls.
pub trait Toolbox: Catalog {
    /// The server's name.
    fn name(&self) -> &'static str;

    /// A description in a sentence or two, for the agent.
    fn about(&self) -> &'static str;

    /// The tools.
    fn tools(&self) -> Vec<ToolSpec>;

    /// Calls a tool, which may report its progress.
    ///
    /// # Errors
    /// When the arguments or the memory's files are invalid.
    fn call(&self, tool: &str, arguments: Map<String, Value>, progress: Option<&Progress>) -> Result<Value>;
}

/// Describes a tool to a client: name, purpose, and the JSON Schema of its arguments.
pub struct ToolSpec {
    /// Its name.
    pub name: &'static str,
    /// What it does, and when to call it.
    pub about: &'static str,
    /// Its arguments: name, JSON schema, and whether it is mandatory.
    pub arguments: Vec<(&'static str, Value, bool)>,
    /// Whether it changes the memory.
    pub writes: bool,
}

impl ToolSpec {
    fn schema(&self) -> JsonObject {
        let properties: Map<String, Value> =
            self.arguments.iter().map(|(name, schema, _)| ((*name).to_owned(), schema.clone())).collect();
        let required: Vec<&str> =
            self.arguments.iter().filter(|(_, _, needed)| *needed).map(|(name, _, _)| *name).collect();
        // Additional properties aren't forbidden, because frameworks add their own to every call. They are left out later.
        let schema = json!({ "type": "object", "properties": properties, "required": required });
        schema.as_object().cloned().unwrap_or_default()
    }

    /// The schema of an argument.
    fn argument(&self, name: &str) -> Option<&Value> {
        self.arguments.iter().find(|(known, _, _)| *known == name).map(|(_, schema, _)| schema)
    }

    /// Whether a call must have an argument.
    fn needs(&self, name: &str) -> bool {
        self.arguments.iter().any(|(known, _, needed)| *known == name && *needed)
    }

    fn declaration(&self, answer: Value) -> Tool {
        let mut tool = Tool::new(self.name, self.about, Arc::new(self.schema()));
        tool.output_schema = answer.as_object().cloned().map(with_remarks_schema).map(Arc::new);
        let mut hints = rmcp::model::ToolAnnotations::new();
        hints.read_only_hint = Some(!self.writes);
        hints.open_world_hint = Some(false);
        tool.annotations = Some(hints);
        tool
    }
}

/// An argument that a call must have.
fn needed(name: &'static str, schema: Value) -> (&'static str, Value, bool) {
    (name, schema, true)
}

/// An argument that a call may leave out.
fn optional(name: &'static str, schema: Value) -> (&'static str, Value, bool) {
    (name, schema, false)
}

/// The schema of a text.
fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

/// The schema of a number.
fn number(about: &str) -> Value {
    json!({ "type": "number", "description": about })
}

/// The schema of a whole number, 0 or more.
fn count(about: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": about })
}

/// The schema of a switch.
fn switch(about: &str) -> Value {
    json!({ "type": "boolean", "description": about })
}

/// The schema of a moment. It allows text alone, because some clients don't understand several types (cursor/cursor#3778). A number of seconds or
/// milliseconds is accepted all the same, and converted to text for the tool.
fn now() -> Value {
    Timestamp::now().to_string().into()
}

fn moment(about: &str) -> Value {
    json!({ "type": "string", "format": "date-time", "description": about })
}

/// The member of an answer with remarks on the call's arguments.
const REMARKS: &str = "remarks";

fn with_remarks_schema(mut schema: JsonObject) -> JsonObject {
    let properties = schema.entry("properties").or_insert_with(|| json!({}));
    properties[REMARKS] = catalog::list_of(of_type("string"));
    schema
}

fn with_remarks(mut answer: Value, remarks: Vec<String>) -> Value {
    if !remarks.is_empty() && answer.is_object() {
        answer[REMARKS] = remarks.into();
    }
    answer
}

/// Parses the arguments of a call. A missing, unknown or mistyped argument is named in the error.
fn read<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|what| Error::invalid(format!("arguments: {what}")))
}

/// A toolbox behind the SDK's interface.
struct Served(Arc<dyn Toolbox>);

impl Served {
    /// Runs work that reads or writes files on a thread of its own, because it would block the connection.
    async fn apart<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Toolbox) -> Result<T> + Send + 'static,
    ) -> Result<T, ErrorData> {
        let toolbox = Arc::clone(&self.0);
        match tokio::task::spawn_blocking(move || work(toolbox.as_ref())).await {
            Ok(done) => done.map_err(|error| ErrorData::internal_error(error.to_string(), None)),
            Err(_) => Err(ErrorData::internal_error("the server has failed at this", None)),
        }
    }
}

impl ServerHandler for Served {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        ServerConfig::new(can)
            .with_server_info(Implementation::new(self.0.name(), env!("CARGO_PKG_VERSION")))
            .with_instructions(self.0.about())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.0.tools();
        Ok(ListToolsResult::with_all_items(
            tools.iter().map(|tool| tool.declaration(self.0.answer(tool.name))).collect(),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (toolbox, name) = (Arc::clone(&self.0), request.name.into_owned());
        let tools = toolbox.tools();
        let Some(tool) = tools.iter().find(|tool| tool.name == name) else {
            let known: Vec<&str> = tools.iter().map(|tool| tool.name).collect();
            let what = format!("there is no tool {name:?}; there are {}", known.join(", "));
            return Err(ErrorData::invalid_params(what, None));
        };
        let CallArguments { arguments, remarks } =
            read_call(tool, toolbox.as_ref(), request.arguments.unwrap_or_default());
        let (progress, reports) = Progress::new();
        // A call reads and writes stores, which would block the connection.
        let called = tokio::task::spawn_blocking(move || toolbox.call(&name, arguments, Some(&progress)));
        let result = match reports.handed_on(called, &context).await {
            Ok(Ok(answer)) => CallToolResult::structured(with_remarks(answer, remarks)),
            // An error that the caller can correct is the tool's answer, so that the model sees it.
            Ok(Err(error)) => {
                let said = std::iter::once(error.to_string()).chain(remarks).collect::<Vec<_>>().join("; ");
                CallToolResult::error(vec![ContentBlock::text(said)])
            }
            Err(_) => return Err(ErrorData::internal_error("the tool has failed", None)),
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(self.apart(|toolbox| toolbox.resources()).await?))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(self.0.templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri.clone();
        match self.apart(move |toolbox| toolbox.read_resource(&uri)).await? {
            Some(content) => Ok(ReadResourceResult::new(vec![content]).into()),
            None => {
                let what = format!("there is no resource {:?}: resources/list names all", request.uri);
                Err(ErrorData::resource_not_found(what, Some(json!({ "uri": request.uri }))))
            }
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(self.0.prompts()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let prompts = self.0.prompts();
        let Some(prompt) = prompts.iter().find(|prompt| prompt.name == request.name) else {
            let known: Vec<&str> = prompts.iter().map(|prompt| prompt.name.as_str()).collect();
            let what = format!("there is no prompt {:?}; there are {}", request.name, known.join(", "));
            return Err(ErrorData::invalid_params(what, None));
        };
        let given = request.arguments.unwrap_or_default();
        let is_given =
            |name: &str| given.get(name).and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
        let mut needed = prompt.arguments.iter().flatten().filter(|argument| argument.required == Some(true));
        if let Some(missing) = needed.find(|argument| !is_given(&argument.name)) {
            let about = missing.description.as_deref().unwrap_or_default();
            return Err(ErrorData::invalid_params(format!("{} is missing: {about}", missing.name), None));
        }
        let about = prompt.description.clone().unwrap_or_default();
        let text = self.apart(move |toolbox| toolbox.prompt(&request.name, &given)).await?;
        let message = PromptMessage::new_text(Role::User, text);
        Ok(GetPromptResult::new(vec![message]).with_description(about).into())
    }
}

/// Size in bytes of the pipes between standard input or output and the SDK.
const PIPE_BYTES: usize = 64 * 1024;

/// Serves a toolbox on standard input and output until the client closes them (stdio transport).
///
/// # Errors
/// When no thread can be started, or the client doesn't speak the protocol.
pub fn serve(toolbox: impl Toolbox) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("the server could not be started")?;
    let served = Served(Arc::new(toolbox));
    let end = runtime.block_on(async move {
        let (to_sdk, sdk_in) = tokio::io::duplex(PIPE_BYTES);
        let (sdk_out, from_sdk) = tokio::io::duplex(PIPE_BYTES);
        let out = Arc::new(tokio::sync::Mutex::new(tokio::io::stdout()));
        tokio::spawn(lines::hand_in(to_sdk, Arc::clone(&out)));
        let answers = tokio::spawn(lines::hand_out(from_sdk, out));
        let end = match rmcp::serve_server(served, (sdk_in, sdk_out)).await {
            Ok(running) => {
                running.waiting().await.map(|_| ()).map_err(|error| Error::failed(error.to_string()))
            }
            // The client left before it sent anything, which isn't an error.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(_) => Err(Error::failed(
                "the client doesn't speak MCP: it began with something else than initialize",
            )),
        };
        // The SDK's last answer may not be written yet.
        let _ = answers.await;
        end
    });
    // A thread is blocked in reading standard input and can't be woken, so the runtime doesn't wait for it.
    runtime.shutdown_background();
    end
}
