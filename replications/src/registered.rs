//! A registered replication (preregistration): the published figures with their sources, and the worlds, arms, random seeds, baseline,
//! effect of interest and significance level to reproduce them. A file is one `Registered` table, read and checked by `morta replicate`:
//! an `ArmConfig` is an experiment arm, `SeedsConfig` a seed range, `ComparisonConfig` the baseline, the smallest effect size that
//! matters and the significance level α; a cell is one seed of one arm in one world. For the number of seeds the flag `--seeds` wins,
//! then the key of the world, of the arm, of the file; an arm's `backups` win over those of `life`. Measures (metrics of an outcome) are
//! computed in `figure`, the effort of comparisons in `comparison`. Expected ranges (tolerances) are fixed before the first seed is run,
//! because a range chosen afterwards would always fit. A `Measure` is a performance metric (outcome measure), an arm an
//! experimental condition (treatment arm), and `Registered` the experiment definition (pre-registered).

use crate::cliffwalk::{WalkConfig, walk};
use crate::life::{Life, LifeConfig, live};
use crate::lineage::{Handing, Heirs, LineageConfig, Stains, live_on};
use crate::order::{OrderConfig, OrderKind};
use crate::policy::PolicyKind;
use crate::world::{World, WorldConfig};
use morta_base::{TableChecker, WorldSeed, keys};

/// Largest number of worlds, arms or figures of a file.
const ENTRIES_MAX: usize = 64;
/// Largest exponent of a weight of softmax: four weights of e^700 still have a sum, and e^-700 is above 0.
const EXPONENT_MAX: f64 = 700.0;

morta_base::words! {
    /// What is measured of an arm in a world.
    // The list is closed, because a misspelt measure must be refused before any seed is run.
    pub enum Measure: Key {
        /// Forward runs of replay at starts, per lap: mean.
        ForwardAtStart = "forward_at_start",
        /// Forward runs at goals, per lap: mean.
        ForwardAtGoal = "forward_at_goal",
        /// Backward runs at starts, per lap: mean.
        ReverseAtStart = "reverse_at_start",
        /// Backward runs at goals, per lap: mean.
        ReverseAtGoal = "reverse_at_goal",
        /// Steps of the lap that `lap` names: mean.
        StepsInLap = "steps_in_lap",
        /// The first lap whose steps, averaged over seeds, are below `below`.
        FirstLapBelow = "first_lap_below",
        /// Updates until the values of a cliff are known: median.
        Updates = "updates",
        /// Rank correlation, by state, of the replay spec's utility with gain × need: mean over sessions, then seeds.
        Agreement = "agreement",
        /// Steps a lap, after the laps of the first life: mean.
        StepsPerLap = "steps_per_lap",
        /// Deaths in 100 laps, after those of the first life: mean, in mazes with predators.
        Deaths = "deaths",
    }
}

keys! {
    /// A figure that was published, or that is asked for.
    pub struct FigureConfig {
        /// What is measured.
        // A word and not a formula, because a published figure has a definition of its own.
        measure: Measure;
        /// In which world; left out: the first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        world: Option<String>;
        /// The lap of `steps_in_lap`, from 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lap: Option<u32>, in 1.., "lap";
        /// The steps of `first_lap_below`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        below: Option<f64>, in above(0.0), "steps";
        /// What was published.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        published: Option<f64>, in f64::MIN..=f64::MAX, "of the measure";
        /// Where it is printed, or by whose code it was measured.
        // Without its source a figure couldn't be looked up.
        #[serde(default)]
        from: String;
        /// The tolerance: figures from the first to the second are inside.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        range: Option<[f64; 2]>, in f64::MIN..=f64::MAX, "of the measure";
        /// What is to be known of it, such as why it is outside.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String;
    }
    also is_whole;
}

impl FigureConfig {
    fn is_whole(&self, table: &mut TableChecker<'_>) {
        let needs = [
            (Measure::StepsInLap, "lap", self.lap.is_some()),
            (Measure::FirstLapBelow, "below", self.below.is_some()),
        ];
        for (measure, key, there) in needs {
            let remedy = if there { "only goes with its measure" } else { "is missing beside this measure" };
            let value = format!("\"{}\"", self.measure);
            table.demand((self.measure == measure) == there, "measure", value, format!("{key} {remedy}"));
        }
        let ordered = self.range.is_none_or(|[low, high]| low <= high);
        table.demand(
            ordered,
            "range",
            format!("{:?}", self.range.unwrap_or_default()),
            "must begin with the smaller",
        );
        let both = self.published.is_some() == self.range.is_some();
        table.demand(both, "measure", format!("\"{}\"", self.measure), "published and range go together");
    }
}

