//! A new order: who buys what by SKU or article number, and what else was agreed on.

use std::collections::{BTreeMap, BTreeSet};

use accounts::{Right, Scope};
use approvals::{Passed, Person};
use askama::Template;
use catalog::{Code, product::checked_price};
use crm::CustomerId;
use intake::{
    Check, Faults, Fields, Form,
    checks::{id, line, number, paragraph, some_units, text},
    noun,
};
use kernel::{Amount, FieldFault, Measure, Metadata, message, quantity::QUANTITY_MAX};
use orders::{
    Discount, ItemSku, Order, PlaceDiscount, PlaceError, PlaceItem, PlaceOrder, PlaceShipping,
    PriceListId, ShippingAddress, WarehouseId,
    order::{LINE_CHARS_MAX, NOTES_CHARS_MAX},
};

use super::{PATH, address, buyer::meant};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::{MORE, Values},
    layout::Sheet,
    list::encoded,
    markup::Markup,
    page::Page,
    pages::{
        lookup::sold,
        money::discount,
        reading::{required, row_of},
        stock::shared::places,
    },
    parts::Field,
    reply::{answered, carried_out, whole},
    texts::Say,
};

pub(super) const WRITE: Right = Right::write(Scope::Orders);
/// Rows of an empty form; sending it for more doubles them.
const ROWS: usize = 5;
/// As many as a form has fields for.
const ROWS_MAX: usize = 100;
/// What sending the goods is called where nobody says it.
pub(super) const SHIPPING_NAME: &str = "Envío";

/// A row of a form: what is sold, and what was agreed on about it.
struct Line {
    code: Code,
    quantity: Measure,
    unit_price: Option<Amount>,
    discount: Option<Discount>,
    note: Option<String>,
}

/// What a form says of an order.
struct Filled {
    /// Who buys, in words.
    customer: String,
    /// Whom the words meant when the form was shown.
    known: Option<CustomerId>,
    /// By the names of their rows.
    lines: Vec<(String, Line)>,
    discount: Option<PlaceDiscount>,
    shipping: Option<PlaceShipping>,
    address: Option<ShippingAddress>,
    warehouse: Option<WarehouseId>,
    price_list: Option<PriceListId>,
    notes: Option<String>,
}

const FORM: Form<Filled> = Form::body("NewOrder", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let customer = fields.required("customer", line(LINE_CHARS_MAX));
    let known = id(noun("a customer", "un cliente"), CustomerId::PREFIX, CustomerId::parse);
    let known = fields.optional("customerId", known);
    let lines = read_lines(fields);
    let discount = fields.optional("orderDiscount", text(discount));
    let reason = fields.optional("discountReason", line(LINE_CHARS_MAX));
    if reason.is_some() && discount.is_none() && !fields.gives("orderDiscount") {
        fields.refuse::<()>("orderDiscount", required());
    }
    let name = fields.optional("shipping.name", line(LINE_CHARS_MAX));
    let amount = fields.optional("shipping.amount", number(Some(0), checked_price));
    if name.is_some() && amount.is_none() && !fields.gives("shipping.amount") {
        fields.refuse::<()>("shipping.amount", required());
    }
    let shipping = amount.map(|amount| PlaceShipping {
        name: name.unwrap_or_else(|| SHIPPING_NAME.to_owned()),
        amount,
        taxes: None,
    });
    let address = address::read(fields);
    let place = id(noun("a warehouse", "un almacén"), WarehouseId::PREFIX, WarehouseId::parse);
    let warehouse = fields.optional("warehouse", place);
    let list = noun("a price list", "una lista de precios");
    let list = id(list, PriceListId::PREFIX, PriceListId::parse);
    let price_list = fields.optional("priceList", list);
    let notes = fields.optional("notes", paragraph(NOTES_CHARS_MAX));
    Some(Filled {
        customer: customer?,
        known,
        lines,
        discount: discount.map(|asked| PlaceDiscount { asked, reason }),
        shipping,
        address,
        warehouse,
        price_list,
        notes,
    })
}

