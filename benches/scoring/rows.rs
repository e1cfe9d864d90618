//! Scoring as the replay spec prints it: a structure for each episode, everything in double precision, then a sort of all. With the
//! boosts, replay decay and yardsticks that the pass has too, so that both come to the same order.

use morta_engine::episode::{DreamPriority, Grimoire};
use morta_engine::market::Regime;
use morta_engine::replay::{ReplayContext, Scale};

/// An episode as a program would hold it that scores one after the other.
struct Row {
    surprise: f64,
    significance: f64,
    regret: f64,
    embedding: Vec<f64>,
    regime: Regime,
    closed: u64,
    last_replayed: Option<u64>,
    replay_count: u32,
    is_bloodstain: bool,
    is_high: bool,
}

/// All of them.
pub struct Rows {
    rows: Vec<Row>,
    scale: Scale,
}

impl Rows {
    /// The same episodes.
    pub fn of(grimoire: &Grimoire) -> Self {
        let row = |slot: usize| {
            let record = grimoire.record(slot);
            Row {
                surprise: record.surprise,
                significance: record.significance,
                regret: record.regret,
                embedding: grimoire.embedding(slot).iter().map(|x| f64::from(*x)).collect(),
                regime: record.context.regime,
                closed: record.closed,
                last_replayed: grimoire.last_replayed()[slot],
                replay_count: grimoire.replay_count()[slot],
                is_bloodstain: record.is_inherited(),
                is_high: grimoire.priority()[slot] == DreamPriority::High,
            }
        };
        Self { rows: (0..grimoire.len()).map(row).collect(), scale: Scale::from_grimoire(grimoire, 0.95) }
    }

    /// Scores all, sorts all, takes the first.
    pub fn best(&self, context: &ReplayContext<'_>, count: usize) -> Vec<(usize, f64)> {
        let now: Vec<f64> = context.embedding.iter().map(|x| f64::from(*x)).collect();
        let score = |row: &Row| self.utility(row, &now, context);
        let mut scored: Vec<(usize, f64)> = self.rows.iter().map(score).enumerate().collect();
        scored.sort_by(|a, b| b.1.total_cmp(&a.1));
        scored.into_iter().filter(|(_, utility)| *utility > 0.1).take(count).collect()
    }

    fn utility(&self, row: &Row, now: &[f64], context: &ReplayContext<'_>) -> f64 {
        let share = |value: f64, yardstick: f64| (value / yardstick).clamp(0.0, 1.0);
        let gain = (0.4 * share(row.surprise, self.scale.surprise)
            + 0.3 * share(row.significance, self.scale.significance)
            + 0.3 * share(row.regret, self.scale.regret))
        .clamp(0.0, 1.0)
            * 0.85_f64.powi(row.replay_count as i32)
            * if row.is_bloodstain { 1.2 } else { 1.0 };
        let regime = if row.regime == context.regime { 1.0 } else { 0.3 };
        let recency = (-(context.tick.saturating_sub(row.closed) as f64) / 2_160.0).exp2();
        let likeness = cosine(&row.embedding, now).max(0.0);
        let need = (0.4 * likeness + 0.3 * regime + 0.3 * recency).clamp(0.0, 1.0);
        let spacing = match row.last_replayed {
            Some(last) => (-(context.tick.saturating_sub(last) as f64) / 500.0).exp2(),
            None => 0.0,
        };
        gain * need * (1.0 - 0.5 * spacing) * if row.is_high { 2.0 } else { 1.0 }
    }
}

fn cosine(a: &[f64], b: &[f64]) -> f64 {
    let (mut dot, mut a_square, mut b_square) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        dot += a * b;
        a_square += a * a;
        b_square += b * b;
    }
    if a_square > 0.0 && b_square > 0.0 { dot / (a_square.sqrt() * b_square.sqrt()) } else { 0.0 }
}
