mod config;
mod map;
