mod check;
mod drift;
