//! `morta sweep --submit`: batch job submission of a sweep's units to a scheduler that exists already, as a Slurm array or a Ray job. It
//! writes scripts into the folder, calls `sbatch` or `ray job submit`, waits for the units' files, and collects the tables. With
//! `--no-wait` it returns at once, and a job of the scheduler collects. Ctrl-C stops the waiting and not the job.
//!
//! It is kept thin, and the script is shown, because clusters differ and users must change it. All nodes must see the same paths.
//! `SubmitArgs` has the CLI arguments for job submission; `Engine` is a batch scheduler (job scheduler, cluster backend).

use super::Args;
use super::units::UnitArgs;
use crate::terminal::CellLine;
use anyhow::Context as _;
use clap::ValueEnum;
use morta_console::failure::UserError;
use morta_console::limits::as_flags;
use morta_console::output;
use morta_console::terminal::{INTERRUPTED, stop_on_interrupt};
use morta_lab::limits::Limits;
use morta_lab::sweep_file::Sweep;
use morta_lab::sweep_run::CellWatch as _;
use morta_lab::sweep_run::units::{UnitPlan, last_lines};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const UNITS_SLURM: &str = include_str!("units.slurm.sh");
const COLLECT_SLURM: &str = include_str!("collect.slurm.sh");
const DRIVER_RAY: &str = include_str!("driver.ray.py");
/// Remedy for an array that Slurm refuses as too long.
const TOO_LONG: &str = ": most sites take arrays of 1,000 tasks at most (`scontrol show config | grep MaxArraySize`); plan fewer, longer units in another folder \
    with --unit-minutes";
/// Interval between two looks at the folder.
const LOOK: Duration = Duration::from_secs(1);
/// Interval between two calls of squeue. It is longer than that of the folder, because Slurm's controller serves all users.
const ASK: Duration = Duration::from_secs(10);

/// Who runs the units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Engine {
    /// An array job of Slurm (`sbatch`).
    Slurm,
    /// Tasks of Ray (`ray job submit`).
    Ray,
}

/// Flags for sweeps that are handed to an engine.
#[derive(clap::Args)]
pub(super) struct SubmitArgs {
    /// Hand the sweep's units to an engine, wait, and collect. The scripts lie in the folder; with --dry-run they are printed, and nothing is
    /// written. All nodes must see the folder, the sweep's files and this program under the same paths.
    #[arg(long, value_name = "ENGINE", conflicts_with_all = ["units", "resume"])]
    submit: Option<Engine>,

    /// With --submit, return when the units are handed over.
    #[arg(long, requires = "submit")]
    no_wait: bool,

    /// With --submit, further arguments for sbatch or `ray job submit`, as one text: --engine-args='--partition=long --time=2:00:00'.
    #[arg(long, value_name = "ARGS", requires = "submit", allow_hyphen_values = true)]
    engine_args: Option<String>,
}

/// The sweep's command for another process, with absolute paths (invocation).
pub(super) struct Call {
    /// This program, which the scheduler's nodes start.
    morta: PathBuf,
    file: PathBuf,
    out: PathBuf,
    /// Flags that define the sweep.
    flags: Vec<String>,
    dry_run: bool,
    as_json: bool,
}

