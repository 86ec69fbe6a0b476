//! The resources of the API. Each module declares its endpoints, the shape of its answers (`body`), what it
//! reads (`forms`) and examples of both.

mod activities;
mod api_keys;
mod approval_rules;
mod approvals;
mod audit;
mod branches;
mod categories;
mod certificates;
mod credits;
mod customer_groups;
mod customers;
mod deals;
mod deliveries;
mod events;
mod exports;
mod fiscal;
mod global_invoices;
mod imports;
mod invoices;
mod issuers;
mod jobs;
mod leads;
mod links;
mod orders;
mod payment_links;
mod payment_methods;
mod payment_notices;
mod payment_providers;
mod payment_settings;
mod payments;
mod pipelines;
mod price_lists;
mod products;
mod provider;
mod quotes;
mod reconciliation;
mod refunds;
mod requests;
mod returns;
mod sat;
mod series;
mod shapes;
mod sheet;
mod shipments;
mod stamped_at_once;
mod stock;
mod taxes;
mod timeline;
mod transfers;
mod warehouses;
mod webhooks;
mod withholdings;

pub(crate) use invoices::{PDF_TYPE, XML_TYPE, print};
pub(crate) use links::path_of_link;
pub(crate) use payment_providers::PROVIDER as PAYMENT_PROVIDER;
pub(crate) use quotes::print_quote;

use crate::endpoint::Endpoint;

/// Every endpoint that takes a key.
pub(crate) fn endpoints() -> Vec<Endpoint> {
    [
        products::endpoints(),
        imports::endpoints(),
        exports::endpoints(),
        orders::endpoints(),
        payments::endpoints(),
        payment_links::endpoints(),
        refunds::endpoints(),
        payment_methods::endpoints().into_iter().collect(),
        payment_settings::endpoints().into_iter().collect(),
        payment_providers::endpoints(),
        payment_notices::endpoints(),
        reconciliation::endpoints().into_iter().collect(),
        returns::endpoints(),
        shipments::endpoints(),
        timeline::endpoints().into_iter().collect(),
        warehouses::endpoints(),
        categories::endpoints(),
        price_lists::endpoints(),
        stock::endpoints(),
        transfers::endpoints(),
        customers::endpoints(),
        customer_groups::endpoints(),
        leads::endpoints(),
        pipelines::endpoints(),
        deals::endpoints(),
        activities::endpoints(),
        quotes::endpoints(),
        links::endpoints(),
        webhooks::endpoints(),
        deliveries::endpoints(),
        events::endpoints(),
        invoices::endpoints(),
        withholdings::endpoints(),
        issuers::endpoints(),
        certificates::endpoints(),
        branches::endpoints(),
        provider::endpoints(),
        global_invoices::endpoints().into_iter().collect(),
        series::endpoints(),
        sheet::endpoints().into_iter().collect(),
        credits::endpoints(),
        sat::endpoints(),
        approval_rules::endpoints(),
        approvals::endpoints(),
        jobs::endpoints(),
        api_keys::endpoints(),
        audit::endpoints().into_iter().collect(),
        requests::endpoints().into_iter().collect(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
