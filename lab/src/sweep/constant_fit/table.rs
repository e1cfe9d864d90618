//! The table `[memory.constant]` of a fitted policy, as text and in a scenario file (TOML editing that keeps comments). `write` edits the
//! user's own file, replaces an earlier table there, and is called only for `morta fit constant --write`, because the file holds comments
//! and an order of its own.

use super::FittedConstant;
use crate::io::error::{Error, Result};
use crate::io::text::figure;
use crate::io::whole_file;
use std::path::Path;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value};

impl FittedConstant {
    /// Writes the table as TOML that is ready to be pasted into a scenario file.
    pub fn text(&self) -> String {
        let mut document = DocumentMut::new();
        self.put_into(&mut document);
        document.to_string().trim_start().to_owned()
    }

    /// Writes the calibrated table into a scenario file by a format-preserving edit, and replaces one that is there. Comments and all other
    /// lines stay as they are, because the file is its author's.
    ///
    /// # Errors
    /// When the file can't be read or written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let file = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::invalid(format!("{file}: can't read the scenario: {error}")))?;
        let mut document: DocumentMut =
            text.parse().map_err(|_| Error::invalid(format!("{file}: not TOML")))?;
        let memory = document.entry("memory").or_insert_with(implicit);
        if memory.as_table_like().is_none() {
            return Err(Error::invalid(format!("{file}: memory: must be a table")));
        }
        self.put_into(&mut document);
        whole_file::replace(path, document.to_string().as_bytes())
    }

    fn put_into(&self, document: &mut DocumentMut) {
        let memory = document.entry("memory").or_insert_with(implicit);
        // An inline table takes inline values alone.
        let inline = memory.is_inline_table();
        if let Some(memory) = memory.as_table_like_mut() {
            memory.remove("constant");
            let table = self.table();
            let item = if inline {
                Item::Value(Value::InlineTable(table.into_inline_table()))
            } else {
                Item::Table(table)
            };
            memory.insert("constant", item);
        }
    }

    fn table(&self) -> Table {
        let config = &self.config;
        let mut table = Table::new();
        table.decor_mut().set_prefix(format!(
            "\n# By `morta fit constant`: golems with it make {} R a golem-tick in its worlds (standard error {}).\n",
            figure(self.r_per_golem_tick),
            figure(self.standard_error)
        ));
        table.insert("market", config.market.as_str().into());
        table.insert("first_seed", (config.first_seed as i64).into());
        table.insert("last_seed", (config.last_seed as i64).into());
        let mut cells = Array::new();
        for cell in &config.cells {
            let mut own = InlineTable::new();
            own.insert("asset", cell.asset.as_str().into());
            own.insert("strategy", cell.strategy.name().into());
            own.insert("takes", cell.takes.into());
            own.insert("expected_r", cell.expected_r.into());
            let mut own = Value::InlineTable(own);
            own.decor_mut().set_prefix("\n    ");
            cells.push_formatted(own);
        }
        cells.set_trailing("\n");
        cells.set_trailing_comma(true);
        table.insert("cells", Item::Value(Value::Array(cells)));
        table
    }
}

fn implicit() -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
}
