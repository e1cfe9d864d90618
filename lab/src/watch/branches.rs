//! Branches of the world that is shown, requested by a viewer: lived one at a time (another request is refused meanwhile), so that they
//! don't take the cores of the world that is shown, each into a folder of its own beside the run's. A run that is over is branched from its
//! record; a scenario that is still lived is lived a second time up to the tick, into another folder (`-untilN`) that stays, with the
//! directives that its owner has given. At most eight are kept, and one that failed leaves nothing. It is a job list, and no queue, with
//! authorization: a viewer may change keys of the scenario, and no path, server or store. A scenario that asks a real model or persists
//! into a Lethe is branched only when it is over, one with memories in processes never.

use super::parts::each;
use super::scene::Scene;
use crate::io::error::{Context as _, Error, Result};
use crate::io::locked::locked;
use crate::io::text::markup::escape;
use crate::run::branch::{Branch, BranchRequest};
use crate::run::drive::{DriverChoice, EventTap, RunControl};
use crate::run::laboratory::Laboratory;
use crate::run::run_folder::RunFolder;
use crate::run::scenario_file::{Scenario, resolved_with};
use crate::run::steering::Steering;
use crate::run::{self, RunOptions};
use morta_base::Tick;
use morta_engine::event::Event;
use morta_engine::llm::LlmMode;
use morta_engine::market::AssetSource;
use morta_engine::world::{self, Plan};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// Most branches of one showing. Our choice: each stays in memory for the page; `morta branch` has no limit.
const BRANCHES_MAX: usize = 8;

/// What the world that is shown can be branched from (fork).
#[derive(Clone, Debug)]
pub enum BranchOrigin {
    /// A run that is recorded.
    Run(PathBuf),
    /// A scenario that is being lived into a folder. It is lived a second time, up to the tick of the branch, into a folder beside that
    /// one: a branch needs a recorded run, and the one that is shown isn't recorded whole yet.
    Scenario(Arc<Scenario>, PathBuf),
}

impl BranchOrigin {
    /// Makes a scenario that is lived into a folder a source of branches; none where living it twice would have a side effect twice: ask a
    /// model for money, or leave its bloodstains in a Lethe of others. What processes remember can't be branched at all.
    pub fn of_scenario(scenario: &Arc<Scenario>, folder: &Path) -> Option<Self> {
        let Scenario { scenario: world, laboratory, .. } = scenario.as_ref();
        let asks = matches!(world.llm.mode, LlmMode::Live | LlmMode::Record);
        let is_alone = !asks && world.lethe.persist.is_none() && laboratory.processes().is_empty();
        is_alone.then(|| Self::Scenario(Arc::clone(scenario), folder.to_owned()))
    }

    /// The same with an owner's directives so far, as the record will have them: without these the second life would part from the one
    /// that is shown at the first of them.
    pub(super) fn steered_by(self, steering: &Steering) -> Self {
        match self {
            Self::Scenario(scenario, folder) if steering.given() > 0 => {
                let mut steered = Scenario::clone(&scenario);
                steered.scenario = steering.written_into(steered.scenario);
                Self::Scenario(Arc::new(steered), folder)
            }
            origin => origin,
        }
    }
}

/// What a viewer wants changed, and from when on (request body as JSON).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BranchWish {
    at: Tick,
    /// As `--set` has it.
    set: Vec<String>,
}

/// Why a branch isn't begun (error enum; each kind has its HTTP status in `requests`).
pub(super) enum Refusal {
    /// The tick hasn't been lived, there is no whole run yet, another branch is being lived, or there were enough.
    NotNow(&'static str),
    /// A key that names files or servers.
    OutOfReach(String),
    /// A change that can't be made, in the words for it.
    Mistaken(String),
}

/// All that were asked for (job list; one job runs at a time).
pub(super) struct Branches {
    laboratory: Laboratory,
    list: Mutex<Vec<Arc<PendingBranch>>>,
    /// The thread that lives the last of them.
    thread: Mutex<Option<JoinHandle<()>>>,
    stop: Arc<AtomicBool>,
}

struct PendingBranch {
    wish: BranchWish,
    state: Mutex<State>,
    scene: Mutex<Scene>,
}

#[derive(Clone)]
enum State {
    UnderWay,
    Lived { folder: PathBuf, parted: String },
    Failed(String),
}

impl Branches {
    /// None yet; they are lived with a laboratory (empty job list).
    pub(super) fn new(laboratory: Laboratory) -> Self {
        Self { laboratory, list: Mutex::default(), thread: Mutex::default(), stop: Arc::default() }
    }

