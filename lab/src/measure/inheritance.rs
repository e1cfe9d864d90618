//! What became of what was handed on: by bloodstains, by predecessors, by clades; and how successors fared.

use morta_engine::base::GolemId;
use morta_engine::base::moments::Running;
use morta_engine::memory::Inheritance;
use morta_engine::mortality::Cause;
use std::collections::BTreeMap;

/// Trades that count as a successor's first.
const FIRST_TRADES: u32 = 20;

/// Things inherited from one kind of source.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InheritedItems {
    /// Things that spoke in a trade's decision.
    pub used: u64,
    /// Trades they spoke in, each thing counted.
    pub uses: u64,
    /// Of these, trades that made money.
    pub wins: u64,
    /// What these trades made, in R.
    pub total_r: f64,
}

impl InheritedItems {
    /// Takes in one at the end of its heir's life.
    pub fn take(&mut self, settled: &Inheritance) {
        self.used += u64::from(settled.uses > 0);
        self.uses += u64::from(settled.uses);
        self.wins += u64::from(settled.wins);
        self.total_r += settled.total_r;
    }
}

/// How successors fared beside those they succeeded.
#[derive(Clone, Debug, Default)]
pub struct Succession {
    died_of: BTreeMap<GolemId, Cause>,
    /// Trades of the successors who are living.
    trades: BTreeMap<GolemId, u32>,
    /// Successors who died, and whose predecessors were seen to die.
    pub dead: u64,
    /// Of these, who died of what their predecessors had died of.
    pub same_cause: u64,
    /// First trades of successors.
    pub first_trades: u64,
    /// What they made, in R.
    pub first_r: f64,
    /// How it spread.
    pub first_spread: Running,
}

impl Succession {
    /// A successor was born.
    pub fn born(&mut self, golem: GolemId) {
        self.trades.insert(golem, 0);
    }

    /// Somebody closed a trade.
    pub fn traded(&mut self, golem: GolemId, realised_r: f64) {
        let Some(trades) = self.trades.get_mut(&golem) else { return };
        *trades += 1;
        if *trades <= FIRST_TRADES {
            self.first_trades += 1;
            self.first_r += realised_r;
            self.first_spread.take(realised_r);
        }
    }

    /// A life ended. Who went before is a matter of the place, whether or not anything was handed over.
    pub fn ended(&mut self, golem: GolemId, cause: Option<Cause>) {
        self.trades.remove(&golem);
        let Some(cause) = cause else { return };
        let before = golem.generation.checked_sub(1).map(|generation| GolemId { generation, ..golem });
        if let Some(before) = before.and_then(|before| self.died_of.get(&before)) {
            self.dead += 1;
            self.same_cause += u64::from(*before == cause);
        }
        self.died_of.insert(golem, cause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn golem(generation: u32) -> GolemId {
        GolemId { lineage: 4, generation }
    }

    /// Founder of poverty, child of poverty, grandchild by chance, and a great-grandchild that outlives the run.
    #[test]
    fn successors_are_held_against_their_predecessors() {
        let mut succession = Succession::default();
        for (generation, cause) in
            [Some(Cause::Economic), Some(Cause::Economic), Some(Cause::Stochastic), None]
                .into_iter()
                .enumerate()
        {
            let generation = generation as u32;
            succession.ended(golem(generation), cause);
        }
        assert_eq!((succession.dead, succession.same_cause), (2, 1));
    }

    #[test]
    fn only_the_first_twenty_trades_of_successors_count() {
        let mut succession = Succession::default();
        succession.traded(golem(0), 9.0);
        succession.born(golem(1));
        (0..25).for_each(|trade| succession.traded(golem(1), if trade < 20 { 0.5 } else { -7.0 }));
        assert_eq!((succession.first_trades, succession.first_r), (20, 10.0));
    }
}