keys! {
    /// One order of replay, and what it is held against.
    pub struct ArmConfig {
        /// What it is called.
        name: String;
        /// The order.
        #[serde(default)]
        order: OrderConfig;
        /// Backups in a session, where not as many as `life` says.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        backups: Option<u32>, in 0..=100_000, "backups";
        /// How many seeds, where not as many as the file says: rare events and wide distributions take more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seeds: Option<u32>, in 1..=1_000_000, "seeds";
        /// The worlds that it is run in, where not in all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        worlds: Vec<String>, len 0..=ENTRIES_MAX;
        /// Who lives after a life is over, in mazes.
        #[serde(default)]
        heirs: Heirs;
        /// The warnings that heirs receive about deaths, in mazes with predators.
        #[serde(default)]
        stains: Stains;
        /// The arm that it is compared with, where not with the baseline.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        against: Option<String>;
        /// Its figures.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        figures: Vec<FigureConfig>, len 0..=ENTRIES_MAX;
    }
}

impl ArmConfig {
    /// Whether the arm is run in the world of this name.
    pub fn runs_in(&self, world: &str) -> bool {
        self.worlds.is_empty() || self.worlds.iter().any(|name| name == world)
    }
}

keys! {
    /// The seeds: `first`, `first` + 1 and so on.
    pub struct SeedsConfig {
        /// The first.
        first: u64, in 0.., "seed";
        /// How many.
        count: u32, in 1..=1_000_000, "seeds";
    }
}

keys! {
    /// Arms held against each other in the same seeds: how long it takes to learn.
    pub struct ComparisonConfig {
        /// The arm that the others are compared with.
        baseline: String;
        /// The least ratio that matters, as a share: .1 means a tenth more or less.
        effect_of_interest: f64, in above(0.0).to(10.0), "share";
        /// Chance of an error over all comparisons of the file.
        alpha: f64, in above(0.0).to(0.5), "probability";
    }
}

keys! {
    /// A replication.
    pub struct Registered {
        /// Short name, that of its file.
        name: String;
        /// What it replicates, in a line.
        title: String;
        /// Where that was published.
        source: String;
        /// What is to be known of it.
        #[serde(default)]
        about: String;
        /// Seeds of a confirmation, not used before.
        seeds: SeedsConfig;
        /// The worlds.
        worlds: Vec<WorldConfig>, len 1..=ENTRIES_MAX;
        /// How laps are lived.
        #[serde(default)]
        life: LifeConfig;
        /// How lineages live on in mazes; the laps of `life` are those of all their lives.
        #[serde(default)]
        lineage: LineageConfig;
        /// How cliffs are learned.
        #[serde(default)]
        walk: WalkConfig;
        /// The orders.
        arms: Vec<ArmConfig>, len 1..=ENTRIES_MAX;
        /// What they are held against each other for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comparison: Option<ComparisonConfig>;
    }
    also names_are_known;
}

/// The result of a cell: one seed in one world under one order.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Of a learner.
    Life(Box<Life>),
    /// Number of updates of a cliff.
    Updates(u64),
}

impl Outcome {
    /// The result of a life (training run), if the cell was one.
    pub fn life(&self) -> Option<&Life> {
        match self {
            Self::Life(life) => Some(life),
            Self::Updates(_) => None,
        }
    }

    /// The number of updates of a cliff, if the cell was one.
    pub fn updates(&self) -> Option<f64> {
        match self {
            Self::Life(_) => None,
            Self::Updates(updates) => Some(*updates as f64),
        }
    }
}

/// A job: one seed of one arm in one world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Index of the world.
    pub world: usize,
    /// Number of the arm.
    pub arm: usize,
    /// The seed.
    pub seed: u64,
}

/// The built worlds of a file (environments), each with what it changes into; `None` for a cliff and for mazes.
pub type Built = Vec<Option<(World, Option<(u32, World)>)>>;

