//! The situations of a run: quiet, and the stages of planned shocks.
//!
//! Every cause that divides a run into stretches of different law, and is known beforehand, belongs here: [`Timeline`] cuts it by the
//! shocks that are planned. `Truth` and the fits of `oracle-as-read` ask [`Timeline::at`] for the situation of a tick (values of staying
//! know no situations), so that a further cause needs no change elsewhere. Laws that drift aren't one, since each has a truth of its own.
//! Times are in ticks of the run. It is an interval map (piecewise constant schedule) with a lookup by bisection, O(log n).
//!
//! Here too are the calendars under which `known` and `oracle-as-read` walk on paper to measure shocked situations (`shocks_come_round`).

use crate::market::ScheduledShock;
use morta_base::Tick;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Ticks before a planned shock in which it already changes results, because trades entered then are still open when it comes: the horizons
/// of breakouts and of liquidity, which only trend following exceeds.
const AHEAD_TICKS: u64 = 24;
/// Parts of a shock's duration that count as different situations: its force fades in a straight line, so each has a mean force of its own.
/// More parts would leave each with fewer trades.
const STAGES: u64 = 4;
/// Most situations that are distinguished; further ones count as quiet. Each has a table for each asset, which costs
/// memory.
const SITUATIONS_MAX: usize = 256;

/// A situation, the key of the ground truth tables: the planned shocks that are felt. (Kind of planned shock, its stage: 0 about to come, 1
/// to 4 by quarters of its duration, how many alike), ascending; none when nothing planned is going on.
pub type FeltShocks = Vec<(u32, u8, u32)>;

/// An interval map from ticks to the situations of a run (a piecewise constant schedule).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    /// Those that come up, each once. The first one is quiet.
    situations: Vec<FeltShocks>,
    /// (first tick, place of the situation), ascending; the first from tick 0.
    spans: Vec<(Tick, u32)>,
}

impl Timeline {
    /// Makes the timeline of a run under this calendar.
    pub fn new(calendar: &[ScheduledShock]) -> Self {
        Self::cut(calendar, &Kinds::from_calendar(calendar))
    }

    /// The timeline under a calendar made of the shocks of another calendar, with the kinds numbered as there, so that situations of the
    /// two can be compared.
    pub(crate) fn numbered_by(other: &[ScheduledShock], calendar: &[ScheduledShock]) -> Self {
        Self::cut(calendar, &Kinds::from_calendar(other))
    }

    fn cut(calendar: &[ScheduledShock], kinds: &Kinds) -> Self {
        let mut changes: BTreeMap<Tick, Vec<(u32, u8, bool)>> = BTreeMap::from([(0, Vec::new())]);
        for shock in calendar {
            let kind = kinds.place(shock);
            for (stage, from, to) in stages(shock).filter(|(_, from, to)| from < to) {
                changes.entry(from).or_default().push((kind, stage, true));
                changes.entry(to).or_default().push((kind, stage, false));
            }
        }
        let mut timeline = Self { situations: vec![Vec::new()], spans: Vec::new() };
        let mut active: BTreeMap<(u32, u8), u32> = BTreeMap::new();
        for (tick, changes) in changes {
            for (kind, stage, begins) in changes {
                let alike = active.entry((kind, stage)).or_default();
                *alike = if begins { *alike + 1 } else { alike.saturating_sub(1) };
            }
            active.retain(|_, alike| *alike > 0);
            let felt = active.iter().map(|((kind, stage), alike)| (*kind, *stage, *alike)).collect();
            let place = timeline.place(felt);
            if timeline.spans.last().is_none_or(|(_, last)| *last != place) {
                timeline.spans.push((tick, place));
            }
        }
        timeline
    }

    fn place(&mut self, felt: FeltShocks) -> u32 {
        let known = self.situations.iter().position(|known| *known == felt);
        let is_full = self.situations.len() >= SITUATIONS_MAX;
        let place = known.unwrap_or(if is_full { 0 } else { self.situations.len() });
        if place == self.situations.len() {
            self.situations.push(felt);
        }
        place as u32
    }

    /// Looks up the place of the situation at a tick, by binary search.
    pub fn at(&self, tick: Tick) -> usize {
        let span = self.spans.partition_point(|(from, _)| *from <= tick).saturating_sub(1);
        self.spans.get(span).map_or(0, |(_, place)| *place as usize)
    }

    /// Whether planned shocks are felt at a tick.
    pub(crate) fn is_shocked_at(&self, tick: Tick) -> bool {
        !self.situations[self.at(tick)].is_empty()
    }

    /// The distinct situations (contexts), by their places.
    pub fn situations(&self) -> &[FeltShocks] {
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

/// A calendar of about `ticks` in which the shocks planned in a run come round again and again, each kind of chain once a round, with quiet
/// between them; empty when none are. Chains that differ only in when they come are the same kind. Again and again, because a shock that a
/// run plans once would give no table enough trades.
pub(crate) fn shocks_come_round(calendar: &[ScheduledShock], ticks: Tick) -> Vec<ScheduledShock> {
    let from_its_start = |chain: &Vec<ScheduledShock>| -> Vec<ScheduledShock> {
        let start = chain[0].tick;
        chain.iter().map(|shock| ScheduledShock { tick: shock.tick - start, ..shock.clone() }).collect()
    };
    let mut distinct: Vec<Vec<ScheduledShock>> = Vec::new();
    for chain in chains(calendar).iter().map(from_its_start) {
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
        let again = shocks_come_round(&calendar, 1_000);
        let ticks: Vec<Tick> = again.iter().map(|shock| shock.tick).collect();
        assert_eq!(ticks[..4], [24, 74, 162, 250]);
        // Every situation of the calendar comes up in the rounds.
        let (here, there) = (Timeline::new(&calendar), Timeline::new(&again));
        assert!(here.situations().iter().all(|situation| there.situations().contains(situation)));
    }
}
