//! One module for each command.

pub mod inspect;
pub mod run;
pub mod schema;
pub mod score;
pub mod sweep;
pub mod validate;
pub mod verify;
