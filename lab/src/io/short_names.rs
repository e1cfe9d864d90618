//! Names of arms, or of groups of lives, as figures show them: what all have in common is said once, below the figure, and the rest is
//! short. It removes the common parts and common keys of labels for a plot legend, because names may hold a dozen settings, and a figure
//! would otherwise be half labels. Names that don't have the same number of parts, or nothing in common, stay whole. Tables and JSON keep
//! the full names.

/// Shortened labels, in the order of the names, and what was left out of them.
#[derive(Debug, PartialEq)]
pub(crate) struct ShortNames {
    /// A name for each, unique where the names are.
    pub names: Vec<String>,
    /// A sentence that says what all names share; empty where nothing was left out.
    pub said: String,
}

impl ShortNames {
    /// Shortens labels that are made of parts (`memory=bardo/batch_size=3`). A part that is the same everywhere is left out; of parts that
    /// set the same key everywhere the value is kept. Names of different numbers of parts stay as they are.
    pub(crate) fn new(names: &[String]) -> Self {
        let parts: Vec<Vec<&str>> = names.iter().map(|name| name.split('/').collect()).collect();
        let unchanged = || Self { names: names.to_vec(), said: String::new() };
        let Some(first) = parts.first().filter(|_| names.len() > 1) else { return unchanged() };
        if parts.iter().any(|other| other.len() != first.len()) {
            return unchanged();
        }
        let (mut shared, mut keys) = (Vec::new(), Vec::new());
        let mut short: Vec<Vec<&str>> = vec![Vec::new(); names.len()];
        for (place, part) in first.iter().enumerate() {
            let column = || parts.iter().map(|parts| parts[place]);
            if column().all(|other| other == *part) {
                shared.push(*part);
                continue;
            }
            let key = part.split_once('=').map(|(key, _)| key);
            let value = |part: &str| part.split_once('=').filter(|(other, _)| Some(*other) == key).is_some();
            let has_key = key.is_some() && column().all(value);
            keys.push(key.filter(|_| has_key).unwrap_or("arm"));
            for (name, part) in short.iter_mut().zip(column()) {
                let value = part.split_once('=').filter(|_| has_key).map_or(part, |(_, value)| value);
                name.push(value);
            }
        }
        let names: Vec<String> = short.iter().map(|parts| parts.join(", ")).collect();
        let is_shorter = !shared.is_empty() || keys.iter().any(|key| *key != "arm");
        if !is_shorter || names.iter().any(String::is_empty) {
            return unchanged();
        }
        let mut said = String::new();
        if keys.iter().any(|key| *key != "arm") {
            said += &format!(" Names are {}.", keys.join(", "));
        }
        if !shared.is_empty() {
            said += &format!(" All arms have {}.", shared.join(", "));
        }
        Self { names, said: said.trim_start().to_owned() }
    }

    /// The sentence of what was left out, with a space before it, to be put behind another sentence of a caption (caption suffix);
    /// empty without one.
    pub(crate) fn besides(&self) -> String {
        if self.said.is_empty() { String::new() } else { format!(" {}", self.said) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(names: &[&str]) -> (Vec<String>, String) {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let found = ShortNames::new(&names);
        (found.names, found.said)
    }

    #[test]
    fn common_parts_of_names_are_shown_once() {
        let (names, said) = short(&["mem=none/batch=3/full", "mem=none/batch=10/full"]);
        assert_eq!(
            (names, said.as_str()),
            (vec!["3".to_owned(), "10".to_owned()], "Names are batch. All arms have mem=none, full.")
        );
        let (names, said) = short(&["mem=none/batch=3", "mem=bardo/batch=3", "mem=bardo/batch=10"]);
        assert_eq!((names[1].as_str(), said.as_str()), ("bardo, 3", "Names are mem, batch."));
    }

    #[test]
    fn names_without_common_parts_stay() {
        for names in [&["none", "rag"][..], &["none", "rag/batch=3"], &["plain=1"], &["a/b", "c/d"]] {
            assert_eq!(short(names), (names.iter().map(|name| (*name).to_owned()).collect(), String::new()));
        }
    }
}
