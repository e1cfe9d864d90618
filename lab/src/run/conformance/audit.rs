//! Verdicts of the conformance checks, from the records of interviews. These are acceptance criteria: finite values, vetoes, memory growth
//! in bytes per outcome, attribution of advice to items, payments. The veto is judged in the fair world, size in the long one, the others
//! in both; `same-bytes` and `save-load` are judged elsewhere (`super::bytes`). Thresholds are `ConformanceBounds`. Each verdict states its
//! figures also where it holds, so that a reader sees how much was tried.

use super::interview::{GolemRecord, InterviewedWorld};
use super::{Check, ConformanceBounds};
use crate::io::text::percent;
use morta_base::Usdc;

fn sum(worlds: &[&InterviewedWorld], of: impl Fn(&InterviewedWorld) -> u64) -> u64 {
    worlds.iter().map(|lived| of(lived)).sum()
}

/// No golem may die of a panic of its memory (crash check).
pub(super) fn faults(worlds: &[&InterviewedWorld]) -> Check {
    let golems = sum(worlds, |lived| lived.golems.len() as u64);
    match sum(worlds, |lived| lived.faults) {
        0 => Check::new("faults", true, format!("none in {golems} lives")),
        faults => Check::new("faults", false, format!("{faults} of {golems} golems died of a panic")),
    }
}

/// Checks that every figure of advice is within its range, and the same when the memory is asked twice in one moment: a decision must not
/// depend on how often it was asked for (idempotence).
pub(super) fn advice(worlds: &[&InterviewedWorld]) -> Check {
    let odd = worlds.iter().flat_map(|lived| &lived.odd_advice).next();
    let candidates = sum(worlds, |lived| lived.candidates);
    Check::new("advice", odd.is_none(), odd.cloned().unwrap_or_else(|| format!("on {candidates} candidates")))
}

/// Checks the share of candidates forbidden in a fair world, where nothing can be known. A memory that forbids more has learned noise
/// (overfitting).
pub(super) fn veto(fair: &InterviewedWorld, bounds: &ConformanceBounds) -> Check {
    let share = fair.vetoed as f64 / fair.candidates.max(1) as f64;
    let (found, most) = (percent(share), percent(bounds.vetoed_share_max));
    let candidates = fair.candidates;
    let text =
        format!("{found} of {candidates} candidates forbidden where nothing can be known; at most {most}");
    Check::new("veto", share <= bounds.vetoed_share_max, text)
}

/// Checks the largest state in proportion to outcomes, and the growth of states in the second half of a life. The second half, because
/// tables of a fixed size fill in the first, and would pass for growth (memory leak).
pub(super) fn size(long: &InterviewedWorld, bounds: &ConformanceBounds) -> Check {
    let grown = long.golems.values().filter_map(growth).fold(0.0, f64::max);
    let most = |record: &GolemRecord| record.sizes.iter().map(|(_, bytes)| *bytes).max().unwrap_or_default();
    let largest = long.golems.values().map(most).max().unwrap_or_default();
    let too_large = long.golems.values().flat_map(|record| &record.sizes).any(|(outcomes, bytes)| {
        *bytes as f64 > bounds.spare_bytes as f64 + bounds.bytes_per_outcome_max * *outcomes as f64
    });
    let outcomes = long.golems.values().map(|record| record.outcomes).max().unwrap_or_default();
    let text = format!(
        "at most {largest} bytes after {outcomes} outcomes, {grown:.0} more for each in the second half of a life; at most {:.0}",
        bounds.bytes_per_outcome_max
    );
    Check::new("size", !too_large && grown <= bounds.bytes_per_outcome_max, text)
}

/// Bytes per outcome from the middle of a life on; `None` for a life without outcomes there.
fn growth(record: &GolemRecord) -> Option<f64> {
    let (middle, last) = (record.sizes.get(record.sizes.len() / 2)?, record.sizes.last()?);
    let outcomes = last.0.checked_sub(middle.0).filter(|outcomes| *outcomes > 0)?;
    Some((last.1 as f64 - middle.1 as f64) / outcomes as f64)
}

/// Items that are named as reasons must be heard, and leaving one out must change the advice: otherwise an explanation of a decision would
/// name what had no part in it (attribution check by leave-one-out).
pub(super) fn voices(worlds: &[&InterviewedWorld]) -> Check {
    let [voices, mute, unheard] = [
        sum(worlds, |lived| lived.voices),
        sum(worlds, |lived| lived.mute),
        sum(worlds, |lived| lived.unheard),
    ];
    let text = match (voices, mute, unheard) {
        (0, _, 0) => "no item is held against outcomes, so none could tip a decision".to_owned(),
        (_, 0, 0) => format!("each of {voices} would have been missed"),
        _ => format!("{mute} of {voices} wouldn't have been missed, {unheard} were named and not heard"),
    };
    Check::new("voices", mute == 0 && unheard == 0, text)
}

/// The counts of a memory's census add up (invariant check).
pub(super) fn counts(worlds: &[&InterviewedWorld]) -> Check {
    let odd = worlds.iter().flat_map(|lived| &lived.odd_counts).next();
    let censuses = sum(worlds, |lived| lived.censuses);
    Check::new("counts", odd.is_none(), odd.cloned().unwrap_or_else(|| format!("{censuses} censuses add up")))
}

/// Checks that golems pay for inference what the log says, and begin nothing that they can't pay (reconciliation).
pub(super) fn payment(worlds: &[&InterviewedWorld]) -> Check {
    let unpaid = worlds.iter().map(|lived| lived.unpaid).max().unwrap_or_default();
    let lives = || worlds.iter().flat_map(|lived| lived.golems.values());
    let wrong = lives().filter(|record| record.paid != record.charged).count();
    let charged: Usdc = lives().map(|record| record.charged).sum();
    let text = if unpaid > Usdc::ZERO {
        format!("without money for inference it begins what costs {unpaid}")
    } else if wrong > 0 {
        format!("{wrong} golems paid something else than the log says")
    } else {
        format!("{charged} paid, as the log says; nothing begun without money")
    };
    Check::new("payment", unpaid == Usdc::ZERO && wrong == 0, text)
}
