//! Recall across the memories (digest section 4), and the stake that follows (section 10, Kelly criterion). It is memory retrieval over
//! episodes, beliefs and plans in one ranking. Scores are products of factors, stakes are shares of equity, moments are seconds. Unless the
//! whole memory is asked, only the newest episodes are scored, five for each result wanted by default, because a full search grows with the
//! store; of beliefs, the first that match, three for each. Golems, the tools' stakes and the validation ask for episodes of one strategy
//! on one symbol (`Mind::recall_domain`, up to 50, the key `kelly.memories`); the `owm` tools' recall asks for episodes and beliefs unless
//! the question names other kinds. A recall changes nothing: the caller reports episodes it used by `Mind::recalled`, which strengthens
//! them.

use super::context::{ContextVector, Regime, Session, VolatilityRegime};
use super::episodic::{Domain, EpisodicMemory, Shelf};
use super::kelly::{self, Recollection};
use super::mind::Mind;
use super::prospective::Plan;
use super::recall::{Candidate, Components, Query, Recalled, Worth, rank, recall_shelf};
use super::score::{DAY_S, Outcomes};
use super::semantic::SemanticMemory;
use super::trigger::KnownFields;
use std::cmp::Ordering;

morta_base::words! {
    /// A kind of memory that can be recalled: episodic, semantic or prospective.
    pub enum MemoryType {
        /// An episode.
        Episodic = "episodic",
        /// A belief.
        Semantic = "semantic",
        /// A plan.
        Prospective = "prospective",
    }
}

/// The filter of a recall: strategy, symbol, kinds of memory, and a limit (top-k). Plans pass whatever strategy and symbol it names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted<'a> {
    /// The strategy; `None` for all.
    pub strategy: Option<u16>,
    /// The symbol; `None` for all.
    pub symbol: Option<u16>,
    /// The kinds of memory.
    pub types: &'a [MemoryType],
    /// Largest number of results.
    pub limit: usize,
    /// Whether every memory is scored. False scores only the newest episodes and the first beliefs that match, oldest first
    /// ([`MindConfig`](super::MindConfig)'s `episodic_fetch` and `semantic_fetch` times the limit), because a recall in a large store would
    /// take too long.
    pub whole: bool,
}

/// A recalled memory, borrowed: an episode, a belief or a plan (a search result).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recollected<'a> {
    /// An episode.
    Episodic(&'a EpisodicMemory),
    /// A belief.
    Semantic(&'a SemanticMemory),
    /// A plan.
    Prospective(&'a Plan),
}

/// A recalled memory with its score and its factors (a search result).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedMemory<'a> {
    /// The memory.
    pub memory: Recollected<'a>,
    /// Its score, times the weight of its period.
    pub score: f64,
    /// The factors of the score, without the weight of the period.
    pub components: Components,
}

impl RankedMemory<'_> {
    /// What a stake is computed from: the score and the outcome of an episode; `None` for beliefs and plans, which have no outcome.
    pub fn recollection(&self) -> Option<Recollection> {
        let Recollected::Episodic(memory) = self.memory else { return None };
        Some(Recollection { score: self.score, pnl_r: memory.pnl_r })
    }
}

