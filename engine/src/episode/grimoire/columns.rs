//! The columns of a Grimoire, which take the room of a pointer as long as there is no episode: many golems die before their first.

use super::DreamPriority;
use super::outline::Outline;
use super::survey::Survey;
use crate::base::Tick;
use crate::episode::Episode;
use crate::market::Regime;
use std::ops::{Deref, DerefMut};

/// All columns, by slot.
#[derive(Clone, Debug)]
pub(super) struct Filled {
    pub(super) embeddings: Vec<f32>,
    pub(super) closed: Vec<Tick>,
    pub(super) regimes: Vec<Regime>,
    pub(super) surprise: Vec<f32>,
    pub(super) significance: Vec<f32>,
    pub(super) regret: Vec<f32>,
    pub(super) realised_r: Vec<f32>,
    pub(super) arousal: Vec<f32>,
    pub(super) bloodstain: Vec<bool>,
    pub(super) priority: Vec<DreamPriority>,
    pub(super) strength: Vec<f32>,
    pub(super) last_accessed: Vec<Tick>,
    pub(super) last_replayed: Vec<Option<Tick>>,
    pub(super) replay_count: Vec<u32>,
    pub(super) records: Vec<Episode>,
    pub(super) outline: Outline,
    pub(super) survey: Survey,
}

impl Filled {
    const fn empty() -> Self {
        Self {
            embeddings: Vec::new(),
            closed: Vec::new(),
            regimes: Vec::new(),
            surprise: Vec::new(),
            significance: Vec::new(),
            regret: Vec::new(),
            realised_r: Vec::new(),
            arousal: Vec::new(),
            bloodstain: Vec::new(),
            priority: Vec::new(),
            strength: Vec::new(),
            last_accessed: Vec::new(),
            last_replayed: Vec::new(),
            replay_count: Vec::new(),
            records: Vec::new(),
            outline: Outline::empty(),
            survey: Survey::empty(),
        }
    }
}

/// What everybody reads who has no episode. What its survey finds of none is the same for all.
static NONE: Filled = Filled::empty();

/// All columns, made when they are first written to.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns(Option<Box<Filled>>);

impl Deref for Columns {
    type Target = Filled;

    #[inline]
    fn deref(&self) -> &Filled {
        self.0.as_deref().unwrap_or(&NONE)
    }
}

impl DerefMut for Columns {
    #[inline]
    fn deref_mut(&mut self) -> &mut Filled {
        self.0.get_or_insert_with(|| Box::new(Filled::empty()))
    }
}
