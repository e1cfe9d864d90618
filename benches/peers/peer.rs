//! The Python process that measures the others.

use anyhow::{Context, bail};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running `peers.py`. It ends when its input does.
pub struct Peer {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Peer {
    pub fn start(python: &Path) -> anyhow::Result<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/peers.py");
        let mut child = Command::new(python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {}", python.display()))?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().context("the peer's output is piped")?);
        Ok(Self { child, input, output })
    }

    fn ask(&mut self, question: &Value) -> anyhow::Result<Value> {
        let input = self.input.as_mut().context("the peer's input is piped")?;
        writeln!(input, "{question}").context("the peer has ended")?;
        input.flush()?;
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            bail!("the peer ended at {question}; its own words are above");
        }
        let answer: Value = serde_json::from_str(&line).with_context(|| format!("the peer said {line:?}"))?;
        match answer.get("error") {
            Some(error) => bail!("{question}: {error}"),
            None => Ok(answer),
        }
    }

    /// Versions.
    pub fn about(&mut self) -> anyhow::Result<Value> {
        self.ask(&json!({ "case": "about" }))
    }

    /// Frees the data of all cases.
    pub fn forget(&mut self) -> anyhow::Result<()> {
        self.ask(&json!({ "case": "forget" })).map(|_| ())
    }

    /// Nanoseconds of each of `rounds` runs of a case.
    pub fn measure(&mut self, case: &Value, rounds: usize) -> anyhow::Result<Vec<f64>> {
        let mut question = case.clone();
        question["rounds"] = json!(rounds);
        let answer = self.ask(&question)?;
        let times = answer["nanoseconds"].as_array().context("the peer answers with nanoseconds")?;
        times.iter().map(|time| time.as_f64().context("nanoseconds are numbers")).collect()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.input = None;
        // It has nothing left to say; how it ended doesn't matter.
        self.child.wait().ok();
    }
}