impl Call {
    /// Builds the command line of a job from these arguments.
    pub(super) fn from_arguments(file: &Path, out: &Path, args: &Args, limits: &Limits) -> Self {
        let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let pair = |flag: &str, value: Option<String>| value.map(|value| [flag.to_owned(), value]);
        let flags = pair("--profile", args.profile.clone())
            .into_iter()
            .chain(pair("--seeds", args.seeds.map(|seeds| seeds.to_string())))
            .flatten()
            .chain(args.memories.typed())
            .chain(as_flags(limits))
            .collect();
        let morta = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("morta"));
        let (file, out) = (whole(file), whole(out));
        Self { morta, file, out, flags, dry_run: args.dry_run, as_json: args.json }
    }

    /// The words after `morta sweep`, without the flags of the action.
    fn words(&self) -> Vec<String> {
        let path = |path: &Path| path.display().to_string();
        let mut words = vec![path(&self.file), "--out".to_owned(), path(&self.out)];
        words.extend(self.flags.iter().cloned());
        words
    }

    fn slurm(&self, template: &str, plan: &UnitPlan) -> anyhow::Result<String> {
        let quoted = |text: &str| -> anyhow::Result<String> {
            let quoted = shlex::try_quote(text)
                .ok()
                .context("a path or a flag holds a character that no script can")?;
            Ok(quoted.into_owned())
        };
        let path = |path: &Path| quoted(&path.display().to_string());
        let flags: Vec<String> = self.flags.iter().map(|flag| quoted(flag)).collect::<Result<_, _>>()?;
        let name: String =
            plan.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(40).collect();
        // Slurm parses `#SBATCH` lines itself, without quotes.
        let logs = self.out.join("slurm").display().to_string();
        if logs.contains(char::is_whitespace) {
            let line = format!(
                "{logs}: Slurm can't write to a folder with a space in its name: choose another with --out"
            );
            return Err(UserError::new(line));
        }
        Ok(template
            .replace("@NAME@", &format!("morta-{name}"))
            .replace("@LAST@", &plan.units().saturating_sub(1).to_string())
            .replace("@LOGS@", &logs)
            .replace("@MORTA@", &path(&self.morta)?)
            .replace("@FILE@", &path(&self.file)?)
            .replace("@OUT@", &path(&self.out)?)
            .replace("@FLAGS@", &flags.iter().map(|flag| format!("{flag} ")).collect::<String>()))
    }

    fn ray(&self, plan: &UnitPlan) -> anyhow::Result<String> {
        // A JSON string is a valid Python string.
        Ok(DRIVER_RAY
            .replace("@MORTA_PY@", &serde_json::to_string(&self.morta.display().to_string())?)
            .replace("@SWEEP_PY@", &serde_json::to_string(&self.words())?)
            .replace("@UNITS@", &plan.units().to_string()))
    }

    fn come_back(&self) -> String {
        let words: Vec<String> = self.words();
        let shown = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "));
        format!("morta sweep {shown} --collect")
    }
}

/// A file for the scheduler.
struct Script {
    path: PathBuf,
    text: String,
}

impl SubmitArgs {
    /// Whether `--submit` was given (batch submission requested).
    pub(super) fn is_given(&self) -> bool {
        self.submit.is_some()
    }

