//! What a new order comes to by the service's own rule, beside its form and as far as that is filled in.

use askama::{Template, filters::HtmlSafe};
use intake::{Faults, Unreadable};
use orders::{Item, ItemSku, Order};

use super::{
    detail::sums,
    new::{FORM, in_form, unplaced, wanted},
};
use crate::{
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::{money, quantity, unit_price},
    reply::{answered, refusal},
    texts::Say,
};

/// What a row needs before it counts.
const NEEDED: [&str; 2] = ["sku", "quantity"];
/// What counts of a row.
const OF_ROWS: [&str; 4] = ["sku", "quantity", "unitPrice", "discount"];
/// What counts of the order as a whole.
const OF_ALL: [&str; 6] =
    ["customer", "customerId", "orderDiscount", "shipping.amount", "warehouse", "priceList"];

/// What a form comes to, and what is wrong with what is filled in.
pub(super) struct Summed {
    pub(super) card: SumsCard,
    pub(super) faults: Faults,
}

/// The lines of an order with their sums.
#[derive(Template)]
#[template(path = "orders/sums.html", whitespace = "minimize")]
pub(super) struct SumsCard {
    say: Say,
    lines: Vec<(String, String)>,
    sums: Vec<(&'static str, String)>,
    total: Option<String>,
}

impl HtmlSafe for SumsCard {}

impl SumsCard {
    /// Of an order that is not begun.
    const fn empty(say: Say) -> Self {
        Self { say, lines: Vec::new(), sums: Vec::new(), total: None }
    }

    fn of(say: Say, order: &Order) -> Self {
        let line = |item: &Item| {
            let label = format!("{} × {}", quantity(item.ordered()), item.name);
            (label, unit_price(item.line_total(), order.currency))
        };
        Self {
            say,
            lines: order.items.iter().map(line).collect(),
            sums: sums(say, order),
            total: Some(money(order.total, order.currency)),
        }
    }
}

/// What a form comes to; nothing is placed. Rows that are not complete do not count yet, and without any, or without anybody who
/// buys, there is no sum: prices depend on who does.
pub(super) async fn summed(call: &Call<Member>, values: &Values) -> Result<Summed, Failure> {
    let say = call.say();
    let refused = |faults| Summed { card: SumsCard::empty(say), faults };
    let counting = counting(values);
    let is_begun = ["customer", "sku"]
        .iter()
        .all(|begun| counting.pairs().any(|(name, _)| name.split('[').next() == Some(*begun)));
    if !is_begun {
        return Ok(refused(Faults::new()));
    }
    let filled = match FORM.read_typed(counting.without_secrets().as_bytes()) {
        Ok(filled) => filled,
        Err(Unreadable::Faulty(faults)) => return Ok(refused(faults)),
        Err(unreadable) => return Err(unreadable.into()),
    };
    let (command, rows) = match wanted(call, filled).await? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(refused(faults)),
    };
    let goods: Vec<ItemSku> = command.items.iter().map(|item| item.wanted).collect();
    match answered(call.services().orders.preview(call.ctx(), command)).await? {
        Ok(order) => Ok(Summed { card: SumsCard::of(say, &order), faults: Faults::new() }),
        Err(why) => {
            let faults = refusal(why, |error| vec![unplaced(&error, &goods)])?;
            Ok(refused(faults.into_iter().map(|fault| in_form(fault, &rows)).collect()))
        }
    }
}

/// What counts of a form.
fn counting(values: &Values) -> Values {
    let is_complete =
        |row: &str| NEEDED.iter().all(|needed| values.filled(&format!("{needed}[{row}")).is_some());
    let counts = |name: &str| match name.split_once('[') {
        Some((column, row)) => OF_ROWS.contains(&column) && is_complete(row),
        None => OF_ALL.contains(&name),
    };
    let told = values.pairs().filter(|(name, text)| !text.trim().is_empty() && counts(name));
    Values::with(&told.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_not_complete_do_not_count() {
        let values = Values::of_query(
            "customer=Ana&sku[0]=TAZA&quantity[0]=2&unitPrice[0]=%241%2C234.50&note[0]=Roja&sku[1]=PLATO&quantity[1]=+\
             &quantity[2]=3&discount[2]=10%25&orderDiscount=5&discountReason=Amiga&address.street=Madero+1&notes=x&priceList=",
        );
        let counting = counting(&values);
        let names: Vec<_> = counting.pairs().map(|(name, _)| name).collect();
        assert_eq!(names, ["customer", "sku[0]", "quantity[0]", "unitPrice[0]", "orderDiscount"]);
        let filled = FORM.read_typed(counting.without_secrets().as_bytes());
        assert!(filled.is_ok(), "{:?}", filled.err());
    }
}
