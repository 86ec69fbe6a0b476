//! Reading what callers send: JSON bodies, query strings, url-encoded forms and the texts of multipart ones.
//!
//! A reader is a function over [`Fields`] that asks for one field after the other, each with the [check]
//! that turns it into a value of the domain. It runs twice: over every request, where all faults are
//! gathered and named in one answer, and once over no request at all, where the same questions are written
//! down as a [`Sketch`] for the documentation. So the documentation cannot promise what the reader refuses.
//!
//! A fault is data: a field, and what is wrong with it in every language of [`kernel::Message`].
//!
//! Nothing here recurses with the depth of the input, and numbers are never read through a binary float.
//! Nothing here knows HTTP or how a fault is answered.
//!
//! [check]: Check

pub mod checks;
mod fields;
mod form;
mod given;
mod json;
mod noun;
mod query;
mod quote;
mod read_only;
pub mod sketch;
#[cfg(test)]
mod tests;
mod typed;

pub use checks::Check;
pub use fields::{Fields, Read};
pub use form::{Form, Unreadable, sentence};
pub use given::{Faults, Given, clause};
pub use json::{Member, members};
pub use noun::{Noun, noun};
pub use quote::quoted;
pub use read_only::{ReadOnly, SentBack};
pub use sketch::{Schema, Sketch};
pub use typed::typed_number;
