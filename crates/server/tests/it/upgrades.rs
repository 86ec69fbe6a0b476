//! The data of earlier releases: migrated, audited and used by this one.
//!
//! `tests/data/releases` has a folder for each release: its databases as SQL, what their merchants knew, and
//! the statements that it ran. `cargo xtask release-data` makes one.

mod business;
mod old_statements;
mod reading;
mod release;
mod repeats;
mod schema;
mod under_way;
