//! The program itself, from its command line to its last breath.

mod backup;
mod commands;
mod crashes;
mod demo;
mod logs;
pub(crate) mod program;
mod stops;
mod stuck;
pub(crate) mod wire;