    /// Writes the scripts and submits them (Slurm array or Ray job); with `--dry-run` prints them only.
    pub(super) fn run(&self, sweep: &Sweep, call: Call, units: &UnitArgs) -> anyhow::Result<ExitCode> {
        let engine = self.submit.context("no engine was named")?;
        let more = match &self.engine_args {
            None => Vec::new(),
            Some(text) => {
                let split = shlex::split(text);
                split.ok_or_else(|| {
                    UserError::new(format!("--engine-args {text}: a quotation mark has no end"))
                })?
            }
        };
        let unit = units.unit();
        let plan = if call.dry_run {
            sweep.look_at_units(&call.out, unit)
        } else {
            sweep.plan_units(&call.out, unit)
        }?;
        let scripts = scripts(engine, &call, &plan)?;
        if call.dry_run {
            for Script { path, text } in &scripts {
                output::line(format!("==> {} <==\n{text}", path.display()))?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        for Script { path, text } in &scripts {
            morta_lab::whole_file::replace(path, text.as_bytes())?;
        }
        let stop = stop_on_interrupt()?;
        let mut job = match engine {
            Engine::Slurm => Job::slurm(&scripts, &more, self.no_wait)?,
            Engine::Ray => Job::ray(&scripts[0].path, &more, self.no_wait)?,
        };
        if self.no_wait {
            output::line(format!("{}: {} units; then: {}", job.name, plan.units(), call.come_back()))?;
            return Ok(ExitCode::SUCCESS);
        }
        if !job.wait(&sweep.archives(&call.out, &plan), call.as_json, &stop)? {
            output::line(format!("{} goes on; when it has ended: {}", job.name, call.come_back()))?;
            return Ok(ExitCode::from(INTERRUPTED as u8));
        }
        units.collect(sweep, &call.out, call.as_json)
    }
}

fn scripts(engine: Engine, call: &Call, plan: &UnitPlan) -> anyhow::Result<Vec<Script>> {
    let at = |name: &str| call.out.join(name);
    Ok(match engine {
        Engine::Slurm => vec![
            Script { path: at("slurm/units.sh"), text: call.slurm(UNITS_SLURM, plan)? },
            Script { path: at("slurm/collect.sh"), text: call.slurm(COLLECT_SLURM, plan)? },
        ],
        Engine::Ray => vec![Script { path: at("ray/driver.py"), text: call.ray(plan)? }],
    })
}

/// Units in a scheduler.
struct Job {
    name: String,
    /// Slurm's job number.
    number: Option<String>,
    /// The process that submitted the job to Ray and lasts as long as it, with its log.
    client: Option<(Child, PathBuf)>,
}

impl Job {
    fn slurm(scripts: &[Script], more: &[String], collects: bool) -> anyhow::Result<Self> {
        let submit = |arguments: &[&str], script: &Script| -> anyhow::Result<String> {
            let mut sbatch = Command::new("sbatch");
            sbatch.arg("--parsable").args(arguments).args(more).arg(&script.path);
            let done = sbatch.output().map_err(|error| {
                UserError::new(format!("sbatch can't be started: {error}: is Slurm here?"))
            })?;
            if !done.status.success() {
                let said = String::from_utf8_lossy(&done.stderr);
                let said = said.trim().lines().collect::<Vec<_>>().join(" | ");
                let remedy = if said.contains("array") { TOO_LONG } else { "" };
                let line = format!("sbatch has refused {}: {said}{remedy}", script.path.display());
                return Err(UserError::new(line));
            }
            let said = String::from_utf8_lossy(&done.stdout).trim().to_owned();
            // With several clusters the output is NUMBER;CLUSTER.
            Ok(said.split(';').next().unwrap_or_default().to_owned())
        };
        let number = submit(&[], &scripts[0])?;
        if collects {
            submit(&[&format!("--dependency=afterany:{number}")], &scripts[1])?;
        }
        Ok(Self { name: format!("Slurm's job {number}"), number: Some(number), client: None })
    }

    fn ray(driver: &Path, more: &[String], no_wait: bool) -> anyhow::Result<Self> {
        let mut submit = Command::new("ray");
        submit.args(["job", "submit"]).args(more);
        if no_wait {
            submit.arg("--no-wait");
        }
        let log_path = driver.with_file_name("submit.txt");
        let log =
            File::create(&log_path).with_context(|| format!("{} can't be written", log_path.display()))?;
        submit.args(["--", "python3"]).arg(driver).args(no_wait.then_some("--collect"));
        submit.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let started = submit.spawn();
        let mut client = started
            .map_err(|error| UserError::new(format!("ray can't be started: {error}: is Ray here?")))?;
        if no_wait {
            check_ray(&mut client, &log_path)?;
        }
        Ok(Self { name: "Ray's job".to_owned(), number: None, client: Some((client, log_path)) })
    }

    /// Waits until the files of all units are there, or the scheduler has no unit left. Returns false if the user stopped waiting.
    fn wait(&mut self, archives: &[PathBuf], quiet: bool, stop: &AtomicBool) -> anyhow::Result<bool> {
        let watch = CellLine::new("units", quiet);
        let mut left: Vec<&PathBuf> = archives.iter().filter(|path| !path.exists()).collect();
        watch.begun(archives.len() as u64, (archives.len() - left.len()) as u64);
        let mut last_query = Instant::now();
        let ended = loop {
            left.retain(|path| {
                let is_there = path.exists();
                (0..u32::from(is_there)).for_each(|_| watch.cell_ended(false));
                !is_there
            });
            if stop.load(Ordering::Relaxed) {
                break false;
            }
            if left.is_empty() {
                break true;
            }
            if last_query.elapsed() >= ASK || self.client.is_some() {
                last_query = Instant::now();
                if !self.goes_on()? {
                    break true;
                }
            }
            std::thread::sleep(LOOK);
        };
        watch.over();
        Ok(ended)
    }

    fn goes_on(&mut self) -> anyhow::Result<bool> {
        if let Some((client, log_path)) = &mut self.client {
            return match client.try_wait()? {
                None => Ok(true),
                Some(_) => check_ray(client, log_path).map(|()| false),
            };
        }
        let Some(number) = &self.number else { return Ok(false) };
        // A controller that doesn't answer says nothing about the job. One that no longer knows the job has ended it.
        let queue = Command::new("squeue").args(["-h", "-j", number]).output();
        Ok(match queue {
            Ok(said) if said.status.success() => !said.stdout.is_empty(),
            Ok(said) => !String::from_utf8_lossy(&said.stderr).contains("Invalid job id"),
            Err(_) => true,
        })
    }
}

/// Waits for Ray's client. If it failed, the error has its last lines.
fn check_ray(client: &mut Child, log_path: &Path) -> anyhow::Result<()> {
    if client.wait()?.success() {
        return Ok(());
    }
    let last = last_lines(log_path, 5).join(" | ");
    Err(UserError::new(format!("Ray's job has failed: {last} (all of it: {})", log_path.display())))
}
