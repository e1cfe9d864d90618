//! The memories as tools of an MCP server (Model Context Protocol), by the protocol's Rust SDK: an agent calls them as it would call those of the
//! original. Answers are those of the commands of the same names, by the same functions.
//!
//! Over standard input and output ([`serve`]) the agent starts the server, and standard output carries the protocol and nothing else. Over
//! streamable HTTP ([`http`]) the server is there before, and several agents may ask it.

pub mod dark_pawns;
pub mod http;
mod lines;
pub mod openclaw;
pub mod owm;

use morta_lab::error::{Context as _, Error, Result};
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// A memory as tools.
pub trait Toolbox: Send + Sync + 'static {
    /// The server's name.
    fn name(&self) -> &'static str;

    /// What it is for, in a sentence or two that an agent reads.
    fn about(&self) -> &'static str;

    /// What can be called.
    fn tools(&self) -> Vec<ToolSpec>;

    /// Calls one of its tools.
    ///
    /// # Errors
    /// When the arguments, or the files of the memory, are not what they should be.
    fn call(&self, tool: &str, arguments: Map<String, Value>) -> Result<Value>;
}

/// What is said of a tool.
pub struct ToolSpec {
    /// Its name.
    pub name: &'static str,
    /// What it does, and when to call it.
    pub about: &'static str,
    /// Its arguments: name, JSON schema, and whether it must be given.
    pub arguments: Vec<(&'static str, Value, bool)>,
    /// Whether it changes what is kept.
    pub writes: bool,
}

impl ToolSpec {
    fn schema(&self) -> JsonObject {
        let properties: Map<String, Value> =
            self.arguments.iter().map(|(name, schema, _)| ((*name).to_owned(), schema.clone())).collect();
        let required: Vec<&str> =
            self.arguments.iter().filter(|(_, _, needed)| *needed).map(|(name, _, _)| *name).collect();
        let schema = json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
        schema.as_object().cloned().unwrap_or_default()
    }

    fn told(&self) -> Tool {
        let mut tool = Tool::new(self.name, self.about, Arc::new(self.schema()));
        let mut hints = rmcp::model::ToolAnnotations::new();
        hints.read_only_hint = Some(!self.writes);
        hints.open_world_hint = Some(false);
        tool.annotations = Some(hints);
        tool
    }
}

/// The schema of a text.
fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

/// The schema of a number.
fn number(about: &str) -> Value {
    json!({ "type": "number", "description": about })
}

/// Arguments as a type; what is missing, unknown or of another type is told by its name.
fn read<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|what| Error::invalid(format!("arguments: {what}")))
}

/// A toolbox that is served.
struct Served(Arc<dyn Toolbox>);

impl ServerHandler for Served {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(self.0.name(), env!("CARGO_PKG_VERSION")))
            .with_instructions(self.0.about())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.0.tools().iter().map(ToolSpec::told).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let (toolbox, name) = (Arc::clone(&self.0), request.name.into_owned());
        let known: Vec<&str> = toolbox.tools().iter().map(|tool| tool.name).collect();
        if !known.contains(&name.as_str()) {
            let what = format!("there is no tool {name:?}; there are {}", known.join(", "));
            return Err(ErrorData::invalid_params(what, None));
        }
        let arguments = request.arguments.unwrap_or_default();
        // Stores are read and written, which may take its time.
        let called = tokio::task::spawn_blocking(move || toolbox.call(&name, arguments)).await;
        let result = match called {
            Ok(Ok(answer)) => CallToolResult::structured(answer),
            // What the caller can put right is the tool's answer, not a failure of the protocol.
            Ok(Err(error)) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
            Err(_) => return Err(ErrorData::internal_error("the tool has failed", None)),
        };
        Ok(result.into())
    }
}

/// Bytes on their way between standard input or output and the SDK.
const PIPE_BYTES: usize = 64 * 1024;

/// Serves a toolbox on standard input and output until the client closes them.
///
/// # Errors
/// When there is no thread, or the client doesn't speak the protocol.
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
            // Nobody ever came.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(_) => Err(Error::failed(
                "the client doesn't speak MCP: it began with something else than initialize",
            )),
        };
        // What the SDK has answered last may still be on its way.
        let _ = answers.await;
        end
    });
    // Standard input is read on a thread that nothing can wake; it isn't waited for.
    runtime.shutdown_background();
    end
}
