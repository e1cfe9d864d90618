pub mod confidence;
mod growth;
mod select;
mod shuffle;
