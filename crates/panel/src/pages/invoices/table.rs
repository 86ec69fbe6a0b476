//! Invoices as a table.

use cfdi::catalogs::zones::Zone;
use invoices::{Invoice, InvoiceFilter, InvoiceQuery};
use kernel::{AccountId, Fault, Page as Rows, PageRequest, Pending};

use super::{READ, filter};
use crate::{
    Services,
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table, local},
    failure::Failure,
    page::Page,
    texts::Say,
};

/// The page.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("invoices.csv", READ, show)]
}

struct Invoices {
    say: Say,
    zone: Zone,
    filter: InvoiceFilter,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let zone = call.zone().await?;
    let table = Invoices { say: call.say(), zone, filter: filter(&call.query, zone) };
    csv::sent(&call, "invoices.csv", table)
}

impl Table for Invoices {
    type Row = Invoice;

    fn heading(&self) -> Vec<String> {
        let say = self.say;
        let zone = self.zone.name();
        let moments =
            [format!("{} ({zone})", say.date()), format!("{} ({zone})", say.stamped_at())];
        let names = [say.one_series(), say.folio(), say.fiscal_folio(), say.invoice_kind()];
        let others = [say.state(), say.rfc(), say.legal_name(), say.currency(), say.total()];
        let names = names.into_iter().chain(others).chain([say.still_owed()]).map(str::to_owned);
        std::iter::once("id".to_owned()).chain(moments).chain(names).collect()
    }

    fn read(
        &self,
        services: &Services,
        account: AccountId,
        page: PageRequest,
    ) -> Pending<Result<Rows<Invoice>, Fault>> {
        let filter = self.filter.clone();
        services.invoices.list(account, InvoiceQuery { filter, page, ..InvoiceQuery::default() })
    }

    fn cells(&self, invoice: &Invoice) -> Vec<String> {
        let stamp = invoice.stamp.as_ref();
        let receiver = &invoice.document.receiver;
        vec![
            invoice.id.to_string(),
            local(invoice.created_at, self.zone),
            stamp.map(|stamp| local(stamp.at, self.zone)).unwrap_or_default(),
            invoice.draft.series.clone(),
            invoice.folio.map(|folio| folio.to_string()).unwrap_or_default(),
            invoice.uuid().unwrap_or_default().to_owned(),
            invoice.draft.kind.code().to_owned(),
            invoice.status.name().to_owned(),
            receiver.rfc.clone(),
            receiver.legal_name.clone(),
            invoice.draft.currency.to_string(),
            invoice.amount().to_string(),
            invoice.outstanding().map(|owed| owed.to_string()).unwrap_or_default(),
        ]
    }
}
