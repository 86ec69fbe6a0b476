//! Orders over HTTP: how they are placed, live, and are listed.

mod crowds;
mod lists;
mod moves;
mod notes;
mod placing;
mod refusals;
mod remembering;
mod returns;
pub(crate) mod shop;
mod states;
mod totals;