impl Mind {
    /// Recalls the best memories, best first; equal scores keep the order of kinds and of making (memory retrieval). A belief is recalled only
    /// where its validity conditions hold. Conditions on strategy and symbol hold unless the present contradicts them, because the belief's scope
    /// tests these.
    pub fn recall(&self, wanted: &Wanted<'_>, query: &Query) -> Vec<RankedMemory<'_>> {
        self.recall_seen(wanted, query, &|name| query.context.field(name))
    }

    /// Recalls as [`Mind::recall`] does, with further known fields of the present for the conditions of beliefs.
    pub fn recall_seen<'a>(
        &self,
        wanted: &Wanted<'_>,
        query: &Query,
        field: &KnownFields<'a>,
    ) -> Vec<RankedMemory<'_>> {
        let fetched = |fetch: u32| match fetch {
            _ if wanted.whole => usize::MAX,
            0 => usize::MAX,
            fetch => wanted.limit.saturating_mul(fetch as usize),
        };
        let shelves = self.wanted_shelves(wanted, fetched(self.config().episodic_fetch));
        let sigma_r = self.sigma_r(&shelves);
        let mut ranked = Vec::new();
        if wanted.types.contains(&MemoryType::Episodic) {
            for (shelf, newest) in &shelves {
                ranked.extend(self.recall_from(shelf, *newest, query, sigma_r, wanted.limit));
            }
        }
        if wanted.types.contains(&MemoryType::Semantic) {
            let about = |belief: &&SemanticMemory| {
                let scope = &belief.scope;
                let open = |own: Option<u16>, wanted: Option<u16>| {
                    own.is_none() || wanted.is_none() || own == wanted
                };
                open(scope.strategy, wanted.strategy)
                    && open(scope.symbol, wanted.symbol)
                    && (scope.regime.is_none() || scope.regime == query.context.regime)
                    && belief.validity_conditions.may_hold(&["strategy", "strategy_name", "symbol"], field)
            };
            let beliefs = self.beliefs().iter().filter(about).take(fetched(self.config().semantic_fetch));
            ranked.extend(beliefs.map(|belief| {
                let (context, query) = opened(belief.context, query);
                let candidate = Candidate {
                    worth: Worth::Semantic,
                    made_s: Some(belief.updated_s),
                    confidence: Some(belief.belief.mean()),
                    context,
                };
                let components = candidate.components(&query, sigma_r, &self.config().score);
                let memory = Recollected::Semantic(belief);
                RankedMemory { memory, score: components.score(), components }
            }));
        }
        if wanted.types.contains(&MemoryType::Prospective) {
            ranked.extend(self.recall_plans(query, sigma_r));
        }
        let by_rest = |ranked: &RankedMemory<'_>| ranked.components.without_likeness();
        ranked.sort_by(|a, b| {
            // A memory without any similarity has a score of 0. Such memories are still ordered by their other factors.
            let tied = if b.score == 0.0 { by_rest(b).total_cmp(&by_rest(a)) } else { Ordering::Equal };
            b.score.total_cmp(&a.score).then(tied)
        });
        ranked.truncate(wanted.limit);
        ranked
    }

    /// The shelves of the filter, each with the number of newest memories to score.
    fn wanted_shelves(&self, wanted: &Wanted<'_>, fetched: usize) -> Vec<(&Shelf, usize)> {
        let matches = |shelf: &&Shelf| {
            wanted.strategy.is_none_or(|strategy| strategy == shelf.domain().strategy)
                && wanted.symbol.is_none_or(|symbol| symbol == shelf.domain().symbol)
        };
        let shelves: Vec<&Shelf> = self.shelves().iter().filter(matches).collect();
        let total: usize = shelves.iter().map(|shelf| shelf.records().len()).sum();
        if shelves.len() < 2 || total <= fetched {
            return shelves.into_iter().map(|shelf| (shelf, fetched)).collect();
        }
        // The newest `fetched` of all shelves together: from each shelf those since the moment that leaves just enough in total. Taking `fetched`
        // from each shelf instead would let a rarely traded symbol bring in old memories.
        let mut made: Vec<f64> = shelves.iter().flat_map(|shelf| shelf.records()).map(made_s).collect();
        made.sort_by(|a, b| b.total_cmp(a));
        let Some(&since) = fetched.checked_sub(1).and_then(|last| made.get(last)) else { return Vec::new() };
        let newest = |shelf: &Shelf| shelf.records().iter().rev().take_while(|m| made_s(m) > since).count();
        let mut left = fetched - shelves.iter().map(|shelf| newest(shelf)).sum::<usize>();
        // Of trades of that very moment, as where only days are known, as many as there is room for, shelf by shelf.
        let with_ties = |shelf| {
            let later = newest(shelf);
            let tied = shelf.records().iter().rev().skip(later).take_while(|m| made_s(m) == since).take(left);
            let tied = tied.count();
            left -= tied;
            (shelf, later + tied)
        };
        shelves.into_iter().map(with_ties).collect()
    }

    fn sigma_r(&self, shelves: &[(&Shelf, usize)]) -> f64 {
        let spread = self.config().score.spread;
        if let [(shelf, newest)] = shelves {
            return spread.sigma_r(shelf.outcomes(*newest));
        }
        let (mut pnl_r, mut known) = (Vec::new(), Vec::new());
        for (shelf, newest) in shelves {
            let outcomes = shelf.outcomes(*newest);
            pnl_r.extend_from_slice(outcomes.pnl_r);
            known.extend_from_slice(outcomes.known);
        }
        spread.sigma_r(Outcomes { pnl_r: &pnl_r, known: &known })
    }

    fn recall_from<'a>(
        &self,
        shelf: &'a Shelf,
        newest: usize,
        query: &Query,
        sigma_r: f64,
        limit: usize,
    ) -> Vec<RankedMemory<'a>> {
        let weighted = self.config().sharpe.enabled;
        let is_open = query.context == ContextVector::default();
        // Without a limit in two cases. Weights of periods change the order after the scores, and an empty context makes every score 0.
        let first = if weighted || is_open { usize::MAX } else { limit };
        let mut scored = recall_shelf(shelf, newest, query, sigma_r, &self.config().score, first);
        if is_open {
            scored
                .sort_by(|a, b| b.components.without_likeness().total_cmp(&a.components.without_likeness()));
        }
        if weighted {
            for found in &mut scored {
                found.score *= self.config().sharpe.weight(&self.period(&shelf.records()[found.place]));
            }
        }
        // Stable, so that the order by the other factors remains where all scores are 0.
        rank(&mut scored, limit);
        let ranked = |found: Recalled| RankedMemory {
            memory: Recollected::Episodic(&shelf.records()[found.place]),
            score: found.score,
            components: found.components,
        };
        scored.into_iter().map(ranked).collect()
    }

    /// Outcomes of the episodes within half a window of an episode's moment, both ends included (the document leaves the ends open); empty without
    /// a moment.
    fn period(&self, memory: &EpisodicMemory) -> Vec<Option<f64>> {
        let Some(centre) = memory.made_s else { return Vec::new() };
        let reach = self.config().sharpe.window_days * DAY_S / 2.0;
        let near = |other: &&EpisodicMemory| other.made_s.is_some_and(|made| (made - centre).abs() <= reach);
        self.shelves().iter().flat_map(Shelf::records).filter(near).map(|other| other.pnl_r).collect()
    }

    fn recall_plans(&self, query: &Query, sigma_r: f64) -> Vec<RankedMemory<'_>> {
        let valid = self.plans().iter().filter(|plan| plan.is_valid(query.now_s));
        let score = |plan| {
            let sources: Vec<Option<f64>> = self.sources(plan).map(|memory| memory.pnl_r).collect();
            let (context, query) = opened(self.source_context(plan), query);
            let candidate = Candidate {
                worth: Worth::Prospective { priority: plan.priority, sources: &sources },
                made_s: Some(plan.created_s),
                confidence: Some(plan.priority),
                context,
            };
            let components = candidate.components(&query, sigma_r, &self.config().score);
            RankedMemory { memory: Recollected::Prospective(plan), score: components.score(), components }
        };
        valid.map(score).collect()
    }

    /// The episodes that a plan follows from.
    fn sources<'a>(&'a self, plan: &'a Plan) -> impl Iterator<Item = &'a EpisodicMemory> {
        let records = self.shelves().iter().flat_map(Shelf::records);
        records.filter(|memory| plan.source_episodic.contains(&memory.id))
    }

    /// The context of a plan: that of its newest episode; empty without one.
    fn source_context(&self, plan: &Plan) -> ContextVector {
        let newest = self.sources(plan).max_by(|a, b| made_s(a).total_cmp(&made_s(b)));
        newest.map(|memory| memory.context).unwrap_or_default()
    }

    /// The share of equity to stake on a domain, from recalled episodes (Kelly fraction); 0 with fewer than ten of them by default.
    pub fn kelly(&self, domain: Domain, query: &Query) -> f64 {
        self.stake_by(&self.recall_domain(domain, query))
    }

    /// The share of equity to stake, from given recalled memories; those other than episodes are ignored (Kelly fraction).
    pub fn stake_by(&self, recalled: &[RankedMemory<'_>]) -> f64 {
        let recollections: Vec<Recollection> =
            recalled.iter().filter_map(RankedMemory::recollection).collect();
        kelly::from_memory(&recollections, self.affect().risk_appetite, &self.config().kelly)
    }

    /// Recalls (retrieves) the episodes of a domain for a stake.
    pub fn recall_domain(&self, domain: Domain, query: &Query) -> Vec<RankedMemory<'_>> {
        let wanted = Wanted {
            strategy: Some(domain.strategy),
            symbol: Some(domain.symbol),
            types: &[MemoryType::Episodic],
            limit: self.config().kelly.memories as usize,
            whole: false,
        };
        self.recall(&wanted, query)
    }
}

/// Gives a belief or plan and the query one common label where the belief leaves a label open. An open label means every regime, session or
/// volatility, the present one included, so it has to count as equal even if the present one is unknown. (An episode's unknown label counts
/// as different instead.)
fn opened(own: ContextVector, query: &Query) -> (ContextVector, Query) {
    let now = query.context;
    let regime = now.regime.unwrap_or(Regime::Ranging);
    let volatility = now.volatility_regime.unwrap_or(VolatilityRegime::Normal);
    let session = now.session.unwrap_or(Session::Asia);
    let labelled = ContextVector {
        regime: own.regime.or(Some(regime)),
        volatility_regime: own.volatility_regime.or(Some(volatility)),
        session: own.session.or(Some(session)),
        ..own
    };
    let context = ContextVector {
        regime: now.regime.or(own.regime.is_none().then_some(regime)),
        volatility_regime: now.volatility_regime.or(own.volatility_regime.is_none().then_some(volatility)),
        session: now.session.or(own.session.is_none().then_some(session)),
        ..now
    };
    (labelled, Query { context, ..*query })
}

fn made_s(memory: &EpisodicMemory) -> f64 {
    memory.made_s.unwrap_or(f64::NEG_INFINITY)
}
