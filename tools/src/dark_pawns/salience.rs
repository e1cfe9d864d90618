//! Salience curves of an agent's logs: one dream after each log, and the salience that is left of its events. They are forgetting curves
//! (retention by number of dreams); salience is 0 to 1, and what is forgotten counts 0. The agent's own graph isn't read, so that the
//! curves begin at the first event. Nothing is written.

use super::dream::{Reader, check_agent, logs};
use super::lines::LineNotes;
use super::store::Stored;
use crate::notes::Notes;
use morta_lab::error::Result;
use morta_lab::text::View;
use morta_memories::dark_pawns::{
    DreamRules, LogGraph, SalienceCurve, SalienceLog, dream as dream_over, half_life_ratio,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// How an agent's memories decay over dreams: a forgetting curve for each strength of feeling.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Salience {
    /// The agent.
    pub agent: String,
    /// Number of logs, and so of dreams.
    pub dreams: u64,
    /// Mean salience left of the events, by the strength of their feeling.
    pub curves: Vec<SalienceCurve>,
    /// Half-life at the strongest feeling divided by that at the weakest; none if either is unknown.
    pub half_life_ratio: Option<f64>,
}

/// Reads an agent's logs in the order of their names, dreams after each, and measures what is left of their events (forgetting curves).
/// Nothing is written. The agent's own graph isn't read.
///
/// # Errors
/// [`Error::Invalid`](morta_lab::error::Error::Invalid) when the agent's name can't be a folder's name, or the logs can't be read.
pub fn salience(agent: &str, sessions: &Path, rules: &DreamRules, notes: Notes<'_>) -> Result<Salience> {
    check_agent(agent)?;
    let mut notes = LineNotes::new(notes);
    let (mut graph, mut log) = (LogGraph::default(), SalienceLog::default());
    // A graph of its own; reading goes on from log to log.
    let mut stored = Stored::default();
    let mut dreams = 0;
    for one in logs(&sessions.join(agent))? {
        let mut reader = Reader::new(&stored, agent, rules);
        reader.read(&BTreeMap::from([one]), &mut stored, &mut notes)?;
        dream_over(&mut graph, agent, 1, reader.events(), rules);
        log.note(reader.events(), &graph);
        dreams += 1;
    }
    notes.close();
    let curves = log.curves();
    Ok(Salience { agent: agent.to_owned(), dreams, half_life_ratio: half_life_ratio(&curves), curves })
}

impl Salience {
    /// Number of dreams until nothing is left; all dreams if something is.
    fn until_forgotten(&self) -> u32 {
        let of = |curve: &SalienceCurve| {
            let gone = curve.points.iter().find(|point| point.remembered == 0.0);
            gone.or(curve.points.last()).map_or(0, |point| point.dreams)
        };
        self.curves.iter().map(of).max().unwrap_or(0)
    }
}

/// The rows of the text: the first dreams one by one, then fewer.
fn is_shown(dreams: u32) -> bool {
    matches!(dreams, 1..=10 | 15 | 20 | 30 | 40 | 50 | 75 | 100)
}

impl View for Salience {
    fn lines(&self) -> Vec<String> {
        let row = |name: &str, cell: &dyn Fn(&SalienceCurve) -> String| {
            let cells: Vec<String> = self.curves.iter().map(|curve| format!("{:>16}", cell(curve))).collect();
            format!("{name:<9}{}", cells.concat())
        };
        let mut lines = vec![
            format!("{}: {} logs, a dream after each", self.agent, self.dreams),
            row("feeling", &|curve| curve.valence.to_string()),
            row("events", &|curve| curve.events.to_string()),
            "dreams since: mean salience, and share that is remembered".to_owned(),
        ];
        let longest = self.until_forgotten();
        lines.extend((1..=longest).filter(|dreams| is_shown(*dreams)).map(|dreams| {
            row(&format!("{dreams:>6}"), &|curve| {
                let point = curve.points.get(dreams as usize - 1);
                let shown = |point: &morta_memories::dark_pawns::SaliencePoint| {
                    format!("{:.3} {:>5.1} %", point.salience, 100.0 * point.remembered)
                };
                point.map_or_else(|| "-".to_owned(), shown)
            })
        }));
        let half = |curve: &SalienceCurve| {
            curve.half_life_dreams.map_or_else(|| "-".to_owned(), |dreams| format!("{dreams:.2} dreams"))
        };
        lines.push(row("half-life", &half));
        let ratio = self.half_life_ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
        lines.push(format!("half-life of 3 over 1: {ratio}"));
        lines
    }
}
