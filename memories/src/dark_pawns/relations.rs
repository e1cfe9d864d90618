//! Whom an agent knows, by what they did with each other: an opponent is dangerous however good it felt to kill it, and help adds up to an ally.

use crate::dark_pawns::{DreamRules, EdgeKind, LogGraph, Node, NodeKind, Valence, relation};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Meetings after which an opponent that never was more than easy is a nuisance and no danger: as many as settle a feeling.
const OFTEN: u32 = 10;

/// Somebody known, and how well.
pub(super) struct Known<'a> {
    node: &'a Node<String>,
    standing: Valence,
}

impl Known<'_> {
    /// As the summary tells it.
    pub fn line(&self) -> String {
        let Node { label, visit_count, .. } = self.node;
        let times = if *visit_count == 1 { "time" } else { "times" };
        format!("{label} — {} (met {visit_count} {times})\n", relation(self.standing))
    }
}

/// The events in which an agent met somebody, by what they were.
#[derive(Default)]
struct Meetings<'a> {
    fights: BTreeSet<&'a String>,
    dealings: BTreeSet<&'a String>,
}

/// Everybody whom there is something to say of, the strongest relation first.
pub(super) fn relations<'a>(graph: &'a LogGraph, rules: &DreamRules) -> Vec<Known<'a>> {
    // In one pass: a graph of years has a hundred thousand edges, and as many again for every entity would be too many.
    let mut met: BTreeMap<&String, Meetings<'a>> = BTreeMap::new();
    for edge in graph.edges() {
        match edge.kind {
            EdgeKind::Social => met.entry(&edge.to).or_default().dealings.insert(&edge.from),
            EdgeKind::Involved | EdgeKind::Killed | EdgeKind::Fought => {
                met.entry(&edge.to).or_default().fights.insert(&edge.from)
            }
            _ => false,
        };
    }
    let none = Meetings::default();
    let entities = graph.nodes().filter(|node| node.kind == NodeKind::Entity);
    let mut known: Vec<Known<'a>> = entities
        .map(|node| Known {
            node,
            standing: standing(graph, node, met.get(&node.id).unwrap_or(&none), rules),
        })
        .filter(|known| known.standing != Valence::NEUTRAL || known.node.visit_count > 1)
        .collect();
    known.sort_by(|a, b| {
        let rank = |known: &Known<'_>| (Reverse(known.standing.get().abs()), Reverse(known.node.visit_count));
        rank(a).cmp(&rank(b)).then_with(|| a.node.label.cmp(&b.node.label))
    });
    known
}

/// How an agent stands with somebody, −3 to +3: the sum of the feelings of their dealings less that of the strength of their fights.
fn standing(graph: &LogGraph, entity: &Node<String>, met: &Meetings<'_>, rules: &DreamRules) -> Valence {
    let Meetings { fights, dealings } = met;
    // A graph of another maker, of which nothing but the feeling is known.
    if fights.is_empty() && dealings.is_empty() {
        return entity.feeling(rules.valence_from);
    }
    let feeling = |id: &&String| graph.node(id).map_or(0, |event| i64::from(event.valence.get()));
    // What was forgotten still counts in the mean, where all of it was of one sort.
    let all = (entity.mean() * f64::from(entity.visit_count)).round() as i64;
    if fights.is_empty() {
        return Valence::new(all);
    }
    let strengths = fights.iter().map(|id| feeling(id).abs());
    let (strongest, mut danger) = (strengths.clone().max().unwrap_or(0), strengths.sum::<i64>());
    if dealings.is_empty() {
        danger = danger.max(all.abs());
        if strongest <= 1 && entity.visit_count >= OFTEN {
            danger = danger.min(1);
        }
    }
    Valence::new(dealings.iter().map(feeling).sum::<i64>() - danger)
}
