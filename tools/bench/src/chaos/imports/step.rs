//! The steps of an import, of which each must survive that its server dies.

use crate::database::Database;

/// How far an import is when the server dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Its file is on its way.
    Accepting,
    /// Its file is read.
    Scanning,
    /// Its rows are done.
    Applying,
    /// All of them are done, and its end is not on record.
    Finishing,
    /// Its end is on record, and its files may be there still.
    Over,
}

/// Those at which the server is killed, by turns. The end of one comes too quickly to be met each time.
pub(super) const AIMED_AT: [Step; 4] =
    [Step::Accepting, Step::Scanning, Step::Applying, Step::Finishing];

impl Step {
    pub(super) const ALL: [Self; 5] =
        [Self::Accepting, Self::Scanning, Self::Applying, Self::Finishing, Self::Over];

    /// The one that a cycle, from 1, aims at: products and changes to their stock both come to each.
    pub(super) fn of_cycle(cycle: u32) -> Self {
        let place = (cycle.saturating_sub(1) / 2) as usize % AIMED_AT.len();
        AIMED_AT.get(place).copied().unwrap_or(Self::Applying)
    }

    pub(super) const fn index(self) -> usize {
        self as usize
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Accepting => "accepting",
            Self::Scanning => "scanning",
            Self::Applying => "applying",
            Self::Finishing => "finishing",
            Self::Over => "over",
        }
    }

    /// The one that the database shows of the newest import of an account.
    pub(super) fn on_record(
        database: &Database,
        account: &str,
        file_rows: u64,
        imports_before: u64,
    ) -> anyhow::Result<Self> {
        let count = format!("SELECT COUNT(*) FROM imports WHERE account_id = '{account}'");
        let count = database.query(&count)?.into_iter().flatten().next().unwrap_or_default();
        if count == imports_before.to_string() {
            return Ok(Self::Accepting);
        }
        let newest = format!(
            "SELECT state, COALESCE(total, -1), processed FROM imports WHERE account_id = '{account}' \
             ORDER BY id DESC LIMIT 1"
        );
        let row = database.query(&newest)?.into_iter().next().unwrap_or_default();
        let cells: Vec<&str> = row.iter().map(String::as_str).collect();
        Ok(match cells.as_slice() {
            ["queued", ..] | ["running", "-1", _] => Self::Scanning,
            ["running", _, done] if *done == file_rows.to_string() => Self::Finishing,
            ["running", ..] => Self::Applying,
            _ => Self::Over,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_kills_come_to_every_step_with_both_kinds_of_tables() {
        for step in AIMED_AT {
            let cycles: Vec<u32> = (1..=8).filter(|cycle| Step::of_cycle(*cycle) == step).collect();
            assert_eq!(cycles.len(), 2);
            assert_ne!(cycles[0] % 2, cycles[1] % 2);
        }
        for (index, step) in Step::ALL.iter().enumerate() {
            assert_eq!(index, step.index());
        }
    }
}
