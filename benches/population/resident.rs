//! How much memory a golem takes, its actor and mailbox included: what a process has more with many golems than with one.

use crate::drivers::Driver;
use crate::worlds::World;
use morta_engine::event::Event;
use morta_engine::golem::{Answer, Birth, Departure, Golem, Letter, Outbox};
use morta_engine::memory::Memory;
use morta_engine::memory::bardo::Bardo;

/// Golems of the larger world.
const MANY: u32 = 100_000;
/// Ticks that are lived: births are over, and memories still empty.
const TICKS: u64 = 20;

/// Prints what a golem takes, by memory and driver; every world has a process of its own.
pub fn table() {
    let sizes = [
        ("Golem", size_of::<Golem>()),
        ("Memory", size_of::<Memory>()),
        ("Bardo", size_of::<Bardo>()),
        ("Event", size_of::<Event>()),
        ("Letter", size_of::<Letter>()),
        ("Answer", size_of::<Answer>()),
        ("Departure", size_of::<Departure>()),
        ("Outbox", size_of::<Outbox>()),
        ("Birth", size_of::<Birth>()),
    ];
    sizes.iter().for_each(|(name, bytes)| println!("{name}: {bytes} bytes at once"));
    println!("{MANY} golems, bytes a golem");
    for name in ["none", "bardo"] {
        for driver in ["plain", "1", "2"] {
            let [few, many] = [1, MANY].map(|golems| peak_of_child(name, driver, golems));
            let each = (many - few) / f64::from(MANY - 1);
            println!("  {name}, {}: {each:.0}", Driver::named(driver).name());
        }
    }
}

fn peak_of_child(name: &str, driver: &str, golems: u32) -> f64 {
    let program = std::env::current_exe().expect("this program has a name");
    let mut command = std::process::Command::new(program);
    let output = command.args(["resident", name, driver, &golems.to_string()]).output();
    let text = String::from_utf8(output.expect("this program runs").stdout).expect("it prints text");
    text.trim().parse().expect("it prints a number")
}

/// Lives through a world and prints how many bytes it had when its last tick was closed.
pub fn measure(name: &str, driver: &str, golems: &str) {
    let golems = golems.parse().expect("a number of golems");
    let bytes = Driver::named(driver).resident_bytes(&World::named(name).with(golems, TICKS));
    println!("{bytes}");
}

/// Bytes this process has in memory now.
pub fn now() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.map_or(0, |kilobytes| kilobytes * 1_024)
}
