//! What a draft comes to by the service's own rule, beside its form and as far as that is filled in.

use intake::Faults;
use quotes::{CustomerId, Offered, Quote};

use super::{
    changes,
    fields::{FORM, Filled, ROWS, Row, placed},
    new_quote, wanted,
};
use crate::{
    call::{Call, Member},
    failure::Failure,
    form::Values,
    pages::{
        orders::{Summed, SumsCard, previewed, read_so_far},
        quotes::sums,
    },
    reply::answered,
    texts::Say,
};

/// What counts of a draft as a whole.
const OF_ALL: [&str; 5] = ["customer", "customerId", "dealId", "keepItems", "discount"];
/// What counts once both are filled in.
const SHIPPING: [&str; 2] = ["shippingName", "shippingAmount"];

/// What is offered, with its sums.
pub(super) fn card(say: Say, offered: &Offered) -> SumsCard {
    SumsCard::of(say, &offered.items, sums(say, offered), (offered.total, offered.currency))
}

/// What a form comes to; nothing is saved. Rows that are not complete do not count yet, and without any, or without anybody
/// whom the quote is for, there is no sum.
pub(super) async fn summed(
    call: &Call<Member>,
    before: Option<&Quote>,
    values: &Values,
) -> Result<Summed, Failure> {
    let say = call.say();
    let counting = counting(values);
    let keeps_items = before.is_some() && counting.has("keepItems");
    if !keeps_items && !ROWS.iter().any(|row| counting.has(row.sku)) {
        return Ok(Summed::nothing(say, Faults::new()));
    }
    let filled = match read_so_far(&FORM, &counting)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(Summed::nothing(say, faults)),
    };
    let wanted = match wanted(call, before, &filled).await? {
        Ok(wanted) => wanted,
        Err(faults) => return Ok(Summed::nothing(say, faults)),
    };
    let places: Vec<_> = filled.lines.iter().map(|line| line.place).collect();
    let command = match before {
        Some(quote) => changes(filled, wanted, quote).order(quote),
        None => {
            let customer = whose(call, &filled, wanted.customer).await?;
            customer.map(|customer| new_quote(filled, wanted).order(customer))
        }
    };
    let Some(command) = command else { return Ok(Summed::nothing(say, Faults::new())) };
    Ok(match previewed(call, command, |fault| placed(fault, &places)).await? {
        Ok(order) => Summed::whole(card(say, &Offered::of(order))),
        Err(faults) => Summed::nothing(say, faults),
    })
}

/// Whom a new quote is for: who is named, or whose deal it is of.
async fn whose(
    call: &Call<Member>,
    filled: &Filled,
    named: Option<CustomerId>,
) -> Result<Option<CustomerId>, Failure> {
    let (None, Some(deal)) = (named, filled.deal) else { return Ok(named) };
    let deal = crm::DealId::from_u128(deal.to_u128());
    let deal = answered(call.services().deals.get(call.account(), deal)).await?;
    let customer = deal.and_then(|deal| deal.customer);
    Ok(customer.map(|id| CustomerId::from_u128(id.to_u128())))
}

/// What counts of a form.
fn counting(values: &Values) -> Values {
    let is_filled = |name: &str| values.filled(name).is_some();
    let is_complete = |row: &&Row| is_filled(row.sku) && is_filled(row.quantity);
    let of_row = |row: &Row| [row.sku, row.quantity, row.unit_price, row.discount];
    let of_rows = ROWS.iter().filter(is_complete).flat_map(of_row);
    let ships = SHIPPING.into_iter().all(is_filled);
    let shipping = SHIPPING.into_iter().filter(|_| ships);
    let names = OF_ALL.into_iter().chain(of_rows).chain(shipping);
    let told: Vec<_> = names.filter_map(|name| Some((name, values.filled(name)?))).collect();
    Values::with(&told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_complete_does_not_count() {
        let values = Values::of_query(
            "customer=Ana&title=Tazas&items[0].sku=TAZA&items[0].quantity=2&items[0].unitPrice=%241%2C234.50\
             &items[0].note=Roja&items[1].sku=PLATO&items[1].quantity=+&items[2].quantity=3&discount=5\
             &discountReason=Amiga&shippingAmount=80&validUntil=x&version=3",
        );
        let read = counting(&values);
        let names: Vec<_> = read.pairs().map(|(name, _)| name).collect();
        let wanted =
            ["customer", "discount", "items[0].sku", "items[0].quantity", "items[0].unitPrice"];
        assert_eq!(names, wanted);
        assert!(matches!(read_so_far(&FORM, &read), Ok(Ok(_))));
        let ships = Values::of_query("shippingName=DHL&shippingAmount=80");
        assert_eq!(counting(&ships).pairs().count(), 2);
    }
}
