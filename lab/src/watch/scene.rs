//! The visible state of a world: made from its events and nothing else, so that a world that another process lives can be shown by the same
//! code. It is the view model of the dashboard (event projection). Money is USDC, times are ticks. Lists and dots are bounded
//! (600 golems, 12 births and deaths), counts and survival curves take in everybody. Nothing is judged by it; the tables of the run have it
//! all. A branch that a viewer asked for has a scene of its own, for its tick and its series alone.

use super::parts::{self, Parts, cell, each, figure, keep_newest};
use super::people::{Dreaming, Person};
use super::series::{CohortNow, Series};
use super::styx::Styx;
use crate::io::text::{date, time};
use crate::run::follow::{FollowLine, Happening, Mode, Narrator};
use morta_base::{GolemId, Lineage, Tick};
use morta_engine::event::{Event, EventKind, TickRecord};
use morta_engine::world::Scenario;
use morta_stats::survival::Lifetimes;
use morta_stats::survival::kaplan_meier::KaplanMeier;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};

/// Most golems that a page shows as dots. Our choice: a state is sent several times a second, and more dots overlap.
const DOTS_MAX: usize = 600;

/// Dreamers that a page lists (our choice: a screen's height); the counts by mode have all of them.
const DREAMERS_MAX: usize = 24;

/// Births and deaths that a page lists (our choice): more would scroll past in a fast world before they are read.
const RECENT: usize = 12;

/// Dead golems whose course and playbook are kept (our choice: some kilobytes each, so a few megabytes in all). Without a bound a long run would fill the
/// memory.
const DEAD_MAX: usize = 500;

/// Confidence level of the curve's bands: that of the report of a run, so that both show the same.
const LEVEL: f64 = 0.95;

/// Points of a survival curve that a page draws (our choice): a curve has a step for each age at death, and is sent anew with each state.
const CURVE_POINTS_MAX: usize = 120;

/// The view model of a world, as far as its events have been taken in.
#[derive(Default)]
pub struct Scene {
    name: String,
    seed: u64,
    ticks: Tick,
    lived: Tick,
    cohorts: Vec<Cohort>,
    narrator: Narrator,
    people: BTreeMap<GolemId, Person>,
    /// The golem in a lineage's slot, living or the last that died there.
    holders: BTreeMap<Lineage, GolemId>,
    pub(super) series: Series,
    styx: Styx,
    recent: VecDeque<FollowLine>,
    /// Dead golems whose lives can still be shown in full, the longest dead first.
    dead: VecDeque<GolemId>,
    last: Option<TickRecord>,
}

#[derive(Default)]
struct Cohort {
    name: String,
    born: u64,
    died: u64,
    /// Ages at death, ticks.
    ages: Vec<f64>,
}

/// Age, share surviving, and its band.
type CurvePoint = (f64, f64, Option<(f64, f64)>);

/// How many golems are in each [`Mode`].
type Modes = [u64; Mode::COUNT];

impl Scene {
    /// Sets up the scene at the beginning of a world (idempotent). A second call changes nothing, so that a world that goes on keeps what
    /// was taken in.
    pub fn begin(&mut self, scenario: &Scenario) {
        if !self.cohorts.is_empty() {
            return;
        }
        let named = |name: &String| Cohort { name: name.clone(), ..Cohort::default() };
        self.cohorts = scenario.cohorts.iter().map(|cohort| named(&cohort.name)).collect();
        self.narrator.begin(scenario.cohorts.iter().map(|cohort| cohort.name.clone()).collect());
        (self.name, self.seed, self.ticks) = (scenario.name.clone(), scenario.seed, scenario.ticks);
    }

    /// Takes in events, and so updates the projection.
    pub fn take(&mut self, events: &[Event]) {
        self.take_and_tell(events, |_| ());
    }

    /// Takes in events, and hands on each line that the narrator makes of them.
    pub(super) fn take_and_tell(&mut self, events: &[Event], mut on_line: impl FnMut(&FollowLine)) {
        for event in events {
            self.take_one(event, &mut on_line);
        }
    }

