//! Random mazes (procedural generation of grid worlds): walls, a start, goals that take turns, and places of predators. One key gives one
//! maze, which all seeds of a block share (10 by default), so that a maze and not a seed is the unit of inference. Distances are steps.
//! Connectivity is checked by breadth-first search: every goal can be reached, and reached without meeting a predator. Settings that give
//! no maze in 1,000 draws are refused when the file is read.

use morta_base::{Purpose, Stream, TableChecker, WorldSeed, keys};

/// Part of the keys of random numbers; those of a life are smaller.
const MAZE: u32 = 8;
/// Number of draws after which settings are refused as impossible when a file is read, and after which a run panics. A file whose first maze took up
/// to a thousand draws finds another within a million, except with negligible probability.
const DRAWS_TO_CHECK: u64 = 1_000;
const DRAWS_MAX: u64 = 1_000 * DRAWS_TO_CHECK;
/// Distance of an unreachable place.
const NOWHERE: u32 = u32::MAX;

/// Places from one side of a maze to the other.
const SIDES: std::ops::RangeInclusive<u32> = 2..=32;

keys! {
    /// Mazes drawn at random, a different one for each block of seeds. The maze is what is replicated: seeds of one maze are averaged.
    #[derive(Copy)]
    pub struct MazesConfig {
        /// Seeds in a block; blocks begin at multiples of it.
        seeds_each: u32 = 10, in 1..=1_000, "seeds";
        /// Places from top to bottom.
        rows: u32 = 9, in SIDES, "places";
        /// Places from left to right.
        columns: u32 = 9, in SIDES, "places";
        /// Share of the places that are walls.
        walls: f64 = 0.3, in 0.0..=0.6, "share";
        /// Fewest steps from the start to a goal.
        distance: u32 = 8, in 1..=1_000, "steps";
        /// Goals, of which there is one at a time.
        goals: u32 = 1, in 1..=16, "goals";
        /// Whether walls and start are drawn anew with each goal's turn; else they stay.
        new_walls: bool = false;
        /// Laps after which the next goal takes its turn, where there are more.
        laps_each_goal: u32 = 30, in 1..=100_000, "laps";
        /// Places where a predator may be. A way to each goal that avoids them all is left.
        predators: u32 = 0, in 0..=100, "places";
        /// Probability that entering such a place is death.
        kill: f64 = 0.5, in 0.0..=1.0, "probability";
    }
    also can_be_drawn;
}

/// A maze of a grid world, with walls, starts and goals. Places are numbered row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Maze {
    columns: usize,
    walls: Vec<bool>,
    /// The start of laps.
    pub start: u32,
    /// The goals in the order of their turns.
    pub goals: Vec<u32>,
    /// For each place, whether a predator may be there; empty without predators.
    pub predators: Vec<bool>,
}

impl MazesConfig {
    fn can_be_drawn(&self, table: &mut TableChecker<'_>) {
        table.demand(
            !self.new_walls || self.goals > 1,
            "new_walls",
            true,
            "walls change with the goal's turn: ask for more goals than one",
        );
        // Sides out of range are noted already. Mazes of such a size would fill the memory before the file is refused.
        if ![self.rows, self.columns].iter().all(|side| SIDES.contains(side)) {
            return;
        }
        let remedy = "no such maze came up in 1,000 draws: ask for fewer walls, predators or goals, or for a shorter way";
        table.demand(self.first_of((WorldSeed(0), 0), DRAWS_TO_CHECK).is_some(), "walls", self.walls, remedy);
    }

    /// Finds the first seed of a seed's block, which names its maze.
    pub fn block(&self, seed: u64) -> u64 {
        seed - seed % u64::from(self.seeds_each)
    }

    /// Generates the maze of a seed's block; if walls change, another one for each turn of a goal.
    ///
    /// # Panics
    /// When the settings weren't checked.
    pub fn draw(&self, seed: u64, turn: u32) -> Maze {
        let turn = if self.new_walls { turn } else { 0 };
        self.first_of((WorldSeed(self.block(seed)), turn), DRAWS_MAX).expect("the table was checked")
    }

    fn first_of(&self, (seed, turn): (WorldSeed, u32), draws: u64) -> Option<Maze> {
        let stream = |draw| seed.world(Purpose::Replication, MAZE + turn, draw);
        (0..draws).find_map(|draw| self.attempt(&mut stream(draw)))
    }

