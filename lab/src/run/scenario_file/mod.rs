//! Reads scenario files: text → tree → shape checked against the schema → [`world::Scenario`] → values checked → bars.
//!
//! A mistake becomes one line that names its place (file and line, or the flag), the key, the value and the remedy. All mistakes of one
//! stage are reported together, 50 at most. Data files are given relative to the scenario's folder.
//!
//! It is a configuration loader: TOML parsing, JSON Schema validation, deserialization, semantic validation. All mistakes of a stage are
//! reported, because each would otherwise cost its author another try. Defaults give way to the file, the file to `--set` in its order, and
//! that to `--seed` and `--ticks`. `load` reads a scenario file (runs, `morta validate`, fits, load tests, the Python package among
//! others), `load_with` an arm of a sweep, or a trial of a sensitivity analysis, over a tree that was read; `from_resolved` and
//! `change_resolved` take a manifest's scenario, for repetitions, resumed runs and branches; `resolved_with` shows the page of `morta
//! watch` what a change makes of one. `fix` edits the user's own file (`morta validate --fix`). Readers of sweep files, replications and
//! plans of `owm validate` share `parse`, `located` and `user_error`.

mod data;
pub(crate) mod differences;
pub(crate) mod fixed_keys;
mod library;
mod memories;
pub mod mistake;
#[cfg(test)]
mod mutation_tests;
pub(crate) mod other_kind;
mod set;
pub mod shape;
pub mod spelling;
pub mod tree;

pub use data::DataFile;
pub use library::Library;
pub(crate) use memories::demand_memories;
pub use set::{put, read as read_setting, resolved_key};

use crate::io::error::{At as _, Error, Result};
use crate::io::text::{nearest, nearest_file};
use crate::run::foreign_memory::PROCESS_FLAG;
use crate::run::laboratory::Laboratory;
use mistake::Mistake;
use morta_base::Problem;
use morta_engine::llm::outside::Outside;
use morta_engine::market::Bar;
use morta_engine::memory::MemoryName;
use morta_engine::world::{self, Plan};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tree::{Flag, Node, Origin, Value};

/// Largest scenario file, bytes (our choice: a thousand times a long one). Without a bound a device or a pipe would be read for ever.
const FILE_BYTES_MAX: u64 = 4 << 20;
/// Most mistakes that are listed at once (our choice): a file with more is not a scenario, and more lines would push the first off the
/// screen.
const MISTAKES_MAX: usize = 50;

/// What the command line changes in a scenario (command-line overrides): seed, ticks, and keys by dotted path.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// `--seed`.
    pub seed: Option<u64>,
    /// `--ticks`.
    pub ticks: Option<u64>,
    /// `--set`, each `key.path=value`; later ones win, and `--seed` and `--ticks` win over them.
    pub set: Vec<String>,
}

/// A loaded scenario that is valid by itself, with its bars.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The scenario; its data files are paths that work from the current directory.
    pub scenario: world::Scenario,
    /// The bars of each asset, in the scenario's order; empty for synthetic ones.
    pub bars: Vec<Vec<Bar>>,
    /// The data files, one for each replayed asset.
    pub data: Vec<DataFile>,
    /// What was assumed of them: a zone, a unit.
    pub remarks: Vec<String>,
    /// The scenario file.
    pub path: PathBuf,
    /// The memory architectures its cohorts may name, and the processes that bring some of them.
    pub laboratory: Laboratory,
    /// The connection to a real model, once one is made.
    pub outside: Option<Arc<dyn Outside>>,
    pub(crate) tree: Node,
}

impl Scenario {
    /// Reads a scenario file with its data files, changing nothing, for golems with shipped memories; [`load`] changes keys on the way
    /// (parser).
    ///
    /// # Errors
    /// [`Error::Invalid`], with a line for each mistake.
    pub fn read(path: &Path) -> Result<Self> {
        load(path, &Overrides::default(), &Laboratory::default())
    }