    fn take_one(&mut self, event: &Event, on_line: &mut impl FnMut(&FollowLine)) {
        if let EventKind::TickClosed(record) = &event.kind {
            if self.series.keeps(event.tick) {
                self.series.push(event.tick, record, self.cohorts_now());
            }
            self.lived = event.tick + 1;
            self.last = Some((**record).clone());
            return;
        }
        let Some(golem) = event.golem else { return };
        if let EventKind::Born { cohort, parent, endowment } = &event.kind {
            self.people.insert(golem, Person::new(*cohort, *parent, event.tick, endowment.dollars()));
            self.holders.insert(golem.lineage, golem);
            if let Some(cohort) = self.cohorts.get_mut(usize::from(*cohort)) {
                cohort.born += 1;
            }
        }
        let mut lines = Vec::new();
        self.narrator.tell(event, &mut |line| lines.push(line));
        for line in lines {
            on_line(&line);
            self.hear(line);
        }
        if let Some(person) = self.people.get_mut(&golem) {
            person.live(event);
        }
    }

    fn cohorts_now(&self) -> Vec<CohortNow> {
        let mut now: Vec<CohortNow> = self.cohorts.iter().map(|_| CohortNow::default()).collect();
        for person in self.holders.values().filter_map(|id| self.people.get(id)) {
            let (Some(mode), Some(cohort)) = (person.mode, now.get_mut(usize::from(person.cohort))) else {
                continue;
            };
            cohort.alive += 1;
            cohort.dreaming += u32::from(matches!(mode, Mode::Dreaming));
            cohort.total_r.push(person.total_r);
        }
        now
    }

    fn hear(&mut self, line: FollowLine) {
        self.styx.hear(&line);
        let Some(person) = self.people.get_mut(&line.golem) else { return };
        match &line.happening {
            Happening::ModeChange { to, .. } => {
                person.mode = Some(*to);
                person.course.sleeps(line.tick, matches!(to, Mode::Dreaming));
            }
            Happening::DreamProgress { dream, phase, share_done, spent_usd, .. } => {
                let (dream, phase, share_done, spent_usd) = (*dream, *phase, *share_done, *spent_usd);
                person.dreaming = Some(Dreaming { dream, phase, share_done, spent_usd });
            }
            Happening::DreamComplete { .. } => person.dreaming = None,
            Happening::Died { cause, age_ticks, .. } => {
                (person.mode, person.died, person.dreaming) = (None, Some(line.tick), None);
                person.cause = Some(cause.name());
                person.course.sleeps(line.tick, false);
                self.dead.push_back(line.golem);
                if let Some(cohort) = self.cohorts.get_mut(usize::from(person.cohort)) {
                    cohort.died += 1;
                    cohort.ages.push(*age_ticks as f64);
                }
            }
            _ => {}
        }
        // The longest dead are forgotten first; their lives are in the run's tables, so nothing is lost.
        while self.dead.len() > DEAD_MAX {
            if let Some(person) = self.dead.pop_front().and_then(|golem| self.people.get_mut(&golem)) {
                person.forget();
            }
        }
        if matches!(line.happening, Happening::Born { .. } | Happening::Died { .. }) {
            keep_newest(&mut self.recent, RECENT, line);
        }
    }

    /// The number of ticks that have been lived.
    pub fn lived(&self) -> Tick {
        self.lived
    }

    /// Takes a snapshot of the view model as JSON: all that a page shows.
    pub fn description(&self) -> Value {
        let (cohorts, parts) = self.cohorts_told();
        let dots = self.in_slots().take(DOTS_MAX);
        let dots: Vec<Value> =
            dots.map(|(id, person)| json!([id.to_string(), person.cohort, person.mode])).collect();
        json!({
            "name": self.name,
            "ticks": self.ticks,
            "tick": self.lived,
            "cohorts": cohorts,
            "golems": dots,
            "series": self.series,
            "regimes": self.series.regimes(),
            "parts": parts.into_value(),
        })
    }

    /// The golem of each slot, living or the last that died there: a page has a square for each.
    fn in_slots(&self) -> impl Iterator<Item = (&GolemId, &Person)> {
        self.holders.values().filter_map(|id| Some((id, self.people.get(id)?)))
    }

