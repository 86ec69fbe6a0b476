//! What is done about several orders: those that are ticked, or all that match. A page says what is going to happen; a job
//! does it.

use ::bulk::{Action, OrderSelection, Selection, Wanted};
use accounts::{Right, Scope};
use intake::{
    Form,
    checks::{flag, line, one_of},
    noun,
};
use invoices::STAMP_COST;
use kernel::{
    FieldFault, PageRequest, Timestamp,
    page::{Count, LIMIT_MAX, Total},
};
use orders::{Order, OrderFilter, OrderId, OrderQuery, OrderStatus, order::LINE_CHARS_MAX};

use super::{
    PATH, READ,
    acts::{IN_HAND, methods},
    filter,
    owing::Owing,
    print::{Slip, slip, tickets},
    returning::{may_refund, unpaid},
};
use crate::{
    answer::Answer,
    around::available,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::grouped,
    list,
    page::Page,
    pages::{
        bulk::asking::{Question, as_of, asked, begun, means_ticked, shown_at, ticked},
        shop::status_pill,
    },
    parts::Field,
    reply::answered,
    texts::Say,
};

/// So many pages of what is chosen are summed up before it is done.
const SUMMED_PAGES: usize = 5;

/// Something that is done about many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Ship,
    Pay,
    Invoice,
    Cancel,
}

/// What a form asks for, of what was there at a moment.
struct Given {
    as_of: Timestamp,
    action: Action,
}

const SHIP: Form<Given> = Form::body(
    "BulkShipping",
    noun("this form", "este formulario"),
    |fields| Some(Given { as_of: as_of(fields)?, action: Action::ShipOrders }),
    "",
);
const PAY: Form<Given> = Form::body(
    "BulkPaying",
    noun("this form", "este formulario"),
    |fields| {
        let as_of = as_of(fields);
        let method = fields.required("method", one_of(IN_HAND, payments::Method::name));
        Some(Given { as_of: as_of?, action: Action::PayOrders { method: method? } })
    },
    "",
);
const CANCEL: Form<Given> = Form::body(
    "BulkCancelling",
    noun("this form", "este formulario"),
    |fields| {
        let as_of = as_of(fields);
        let reason = fields.required("reason", line(LINE_CHARS_MAX));
        let refund = fields.optional("refund", flag()).unwrap_or_default();
        Some(Given { as_of: as_of?, action: Action::CancelOrders { reason: reason?, refund } })
    },
    "",
);
const INVOICE: Form<Given> = Form::body(
    "BulkInvoicing",
    noun("this form", "este formulario"),
    |fields| {
        let as_of = as_of(fields);
        let stamp = fields.optional("stamp", flag()).unwrap_or_default();
        Some(Given { as_of: as_of?, action: Action::InvoiceOrders { stamp } })
    },
    "",
);

impl Act {
    const EVERY: &'static [Self] = &[Self::Ship, Self::Pay, Self::Invoice, Self::Cancel];

    const fn page(self) -> &'static str {
        match self {
            Self::Ship => "orders/bulk/ship",
            Self::Pay => "orders/bulk/pay",
            Self::Invoice => "orders/bulk/invoice",
            Self::Cancel => "orders/bulk/cancel",
        }
    }

    const fn right(self) -> Right {
        Right::write(match self {
            Self::Ship | Self::Cancel => Scope::Orders,
            Self::Pay => Scope::Payments,
            Self::Invoice => Scope::Invoices,
        })
    }

    const fn form(self) -> &'static Form<Given> {
        match self {
            Self::Ship => &SHIP,
            Self::Pay => &PAY,
            Self::Invoice => &INVOICE,
            Self::Cancel => &CANCEL,
        }
    }

    const fn button(self, say: Say) -> &'static str {
        match self {
            Self::Ship => say.ship_many(),
            Self::Pay => say.pay_many(),
            Self::Invoice => say.invoice_many(),
            Self::Cancel => say.cancel_many(),
        }
    }

    const fn title(self, say: Say) -> &'static str {
        match self {
            Self::Ship => say.ship_orders(),
            Self::Pay => say.pay_orders(),
            Self::Invoice => say.invoice_orders(),
            Self::Cancel => say.cancel_orders(),
        }
    }

    fn intro(self, say: Say, count: &str) -> String {
        match self {
            Self::Ship => say.bulk_ship_intro(count),
            Self::Pay => say.bulk_pay_intro(count),
            Self::Invoice => say.bulk_invoice_intro(count),
            Self::Cancel => say.bulk_cancel_intro(count),
        }
    }
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let asked = |act: &Act| {
        let act = *act;
        let sent = Page::post(act.page(), act.right(), move |call| begin(call, act));
        let sent = sent.card_free().fleeting();
        [Page::get(act.page(), act.right(), move |call| ask(call, act)), sent]
    };
    let printed = Page::get("orders/selected/tickets", READ, print);
    Act::EVERY.iter().flat_map(asked).chain([printed]).collect()
}

