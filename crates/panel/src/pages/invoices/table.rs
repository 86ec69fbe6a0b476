//! Invoices as a table.

use invoices::{Invoice, InvoiceQuery};

use super::{
    READ, filter,
    names::{currency_of, kind_name, status_name},
};
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
    vec![Page::get("invoices.csv", READ, show)]
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone) = (call.say(), call.zone());
    let filter = filter(&call.query, zone);
    let sort = Sorted::asked(&call.query, sort::RECORDS).sorting;
    let table = Table::new(move |services, account, page| {
        services.invoices.list(account, InvoiceQuery { filter: filter.clone(), sort, page })
    })
    .column(say.identifier(), |invoice: &Invoice| invoice.id.to_string())
    .moment(say.date(), zone, |invoice| invoice.created_at)
    .moment(say.stamped_at(), zone, |invoice| invoice.stamp.as_ref().map(|stamp| stamp.at))
    .column(say.one_series(), |invoice| invoice.draft.series.clone())
    .optional(say.folio(), |invoice| invoice.folio)
    .optional(say.fiscal_folio(), |invoice| invoice.uuid().map(str::to_owned))
    .column(say.invoice_kind(), move |invoice| kind_name(say, invoice.draft.kind).to_owned())
    .column(say.state(), move |invoice| status_name(say, invoice.status).to_owned())
    .column(say.rfc(), |invoice| invoice.document.receiver.rfc.clone())
    .column(say.legal_name(), |invoice| invoice.document.receiver.legal_name.clone())
    .column(say.currency(), |invoice| invoice.draft.currency.to_string())
    .money(say.total(), currency_of, Invoice::amount)
    .money(say.outstanding(), currency_of, Invoice::outstanding);
    csv::sent(&call, "invoices.csv", table)
}
