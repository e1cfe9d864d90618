//! Relations of an agent to entities, by their deeds: an opponent is dangerous whatever the valence of killing it, and repeated help makes
//! an ally. They are labels of a social graph. Deeds decide and not feelings, because a kill feels good and makes no friend. The login
//! summary of a log shows them; golems with this memory have relations by feeling (`summary`) instead.

use crate::dark_pawns::summary::known_lines;
use crate::dark_pawns::{DreamRules, EdgeKind, LogGraph, Node, NodeKind, Valence};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Visits from which an opponent that never was hard to fight counts as unfriendly instead of dangerous. Our choice: as many visits as settle a
/// feeling in the graph.
const OFTEN: u32 = 10;

/// Articles before names. Logs write one name with and without its article.
const ARTICLES: [&str; 3] = ["the ", "a ", "an "];

/// A name without case and article, so that `Rat`, `rat` and `the rat` are one relation. The graph keeps them as separate nodes, as the original
/// does.
fn plain(label: &str) -> String {
    let label = label.to_lowercase();
    let short = ARTICLES.iter().find_map(|article| label.strip_prefix(article)).unwrap_or(&label);
    short.trim().to_owned()
}

/// The events of an agent with an entity, by kind.
#[derive(Default)]
struct Meetings<'a> {
    /// Ids of events in which it was fought, killed or involved in another way.
    fights: BTreeSet<&'a String>,
    /// Ids of social events with it.
    dealings: BTreeSet<&'a String>,
}

/// The lines of the known entities, each under the most visited of its names, with the visits under all of them.
pub(super) fn relations(graph: &LogGraph, rules: &DreamRules) -> Vec<String> {
    // In one pass: a graph of years has a hundred thousand edges, and as many again for every entity would be too many.
    let mut met: BTreeMap<&String, Meetings<'_>> = BTreeMap::new();
    for edge in graph.edges() {
        match edge.kind {
            EdgeKind::Social => met.entry(&edge.to).or_default().dealings.insert(&edge.from),
            EdgeKind::Involved | EdgeKind::Killed | EdgeKind::Fought => {
                met.entry(&edge.to).or_default().fights.insert(&edge.from)
            }
            _ => false,
        };
    }
    let mut by_name: BTreeMap<String, Vec<&Node<String>>> = BTreeMap::new();
    for node in graph.nodes().filter(|node| node.kind == NodeKind::Entity) {
        by_name.entry(plain(&node.label)).or_default().push(node);
    }
    known_lines(by_name.values().filter_map(|names| {
        let usual = names.iter().max_by_key(|node| (node.visit_count, Reverse(&node.label)))?;
        let visits = names.iter().fold(0_u32, |sum, node| sum.saturating_add(node.visit_count));
        let mut meetings = Meetings::default();
        for met in names.iter().filter_map(|node| met.get(&node.id)) {
            meetings.fights.extend(&met.fights);
            meetings.dealings.extend(&met.dealings);
        }
        let felt: f64 = names.iter().map(|node| node.mean() * f64::from(node.visit_count)).sum();
        let standing = standing(graph, usual, &meetings, (felt.round() as i64, visits), rules);
        Some((usual.label.as_str(), standing, visits))
    }))
}

/// The relation to an entity, −3 to +3: the sum of the valences of dealings, less the sum of the absolute valences of fights. `all` is the sum of
/// the valences of all visits, and their number.
fn standing(
    graph: &LogGraph,
    entity: &Node<String>,
    met: &Meetings<'_>,
    all: (i64, u32),
    rules: &DreamRules,
) -> Valence {
    let Meetings { fights, dealings } = met;
    let (all, visits) = all;
    // A graph that another program wrote may have no edges to entities: then only the node's valence is known.
    if fights.is_empty() && dealings.is_empty() {
        return entity.feeling(rules.valence_from);
    }
    let feeling = |id: &&String| graph.node(id).map_or(0, |event| i64::from(event.valence.get()));
    // With dealings only, the sum over all visits is used rather than that of the edges: it includes forgotten events.
    if fights.is_empty() {
        return Valence::new(all);
    }
    let strengths = fights.iter().map(|id| feeling(id).abs());
    let (strongest, mut danger) = (strengths.clone().max().unwrap_or(0), strengths.sum::<i64>());
    if dealings.is_empty() {
        danger = danger.max(all.abs());
        if strongest <= 1 && visits >= OFTEN {
            danger = danger.min(1);
        }
    }
    Valence::new(dealings.iter().map(feeling).sum::<i64>() - danger)
}
