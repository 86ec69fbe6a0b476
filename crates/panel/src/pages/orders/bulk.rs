//! What is done about several orders: those that are ticked, or all that match. A page says what is going to happen; a job
//! does it.

use ::bulk::{Action, BulkError, OrderSelection, ROWS_MAX, Selection, Wanted};
use accounts::{Right, Scope};
use askama::Template;
use intake::{
    Fields, Form,
    checks::{flag, line, one_of, text},
    noun,
};
use invoices::STAMP_COST;
use kernel::{FieldFault, PageRequest, Timestamp, message, page::Total};
use orders::{Order, OrderFilter, OrderId, OrderQuery, OrderStatus, order::LINE_CHARS_MAX};

use super::{
    PATH, READ,
    acts::{IN_HAND, methods},
    filter,
    print::{Slip, slip, tickets},
    returning::{may_refund, unpaid},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::grouped,
    layout::Sheet,
    list,
    markup::Markup,
    page::Page,
    pages::shop::status_pill,
    parts::{Field, Pill},
    reply::{answered, carried_out, whole},
    texts::Say,
};

/// As many as a page has.
const ORDERS_MAX: usize = 100;
/// Which of a list are meant, where there is a choice.
const WHICH: &str = "which";
const SELECTED: &str = "selected";

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

/// The moment at which the page was shown.
fn as_of(fields: &mut Fields<'_>) -> Option<Timestamp> {
    fields.required("asOf", text(Timestamp::parse))
}

