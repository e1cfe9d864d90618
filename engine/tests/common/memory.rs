//! Memories, without a world around them.

use morta_base::Tick;
use morta_engine::episode::Episode;
use morta_engine::memory::{Experience, MemoryArchitecture, Voice};

/// Lets a memory live through an episode that these voices had spoken on.
pub fn observe(memory: &mut impl MemoryArchitecture, episode: &Episode, why: &[Voice], now: Tick) {
    memory.observe(&Experience { episode, why, influential: &[], now });
}
