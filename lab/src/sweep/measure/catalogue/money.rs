//! What thinking and living cost, and what is left: costs, equity, growth and drawdown of a cohort. Units are USDC, shares, and log growth
//! per golem-tick. Growth is measured by logarithms, because money multiplies. Where `golem.gate` is off, as by default, shares and R of
//! the waking gate are missing and its cost is 0; drawdown is that of the mean balance of the living, for everybody alone.

use super::{count, measures, money, of_endowments, ratio, waking_share};
use morta_engine::event::WakingTier;

measures! {
    tally;

    inference_calls: "inference calls", "calls", Neither,
        "questions that a model answered" = count(tally.inference_calls);
    compute_usdc: "compute cost", "USDC", Neither, "paid for compute" = money(tally.compute);
    inference_usdc: "inference cost", "USDC", Less, "paid for inference" = money(tally.inference);
    gate_t0_share: "share of waking ticks without thought", "share", Neither,
        "waking ticks in which a golem only looked on, of those at a waking gate"
            = waking_share(tally, WakingTier::T0);
    gate_t1_share: "share of waking ticks with a small model", "share", Neither,
        "waking ticks in which it thought with a small model" = waking_share(tally, WakingTier::T1);
    gate_t2_share: "share of waking ticks with a large model", "share", Neither,
        "waking ticks in which it thought with a large model" = waking_share(tally, WakingTier::T2);
    gate_usdc: "cost of waking thought", "USDC", Less,
        "paid for thinking while awake; a part of `inference_usdc`" = money(tally.gate.paid);
    r_per_thought: "R per tick of thought", "R per tick", More,
        "sum of R-multiples over the waking ticks in which golems with a waking gate thought"
            = ratio(tally.total_r, tally.gate.thought());
    gas_usdc: "gas cost", "USDC", Less, "paid for gas" = money(tally.gas);
    lethe_usdc: "paid to the Lethe", "USDC", Less, "paid to the Lethe" = money(tally.lethe);
    endowments_usdc: "endowments", "USDC", Neither, "money put in at births" = money(tally.endowments);
    equity_usdc: "equity at the end", "USDC", More,
        "balances of the survivors at the end" = money(tally.equity);
    equity_per_survivor_usdc: "equity per survivor", "USDC", More,
        "the same for each of them" = ratio(tally.equity.dollars(), tally.survivors());
    equity_over_endowments: "equity over endowments", "share", More,
        "balances of the survivors over endowments" = of_endowments(tally.equity, tally);
    returned_over_endowments: "equity and estates over endowments", "share", More,
        "balances of the survivors and estates of the dead over endowments"
            = of_endowments(tally.equity + tally.estates, tally);
    equity_growth_per_tick: "growth of equity per tick", "per tick", More,
        "logarithm of what a life ended with, at its death or with the run, over its endowment, summed over lives, over the ticks they \
         lived; a life that ended with nothing counts as one that ended with a micro-dollar"
            = ratio(tally.log_growth, tally.golem_ticks());
    equity_drawdown: "drawdown of equity", "share", Less,
        "deepest fall of the mean balance of the living below what it had reached; everybody only"
            = (tally.ticks > 0).then_some(tally.equity_fall.deepest_share);
}
