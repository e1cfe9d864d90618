//! The available memory of the machine, bytes, on Linux: the smaller of `MemAvailable` in `/proc/meminfo` and what the cgroup (version 2)
//! still allows. `morta run` refuses by it a world whose golems need more (unless `--yes`), and `morta loadtest` Grimoires that do, because
//! the system would end the process without a word. On other systems nothing is known, and nothing is refused.

/// Reads the available memory (RAM) in bytes, which a new allocation may count on; `None` where the system doesn't report any.
pub fn available_bytes() -> Option<u64> {
    let system = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| of_meminfo(&text));
    let group = of_group("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current");
    match (system, group) {
        (Some(system), Some(group)) => Some(system.min(group)),
        (known, None) | (None, known) => known,
    }
}

fn of_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1_024)
}

fn of_group(limit: &str, used: &str) -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    Some(read(limit)?.saturating_sub(read(used)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn available_memory_is_read_in_kib() {
        let text = "MemTotal:       24567890 kB\nMemFree:  1 kB\nMemAvailable:    2048 kB\n";
        assert_eq!(of_meminfo(text), Some(2 << 20));
        assert_eq!(of_meminfo("MemTotal: 1 kB\n"), None);
    }
}
