//! Payments and refunds over HTTP: in the merchant's hands, and through the sandbox.

mod card_data;
mod lists;
mod manual;
mod notices;
mod providers;
mod reconciling;
mod refunds;
mod sandbox;
mod till;
