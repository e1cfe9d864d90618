//! The measures of a cell: what each is called, what it means, and how it is computed.

use super::survival::{median_ticks, restricted_mean_ticks};
use super::tally::Tally;
use crate::text::nearest;
use morta_engine::base::Usdc;
use morta_engine::event::WakingTier;
use morta_engine::mortality::Clock;

/// One measure of a cohort in one cell.
#[derive(Clone, Copy)]
pub struct Measure {
    /// Its name: that of its column.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Which way is usually taken to be better.
    pub better: Better,
    /// What it is.
    pub about: &'static str,
    of: fn(&Tally, u64) -> Option<f64>,
}

/// Which way is usually taken to be better; a pre-registration says it for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The larger the better.
    More,
    /// The smaller the better.
    Less,
    /// It describes.
    Neither,
}

impl Better {
    /// In a word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::More => "more",
            Self::Less => "less",
            Self::Neither => "",
        }
    }
}

impl Measure {
    /// Its value for a cohort; `None` where it isn't defined, as a mean of nothing. `horizon_ticks` is the age up to which
    /// restricted means go.
    pub fn of(&self, tally: &Tally, horizon_ticks: u64) -> Option<f64> {
        (self.of)(tally, horizon_ticks).filter(|value| value.is_finite())
    }
}

const fn measure(
    name: &'static str,
    unit: &'static str,
    better: Better,
    about: &'static str,
    of: fn(&Tally, u64) -> Option<f64>,
) -> Measure {
    Measure { name, unit, better, about, of }
}

fn count(number: u64) -> Option<f64> {
    Some(number as f64)
}

fn ratio(sum: f64, number: u64) -> Option<f64> {
    (number > 0).then(|| sum / number as f64)
}

fn money(amount: Usdc) -> Option<f64> {
    Some(amount.dollars())
}

fn of_endowments(amount: Usdc, tally: &Tally) -> Option<f64> {
    tally.endowments.is_positive().then(|| amount.dollars() / tally.endowments.dollars())
}

fn per_1000_golem_ticks(number: u64, tally: &Tally) -> Option<f64> {
    ratio(1_000.0 * number as f64, tally.golem_ticks())
}

fn died_of(tally: &Tally, cause: &str) -> Option<f64> {
    count(tally.deaths.get(cause).copied().unwrap_or(0))
}

fn waking_share(tally: &Tally, tier: WakingTier) -> Option<f64> {
    ratio(tally.gate.ticks[tier as usize] as f64, tally.gate.ticks.iter().sum())
}

use Better::{Less, More, Neither};