    /// Plans the scenario: checks what depends on its bars too, and works out what must be known beforehand (run plan). That is the
    /// foreknowledge of some memories.
    ///
    /// # Errors
    /// [`Error::Invalid`], with a line for each mistake.
    pub fn plan(&self) -> Result<Plan> {
        let plan =
            Plan::with_memories(self.scenario.clone(), &self.bars, Arc::clone(self.laboratory.memories()))
                .map_err(|problems| user_error(located(problems, &self.tree), &self.path))?;
        Ok(match &self.outside {
            Some(outside) => plan.connected(Arc::clone(outside)),
            None => plan,
        })
    }

    /// The same with an answerer in place of a real model, or with none.
    pub(crate) fn answered_by(self, outside: Option<Arc<dyn Outside>>) -> Self {
        Self { outside, ..self }
    }

    /// The line for a value of `[llm]` that can't be used.
    pub(crate) fn llm_mistake(&self, key: &str, value: &str, remedy: &str) -> Error {
        let problem = Problem::new(format!("llm.{key}"), format!("\"{value}\""), remedy);
        user_error(located(vec![problem], &self.tree), &self.path)
    }

    /// Words the error message for a Lethe that the scenario, or `--lethe`, names and that can't be used.
    pub fn lethe_mistake(&self, key: &str, error: &dyn std::fmt::Display) -> Error {
        let lethe = &self.scenario.lethe;
        let folder = if key == "persist" { &lethe.persist } else { &lethe.start_from };
        let value = format!("\"{}\"", folder.as_deref().unwrap_or_default());
        let problem = Problem::new(format!("lethe.{key}"), value, error.to_string());
        user_error(located(vec![problem], &self.tree), &self.path)
    }
}

/// A change that a sweep makes to a scenario (parameter override): a dotted path and its value.
#[derive(Clone, Debug)]
pub struct KeySetting {
    /// The key, as `--set` names it.
    pub key: String,
    /// The value, with its place in the sweep file.
    pub node: Node,
}

/// Reads a scenario file with its data files; its cohorts may name any memory architecture of a laboratory (scenario loader).
///
/// # Errors
/// [`Error::Invalid`], with a line for each mistake.
pub fn load(path: &Path, overrides: &Overrides, laboratory: &Laboratory) -> Result<Scenario> {
    let mut tree = parse(path, "scenario")?;
    change(&mut tree, overrides)?;
    lower(tree, path, overrides, &mut Library::new(laboratory))
}

/// Rewrites a scenario file to Morta's spelling of its keys, and says how many had another; comments, order and layout stay
/// (file rewriting).
///
/// # Errors
/// When it can't be read or written, or isn't TOML.
pub fn fix(path: &Path) -> Result<usize> {
    let text = read(path, "scenario")?;
    let not_toml = || Error::at(path, "not TOML");
    let (fixed, count) =
        spelling::rewritten(&text, crate::run::scenario_schema::root()).ok_or_else(not_toml)?;
    if count > 0 {
        crate::io::whole_file::replace(path, fixed.as_bytes())?;
    }
    Ok(count)
}

/// A scenario that was read before, with some settings changed (scenario variant). Each setting is a parameter override by dotted path.
///
/// # Errors
/// [`Error::Invalid`], with a line for each mistake.
pub(crate) fn load_with(
    base: &Node,
    path: &Path,
    settings: &[KeySetting],
    library: &mut Library,
) -> Result<Scenario> {
    let mut tree = base.clone();
    let mut wrong = Vec::new();
    for setting in settings {
        if let Err(why) = set::assign(&mut tree, &setting.key, setting.node.clone()) {
            let (origin, value) = (setting.node.origin.clone(), Some(mistake::written(&setting.node.value)));
            wrong.push(Mistake { origin, key: setting.key.clone(), value, remedy: why.to_string() });
        }
    }
    if !wrong.is_empty() {
        return Err(user_error(wrong, path));
    }
    lower(tree, path, &Overrides::default(), library)
}

