//! Customers as a table.

use crm::{Customer, CustomerQuery};

use super::{READ, filter};
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    page::Page,
    sort::{self, Sorted},
};

/// The page.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("customers.csv", READ, show)]
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let filter = filter(&call.query);
    let sort = Sorted::asked(&call.query, sort::RECORDS).sorting;
    let table = Table::new(move |services, account, page| {
        services.customers.list(account, CustomerQuery { filter: filter.clone(), sort, page })
    })
    .column(say.identifier(), |customer: &Customer| customer.id.to_string())
    .column(say.name(), |customer| customer.name.clone())
    .optional(say.email(), |customer| customer.email.clone())
    .optional(say.phone(), |customer| customer.phone.clone())
    .optional(say.rfc(), |customer| customer.rfc.clone())
    .optional(say.legal_name(), |customer| customer.legal_name.clone())
    .optional(say.tax_regime(), |customer| customer.tax_regime.clone())
    .optional(say.tax_zip(), |customer| customer.tax_zip.clone())
    .optional(say.cfdi_use(), |customer| customer.cfdi_use.clone())
    .optional(say.tax_residence(), |customer| customer.tax_residence.clone())
    .optional(say.foreign_tax_id(), |customer| customer.foreign_tax_id.clone())
    .optional(say.external_id(), |customer| customer.external_id.clone())
    .moment(say.since(), zone, |customer| customer.created_at);
    csv::sent(&call, "customers.csv", table)
}
