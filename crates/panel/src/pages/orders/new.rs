//! A new order: who buys what by SKU or article number, and what else was agreed on.

mod fields;

use accounts::{Right, Scope};
use approvals::{Passed, Person};
use askama::Template;
use crm::CustomerId;
use intake::Faults;
use kernel::{FieldFault, Measure, Metadata, message};
use orders::{ItemSku, Order, PlaceError, PlaceItem, PlaceOrder};

use self::fields::Filled;
pub(super) use self::fields::{FORM, SHIPPING_NAME};
use super::{
    PATH, address,
    buyer::meant,
    summing::{self, SumsCard},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::{MORE, Values},
    layout::Sheet,
    list::encoded,
    markup::Markup,
    page::Page,
    pages::{lookup::sold, reading::row_of, stock::shared::places},
    parts::Field,
    reply::{answered, carried_out, whole},
    texts::Say,
};

pub(super) const WRITE: Right = Right::write(Scope::Orders);
/// Rows of an empty form; sending it for more doubles them.
const ROWS: usize = 5;
/// As many as a form has fields for.
const ROWS_MAX: usize = 100;

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("orders/new", WRITE, show), Page::post("orders/new", WRITE, place)]
}

#[derive(Template)]
#[template(path = "orders/new.html", whitespace = "minimize")]
struct New {
    form: Markup,
    sums: SumsCard,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    if let Some(restored) = call.restored(&call.href("orders/new")) {
        return page(&call, &restored.values, &[]).await;
    }
    let known = call.query.filled("customer").and_then(CustomerId::parse);
    let known = match known.filter(|_| call.may(Right::read(Scope::Customers))) {
        Some(id) => answered(call.services().customers.get(call.account(), id)).await?,
        None => None,
    };
    let values = call.query.clone();
    let values = match known {
        Some(known) => {
            let values = values.replaced("customer", &known.name);
            values.replaced("customerId", &known.id.to_string())
        }
        None => values,
    };
    page(&call, &values, &[]).await
}

/// Where a customer is added whom a form names, for who may: it leads back to the order.
fn adding(call: &Call<Member>, words: &str) -> Option<String> {
    let field = match words {
        words if words.contains('@') => "email",
        words if words.starts_with('+') => "phone",
        _ => "name",
    };
    let place = call.href("customers/new");
    let may = call.may(Right::write(Scope::Customers));
    may.then(|| format!("{place}?then=order&{field}={}", encoded(words)))
}

/// The form, with what it comes to as far as it is filled in.
async fn page(
    call: &Call<Member>,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let summed = summing::summed(call, values).await?;
    drawn(call, values, faults, summed.card).await
}

async fn drawn(
    call: &Call<Member>,
    values: &Values,
    faults: &[FieldFault],
    sums: SumsCard,
) -> Result<Answer, Failure> {
    let say = call.say();
    let asked = 2 * call.sent.rows_asked((0..ROWS_MAX).map(|row| format!("sku[{row}]")), 0);
    let filled = |row: &usize| {
        let columns = ["sku", "quantity", "unitPrice", "discount", "note"];
        columns.iter().any(|column| values.filled(&format!("{column}[{row}]")).is_some())
    };
    let last = (0..ROWS_MAX).rfind(filled).map_or(0, |row| row + 1);
    let count = asked.max(last).clamp(ROWS, ROWS_MAX);
    let customer = Field::text("customer", say.customer(), values);
    let mut fields = vec![customer.hint(say.customer_hint()).autocomplete("off")];
    fields.extend((0..count).map(|number| row(say, number, values)));
    let terms = vec![
        Field::text("orderDiscount", say.discount(), values).hint(say.discount_hint()),
        Field::text("discountReason", say.reason(), values),
        Field::text("shipping.amount", say.shipping(), values).hint(say.taxes_inside()),
        Field::text("shipping.name", say.shipping_name(), values),
    ];
    fields.push(Field::behind("terms", say.discount_and_shipping(), terms));
    fields.push(Field::behind("address", say.ships_to(), address::inputs(say, values)));
    fields.extend(choices(call, values).await?);
    fields.push(Field::area("notes", say.notes(), 3, values));
    let place = call.href("orders/new");
    let form = call.form(place, fields, say.place_order(), faults).judged();
    let form = form.or(say.calculate(), "check", "true");
    let form = match count < ROWS_MAX {
        true => form.or(say.more_lines(), MORE, "true"),
        false => form,
    };
    // Whoever asks for more lines goes on in the first of them.
    let form = match call.sent.wants_more {
        true => form.begun_at(&format!("sku[{}]", asked / 2)),
        false => form,
    };
    let known = values.filled("customerId");
    let form = match known {
        Some(id) => form.hidden("customerId", id),
        None => form,
    };
    // Who is known already is not added once more.
    let words = values.filled("customer").unwrap_or_default();
    let is_open = known.is_none() || faults.iter().any(|fault| fault.field == "customer");
    let form = match adding(call, words).filter(|_| is_open) {
        Some(add) => form.leads_to(say.new_customer(), add),
        None => form,
    };
    let body = New { form: Markup::of(&form), sums };
    // What is only looked at may still be wrong.
    let is_wrong = !faults.is_empty() && !call.sent.is_look();
    let sheet = Sheet::new(say.new_order(), &body).wrong_if(is_wrong);
    Ok(call.page(sheet.back(say.orders(), call.href(PATH))))
}

