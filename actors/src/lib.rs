//! Morta's actor shell.
#![deny(missing_docs)]
#![forbid(unsafe_code)]
