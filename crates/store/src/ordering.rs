//! Orders as rows, and what money changes of them: below what is done with orders and with payments.

pub(crate) mod money;
pub(crate) mod rows;
