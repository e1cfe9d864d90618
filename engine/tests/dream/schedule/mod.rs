mod allocation;
mod allowance;
mod clocks;
mod config;
mod dollars;
mod gate;
mod timetable;
