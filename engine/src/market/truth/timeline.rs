//! The situations of a run: epochs of one law, and within them the stages of planned shocks.
//!
//! Every cause that divides a run into stretches of different law, and is known beforehand, belongs here: [`epochs`] cuts it by laws that
//! stand for a while, [`Timeline`] by the shocks that are planned within them. `Truth` and the fits of `oracle-as-read` ask
//! [`Timeline::at`] for the situation of a tick (values of staying know no situations), so that a further cause needs no change elsewhere.
//! At present a run has one epoch: laws that drift are no epochs, since each has a truth of its own. Times are in ticks of the run. It is
//! an interval map (piecewise constant schedule) with a lookup by bisection, O(log n).
//!
//! Here too are the calendars under which `known` and `oracle-as-read` walk on paper to measure shocked situations (`shocks_come_round`).

use crate::market::{MarketConfig, ScheduledShock};
use morta_base::Tick;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A stationary segment between change points: a stretch of a run in which one law stands, from its first tick to that of the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Epoch {
    /// Its first tick.
    pub from: Tick,
    /// The law, its own planned shocks included, at the ticks of the run.
    pub law: MarketConfig,
}

/// The stationary segments of a run, in the order of time; the first from tick 0. So far one: drifting laws are handled apart.
pub fn epochs(config: &MarketConfig) -> Vec<Epoch> {
    vec![Epoch { from: 0, law: config.clone() }]
}

/// Ticks before a planned shock in which it already changes results, because trades entered then are still open when it comes: the horizons
/// of breakouts and of liquidity, which only trend following exceeds.
const AHEAD_TICKS: u64 = 24;
/// Parts of a shock's duration that count as different situations: its force fades in a straight line, so each has a mean force of its own.
/// More parts would leave each with fewer trades.
const STAGES: u64 = 4;
/// Most situations that are distinguished; further ones count as their epoch without shocks. Each has a table for each asset, which costs
/// memory.
const SITUATIONS_MAX: usize = 256;

/// A key of the ground truth tables, ordered as in a map: the epoch of the law in force, and the planned shocks that are felt.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MarketSituation {
    /// The place of the epoch.
    pub epoch: u32,
    /// (kind of planned shock, its stage: 0 about to come, 1 to 4 by quarters of its duration, how many alike), ascending; none when
    /// nothing planned is going on.
    pub shocks: Vec<(u32, u8, u32)>,
}

/// An interval map from ticks to the situations of a run (a piecewise constant schedule).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    /// Those that come up, each once. The first ones are the epochs without shocks, in their order.
    situations: Vec<MarketSituation>,
    /// (first tick, place of the situation), ascending; the first from tick 0.
    spans: Vec<(Tick, u32)>,
}

impl Timeline {
    /// Makes the timeline of a run whose epochs begin at these ticks, under this calendar.
    pub fn new(epochs_from: &[Tick], calendar: &[ScheduledShock]) -> Self {
        Self::cut(epochs_from, calendar, &Kinds::from_calendar(calendar))
    }

    /// The timeline of one law under a calendar made of the shocks of another calendar, with the kinds numbered as there, so that
    /// situations of the two can be compared.
    pub(crate) fn numbered_by(other: &[ScheduledShock], calendar: &[ScheduledShock]) -> Self {
        Self::cut(&[0], calendar, &Kinds::from_calendar(other))
    }