/// Changes some values of a scenario that was resolved before, as a manifest keeps it. Its data files are relative to the current
/// directory. Each value is a command-line override.
///
/// # Errors
/// [`Error::Invalid`], with a line for each mistake.
pub(crate) fn change_resolved(
    scenario: &world::Scenario,
    overrides: &Overrides,
    library: &mut Library,
) -> Result<Scenario> {
    let json = serde_json::to_value(scenario)?;
    let mut tree = tree::of_json(&json, &Origin::Unknown).expect("a scenario is a table");
    change(&mut tree, overrides)?;
    lower(tree, &resolved_name(scenario), overrides, library)
}

/// The name in errors of a scenario that comes from no file.
fn resolved_name(scenario: &world::Scenario) -> PathBuf {
    PathBuf::from(format!("scenario {}", mistake::shown(&scenario.name)))
}

/// Parses a TOML file; `kind` names it in errors.
///
/// # Errors
/// [`Error::Invalid`], with the line at which it isn't TOML.
pub fn parse(path: &Path, kind: &str) -> Result<Node> {
    let text = read(path, kind)?;
    tree::parse(&text)
        .map_err(|(line, reason)| Error::invalid(format!("{}:{line}: not TOML: {reason}", path.display())))
}

/// A scenario that was resolved before, with some keys changed as `--set` does (configuration preview). Only the shape is checked, and no
/// file that it names is opened, because a guard must know the result of a change before a process acts on it.
///
/// # Errors
/// [`Error::Invalid`], with a line for each mistake.
pub(crate) fn resolved_with(scenario: &world::Scenario, set: &[String]) -> Result<world::Scenario> {
    let json = serde_json::to_value(scenario)?;
    let mut tree = tree::of_json(&json, &Origin::Unknown).expect("a scenario is a table");
    change(&mut tree, &Overrides { set: set.to_vec(), ..Overrides::default() })?;
    shaped(&tree, &resolved_name(scenario))
}

fn lower(tree: Node, path: &Path, overrides: &Overrides, library: &mut Library) -> Result<Scenario> {
    let base = path.parent().unwrap_or(Path::new(""));
    let mut scenario = shaped(&tree, path).map_err(|error| {
        let Error::Invalid(mut lines) = error else { return error };
        // A wrong shape hides later checks; names that lead nowhere are reported with it, so that a file is mended in one go.
        let names = names_that_lead_nowhere(&tree, base, library.laboratory());
        lines.extend(names.iter().map(|mistake| mistake.line(&path.display().to_string())));
        Error::all(lines)
    })?;
    // Set again after the tree, whose whole numbers are signed: it can't hold the upper half of the seeds.
    scenario.seed = overrides.seed.unwrap_or(scenario.seed);
    scenario.ticks = overrides.ticks.unwrap_or(scenario.ticks);
    finish(scenario, tree, path, base, library)
}

