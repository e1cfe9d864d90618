//! The end of a trade, reported with the trade or later by its id, and its effect on equity and momentum. Timing says how early or late a
//! trade was entered and left, −1 to 1. Profits are in the account's currency, results in R. A trade may be reported in two parts, because
//! agents report when they act; an open trade is no evidence for beliefs until its end is known.

use super::context::field;
use super::log::LineEffect;
use super::mistake::{Mistake, moment, within_if_given};
use super::store::Store;
use morta_memories::owm::episodic::{Direction, EpisodicMemory};
use morta_memories::owm::prospective::expire_by;
use serde::Deserialize;
use serde_json::Value;

/// The close of a trade, as an action.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TradeClose {
    pub id: String,
    pub exit_price: Option<f64>,
    pub pnl: Option<f64>,
    pub pnl_r: Option<f64>,
    pub hold_duration_seconds: Option<f64>,
    pub max_adverse_excursion: Option<f64>,
    pub reflection: Option<String>,
    pub tags: Vec<String>,
    pub equity: Option<f64>,
    pub last_price_change: Option<f64>,
    pub target_time: Option<Value>,
    pub exit_time: Option<Value>,
}

impl TradeClose {
    /// Whether it names a price, a profit or an R (exit price, P&L). Without one of them nothing has ended.
    pub(crate) const fn has_outcome(&self) -> bool {
        self.exit_price.is_some() || self.pnl.is_some() || self.pnl_r.is_some()
    }

    /// Completes an open trade (close position). Its moment becomes the moment of the close, because only an outcome is evidence; its
    /// context stays that of the decision. An equal close of a closed trade is known and changes nothing.
    ///
    /// # Errors
    /// When there is no such trade, it is closed already, or no outcome is given.
    pub(super) fn close(self, store: &mut Store, now_s: f64) -> Result<LineEffect, Mistake> {
        within_if_given("hold_duration_seconds", self.hold_duration_seconds, 0.0, 1e12)?;
        within_if_given("equity", self.equity, -1e15, 1e15)?;
        if !self.has_outcome() {
            return Err(Mistake::NoOutcome(self.id));
        }
        let [target, exit] = times([("target_time", &self.target_time), ("exit_time", &self.exit_time)])?;
        let number = store.episode_number(&self.id)?;
        let Some((mut trade, fields)) = store.take_open(number) else {
            let same = |trade: &EpisodicMemory| {
                trade.made_s == Some(now_s)
                    && (trade.exit_price, trade.pnl, trade.pnl_r) == (self.exit_price, self.pnl, self.pnl_r)
            };
            // The same log may be read again with more at its end: an equal close isn't an error.
            let is_known = store.kept(&self.id).is_some_and(same);
            return if is_known { Ok(LineEffect::Known) } else { Err(Mistake::NotOpen(self.id)) };
        };
        trade.hold_s = self.hold_duration_seconds.or(trade.made_s.map(|made| now_s - made));
        trade.exit_timing =
            Times { target, exit: exit.or(Some(now_s)), ..Times::default() }.exit_timing(trade.hold_s);
        trade.made_s = Some(now_s);
        trade.exit_price = self.exit_price;
        trade.pnl = self.pnl;
        trade.pnl_r = self.pnl_r;
        trade.max_adverse_excursion = self.max_adverse_excursion.or(trade.max_adverse_excursion);
        trade.reflection = self.reflection.or(trade.reflection);
        trade.tags.extend(self.tags);
        let direction = trade.direction;
        let formed = store.remember(trade, fields)?;
        store.expire_plans(&self.id);
        settle(store, direction, self.last_price_change, (self.equity, self.pnl), now_s);
        Ok(LineEffect::Closed(formed))
    }
}