fn row(say: Say, number: usize, values: &Values) -> Field {
    let input = |column: &str, label: &'static str| {
        let field = Field::input("text", format!("{column}[{number}]"), label, values);
        field.autocomplete("off")
    };
    let discount = input("discount", say.discount()).hint(say.discount_hint());
    let fields = vec![
        input("sku", say.product()),
        input("quantity", say.quantity()),
        input("unitPrice", say.unit_price()),
        Field::behind(
            format!("more[{number}]"),
            say.discount_and_note(),
            vec![discount, input("note", say.note())],
        ),
    ];
    let group = Field::group(format!("row[{number}]"), say.item(number + 1), fields).led();
    if number == 0 { group.hint(say.items_hint()) } else { group }
}

/// Where it is taken from and by which prices, as far as there is anything to choose.
async fn choices(call: &Call<Member>, values: &Values) -> Result<Vec<Field>, Failure> {
    let (say, usual) = (call.say(), call.say().as_usual());
    let places = places(call).await?.choices_or(usual);
    let lists = answered(call.services().price_lists.all(call.account())).await?;
    let lists = lists.iter().map(|list| (list.id.to_string(), list.name.clone()));
    let none = (String::new(), usual.to_owned());
    let lists: Vec<_> = std::iter::once(none).chain(lists).collect();
    // Beside the usual there is one that is no other.
    let place =
        (places.len() > 2).then(|| Field::select("warehouse", say.leaves_from(), places, values));
    let list =
        (lists.len() > 1).then(|| Field::select("priceList", say.price_list(), lists, values));
    Ok(place.into_iter().chain(list).collect())
}

async fn place(call: Call<Member>) -> Result<Answer, Failure> {
    let values = call.sent.values();
    if call.sent.wants_more {
        return page(&call, values, &[]).await;
    }
    if call.sent.is_look() {
        let summed = summing::summed(&call, values).await?;
        let shown = drawn(&call, values, &summed.faults, summed.card).await;
        return shown.map(Answer::unsent);
    }
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return page(&call, values, &faults).await,
    };
    let (command, rows) = match wanted(&call, filled).await? {
        Ok(wanted) => wanted,
        Err(faults) => return page(&call, values, &faults).await,
    };
    let faults = match placed(&call, command).await? {
        Ok(answer) => return Ok(answer),
        Err(faults) => faults,
    };
    let faults: Vec<_> = faults.into_iter().map(|fault| in_form(fault, &rows)).collect();
    page(&call, values, &faults).await
}

/// The order that a form means, and the names of the rows of its items; or whom and what nobody knows.
pub(super) async fn wanted(
    call: &Call<Member>,
    filled: Filled,
) -> Result<Result<(PlaceOrder, Vec<String>), Faults>, Failure> {
    let customer = meant(call, Some(filled.customer.as_str()), filled.known).await?;
    let (customer, items) = match (customer, items(call, &filled).await?) {
        (Ok(Some(customer)), Ok(items)) => (customer, items),
        (customer, items) => {
            let faults = customer.err().into_iter().chain(items.err().into_iter().flatten());
            return Ok(Err(faults.collect()));
        }
    };
    let rows: Vec<String> = filled.lines.into_iter().map(|(row, _)| row).collect();
    let command = PlaceOrder {
        external_id: None,
        customer: orders::CustomerId::from_u128(customer.to_u128()),
        items,
        discount: filled.discount,
        shipping: filled.shipping,
        shipping_address: filled.address,
        channel: None,
        warehouse: filled.warehouse,
        price_list: filled.price_list,
        notes: filled.notes,
        metadata: Metadata::default(),
    };
    Ok(Ok((command, rows)))
}

