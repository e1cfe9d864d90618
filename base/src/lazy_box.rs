//! A value that few golems have, or none at birth (lazy initialization): it takes the room of a pointer until it is written to. Reading an
//! unwritten one gives a shared default by `Deref`, or `None` by `get`; writing allocates. An unwritten value isn't equal to a written one
//! that holds the default. With a hundred thousand golems, defaults kept in full would fill the memory, and would be written into every
//! checkpoint.

use serde::{Deserialize, Serialize};
use std::ops::{Deref, DerefMut};

/// A value that is its default until it is changed (lazy default).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LazyBox<T>(Option<Box<T>>);

impl<T> LazyBox<T> {
    /// The value; `None` if it was never written.
    pub fn get(&self) -> Option<&T> {
        self.0.as_deref()
    }

    /// The value, to be changed; `None` if it was never written.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.0.as_deref_mut()
    }

    /// Takes a part out and leaves its default; where nothing was written yet, the default of the part is returned and nothing is made
    /// (mem::take of a field).
    pub fn take_part<P: Default>(&mut self, part: impl FnOnce(&mut T) -> &mut P) -> P {
        self.get_mut().map(|made| std::mem::take(part(made))).unwrap_or_default()
    }
}

impl<T: Default> LazyBox<T> {
    /// Returns the value, to be changed; a default is made (allocated) if it was never written.
    pub fn make(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

/// A type with one shared default that is read in place of a value that was never written, so that reading makes none (shared default instance).
pub trait Blank: Default + 'static {
    /// The shared default.
    fn blank() -> &'static Self;
}

impl<T: Blank> Deref for LazyBox<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.get().unwrap_or_else(|| T::blank())
    }
}

impl<T: Blank> DerefMut for LazyBox<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        self.make()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_takes_a_pointer_and_is_made_once() {
        let mut rare: LazyBox<[u64; 9]> = LazyBox::default();
        assert_eq!((rare.get(), size_of_val(&rare)), (None, size_of::<usize>()));
        rare.make()[2] = 7;
        rare.make()[3] = 8;
        assert_eq!(rare.get().map(|made| made[..4].to_vec()), Some(vec![0, 0, 7, 8]));
    }
}
