//! Payments: money for orders, what becomes of it at its provider, and how it is given back.

pub mod card_data;
