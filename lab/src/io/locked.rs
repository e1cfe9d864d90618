//! Locks of what threads share (`Mutex`), taken also after a thread has panicked with them (lock poisoning ignored): what they hold is whole
//! between two statements of their users, and a panic is reported where it happened.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock, waiting for it (mutex lock).
pub fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
