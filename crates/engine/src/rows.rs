//! From rows to the types of the domains and back.

use diesel::result::Error as DieselError;
use kernel::{Currency, Decimals, Timestamp};

/// A row that this program cannot have written: a defect, not a refusal.
#[derive(Debug)]
struct Corrupt(String);

impl std::fmt::Display for Corrupt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the database holds {}", self.0)
    }
}

impl std::error::Error for Corrupt {}

/// The error of a row that holds `what`, which this program cannot have written.
pub fn corrupt(what: impl Into<String>) -> DieselError {
    DieselError::DeserializationError(Box::new(Corrupt(what.into())))
}

/// Reads a value of a column with the parser of its type.
pub fn read<T>(text: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, DieselError> {
    parse(text)
        .ok_or_else(|| corrupt(format!("the value {text:?}, which is not one of its column")))
}

/// Reads a value of a column that may be empty.
///
/// # Errors
/// As [`read`].
pub fn read_optional<T>(
    text: Option<String>,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Result<Option<T>, DieselError> {
    text.map(|text| read(&text, parse)).transpose()
}

/// Reads the name of one of `every`.
pub fn read_name<T: Copy>(
    text: &str,
    every: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T, DieselError> {
    read(text, |text| every.iter().copied().find(|one| name(*one) == text))
}

/// Reads the code of a currency.
///
/// # Errors
/// When it is none.
pub fn currency(code: &str) -> Result<Currency, DieselError> {
    read(code, |code| Currency::parse(code).ok())
}

/// Reads how many decimals quantities are kept with.
///
/// # Errors
/// When it is no such number.
pub fn decimals(count: i64) -> Result<Decimals, DieselError> {
    Decimals::of(count).ok_or_else(|| corrupt(format!("quantities with {count} decimals")))
}

/// A moment as a column.
#[must_use]
pub fn micros(at: Option<Timestamp>) -> Option<i64> {
    at.map(Timestamp::micros)
}

/// A column as a moment.
#[must_use]
pub fn moment(micros: Option<i64>) -> Option<Timestamp> {
    micros.map(Timestamp::from_micros)
}

/// The identifier of the row of a table that has an external identifier.
#[macro_export]
macro_rules! external_id_holder {
    ($db:expr, $table:ident, $account:expr, $external_id:expr) => {
        $table::table
            .filter($table::account_id.eq($account.to_string()))
            .filter($table::external_id.eq($external_id))
            .select($table::id)
            .first::<String>($db)
            .optional()
    };
}
pub use crate::external_id_holder;

/// Refuses an external identifier that another row of the table has; `$parse` reads that row's own identifier, which
/// `$error` names.
#[macro_export]
macro_rules! refuse_taken_external_id {
    ($db:expr, $table:ident, $account:expr, $external_id:expr, $own:expr, $parse:expr, $error:ident) => {{
        let external_id: Option<&str> = $external_id;
        if let Some(external_id) = external_id
            && let Some(holder) = $crate::external_id_holder!($db, $table, $account, external_id)?
        {
            let holder = $crate::rows::read(&holder, $parse)?;
            if Some(holder) != $own {
                let external_id = external_id.to_owned();
                return Err(kernel::Refused::Rule($error::DuplicateExternalId {
                    external_id,
                    holder,
                })
                .into());
            }
        }
    }};
}
pub use crate::refuse_taken_external_id;
