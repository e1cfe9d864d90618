mod bardo;
mod contract;
mod dark_pawns;
pub mod legacy;
mod openclaw;
mod owm;