    fn attempt(&self, stream: &mut Stream) -> Option<Maze> {
        let columns = self.columns as usize;
        let mut walls: Vec<bool> =
            (0..self.rows as usize * columns).map(|_| stream.chance(self.walls)).collect();
        let mut free: Vec<u32> =
            (0..).zip(&walls).filter(|(_, wall)| !**wall).map(|(place, _)| place).collect();
        stream.shuffle(&mut free);
        let (&start, others) = free.split_first()?;
        let far = distances(&walls, columns, start);
        let reached = || others.iter().copied().filter(|place| far[*place as usize] < NOWHERE);
        let is_goal = |place: &u32| far[*place as usize] >= self.distance;
        let goals: Vec<u32> = reached().filter(is_goal).take(self.goals as usize).collect();
        let lurk: Vec<u32> =
            reached().filter(|place| !goals.contains(place)).take(self.predators as usize).collect();
        if (goals.len(), lurk.len()) != (self.goals as usize, self.predators as usize) {
            return None;
        }
        let mut closed = walls.clone();
        lurk.iter().for_each(|place| closed[*place as usize] = true);
        let safe = distances(&closed, columns, start);
        if goals.iter().any(|goal| safe[*goal as usize] == NOWHERE) {
            return None;
        }
        // An unreachable place is the same as a wall.
        walls.iter_mut().zip(&far).for_each(|(wall, far)| *wall = *far == NOWHERE);
        let is_lurking = |place| lurk.contains(&place);
        let predators =
            if lurk.is_empty() { Vec::new() } else { (0..walls.len() as u32).map(is_lurking).collect() };
        Some(Maze { columns, walls, start, goals, predators })
    }
}

/// Lengths of the shortest ways from a place to all others; [`NOWHERE`] if there is none.
fn distances(walls: &[bool], columns: usize, from: u32) -> Vec<u32> {
    let mut far = vec![NOWHERE; walls.len()];
    far[from as usize] = 0;
    let mut queue = std::collections::VecDeque::from([from as usize]);
    while let Some(place) = queue.pop_front() {
        let column = place % columns;
        let around = [
            place.checked_sub(columns),
            Some(place + columns).filter(|to| *to < walls.len()),
            Some(place + 1).filter(|_| column + 1 < columns),
            place.checked_sub(1).filter(|_| column > 0),
        ];
        for to in around.into_iter().flatten().filter(|to| !walls[*to]) {
            if far[to] == NOWHERE {
                far[to] = far[place] + 1;
                queue.push_back(to);
            }
        }
    }
    far
}

impl Maze {
    /// Draws the rows of a text map with the present goal.
    pub fn map(&self, turn: usize) -> Vec<String> {
        let letter = |place: usize| match self.walls[place] {
            true => '#',
            false if place == self.start as usize => 'A',
            false if place == self.goals[turn % self.goals.len()] as usize => 'a',
            false => '.',
        };
        let places: Vec<usize> = (0..self.walls.len()).collect();
        places.chunks(self.columns).map(|row| row.iter().map(|place| letter(*place)).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::keys::Keys as _;

    #[test]
    fn ways_by_hand() {
        // #.A
        // ##.
        // ...
        let walls = [true, false, false, true, true, false, false, false, false];
        assert_eq!(distances(&walls, 3, 2), [NOWHERE, 1, 0, NOWHERE, NOWHERE, 1, 4, 3, 2]);
    }

    /// Blocks of seeds have different mazes, each with a safe way to goals at the required distance. A seed changes nothing within its block.
    #[test]
    fn mazes_differ_by_block_and_have_safe_ways() {
        let config = MazesConfig { goals: 3, predators: 6, ..MazesConfig::default() };
        let mazes: Vec<Maze> = (0..24).map(|block| config.draw(block * 10, 0)).collect();
        for (place, maze) in mazes.iter().enumerate() {
            assert!(mazes[..place].iter().all(|other| other.map(0) != maze.map(0)), "{place}");
            assert_eq!(*maze, config.draw(place as u64 * 10 + 9, 1));
            let closed: Vec<bool> =
                maze.walls.iter().zip(&maze.predators).map(|(wall, lurks)| *wall || *lurks).collect();
            let (plain, safe) = (distances(&maze.walls, 9, maze.start), distances(&closed, 9, maze.start));
            assert!(
                maze.goals.iter().all(|goal| safe[*goal as usize] < NOWHERE && plain[*goal as usize] >= 8)
            );
            assert_eq!(maze.predators.iter().filter(|lurks| **lurks).count(), 6);
            assert_ne!(maze.map(0), maze.map(1));
            let anew = MazesConfig { new_walls: true, ..config };
            assert!(anew.draw(place as u64 * 10, 0) == *maze && anew.draw(place as u64 * 10, 1) != *maze);
        }
    }

    #[test]
    fn impossible_settings_are_refused() {
        let far = MazesConfig { distance: 100, ..MazesConfig::default() };
        assert_eq!(far.problems("")[0].key, "walls");
        assert!(MazesConfig::default().problems("").is_empty());
        // Without a draw, which would never end.
        let huge = MazesConfig { rows: u32::MAX, columns: u32::MAX, ..MazesConfig::default() };
        assert_eq!(
            huge.problems("").iter().map(|one| one.key.as_str()).collect::<Vec<_>>(),
            ["rows", "columns"]
        );
        let unchanged = MazesConfig { new_walls: true, ..MazesConfig::default() };
        assert_eq!(unchanged.problems("")[0].key, "new_walls");
    }
}
