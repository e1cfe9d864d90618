//! The known key nearest to a misspelt one, by edit distance (optimal string alignment, Levenshtein with swaps): the "did you mean"
//! suggestion of error messages, for keys, columns, measures, arms, memories, scenario files and others. A guess that differs by more
//! than a third of the letters (by more than one in a short name) is left out, because a wrong suggestion costs more than none.

use std::path::{Path, PathBuf};

/// Suggests the known key nearest to a misspelt one by edit distance, if any is near enough to be worth a guess.
pub fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = plain(wrong);
    let limit = (wrong.len() / 3).max(1);
    known
        .map(|key| (distance(&wrong, &plain(key)), key))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, key)| key)
}

/// Suggests for a missing path the file beside it whose name is nearest, if any is near enough to be worth a guess.
pub fn nearest_file(missing: &Path) -> Option<PathBuf> {
    let folder = missing.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).ok()?.flatten().take(NEIGHBOURS_MAX);
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let found = nearest(missing.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(missing.with_file_name(found))
}

/// Most files of a folder that are looked at.
const NEIGHBOURS_MAX: usize = 10_000;

/// Without the differences between `batch_size`, `batchSize` and `batch-size`; no longer than any key.
fn plain(key: &str) -> Vec<char> {
    key.chars().filter(|c| !"_-".contains(*c)).flat_map(char::to_lowercase).take(64).collect()
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other
/// (optimal string alignment: no place is edited twice).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(rows[i - 2][j - 2] + 1);
            }
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key_is_suggested() {
        let known = ["fee_bps", "depth_usdc", "batch_size", "policy"];
        for (wrong, expected) in [
            ("fee_bsp", Some("fee_bps")),
            ("fees_bps", Some("fee_bps")),
            ("batchsize", Some("batch_size")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(nearest(wrong, known.into_iter()), expected, "{wrong}");
        }
    }
}