/// Places an order, or asks for the approval that its discounts and prices need.
async fn placed(
    call: &Call<Member>,
    command: PlaceOrder,
) -> Result<Result<Answer, Faults>, Failure> {
    let services = call.services();
    let done = |order: &Order| call.done_at(&format!("{PATH}/{}", order.id), "order.placed");
    let wanted: Vec<ItemSku> = command.items.iter().map(|item| item.wanted).collect();
    if command.may_concede() && answered(services.placing_gate.is_guarded(&call.ctx())).await? {
        let by = Person::User(call.who.person.0.user.id);
        let asking = services.placing_gate.ask(call.ctx(), by, command.clone());
        match carried_out(asking, |error| unplaced(&error, &wanted)).await? {
            Ok(Passed::Free) => {}
            Ok(Passed::Asked(_)) => return Ok(Ok(call.done_at(PATH, "approval.asked"))),
            Ok(Passed::Done(order)) => return Ok(Ok(done(&order))),
            Err(faults) => return Ok(Err(faults)),
        }
    }
    let placing = services.orders.place(call.ctx(), command);
    let placed = carried_out(placing, |error| unplaced(&error, &wanted)).await?;
    Ok(placed.map(|order| done(&order)))
}

/// A fault at its field of the form: the service counts items where the form names its rows.
pub(super) fn in_form(fault: FieldFault, rows: &[String]) -> FieldFault {
    let item =
        row_of("items", &fault.field).and_then(|(place, part)| Some((rows.get(place)?, part)));
    let field = match (item, fault.field.as_str()) {
        (Some((row, part)), _) => {
            let part = part.strip_prefix('.').unwrap_or_default();
            let column = match part.split('.').next().unwrap_or_default() {
                column @ ("quantity" | "unitPrice" | "discount" | "note") => column,
                _ => "sku",
            };
            format!("{column}[{row}]")
        }
        (None, "discount" | "discount.amount" | "discount.percent") => "orderDiscount".to_owned(),
        (None, "warehouseId") => "warehouse".to_owned(),
        (None, "priceListId") => "priceList".to_owned(),
        (None, name) => match address::field(name) {
            Some(field) => field,
            None => return fault,
        },
    };
    FieldFault { field, ..fault }
}

/// What is ordered, row by row.
async fn items(
    call: &Call<Member>,
    filled: &Filled,
) -> Result<Result<Vec<PlaceItem>, Faults>, Failure> {
    let (mut items, mut faults) = (Vec::new(), Faults::new());
    let goods = sold(call, filled.lines.iter().map(|(_, line)| &line.code)).await?;
    for (row, line) in &filled.lines {
        match goods.by(&line.code) {
            Ok(sold) => items.push(PlaceItem {
                unit_price: line.unit_price,
                discount: line.discount,
                note: line.note.clone(),
                ..PlaceItem::new(sold, line.quantity)
            }),
            Err(problem) => faults.push(FieldFault::new(format!("sku[{row}]"), problem)),
        }
    }
    Ok(if faults.is_empty() { Ok(items) } else { Err(faults) })
}

/// Why nothing was ordered; of goods that lack at the first row that wants them.
pub(super) fn unplaced(error: &PlaceError, wanted: &[ItemSku]) -> FieldFault {
    match error {
        PlaceError::OutOfStock(demand) => {
            let (sku, available, elsewhere) = (&demand.sku, demand.available, demand.elsewhere);
            let problem = match elsewhere > Measure::ZERO {
                true => message!(
                    "is more than there is: {available} of {sku}, and {elsewhere} in other warehouses",
                    "es más de lo que hay: {available} de {sku}, y {elsewhere} en otros almacenes"
                ),
                false => message!(
                    "is more than there is: {available} of {sku}",
                    "es más de lo que hay: {available} de {sku}"
                ),
            };
            let row = wanted.iter().position(|sold| *sold == demand.sold).unwrap_or_default();
            FieldFault::new(format!("items[{row}].quantity"), problem)
        }
        PlaceError::DuplicateExternalId { .. } => {
            whole(message!("This order was placed already.", "Este pedido ya se registró."))
        }
    }
}