impl Registered {
    fn names_are_known(&self, table: &mut TableChecker<'_>) {
        for (nth, world) in self.worlds.iter().enumerate() {
            let twice = self.worlds[..nth].iter().any(|other| other.name == world.name);
            let key = format!("worlds.{nth}.name");
            table.demand(!twice, &key, format!("\"{}\"", world.name), "name every world once");
        }
        for (nth, arm) in self.arms.iter().enumerate() {
            let twice = self.arms[..nth].iter().any(|other| other.name == arm.name);
            table.demand(
                !twice,
                &format!("arms.{nth}.name"),
                format!("\"{}\"", arm.name),
                "name every arm once",
            );
            let oracle = arm.order.kind == OrderKind::Oracle;
            let mut its_worlds = self.worlds.iter().filter(|world| arm.runs_in(&world.name));
            let known = !oracle || its_worlds.all(|world| world.cliff.is_some());
            table.demand(
                known,
                &format!("arms.{nth}.order.kind"),
                "\"oracle\"",
                "the truth is known of cliffs alone",
            );
            self.check_arm(table, (&format!("arms.{nth}.against"), arm.against.as_ref()));
            self.check_lineage(table, nth);
            for (place, figure) in arm.figures.iter().enumerate() {
                let key = format!("arms.{nth}.figures.{place}");
                self.check_figure(table, &key, figure);
                self.check_measured(table, &key, arm, figure);
            }
        }
        self.check_tables(table);
        self.check_choice(table);
        let baseline = self.comparison.as_ref().map(|comparison| &comparison.baseline);
        self.check_arm(table, ("comparison.baseline", baseline));
    }

    /// Checks that an arm's heirs and stains are possible in its worlds.
    fn check_lineage(&self, table: &mut TableChecker<'_>, nth: usize) {
        let arm = &self.arms[nth];
        for (place, name) in arm.worlds.iter().enumerate() {
            let known = self.worlds.iter().any(|world| world.name == *name);
            let key = format!("arms.{nth}.worlds.{place}");
            table.demand_else(known, &key, format!("\"{name}\""), || {
                format!("no world has this name; there are {}", self.world_names())
            });
        }
        let worlds = || (0..self.worlds.len()).filter(|world| arm.runs_in(&self.worlds[*world].name));
        let mazes = |world: usize| self.worlds[world].mazes;
        let has_predators = |world: usize| mazes(world).is_some_and(|mazes| mazes.predators > 0);
        let (heirs, stains) = (format!("\"{}\"", arm.heirs), format!("\"{}\"", arm.stains));
        let key = format!("arms.{nth}.heirs");
        let immortal = arm.heirs == Heirs::Immortal;
        table.demand(
            immortal || worlds().all(|world| mazes(world).is_some()),
            &key,
            &heirs,
            "lives follow on each other in mazes alone: name those worlds in worlds",
        );
        let mortal = !immortal || !worlds().any(has_predators);
        table.demand(
            mortal,
            &key,
            heirs,
            "where there are predators it takes an heir: use fresh, replay or shuffled",
        );
        let stained = arm.stains == Stains::None || worlds().all(has_predators);
        let remedy = "only predators leave stains: name worlds that have some in worlds";
        table.demand(stained, &format!("arms.{nth}.stains"), stains, remedy);
    }

    /// Checks that a table that changes anything has a world that reads it.
    fn check_tables(&self, table: &mut TableChecker<'_>) {
        let any = |reads: fn(&WorldConfig) -> bool| self.worlds.iter().any(reads);
        for (key, is_usual, is_read, worlds) in [
            (
                "life",
                self.life == LifeConfig::default(),
                any(|world| world.cliff.is_none()),
                "a map, a graph or mazes",
            ),
            (
                "lineage",
                self.lineage == LineageConfig::default(),
                any(|world| world.mazes.is_some()),
                "mazes",
            ),
            ("walk", self.walk == WalkConfig::default(), any(|world| world.cliff.is_some()), "a cliff"),
        ] {
            let remedy = format!("only goes with {worlds}: leave it out, or add such a world");
            table.demand(is_usual || is_read, key, "{…}", remedy);
        }
    }

    fn world_names(&self) -> String {
        self.worlds.iter().map(|world| world.name.as_str()).collect::<Vec<_>>().join(", ")
    }

    fn check_arm(&self, table: &mut TableChecker<'_>, (key, name): (&str, Option<&String>)) {
        if let Some(name) = name {
            let names = || self.arms.iter().map(|arm| arm.name.as_str()).collect::<Vec<_>>().join(", ");
            let known = self.arms.iter().any(|arm| arm.name == *name);
            table.demand_else(known, key, format!("\"{name}\""), || {
                format!("no arm has this name; there are {}", names())
            });
        }
    }

