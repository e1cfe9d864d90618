//! The Styx Lethe as a service: bloodstains, the boards of the clades, and pheromones. It is a shared store with a message board and a
//! stigmergy field; delays and half-lives are in simulated hours. They are one service because all three pass knowledge from golem to
//! golem.

use super::{Service, ServiceFailure, ServiceKind, ServiceReport};
use crate::golem::Answer;
use crate::lethe::{
    BloodstainStore, CladeBoard, CladeLetter, CladeMap, EarlierBloodstains, Lethe, PheromoneConfig,
    PheromoneField, StoreError,
};
use crate::phase::phase;
use crate::world::{LetheMail, Plan};
use morta_base::{BloodstainId, LetterId, Tick};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The shared memory service: the Lethe over a store, the boards of the clades, and the pheromones.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LetheService<S> {
    /// The index of bloodstains.
    lethe: Lethe,
    /// Letters between siblings.
    board: CladeBoard,
    /// Who belongs to which clade.
    clades: CladeMap,
    /// Keys of the pheromones.
    pheromones: PheromoneConfig,
    /// Pheromones in the air.
    field: PheromoneField,
    /// Ticks in a simulated hour, the unit of half-lives.
    ticks_per_hour: f64,
    /// Holds the bloodstains themselves.
    store: S,
}

impl<S: BloodstainStore> LetheService<S> {
    /// Opens the Lethe of a plan at tick 0 and loads the bloodstains of earlier runs; the store holds these and nothing else.
    pub fn open(plan: &Plan, earlier_bloodstains: &EarlierBloodstains, store: S) -> Self {
        let scenario = plan.scenario();
        let tick_seconds = f64::from(scenario.market.tick_seconds);
        let clades = plan.clades().clone();
        let mut lethe = Lethe::new(scenario.lethe.clone(), plan.seed(), tick_seconds, clades.clone());
        lethe.load_earlier(earlier_bloodstains);
        let (clade, keys) = (scenario.clade.clone(), scenario.lethe.clone());
        Self {
            lethe,
            board: CladeBoard::new(clade, keys, clades.clone(), tick_seconds),
            clades,
            pheromones: scenario.pheromones.clone(),
            field: PheromoneField::default(),
            ticks_per_hour: 3_600.0 / tick_seconds,
            store,
        }
    }

    /// Number of bloodstains in the index.
    pub fn len(&self) -> u32 {
        self.lethe.len() as u32
    }

    /// Whether the index holds no bloodstain.
    pub fn is_empty(&self) -> bool {
        self.lethe.is_empty()
    }

    /// Goes on by the keys of another plan for the same world: a hot reload of settings. Where there is less room, the oldest bloodstains
    /// go.
    ///
    /// # Errors
    /// When the store fails; nothing has changed then.
    pub fn rebind(&mut self, plan: &Plan) -> Result<(), StoreError> {
        let scenario = plan.scenario();
        let (keys, clades) = (scenario.lethe.clone(), plan.clades().clone());
        self.lethe.rebind(keys.clone(), clades.clone(), &mut self.store)?;
        self.board.rebind(scenario.clade.clone(), keys, clades.clone());
        (self.clades, self.pheromones) = (clades, scenario.pheromones.clone());
        Ok(())
    }

    /// Iterates over the bloodstains in the index of the shared memory, in the order of identities.
    pub fn bloodstains(&self) -> impl Iterator<Item = BloodstainId> + '_ {
        self.lethe.ids()
    }

    /// Deletes a bloodstain by key; false when it isn't there.
    ///
    /// # Errors
    /// When the store fails.
    pub fn remove(&mut self, id: BloodstainId) -> Result<bool, StoreError> {
        self.lethe.remove(id, &mut self.store)
    }

    /// Takes in letters of siblings: votes, pheromones, and letters to the boards.
    fn carry(&mut self, now: Tick, letters: Vec<(LetterId, CladeLetter)>, report: &mut ServiceReport) {
        let mut news = Vec::new();
        let mut has_changed = false;
        for (letter, content) in letters {
            match content {
                CladeLetter::Votes(votes) => self.lethe.count_votes(&votes),
                CladeLetter::Pheromone(pheromone) => {
                    let Some(clade) = self.clades.clade_of(letter.golem.lineage) else { continue };
                    let (per_hour, config) = (self.ticks_per_hour, &self.pheromones);
                    self.field.deposit(now, (clade, letter.golem), &pheromone, per_hour, config);
                    has_changed = true;
                }
                other => self.board.receive(now, letter, other, &mut news),
            }
        }
        report.news = news.into_iter().map(|(golem, news)| (golem, Answer::Clade(news))).collect();
        // The field is copied only when it has changed: most ticks bring no pheromone, and every golem's context shares one copy.
        if has_changed {
            self.field.remove_faded(now, self.ticks_per_hour, &self.pheromones);
            report.pheromones = Some(Arc::new(self.field.clone()));
        }
    }
}

impl<S: BloodstainStore> Service for LetheService<S> {
    const KIND: ServiceKind = ServiceKind::StyxLethe;
    type Letters = LetheMail;

    /// Answers newborns first, then takes in the bloodstains of the dead: none is drawn in the tick in which it is left, so the order of golems doesn't
    /// decide who draws it. Letters of siblings come last. All bloodstains left are safe when this returns.
    fn serve(&mut self, now: Tick, mail: LetheMail) -> Result<ServiceReport, ServiceFailure> {
        phase!("lethe");
        let mut report = ServiceReport::default();
        for (letter, query) in &mail.draws {
            let drawn = self.lethe.draw(now, query, &self.store)?;
            report.answers.push((*letter, Answer::Drawn(drawn)));
        }
        let left = !mail.deposits.is_empty();
        for (_, deposit) in mail.deposits {
            self.lethe.deposit(now, deposit, &mut self.store)?;
        }
        // One flush for all the dead of a tick: its cost hardly depends on the number of bloodstains.
        if left {
            self.store.flush(now)?;
        }
        self.carry(now, mail.clade, &mut report);
        report.bloodstains = Some(self.len());
        Ok(report)
    }
}
