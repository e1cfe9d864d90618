//! `morta inspect RUN death ID`: a post-mortem (autopsy report) of one golem. It shows the cause of death, the clocks before it, the last
//! trades, the testament, what heirs made of the bequests, and how the successor did where it died. Without an event log clocks, testament
//! and successor are missing. A death by fault never has a testament; it has clocks and successor only where the fault struck a golem that
//! was dying already, and then the page names what it was dying of, too. A golem that outlived the run is refused. Money is USDC, results
//! are R. It exists because a cause of death alone doesn't say why: poor decisions and bad luck both end in an empty purse.

mod clocks;
mod successor;
mod testament;

use crate::io::error::{Error, Result};
use crate::io::text::{Align, View, plain, table_of};
use crate::run::inspect::golem::use_of_item;
use crate::run::inspect::leads_on::{LeadsOn, Next, of_life, successor_of};
use crate::run::inspect::{NO_EVENTS, register, trail};
use crate::run::run_folder::{BloodstainRow, Draw, FinishedRun, Life, Trade};
use clocks::Readings;
use morta_base::GolemId;
use morta_engine::lethe::DeathTestament;
use morta_engine::mortality::Cause;
use serde::Serialize;
use successor::Successor;

/// The death of a golem: its cause, and the use of its bequests (post-mortem).
#[derive(Serialize)]
pub struct Death {
    life: Life,
    /// None when the event log was not kept, or a fault struck the golem before it began to die.
    readings: Option<Readings>,
    events_kept: bool,
    last_trades: Vec<Trade>,
    /// None when the event log was not kept, or a fault ended the life.
    testament: Option<DeathTestament>,
    bloodstains: Vec<Legacy>,
    /// Things that others got from it in another way: its legacy, and lessons that it shared with siblings.
    handed_on: Vec<Draw>,
    /// None without a successor, or where the circumstances of the death aren't known.
    successor: Option<Successor>,
}

#[derive(Serialize)]
struct Legacy {
    bloodstain: BloodstainRow,
    drawn_by: Vec<Draw>,
}

/// Makes the post-mortem of a death, with the last `limit` trades (five by default) before it. A golem that outlived the run is refused.
pub fn look(run: &FinishedRun, golem: GolemId, limit: usize) -> Result<Death> {
    let life = register::life(run, golem)?;
    if life.censored {
        let line = format!(
            "{golem} has no death: it outlived the run, which ended at tick {}; see `golem {golem}`",
            life.ended_tick
        );
        return Err(Error::invalid(line));
    }
    let mut last_trades = run.trades()?.keep(|trade| trade.golem == life.golem)?;
    last_trades.drain(..last_trades.len().saturating_sub(limit));
    let bloodstains = run.bloodstains()?.keep(|bloodstain| bloodstain.golem == life.golem)?;
    let taken_over = run.inheritance()?.keep(|draw| draw.from_golem == life.golem)?;
    let (draws, handed_on): (Vec<Draw>, Vec<Draw>) =
        taken_over.into_iter().partition(|draw| draw.bloodstain.is_some());
    let legacy = |bloodstain: BloodstainRow| {
        let of_it = draws.iter().filter(|draw| draw.bloodstain.as_ref() == Some(&bloodstain.bloodstain));
        Legacy { drawn_by: of_it.cloned().collect(), bloodstain }
    };
    let readings = clocks::read(run, golem)?;
    let successor = match &readings {
        // What it was dying of, and not a fault meanwhile: the question is whether the heir repeats the mistake.
        Some(seen) => successor::read(run, golem, seen.cause, &seen.context)?,
        None => None,
    };
    Ok(Death {
        readings,
        testament: testament::read(run, golem)?,
        successor,
        events_kept: run.has_events(),
        last_trades,
        bloodstains: bloodstains.into_iter().map(legacy).collect(),
        handed_on,
        life,
    })
}

impl LeadsOn for Death {
    fn next(&self, run: &FinishedRun) -> Vec<Next> {
        let heir = self.successor.as_ref().map(|_| format!("golem {}", successor_of(&self.life)));
        let heir = heir.map(|command| Next::new("who took its place, and by what it decided", command));
        heir.into_iter().chain(of_life(&self.life, run, "death")).collect()
    }
}

