//! Customers as a table.

use cfdi::catalogs::zones::Zone;
use crm::{Customer, CustomerFilter, CustomerQuery};
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
    vec![Page::get("customers.csv", READ, show)]
}

struct Customers {
    say: Say,
    zone: Zone,
    filter: CustomerFilter,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let zone = call.zone().await?;
    let table = Customers { say: call.say(), zone, filter: filter(&call.query) };
    csv::sent(&call, "customers.csv", table)
}

impl Table for Customers {
    type Row = Customer;

    fn heading(&self) -> Vec<String> {
        let say = self.say;
        let names = [say.name(), say.email(), say.phone(), say.rfc(), say.legal_name()];
        let others = [say.tax_regime(), say.tax_zip(), say.cfdi_use(), say.external_id()];
        let names = names.into_iter().chain(others).map(str::to_owned);
        let since = format!("{} ({})", say.since(), self.zone.name());
        std::iter::once("id".to_owned()).chain(names).chain([since]).collect()
    }

    fn read(
        &self,
        services: &Services,
        account: AccountId,
        page: PageRequest,
    ) -> Pending<Result<Rows<Customer>, Fault>> {
        let filter = self.filter.clone();
        services.customers.list(account, CustomerQuery { filter, page, ..CustomerQuery::default() })
    }

    fn cells(&self, customer: &Customer) -> Vec<String> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        vec![
            customer.id.to_string(),
            customer.name.clone(),
            text(&customer.email),
            text(&customer.phone),
            text(&customer.rfc),
            text(&customer.legal_name),
            text(&customer.tax_regime),
            text(&customer.tax_zip),
            text(&customer.cfdi_use),
            text(&customer.external_id),
            local(customer.created_at, self.zone),
        ]
    }
}
