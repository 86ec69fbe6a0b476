//! Orders as a table.

use cfdi::catalogs::zones::Zone;
use kernel::{AccountId, Fault, Page as Rows, PageRequest, Pending};
use orders::{Order, OrderFilter, OrderQuery, number_text};

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
    vec![Page::get("orders.csv", READ, show)]
}

struct Orders {
    say: Say,
    zone: Zone,
    filter: OrderFilter,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let zone = call.zone().await?;
    let table = Orders { say: call.say(), zone, filter: filter(&call.query, zone) };
    csv::sent(&call, "orders.csv", table)
}

impl Table for Orders {
    type Row = Order;

    fn heading(&self) -> Vec<String> {
        let say = self.say;
        let date = format!("{} ({})", say.date(), self.zone.name());
        let names = [say.state(), say.fulfillment(), say.currency(), say.total(), say.paid()];
        let others = [say.due(), say.tracking_number(), say.external_id(), say.notes()];
        let names = names.into_iter().chain(others).map(str::to_owned);
        [say.order().to_owned(), "id".to_owned(), date, "customerId".to_owned()]
            .into_iter()
            .chain(names)
            .collect()
    }

    fn read(
        &self,
        services: &Services,
        account: AccountId,
        page: PageRequest,
    ) -> Pending<Result<Rows<Order>, Fault>> {
        let filter = self.filter.clone();
        services.orders.list(account, OrderQuery { filter, page, ..OrderQuery::default() })
    }

    fn cells(&self, order: &Order) -> Vec<String> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        vec![
            number_text(order.number),
            order.id.to_string(),
            local(order.created_at, self.zone),
            order.customer.to_string(),
            order.status.name().to_owned(),
            order.fulfillment_status.name().to_owned(),
            order.currency.to_string(),
            order.total.to_string(),
            order.amount_paid().to_string(),
            order.amount_due().to_string(),
            text(&order.tracking_number),
            text(&order.external_id),
            text(&order.notes),
        ]
    }
}
