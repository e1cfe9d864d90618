//! `morta memory owm kelly`: the share of equity that remembered outcomes suggest.

use super::input;
use crate::output;
use morta_engine::memory::owm::kelly::{KellyConfig, Recollection, from_memory};
use serde::Deserialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// The flags.
#[derive(clap::Args)]
#[command(after_long_help = HELP)]
pub struct Args {
    /// One JSON object; - reads standard input.
    file: PathBuf,
}

const HELP: &str = r#"FILE is one object:
  memories        a list of {"score", "pnl_r"}: how loudly each is remembered, and its outcome in R or null
  risk_appetite   0 to 1; 1 when left out
  fractional      share of the full fraction that is dared, 0 to 1; 0.25 when left out
  least_memories  with fewer memories the answer is 0; 10 when left out
  cap             largest answer; no limit when left out
Prints {"kelly"}: max(0, (p/a - q/b) * fractional * risk_appetite), with p the share of all scores that gains have, and b and a
the score-weighted mean gain and loss; 0 without gains or without losses."#;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    #[serde(default = "one")]
    risk_appetite: f64,
    #[serde(default)]
    fractional: Option<f64>,
    #[serde(default)]
    least_memories: Option<u32>,
    #[serde(default)]
    cap: Option<f64>,
    memories: Vec<Remembered>,
}

const fn one() -> f64 {
    1.0
}

/// A memory whose score has been looked at.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Recollection")]
struct Remembered(Recollection);

impl TryFrom<Recollection> for Remembered {
    type Error = String;

    fn try_from(memory: Recollection) -> Result<Self, String> {
        input::within("score", memory.score, 0.0, 1e12)?;
        memory.pnl_r.map_or(Ok(0.0), |r| input::within("pnl_r", r, -1e12, 1e12))?;
        Ok(Self(memory))
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let question: Question = input::object(&args.file)?;
    let usual = KellyConfig::default();
    let config = KellyConfig {
        fractional: question.fractional.unwrap_or(usual.fractional),
        least_memories: question.least_memories.unwrap_or(usual.least_memories),
        cap: question.cap.unwrap_or(usual.cap),
        ..usual
    };
    let checked = input::within("risk_appetite", question.risk_appetite, 0.0, 1.0)
        .and_then(|_| input::within("fractional", config.fractional, 0.0, 1.0))
        .and_then(|_| input::within("cap", config.cap, 0.0, 1_000.0));
    checked.map_err(|what| input::refuse(&args.file, what))?;
    let memories: Vec<Recollection> = question.memories.into_iter().map(|memory| memory.0).collect();
    let kelly = from_memory(&memories, question.risk_appetite, &config);
    output::line(serde_json::json!({ "kelly": kelly }))?;
    Ok(ExitCode::SUCCESS)
}
