//! Letters sorted by whom they are for, and answers by whom they are for.

use crate::base::{GolemId, LetterId};
use crate::curator::CuratorRequest;
use crate::dream::DreamRequest;
use crate::golem::{Answer, Letter};
use crate::lethe::{CladeLetter, Deposit, LetheQuery};
use crate::llm::InferenceRequest;
use crate::market::Order;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One tick's letters, for each shared service in letter order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mail {
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

/// What the Lethe gets at a barrier, each in letter order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LetheMail {
    /// What newborns ask.
    pub draws: Vec<(LetterId, LetheQuery)>,
    /// What the dead leave.
    pub deposits: Vec<(LetterId, Deposit)>,
    /// What siblings write.
    pub clade: Vec<(LetterId, CladeLetter)>,
}

impl LetheMail {
    /// Whether nobody has written.
    pub fn is_empty(&self) -> bool {
        self.draws.is_empty() && self.deposits.is_empty() && self.clade.is_empty()
    }
}

impl Mail {
    /// Sorts letters by recipient. They must come in letter order, which is the order golems are stepped in.
    ///
    /// # Panics
    /// When they don't: the order of letters is what makes runs repeatable.
    pub fn sort(letters: Vec<(LetterId, Letter)>) -> Self {
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

/// Answers on their way to golems.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inboxes(BTreeMap<GolemId, Vec<Answer>>);

impl Inboxes {
    /// Adds a service's answers; services are added in their fixed order.
    pub fn add(&mut self, answers: Vec<(LetterId, Answer)>) {
        for (letter, answer) in answers {
            self.0.entry(letter.golem).or_default().push(answer);
        }
    }

    /// Adds news that nobody in particular asked for.
    pub fn add_news(&mut self, news: Vec<(GolemId, Answer)>) {
        for (golem, answer) in news {
            self.0.entry(golem).or_default().push(answer);
        }
    }

    /// Takes the answers for one golem.
    pub fn take(&mut self, golem: GolemId) -> Vec<Answer> {
        self.0.remove(&golem).unwrap_or_default()
    }

    /// Deals everything out into so many hands, by lineage: the golem of lineage 5 among 3 hands is the third one's.
    ///
    /// # Panics
    /// When there are no hands.
    pub fn deal(self, hands: usize) -> Vec<Self> {
        if hands == 1 {
            return vec![self];
        }
        let mut dealt = vec![Self::default(); hands];
        for (golem, answers) in self.0 {
            dealt[golem.lineage as usize % hands].0.insert(golem, answers);
        }
        dealt
    }

    /// Whether there is nothing.
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
