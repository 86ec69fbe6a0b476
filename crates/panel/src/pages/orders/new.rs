//! A new order: who buys, and what by SKU or article number.

use std::collections::BTreeMap;

use accounts::{Right, Scope};
use askama::Template;
use catalog::Code;
use crm::{Customer, CustomerFilter, CustomerId, CustomerQuery};
use intake::{
    Faults, Fields, Form,
    checks::{line, paragraph, some_units, text},
    noun,
};
use kernel::{
    FieldFault, Measure, Metadata, PageRequest, message, quantity::QUANTITY_MAX, search::Words,
};
use orders::{
    ItemSku, PlaceError, PlaceItem, PlaceOrder,
    order::{ItemProductId, ItemVariantId, LINE_CHARS_MAX, NOTES_CHARS_MAX},
};

use super::PATH;
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    layout::Sheet,
    page::Page,
    reply::{answered, carried_out, whole},
    texts::Say,
};

pub(super) const WRITE: Right = Right::write(Scope::Orders);
/// Rows of an empty form; sending it with more wanted adds as many.
const ROWS: usize = 5;
/// As many as a form has fields for.
const ROWS_MAX: usize = 20;
/// Customers that a name is looked for among: one more than can be meant.
const MEANT_MAX: u32 = 2;

/// What a form says of an order.
struct Filled {
    customer: String,
    codes: Vec<(String, Code)>,
    quantities: BTreeMap<String, Measure>,
    notes: Option<String>,
}

const FORM: Form<Filled> = Form::body("NewOrder", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let customer = fields.required("customer", line(LINE_CHARS_MAX));
    let mut codes = fields.entries("sku", "sku[…]", text(Code::parse));
    codes.sort_by_key(|(row, _)| row.parse::<usize>().unwrap_or(usize::MAX));
    let quantities = fields.entries("quantity", "quantity[…]", some_units(QUANTITY_MAX));
    let quantities: BTreeMap<_, _> = quantities.into_iter().collect();
    for (row, _) in &codes {
        let name = format!("quantity[{row}]");
        if !quantities.contains_key(row) && !fields.gives(&name) {
            fields.refuse::<()>(&name, message!("is required", "es obligatorio"));
        }
    }
    if codes.is_empty() {
        fields.refuse::<()>("sku[0]", message!("is required", "es obligatorio"));
    }
    let notes = fields.optional("notes", paragraph(NOTES_CHARS_MAX));
    Some(Filled { customer: customer?, codes, quantities, notes })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("orders/new", WRITE, show), Page::post("orders/new", WRITE, place)]
}

#[derive(Template)]
#[template(path = "orders/new.html", whitespace = "minimize")]
struct New<'a> {
    say: Say,
    place: String,
    keeping: Option<String>,
    more: String,
    csrf: String,
    once: String,
    problems: Vec<Problem>,
    customer: &'a str,
    customer_fault: Option<String>,
    rows: Vec<Row>,
    notes: &'a str,
}

struct Problem {
    field: String,
    sentence: String,
}

struct Row {
    number: usize,
    sku: String,
    quantity: String,
    fault: Option<String>,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let restored = call.restored(&call.href("orders/new"));
    Ok(page(&call, restored.map_or(&call.query, |restored| &restored.values), &[]))
}

fn page(call: &Call<Member>, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let count = values.filled("rows").and_then(|count| count.parse().ok()).unwrap_or(ROWS);
    let filled = |number: &usize| values.filled(&format!("sku[{number}]")).is_some();
    let last = (0..ROWS_MAX).rfind(filled).map_or(0, |number| number + 1);
    let count = count.max(last).clamp(ROWS, ROWS_MAX);
    let row = |number: usize| {
        let (sku, quantity) = (format!("sku[{number}]"), format!("quantity[{number}]"));
        let fault = faults.iter().find(|fault| fault.field == sku || fault.field == quantity);
        Row {
            number,
            sku: values.shown(&sku).to_owned(),
            quantity: values.shown(&quantity).to_owned(),
            fault: fault.map(|fault| told(say, call, fault)),
        }
    };
    let problem = |fault: &FieldFault| Problem {
        field: fault.field.clone(),
        sentence: told(say, call, fault),
    };
    let of_customer = faults.iter().find(|fault| fault.field == "customer");
    let place = call.href("orders/new");
    let (csrf, once) = call.tokens_for(&place);
    let body = New {
        say,
        keeping: call.keeping(&place),
        place,
        more: format!("{}?rows={}", call.href("orders/new"), (count + ROWS).min(ROWS_MAX)),
        csrf,
        once,
        problems: faults.iter().map(problem).collect(),
        customer: values.shown("customer"),
        customer_fault: of_customer.map(|fault| told(say, call, fault)),
        rows: (0..count).map(row).collect(),
        notes: values.shown("notes"),
    };
    let sheet = Sheet::new(say.new_order(), &body).wrong_if(!faults.is_empty());
    call.page(sheet.back(say.orders(), call.href(PATH)))
}

/// A fault as a sentence that begins with what its field is called.
fn told(say: Say, call: &Call<Member>, fault: &FieldFault) -> String {
    let clause = fault.problem.in_language(call.language);
    let label = match fault.field.as_str() {
        "" => return clause.to_owned(),
        "customer" => say.customer(),
        "notes" => say.notes(),
        field if field.starts_with("quantity[") => say.quantity(),
        _ => say.sku(),
    };
    format!("{label} {clause}")
}

