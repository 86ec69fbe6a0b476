//! Payments and refunds over HTTP: in the merchant's hands, and through the sandbox.

mod card_data;
mod lists;
mod manual;
mod notices;
mod papers;
mod providers;
mod refunds;
mod sandbox;
mod till;
