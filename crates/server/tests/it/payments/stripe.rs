//! Payments through Stripe, which a double on this machine plays.

mod cards;
mod desk;
mod listed;
mod notices;
mod refunds;
mod slips;
mod unknown;
