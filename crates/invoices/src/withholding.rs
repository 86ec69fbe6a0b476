//! Withholding certificates: what a business withholds of others' taxes, certified to them.

mod documents;

pub use documents::Documents;