    fn check_figure(&self, table: &mut TableChecker<'_>, key: &str, figure: &FigureConfig) {
        let world = self.world_of(figure);
        let name = format!("\"{}\"", figure.world.as_deref().unwrap_or_default());
        let remedy = || format!("no world has this name; there are {}", self.world_names());
        table.demand_else(world.is_some(), &format!("{key}.world"), name, remedy);
        let of_cliffs = figure.measure == Measure::Updates;
        let fits = world.is_none_or(|world| self.worlds[world].cliff.is_some() == of_cliffs);
        let value = format!("\"{}\"", figure.measure);
        table.demand(
            fits,
            &format!("{key}.measure"),
            value,
            "updates are measured of cliffs, all else of other worlds",
        );
        let lurks = |world: usize| self.worlds[world].mazes.is_some_and(|mazes| mazes.predators > 0);
        table.demand(
            figure.measure != Measure::Deaths || world.is_none_or(lurks),
            &format!("{key}.measure"),
            "\"deaths\"",
            "there is nothing to die of in this world",
        );
        let laps = self.life.laps;
        let lap = figure.lap.unwrap_or(1);
        table.demand(lap <= laps, &format!("{key}.lap"), lap, format!("there are {laps} laps"));
    }

    /// Checks that the arm of a figure has what is measured: without it the figure would be empty, or 0.
    fn check_measured(
        &self,
        table: &mut TableChecker<'_>,
        key: &str,
        arm: &ArmConfig,
        figure: &FigureConfig,
    ) {
        let Some(world) = self.world_of(figure).map(|world| &self.worlds[world]) else { return };
        let (key_of_measure, measure) = (format!("{key}.measure"), format!("\"{}\"", figure.measure));
        let runs = arm.runs_in(&world.name);
        let remedy = format!("the arm isn't run in this world, but in {}", arm.worlds.join(", "));
        table.demand(runs, &format!("{key}.world"), format!("\"{}\"", world.name), remedy);
        let agrees = figure.measure != Measure::Agreement || arm.order.kind == OrderKind::Specs;
        table.demand(agrees, &key_of_measure, &measure, "is measured of the order specs alone");
        let of_runs = [
            Measure::ForwardAtStart,
            Measure::ForwardAtGoal,
            Measure::ReverseAtStart,
            Measure::ReverseAtGoal,
        ];
        let looked_for = self.life.count_events || !of_runs.contains(&figure.measure);
        table.demand(looked_for, &key_of_measure, &measure, "life.count_events is false: let it count them");
        let after_first = [Measure::StepsPerLap, Measure::Deaths].contains(&figure.measure);
        let before = if world.mazes.is_some() { self.lineage.laps } else { 1 };
        let remedy = format!("life.laps must be above {before}: the first life's laps aren't counted");
        table.demand(!after_first || self.life.laps > before, &key_of_measure, &measure, remedy);
    }

    /// Checks that the weights of softmax, e^(β·Q), are numbers above 0 at the largest and the smallest value that there can be.
    fn check_choice(&self, table: &mut TableChecker<'_>) {
        // A normal draw is never ten standard deviations off: that has a probability of 1e-23.
        let reach = |deviation: f64| 1.0 + 10.0 * deviation;
        let (cliffs, lives): (Vec<_>, Vec<_>) = self.worlds.iter().partition(|world| world.cliff.is_some());
        let stained = self.arms.iter().any(|arm| arm.stains != Stains::None);
        let penalty = if stained { self.lineage.penalty } else { 0.0 };
        let of_life = lives.iter().map(|world| reach(world.reward_deviation)).fold(penalty, f64::max);
        let mut demand = |key: &str, beta: f64, reach: f64| {
            let most = EXPONENT_MAX / reach;
            let remedy = format!(
                "must be at most {most:.1}, since values may reach {reach}: e^(β·Q) must be a number"
            );
            table.demand(beta <= most, key, beta, remedy);
        };
        if self.life.policy == PolicyKind::Softmax && !lives.is_empty() {
            demand("life.inverse_temperature", self.life.inverse_temperature, of_life);
        }
        if !cliffs.is_empty() {
            demand("walk.inverse_temperature", self.walk.inverse_temperature, reach(self.walk.deviation));
        }
    }

    /// Looks up the index of a figure's world by its name.
    pub fn world_of(&self, figure: &FigureConfig) -> Option<usize> {
        match &figure.world {
            None => Some(0),
            Some(name) => self.worlds.iter().position(|world| world.name == *name),
        }
    }

