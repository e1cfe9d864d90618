//! A learner's memory: transitions, and which of them may be replayed. It is the replay buffer (experience replay) of a tabular learner,
//! with one item for each pair of state and action, which the latest outcome replaces; the fixed memory of a cliff holds pairs several
//! times. It never forgets. A transition that stays in its state is no candidate unless `replay_stays` is set. It indexes by state,
//! because an order needs the neighbours of a backup.

use morta_base::Tick;

/// No item.
pub const NONE: u32 = u32::MAX;

/// A step that was taken: from a state by an action to the next state, with its reward.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// The state where it began.
    pub state: u32,
    /// The entry of its value: state · actions + action.
    pub entry: u32,
    /// The state where it led; a state without values ends a lap.
    pub next: u32,
    /// The reward.
    pub reward: f64,
}

/// Transitions by the number of their item (replay buffer). A learner keeps the latest outcome of each pair of state and action; a fixed memory
/// may hold a pair several times.
#[derive(Clone, Debug)]
pub struct Memory {
    /// By item; none until it is put.
    items: Vec<Option<Transition>>,
    /// Tick of the latest visit, by item.
    lived_at: Vec<Tick>,
    /// Items that may be replayed; then the index of each in this list.
    candidates: Vec<u32>,
    place: Vec<u32>,
    /// Items by the state where they begin; then by the state where they lead.
    from: Vec<Vec<u32>>,
    into: Vec<Vec<u32>>,
    /// The latest item of each pair.
    of_entry: Vec<u32>,
    /// Whether transitions that stay in their state may be replayed.
    stays: bool,
}

impl Memory {
    /// Makes an empty replay buffer with room for `items` transitions over these states and entries.
    pub fn new(items: usize, states: usize, entries: usize, stays: bool) -> Self {
        Self {
            items: vec![None; items],
            lived_at: vec![0; items],
            candidates: Vec::with_capacity(items),
            place: vec![NONE; items],
            from: vec![Vec::new(); states],
            into: vec![Vec::new(); states],
            of_entry: vec![NONE; entries],
            stays,
        }
    }

    /// Stores a transition as an item, in place of an earlier one. A later one must have the state and the entry of the first: the lists by
    /// state aren't made anew, so it would be found where it no longer begins.
    ///
    /// # Panics
    /// When the item, a state or the entry is beyond what there is room for.
    pub fn put(&mut self, item: u32, transition: Transition, tick: Tick) {
        let old = self.items[item as usize].replace(transition);
        self.lived_at[item as usize] = tick;
        if old.is_none_or(|old| old.next != transition.next) {
            match old {
                Some(old) => self.into[old.next as usize].retain(|other| *other != item),
                None => self.from[transition.state as usize].push(item),
            }
            self.into[transition.next as usize].push(item);
            self.of_entry[transition.entry as usize] = item;
            self.set_candidate(item, self.stays || transition.next != transition.state);
        }
    }

    fn set_candidate(&mut self, item: u32, may: bool) {
        let place = self.place[item as usize];
        if may && place == NONE {
            self.place[item as usize] = self.candidates.len() as u32;
            self.candidates.push(item);
        } else if !may && place != NONE {
            self.candidates.swap_remove(place as usize);
            self.place[item as usize] = NONE;
            if let Some(&moved) = self.candidates.get(place as usize) {
                self.place[moved as usize] = place;
            }
        }
    }

    /// The number of items in the buffer.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether the buffer has no items.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Looks up a transition by the number of its item.
    ///
    /// # Panics
    /// When nothing was put there.
    #[inline(always)]
    pub fn item(&self, item: u32) -> Transition {
        self.items[item as usize].expect("only what was lived is replayed")
    }

    /// The tick of the last visit, i.e. at which the transition was last taken, as the caller counts ticks; 0 where nothing was put.
    pub fn lived_at(&self, item: u32) -> Tick {
        self.lived_at[item as usize]
    }

    /// The items that may be replayed, in a fixed order.
    #[inline(always)]
    pub fn candidates(&self) -> &[u32] {
        &self.candidates
    }

    /// Whether an item may be replayed (candidate).
    pub fn is_candidate(&self, item: u32) -> bool {
        self.place[item as usize] != NONE
    }

    /// Lists the items that begin in a state (adjacency list).
    pub fn leaving(&self, state: u32) -> &[u32] {
        &self.from[state as usize]
    }

    /// Lists the items that lead to a state (predecessors).
    pub fn arriving(&self, state: u32) -> &[u32] {
        &self.into[state as usize]
    }

    /// Looks up the item of a state-action pair; none if it was never stored.
    pub fn of_entry(&self, entry: u32) -> Option<u32> {
        Some(self.of_entry[entry as usize]).filter(|item| *item != NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blocked_transition_is_no_candidate() {
        let mut memory = Memory::new(4, 3, 4, false);
        let step = |state: u32, entry, next| Transition { state, entry, next, reward: 0.0 };
        for (item, next) in [(0, 1), (1, 2), (2, 1)] {
            memory.put(item, step(item / 2, item, next), 0);
        }
        assert_eq!((memory.candidates(), memory.arriving(1)), (&[0, 1][..], &[0, 2][..]));
        memory.put(0, step(0, 0, 0), 5);
        assert_eq!(
            (memory.candidates(), memory.arriving(1), memory.arriving(0)),
            (&[1][..], &[2][..], &[0][..])
        );
        memory.put(0, step(0, 0, 1), 6);
        assert_eq!((memory.candidates(), memory.lived_at(0)), (&[1, 0][..], 6));
        assert_eq!((memory.of_entry(0), memory.of_entry(3)), (Some(0), None));
    }
}