/// What is ordered, in the order of its rows.
fn read_lines(fields: &mut Fields<'_>) -> Vec<(String, Line)> {
    let codes = column(fields, ("sku", "sku[…]"), text(Code::parse));
    let mut quantities = column(fields, ("quantity", "quantity[…]"), some_units(QUANTITY_MAX));
    let prices = number(Some(0), checked_price);
    let mut prices = column(fields, ("unitPrice", "unitPrice[…]"), prices);
    let mut discounts = column(fields, ("discount", "discount[…]"), text(discount));
    let mut notes = column(fields, ("note", "note[…]"), line(LINE_CHARS_MAX));
    let told = quantities.keys().chain(prices.keys()).chain(discounts.keys()).chain(notes.keys());
    let told: BTreeSet<String> = told.cloned().collect();
    // What is said of nothing is not left out in silence.
    for row in told.iter().filter(|row| !codes.contains_key(*row)) {
        let name = format!("sku[{row}]");
        if !fields.gives(&name) {
            fields.refuse::<()>(&name, required());
        }
    }
    if codes.is_empty() && told.is_empty() && !fields.gives("sku[0]") {
        fields.refuse::<()>("sku[0]", required());
    }
    let mut lines = Vec::new();
    for (row, code) in codes {
        let name = format!("quantity[{row}]");
        match quantities.remove(&row) {
            Some(quantity) => {
                let unit_price = prices.remove(&row);
                let (discount, note) = (discounts.remove(&row), notes.remove(&row));
                lines.push((row, Line { code, quantity, unit_price, discount, note }));
            }
            None if !fields.gives(&name) => {
                fields.refuse::<()>(&name, required());
            }
            None => {}
        }
    }
    lines.sort_by_key(|(row, _)| row.parse::<usize>().unwrap_or(usize::MAX));
    lines
}

/// What rows have in one column, by their names.
fn column<C: Check>(
    fields: &mut Fields<'_>,
    (name, shown): (&'static str, &'static str),
    check: C,
) -> BTreeMap<String, C::Value> {
    fields.entries(name, shown, check).into_iter().collect()
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("orders/new", WRITE, show), Page::post("orders/new", WRITE, place)]
}

#[derive(Template)]
#[template(path = "orders/new.html", whitespace = "minimize")]
struct New {
    form: Markup,
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

async fn page(
    call: &Call<Member>,
    values: &Values,
    faults: &[FieldFault],
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
    let form = call.form(place, fields, say.place_order(), faults);
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
    let body = New { form: Markup::of(&form) };
    let sheet = Sheet::new(say.new_order(), &body).wrong_if(!faults.is_empty());
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
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return page(&call, values, &faults).await,
    };
    let customer = meant(&call, Some(filled.customer.as_str()), filled.known).await?;
    let (customer, items) = match (customer, items(&call, &filled).await?) {
        (Ok(Some(customer)), Ok(items)) => (customer, items),
        (customer, items) => {
            let faults = customer.err().into_iter().chain(items.err().into_iter().flatten());
            return page(&call, values, &faults.collect::<Vec<_>>()).await;
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
    let faults = match placed(&call, command).await? {
        Ok(answer) => return Ok(answer),
        Err(faults) => faults,
    };
    let faults: Vec<_> = faults.into_iter().map(|fault| in_form(fault, &rows)).collect();
    page(&call, values, &faults).await
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
fn in_form(fault: FieldFault, rows: &[String]) -> FieldFault {
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
    for (row, line) in &filled.lines {
        match sold(call, &line.code).await? {
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
fn unplaced(error: &PlaceError, wanted: &[ItemSku]) -> FieldFault {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_a_row_without_goods_is_told() {
        let read = |form: &str| FORM.read_urlencoded(form.as_bytes());
        let filled = read(
            "customer=Ana&sku[0]=TAZA&quantity[0]=2&unitPrice[0]=9.5&discount[0]=10%25&note[0]=Roja&sku[2]=PLUMA&quantity[2]=1\
             &orderDiscount=5&discountReason=Amiga&shipping.amount=80&address.street=Madero+1",
        );
        let filled = filled.unwrap();
        let rows: Vec<&str> = filled.lines.iter().map(|(row, _)| row.as_str()).collect();
        assert_eq!(rows, ["0", "2"]);
        assert!(filled.lines[0].1.unit_price.is_some() && filled.lines[1].1.unit_price.is_none());
        assert_eq!(filled.shipping.unwrap().name, SHIPPING_NAME);
        assert_eq!(filled.address.unwrap().country, "MX");
        for wrong in [
            "customer=Ana",
            "customer=Ana&sku[0]=TAZA",
            "customer=Ana&sku[0]=TAZA&quantity[0]=1&quantity[1]=1",
            "customer=Ana&sku[0]=TAZA&quantity[0]=1&note[3]=Roja",
            "customer=Ana&sku[0]=TAZA&quantity[0]=1&discountReason=Amiga",
            "customer=Ana&sku[0]=TAZA&quantity[0]=1&shipping.name=DHL",
            "customer=Ana&sku[0]=TAZA&quantity[0]=1&address.city=CDMX",
            "customer=Ana&customerId=Ana&sku[0]=TAZA&quantity[0]=1",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