/// Which page asks about what, and what its button says, for who may do it.
pub(super) fn offered(call: &Call<Member>) -> Vec<(String, &'static str)> {
    let may = Act::EVERY.iter().filter(|act| call.may(act.right()));
    may.map(|act| (call.href(act.page()), act.button(call.say()))).collect()
}

/// Which orders a query means: those that are ticked, or all that it matches.
async fn selection(call: &Call<Member>) -> Result<OrderSelection, Failure> {
    let query = &call.query;
    if means_ticked(query) {
        let filter =
            OrderFilter { ids: Some(ticked(query, OrderId::parse)?), ..OrderFilter::default() };
        return Ok(OrderSelection::matching(filter, None));
    }
    let zone = call.zone();
    let words = query.filled("q").map(str::to_owned);
    let filter = filter(query, zone);
    list::all_read(query)?;
    Ok(OrderSelection::matching(filter, words).as_listed())
}

/// How many of the orders stand where.
async fn counts(
    call: &Call<Member>,
    chosen: &OrderSelection,
) -> Result<Vec<(OrderStatus, Total)>, Failure> {
    let counts = call.services().orders.counts(call.account(), chosen.filter());
    let counts = answered(counts).await?.into_iter();
    Ok(counts.filter(|(_, total)| total.rows > 0).collect())
}

async fn ask(call: Call<Member>, act: Act) -> Result<Answer, Failure> {
    page(&call, act, &Values::with(&[("stamp", "true")]), &[]).await
}

/// The page that says in numbers what is going to happen.
async fn page(
    call: &Call<Member>,
    act: Act,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let chosen = selection(call).await?.frozen_at(shown_at(call));
    let read = match act {
        Act::Pay => Some(read(call, &chosen).await?),
        Act::Ship | Act::Invoice | Act::Cancel => None,
    };
    let sum = match &read {
        Some(read) => asked_in_all(call, read).await?,
        None => None,
    };
    let is_vain = sum.is_none() && read.as_ref().is_some_and(|read| read.is_whole);
    let counts = match &read {
        Some(read) if read.is_whole => read.counts(),
        _ => counts(call, &chosen).await?,
    };
    let rows: u64 = counts.iter().map(|(_, total)| total.rows).sum();
    let is_countable = counts.iter().all(|(_, total)| total.is_exact);
    let counts = counts.into_iter().map(|(status, total)| {
        let rows = grouped(total.rows);
        (status_pill(say, status), if total.is_exact { rows } else { say.counted_about(&rows) })
    });
    let question = Question {
        page: act.page().to_owned(),
        title: act.title(say),
        intro: act.intro(say, &grouped(rows)),
        vain: is_vain.then(|| say.bulk_pay_nothing()),
        rows: is_countable.then_some(rows),
        counts: counts.collect(),
        notes: notes(call, sum.as_deref(), act, rows).await?,
        fields: fields(call, act, values),
        is_dangerous: act == Act::Cancel,
        back: (say.orders().to_owned(), call.href(PATH)),
    };
    Ok(asked(call, question, faults))
}

fn fields(call: &Call<Member>, act: Act, values: &Values) -> Vec<Field> {
    let say = call.say();
    match act {
        Act::Ship => Vec::new(),
        Act::Pay => vec![methods(say, values)],
        Act::Invoice => {
            vec![Field::tick("stamp", say.bulk_stamp(), values).hint(say.bulk_stamp_hint())]
        }
        Act::Cancel => {
            let refund = may_refund(call).then(|| Field::tick("refund", say.bulk_refund(), values));
            let reason = Field::text("reason", say.reason(), values);
            std::iter::once(reason).chain(refund).collect()
        }
    }
}

