//! The form of a draft: what it says, and how it is drawn.

use catalog::{Code, product::checked_price};
use crm::CustomerId;
use intake::{
    Fields, Form,
    checks::{flag, id, line, number, paragraph, some_units, text, whole_from},
    noun,
};
use kernel::{Amount, Day, FieldFault, Measure, quantity::QUANTITY_MAX};
use orders::{Discount, Item, order::LINE_CHARS_MAX};
use quotes::{DealId, NOTES_CHARS_MAX, Quote, TITLE_CHARS_MAX};

use crate::{
    form::Values,
    pages::{
        money::{discount, not_negative},
        reading::{day, required, row_of, rows_shown},
    },
    parts::Field,
    texts::Say,
};

/// The names of the fields of an item, which are those that the API has.
pub(super) struct Row {
    group: &'static str,
    pub(super) sku: &'static str,
    pub(super) quantity: &'static str,
    pub(super) unit_price: &'static str,
    pub(super) discount: &'static str,
    note: &'static str,
}

impl Row {
    fn names(&self) -> [&'static str; 5] {
        [self.sku, self.quantity, self.unit_price, self.discount, self.note]
    }
}

macro_rules! rows {
    ($($place:literal)+) => {
        &[$(Row {
            group: concat!("items[", $place, "]"),
            sku: concat!("items[", $place, "].sku"),
            quantity: concat!("items[", $place, "].quantity"),
            unit_price: concat!("items[", $place, "].unitPrice"),
            discount: concat!("items[", $place, "].discount"),
            note: concat!("items[", $place, "].note"),
        }),+]
    };
}

/// As many items as a form takes; those of a longer quote are changed through the API.
pub(super) const ROWS: &[Row] = rows!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
/// Rows of an empty form, and how many more are asked for at a time.
const ROWS_FIRST: usize = 3;
pub(super) const ROWS_MORE: usize = 5;

/// What a row says.
pub(super) struct Line {
    /// The place of its row: rows may be left out.
    pub(super) place: usize,
    pub(super) code: Code,
    pub(super) quantity: Measure,
    pub(super) unit_price: Option<Amount>,
    pub(super) discount: Option<Discount>,
    pub(super) note: Option<String>,
}

/// What a form says of a quote.
pub(super) struct Filled {
    /// Who is meant, in words.
    pub(super) customer: Option<String>,
    /// Whom the words meant when the form was shown.
    pub(super) known: Option<CustomerId>,
    pub(super) deal: Option<DealId>,
    pub(super) title: Option<String>,
    pub(super) lines: Vec<Line>,
    /// Whether the items stay as they are: there are more than rows.
    pub(super) keeps_items: bool,
    pub(super) discount: Option<Discount>,
    pub(super) discount_reason: Option<String>,
    pub(super) shipping: Option<(String, Amount)>,
    pub(super) valid_until: Option<Day>,
    pub(super) wants_link: bool,
    pub(super) notes: Option<String>,
    /// The version that the form was filled in on.
    pub(super) version: Option<i64>,
}

pub(super) const FORM: Form<Filled> =
    Form::body("QuoteDraft", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let customer = fields.optional("customer", line(LINE_CHARS_MAX));
    let known = id(noun("a customer", "un cliente"), CustomerId::PREFIX, CustomerId::parse);
    let known = fields.optional("customerId", known);
    let deal = id(noun("a deal", "una oportunidad"), DealId::PREFIX, DealId::parse);
    let deal = fields.optional("dealId", deal);
    let title = fields.optional("title", line(TITLE_CHARS_MAX));
    let keeps_items = fields.optional("keepItems", flag()).unwrap_or_default();
    let rows = ROWS.iter().enumerate();
    let lines: Vec<_> = rows.filter_map(|(place, row)| read_line(fields, place, row)).collect();
    if !keeps_items && !ROWS.iter().any(|row| is_given(fields, row)) {
        let FieldFault { field, problem } = no_items();
        fields.refuse::<()>(&field, problem);
    }
    let discount = fields.optional("discount", text(discount));
    let discount_reason = fields.optional("discountReason", line(LINE_CHARS_MAX));
    if discount_reason.is_some() && !fields.gives("discount") {
        fields.refuse::<()>("discount", required());
    }
    let shipping = read_shipping(fields);
    let valid_until = fields.optional("validUntil", text(day));
    let wants_link = fields.optional("paymentLink", flag()).unwrap_or_default();
    let notes = fields.optional("notes", paragraph(NOTES_CHARS_MAX));
    let version = fields.optional("version", whole_from(1));
    Some(Filled {
        customer,
        known,
        deal,
        title,
        lines,
        keeps_items,
        discount,
        discount_reason,
        shipping,
        valid_until,
        wants_link,
        notes,
        version,
    })
}

/// That nothing is offered.
pub(super) fn no_items() -> FieldFault {
    FieldFault::new(ROWS.first().map_or("", |row| row.sku), required())
}

