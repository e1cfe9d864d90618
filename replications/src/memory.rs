//! What a learner remembers: transitions, and which of them may be replayed.

use morta_base::Tick;

/// No item, where there could be one.
pub const NONE: u32 = u32::MAX;

/// One step that was lived.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// Where it began.
    pub state: u32,
    /// Which value it bears on: state · actions + action.
    pub entry: u32,
    /// Where it led; a state without values of its own ends a lap.
    pub next: u32,
    /// What it brought.
    pub reward: f64,
}

/// Transitions by number, their item. A learner that lives keeps the latest outcome of each pair of state and action; a fixed memory may hold a
/// pair many times.
#[derive(Clone, Debug)]
pub struct Memory {
    items: Vec<Option<Transition>>,
    lived_at: Vec<Tick>,
    /// Items that may be replayed, and where each stands in the list.
    candidates: Vec<u32>,
    place: Vec<u32>,
    /// Items by the state where they begin, and by the one that they lead to.
    from: Vec<Vec<u32>>,
    into: Vec<Vec<u32>>,
    /// The item of each pair, the latest that was put.
    of_entry: Vec<u32>,
    /// Whether what leads nowhere may be replayed.
    stays: bool,
}

impl Memory {
    /// Room for so many items over so many states and pairs; `stays` says whether transitions that leave one where one was may be replayed.
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

    /// Puts a transition in the place of an item.
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

    /// How many items there is room for.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is room for none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// A transition.
    ///
    /// # Panics
    /// When nothing was put there.
    #[inline(always)]
    pub fn item(&self, item: u32) -> Transition {
        self.items[item as usize].expect("only what was lived is replayed")
    }

    /// When it was last lived.
    pub fn lived_at(&self, item: u32) -> Tick {
        self.lived_at[item as usize]
    }

    /// What may be replayed, in an order that is kept.
    #[inline(always)]
    pub fn candidates(&self) -> &[u32] {
        &self.candidates
    }

    /// Whether it may be replayed.
    pub fn is_candidate(&self, item: u32) -> bool {
        self.place[item as usize] != NONE
    }

    /// Items that begin in a state.
    pub fn leaving(&self, state: u32) -> &[u32] {
        &self.from[state as usize]
    }

    /// Items that lead to a state.
    pub fn arriving(&self, state: u32) -> &[u32] {
        &self.into[state as usize]
    }

    /// The item of a pair, if it was ever lived.
    pub fn of_entry(&self, entry: u32) -> Option<u32> {
        Some(self.of_entry[entry as usize]).filter(|item| *item != NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_that_is_blocked_is_no_candidate_and_leads_nowhere_else() {
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