    fn cut(epochs_from: &[Tick], calendar: &[ScheduledShock], kinds: &Kinds) -> Self {
        let epoch_at = |tick| epochs_from.partition_point(|from| *from <= tick).saturating_sub(1) as u32;
        let mut changes: BTreeMap<Tick, Vec<(u32, u8, bool)>> =
            epochs_from.iter().map(|from| (*from, Vec::new())).collect();
        changes.entry(0).or_default();
        for shock in calendar {
            let kind = kinds.place(shock);
            for (stage, from, to) in stages(shock).filter(|(_, from, to)| from < to) {
                changes.entry(from).or_default().push((kind, stage, true));
                changes.entry(to).or_default().push((kind, stage, false));
            }
        }
        let quiet = |epoch| MarketSituation { epoch, shocks: Vec::new() };
        let epochs = epochs_from.len().max(1) as u32;
        let mut timeline = Self { situations: (0..epochs).map(quiet).collect(), spans: Vec::new() };
        let mut places: BTreeMap<MarketSituation, u32> =
            (0..epochs).map(|epoch| (quiet(epoch), epoch)).collect();
        let mut active: BTreeMap<(u32, u8), u32> = BTreeMap::new();
        for (tick, changes) in changes {
            for (kind, stage, begins) in changes {
                let alike = active.entry((kind, stage)).or_default();
                *alike = if begins { *alike + 1 } else { alike.saturating_sub(1) };
            }
            active.retain(|_, alike| *alike > 0);
            let shocks = active.iter().map(|((kind, stage), alike)| (*kind, *stage, *alike)).collect();
            let situation = MarketSituation { epoch: epoch_at(tick), shocks };
            let place = timeline.place(situation, &mut places);
            if timeline.spans.last().is_none_or(|(_, last)| *last != place) {
                timeline.spans.push((tick, place));
            }
        }
        timeline
    }

    fn place(&mut self, situation: MarketSituation, places: &mut BTreeMap<MarketSituation, u32>) -> u32 {
        if let Some(place) = places.get(&situation) {
            return *place;
        }
        if self.situations.len() >= SITUATIONS_MAX {
            return situation.epoch;
        }
        let place = self.situations.len() as u32;
        places.insert(situation.clone(), place);
        self.situations.push(situation);
        place
    }

    /// Looks up the place of the situation at a tick, by binary search.
    pub fn at(&self, tick: Tick) -> usize {
        let span = self.spans.partition_point(|(from, _)| *from <= tick).saturating_sub(1);
        self.spans.get(span).map_or(0, |(_, place)| *place as usize)
    }

    /// The distinct situations (contexts), by their places.
    pub fn situations(&self) -> &[MarketSituation] {
        &self.situations
    }
}

/// (stage, first tick, first tick after) of one shock.
fn stages(shock: &ScheduledShock) -> impl Iterator<Item = (u8, Tick, Tick)> {
    let (begins, lasts) = (shock.tick, u64::from(shock.duration_ticks));
    let cut = move |part: u64| begins.saturating_add(lasts * part / STAGES);
    let ahead = (0, begins.saturating_sub(AHEAD_TICKS), begins);
    let fading = (1..=STAGES).map(move |part| (part as u8, cut(part - 1), cut(part)));
    std::iter::once(ahead).chain(fading)
}

/// Kinds of planned shocks: those that differ in nothing but their tick are of one kind.
struct Kinds(Vec<ScheduledShock>);

impl Kinds {
    fn from_calendar(calendar: &[ScheduledShock]) -> Self {
        let mut kinds: Vec<ScheduledShock> = Vec::new();
        for shock in calendar {
            let untimed = ScheduledShock { tick: 0, ..shock.clone() };
            if !kinds.contains(&untimed) {
                kinds.push(untimed);
            }
        }
        Self(kinds)
    }

    fn place(&self, shock: &ScheduledShock) -> u32 {
        let untimed = ScheduledShock { tick: 0, ..shock.clone() };
        self.0.iter().position(|kind| *kind == untimed).expect("every shock has a kind") as u32
    }
}