fn is_given(fields: &Fields<'_>, row: &Row) -> bool {
    row.names().into_iter().any(|name| fields.gives(name))
}

fn read_line(fields: &mut Fields<'_>, place: usize, row: &Row) -> Option<Line> {
    let code = fields.optional(row.sku, text(Code::parse));
    let quantity = fields.optional(row.quantity, some_units(QUANTITY_MAX));
    let unit_price = fields.optional(row.unit_price, number(Some(0), checked_price));
    let discount = fields.optional(row.discount, text(discount));
    let note = fields.optional(row.note, line(LINE_CHARS_MAX));
    if !fields.gives(row.sku) && is_given(fields, row) {
        return fields.refuse(row.sku, required());
    }
    if fields.gives(row.sku) && !fields.gives(row.quantity) {
        return fields.refuse(row.quantity, required());
    }
    Some(Line { place, code: code?, quantity: quantity?, unit_price, discount, note })
}

fn read_shipping(fields: &mut Fields<'_>) -> Option<(String, Amount)> {
    let name = fields.optional("shippingName", line(LINE_CHARS_MAX));
    let amount = fields.optional("shippingAmount", number(Some(0), not_negative));
    match (fields.gives("shippingName"), fields.gives("shippingAmount")) {
        (true, false) => fields.refuse("shippingAmount", required()),
        (false, true) => fields.refuse("shippingName", required()),
        _ => Some((name?, amount?)),
    }
}

/// A discount as [`discount`] reads it.
fn written(discount: Discount) -> String {
    match discount {
        Discount::Amount(amount) => amount.to_string(),
        Discount::Percent(percent) => format!("{percent}%"),
    }
}

/// What a draft would have been filled in as, for this customer.
pub(super) fn of_draft(quote: &Quote, customer: &str) -> Vec<(String, String)> {
    let offered = &quote.offered;
    let mut pairs = vec![
        ("customer", customer.to_owned()),
        ("customerId", quote.customer.to_string()),
        ("dealId", quote.deal.map(|id| id.to_string()).unwrap_or_default()),
        ("title", quote.title.clone().unwrap_or_default()),
        ("validUntil", quote.valid_until.to_string()),
        ("notes", quote.notes.clone().unwrap_or_default()),
        ("version", quote.version.to_string()),
    ];
    if let Some(discount) = &offered.discount {
        pairs.push(("discount", written(discount.discounted.asked)));
        pairs.push(("discountReason", discount.reason.clone().unwrap_or_default()));
    }
    if let Some(shipping) = &offered.shipping {
        pairs.push(("shippingName", shipping.name.clone()));
        pairs.push(("shippingAmount", shipping.amount.to_string()));
    }
    if quote.wants_link {
        pairs.push(("paymentLink", "true".to_owned()));
    }
    let items = ROWS.iter().zip(&offered.items).flat_map(|(row, item)| of_item(row, item));
    match has_rows(quote) {
        true => pairs.extend(items),
        false => pairs.push(("keepItems", "true".to_owned())),
    }
    pairs.into_iter().map(|(name, text)| (name.to_owned(), text)).collect()
}

/// Whether there is a row for each of its items.
pub(super) fn has_rows(quote: &Quote) -> bool {
    quote.offered.items.len() <= ROWS.len()
}

