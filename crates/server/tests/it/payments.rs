//! Payments and refunds over HTTP: in the merchant's hands, and through the sandbox, and through
//! providers that are faked.

mod card_data;
mod conekta;
mod in_hand;
mod installments;
mod judged;
mod links;
mod links_of_invoices;
mod lists;
mod manual;
mod mercadopago;
mod notices;
mod papers;
mod providers;
mod reconciling;
mod refunds;
mod sandbox;
mod settings;
mod stripe;
mod till;
mod timeline;
