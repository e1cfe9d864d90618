//! Worlds drawn as text: grids of rows, graphs of lines, and the blind cliffwalk.
//!
//! In a grid `#` is a wall, `.` is free, capital letters are starts and small letters goals; goal `a` is followed by the start after `A`, round
//! and round, so that goals move. Moves are up, down, right and left; a move into a wall or over the edge leaves one where one was. In a graph each line is
//! `name: name name ...`, the states that its actions lead to; `>` before a name is a start, and `*name` by itself a goal.
//!
//! It is a grid world environment (Markov decision process, MDP) with slips and predators; probabilities are 0 to 1. Only the step into a
//! goal has a reward, of 1 (with `reward_deviation` drawn around 1 and never below 0), and it ends the lap. `change` replaces the map
//! after some laps (non-stationary environment). Predators exist only in random mazes. Rooms are read by the order `specs` alone, as its
//! regimes and for its places of diversity; no move depends on them. A cliff is named here and built by `cliffwalk`. Invalid maps and
//! graphs are refused when the file is read. A `ChangeConfig` is a map change (environment change).

use crate::maze::MazesConfig;
use morta_base::{Stream, TableChecker, keys};

/// Most rows or columns: the successor representation is solved up to a thousand states.
const SIDE_MAX: usize = 64;
const STATES_MAX: usize = 1_024;

keys! {
    /// A map that takes the place of the first.
    pub struct ChangeConfig {
        /// Laps that are over when it does.
        after_laps: u32, in 1..=100_000, "laps";
        /// The rows from then on: walls may stand elsewhere, starts and goals may not.
        map: Vec<String>, len 1..=SIDE_MAX;
    }
}

keys! {
    /// A world: a map, a graph, a cliff, or mazes drawn at random.
    #[derive(Default)]
    pub struct WorldConfig {
        /// What it is called.
        name: String;
        /// Rows of a grid.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        map: Vec<String>, len 0..=SIDE_MAX;
        /// Lines of a graph.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        graph: Vec<String>, len 0..=STATES_MAX;
        /// States of a blind cliffwalk (Schaul et al. 2016).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cliff: Option<u32>, in 2..=16, "states";
        /// Mazes drawn at random, another one for each block of seeds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mazes: Option<MazesConfig>;
        /// Rows of a letter or digit for each place of the map: the room that it is in. Left out: one room.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rooms: Vec<String>, len 0..=SIDE_MAX;
        /// Probability that a move goes in a random direction.
        #[serde(default)]
        slip: f64, in 0.0..=1.0, "probability";
        /// Standard deviation of the reward of 1; never below 0.
        #[serde(default)]
        reward_deviation: f64, in 0.0..=10.0, "reward";
        /// Whether laps begin anywhere that is free.
        #[serde(default)]
        random_starts: bool;
        /// How many seeds, where fewer than elsewhere.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seeds: Option<u32>, in 1..=1_000_000, "seeds";
        /// What changes on the way.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        change: Option<ChangeConfig>;
    }
    also is_whole;
}

