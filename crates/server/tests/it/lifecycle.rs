//! The program itself, from its command line to its last breath.

mod backup;
mod commands;
mod crashes;
mod demo;
mod doctor;
mod documents;
mod importing;
mod logs;
mod migrating;
mod postgres_tls;
pub(crate) mod program;
mod stops;
mod stuck;
mod tls;
pub(crate) mod wire;