/// Updates the states that a trade changes besides memory: momentum and equity. A reported equity replaces the profit, because it contains
/// it. Of a trade older than the store's last moment the profit is used instead, and only if no equity was reported since; it moves no
/// momentum.
pub(super) fn settle(
    store: &mut Store,
    direction: Direction,
    last_price_change: Option<f64>,
    (equity, pnl): (Option<f64>, Option<f64>),
    now_s: f64,
) {
    let sign = if direction == Direction::Long { 1.0 } else { -1.0 };
    let is_late = now_s < store.last_s();
    // A late trade doesn't move momentum, which is that of the newest trades.
    if let Some(change) = last_price_change.filter(|_| !is_late) {
        store.mind_mut().on_direction(if change == 0.0 { 0.0 } else { sign * change.signum() });
    }
    match (equity, pnl) {
        (Some(equity), _) if !is_late => store.take_equity(equity, now_s),
        (_, Some(pnl)) => store.take_profit(pnl, now_s),
        (Some(equity), None) => store.take_equity(equity, now_s),
        (None, None) => {}
    }
}

/// Parses timestamps, each of which may be missing.
///
/// # Errors
/// When one can't be read.
pub(super) fn times<const N: usize>(given: [(&str, &Option<Value>); N]) -> Result<[Option<f64>; N], Mistake> {
    let mut moments = [None; N];
    for (place, (name, value)) in moments.iter_mut().zip(given) {
        *place = value.as_ref().map(|value| moment(name, value)).transpose()?;
    }
    Ok(moments)
}

/// The timestamps of a trade in seconds: signal, entry, planned exit and exit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    /// When the trade was suggested.
    pub signal: Option<f64>,
    pub entry: Option<f64>,
    /// When the exit was planned.
    pub target: Option<f64>,
    pub exit: Option<f64>,
}

impl Times {
    /// The entry timing, −1 when early to 1 when late, as a share of the planned duration, or of the actual one if none was planned. None
    /// if a moment is missing or the duration is 0.
    pub(super) fn entry_timing(self, held_s: Option<f64>) -> Option<f64> {
        share(self.entry? - self.signal?, self.planned(held_s)?)
    }

    /// The exit timing, −1 when early to 1 when late, as a share of the same duration.
    pub(super) fn exit_timing(self, held_s: Option<f64>) -> Option<f64> {
        share(self.exit? - self.target?, self.planned(held_s)?)
    }

    fn planned(self, held_s: Option<f64>) -> Option<f64> {
        let planned = self.target.zip(self.signal.or(self.entry)).map(|(target, from)| target - from);
        planned.filter(|planned| *planned > 0.0).or(held_s)
    }
}

fn share(late_s: f64, of_s: f64) -> Option<f64> {
    (of_s > 0.0).then(|| (late_s / of_s).clamp(-1.0, 1.0))
}

impl Store {
    /// The episode of an id; none if it is unknown or forgotten.
    pub(super) fn kept(&self, id: &str) -> Option<&EpisodicMemory> {
        let number = self.episode_number(id).ok()?;
        self.mind().shelves().iter().flat_map(|shelf| shelf.records()).find(|memory| memory.id == number)
    }

    /// Expires plans whose `expiry_condition` holds in the context of a trade.
    pub(super) fn expire_plans(&mut self, id: &str) {
        let Some(fields) = self.episode_number(id).ok().and_then(|number| self.context(number)).cloned()
        else {
            return;
        };
        expire_by(self.mind_mut().plans_mut(), |name| field(&fields, name));
    }

    /// Trades that aren't closed, and decisions not to trade.
    pub(super) fn open_trades(&self) -> impl Iterator<Item = &EpisodicMemory> {
        let records = self.mind().shelves().iter().flat_map(|shelf| shelf.records());
        records.filter(|memory| !memory.is_closed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timing_is_a_share_of_the_planned_duration() {
        let times = Times { signal: Some(0.0), entry: Some(25.0), target: Some(100.0), exit: Some(50.0) };
        assert_eq!((times.entry_timing(None), times.exit_timing(None)), (Some(0.25), Some(-0.5)));
        let unplanned = Times { target: None, ..times };
        assert_eq!(
            (unplanned.entry_timing(Some(50.0)), unplanned.exit_timing(Some(50.0))),
            (Some(0.5), None)
        );
        assert_eq!(Times { entry: Some(900.0), ..times }.entry_timing(None), Some(1.0));
        assert_eq!(Times::default().entry_timing(Some(1.0)), None);
    }
}
