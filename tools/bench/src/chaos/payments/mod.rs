//! Payments of the sandbox while the server dies: money is taken, captured, called off and given back, calls to the
//! provider are lost before and after their effect, and its notifications come early, late, twice or never.

mod ask;
mod audit;
mod book;
mod cashier;
mod postman;
mod promise;
mod provider;
mod settle;
mod snapshot;