    /// Begins a branch of a world that has been lived for `lived` ticks, on a thread of its own; `changed` is called when there is news of
    /// it.
    pub(super) fn ask(
        self: &Arc<Self>,
        origin: Option<BranchOrigin>,
        lived: Tick,
        wish: BranchWish,
        changed: impl Fn() + Send + 'static,
    ) -> Result<(), Refusal> {
        let origin =
            origin.ok_or(Refusal::NotNow("this run can be branched when it is over, and not before"))?;
        if wish.at >= lived {
            return Err(Refusal::NotNow("that tick hasn't been lived yet: name an earlier one"));
        }
        refuse_out_of_reach(&origin, &wish.set)?;
        let mut list = locked(&self.list);
        if list.iter().any(|request| matches!(*locked(&request.state), State::UnderWay)) {
            return Err(Refusal::NotNow("another branch is being lived: wait for it"));
        }
        // One that failed has left nothing, and doesn't count.
        list.retain(|request| !matches!(*locked(&request.state), State::Failed(_)));
        if list.len() >= BRANCHES_MAX {
            return Err(Refusal::NotNow("there were enough branches here: go on with `morta branch`"));
        }
        let request =
            Arc::new(PendingBranch { wish, state: Mutex::new(State::UnderWay), scene: Mutex::default() });
        list.push(Arc::clone(&request));
        drop(list);
        let (stop, laboratory) = (Arc::clone(&self.stop), self.laboratory.clone());
        let thread = std::thread::spawn(move || {
            let tap: Arc<dyn EventTap> = Arc::clone(&request) as Arc<dyn EventTap>;
            let state =
                match live(&origin, &request.wish, &laboratory, RunControl::stopped_by(&stop).with_tap(&tap))
                {
                    Ok((folder, parted)) => State::Lived { folder, parted },
                    Err(error) => State::Failed(error.to_string()),
                };
            *locked(&request.state) = state;
            changed();
        });
        *locked(&self.thread) = Some(thread);
        Ok(())
    }

    /// Cancels the branch that is being lived, and waits until it has taken away what it had written.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        let thread = locked(&self.thread).take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            tracing::warn!("a branch of the live view has failed");
        }
    }

    /// All of them, with how each has gone (job list as JSON).
    pub(super) fn description(&self) -> Value {
        let one = |asked: &Arc<PendingBranch>| {
            let (state, folder, words) = asked.now();
            let scene = locked(&asked.scene);
            json!({
                "at": asked.wish.at,
                "set": asked.wish.set,
                "state": state,
                "folder": folder,
                "words": words,
                "tick": scene.lived(),
                "series": scene.series,
            })
        };
        locked(&self.list).iter().map(one).collect()
    }

    /// The same as a list in markup (HTML list).
    pub(super) fn written(&self) -> String {
        let one = |(place, asked): (usize, &Arc<PendingBranch>)| {
            let (state, folder, words) = asked.now();
            let how = match (state, folder) {
                ("under_way", _) => format!("under way, tick {}", locked(&asked.scene).lived()),
                (state, None) => format!("{state}: {words}"),
                (state, Some(folder)) => format!("{state}: {words}; written to {}", folder.display()),
            };
            let (at, set) = (asked.wish.at, asked.wish.set.join(", "));
            escape(&format!("branch {} from tick {at}, {set}: {how}", place + 1))
        };
        each("li", locked(&self.list).iter().enumerate().map(one))
    }
}

impl PendingBranch {
    /// How it has gone: a word, its folder once it has one, and what came of it.
    fn now(&self) -> (&'static str, Option<PathBuf>, String) {
        match locked(&self.state).clone() {
            State::UnderWay => ("under_way", None, String::new()),
            State::Lived { folder, parted } => ("lived", Some(folder), parted),
            State::Failed(why) => ("failed", None, why),
        }
    }
}

impl EventTap for PendingBranch {
    fn begun(&self, plan: &Plan) {
        locked(&self.scene).begin(plan.scenario());
    }

    fn on_events(&self, events: &[Event]) {
        locked(&self.scene).take(events);
    }
}