/// The key of a world that can't be used, its value, and a valid one.
type Mistake = (&'static str, String, String);

impl WorldConfig {
    fn is_whole(&self, table: &mut TableChecker<'_>) {
        let kinds =
            [!self.map.is_empty(), !self.graph.is_empty(), self.cliff.is_some(), self.mazes.is_some()];
        if kinds.iter().filter(|is| **is).count() != 1 {
            let value = format!("\"{}\"", self.name);
            return table.demand(false, "name", value, "a world has one of map, graph, cliff and mazes");
        }
        for (key, value, remedy) in self.ignored() {
            table.demand(false, key, value, remedy);
        }
        // Rooms that are left out fit any mazes, also those whose sides are out of range.
        let mazes = self.mazes.filter(|_| !self.rooms.is_empty());
        let rooms =
            mazes.and_then(|mazes| self.rooms_of([mazes.rows as usize, mazes.columns as usize]).err());
        let wrong = [rooms, self.first().err(), self.changed().err()];
        for (key, value, remedy) in wrong.into_iter().flatten() {
            table.demand(false, key, value, remedy);
        }
    }

    /// The keys that are given and that a world of this kind doesn't read.
    fn ignored(&self) -> Vec<Mistake> {
        let (is_map, is_cliff) = (!self.map.is_empty(), self.cliff.is_some());
        let has_places = is_map || self.mazes.is_some();
        let given = [
            ("change", self.change.is_some() && !is_map, "{…}".to_owned(), "a map"),
            (
                "rooms",
                !self.rooms.is_empty() && !has_places,
                format!("{} rows", self.rooms.len()),
                "a map or mazes",
            ),
            ("slip", self.slip != 0.0 && is_cliff, self.slip.to_string(), "a map, a graph or mazes"),
            (
                "reward_deviation",
                self.reward_deviation != 0.0 && is_cliff,
                self.reward_deviation.to_string(),
                "a map, a graph or mazes",
            ),
            ("random_starts", self.random_starts && is_cliff, "true".to_owned(), "a map, a graph or mazes"),
        ];
        let remedy = |kinds| format!("only goes with {kinds}: leave it out");
        given
            .into_iter()
            .filter(|one| one.1)
            .map(|(key, _, value, kinds)| (key, value, remedy(kinds)))
            .collect()
    }

    fn first(&self) -> Result<Option<World>, Mistake> {
        if self.cliff.is_some() || self.mazes.is_some() {
            return Ok(None);
        }
        let world = if self.graph.is_empty() { self.grid(&self.map, "map")? } else { self.network()? };
        Ok(Some(world))
    }

    fn changed(&self) -> Result<Option<World>, Mistake> {
        let (Some(change), Ok(Some(first))) = (&self.change, self.first()) else { return Ok(None) };
        // Beside a graph it is ignored, and a map without rows is out of its range: both are noted elsewhere.
        if self.map.is_empty() || change.map.is_empty() {
            return Ok(None);
        }
        let world = self.grid(&change.map, "change.map")?;
        if (world.states(), &world.starts, &world.goals) != (first.states(), &first.starts, &first.goals) {
            let rows = format!("{} rows", change.map.len());
            return Err((
                "change.map",
                rows,
                "must have the size, the starts and the goals of map".to_owned(),
            ));
        }
        Ok(Some(world))
    }

    /// Finds the first seed of those that share a maze with this one; the seed itself where there are no mazes.
    pub fn unit(&self, seed: u64) -> u64 {
        self.mazes.map_or(seed, |mazes| mazes.block(seed))
    }

    /// Makes the maze of a seed, once with each of its goals in the order of their turns; empty where there are no mazes.
    ///
    /// # Panics
    /// When the table wasn't checked.
    pub fn maze(&self, seed: u64) -> Vec<World> {
        let Some(mazes) = &self.mazes else { return Vec::new() };
        let with_goal = |turn| {
            let maze = mazes.draw(seed, turn);
            let plain = self.grid(&maze.map(turn as usize), "mazes").expect("a maze has a start and a goal");
            World { predators: maze.predators, kill: mazes.kill, ..plain }
        };
        (0..mazes.goals).map(with_goal).collect()
    }

    /// Builds the world (environment) to be lived in, and with it what it changes into after so many laps; `None` for a cliff and for
    /// mazes.
    ///
    /// # Panics
    /// When the table wasn't checked.
    pub fn build(&self) -> Option<(World, Option<(u32, World)>)> {
        let first = self.first().expect("the table was checked")?;
        let changed = self.changed().expect("the table was checked");
        Some((first, self.change.as_ref().map(|change| change.after_laps).zip(changed)))
    }

    /// The room of each place, by so many rows and columns; all are in one room where the key is left out.
    fn rooms_of(&self, [high, wide]: [usize; 2]) -> Result<Vec<u8>, Mistake> {
        if self.rooms.is_empty() {
            return Ok(vec![b'1'; high * wide]);
        }
        let is_row = |row: &String| row.len() == wide && row.bytes().all(|room| room.is_ascii_alphanumeric());
        if let Some(row) = self.rooms.iter().find(|row| !is_row(row)) {
            let remedy =
                format!("rows must have {wide} letters (A to Z, a to z) or digits each, one for each place");
            return Err(("rooms", format!("\"{row}\""), remedy));
        }
        if self.rooms.len() != high {
            return Err(("rooms", format!("{} rows", self.rooms.len()), format!("must have {high} rows")));
        }
        Ok(self.rooms.iter().flat_map(|row| row.bytes()).collect())
    }

    fn grid(&self, rows: &[String], key: &'static str) -> Result<World, Mistake> {
        let (high, wide) = (rows.len(), rows[0].chars().count());
        if let Some(row) = rows.iter().find(|row| row.chars().count() != wide || wide == 0 || wide > SIDE_MAX)
        {
            let remedy = format!("rows must have {} places each", wide.clamp(1, SIDE_MAX));
            return Err((key, format!("\"{row}\""), remedy));
        }
        let places: Vec<char> = rows.iter().flat_map(|row| row.chars()).collect();
        let known = |place: &char| matches!(place, '#' | '.' | 'A'..='Z' | 'a'..='z');
        if let Some(strange) = places.iter().find(|place| !known(place)) {
            let remedy = "use # for a wall, . for a free place, A to Z for starts, a to z for goals";
            return Err((key, format!("\"{strange}\""), remedy.to_owned()));
        }
        let rooms = self.rooms_of([high, wide])?;
        let lettered = |is: fn(&char) -> bool| -> Vec<u32> {
            let mut found: Vec<(char, u32)> =
                places.iter().copied().zip(0..).filter(|(place, _)| is(place)).collect();
            found.sort_unstable();
            found.into_iter().map(|(_, state)| state).collect()
        };
        let (starts, goals) = (lettered(char::is_ascii_uppercase), lettered(char::is_ascii_lowercase));
        let walls: Vec<bool> = places.iter().map(|place| *place == '#').collect();
        let next = (0..places.len()).flat_map(|state| {
            let (row, column) = (state / wide, state % wide);
            let to = [
                (row.saturating_sub(1), column),
                ((row + 1).min(high - 1), column),
                (row, (column + 1).min(wide - 1)),
                (row, column.saturating_sub(1)),
            ];
            let walls = &walls;
            to.map(|(row, column)| row * wide + column)
                .map(move |to| if walls[to] { state } else { to } as u32)
        });
        let world = World {
            actions: 4,
            next: next.collect(),
            starts,
            is_goal: (0..places.len() as u32).map(|state| goals.contains(&state)).collect(),
            goals,
            rooms,
            columns: Some(wide),
            ..self.plain(walls)
        };
        world.whole(key)
    }

    fn network(&self) -> Result<World, Mistake> {
        let mistake = |line: &str, remedy: String| ("graph", format!("\"{line}\""), remedy);
        let mut lines = Vec::new();
        for line in &self.graph {
            let (name, to) = line.split_once(':').unwrap_or((line, ""));
            let bare = name.trim().trim_start_matches(['>', '*']);
            lines.push((line, name.trim(), bare, to.split_whitespace().collect::<Vec<_>>()));
        }
        let actions = lines.iter().map(|(.., to)| to.len()).max().unwrap_or(0);
        let mut next = Vec::new();
        for (state, (line, name, bare, to)) in lines.iter().enumerate() {
            // Of two lines with one name no action could lead to the second.
            if lines[..state].iter().any(|(_, _, other, _)| other == bare) {
                return Err(mistake(
                    line,
                    "another line has this name already: a state has one line".to_owned(),
                ));
            }
            if !(to.len() == actions || name.starts_with('*') && to.is_empty()) || actions == 0 {
                return Err(mistake(
                    line,
                    format!("must lead to {actions} states, or be a goal, *name by itself"),
                ));
            }
            for place in 0..actions {
                // From a goal nothing is done, so it may lead anywhere: here to itself.
                let to = to
                    .get(place)
                    .map_or(Some(state), |to| lines.iter().position(|(_, _, bare, _)| bare == to));
                next.push(
                    to.ok_or_else(|| mistake(line, "leads to a state that has no line".to_owned()))? as u32
                );
            }
        }
        let marked = |mark: char| -> Vec<u32> {
            (0..)
                .zip(&lines)
                .filter(|(_, (_, name, ..))| name.starts_with(mark))
                .map(|(state, _)| state)
                .collect()
        };
        let (starts, goals) = (marked('>'), marked('*'));
        let is_goal = (0..lines.len() as u32).map(|state| goals.contains(&state)).collect();
        let plain = self.plain(vec![false; lines.len()]);
        World { actions, next, starts, goals, is_goal, ..plain }.whole("graph")
    }

    /// What the keys say of any world; no place leads anywhere yet.
    fn plain(&self, walls: Vec<bool>) -> World {
        World {
            rooms: vec![b'1'; walls.len()],
            walls,
            slip: self.slip,
            reward_deviation: self.reward_deviation,
            random_starts: self.random_starts,
            ..World::default()
        }
    }
}

/// A Markov decision process: states, and where their actions lead.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    /// Actions in each state.
    pub actions: usize,
    /// Where each action leads without a slip, by state · actions + action.
    next: Vec<u32>,
    /// In the order of their letters or lines.
    pub starts: Vec<u32>,
    /// In the order of their letters or lines.
    pub goals: Vec<u32>,
    is_goal: Vec<bool>,
    /// By state.
    pub rooms: Vec<u8>,
    /// By state, whether nobody can be there.
    pub walls: Vec<bool>,
    /// Places in a row of a grid; `None` for a graph.
    pub columns: Option<usize>,
    /// Probability that a move goes in a random direction.
    slip: f64,
    reward_deviation: f64,
    /// Whether laps begin anywhere that is free.
    pub random_starts: bool,
    /// By state, whether a predator may be there; empty where there is none at all.
    predators: Vec<bool>,
    /// Probability that entering a place of predators is death.
    kill: f64,
}

