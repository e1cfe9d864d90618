//! The five memories together, and the changes that a closed trade makes in each. It is the facade of the library over episodic, semantic,
//! procedural, affective and prospective memory; moments are seconds, results R. All changes of a trade are here, because their order
//! matters: beliefs are updated before new ones are induced, or the trade would count twice. Equity, direction, recalls and the expiry of
//! plans are not part of a trade: the caller reports them by methods of their own. The callers are the golem memories `owm` and
//! `bardo+owm`, the `owm` tools, and their validation on recorded trades. `MindConfig` has the keys of all parts.

use super::affective::{AffectConfig, AffectiveState};
use super::drift::DriftConfig;
use super::episodic::{Domain, EpisodicMemory, Shelf};
use super::induction::{Names, PatternKey, induce};
use super::kelly::KellyConfig;
use super::procedural::{Expectation, ProceduralMemory};
use super::prospective::{Plan, PlanStatus};
use super::score::ScoreConfig;
use super::semantic::{BeliefError, Predicate, SemanticMemory};
use super::sharpe::SharpeConfig;
use super::trigger::KnownFields;
use morta_base::keys;
use morta_base::moments::mean;
use serde::{Deserialize, Serialize};

keys! {
    /// How memories are kept and asked.
    pub struct MindConfig {
        /// Most episodes of one strategy on one symbol; the oldest is forgotten.
        capacity: u32 = 1_000, in 1..=1_000_000, "episodes";
        /// Newest episodes that are looked at for each one wanted; 0 looks at all.
        episodic_fetch: u32 = 5, in 0..=1_000, "episodes";
        /// The same for beliefs.
        semantic_fetch: u32 = 3, in 0..=1_000, "beliefs";
        /// Known outcomes of a pattern that make a belief.
        induce_after: u32 = 10, in 1..=1_000, "outcomes";
        /// Scores of recall.
        score: ScoreConfig = ScoreConfig::default();
        /// Stakes from memory.
        kelly: KellyConfig = KellyConfig::default();
        /// Weights of good periods.
        sharpe: SharpeConfig = SharpeConfig::default();
        /// The state of mind.
        affect: AffectConfig = AffectConfig::default();
        /// Drift of outcomes.
        drift: DriftConfig = DriftConfig::default();
    }
}

/// The five memories of one trader (a cognitive architecture).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mind {
    config: MindConfig,
    /// Episodes, sorted by domain.
    shelves: Vec<Shelf>,
    beliefs: Vec<SemanticMemory>,
    /// Procedural memories, sorted by domain.
    habits: Vec<ProceduralMemory>,
    affect: AffectiveState,
    plans: Vec<Plan>,
    /// Patterns that a belief was induced from, sorted: each is induced once.
    induced: Vec<PatternKey>,
    /// The number of the next belief.
    beliefs_made: u32,
    /// The number of the next plan.
    plans_made: u32,
}

/// Further knowledge of a trade besides its episode: additional fields, and whether it arrives late (out of order).
#[derive(Clone, Copy, Default)]
pub struct Seen<'a> {
    /// Further fields, by name: conditions of beliefs may test them.
    pub field: Option<&'a KnownFields<'a>>,
    /// R that its strategy is expected to make; `None` for the configured one.
    pub expected_r: Option<f64>,
    /// Whether later trades were remembered before it. It is then inserted by its moment and counts as evidence like any other; the streaks of
    /// the affective state don't change, because they are about the latest trades.
    pub is_late: bool,
}

impl Mind {
    /// A mind with empty memories, with an equity in money.
    pub const fn new(config: MindConfig, equity: f64, now_s: f64) -> Self {
        Self {
            config,
            shelves: Vec::new(),
            beliefs: Vec::new(),
            habits: Vec::new(),
            affect: AffectiveState::new(equity, now_s),
            plans: Vec::new(),
            induced: Vec::new(),
            beliefs_made: 0,
            plans_made: 0,
        }
    }