/// A moment to the microsecond: orders of the same one are taken in.
fn exactly(at: Timestamp) -> String {
    let millis = at.to_string();
    format!("{}{:03}Z", millis.trim_end_matches('Z'), at.micros().rem_euclid(1_000))
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
        let sent = Page::post(act.page(), act.right(), move |call| begin(call, act)).card_free();
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

/// The orders that are ticked: each has a box of its own, named `id[ord_…]`.
fn ticked(query: &Values) -> Result<Vec<OrderId>, Failure> {
    let names = query.pairs().filter_map(|(name, _)| name.strip_prefix("id["));
    let ids: Option<Vec<_>> = names.map(|name| OrderId::parse(name.strip_suffix(']')?)).collect();
    let ids = ids.filter(|ids| ids.len() <= ORDERS_MAX).ok_or_else(|| {
        Failure::Malformed(message!(
            "Select at most {ORDERS_MAX} orders.",
            "Selecciona a lo más {ORDERS_MAX} pedidos."
        ))
    })?;
    match ids.is_empty() {
        true => Err(Failure::Malformed(message!(
            "Select at least one order.",
            "Selecciona al menos un pedido."
        ))),
        false => Ok(ids),
    }
}

/// Which orders a query means: those that are ticked, or all that it matches.
async fn selection(call: &Call<Member>) -> Result<OrderSelection, Failure> {
    let query = &call.query;
    if query.filled(WHICH) == Some(SELECTED) {
        let ids = Some(ticked(query)?);
        return Ok(OrderSelection { ids, ..OrderSelection::default() });
    }
    let zone = call.zone().await?;
    let OrderFilter { status, customer, created_from, created_to, .. } = filter(query, zone);
    let words = query.filled("q").map(str::to_owned);
    let ids = None;
    let chosen = OrderSelection { ids, status, customer, created_from, created_to, words };
    // A list shows all where it cannot read what it is searched for.
    Ok(match chosen.is_unreadable() {
        true => OrderSelection { words: None, ..chosen },
        false => chosen,
    })
}

/// How many of the orders stand where.
async fn counts(
    call: &Call<Member>,
    chosen: &OrderSelection,
) -> Result<Vec<(OrderStatus, Total)>, Failure> {
    let mut counts = Vec::new();
    for status in OrderStatus::EVERY.iter().copied() {
        if chosen.status.is_some_and(|only| only != status) {
            continue;
        }
        let filter = OrderFilter { status: Some(status), ..chosen.filter() };
        let page = PageRequest { limit: 1, ..PageRequest::default() };
        let query = OrderQuery { filter, page, ..OrderQuery::default() };
        let total = answered(call.services().orders.list(call.account(), query)).await?.total;
        if total.rows > 0 {
            counts.push((status, total));
        }
    }
    Ok(counts)
}

#[derive(Template)]
#[template(path = "orders/bulk.html", whitespace = "minimize")]
struct Asked {
    text: String,
    counts: Vec<(Pill, String)>,
    notes: Vec<String>,
    form: Option<Markup>,
}

async fn ask(call: Call<Member>, act: Act) -> Result<Answer, Failure> {
    let ticked = Values::with(&[("stamp", "true")]);
    let now = call.now();
    page(&call, act, now, &ticked, &[]).await
}

/// The page that says in numbers what is going to happen to what was there at a moment.
async fn page(
    call: &Call<Member>,
    act: Act,
    as_of: Timestamp,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let say = call.say();
    let chosen = selection(call).await?.frozen_at(as_of);
    let counts = counts(call, &chosen).await?;
    let rows: u64 = counts.iter().map(|(_, total)| total.rows).sum();
    let is_countable = counts.iter().all(|(_, total)| total.is_exact) && rows <= ROWS_MAX;
    let (text, form) = match rows {
        0 => (say.bulk_none().to_owned(), None),
        _ if !is_countable => (say.bulk_too_many(&grouped(ROWS_MAX)), None),
        rows => {
            // The same orders whenever it is sent.
            let place = list::filtered(&call.href(act.page()), &call.query);
            let form = call.form(place, fields(call, act, values), act.title(say), faults);
            let form = form.hidden("asOf", exactly(as_of));
            let form = if act == Act::Cancel { form.dangerous() } else { form };
            (act.intro(say, &grouped(rows)), Some(Markup::of(&form)))
        }
    };
    let notes = match form.is_some() {
        true => notes(call, act, rows).await?,
        false => Vec::new(),
    };
    let counts = counts.into_iter().map(|(status, total)| {
        let rows = grouped(total.rows);
        (status_pill(say, status), if total.is_exact { rows } else { say.counted_about(&rows) })
    });
    let body = Asked { text, counts: counts.collect(), notes, form };
    let sheet = Sheet::new(act.title(say), &body).wrong_if(!faults.is_empty());
    Ok(call.page(sheet.back(say.orders(), call.href(PATH))))
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

async fn notes(call: &Call<Member>, act: Act, rows: u64) -> Result<Vec<String>, Failure> {
    let say = call.say();
    let mut notes = vec![say.bulk_since_hint().to_owned()];
    if act == Act::Invoice {
        let balance = answered(call.services().credits.balance(call.account())).await?;
        let needed = rows.saturating_mul(STAMP_COST.unsigned_abs());
        let available = u64::try_from(balance.available).unwrap_or_default();
        notes.push(say.bulk_credits(&grouped(needed), &grouped(available)));
    }
    Ok(notes)
}

async fn begin(call: Call<Member>, act: Act) -> Result<Answer, Failure> {
    let sent = call.sent.values();
    let shown = sent.filled("asOf").and_then(|text| Timestamp::parse(text).ok());
    let shown = shown.unwrap_or(call.now()).min(call.now());
    let Given { as_of, action } = match call.read(act.form())? {
        Ok(given) => given,
        Err(faults) => return page(&call, act, shown, sent, &faults).await,
    };
    if matches!(action, Action::CancelOrders { refund: true, .. }) && !may_refund(&call) {
        return page(&call, act, shown, sent, &[unpaid()]).await;
    }
    let chosen = selection(&call).await?.frozen_at(as_of.min(call.now()));
    let wanted = Wanted { action, selection: Selection::Orders(chosen) };
    let beginning = call.services().bulk.begin(call.ctx(), wanted);
    match carried_out(beginning, |error| not_begun(&error)).await? {
        Ok(task) => Ok(call.done_at(&format!("bulk/{}", task.id), "bulk.begun")),
        Err(faults) => page(&call, act, shown, sent, &faults).await,
    }
}

/// Why nothing is begun.
fn not_begun(error: &BulkError) -> FieldFault {
    whole(match error {
        BulkError::TooManyOpen { max } => message!(
            "{max} bulk actions are under way already. Wait until one of them has ended, or cancel it.",
            "Ya hay {max} acciones masivas en curso. Espera a que termine una o cancélala."
        ),
        BulkError::TooManyKept => message!(
            "The results of too many bulk actions are kept. They are removed after a week.",
            "Hay demasiados resultados de acciones masivas guardados. Se eliminan después de una semana."
        ),
    })
}

async fn print(call: Call<Member>) -> Result<Answer, Failure> {
    let mut orders: Vec<Order> = Vec::new();
    for id in ticked(&call.query)? {
        orders.extend(answered(call.services().orders.get(call.account(), id)).await?);
    }
    let zone = call.zone().await?;
    let slips: Vec<Slip> = orders.iter().map(|order| slip(&call, order, zone)).collect();
    Ok(tickets(&call, slips))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_carried_to_the_microsecond() {
        for micros in [0, 1, 999, 1_000, 1_795_651_200_123_456] {
            let at = Timestamp::from_micros(micros);
            assert_eq!(Timestamp::parse(&exactly(at)), Ok(at), "{}", exactly(at));
        }
    }

    #[test]
    fn orders_are_chosen_by_their_boxes() {
        let of = |query: &str| ticked(&Values::of_query(query));
        let id = OrderId::from_u128(7);
        let query = format!("which=selected&id%5B{id}%5D=true");
        assert!(of(&query).is_ok_and(|ids| ids == [id]));
        for wrong in ["", "which=selected", "id%5Bord_1%5D=true", "id%5Bx=true"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }

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
