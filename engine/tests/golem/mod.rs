mod gate;
mod genome;
mod leverage;
mod scaling;
mod state;