    /// Each cohort's name and curve, and the parts of the page that tables and lists are.
    fn cohorts_told(&self) -> (Vec<Value>, Parts) {
        let mut modes = vec![Modes::default(); self.cohorts.len()];
        let mut ages = vec![Vec::new(); self.cohorts.len()];
        let mut dreamers = Vec::new();
        for (id, person) in self.in_slots() {
            let cohort = usize::from(person.cohort);
            let (Some(mode), Some(counts)) = (person.mode, modes.get_mut(cohort)) else { continue };
            counts[mode.index()] += 1;
            ages[cohort].push(self.lived.saturating_sub(person.born) as f64);
            if let Some(dream) = person.dreaming.as_ref().filter(|_| dreamers.len() < DREAMERS_MAX) {
                dreamers.push(dream.row(*id, person));
            }
        }
        let (mut told, mut rows) = (Vec::new(), Vec::new());
        for (place, cohort) in self.cohorts.iter().enumerate() {
            let survival = cohort.survival(&ages[place]);
            let (points, median) = survival.map_or((None, None), |(points, median)| (Some(points), median));
            rows.push(cohort.row(place, &modes[place], median));
            told.push(json!({ "name": cohort.name, "survival": points }));
        }
        let mut parts = Parts::default();
        parts.markup("cohorts", each("tr", rows));
        parts.markup("dreamers", each("tr", dreamers));
        parts.markup("recent", parts::newest_first(&self.recent));
        self.styx.write(&mut parts);
        parts.text("name", &self.name);
        let left_off = self.holders.len().saturating_sub(DOTS_MAX);
        parts.text("more", if left_off == 0 { String::new() } else { format!("and {left_off} more slots") });
        let mut moment = format!("tick {} of {}", self.lived, self.ticks);
        if let Some(last) = &self.last {
            moment = format!("{moment} · {} · {} alive", date(last.time_s), last.alive);
            let (stains, regime) = (last.bloodstains, parts::words(last.true_regime.name()));
            parts.markup("lethe", format!("In the Lethe now: {stains}. The market is {regime}."));
            let dollars = |money: morta_base::Usdc| format!("${:.2}", money.dollars());
            let money = [
                ("in all purses", dollars(last.purses)),
                ("paid for compute", dollars(last.compute_paid)),
                ("for inference", dollars(last.inference_paid)),
                ("for gas", dollars(last.gas_paid)),
                ("to the Lethe", dollars(last.lethe_paid)),
            ];
            parts.markup("money", parts::facts(&money));
        }
        parts.text("tick", format!("{moment} · seed {}", self.seed));
        (told, parts)
    }

    /// Describes one golem (agent) for its page, with its ancestors; `None` when nobody of this name has been born.
    pub fn golem(&self, id: GolemId) -> Option<Value> {
        let person = self.people.get(&id)?;
        let cohort = self.cohorts.get(usize::from(person.cohort)).map_or("", |cohort| &cohort.name);
        let mut ancestors = Vec::new();
        let mut next = &person.parent;
        while let Some(name) = next {
            ancestors.push(name.clone());
            let parent = name.parse::<GolemId>().ok().and_then(|parent| self.people.get(&parent));
            let Some(parent) = parent else { break };
            next = &parent.parent;
        }
        let mut parts = Parts::default();
        person.write(cohort, &ancestors, &mut parts);
        let figures = person.figures(self.lived);
        Some(
            json!({ "golem": id.to_string(), "cohort": cohort, "figures": figures, "parts": parts.into_value() }),
        )
    }
}

impl Cohort {
    /// Its row in the table.
    fn row(&self, place: usize, modes: &Modes, median: Option<f64>) -> String {
        let counts: String = modes.iter().chain([&self.born, &self.died]).map(figure).collect();
        format!("{}{counts}{}", cell(parts::swatch(place, &self.name)), figure(parts::or_dash(median, time)))
    }

    /// Kaplan and Meier's curve with its median, the living censored at their ages; `None` while nobody has died.
    fn survival(&self, living: &[f64]) -> Option<(Vec<CurvePoint>, Option<f64>)> {
        if self.ages.is_empty() {
            return None;
        }
        let dead = self.ages.iter().map(|age| (*age, true));
        let lives = dead.chain(living.iter().map(|age| (*age, false)));
        let (times, events): (Vec<f64>, Vec<bool>) = lives.unzip();
        let curve = KaplanMeier::from_lifetimes(&Lifetimes::new(times, events).ok()?, LEVEL).ok()?;
        let steps: Vec<_> = curve.steps.iter().filter(|step| step.events > 0).collect();
        let every = steps.len().div_ceil(CURVE_POINTS_MAX).max(1);
        let points = steps.iter().enumerate();
        // The last step always: without it the curve would end above the share that survives.
        let points = points.filter(|(at, _)| at % every == 0 || at + 1 == steps.len());
        let points = points.map(|(_, step)| {
            let band = step.spread.map(|spread| (spread.log_log.low, spread.log_log.high));
            (step.time, step.survival, band)
        });
        let points = std::iter::once((0.0, 1.0, None)).chain(points).collect();
        Some((points, curve.median.time))
    }
}