async fn notes(
    call: &Call<Member>,
    sum: Option<&str>,
    act: Act,
    rows: u64,
) -> Result<Vec<String>, Failure> {
    match act {
        Act::Pay => return Ok(sum.map(|sum| call.say().bulk_pay_sum(sum)).into_iter().collect()),
        Act::Invoice => {}
        Act::Ship | Act::Cancel => return Ok(Vec::new()),
    }
    let available = available(call).await?;
    let needed = rows.saturating_mul(STAMP_COST.unsigned_abs());
    let available = u64::try_from(available).unwrap_or_default();
    Ok(vec![call.say().bulk_credits(&grouped(needed), &grouped(available))])
}

/// Chosen orders, the first of many.
struct Read {
    orders: Vec<Order>,
    is_whole: bool,
}

impl Read {
    /// How many of them stand where.
    fn counts(&self) -> Vec<(OrderStatus, Total)> {
        let count = |status: &OrderStatus| {
            let rows = self.orders.iter().filter(|order| order.status == *status).count();
            (*status, Total::exact(rows as u64))
        };
        OrderStatus::EVERY.iter().map(count).filter(|(_, total)| total.rows > 0).collect()
    }
}

async fn read(call: &Call<Member>, chosen: &OrderSelection) -> Result<Read, Failure> {
    let (mut orders, mut cursor, mut is_whole) = (Vec::new(), None, false);
    for _ in 0..SUMMED_PAGES {
        let page = PageRequest {
            limit: LIMIT_MAX,
            count: Count::Nothing,
            cursor,
            ..PageRequest::default()
        };
        let query = OrderQuery { filter: chosen.filter(), page, ..OrderQuery::default() };
        let listed = answered(call.services().orders.list(call.account(), query)).await?;
        orders.extend(listed.items);
        cursor = listed.next;
        is_whole = cursor.is_none();
        if is_whole {
            break;
        }
    }
    Ok(Read { orders, is_whole })
}

/// What is recorded as received of the orders in all, if anything is: at least that, where they are many.
async fn asked_in_all(call: &Call<Member>, read: &Read) -> Result<Option<String>, Failure> {
    let (payments, account) = (&*call.services().payments, call.account());
    let owing = Owing::of(payments, account, &read.orders).await?;
    let asked = owing.asked_in_all(payments, account, &read.orders).await?;
    Ok(asked.map(|asked| if read.is_whole { asked } else { call.say().at_least(&asked) }))
}

async fn begin(call: Call<Member>, act: Act) -> Result<Answer, Failure> {
    let sent = call.sent.values();
    let Given { as_of, action } = match call.read(act.form())? {
        Ok(given) => given,
        Err(faults) => return page(&call, act, sent, &faults).await,
    };
    if matches!(action, Action::CancelOrders { refund: true, .. }) && !may_refund(&call) {
        return page(&call, act, sent, &[unpaid()]).await;
    }
    let chosen = selection(&call).await?.frozen_at(as_of.min(call.now()));
    match begun(&call, Wanted { action, selection: Selection::Orders(chosen) }).await? {
        Ok(answer) => Ok(answer),
        Err(faults) => page(&call, act, sent, &faults).await,
    }
}

async fn print(call: Call<Member>) -> Result<Answer, Failure> {
    let mut orders: Vec<Order> = Vec::new();
    for id in ticked(&call.query, OrderId::parse)? {
        orders.extend(answered(call.services().orders.get(call.account(), id)).await?);
    }
    let zone = call.zone();
    let owing = Owing::of(&*call.services().payments, call.account(), &orders).await?;
    let slips: Vec<Slip> = orders.iter().map(|order| slip(&call, order, &owing, zone)).collect();
    Ok(tickets(&call, slips))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_says_of_which_moment_it_is() {
        let read = |form: &Form<Given>, body: &str| form.read_urlencoded(body.as_bytes());
        let as_of = "asOf=2026-11-26T04%3A39%3A12.123456Z";
        let given = read(&CANCEL, &format!("{as_of}&reason=Sin+existencia")).unwrap();
        let wanted = Action::CancelOrders { reason: "Sin existencia".to_owned(), refund: false };
        assert_eq!((given.action, given.as_of.micros() % 1_000_000), (wanted, 123_456));
        assert!(read(&CANCEL, as_of).is_err() && read(&SHIP, "").is_err());
        assert!(read(&PAY, &format!("{as_of}&method=card")).is_err());
        assert!(read(&PAY, &format!("{as_of}&method=cash")).is_ok());
    }
}
