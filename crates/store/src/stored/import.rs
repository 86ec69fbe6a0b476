//! Imports.

use std::collections::BTreeMap;

use imports::{DecimalMark, EmptyCells, ImportOptions, Mode, OnError};
use serde::{Deserialize, Serialize, de::Error as _};

use super::Stored;

/// How an import is to be done.
#[derive(Serialize, Deserialize)]
struct OptionsForm {
    mode: String,
    on_error: String,
    dry_run: bool,
    empty_cells: String,
    decimal: Option<char>,
    encoding: Option<String>,
    sheet: Option<String>,
    mapping: BTreeMap<String, Option<String>>,
}

impl Stored for ImportOptions {
    const KIND: &'static str = "import_options";
    const VERSION: u32 = 1;

    fn to_json(&self) -> serde_json::Result<String> {
        let Self { mode, on_error, dry_run, empty_cells, decimal, encoding, sheet, mapping } =
            self.clone();
        serde_json::to_string(&OptionsForm {
            mode: mode.name().to_owned(),
            on_error: on_error.name().to_owned(),
            dry_run,
            empty_cells: empty_cells.name().to_owned(),
            decimal: decimal.map(DecimalMark::character),
            encoding,
            sheet,
            mapping,
        })
    }

    fn from_json(_: u32, text: &str) -> serde_json::Result<Self> {
        let form: OptionsForm = serde_json::from_str(text)?;
        let decimal = form.decimal.map(|mark| {
            let mut every = DecimalMark::EVERY.iter().copied();
            let found = every.find(|one| one.character() == mark);
            found.ok_or_else(|| serde_json::Error::custom("the decimal mark is unknown"))
        });
        Ok(Self {
            mode: named(Mode::EVERY, Mode::name, &form.mode)?,
            on_error: named(OnError::EVERY, OnError::name, &form.on_error)?,
            dry_run: form.dry_run,
            empty_cells: named(EmptyCells::EVERY, EmptyCells::name, &form.empty_cells)?,
            decimal: decimal.transpose()?,
            encoding: form.encoding,
            sheet: form.sheet,
            mapping: form.mapping,
        })
    }
}

fn named<T: Copy>(
    every: &[T],
    name: impl Fn(T) -> &'static str,
    text: &str,
) -> serde_json::Result<T> {
    let found = every.iter().copied().find(|one| name(*one) == text);
    found.ok_or_else(|| serde_json::Error::custom(format!("{text} is unknown")))
}