    /// Builds the worlds (environments) of the file.
    pub fn build(&self) -> Built {
        self.worlds.iter().map(WorldConfig::build).collect()
    }

    /// Lists all cells, arms within worlds and seeds within arms; `seeds` replaces the registered ones for all arms.
    pub fn cells(&self, seeds: Option<std::ops::Range<u64>>) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (world, place) in self.worlds.iter().enumerate() {
            for (arm, config) in self.arms.iter().enumerate().filter(|(_, arm)| arm.runs_in(&place.name)) {
                let (first, count) =
                    (self.seeds.first, place.seeds.or(config.seeds).unwrap_or(self.seeds.count));
                let seeds = seeds.clone().unwrap_or(first..first.saturating_add(u64::from(count)));
                cells.extend(seeds.map(|seed| Cell { world, arm, seed }));
            }
        }
        cells
    }

    /// Groups the outcomes of an arm in a world by unit of inference, against pseudo-replication. Seeds of one maze are together and every
    /// other seed is alone: one slice for each unit of inference.
    pub fn units<'a>(
        &self,
        (world, arm): (usize, usize),
        cells: &[Cell],
        outcomes: &'a [Outcome],
    ) -> Vec<Vec<&'a Outcome>> {
        let of_arm = cells.iter().zip(outcomes).filter(|(cell, _)| (cell.world, cell.arm) == (world, arm));
        let named: Vec<(u64, &Outcome)> =
            of_arm.map(|(cell, outcome)| (self.worlds[world].unit(cell.seed), outcome)).collect();
        let units = named.chunk_by(|a, b| a.0 == b.0);
        units.map(|unit| unit.iter().map(|(_, outcome)| *outcome).collect()).collect()
    }

    /// Runs a cell: a lineage in a maze, a life on a map, or a cliff.
    pub fn run(&self, built: &Built, cell: Cell) -> Outcome {
        let (arm, seed) = (&self.arms[cell.arm], WorldSeed(cell.seed));
        let place = &self.worlds[cell.world];
        if let Some(states) = place.cliff {
            return Outcome::Updates(walk(states, &self.walk, &arm.order, seed));
        }
        let backups = arm.backups.unwrap_or(self.life.backups);
        let life = LifeConfig { backups, ..self.life.clone() };
        let lived = if let Some(mazes) = place.mazes {
            let handing = Handing { heirs: arm.heirs, stains: arm.stains, order: &arm.order };
            live_on(&place.maze(cell.seed), mazes.laps_each_goal, (&life, &self.lineage), handing, seed)
        } else {
            let (world, change) = built[cell.world].as_ref().expect("what is no cliff or maze was built");
            live(world, change.as_ref(), &life, &arm.order, seed)
        };
        Outcome::Life(Box::new(lived))
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Registered};
    use crate::life::{Life, LifeConfig, ReplayAt, live};
    use crate::maze::Maze;
    use crate::order::OrderConfig;
    use crate::order::OrderKind;
    use morta_base::WorldSeed;
    use morta_base::keys::Keys as _;
    use morta_engine::replay::ReplayConfig;

    fn lived(order: &OrderConfig, seed: u64) -> Life {
        lived_by(order, seed, |_| {})
    }

    fn lived_by(order: &OrderConfig, seed: u64, change_keys: impl FnOnce(&mut LifeConfig)) -> Life {
        let file = include_str!("../../scenarios/replications/linear-track.toml");
        let file: Registered = toml::from_str(file).unwrap();
        let (world, change) = file.worlds[0].build().unwrap();
        let mut config = LifeConfig { laps: 10, ..file.life };
        change_keys(&mut config);
        live(&world, change.as_ref(), &config, order, WorldSeed(seed))
    }

    fn order(kind: OrderKind) -> OrderConfig {
        OrderConfig { kind, ..OrderConfig::default() }
    }

    /// Golden values. They change with the keys of random numbers, the order of sums or an order of replay; every registered figure then has to be
    /// computed again.
    #[test]
    fn golden_steps() {
        let steps = |kind| lived(&order(kind), 1).steps.iter().map(|steps| u64::from(*steps)).sum::<u64>();
        let found = OrderKind::ALL[..11].iter().map(|kind| steps(*kind)).collect::<Vec<u64>>();
        assert_eq!(found, GOLDEN, "by order, the oracle aside");
    }
    const GOLDEN: [u64; 11] = [792, 567, 392, 642, 383, 793, 566, 513, 468, 374, 468];

    /// A memory whose utility is 0 after one replay is replayed once; one without decay is replayed as often as there are places.
    #[test]
    fn decay_takes_a_memory_out_of_replay() {
        let backups = |replay_decay| {
            let replay = ReplayConfig { replay_decay, diversity_share: 0.0, ..ReplayConfig::default() };
            lived(&OrderConfig { replay, ..order(OrderKind::Specs) }, 2).backups
        };
        // Two tracks of nine places: two actions in eight places of each, and one at the start.
        assert!((1..=34).contains(&backups(0.0)), "{}", backups(0.0));
        assert!(backups(1.0) > 100, "{}", backups(1.0));
    }

    /// Where nothing can be replayed yet, no backup is counted, be runs looked for or not.
    #[test]
    fn backups_are_those_that_were_made() {
        let backups = |count_events| {
            let unexplored = |life: &mut LifeConfig| {
                (life.explored, life.replay_at, life.count_events) =
                    (false, ReplayAt::EveryStep, count_events);
            };
            lived_by(&order(OrderKind::Random), 1, unexplored).backups
        };
        assert_eq!(backups(false), backups(true));
    }

    /// With places for diversity both rooms are in every session, whatever their utility.
    #[test]
    fn diversity_brings_back_the_other_room() {
        let backups = |diversity_share| {
            let replay = ReplayConfig { diversity_share, min_utility: 10.0, ..ReplayConfig::default() };
            lived(&OrderConfig { replay, ..order(OrderKind::Specs) }, 3).backups
        };
        // No utility reaches 10, so all backups come from diversity: both rooms, and at times the oldest part, at 10 goals and 9 starts.
        assert!(backups(0.0) == 0 && (38..=57).contains(&backups(0.2)), "{} {}", backups(0.0), backups(0.2));
    }

    /// The registered block has 24 different mazes with ten seeds each, and arms run only where they are named.
    #[test]
    fn mazes_are_the_units() {
        let file: Registered =
            toml::from_str(include_str!("../../scenarios/replications/inheritance.toml")).unwrap();
        assert!(file.problems("").is_empty());
        let cells = file.cells(None);
        let updates: Vec<Outcome> = cells.iter().map(|cell| Outcome::Updates(cell.seed)).collect();
        let units = |world, arm| file.units((world, arm), &cells, &updates);
        assert!(units(0, 0).len() == 24 && units(0, 0).iter().all(|unit| unit.len() == 10));
        assert_eq!([units(0, 4).len(), units(3, 4).len(), units(3, 0).len()], [0, 24, 0]);
        let (mazes, seeds) = (file.worlds[0].mazes.unwrap(), (68_010..68_250).step_by(10));
        let drawn: Vec<Maze> = seeds.map(|seed| mazes.draw(seed, 0)).collect();
        assert!(drawn.iter().enumerate().all(|(nth, maze)| !drawn[..nth].contains(maze)));
    }

    #[test]
    fn an_impossible_lineage_is_refused_with_its_key() {
        let good = "name = 'x'\ntitle = 'x'\nsource = 'x'\nseeds = { first = 1, count = 2 }\n[[worlds]]\nname = 'w'\nmazes = {}\n\
                    [[arms]]\nname = 'a'\nheirs = 'fresh'\n";
        for (from, to, expected) in [
            (
                "mazes = {}",
                "map = ['A.a']",
                "arms.0.heirs = \"fresh\": lives follow on each other in mazes alone",
            ),
            ("heirs = 'fresh'", "stains = 'true'", "arms.0.stains = \"true\": only predators leave stains"),
            (
                "heirs = 'fresh'",
                "worlds = ['v']",
                "arms.0.worlds.0 = \"v\": no world has this name; there are w",
            ),
            (
                "heirs = 'fresh'",
                "figures = [{ measure = 'deaths' }]",
                "arms.0.figures.0.measure = \"deaths\": there is nothing",
            ),
            (
                "{}\n[[arms]]\nname = 'a'\nheirs = 'fresh'",
                "{ predators = 1 }\n[[arms]]\nname = 'a'",
                "arms.0.heirs = \"immortal\": where there are",
            ),
            ("{}", "{ distance = 100 }", "worlds.0.mazes.walls = 0.3: no such maze came up"),
        ] {
            let file: Registered = toml::from_str(&good.replace(from, to)).unwrap();
            let said = file.problems("").iter().map(ToString::to_string).collect::<String>();
            assert!(said.starts_with(expected), "{to}: {said}");
        }
    }
}