    /// Replaces the keys (reconfiguration), as where a run branches with other keys. The memories stay; a smaller capacity takes effect at
    /// the next memory. The kind of a drift test stays as it was at its making. Columns are made anew where bandwidths of likeness change:
    /// by the old ones, recall would leave out episodes that are among the best now.
    pub fn rebind(&mut self, config: MindConfig) {
        if config.score.similarity.bandwidths != self.config.score.similarity.bandwidths {
            self.shelves.iter_mut().for_each(|shelf| shelf.measure_anew(&config.score));
        }
        self.config = config;
    }

    /// Continues the numbers of beliefs and plans after those of another mind (unique ids), because events name them by number. With one
    /// number two beliefs would be taken for one.
    pub fn count_on_from(&mut self, other: &Self) {
        self.beliefs_made = self.beliefs_made.max(other.beliefs_made);
        self.plans_made = self.plans_made.max(other.plans_made);
    }

    /// The keys (configuration) of all parts.
    pub const fn config(&self) -> &MindConfig {
        &self.config
    }

    /// The episodic memory: shelves of episodes, sorted by domain.
    pub fn shelves(&self) -> &[Shelf] {
        &self.shelves
    }

    /// The semantic memory: beliefs, oldest first.
    pub fn beliefs(&self) -> &[SemanticMemory] {
        &self.beliefs
    }

    /// The procedural memory: behavioural statistics, sorted by domain.
    pub fn habits(&self) -> &[ProceduralMemory] {
        &self.habits
    }

    /// The affective state (mood): confidence, drawdown, streaks.
    pub const fn affect(&self) -> &AffectiveState {
        &self.affect
    }

    /// Lends the beliefs of semantic memory for changes, such as those of an inheritance.
    pub fn beliefs_mut(&mut self) -> &mut [SemanticMemory] {
        &mut self.beliefs
    }

    /// The prospective memory: plans, oldest first, expired and done ones included.
    pub fn plans(&self) -> &[Plan] {
        &self.plans
    }

    /// Lends the plans of prospective memory for changes of their status. Nothing here marks a plan as expired or done: the caller does.
    pub fn plans_mut(&mut self) -> &mut [Plan] {
        &mut self.plans
    }

    /// Evicts plans that aren't active any more, except the newest `keep` of them.
    pub fn forget_plans(&mut self, keep: usize) {
        let done = |plan: &Plan| plan.status != PlanStatus::Active;
        let mut over = self.plans.iter().filter(|plan| done(plan)).count().saturating_sub(keep);
        self.plans.retain(|plan| {
            let goes = over > 0 && done(plan);
            over -= usize::from(goes);
            !goes
        });
    }

    /// Looks up the episodes of a domain, by binary search; `None` without any.
    pub fn shelf(&self, domain: Domain) -> Option<&Shelf> {
        let found = self.shelves.binary_search_by_key(&domain, Shelf::domain);
        found.ok().map(|place| &self.shelves[place])
    }

    /// Keeps an (imported) episode without any consequence: beliefs, procedural memory and affective state don't change. It is for another
    /// trader's episodes and for decisions not to trade.
    pub fn keep(&mut self, episode: EpisodicMemory) {
        self.shelve(episode, false);
    }

    fn shelve(&mut self, episode: EpisodicMemory, is_late: bool) {
        let domain = episode.domain;
        let place = self.shelves.binary_search_by_key(&domain, Shelf::domain).unwrap_or_else(|place| {
            self.shelves.insert(place, Shelf::new(domain));
            place
        });
        let shelf = &mut self.shelves[place];
        if is_late {
            shelf.insert(episode, &self.config.score);
        } else {
            shelf.push(episode, &self.config.score);
        }
        shelf.forget_oldest(shelf.records().len().saturating_sub(self.config.capacity as usize));
    }

