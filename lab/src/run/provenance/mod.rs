//! The origin of results: the program (`Build`), hashes of scenarios and files, and the turns by which a run was branched off another
//! (`Turn`). Run folders, sweep folders and checkpoints all name it, so it lies below them. It is data lineage, for reproducibility.

mod build;
mod digest;
mod turn;

pub use build::Build;
pub use digest::{canonical_json, file_hash, scenario_hash};
pub use turn::{Changes, Parent, Turn};
