mod admission;
mod beliefs;