impl World {
    fn whole(self, key: &'static str) -> Result<Self, Mistake> {
        let there =
            format!("{} starts, {} goals, {} states", self.starts.len(), self.goals.len(), self.states());
        if self.starts.is_empty() || self.goals.is_empty() || self.states() > STATES_MAX {
            return Err((key, there, format!("needs a start and a goal, and at most {STATES_MAX} states")));
        }
        Ok(self)
    }

    /// The number of states, walls included.
    pub fn states(&self) -> usize {
        self.walls.len()
    }

    /// Finds where an action leads when nothing slips (transition function).
    #[inline(always)]
    pub fn lead(&self, state: u32, action: usize) -> u32 {
        self.next[state as usize * self.actions + action]
    }

    /// Whether a lap ends there (terminal state).
    #[inline(always)]
    pub fn is_goal(&self, state: u32) -> bool {
        self.is_goal[state as usize]
    }

    /// Lists the non-terminal states, in which something can be done.
    pub fn free(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.states() as u32).filter(|state| !self.walls[*state as usize] && !self.is_goal(*state))
    }

    /// Takes a step in the environment: draws where an action leads, and its reward.
    #[inline(always)]
    pub fn step(&self, state: u32, action: usize, luck: &mut Stream) -> (u32, f64) {
        let slips = self.slip > 0.0 && luck.chance(self.slip);
        let next = self.lead(state, if slips { luck.below(self.actions) } else { action });
        let reward = match self.is_goal(next) {
            false => 0.0,
            true if self.reward_deviation == 0.0 => 1.0,
            true => (1.0 + self.reward_deviation * luck.normal()).max(0.0),
        };
        (next, reward)
    }

    /// Whether some state may be lethal.
    pub fn has_predators(&self) -> bool {
        !self.predators.is_empty()
    }

    /// Whether a predator kills at the entry into a state (lethal state). A number is drawn only where a predator may be.
    #[inline(always)]
    pub fn kills(&self, state: u32, luck: &mut Stream) -> bool {
        self.has_predators() && self.predators[state as usize] && luck.chance(self.kill)
    }

    /// Draws the start state of the next lap, after a goal; of the first lap where that is `None`.
    pub fn start_after(&self, goal: Option<u32>, luck: &mut Stream) -> u32 {
        if self.random_starts {
            let free: Vec<u32> = self.free().collect();
            return free[luck.below(free.len())];
        }
        let nth = |goal| self.goals.iter().position(|known| *known == goal).map_or(0, |nth| nth + 1);
        self.starts[goal.map_or(0, nth) % self.starts.len()]
    }

    /// Whether a goal can be entered from a state in one step (goal-adjacent).
    pub fn is_before_goal(&self, state: u32) -> bool {
        (0..self.actions).any(|action| self.is_goal(self.lead(state, action)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use morta_base::keys::Keys;
    use morta_base::{Purpose, WorldSeed};

    fn rows(rows: &[&str]) -> Vec<String> {
        rows.iter().map(|row| (*row).to_owned()).collect()
    }

    fn config(map: &[&str]) -> WorldConfig {
        WorldConfig { name: "w".to_owned(), map: rows(map), ..WorldConfig::default() }
    }

    #[test]
    fn walls_stop_and_goals_move() {
        let (world, _) = config(&["A.a", "#.#", "b.B"]).build().unwrap();
        assert_eq!((world.starts.clone(), world.goals.clone()), (vec![0, 8], vec![2, 6]));
        // Up, down, right, left of the place in the middle of the first row; down from the start is a wall.
        assert_eq!([0, 1, 2, 3].map(|action| world.lead(1, action)), [1, 4, 2, 0]);
        assert_eq!((world.lead(0, 1), world.is_before_goal(1), world.is_before_goal(4)), (0, true, false));
        let mut luck = WorldSeed(1).world(Purpose::Replication, 0, 0);
        let starts = [None, Some(2), Some(6)].map(|goal| world.start_after(goal, &mut luck));
        assert_eq!(starts, [0, 8, 0]);
    }

    #[test]
    fn a_slippery_floor_slips_as_often_as_it_says() {
        let slippery = WorldConfig { slip: 0.4, ..config(&["...", "..A", "..a"]) };
        let (world, _) = slippery.build().unwrap();
        let mut luck = WorldSeed(4).world(Purpose::Replication, 0, 0);
        let ups = (0..10_000).filter(|_| world.step(4, 0, &mut luck).0 == 1).count();
        // .6 by will and a quarter of .4 by chance; five standard errors.
        assert!((ups as f64 / 10_000.0 - 0.7).abs() < 0.023, "{ups}");
    }

    #[test]
    fn mistakes_name_their_key_and_a_remedy() {
        let graph = |lines: &[&str]| WorldConfig { graph: rows(lines), ..config(&[]) };
        let ring = graph(&[">a: b c", "b: c a", "*c"]);
        assert_eq!((ring.problems("").len(), ring.build().unwrap().0.lead(1, 0)), (0, 2));
        for (world, expected) in [
            (config(&["A.", "a"]), "map = \"a\": rows must have 2 places each"),
            (config(&["A!a"]), "map = \"!\": use # for a wall"),
            (config(&["..a"]), "map = 0 starts, 1 goals, 3 states: needs a start"),
            (config(&[]), "name = \"w\": a world has one of map, graph, cliff and mazes"),
            (graph(&[">a: b c", "*b"]), "graph = \">a: b c\": leads to a state that has no line"),
            (graph(&[">a: b b", "b: a", "*c"]), "graph = \"b: a\": must lead to 2 states"),
        ] {
            let said = world.problems("").iter().map(ToString::to_string).collect::<String>();
            assert!(said.starts_with(expected), "{said}");
        }
        let twice = graph(&[">a: b", "*b", "a: b"]);
        assert_eq!(twice.problems("")[0].value, "\"a: b\"");
        let changed = |map: &[&str]| {
            let change = ChangeConfig { after_laps: 1, map: rows(map) };
            WorldConfig { change: Some(change), ..config(&["A.a"]) }
        };
        for map in [&["Aa."][..], &[], &[""]] {
            assert_eq!(changed(map).problems("")[0].key, "change.map", "{map:?}");
        }
    }

    /// A key that a kind of world doesn't read is refused, and rooms of another size than the mazes', which once ended the run by a panic.
    #[test]
    fn no_key_is_ignored() {
        let rooms = |letters: &[&str], world: WorldConfig| WorldConfig { rooms: rows(letters), ..world };
        let graph = || WorldConfig { graph: rows(&[">a: b", "*b"]), ..config(&[]) };
        let cliff = || WorldConfig { cliff: Some(6), ..config(&[]) };
        let small = MazesConfig { rows: 3, columns: 4, distance: 2, walls: 0.1, ..MazesConfig::default() };
        let mazes = || WorldConfig { mazes: Some(small), ..config(&[]) };
        let change = || Some(ChangeConfig { after_laps: 1, map: rows(&["A.a"]) });
        for (world, expected) in [
            (WorldConfig { change: change(), ..graph() }, "change = {…}: only goes with a map: leave it out"),
            (WorldConfig { change: change(), ..cliff() }, "change = {…}: only goes with a map: leave it out"),
            (WorldConfig { change: change(), ..mazes() }, "change = {…}: only goes with a map: leave it out"),
            (rooms(&["12"], graph()), "rooms = 1 rows: only goes with a map or mazes: leave it out"),
            (rooms(&["12"], cliff()), "rooms = 1 rows: only goes with a map or mazes: leave it out"),
            (
                WorldConfig { slip: 0.5, ..cliff() },
                "slip = 0.5: only goes with a map, a graph or mazes: leave it out",
            ),
            (WorldConfig { reward_deviation: 2.0, ..cliff() }, "reward_deviation = 2: only goes with a map"),
            (WorldConfig { random_starts: true, ..cliff() }, "random_starts = true: only goes with a map"),
            (rooms(&["111", "111", "111"], mazes()), "rooms = \"111\": rows must have 4 letters"),
            (rooms(&["1111", "1111"], mazes()), "rooms = 2 rows: must have 3 rows"),
            (rooms(&["11é1"; 3], mazes()), "rooms = \"11é1\": rows must have 4 letters"),
            (rooms(&["11"], config(&["A.a"])), "rooms = \"11\": rows must have 3 letters"),
        ] {
            let said = world.problems("").iter().map(ToString::to_string).collect::<String>();
            assert!(said.starts_with(expected), "{said}");
        }
        let good = rooms(&["1122", "1122", "aaaa"], mazes());
        assert_eq!((good.problems(""), good.maze(7)[0].rooms.as_slice()), (Vec::new(), &b"11221122aaaa"[..]));
    }
}
