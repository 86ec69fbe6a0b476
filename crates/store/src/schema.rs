//! The tables as diesel sees them, the same on both databases.

pub(crate) use engine::schema::idempotency_answers;

mod account;
mod approving;
mod catalog;
mod crm;
mod invoicing;
mod logging;
mod ordering;
mod outbox;
mod paying;
mod people;
mod quoting;
mod stock;
mod work;

pub(crate) use account::*;
pub(crate) use approving::*;
pub(crate) use catalog::*;
pub(crate) use crm::*;
pub(crate) use invoicing::*;
pub(crate) use logging::*;
pub(crate) use ordering::*;
pub(crate) use outbox::*;
pub(crate) use paying::*;
pub(crate) use people::*;
pub(crate) use quoting::*;
pub(crate) use stock::*;
pub(crate) use work::*;

diesel::allow_tables_to_appear_in_same_query!(accounts, certification_providers, credit_balances);
diesel::allow_tables_to_appear_in_same_query!(issuers, issuer_certificates);
diesel::allow_tables_to_appear_in_same_query!(job_files, tasks);
diesel::allow_tables_to_appear_in_same_query!(accounts, memberships, issuers);
diesel::allow_tables_to_appear_in_same_query!(user_sessions, users);
diesel::allow_tables_to_appear_in_same_query!(pipelines, deal_settings);
diesel::allow_tables_to_appear_in_same_query!(orders, invoice_orders);
diesel::allow_tables_to_appear_in_same_query!(shipments, shipment_items);
diesel::allow_tables_to_appear_in_same_query!(
    accounts,
    products,
    variants,
    stock_levels,
    skus,
    product_categories,
    price_list_items
);
