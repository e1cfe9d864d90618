//! Morta beside what a researcher would otherwise use: numpy and faiss for scoring, cpprb for prioritised sampling, Python and
//! numpy for outcome-weighted recall. Rounds of both alternate, so that a noisy neighbour disturbs both alike.
//!
//! `cargo bench --bench peers -- [--json] [--rounds N] [--only scoring|sampling|recall] [--most N]`; see README.md here.

mod peer;
mod recall;
mod sampling;
mod scoring;
mod table;

use anyhow::{Context, bail};
use peer::Peer;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use table::Row;

/// What to measure.
struct Options {
    json: bool,
    /// Alternations of ours and theirs.
    rounds: usize,
    only: Option<String>,
    /// Cases of more episodes are left out.
    most: usize,
}

impl Options {
    /// `None` when it isn't a benchmark that is asked for: `cargo test --benches` starts this program too.
    fn read() -> anyhow::Result<Option<Self>> {
        let mut options = Self { json: false, rounds: 7, only: None, most: usize::MAX };
        let mut asked = false;
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
            match argument.as_str() {
                "--bench" => asked = true,
                "--json" => options.json = true,
                "--rounds" => options.rounds = value()?.parse().context("--rounds needs a whole number")?,
                "--most" => options.most = value()?.parse().context("--most needs a whole number")?,
                "--only" => options.only = Some(value()?),
                other => bail!(
                    "{other}: there are --json, --rounds N, --most N and --only scoring|sampling|recall"
                ),
            }
        }
        if options.rounds == 0 {
            bail!("--rounds 0: there must be at least one");
        }
        if let Some(only) = options.only.as_deref()
            && !["scoring", "sampling", "recall"].contains(&only)
        {
            bail!("--only {only}: there are scoring, sampling and recall");
        }
        Ok(asked.then_some(options))
    }

    fn wants(&self, part: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == part)
    }
}

fn python() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let chosen = std::env::var_os("MORTA_PEERS_PYTHON").map(PathBuf::from);
    chosen.unwrap_or_else(|| here.join("benches/peers/.venv/bin/python"))
}

fn measure(options: &Options, peer: &mut Peer) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    if options.wants("sampling") {
        sampling::measure(options, peer, &mut rows)?;
    }
    if options.wants("recall") {
        recall::measure(options, peer, &mut rows)?;
    }
    if options.wants("scoring") {
        scoring::measure(options, peer, &mut rows)?;
    }
    Ok(rows)
}

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(error) => {
            writeln!(std::io::stderr(), "{error:#}").ok();
            ExitCode::from(2)
        }
    }
}

fn run() -> anyhow::Result<ExitCode> {
    let Some(options) = Options::read()? else { return Ok(ExitCode::SUCCESS) };
    let mut out = std::io::stdout().lock();
    let python = python();
    if !python.exists() {
        writeln!(
            out,
            "There is no {}, so there is nobody to compare with. Make it from the repository's root:\n  \
             python3.11 -m venv benches/peers/.venv\n  \
             benches/peers/.venv/bin/pip install -r benches/peers/requirements.txt\n\
             or name a Python that has the packages: MORTA_PEERS_PYTHON=/path/to/python",
            python.display()
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut peer = Peer::start(&python)?;
    let about = peer.about()?;
    let rows = measure(&options, &mut peer)?;
    if options.json {
        writeln!(out, "{}", table::json(&about, &rows))?;
    } else {
        write!(out, "{}", table::text(&about, &rows))?;
    }
    Ok(ExitCode::SUCCESS)
}
