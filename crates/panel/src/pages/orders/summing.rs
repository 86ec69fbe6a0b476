//! What a new order comes to by the service's own rule, beside its form and as far as that is filled in; and what forms of other
//! sales share of that.

use askama::{Template, filters::HtmlSafe};
use intake::{Faults, Form, Unreadable};
use kernel::{Amount, Currency, FieldFault};
use orders::{Item, ItemSku, Order, PlaceOrder};

use super::{
    new::{FORM, in_form, unplaced, wanted},
    owing::sums_before,
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
pub(in crate::pages) struct Summed {
    pub(in crate::pages) card: SumsCard,
    pub(in crate::pages) faults: Faults,
}

impl Summed {
    /// Of what comes to nothing yet, with what is wrong with it.
    pub(in crate::pages) const fn nothing(say: Say, faults: Faults) -> Self {
        Self { card: SumsCard { say, lines: Vec::new(), sums: Vec::new(), total: None }, faults }
    }

    /// Of what comes to something, with which nothing is wrong.
    pub(in crate::pages) const fn whole(card: SumsCard) -> Self {
        Self { card, faults: Faults::new() }
    }
}

/// The lines of what is sold with their sums.
#[derive(Template)]
#[template(path = "orders/sums.html", whitespace = "minimize")]
pub(in crate::pages) struct SumsCard {
    say: Say,
    lines: Vec<(String, String)>,
    sums: Vec<(&'static str, String)>,
    total: Option<String>,
}

impl HtmlSafe for SumsCard {}

impl SumsCard {
    /// Of these items; `sums` is what stands between them and the total.
    pub(in crate::pages) fn of(
        say: Say,
        items: &[Item],
        sums: Vec<(&'static str, String)>,
        (total, currency): (Amount, Currency),
    ) -> Self {
        let line = |item: &Item| {
            let label = format!("{} × {}", quantity(item.ordered()), item.name);
            (label, unit_price(item.line_total(), currency))
        };
        let lines = items.iter().map(line).collect();
        Self { say, lines, sums, total: Some(money(total, currency)) }
    }
}

/// What counts of a form as that reads it, or what is wrong with it.
pub(in crate::pages) fn read_so_far<T>(
    form: &Form<T>,
    counting: &Values,
) -> Result<Result<T, Faults>, Failure> {
    match form.read_typed(counting.without_secrets().as_bytes()) {
        Ok(filled) => Ok(Ok(filled)),
        Err(Unreadable::Faulty(faults)) => Ok(Err(faults)),
        Err(unreadable) => Err(unreadable.into()),
    }
}

/// What would be ordered, or why it could not be, at the fields of the form that `in_form` finds. Nothing is placed.
pub(in crate::pages) async fn previewed(
    call: &Call<Member>,
    command: PlaceOrder,
    in_form: impl Fn(FieldFault) -> FieldFault,
) -> Result<Result<Order, Faults>, Failure> {
    let goods: Vec<ItemSku> = command.items.iter().map(|item| item.wanted).collect();
    match answered(call.services().orders.preview(call.ctx(), command)).await? {
        Ok(order) => Ok(Ok(order)),
        Err(why) => {
            let faults = refusal(why, |error| vec![unplaced(&error, &goods)])?;
            Ok(Err(faults.into_iter().map(in_form).collect()))
        }
    }
}

/// What a form comes to; nothing is placed. Rows that are not complete do not count yet, and without any, or without anybody who
/// buys, there is no sum: prices depend on who does.
pub(super) async fn summed(call: &Call<Member>, values: &Values) -> Result<Summed, Failure> {
    let say = call.say();
    let counting = counting(values);
    let is_begun = ["customer", "sku"]
        .iter()
        .all(|begun| counting.pairs().any(|(name, _)| name.split('[').next() == Some(*begun)));
    if !is_begun {
        return Ok(Summed::nothing(say, Faults::new()));
    }
    let filled = match read_so_far(&FORM, &counting)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(Summed::nothing(say, faults)),
    };
    let (command, rows) = match wanted(call, filled).await? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(Summed::nothing(say, faults)),
    };
    Ok(match previewed(call, command, |fault| in_form(fault, &rows)).await? {
        Ok(order) => {
            let (total, sums) = ((order.total, order.currency), sums_before(call, &order).await?);
            Summed::whole(SumsCard::of(say, &order.items, sums, total))
        }
        Err(faults) => Summed::nothing(say, faults),
    })
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