async fn place(call: Call<Member>) -> Result<Answer, Failure> {
    let values = call.sent.values();
    let filled = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(page(&call, values, &faults)),
    };
    let (customer, items) =
        match (buyer(&call, &filled.customer).await?, items(&call, &filled).await?) {
            (Ok(customer), Ok(items)) => (customer, items),
            (customer, items) => {
                let faults = customer.err().into_iter().chain(items.err().into_iter().flatten());
                return Ok(page(&call, values, &faults.collect::<Vec<_>>()));
            }
        };
    let command = PlaceOrder {
        external_id: None,
        customer: orders::CustomerId::from_u128(customer.id.to_u128()),
        items,
        discount: None,
        shipping: None,
        shipping_address: None,
        channel: None,
        warehouse: None,
        price_list: None,
        notes: filled.notes,
        metadata: Metadata::default(),
    };
    let placing = call.services().orders.place(call.ctx(), command);
    Ok(match carried_out(placing, |error| unplaced(&error)).await? {
        Ok(order) => call.done_at(&format!("{PATH}/{}", order.id), "order.placed"),
        Err(faults) => {
            let faults: Vec<_> =
                faults.into_iter().map(|fault| at_row(fault, &filled.codes)).collect();
            page(&call, call.sent.values(), &faults)
        }
    })
}

/// The service counts items where the form names its rows.
fn at_row(fault: FieldFault, codes: &[(String, Code)]) -> FieldFault {
    let item = fault.field.strip_prefix("items[").and_then(|rest| rest.split(']').next());
    let place = item.and_then(|item| item.parse::<usize>().ok());
    match place.and_then(|place| codes.get(place)) {
        Some((row, _)) if fault.field.contains("quantity") => {
            FieldFault { field: format!("quantity[{row}]"), ..fault }
        }
        Some((row, _)) => FieldFault { field: format!("sku[{row}]"), ..fault },
        None => fault,
    }
}

/// The only customer whom an identifier, an address or words mean.
async fn buyer(call: &Call<Member>, words: &str) -> Result<Result<Customer, FieldFault>, Failure> {
    let (services, account) = (call.services(), call.account());
    let fault = |problem| Ok(Err(FieldFault::new("customer", problem)));
    if let Some(id) = CustomerId::parse(words) {
        let found = answered(services.customers.get(account, id)).await?;
        return match found {
            Some(customer) => Ok(Ok(customer)),
            None => fault(message!("is not known", "no existe")),
        };
    }
    let Ok(words) = Words::parse(words) else {
        return fault(message!("is required", "es obligatorio"));
    };
    let filter = CustomerFilter { search: Some(words), ..CustomerFilter::default() };
    let page = PageRequest { limit: MEANT_MAX, ..PageRequest::default() };
    let query = CustomerQuery { filter, page, ..CustomerQuery::default() };
    let mut found = answered(services.customers.list(account, query)).await?.items;
    match (found.pop(), found.is_empty()) {
        (Some(customer), true) => Ok(Ok(customer)),
        (None, _) => fault(message!(
            "is not known: add the customer first",
            "no existe: agrega antes al cliente"
        )),
        (Some(_), false) => fault(message!(
            "may be several: type the email address or telephone number",
            "puede ser más de uno: escribe el correo o el teléfono"
        )),
    }
}

/// Who is meant by words, which may be the name that a form was shown with of a customer who is known.
pub(in crate::pages) async fn meant(
    call: &Call<Member>,
    words: Option<&str>,
    known: Option<CustomerId>,
) -> Result<Result<Option<CustomerId>, FieldFault>, Failure> {
    let Some(words) = words else { return Ok(Ok(None)) };
    let known = match known {
        Some(id) => answered(call.services().customers.get(call.account(), id)).await?,
        None => None,
    };
    match known.filter(|known| known.name == words) {
        Some(known) => Ok(Ok(Some(known.id))),
        None => Ok(buyer(call, words).await?.map(|customer| Some(customer.id))),
    }
}

/// What is ordered, row by row.
async fn items(
    call: &Call<Member>,
    filled: &Filled,
) -> Result<Result<Vec<PlaceItem>, Faults>, Failure> {
    let (mut items, mut faults) = (Vec::new(), Faults::new());
    for (row, code) in &filled.codes {
        let looking = call.services().products.look_up(call.account(), code.clone());
        let matches = answered(looking).await?;
        let Some(quantity) = filled.quantities.get(row) else { continue };
        match matches.as_slice() {
            [only] => items.push(PlaceItem {
                wanted: ItemSku {
                    product: ItemProductId::from_u128(only.product.id.to_u128()),
                    variant: only.variant.map(|id| ItemVariantId::from_u128(id.to_u128())),
                },
                quantity: *quantity,
                unit_price: None,
                discount: None,
                note: None,
                agreed: None,
            }),
            [] => faults.push(FieldFault::new(
                format!("sku[{row}]"),
                message!(
                    "is none of this account's products",
                    "no es de ningún producto de la cuenta"
                ),
            )),
            _ => faults.push(FieldFault::new(
                format!("sku[{row}]"),
                message!(
                    "is that of several products: type a SKU",
                    "es de varios productos: escribe un SKU"
                ),
            )),
        }
    }
    Ok(if faults.is_empty() { Ok(items) } else { Err(faults) })
}

fn unplaced(error: &PlaceError) -> FieldFault {
    match error {
        PlaceError::OutOfStock(demand) => {
            let (sku, available) = (&demand.sku, demand.available);
            whole(message!(
                "There are {available} of {sku} in stock.",
                "De {sku} hay {available} en existencia."
            ))
        }
        PlaceError::DuplicateExternalId { .. } => {
            whole(message!("This order was placed already.", "Este pedido ya se registró."))
        }
    }
}