    /// Remembers an episode with its consequences: it updates the beliefs about it, may complete the induction of a new one, and updates procedural
    /// memory and affective state (learning from a trade). Returns the number of the new belief, if one was induced.
    ///
    /// # Errors
    /// As [`induce`]; never in practice.
    pub fn remember(
        &mut self,
        episode: EpisodicMemory,
        names: &dyn Names,
        now_s: f64,
    ) -> Result<Option<u32>, BeliefError> {
        self.remember_seen(episode, names, &Seen::default(), now_s)
    }

    /// Learns from a trade as [`Mind::remember`] does, with further knowledge of it. An open trade and a decision not to trade are only
    /// kept. An open trade has its consequences when it is taken out by [`Mind::take_open`] and remembered again with its outcome.
    ///
    /// Existing beliefs are updated before a new one is induced, or the episode would count twice for the new one.
    ///
    /// # Errors
    /// As [`induce`]; never in practice.
    pub fn remember_seen(
        &mut self,
        episode: EpisodicMemory,
        names: &dyn Names,
        seen: &Seen<'_>,
        now_s: f64,
    ) -> Result<Option<u32>, BeliefError> {
        if !episode.is_closed() {
            self.shelve(episode, seen.is_late);
            return Ok(None);
        }
        let (key, pnl_r) = (PatternKey::of(&episode), episode.pnl_r);
        let known =
            |name: &str| seen.field.and_then(|field| field(name)).or_else(|| episode.field(names, name));
        for belief in &mut self.beliefs {
            belief.hold_against(&episode, known, now_s);
        }
        self.shelve(episode, seen.is_late);
        let formed = self.form_belief(key, names, now_s)?;
        if seen.is_late {
            self.affect.on_late_outcome(pnl_r, seen.expected_r, &self.config.affect);
        } else {
            self.affect.on_outcome(pnl_r, seen.expected_r, &self.config.affect);
        }
        self.update_habit(key.domain, pnl_r, now_s);
        Ok(formed)
    }

    /// Removes an episode that isn't closed and returns it, to be remembered again with its outcome (an open trade).
    pub fn take_open(&mut self, id: u64) -> Option<EpisodicMemory> {
        let is_it = |memory: &&EpisodicMemory| memory.id == id && !memory.is_closed();
        let shelf =
            self.shelves.iter_mut().find(|shelf| shelf.records().iter().any(|memory| is_it(&memory)))?;
        shelf.take(id)
    }

    /// The R (expected return) that beliefs expect of a strategy: the mean outcome of the episodes behind its beliefs in gain, each counted
    /// once for each belief; `None` without any. The `owm` tools measure confidence by it; golems use the configured value.
    pub fn expected_r(&self, strategy: u16) -> Option<f64> {
        let about = |belief: &&SemanticMemory| {
            belief.scope.strategy == Some(strategy) && belief.predicate == Predicate::Profitable
        };
        let (mut outcomes, mut total_r) = (0.0, 0.0);
        for belief in self.beliefs.iter().filter(about) {
            outcomes += f64::from(belief.outcomes);
            total_r += belief.total_r;
        }
        (outcomes > 0.0).then(|| total_r / outcomes)
    }

    /// Induces the belief of a pattern, if it has enough episodes and none yet.
    fn form_belief(
        &mut self,
        key: PatternKey,
        names: &dyn Names,
        now_s: f64,
    ) -> Result<Option<u32>, BeliefError> {
        let Err(place) = self.induced.binary_search(&key) else { return Ok(None) };
        if !key.names_a_market() {
            return Ok(None);
        }
        let Some(shelf) = self.shelf(key.domain) else { return Ok(None) };
        let alike = |episode: &&EpisodicMemory| PatternKey::of(episode) == key && episode.result().is_some();
        let episodes: Vec<&EpisodicMemory> = shelf.records().iter().filter(alike).collect();
        if episodes.len() < self.config.induce_after as usize {
            return Ok(None);
        }
        let belief = induce(&key, &episodes, names, now_s)?;
        self.induced.insert(place, key);
        Ok(Some(self.believe(belief)))
    }

