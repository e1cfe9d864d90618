//! What thinking and living cost, and what is left: costs, equity, growth and drawdown of a cohort. Units are USDC, shares, and log growth
//! per golem-tick. Growth is measured by logarithms, because money multiplies. Where `golem.gate` is off, as by default, shares and R of
//! the waking gate are missing and its cost is 0; drawdown is that of the mean balance of the living, for everybody alone.

use super::Better::{Less, More, Neither};
use super::{Measure, count, measure, money, of_endowments, ratio, waking_share};
use morta_engine::event::WakingTier;

/// In the order of their columns.
pub(super) const ALL: &[Measure] = &[
    measure(
        "inference_calls",
        "inference calls",
        "calls",
        Neither,
        "questions that a model answered",
        |t, _| count(t.inference_calls),
    ),
    measure("compute_usdc", "compute cost", "USDC", Neither, "paid for compute", |t, _| money(t.compute)),
    measure("inference_usdc", "inference cost", "USDC", Less, "paid for inference", |t, _| {
        money(t.inference)
    }),
    measure(
        "gate_t0_share",
        "share of waking ticks without thought",
        "share",
        Neither,
        "waking ticks in which a golem only looked on, of those at a waking gate",
        |t, _| waking_share(t, WakingTier::T0),
    ),
    measure(
        "gate_t1_share",
        "share of waking ticks with a small model",
        "share",
        Neither,
        "waking ticks in which it thought with a small model",
        |t, _| waking_share(t, WakingTier::T1),
    ),
    measure(
        "gate_t2_share",
        "share of waking ticks with a large model",
        "share",
        Neither,
        "waking ticks in which it thought with a large model",
        |t, _| waking_share(t, WakingTier::T2),
    ),
    measure(
        "gate_usdc",
        "cost of waking thought",
        "USDC",
        Less,
        "paid for thinking while awake; a part of `inference_usdc`",
        |t, _| money(t.gate.paid),
    ),
    measure(
        "r_per_thought",
        "R per tick of thought",
        "R per tick",
        More,
        "sum of R-multiples over the waking ticks in which golems with a waking gate thought",
        |t, _| ratio(t.total_r, t.gate.thought()),
    ),
    measure("gas_usdc", "gas cost", "USDC", Less, "paid for gas", |t, _| money(t.gas)),
    measure("lethe_usdc", "paid to the Lethe", "USDC", Less, "paid to the Lethe", |t, _| money(t.lethe)),
    measure("endowments_usdc", "endowments", "USDC", Neither, "money put in at births", |t, _| {
        money(t.endowments)
    }),
    measure(
        "equity_usdc",
        "equity at the end",
        "USDC",
        More,
        "balances of the survivors at the end",
        |t, _| money(t.equity),
    ),
    measure(
        "equity_per_survivor_usdc",
        "equity per survivor",
        "USDC",
        More,
        "the same for each of them",
        |t, _| ratio(t.equity.dollars(), t.survivors()),
    ),
    measure(
        "equity_over_endowments",
        "equity over endowments",
        "share",
        More,
        "balances of the survivors over endowments",
        |t, _| of_endowments(t.equity, t),
    ),
    measure(
        "returned_over_endowments",
        "equity and estates over endowments",
        "share",
        More,
        "balances of the survivors and estates of the dead over endowments",
        |t, _| of_endowments(t.equity + t.estates, t),
    ),
    measure(
        "equity_growth_per_tick",
        "growth of equity per tick",
        "per tick",
        More,
        "logarithm of what a life ended with, at its death or with the run, over its endowment, summed over lives, over the ticks they \
         lived; a life that ended with nothing counts as one that ended with a micro-dollar",
        |t, _| ratio(t.log_growth, t.golem_ticks()),
    ),
    measure(
        "equity_drawdown",
        "drawdown of equity",
        "share",
        Less,
        "deepest fall of the mean balance of the living below what it had reached; everybody only",
        |t, _| (t.ticks > 0).then_some(t.equity_fall.deepest_share),
    ),
];
