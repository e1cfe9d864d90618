//! The columns of a Grimoire, which take the room of a pointer as long as there is no episode: many golems die before their first.

use super::DreamPriority;
use super::outline::Outline;
use super::survey::Survey;
use crate::base::Tick;
use crate::base::lazy_box::Blank;
use crate::episode::Episode;
use crate::market::Regime;
use std::sync::LazyLock;

/// All columns, by slot.
#[derive(Clone, Debug, Default)]
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

/// What everybody reads who has no episode. What its survey finds of none is the same for all.
static NONE: LazyLock<Filled> = LazyLock::new(Filled::default);

impl Blank for Filled {
    fn blank() -> &'static Self {
        &NONE
    }
}
