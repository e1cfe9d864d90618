//! Letters sorted by service, and answers sorted by golem (message routing, mailboxes). All orders are those of ids, so that no result
//! depends on which thread wrote first. The barrier sorts and delivers; drivers only carry the parts to golems and services.

use crate::curator::CuratorRequest;
use crate::dream::DreamRequest;
use crate::golem::{Answer, Letter};
use crate::lethe::{CladeLetter, Deposit, LetheQuery};
use crate::llm::InferenceRequest;
use crate::market::Order;
use morta_base::{GolemId, LetterId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One tick's letters, for each shared service (recipient) in letter order.
#[derive(Debug, Default)]
pub(super) struct Mail {
    /// For the market.
    pub orders: Vec<(LetterId, Order)>,
    /// For the Curator.
    pub curations: Vec<(LetterId, CuratorRequest)>,
    /// For the dream scheduler.
    pub dreams: Vec<(LetterId, DreamRequest)>,
    /// For the broker.
    pub inference: Vec<(LetterId, InferenceRequest)>,
    /// For the Lethe.
    pub lethe: LetheMail,
}

/// One tick's letters for the services that are asked at its barrier; `None` for those that aren't. Drivers take it apart without `..`,
/// so that the compiler names all of them when there is one service more: an exhaustive destructuring.
#[derive(Clone, Debug, PartialEq)]
pub struct Deliveries {
    /// For the market; it is asked at every barrier.
    pub market: Option<Vec<(LetterId, Order)>>,
    /// For the Curator.
    pub curator: Option<Vec<(LetterId, CuratorRequest)>>,
    /// For the dream scheduler.
    pub dream_scheduler: Option<Vec<(LetterId, DreamRequest)>>,
    /// For the broker.
    pub llm_broker: Option<Vec<(LetterId, InferenceRequest)>>,
    /// For the Lethe.
    pub styx_lethe: Option<LetheMail>,
}

/// A service's letters of a tick: a batch of messages.
pub(super) trait Letters {
    /// Whether there are none.
    fn is_empty(&self) -> bool;
}

impl<L> Letters for Vec<L> {
    fn is_empty(&self) -> bool {
        self.is_empty()
    }
}

impl Letters for LetheMail {
    fn is_empty(&self) -> bool {
        self.draws.is_empty() && self.deposits.is_empty() && self.clade.is_empty()
    }
}

/// The Lethe's letters of a barrier, each kind in letter order: queries and writes to the shared memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LetheMail {
    /// Queries of newborns for bloodstains.
    pub draws: Vec<(LetterId, LetheQuery)>,
    /// Bloodstains of the dead.
    pub deposits: Vec<(LetterId, Deposit)>,
    /// Letters between siblings, pheromones, and votes on bloodstains.
    pub clade: Vec<(LetterId, CladeLetter)>,
}

impl Mail {
    /// Partitions letters by recipient (routing). They must come in letter order, which is the order golems are stepped in.
    ///
    /// # Panics
    /// When they don't: the order of letters is what makes runs repeatable.
    pub(super) fn sort(letters: Vec<(LetterId, Letter)>) -> Self {
        assert!(letters.is_sorted_by(|(a, _), (b, _)| a < b), "letters come in letter order");
        let mut mail = Self::default();
        for (id, letter) in letters {
            match letter {
                Letter::Order(order) => mail.orders.push((id, order)),
                Letter::Curate(request) => mail.curations.push((id, request)),
                Letter::Dream(request) => mail.dreams.push((id, request)),
                Letter::Inference(request) => mail.inference.push((id, request)),
                Letter::Deposit(deposit) => mail.lethe.deposits.push((id, deposit)),
                Letter::Draw(query) => mail.lethe.draws.push((id, query)),
                Letter::Clade(letter) => mail.lethe.clade.push((id, letter)),
            }
        }
        mail
    }
}

/// Answers on their way to golems: a mailbox for each golem that has any.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inboxes(BTreeMap<GolemId, Vec<Answer>>);

impl Inboxes {
    /// Appends a service's answers (responses) to the mailboxes of those who wrote; services are added in their fixed order, because
    /// answers change a golem one after the other: its mood, and what it remembers.
    pub fn add(&mut self, answers: Vec<(LetterId, Answer)>) {
        self.add_news(answers.into_iter().map(|(letter, answer)| (letter.golem, answer)));
    }

    /// Appends news that answer no letter: push notifications to single golems. Answers kept of a filtered inbox are put back by it too.
    pub(crate) fn add_news(&mut self, news: impl IntoIterator<Item = (GolemId, Answer)>) {
        for (golem, answer) in news {
            self.0.entry(golem).or_default().push(answer);
        }
    }

    /// Takes the answers for one golem (dequeue) and removes its mailbox; none for a golem without any.
    pub fn take(&mut self, golem: GolemId) -> Vec<Answer> {
        self.0.remove(&golem).unwrap_or_default()
    }

    /// Splits the inboxes into so many shards (a partition for worker threads), by lineage modulo their number: the golem of lineage 5
    /// among 3 is in the third one. In turn, so that deaths empty all shards alike.
    ///
    /// # Panics
    /// When there are no shards.
    pub fn into_shards(self, count: usize) -> Vec<Self> {
        if count == 1 {
            return vec![self];
        }
        let mut shards = vec![Self::default(); count];
        for (golem, answers) in self.0 {
            shards[golem.lineage as usize % count].0.insert(golem, answers);
        }
        shards
    }

    /// Whether no golem has an answer, i.e. all mailboxes are empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl IntoIterator for Inboxes {
    type Item = (GolemId, Vec<Answer>);
    type IntoIter = std::collections::btree_map::IntoIter<GolemId, Vec<Answer>>;

    /// By golem, in the order of ids.
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
