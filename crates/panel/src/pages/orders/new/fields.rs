//! The form of a new order: what it says.

use std::collections::{BTreeMap, BTreeSet};

use catalog::{Code, product::checked_price};
use crm::CustomerId;
use intake::{
    Check, Fields, Form,
    checks::{id, line, number, paragraph, some_units, text},
    noun,
};
use kernel::{Amount, Measure, quantity::QUANTITY_MAX};
use orders::{
    Discount, PlaceDiscount, PlaceShipping, PriceListId, ShippingAddress, WarehouseId,
    order::{LINE_CHARS_MAX, NOTES_CHARS_MAX},
};

use crate::pages::{money::discount, orders::address, reading::required};

/// What sending the goods is called where nobody says it.
pub(in crate::pages::orders) const SHIPPING_NAME: &str = "Envío";

/// A row of a form: what is sold, and what was agreed on about it.
pub(super) struct Line {
    pub(super) code: Code,
    pub(super) quantity: Measure,
    pub(super) unit_price: Option<Amount>,
    pub(super) discount: Option<Discount>,
    pub(super) note: Option<String>,
}

/// What a form says of an order.
pub(in crate::pages::orders) struct Filled {
    /// Who buys, in words.
    pub(super) customer: String,
    /// Whom the words meant when the form was shown.
    pub(super) known: Option<CustomerId>,
    /// By the names of their rows.
    pub(super) lines: Vec<(String, Line)>,
    pub(super) discount: Option<PlaceDiscount>,
    pub(super) shipping: Option<PlaceShipping>,
    pub(super) address: Option<ShippingAddress>,
    pub(super) warehouse: Option<WarehouseId>,
    pub(super) price_list: Option<PriceListId>,
    pub(super) notes: Option<String>,
}

pub(in crate::pages::orders) const FORM: Form<Filled> =
    Form::body("NewOrder", noun("this form", "este formulario"), read, "");

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
