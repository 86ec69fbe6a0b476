//! What persistence runs on, whatever it persists: SQLite or PostgreSQL behind one connection type, lanes that
//! write, readers that read.
//!
//! An [`Engine`] knows no domain. It is handed what it runs: [`Command`]s, jobs that are executed
//! [`Together`], sources of [secrets], [chores](cleanup::Chore) of clean-up, and a hook [after the
//! commit](AfterCommit). Commands that wait share one durable commit and are answered only after it.

pub mod answers;
pub mod backup;
pub mod by_keys;
mod caller;
mod checkpoints;
pub mod cleanup;
pub mod command;
pub mod counters;
pub mod db;
mod encrypted;
mod engine;
pub mod error;
mod figures;
pub mod jobs;
pub mod lane;
pub mod listing;
pub mod lookups;
mod memory;
pub mod migrations;
mod outage;
mod plans;
pub mod readers;
pub mod rows;
pub mod schema;
pub mod search;
pub mod secrets;
mod settings;
mod silence;
mod single;
pub mod statement;
pub mod tx;
pub mod unreadable;
pub mod vault;
mod waiting;
mod watched;

pub use caller::Caller;
pub use command::Command;
pub use db::plain_host;
pub use engine::{Engine, Parts, RelaxedLane};
pub use error::{Failure, StoreError};
pub use jobs::{AtOnce, Batch, BatchFailure, ByItself, Together};
pub use lane::AfterCommit;
pub use memory::Memory;
pub use settings::Settings;
pub use tx::{Late, Tx, Wakeup};
pub use vault::{MASTER_KEY_BYTES, MasterKey, Vault};
