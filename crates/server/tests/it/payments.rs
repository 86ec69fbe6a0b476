//! Payments and refunds over HTTP: in the merchant's hands, and through the sandbox.

mod card_data;
mod links;
mod lists;
mod manual;
mod notices;
mod providers;
mod refunds;
mod sandbox;
mod till;
mod timeline;
