//! The one item of a payment receipt, which SAT has fixed (matrix of payments 2.0).

use std::fmt;

use kernel::Amount;

use super::{
    case::Case,
    finding::{At, Findings, Shown},
    third_party,
};
use crate::document::Item;

const ONE: Amount = Amount::from_micros(1_000_000);

/// Exactly one item, as it must be (CRP20111–20123).
pub(super) fn check(case: &Case<'_>, found: &mut Findings) {
    let at = At::top("items");
    let [item] = case.document.items.as_slice() else {
        let count = case.document.items.len();
        found.add(
            "CRP20111",
            &at,
            format_args!(
                "has {count} items, but a payment receipt has exactly one: 84111506, 1, ACT, \
                 \"Pago\", at 0",
            ),
            format_args!(
                "tiene {count} conceptos, pero un recibo de pago lleva exactamente uno: 84111506, \
                 1, ACT, \"Pago\", con valor 0",
            ),
        );
        return;
    };
    let at = at.index(0);
    fixed(item, &at, found);
    absent(item, &at, found);
    if let Some(party) = &item.third_party {
        third_party::check(case, party, &at.field("thirdParty"), found);
    }
}

fn fixed(item: &Item, at: &At<'_>, found: &mut Findings) {
    let texts = [
        ("CRP20113", "satProductKey", item.sat_product_key.as_str(), "84111506"),
        ("CRP20116", "satUnitKey", item.sat_unit_key.as_str(), "ACT"),
        ("CRP20118", "description", item.description.as_str(), "Pago"),
        ("CRP20122", "taxObject", item.tax_object.as_str(), "01"),
    ];
    for (code, field, value, wanted) in texts {
        if value != wanted {
            let (value, wanted) = (Shown(value), Shown(wanted));
            must_be(
                code,
                &at.field(field),
                format_args!("{value}"),
                format_args!("{wanted}"),
                found,
            );
        }
    }
    let amounts = [
        ("CRP20115", "quantity", item.quantity, ONE),
        ("CRP20119", "unitPrice", item.unit_price, Amount::ZERO),
        ("CRP20120", "amount", item.amount, Amount::ZERO),
    ];
    for (code, field, value, wanted) in amounts {
        if value != wanted {
            must_be(
                code,
                &at.field(field),
                format_args!("{value}"),
                format_args!("{wanted}"),
                found,
            );
        }
    }
}

fn must_be(
    code: &'static str,
    at: &At<'_>,
    value: fmt::Arguments<'_>,
    wanted: fmt::Arguments<'_>,
    found: &mut Findings,
) {
    found.add(
        code,
        at,
        format_args!(
            "is {value}, but must be {wanted} in a payment receipt: the amounts paid belong in the \
             payments",
        ),
        format_args!(
            "es {value}, pero debe ser {wanted} en un recibo de pago: los importes pagados van en \
             los pagos",
        ),
    );
}

fn absent(item: &Item, at: &At<'_>, found: &mut Findings) {
    let there = [
        ("CRP20114", "sku", item.sku.is_some()),
        ("CRP20117", "unit", item.unit.is_some()),
        ("CRP20121", "discount", item.discount.is_some()),
        ("CRP20123", "taxes", !item.taxes.is_empty()),
        ("CRP20112", "customs", !item.customs.is_empty()),
        ("CRP20112", "propertyAccounts", !item.property_accounts.is_empty()),
        ("CRP20112", "parts", !item.parts.is_empty()),
    ];
    for (code, field, is_there) in there {
        if is_there {
            found.add(
                code,
                &at.field(field),
                format_args!(
                    "must be left out in a payment receipt: the amounts paid and their taxes \
                     belong in the payments",
                ),
                format_args!(
                    "debe omitirse en un recibo de pago: los importes pagados y sus impuestos van \
                     en los pagos",
                ),
            );
        }
    }
}
