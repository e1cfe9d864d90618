mod account;
mod holding;