/// All measures, in the order of their columns.
pub const MEASURES: &[Measure] = &[
    measure("births", "golems", Neither, "golems born", |t, _| count(t.born)),
    measure("deaths", "golems", Less, "golems that died", |t, _| count(t.deaths.values().sum())),
    measure("deaths_economic", "golems", Less, "of these, of poverty", |t, _| died_of(t, "economic")),
    measure("deaths_epistemic", "golems", Less, "of these, of failing knowledge", |t, _| {
        died_of(t, "epistemic_senescence")
    }),
    measure(
        "deaths_model_staleness",
        "golems",
        Less,
        "of these, of knowledge worse than guessing",
        |t, _| died_of(t, "model_staleness"),
    ),
    measure(
        "epistemic_death_share",
        "share",
        Neither,
        "deaths of failing knowledge, or of knowledge worse than guessing, over deaths",
        |t, _| ratio(t.died_of_clock(Clock::Epistemic) as f64, t.deaths.values().sum()),
    ),
    measure("deaths_stochastic", "golems", Less, "of these, by chance", |t, _| died_of(t, "stochastic")),
    measure("deaths_owner_kill", "golems", Neither, "of these, ended by their owners", |t, _| {
        died_of(t, "owner_kill")
    }),
    measure("deaths_kill_switch", "golems", Neither, "of these, shut down with their cohort", |t, _| {
        died_of(t, "kill_switch")
    }),
    measure("deaths_fault", "golems", Less, "of these, by a failure of their own step", |t, _| {
        died_of(t, "fault")
    }),
    measure("survivors", "golems", More, "golems that outlived the run", |t, _| count(t.survivors())),
    measure("survivor_share", "share", More, "survivors over births", |t, _| {
        ratio(t.survivors() as f64, t.born)
    }),
    measure(
        "would_have_died_share",
        "share",
        Less,
        "immortals that would have died, over all lives",
        |t, _| ratio(t.would_have_died as f64, t.lives.len() as u64),
    ),
    measure("lifespan_mean_ticks", "ticks", More, "mean of lifetimes as far as they were watched", |t, _| {
        ratio(t.lives.iter().map(|life| life.age_ticks).sum::<u64>() as f64, t.lives.len() as u64)
    }),
    measure(
        "lifespan_median_ticks",
        "ticks",
        More,
        "median lifetime by Kaplan and Meier; none while more than half live",
        |t, _| median_ticks(&t.lives),
    ),
    measure(
        "restricted_mean_ticks",
        "ticks",
        More,
        "mean lifetime up to the horizon, the area under the survival curve",
        |t, horizon| restricted_mean_ticks(&t.lives, horizon),
    ),
    measure("max_generation", "generations", Neither, "highest generation, founders being 0", |t, _| {
        count(u64::from(t.max_generation))
    }),
    measure(
        "same_cause_share",
        "share",
        Less,
        "dead successors that died of what their predecessor had died of, over dead successors",
        |t, _| ratio(t.succession.same_cause as f64, t.succession.dead),
    ),
    measure(
        "liquidations_a_life",
        "liquidations",
        Less,
        "positions that lenders took because they no longer covered their loans, over lives",
        |t, _| ratio(t.liquidations as f64, t.lives.len() as u64),
    ),
    measure(
        "trade_death_share",
        "share",
        Less,
        "deaths of money that began as a loss was closed, or with one open, over deaths",
        |t, _| ratio(t.killed_by_trades as f64, t.deaths.values().sum()),
    ),
    measure(
        "liquidation_death_share",
        "share",
        Less,
        "of deaths, those of a position that was liquidated",
        |t, _| ratio(t.killed_by_liquidations as f64, t.deaths.values().sum()),
    ),
    measure(
        "liquidation_deaths_per_1000_golem_ticks",
        "golems",
        Less,
        "deaths of a position that was liquidated, for every 1,000 ticks that golems lived",
        |t, _| per_1000_golem_ticks(t.killed_by_liquidations, t),
    ),
    measure(
        "testaments",
        "testaments",
        Neither,
        "deaths that left a testament, whatever there was to write it on",
        |t, _| count(t.testaments),
    ),
    measure("stranded_usdc", "USDC", Less, "what the market would not take back from the dying", |t, _| {
        money(t.stranded)
    }),
    measure("trades", "trades", Neither, "trades closed", |t, _| count(t.trades)),
    measure("wins", "trades", More, "of these, profitable", |t, _| count(t.wins)),
    measure("win_rate", "share", More, "wins over trades", |t, _| ratio(t.wins as f64, t.trades)),
    measure(
        "r_per_golem_tick",
        "R per tick",
        More,
        "sum of R-multiples over the ticks that golems lived: time is what is scarce, and a trade of little R may take little of it",
        |t, _| ratio(t.total_r, t.golem_ticks()),
    ),
    measure(
        "decision_ticks_mean",
        "ticks",
        Neither,
        "mean ticks from the decision for a trade until it is closed",
        |t, _| ratio(t.held_ticks as f64, t.trades),
    ),
    measure("mean_r", "R", More, "mean R-multiple of a trade", |t, _| ratio(t.total_r, t.trades)),
    measure(
        "sharpe_r",
        "ratio",
        More,
        "mean R-multiple of a trade over its standard deviation; none for fewer than two trades",
        |t, _| t.r_spread.mean_over_deviation(),
    ),
    measure("total_r", "R", More, "sum of R-multiples", |t, _| Some(t.total_r)),
    measure("r_drawdown", "R", Less, "deepest fall of the sum of R below what it had reached", |t, _| {
        Some(t.r_fall.deepest)
    }),
    measure(
        "mean_regret_r",
        "R",
        Less,
        "mean regret of a trade: what the best other strategy would have made beyond it",
        |t, _| ratio(t.total_regret_r, t.trades),
    ),
    measure("pnl_usdc", "USDC", More, "profit of all trades, costs taken off", |t, _| money(t.pnl)),
    measure(
        "expected_r_slope",
        "R per R",
        Neither,
        "slope of the realised on the expected R of trades: 1 for who knows what to expect, 0 for who doesn't",
        |t, _| t.calibration.slope(),
    ),
    measure(
        "expected_r_correlation",
        "correlation",
        More,
        "correlation of the expected with the realised R of trades",
        |t, _| t.calibration.correlation(),
    ),
    measure(
        "expected_r_bias",
        "R",
        Neither,
        "expected less realised R, mean over trades: above 0 for who hopes too much",
        |t, _| t.calibration.bias(),
    ),
    measure("memory_stored", "items", Neither, "items that memories stored", |t, _| count(t.memory.stored)),
    measure(
        "junk_share",
        "share",
        Less,
        "of these, items that were never called on or say the same as one before them",
        |t, _| ratio(t.memory.junk as f64, t.memory.stored),
    ),
    measure(
        "self_fed_share",
        "share",
        Less,
        "outcomes counted for or against a belief that had tipped the decision: without it another was made, or none",
        |t, _| ratio(t.memory.self_evidence as f64, t.memory.evidence),
    ),
    measure("stayed_out", "times", Neither, "abstentions that were remembered", |t, _| count(t.stayed_out)),
    measure("explored_share", "share", Neither, "trades entered to explore, over trades", |t, _| {
        ratio(t.explored as f64, t.trades)
    }),
    measure(
        "left_share",
        "share",
        Neither,
        "trades left before their stop and the end of their horizon, because staying in was not worth its time, over trades",
        |t, _| ratio(t.left as f64, t.trades),
    ),
    measure(
        "niches_occupied",
        "niches",
        More,
        "pairs of strategy and regime as read that hold at least 2 % of the trades of the run's last half",
        |t, _| t.niches.occupied().map(|niches| niches as f64),
    ),
    measure(
        "successor_first_r",
        "R",
        More,
        "mean R-multiple of the first 20 trades of successors",
        |t, _| ratio(t.first_trades.of_successors().total_r, t.first_trades.of_successors().trades),
    ),
    measure(
        "first_r_per_tick",
        "R per tick",
        More,
        "R-multiples of the first 20 trades of successors over the ticks from birth to the last of them (to their death, if that \
         comes before)",
        |t, _| t.first_trades.of_successors().r_per_tick(),
    ),
    measure(
        "ratchet_slope",
        "R per tick",
        More,
        "slope over generations of the R per tick of the first 20 trades of a life, founders included, generations weighed by their \
         ticks; none for fewer than five generations",
        |t, _| t.first_trades.slope(),
    ),
    measure("fitness_mean", "0 to 1", More, "mean epistemic fitness of the survivors at the end", |t, _| {
        ratio(t.fitness, t.survivors())
    }),
    measure(
        "epistemic_skill",
        "skill",
        More,
        "skill of the forecasts of memories over whole lives, their squared errors added up: 1 less that sum over the least of those of \
         persistence, of expecting nothing and of the prior; 0 is no better, at least −1; none where no forecast came due",
        |t, _| t.forecasts.skill(),
    ),
    measure(
        "causal_foresight",
        "skill",
        More,
        "skill of what causal edges foretold, as the dreams after it found: 1 less the squared error of their confidence over that of the \
         usual rate of the effect, whatever was there before; 0 is no better; none where nothing was foretold",
        |t, _| (t.foresight.brier_usual > 0.0).then(|| 1.0 - t.foresight.brier / t.foresight.brier_usual),
    ),
    measure(
        "causal_reach",
        "share",
        More,
        "chances of something new to set in that an edge spoke of, over all such chances between dreams",
        |t, _| ratio(t.foresight.foretold as f64, t.foresight.chances),
    ),
    measure(
        "causal_links_mean",
        "links",
        Neither,
        "causal links known at the end of a life, mean",
        |t, _| ratio(t.causal_links as f64, t.lives.len() as u64),
    ),
    measure(
        "fitness_late_mean",
        "0 to 1",
        More,
        "mean epistemic fitness of the living over the run's last third; everybody only",
        |t, _| t.late.fitness_mean(),
    ),
    measure(
        "vitality_late_mean",
        "0 to 1",
        More,
        "mean vitality of the living over the run's last third; everybody only",
        |t, _| t.late.vitality_mean(),
    ),
    measure(
        "adaptation_ticks",
        "ticks",
        Less,
        "ticks from the scenario's first planned shock until mean fitness is back at 90 % of its mean over the 100 ticks \
         before; 0 if it never falls below that until 100 ticks after the shock's end, the rest of the run if it never is \
         back, none without such a shock; everybody only",
        |t, _| t.adaptation.as_ref()?.ticks().map(|ticks| ticks as f64),
    ),
    measure("law_changes", "changes", Neither, "times that the market's law changed", |t, _| {
        count(t.law_lag.count())
    }),
    measure(
        "law_adaptation_ticks",
        "ticks",
        Less,
        "the same after each change of the market's law, mean over the changes; the rest of its era if fitness never is back, \
         none without a change; everybody only",
        |t, _| t.law_adaptation.mean_ticks(),
    ),
    measure(
        "law_change_cost_r",
        "R",
        Less,
        "mean R of trades entered later than 100 ticks after a change of the market's law, less that of trades entered within \
         100 ticks of one: what it costs that what was learned no longer pays",
        |t, _| t.law_lag.cost_r(),
    ),
    measure("dreams", "dreams", Neither, "dreams completed", |t, _| count(t.dreams)),
    measure("dreams_interrupted", "dreams", Less, "dreams broken off", |t, _| count(t.dreams_interrupted)),
    measure("dream_ticks_mean", "ticks", Neither, "ticks a dream, of those dreamt to their ends", |t, _| {
        t.minds.ticks()
    }),
    measure(
        "dream_cost_mean_usdc",
        "USDC",
        Less,
        "inference a dream, of those dreamt to their ends",
        |t, _| t.minds.cost(),
    ),
    measure(
        "dream_intensity_mean",
        "intensity",
        Neither,
        "mean intensity with which dreams began: 1 without any pressure of the clocks",
        |t, _| t.minds.intensity(),
    ),
    measure(
        "unsure_dream_share",
        "share",
        Neither,
        "dreams of golems that were very unsure of their predictions, over all dreams",
        |t, _| t.minds.unsure_share(),
    ),
    measure(
        "confused_dream_share",
        "share",
        Neither,
        "dreams that went after what had confused the golem most, over all dreams",
        |t, _| t.minds.confused_share(),
    ),
    measure(
        "mood_dream_share",
        "share",
        Neither,
        "dreams whose choice of episodes a mood drew to something, over all dreams",
        |t, _| t.minds.drawn_share(),
    ),
    measure(
        "legacy_dream_share",
        "share",
        Neither,
        "dreams of golems that had begun to turn to what they can pass on, over all dreams",
        |t, _| t.minds.legacy_share(),
    ),
    measure(
        "depotentiated_a_dream",
        "episodes",
        Neither,
        "episodes that a dream took some of the feeling from, mean",
        |t, _| t.minds.depotentiated(),
    ),
    measure(
        "dream_quality_mean",
        "0 to 1",
        More,
        "mean quality of dreams by the golems' own judgement",
        |t, _| ratio(t.dream_quality, t.dreams),
    ),
    measure("episodes_replayed", "episodes", Neither, "episodes gone through again in dreams", |t, _| {
        count(t.episodes_replayed)
    }),
    measure("claims_staged", "claims", Neither, "conclusions put to the test", |t, _| count(t.claims_staged)),
    measure("claims_promoted", "claims", More, "of these, borne out", |t, _| count(t.claims_promoted)),
    measure("claims_refuted", "claims", Less, "of these, refuted", |t, _| count(t.claims_refuted)),
    measure(
        "replay_predictive_accuracy",
        "share",
        More,
        "conclusions of dreams that live trading bore out, over those it bore out or refuted",
        |t, _| {
            let [confirmed, refuted] =
                t.validated.values().fold([0_u64; 2], |[c, r], (confirmed, refuted)| {
                    [c + u64::from(*confirmed), r + u64::from(*refuted)]
                });
            ratio(confirmed as f64, confirmed + refuted)
        },
    ),
    measure(
        "displaced_untested_share",
        "share",
        Less,
        "conclusions that had to make room for a stronger one before any outcome spoke to them, over those put to the test",
        |t, _| ratio(t.claims_displaced_untested as f64, t.claims_staged),
    ),
    measure("rules_admitted", "rules", Neither, "rules that entered a playbook", |t, _| {
        count(t.rules_admitted)
    }),
    measure(
        "claims_per_1000_golem_ticks",
        "claims",
        More,
        "conclusions put to the test for every 1000 ticks that a golem lived",
        |t, _| per_1000_golem_ticks(t.claims_staged, t),
    ),
    measure(
        "rules_per_1000_golem_ticks",
        "rules",
        More,
        "rules that entered a playbook for every 1000 ticks that a golem lived",
        |t, _| per_1000_golem_ticks(t.rules_admitted, t),
    ),
    measure("rules_retired", "rules", Neither, "rules that left one", |t, _| count(t.rules_retired)),
    measure("bloodstains_left", "bloodstains", Neither, "bloodstains left by the dead", |t, _| {
        count(t.bloodstains_left)
    }),
    measure("bloodstains_drawn", "bloodstains", Neither, "bloodstains drawn by newborns", |t, _| {
        count(t.bloodstains_drawn)
    }),
    measure("bloodstains_used", "bloodstains", Neither, "of these, heard in a trade's decision", |t, _| {
        count(t.bloodstains.used)
    }),
    measure(
        "bloodstain_win_rate",
        "share",
        More,
        "trades that heard a bloodstain and won, over those that heard one, each bloodstain counted",
        |t, _| ratio(t.bloodstains.wins as f64, t.bloodstains.uses),
    ),
    measure("bloodstain_mean_r", "R", More, "mean R-multiple of those trades", |t, _| {
        ratio(t.bloodstains.total_r, t.bloodstains.uses)
    }),
    measure(
        "legacy_used",
        "lessons",
        Neither,
        "things a predecessor handed on that a trade's decision heard",
        |t, _| count(t.legacies.used),
    ),
    measure(
        "legacy_win_rate",
        "share",
        More,
        "trades that heard a legacy and won, over those that heard one, each lesson counted",
        |t, _| ratio(t.legacies.wins as f64, t.legacies.uses),
    ),
    measure("legacy_mean_r", "R", More, "mean R-multiple of those trades", |t, _| {
        ratio(t.legacies.total_r, t.legacies.uses)
    }),
    measure(
        "ratchet_mean",
        "ratchet",
        More,
        "mean of what a life added to its inheritance: half its new entries and 0.3 of those it bore out less 0.2 of those \
         it refuted, over those inherited; of lives that inherited",
        |t, _| ratio(t.ratchet, t.inheriting_lives),
    ),
    measure("shared", "lessons", Neither, "lessons offered to the clade", |t, _| count(t.shared)),
    measure(
        "clade_used",
        "lessons",
        Neither,
        "things a sibling told that a trade's decision heard",
        |t, _| count(t.clade_lessons.used),
    ),
    measure("clade_mean_r", "R", More, "mean R-multiple of those trades", |t, _| {
        ratio(t.clade_lessons.total_r, t.clade_lessons.uses)
    }),
    measure("inference_calls", "calls", Neither, "questions to a model", |t, _| count(t.inference_calls)),
    measure("compute_usdc", "USDC", Neither, "paid for compute", |t, _| money(t.compute)),
    measure("inference_usdc", "USDC", Less, "paid for inference", |t, _| money(t.inference)),
    measure(
        "gate_t0_share",
        "share",
        Neither,
        "waking ticks in which a golem only looked on, of those at a waking gate",
        |t, _| waking_share(t, WakingTier::T0),
    ),
    measure(
        "gate_t1_share",
        "share",
        Neither,
        "waking ticks in which it thought with a small model",
        |t, _| waking_share(t, WakingTier::T1),
    ),
    measure(
        "gate_t2_share",
        "share",
        Neither,
        "waking ticks in which it thought with a large model",
        |t, _| waking_share(t, WakingTier::T2),
    ),
    measure(
        "gate_usdc",
        "USDC",
        Less,
        "paid for thinking while awake; a part of `inference_usdc`",
        |t, _| money(t.gate.paid),
    ),
    measure(
        "r_per_thought",
        "R per tick",
        More,
        "sum of R-multiples over the waking ticks in which golems with a waking gate thought",
        |t, _| ratio(t.total_r, t.gate.thought()),
    ),
    measure("gas_usdc", "USDC", Less, "paid for gas", |t, _| money(t.gas)),
    measure("lethe_usdc", "USDC", Less, "paid to the Lethe", |t, _| money(t.lethe)),
    measure("endowments_usdc", "USDC", Neither, "money put in at births", |t, _| money(t.endowments)),
    measure("equity_usdc", "USDC", More, "balances of the survivors at the end", |t, _| money(t.equity)),
    measure("equity_per_survivor_usdc", "USDC", More, "the same for each of them", |t, _| {
        ratio(t.equity.dollars(), t.survivors())
    }),
    measure("equity_over_endowments", "share", More, "balances of the survivors over endowments", |t, _| {
        of_endowments(t.equity, t)
    }),
    measure(
        "returned_over_endowments",
        "share",
        More,
        "balances of the survivors and estates of the dead over endowments",
        |t, _| of_endowments(t.equity + t.estates, t),
    ),
    measure(
        "equity_growth_per_tick",
        "per tick",
        More,
        "logarithm of what a life ended with, at its death or with the run, over its endowment, summed over lives, over the ticks they \
         lived; a life that ended with nothing counts as one that ended with a micro-dollar",
        |t, _| ratio(t.log_growth, t.golem_ticks()),
    ),
    measure(
        "equity_drawdown",
        "share",
        Less,
        "deepest fall of the mean balance of the living below what it had reached; everybody only",
        |t, _| (t.ticks > 0).then_some(t.equity_fall.deepest_share),
    ),
    measure(
        "successor_first_sharpe_r",
        "ratio",
        More,
        "mean R-multiple of the first 20 trades of successors over its standard deviation; none for fewer than two",
        |t, _| t.first_trades.spread_of_successors.mean_over_deviation(),
    ),
    measure(
        "threat_mean_r",
        "R",
        More,
        "mean R-multiple of trades that were open while a shock lasted",
        |t, _| t.threats.mean_r(),
    ),
    measure(
        "playbook_settled_ticks",
        "ticks",
        Less,
        "age at which a life had nine tenths of the rules that ever entered its playbook, mean over the lives that have ended or been \
         cut off by the run's end and had any",
        |t, _| t.settling.mean_age(),
    ),
    measure(
        "repeated_arousal_ratio",
        "ratio",
        Less,
        "arousal at trades of a kind (strategy, regime as read, gain or loss) that a life had five of before, over that at its first five; \
         none where nothing is felt",
        |t, _| t.habituation.ratio(),
    ),
    measure(
        "legacy_hypotheses_mean",
        "claims",
        More,
        "claims yet to be tested that a legacy hands on, mean over the legacies received",
        |t, _| ratio(t.legacy_hypotheses as f64, t.legacies_received),
    ),
    measure(
        "stale_voice_share",
        "share",
        Less,
        "of the episodes that spoke in decisions, by weight, those that closed more than 1000 ticks before",
        |t, _| t.staleness.share(),
    ),
    measure(
        "retrieval_gain_r_per_tick",
        "R/tick",
        More,
        "accurate retrieval: R per tick of the first five trades of a visit to a true regime of an asset that was lived before in the same \
         life, less that of first visits; a trade's time begins with the close of the one before it",
        |t, _| t.competence.retrieval(),
    ),
    measure(
        "learning_slope_r_per_tick",
        "R/tick per trade",
        More,
        "test-time learning: slope of R per tick on the number of trades since birth, over the first 50 of each life, weighted by time",
        |t, _| t.competence.learning(),
    ),
    measure(
        "long_range_gain_r_per_tick",
        "R/tick",
        More,
        "long-range understanding: as retrieval, of visits to what was last lived in an earlier life of the lineage, or a tenth of the run \
         ago, less that of first visits",
        |t, _| t.competence.long_range(),
    ),
    measure(
        "unlearning_ticks",
        "ticks",
        Less,
        "selective forgetting: what the first half of the time after a change of law lacks of what its second half makes, in ticks of the \
         second half's R per tick, mean over changes; a shock that begins another regime counts as a change; none without one, or where \
         the second halves make nothing",
        |t, _| t.competence.unlearning_ticks(),
    ),
    measure(
        "still_true_lost_r_per_tick",
        "R/tick",
        Less,
        "selective forgetting: R per tick in regimes that a change of law did not touch, in the second half of the time before it less that \
         in the first half of the time after it",
        |t, _| t.competence.still_true_lost(),
    ),
    measure(
        "belief_information_nats",
        "nats",
        More,
        "mutual information of what memories expected of candidates with what came of them, over 200 forecasts: mean over a golem's \
         windows, then over golems with enough; about 0 where beliefs say nothing; none unless `mortality.epistemic.tell_forecasts`",
        |t, _| ratio(t.information.nats, t.information.read),
    ),
    measure(
        "decoupled_alarms_a_life",
        "alarms",
        Neither,
        "times that information fell below a fifth of the most it ever was while vitality was above .5, over the same golems",
        |t, _| ratio(t.information.decoupled as f64, t.information.read),
    ),
    measure(
        "overfit_alarms_a_life",
        "alarms",
        Neither,
        "times that it fell below a third of that of the 200 forecasts before, and below three tenths of the most it ever was, over the \
         same golems",
        |t, _| ratio(t.information.overfit as f64, t.information.read),
    ),
    measure(
        "ruined_share",
        "share",
        Less,
        "golems whose balance fell below half of its highest, over those of whom a forecast was told",
        |t, _| ratio(t.information.ruined() as f64, t.information.golems),
    ),
    measure(
        "information_lead_ticks",
        "ticks",
        More,
        "ticks from the first alarm of either kind that stood during the fall to that ruin, 0 where none did, median over the ruined",
        |t, _| t.information.median_lead(|leads| leads.information as f64),
    ),
    measure("vitality_lead_ticks", "ticks", More, "the same of vitality below .5", |t, _| {
        t.information.median_lead(|leads| leads.vitality as f64)
    }),
    measure(
        "information_lead_gain_ticks",
        "ticks",
        More,
        "lead of information less lead of vitality, median over the ruined",
        |t, _| t.information.median_lead(|leads| leads.information as f64 - leads.vitality as f64),
    ),
    measure(
        "information_false_alarm_share",
        "share",
        Less,
        "alarms of information that no ruin followed within 100 ticks, over those of which that is known; two false ones for a true one \
         are 2/3",
        |t, _| ratio(t.information.of_information.wrong as f64, t.information.of_information.judged),
    ),
    measure("vitality_false_alarm_share", "share", Less, "the same of vitality falling below .5", |t, _| {
        ratio(t.information.of_vitality.wrong as f64, t.information.of_vitality.judged)
    }),
];