impl View for Death {
    fn lines(&self) -> Vec<String> {
        let mut lines = register::describe(&self.life);
        lines.extend([String::new(), "why it died:".to_owned()]);
        lines.extend(self.why());
        lines.extend([String::new(), format!("its last {} trades:", self.last_trades.len())]);
        lines.extend(self.trades());
        if let Some(testament) = &self.testament {
            lines.push(String::new());
            lines.extend(testament::lines(testament));
        }
        lines.extend([String::new(), format!("it left {} bloodstains:", self.bloodstains.len())]);
        for Legacy { bloodstain, drawn_by } in &self.bloodstains {
            lines.push(format!("  {}, {}", bloodstain.bloodstain, trail::content_of(bloodstain)));
            if drawn_by.is_empty() {
                lines.push(format!("    nobody drew it{}", self.other_way(bloodstain)));
            }
            lines.extend(drawn_by.iter().map(|draw| {
                let Draw { golem, drawn_tick, .. } = draw;
                let rank = draw.rank.unwrap_or_default();
                format!("    drawn by {golem} at {drawn_tick}, rank {rank}: {}", use_of_item(draw))
            }));
        }
        if !self.handed_on.is_empty() {
            lines.extend([
                String::new(),
                format!("it handed on {} things by other ways:", self.handed_on.len()),
            ]);
            lines.extend(self.handed_on.iter().map(|draw| format!("  {}", handed_on(draw))));
        }
        if let Some(successor) = &self.successor {
            lines.push(String::new());
            lines.extend(successor.lines());
        }
        lines
    }
}

/// A draw in a sentence: the heir, the way, the name of the item in the heir's memory, and its use.
fn handed_on(draw: &Draw) -> String {
    let Draw { golem, drawn_tick, .. } = draw;
    let way = match draw.source.as_str() {
        "predecessor" => "as legacy of its predecessor",
        _ => "as the lesson of a sibling",
    };
    let name = draw.item.as_deref().unwrap_or("no entry: there was no room for it");
    let says = draw.claim.as_ref().map_or("a scar".to_owned(), |claim| format!("({claim})"));
    format!("{golem} had {says} {way} at {drawn_tick}, {name}: {}", use_of_item(draw))
}

impl Death {
    /// Golems that got the lesson of a bloodstain without drawing it.
    fn other_way(&self, bloodstain: &BloodstainRow) -> String {
        // A lesson has no identity beyond the bloodstain, so it is recognised by its claim, or by the episode of its scar instead.
        let says_the_same = |draw: &&Draw| match &bloodstain.claim {
            Some(claim) => draw.claim.as_ref() == Some(claim),
            None => draw.is_scar && draw.item == bloodstain.scar_episode,
        };
        let heirs: Vec<&str> =
            self.handed_on.iter().filter(says_the_same).map(|draw| draw.golem.as_str()).collect();
        match heirs.as_slice() {
            [] => String::new(),
            heirs => format!("; {} had the same by another way (below)", heirs.join(", ")),
        }
    }

    fn why(&self) -> Vec<String> {
        let cause = self.life.cause.as_deref().unwrap_or("unknown");
        let Some(seen) = &self.readings else {
            return vec![match (cause, self.events_kept) {
                ("fault", true) => "  a fault in its own step: it had not begun to die".to_owned(),
                (cause, true) => format!("  {}", register::in_words(cause)),
                (cause, false) => format!(
                    "  {}; what its clocks showed can't be told: {NO_EVENTS}",
                    register::in_words(cause)
                ),
            }];
        };
        seen.lines(self.life.ended_tick, cause == Cause::Fault.name())
    }

    fn trades(&self) -> Vec<String> {
        use Align::{Left, Right};
        if self.last_trades.is_empty() {
            return Vec::new();
        }
        let lines = table_of::<Trade>(
            &[
                ("ticks", Left, &|trade| format!("{}–{}", trade.opened_tick, trade.closed_tick)),
                ("strategy", Left, &|trade| plain(&trade.strategy)),
                ("position", Left, &|trade| format!("{} {}", trade.side, trade.asset)),
                ("regime read", Left, &|trade| plain(&trade.regime_read)),
                ("true regime", Left, &|trade| plain(&trade.true_regime)),
                ("expected R", Right, &|trade| format!("{:+.3}", trade.expected_r)),
                ("made R", Right, &|trade| format!("{:+.3}", trade.realised_r)),
                ("$", Right, &|trade| format!("{:+.2}", trade.pnl_usdc)),
                ("exit", Left, &|trade| trade.exit_in_words()),
                ("loudest voice", Left, &|trade| trade.loudest_voice.clone().unwrap_or_default()),
            ],
            &self.last_trades,
        );
        lines.into_iter().map(|line| format!("  {line}")).collect()
    }
}