    /// Adds a belief to semantic memory and returns its number, as for a seeded belief or one that is inherited.
    pub fn believe(&mut self, mut belief: SemanticMemory) -> u32 {
        belief.id = self.beliefs_made;
        self.beliefs_made += 1;
        self.beliefs.push(belief);
        self.beliefs_made - 1
    }

    /// Adds a plan to prospective memory and returns its number. It isn't compared with known plans.
    pub fn plan(&mut self, mut plan: Plan) -> u32 {
        plan.id = self.plans_made;
        self.plans_made += 1;
        self.plans.push(plan);
        self.plans_made - 1
    }

    /// Takes in the current equity, in money, and with it the drawdown.
    pub fn on_equity(&mut self, equity: f64, now_s: f64) {
        self.affect.on_equity(equity, now_s, &self.config.affect);
    }

    /// Takes in an equity of an earlier moment (a late update): it may only raise the peak.
    pub fn on_past_equity(&mut self, equity: f64) {
        self.affect.on_past_equity(equity, &self.config.affect);
    }

    /// Takes in a trade that followed the market's last move (1), opposed it (−1), or was made without one (0) (trend following).
    pub fn on_direction(&mut self, followed: f64) {
        self.affect.on_direction(followed, &self.config.affect);
    }

    fn update_habit(&mut self, domain: Domain, arrived_r: Option<f64>, now_s: f64) {
        let place = self.habits.binary_search_by_key(&domain, |habit| habit.domain).unwrap_or_else(|place| {
            let habit = ProceduralMemory::new(domain, now_s, &self.config.drift);
            self.habits.insert(place, habit);
            place
        });
        let expected = self.expectation(domain);
        if let Ok(shelf) = self.shelves.binary_search_by_key(&domain, Shelf::domain) {
            let trades = self.shelves[shelf].records();
            self.habits[place].update(trades, arrived_r, expected, now_s, &self.config.drift);
        }
    }

    /// The expectation of beliefs about a domain: the mean win rate weighted by sample size, the mean outcome, and the payoff of the domain's episodes;
    /// `None` without beliefs that trades gain.
    fn expectation(&self, domain: Domain) -> Option<Expectation> {
        let about = |belief: &&SemanticMemory| {
            belief.scope.strategy == Some(domain.strategy)
                && belief.scope.symbol.is_none_or(|symbol| symbol == domain.symbol)
                && belief.predicate == Predicate::Profitable
        };
        let (mut samples, mut wins, mut outcomes, mut total_r) = (0.0, 0.0, 0.0, 0.0);
        for belief in self.beliefs.iter().filter(about) {
            let sample = f64::from(belief.sample_size.max(1));
            samples += sample;
            wins += sample * belief.belief.mean();
            outcomes += f64::from(belief.outcomes);
            total_r += belief.total_r;
        }
        if samples == 0.0 {
            return None;
        }
        let avg_pnl_r = if outcomes > 0.0 { total_r / outcomes } else { 0.0 };
        Some(Expectation { win_rate: wins / samples, avg_pnl_r, payoff: self.payoff(domain) })
    }

    /// Payoff: the mean gain over the mean loss of a domain's episodes; 0 unless there are both.
    fn payoff(&self, domain: Domain) -> f64 {
        let records = self.shelf(domain).map_or(&[][..], Shelf::records);
        let side = |sign: f64| {
            let sizes = records.iter().filter_map(|trade| trade.pnl_r).map(|r| r * sign);
            mean(sizes.filter(|size| *size > 0.0)).unwrap_or(0.0)
        };
        let (gain, loss) = (side(1.0), side(-1.0));
        if loss > 0.0 { gain / loss } else { 0.0 }
    }

    /// Counts a retrieval (rehearsal) of an episode that was recalled; false if it isn't remembered. A recall doesn't do it by itself.
    pub fn recalled(&mut self, id: u64, now_s: f64) -> bool {
        self.shelves.iter_mut().any(|shelf| shelf.recalled(id, now_s))
    }
}
