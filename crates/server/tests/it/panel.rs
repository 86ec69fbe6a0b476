//! The account panel, as browsers see it.

mod browser;
mod guards;
mod keys;
mod people;
mod shop;
