//! Locks of what threads share (`Mutex`), taken also after a thread has panicked with them (lock poisoning ignored): that panic is
//! reported where it happened, and a second one here would hide it.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock, waiting for it (mutex lock).
pub(crate) fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
