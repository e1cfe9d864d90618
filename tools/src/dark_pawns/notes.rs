//! What an agent reads at login besides the summary: its strongest memories, and warnings (digest section 9). They are sorted by salience
//! (0 to 1), strongest first: retrieval of top-k memories for a prompt (by default 15). Warnings are those of the listed memories with a
//! valence of −2 or −3; they are apart, because a strong memory may be a pleasant one. The graph is only read. `dark-pawns notes` and a
//! tool of the MCP server ask for them; they aren't the remarks of the module `crate::notes`.

use super::dream::check_agent;
use super::store::{GRAPH, Stored};
use morta_lab::error::Result;
use morta_lab::text::View;
use morta_memories::dark_pawns::{Node, NodeKind};
use serde::Serialize;
use std::path::Path;

/// Number of notes by default.
pub const USUAL: usize = 15;
/// A valence from which on a memory is a warning, on the scale −3 to 3.
const BAD: i64 = -2;

/// One retrieved memory, with its salience and valence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Note {
    /// The node's name; an event's name describes it.
    pub what: String,
    /// The kind of node.
    pub kind: NodeKind,
    /// Salience, 0 to 1.
    pub salience: f64,
    /// Valence, −3 to +3.
    pub valence: i64,
    /// Number of encounters.
    pub visits: u32,
    /// Moment of the last encounter.
    pub last: String,
}

/// What an agent is given to read at login: retrieved memories, and warnings apart from them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Notes {
    /// The agent.
    pub agent: String,
    /// Its strongest memories, by descending salience, ties by the latest encounter.
    pub notes: Vec<Note>,
    /// The memories among them with a valence of −2 or below.
    pub warnings: Vec<String>,
    /// Number of all memories.
    pub remembered: u64,
}

/// Retrieves the notes of an agent from its graph (top-k retrieval); they are empty for an agent that has never dreamt.
///
/// # Errors
/// [`Error::Invalid`](morta_lab::error::Error::Invalid) when the agent's name can't be a folder's name, or its graph exists and can't be read.
pub fn notes(agent: &str, dreaming: &Path, limit: usize) -> Result<Notes> {
    check_agent(agent)?;
    let path = dreaming.join(agent).join(GRAPH);
    let nobody = Notes { agent: agent.to_owned(), notes: Vec::new(), warnings: Vec::new(), remembered: 0 };
    if !path.exists() {
        return Ok(nobody);
    }
    let stored = Stored::read(&path)?;
    let mut nodes: Vec<&Node<String>> = stored.graph.nodes().collect();
    nodes.sort_by(|a, b| {
        let order = b.salience.total_cmp(&a.salience).then(b.updated_at.cmp(&a.updated_at));
        order.then_with(|| a.id.cmp(&b.id))
    });
    let remembered = nodes.len() as u64;
    let notes: Vec<Note> = nodes.into_iter().take(limit).map(Note::of).collect();
    let warnings = notes.iter().filter(|note| note.valence <= BAD).map(|note| note.what.clone()).collect();
    Ok(Notes { notes, warnings, remembered, ..nobody })
}

impl Note {
    fn of(node: &Node<String>) -> Self {
        Self {
            what: node.label.clone(),
            kind: node.kind,
            salience: node.salience,
            valence: node.valence.get().into(),
            visits: node.visit_count,
            last: node.updated_at.to_string(),
        }
    }
}

impl View for Notes {
    fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("{}: {} of {} memories", self.agent, self.notes.len(), self.remembered)];
        if !self.notes.is_empty() {
            lines.push("salience  valence  visits  last                  what".to_owned());
        }
        lines.extend(self.notes.iter().map(|note| {
            format!(
                "{:>8.2} {:>+8} {:>7}  {:<20}  {}",
                note.salience, note.valence, note.visits, note.last, note.what
            )
        }));
        lines.extend(self.warnings.iter().map(|what| format!("beware: {what}")));
        lines
    }
}