/// Refuses a wish that changes a part of a scenario that names files, servers or stores: a viewer may not choose what else is read, written
/// or asked. The change is held against what it resolves to, because a key has many spellings (`llm.cassette=x`, `llm={cassette="x"}`,
/// `market.assets={...}`). A change that can't be resolved is refused too: the branch sets `ticks` itself, and a mistake in that key would
/// otherwise hide the others from this guard and be gone by the time the branch is lived.
fn refuse_out_of_reach(origin: &BranchOrigin, set: &[String]) -> Result<(), Refusal> {
    let mistaken = |error: Error| Refusal::Mistaken(error.to_string());
    let recorded;
    let before = match origin {
        BranchOrigin::Scenario(scenario, _) => &scenario.scenario,
        BranchOrigin::Run(run) => {
            recorded = RunFolder::open(run).map_err(mistaken)?.manifest.scenario;
            &recorded
        }
    };
    let after = resolved_with(before, set).map_err(mistaken)?;
    let files = |scenario: &world::Scenario| -> Vec<Option<String>> {
        scenario
            .market
            .assets
            .iter()
            .map(|asset| match &asset.source {
                AssetSource::Replay(recording) => Some(recording.file.clone()),
                AssetSource::Synthetic(_) => None,
            })
            .collect()
    };
    let is_known = |file: &Option<String>| file.is_none() || files(before).contains(file);
    let changed = [
        ("llm", before.llm != after.llm),
        ("lethe", before.lethe != after.lethe),
        ("market.assets.source.file", !files(&after).iter().all(is_known)),
    ];
    match changed.into_iter().find(|(_, is_changed)| *is_changed) {
        None => Ok(()),
        Some((key, _)) => {
            Err(Refusal::OutOfReach(format!("{key}: can't be changed from here: use `morta branch`")))
        }
    }
}

fn live(
    origin: &BranchOrigin,
    wish: &BranchWish,
    laboratory: &Laboratory,
    control: RunControl<'_>,
) -> Result<(PathBuf, String)> {
    // What a branch is lived for beyond the tick it begins at; of a recorded run, up to where that ends.
    let (run, ticks) = match origin {
        BranchOrigin::Run(run) => (run.clone(), None),
        BranchOrigin::Scenario(scenario, folder) => {
            let run = live_up_to(scenario, folder, wish.at + 1, control.stop())?;
            (run, Some(scenario.scenario.ticks.saturating_sub(wish.at).max(1)))
        }
    };
    let (BranchOrigin::Run(shown) | BranchOrigin::Scenario(_, shown)) = origin;
    let folder = beside(shown, "branch")?;
    let lived = || {
        let parent = RunFolder::open(&run)?;
        let request = BranchRequest { at: wish.at, ticks, set: wish.set.clone(), ..BranchRequest::default() };
        Branch::prepare(&parent, request, laboratory)?.live(&folder, DRIVER, control)
    };
    let branched = lived().inspect_err(|_| {
        // Files of a branch that failed would look like those of a whole one. Where they can't be removed either, the folder itself shows it.
        let _ = std::fs::remove_dir_all(&folder);
        if matches!(origin, BranchOrigin::Scenario(..)) {
            let _ = std::fs::remove_dir_all(&run);
        }
    })?;
    let parted = match branched.report.parting.first_event {
        None => "nothing happened otherwise".to_owned(),
        Some(pair) => format!("the first that happened otherwise was at tick {}", pair.tick),
    };
    Ok((folder, parted))
}

/// One thread: the world that is shown may be lived meanwhile.
const DRIVER: DriverChoice = DriverChoice { plain: true, threads: None };

/// Lives the first ticks of a scenario a second time; returns where they are recorded.
fn live_up_to(scenario: &Scenario, shown: &Path, ticks: Tick, stop: &Arc<AtomicBool>) -> Result<PathBuf> {
    let mut scenario = scenario.clone();
    scenario.scenario.ticks = ticks;
    let folder = beside(shown, "until")?;
    let options = RunOptions {
        driver: DRIVER,
        control: RunControl::stopped_by(stop),
        ..RunOptions::into_folder(folder.clone())
    };
    let lived = run::run(&scenario, options)?;
    if lived.manifest.interrupted {
        std::fs::remove_dir_all(&folder)
            .with_context(|| format!("{} can't be taken away", folder.display()))?;
        return Err(Error::stopped("stopped: nothing is left of the branch"));
    }
    Ok(folder)
}

/// The first name for a folder beside another that nothing has yet.
fn beside(run: &Path, suffix: &str) -> Result<PathBuf> {
    let name = run.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let named = |number: u32| run.with_file_name(format!("{name}-{suffix}{number}"));
    let folder = (1..).map(named).find(|folder| !folder.exists());
    folder.ok_or_else(|| Error::invalid("there is no name left for a branch"))
}
