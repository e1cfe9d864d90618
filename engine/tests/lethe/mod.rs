mod clade;
mod earlier_bloodstains;
mod pheromone;
mod state;
mod testament;
mod vote;