/// The competences of a memory by the names of the field's benchmarks, each with the measures that tell of it.
pub const COMPETENCES: [(&str, &[&str]); 4] = [
    ("accurate retrieval", &["retrieval_gain_r_per_tick"]),
    ("test-time learning", &["learning_slope_r_per_tick"]),
    ("long-range understanding", &["long_range_gain_r_per_tick"]),
    ("selective forgetting", &["unlearning_ticks", "still_true_lost_r_per_tick"]),
];

/// The measure of a name.
pub fn find(name: &str) -> Option<&'static Measure> {
    MEASURES.iter().find(|measure| measure.name == name)
}

/// What to say of a name that no measure has.
pub fn no_such(name: &str) -> String {
    match nearest(name, MEASURES.iter().map(|measure| measure.name)) {
        Some(near) => format!("no such measure: did you mean {near}?"),
        None => "no such measure: `morta sweep --measures` lists them".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_engine::mortality::Cause;

    #[test]
    fn every_cause_of_death_has_a_measure() {
        for cause in Cause::ALL {
            let tally = Tally { deaths: [(cause.name(), 3)].into(), ..Tally::default() };
            let of_it = |measure: &&Measure| {
                measure.name.starts_with("deaths_") && measure.of(&tally, 1) == Some(3.0)
            };
            assert_eq!(MEASURES.iter().filter(of_it).count(), 1, "{}", cause.name());
        }
    }

    #[test]
    fn competences_are_told_by_measures_that_there_are() {
        for (competence, measures) in COMPETENCES {
            assert!(!measures.is_empty() && measures.iter().all(|name| find(name).is_some()), "{competence}");
        }
    }

    /// Columns of parameters are keys of scenarios: top-level ones have no dot.
    #[test]
    fn names_are_unique_and_no_key_of_a_scenario() {
        for (index, measure) in MEASURES.iter().enumerate() {
            assert!(MEASURES[..index].iter().all(|other| other.name != measure.name), "{}", measure.name);
            assert!(
                !["arm", "seed", "cohort", "memory", "name", "ticks", "digest", "error"]
                    .contains(&measure.name)
            );
        }
        assert_eq!(no_such("mean_rr"), "no such measure: did you mean mean_r?");
    }
}