/// Memories that no process brings and recordings that don't exist, read off the written tree alone, because there are no types yet when
/// the shape is wrong.
fn names_that_lead_nowhere(tree: &Node, base: &Path, laboratory: &Laboratory) -> Vec<Mistake> {
    let entries = |list: Option<&Node>| match list.map(|list| list.value.clone()) {
        Some(Value::List(entries)) => entries,
        _ => Vec::new(),
    };
    let text = |node: Option<&Node>| match node.map(|node| &node.value) {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let mut problems = Vec::new();
    for (index, cohort) in entries(tree.child("cohorts")).iter().enumerate() {
        let unknown = text(cohort.child("memory"))
            .filter(|name| !laboratory.memories().knows(&MemoryName::from(name.as_str())));
        problems.extend(unknown.map(|name| {
            let names: Vec<String> = laboratory.memories().names().map(|name| name.to_string()).collect();
            let guess = nearest(&name, names.iter().map(String::as_str));
            let guess = guess.map_or(String::new(), |guess| format!(", such as \"{guess}\""));
            let remedy = format!("no memory has this name: use one that the reference page lists{guess}");
            Problem::new(format!("cohorts.{index}.memory"), format!("\"{name}\""), remedy)
        }));
    }
    for (index, asset) in
        entries(tree.child("market").and_then(|market| market.child("assets"))).iter().enumerate()
    {
        let file = text(asset.child("source").and_then(|source| source.child("file")));
        problems.extend(file.filter(|file| !base.join(file).exists()).map(|file| {
            let key = format!("market.assets.{index}.source.file");
            Problem::new(key, format!("\"{file}\""), "there is no such file, from the scenario's folder on")
        }));
    }
    located(problems, tree)
}

/// The scenario of a tree that has the shape of one. Shapes are checked first and apart from types, because a deserialiser stops at the
/// first mistake and names no line.
fn shaped(tree: &Node, path: &Path) -> Result<world::Scenario> {
    let wrong = shape::mistakes(tree, crate::run::scenario_schema::root());
    if !wrong.is_empty() {
        let wrong = other_kind::mistake(tree, &other_kind::SCENARIO).map_or(wrong, |mistake| vec![mistake]);
        return Err(user_error(wrong, path));
    }
    let plain = spelling::canonical(tree.clone(), crate::run::scenario_schema::root());
    world::Scenario::from_value(plain.into_json()).at(path)
}

/// Reloads the bars of a scenario that was resolved before, as a manifest keeps it. Its data files are relative to `base_dir`; its cohorts
/// may name the memory architectures that the library knows.
///
/// # Errors
/// [`Error::Invalid`], with a line for each mistake.
pub fn from_resolved(scenario: world::Scenario, base_dir: &Path, library: &mut Library) -> Result<Scenario> {
    let name = resolved_name(&scenario);
    finish(scenario, Node::empty(Origin::Unknown), &name, base_dir, library)
}

fn read(path: &Path, kind: &str) -> Result<String> {
    let fail = |why: &dyn std::fmt::Display| Error::at(path, format!("can't read the {kind}: {why}"));
    let open =
        |error: std::io::Error| match nearest_file(path).filter(|_| error.kind() == ErrorKind::NotFound) {
            Some(near) => fail(&format!("there is no such file: did you mean {}?", near.display())),
            None => fail(&error),
        };
    let file = std::fs::File::open(path).map_err(open)?;
    let mut bytes = Vec::new();
    // Bounded here and not by the size it claims, which for a device or a pipe is 0.
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(|error| fail(&error))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(fail(&format!("it is longer than {FILE_BYTES_MAX} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
        Error::invalid(format!("{}:{line}: not TOML: the text is not UTF-8", path.display()))
    })
}

fn change(tree: &mut Node, overrides: &Overrides) -> Result<()> {
    let refused = |setting: &String| set::apply(tree, setting).err().map(|error| error.to_string());
    Error::if_any(overrides.set.iter().filter_map(refused).collect())?;
    for (key, value) in [("seed", overrides.seed), ("ticks", overrides.ticks)] {
        if let Some(value) = value {
            let flag = Flag { text: format!("--{key} {value}"), key: key.to_owned() };
            let number = i64::try_from(value).unwrap_or(i64::MAX);
            let node = Node { value: Value::Integer(number), origin: Origin::Flag(Arc::new(flag)) };
            set::put(tree, &[key.to_owned()], node);
        }
    }
    Ok(())
}

fn finish(
    mut scenario: world::Scenario,
    tree: Node,
    path: &Path,
    base: &Path,
    library: &mut Library,
) -> Result<Scenario> {
    let memories = library.laboratory().memories();
    if let Some(folder) = library.folder() {
        demand_memories(folder, scenario.cohorts.iter().map(|cohort| &cohort.memory), memories)?;
    }
    let mut problems = scenario.check();
    problems.extend(scenario.check_policy(scenario.memories()));
    let unknown = scenario.check_memories(memories).into_iter();
    problems.extend(unknown.map(|problem| Problem {
        remedy: format!("{}, or be brought by {PROCESS_FLAG}", problem.remedy),
        ..problem
    }));
    if !problems.is_empty() {
        let known: Vec<String> = problems.iter().map(|problem| problem.key.clone()).collect();
        let mut wrong = located(problems, &tree);
        let names = names_that_lead_nowhere(&tree, base, library.laboratory());
        wrong.extend(names.into_iter().filter(|mistake| !known.contains(&mistake.key)));
        return Err(user_error(wrong, path));
    }
    data::find_paths(&mut scenario, base);
    let data::Data { bars, files: data, remarks } =
        data::load(&mut scenario, base, &tree, &path.display().to_string(), library)?;
    let (path, laboratory) = (path.to_owned(), library.laboratory().clone());
    Ok(Scenario { scenario, bars, data, remarks, path, laboratory, outside: None, tree })
}

/// Traces problems that the engine or a checker found to where their values were written (source locations).
pub fn located(problems: Vec<Problem>, tree: &Node) -> Vec<Mistake> {
    problems.into_iter().map(|problem| Mistake::from_problem(problem, tree)).collect()
}

/// Turns the mistakes of a file into a user error, a line for each.
pub fn user_error(mistakes: Vec<Mistake>, path: &Path) -> Error {
    let file = path.display().to_string();
    let mut lines: Vec<_> = mistakes.iter().take(MISTAKES_MAX).map(|mistake| mistake.line(&file)).collect();
    if mistakes.len() > MISTAKES_MAX {
        lines.push(format!("{file}: and {} more", mistakes.len() - MISTAKES_MAX));
    }
    Error::all(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resolved_scenario_finds_its_bars_again() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("scenarios");
        std::fs::create_dir(&below).unwrap();
        let rows: String = (0..9).map(|hour| format!("2020-01-01T0{hour}:00:00Z,1,2,1,2\n")).collect();
        std::fs::write(folder.path().join("x.csv"), format!("time_utc,open,high,low,close\n{rows}")).unwrap();
        let text = "name = 'x'\nseed = 1\nticks = 5\nmarket.warmup_ticks = 2\n[[cohorts]]\nname = 'a'\ngolems = 1\n\
            memory = 'none'\n[[market.assets]]\nsymbol = 'X'\nsource = { kind = 'replay', file = '../x.csv' }\n";
        let path = below.join("x.toml");
        std::fs::write(&path, text).unwrap();
        let overrides = Overrides { seed: Some(9), ticks: Some(7), set: vec!["ticks=1000".to_owned()] };
        let loaded = load(&path, &overrides, &Laboratory::default()).unwrap();
        assert_eq!((loaded.scenario.seed, loaded.scenario.ticks), (9, 7));
        assert_eq!((loaded.data[0].rows, loaded.data[0].first_time_s), (9, 1_577_836_800));
        loaded.plan().unwrap();
        let again = from_resolved(loaded.scenario.clone(), Path::new(""), &mut Library::default()).unwrap();
        assert_eq!(
            (&again.scenario, &again.bars, &again.data),
            (&loaded.scenario, &loaded.bars, &loaded.data)
        );
        std::fs::remove_file(folder.path().join("x.csv")).unwrap();
        let again = from_resolved(loaded.scenario, Path::new(""), &mut Library::default());
        let error = again.unwrap_err().to_string();
        assert!(error.starts_with("scenario x: market.assets.0.source.file = "), "{error}");
        let overrides = Overrides { seed: Some(u64::MAX), ..Overrides::default() };
        let error = load(&path, &overrides, &Laboratory::default()).unwrap_err().to_string();
        let (seed, file) = error.split_once('\n').unwrap();
        assert_eq!(
            seed,
            "--seed 18446744073709551615: must be a whole number from 0 to 9223372036854775807 (seed)"
        );
        assert!(
            file.contains("market.assets.0.source.file") && file.contains("there is no such file"),
            "{file}"
        );
    }
}
