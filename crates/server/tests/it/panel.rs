//! The account panel, as browsers see it.

mod approving;
mod browser;
mod bulk;
mod catalog;
mod crm;
mod guards;
mod hostile;
mod imports;
mod invoices;
mod keys;
mod lists;
mod money;
mod once;
mod orders;
mod parked;
mod people;
mod queries;
mod sales;
mod search;
mod settings;
mod shop;
mod stale;
mod stock;
mod tools;
mod totals;
mod walk;
