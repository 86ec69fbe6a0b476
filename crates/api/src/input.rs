//! Reading what callers send: JSON bodies and query strings.
//!
//! A reader is a function over [`Fields`] that asks for one field after the other, each with the [check]
//! that turns it into a value of the domain. It runs twice: over every request, where all faults are
//! gathered and named in one answer, and once over no request at all, where the same questions are written
//! down as the schema in the OpenAPI document. So the document cannot promise what the reader refuses.
//!
//! Nothing here recurses with the depth of the input, and numbers are never read through a binary float.
//!
//! [check]: Check

pub(crate) mod checks;
mod fields;
mod form;
mod given;
mod json;
mod query;
mod quote;
mod sketch;
#[cfg(test)]
mod tests;

pub(crate) use checks::Check;
pub(crate) use fields::{Fields, Read};
pub(crate) use form::Form;
pub(crate) use given::{Faults, Given, clause};
pub(crate) use quote::quoted;
pub(crate) use sketch::{Sketch, description_mut, or_null};