fn of_item(row: &Row, item: &Item) -> [(&'static str, String); 5] {
    let discount = item.discount.map(|discount| written(discount.asked));
    [
        (row.sku, item.sku.clone()),
        (row.quantity, item.ordered().to_string()),
        (row.unit_price, item.unit_price.to_string()),
        (row.discount, discount.unwrap_or_default()),
        (row.note, item.note.clone().unwrap_or_default()),
    ]
}

/// How many rows are shown: those that are asked for, and all down to the last that is filled in.
pub(super) fn shown(asked: usize, values: &Values) -> usize {
    let is_filled = |row: &Row| row.names().into_iter().any(|name| values.filled(name).is_some());
    rows_shown(asked, ROWS, ROWS_FIRST, is_filled)
}

/// The fields, with so many rows for items.
pub(super) fn drawn(
    say: Say,
    values: &Values,
    deals: Vec<(String, String)>,
    rows: usize,
) -> Vec<Field> {
    let row = |(place, row): (usize, &Row)| {
        let fields = vec![
            Field::text(row.sku, say.product(), values).autocomplete("off"),
            Field::text(row.quantity, say.quantity(), values).autocomplete("off"),
            Field::text(row.unit_price, say.unit_price(), values).autocomplete("off"),
            Field::text(row.discount, say.discount(), values).autocomplete("off"),
            Field::behind(row.group, say.note(), vec![Field::text(row.note, say.note(), values)]),
        ];
        let group = Field::group(row.group, say.quote_item(place + 1), fields).led();
        if place == 0 { group.hint(say.quote_items_hint()) } else { group }
    };
    let customer = Field::text("customer", say.customer(), values).autocomplete("off");
    let about = vec![
        customer.hint(say.quote_customer_hint()),
        Field::select("dealId", say.deal(), deals, values),
        Field::text("title", say.quote_title(), values),
    ];
    let discount = vec![
        Field::text("discount", say.discount(), values).hint(say.discount_hint()),
        Field::text("discountReason", say.reason(), values),
    ];
    let shipping = vec![
        Field::text("shippingName", say.shipping_name(), values),
        Field::text("shippingAmount", say.amount(), values),
    ];
    let terms = vec![
        Field::group("discounts", say.discount_on_all(), discount),
        Field::group("shipping", say.shipping(), shipping),
        Field::input("date", "validUntil", say.valid_until(), values).hint(say.quote_days_hint()),
        Field::tick("paymentLink", say.quote_opens_link(), values),
        Field::area("notes", say.notes(), 4, values).hint(say.quote_notes_hint()),
    ];
    let items = ROWS.iter().take(rows).enumerate().map(row);
    about.into_iter().chain(items).chain(terms).collect()
}

/// A fault at the field of the form: rows that were left out count there, and a product is named by its SKU.
pub(super) fn placed(fault: FieldFault, places: &[usize]) -> FieldFault {
    let of_item = row_of("items", &fault.field).and_then(|(index, rest)| {
        let row = ROWS.get(*places.get(index)?)?;
        Some(match rest {
            ".quantity" => row.quantity,
            ".unitPrice" => row.unit_price,
            ".note" => row.note,
            _ if rest.starts_with(".discount") => row.discount,
            _ => row.sku,
        })
    });
    let field = match (of_item, fault.field.as_str()) {
        (Some(field), _) => field,
        (None, "customerId") => "customer",
        (None, "items") => ROWS.first().map_or("", |row| row.sku),
        (None, "shipping.name") => "shippingName",
        (None, "shipping.amount" | "shipping") => "shippingAmount",
        (None, "discount.reason") => "discountReason",
        (None, field) if field.starts_with("discount") => "discount",
        (None, field) => return FieldFault::new(field.to_owned(), fault.problem),
    };
    FieldFault::new(field, fault.problem)
}

#[cfg(test)]
mod tests {
    use kernel::message;

    use super::*;

    fn read(body: &str) -> Result<Filled, Vec<String>> {
        match FORM.read_urlencoded(body.as_bytes()) {
            Ok(filled) => Ok(filled),
            Err(intake::Unreadable::Faulty(faults)) => {
                Err(faults.iter().map(|fault| fault.field.trim_matches('"').to_owned()).collect())
            }
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn discounts_are_read_as_they_are_written() {
        let amount = |micros| Amount::from_micros(micros);
        for (text, wanted) in [
            ("10%", Discount::Percent(amount(10_000_000))),
            ("12.5 %", Discount::Percent(amount(12_500_000))),
            ("150.5", Discount::Amount(amount(150_500_000))),
        ] {
            let read = discount(text).unwrap();
            assert_eq!(read, wanted, "{text}");
            assert_eq!(discount(&written(read)), Ok(wanted), "{text}");
        }
        for text in ["0", "-1", "0%", "101%", "1.00001%", "%", "ten"] {
            assert!(discount(text).is_err(), "{text}");
        }
    }

    #[test]
    fn rows_may_be_left_out_and_faults_find_theirs() {
        let body =
            "items%5B1%5D.sku=T&items%5B1%5D.quantity=2&items%5B4%5D.sku=P&items%5B4%5D.quantity=1";
        let filled = read(body).unwrap_or_else(|faults| panic!("{faults:?}"));
        let places: Vec<_> = filled.lines.iter().map(|line| line.place).collect();
        assert_eq!(places, [1, 4]);
        for (given, wanted) in [
            ("items[1].productId", "items[4].sku"),
            ("items[0].discount.amount", "items[1].discount"),
            ("items[1].quantity", "items[4].quantity"),
            ("items", "items[0].sku"),
            ("customerId", "customer"),
            ("shipping.amount", "shippingAmount"),
            ("discount.percent", "discount"),
            ("validUntil", "validUntil"),
        ] {
            let fault = FieldFault::new(given, message!("is wrong", "está mal"));
            assert_eq!(placed(fault, &places).field, wanted);
        }
    }

    #[test]
    fn what_goes_together_is_filled_in_together() {
        for (body, wanted) in [
            ("title=x", vec!["items[0].sku"]),
            ("items%5B3%5D.quantity=2", vec!["items[3].sku"]),
            ("items%5B2%5D.sku=T", vec!["items[2].quantity"]),
            ("keepItems=true&shippingName=DHL", vec!["shippingAmount"]),
            ("keepItems=true&shippingAmount=9", vec!["shippingName"]),
            ("keepItems=true&discountReason=x", vec!["discount"]),
            ("keepItems=true&discount=x&validUntil=x", vec!["discount", "validUntil"]),
        ] {
            assert_eq!(read(body).err().unwrap_or_default(), wanted, "{body}");
        }
        assert!(read("keepItems=true").is_ok());
    }
}
