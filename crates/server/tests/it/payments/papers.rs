//! Receipts of what is paid of an invoice, and credit notes of what is given back or comes back of it.

mod cancelled;
pub(super) mod desk;
mod goods;
mod in_parts;
mod notes;
mod receipts;
pub(super) mod replacing;
mod waiting;
mod withheld;
mod withheld_after_all;
mod withheld_goods;
mod withheld_stated;