/// A calendar of about `ticks` in which the shocks planned within these ticks of a run come round again and again; empty when none are.
/// Again and again, because a shock that a run plans once would give no table enough trades.
pub(crate) fn shocks_come_round(
    calendar: &[ScheduledShock],
    within: std::ops::Range<Tick>,
    ticks: Tick,
) -> Vec<ScheduledShock> {
    let overlaps = |chain: &Vec<ScheduledShock>| {
        let over = chain.iter().map(end_of).max().unwrap_or(0);
        chain[0].tick < within.end && over > within.start
    };
    let chains: Vec<Vec<ScheduledShock>> = chains(calendar).into_iter().filter(overlaps).collect();
    rounds(&chains, ticks)
}

/// The end of a calendar (an upper bound): the first tick at which nothing of it is felt any more.
pub(crate) fn over_at(calendar: &[ScheduledShock]) -> Tick {
    calendar.iter().map(end_of).max().unwrap_or(0)
}

/// Shocks that are felt together: the next begins before the last is over, the time ahead of it included.
fn chains(calendar: &[ScheduledShock]) -> Vec<Vec<ScheduledShock>> {
    let mut sorted = calendar.to_vec();
    sorted.sort_by_key(|shock| shock.tick);
    let mut chains: Vec<Vec<ScheduledShock>> = Vec::new();
    let mut over = 0;
    for shock in sorted {
        let (ahead, end) = (shock.tick.saturating_sub(AHEAD_TICKS), end_of(&shock));
        match chains.last_mut().filter(|_| ahead < over) {
            Some(chain) => chain.push(shock),
            None => chains.push(vec![shock]),
        }
        over = over.max(end);
    }
    chains
}

fn end_of(shock: &ScheduledShock) -> Tick {
    shock.tick.saturating_add(u64::from(shock.duration_ticks))
}

/// A calendar of about `ticks` in which these chains come round again and again, each kind of chain once a round, with quiet between them.
/// Chains that differ only in when they come are the same kind.
fn rounds(chains: &[Vec<ScheduledShock>], ticks: Tick) -> Vec<ScheduledShock> {
    let from_its_start = |chain: &Vec<ScheduledShock>| -> Vec<ScheduledShock> {
        let start = chain[0].tick;
        chain.iter().map(|shock| ScheduledShock { tick: shock.tick - start, ..shock.clone() }).collect()
    };
    let mut distinct: Vec<Vec<ScheduledShock>> = Vec::new();
    for chain in chains.iter().map(from_its_start) {
        if !distinct.contains(&chain) {
            distinct.push(chain);
        }
    }
    let (mut calendar, mut now) = (Vec::new(), AHEAD_TICKS);
    while now < ticks && !distinct.is_empty() && calendar.len() < CALENDAR_MAX {
        for chain in &distinct {
            let lasts = over_at(chain);
            calendar
                .extend(chain.iter().map(|shock| ScheduledShock { tick: now + shock.tick, ..shock.clone() }));
            now += lasts + 2 * AHEAD_TICKS;
        }
    }
    calendar
}

/// Most shocks of a calendar: as many as a scenario may plan.
const CALENDAR_MAX: usize = 10_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::market::ShockKind;

    fn shock(tick: Tick, kind: ShockKind) -> ScheduledShock {
        ScheduledShock { tick, kinds: vec![kind], duration_ticks: 40, magnitude: 1.0, asset: None }
    }

    /// Two at 0 and 50 are felt together, since the second is ahead at 26; one at 500 is by itself, and like one at 900.
    #[test]
    fn chains_come_round() {
        let calendar = [0, 50, 500, 900].map(|tick| shock(tick, ShockKind::MeanReversion));
        let chains = chains(&calendar);
        assert_eq!(chains.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1, 1]);
        let again = rounds(&chains, 1_000);
        let ticks: Vec<Tick> = again.iter().map(|shock| shock.tick).collect();
        assert_eq!(ticks[..4], [24, 74, 162, 250]);
        // Every situation of the calendar comes up in the rounds.
        let (here, there) = (Timeline::new(&[0], &calendar), Timeline::new(&[0], &again));
        assert!(here.situations().iter().all(|situation| there.situations().contains(situation)));
    }
}
