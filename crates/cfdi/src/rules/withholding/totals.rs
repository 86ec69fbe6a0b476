//! The sums of a withholding, and the taxes that they are of.

use kernel::Amount;

use super::{
    GUIDE,
    amounts::{optional_pesos, pesos},
};
use crate::{
    catalogs::withholdings::{
        kinds,
        payment_kinds::{self, PaymentKind},
    },
    decimal,
    rules::{
        finding::{At, Findings},
        items::is_too_many,
        listed,
    },
    tax::Tax,
    withholding::{Totals, WithheldTax, Withholding},
};

const PAYMENT_KINDS: listed::Catalog =
    listed::named("kinds of payment", "tipos de pago de la retención", "c_TipoPagoRet");

pub(super) fn check(withholding: &Withholding, found: &mut Findings) {
    let at = At::top("totals");
    let totals = &withholding.totals;
    pesos(totals.operation, &at.field("operation"), found);
    pesos(totals.taxed, &at.field("taxed"), found);
    pesos(totals.exempt, &at.field("exempt"), found);
    pesos(totals.withheld, &at.field("withheld"), found);
    optional_pesos(totals.bimonthly_profit, &at.field("bimonthlyProfit"), found);
    optional_pesos(totals.bimonthly_isr, &at.field("bimonthlyIsr"), found);
    operation(totals, &at, found);
    bimonthly(withholding, &at, found);
    let taxes = At::top("taxes");
    if is_too_many(withholding.taxes.len(), &taxes, found) {
        return;
    }
    withheld(withholding, &at.field("withheld"), found);
    for (index, each) in withholding.taxes.iter().enumerate() {
        tax(each, withholding, &taxes.index(index), found);
    }
}

/// What is taxed and what is exempt together (20127), neither of them more than that (20128, 20129).
fn operation(totals: &Totals, at: &At<'_>, found: &mut Findings) {
    let operation = totals.operation;
    let sum = decimal::sum([totals.taxed, totals.exempt]);
    if operation != sum {
        found.add(
            "Reten20127",
            &at.field("operation"),
            format_args!(
                "is {operation}, but the taxed and the exempt part add up to {sum}: correct them"
            ),
            format_args!("es {operation}, pero lo gravado y lo exento suman {sum}: corregirlos"),
        );
    }
    let parts = [("Reten20128", "taxed", totals.taxed), ("Reten20129", "exempt", totals.exempt)];
    for (code, field, part) in parts {
        if part > operation {
            found.add(
                code,
                &at.field(field),
                format_args!("is {part}, more than operation, which is {operation}: correct them"),
                format_args!("es {part}, más que operation, que es {operation}: corregirlos"),
            );
        }
    }
}

/// Of code 28 there is the profit of two months (20132) and its tax (20133) instead of amounts paid (20108).
fn bimonthly(withholding: &Withholding, at: &At<'_>, found: &mut Findings) {
    let totals = &withholding.totals;
    let needed = withholding.code == kinds::INCORPORATION;
    let amounts = [
        ("Reten20132", "bimonthlyProfit", totals.bimonthly_profit),
        ("Reten20133", "bimonthlyIsr", totals.bimonthly_isr),
    ];
    for (code, field, amount) in amounts {
        let at = at.field(field);
        match amount {
            Some(amount) if amount.micros() <= 0 => found.add(
                code,
                &at,
                format_args!("is {amount}, but must be more than zero: correct it or leave it out"),
                format_args!("es {amount}, pero debe ser mayor que cero: corregirlo u omitirlo"),
            ),
            None if needed => found.add(
                code,
                &at,
                format_args!("is missing: code 28 states the profit of two months and its ISR"),
                format_args!("falta: la clave 28 lleva la utilidad bimestral y su ISR"),
            ),
            _ => {}
        }
    }
    for (field, part) in [("taxed", totals.taxed), ("exempt", totals.exempt)] {
        if needed && part != Amount::ZERO {
            found.add(
                "Reten20108",
                &at.field(field),
                format_args!("is {part}, but must be 0, because the code is 28"),
                format_args!("es {part}, pero debe ser 0, porque la clave es 28"),
            );
        }
    }
}

/// The sum of the taxes (20131), of which there are some if it is not zero (20130).
fn withheld(withholding: &Withholding, at: &At<'_>, found: &mut Findings) {
    let (stated, sum) = (withholding.totals.withheld, withholding.withheld());
    if stated == sum {
        return;
    }
    if withholding.taxes.is_empty() {
        found.add(
            "Reten20130",
            &At::top("taxes"),
            format_args!("is empty, but {stated} was withheld: add the taxes that it is of"),
            format_args!("está vacío, pero se retuvieron {stated}: agregar los impuestos"),
        );
    } else {
        found.add(
            "Reten20131",
            at,
            format_args!("is {stated}, but the amounts of the taxes add up to {sum}: correct them"),
            format_args!(
                "es {stated}, pero los importes de los impuestos suman {sum}: corregirlos"
            ),
        );
    }
}

/// In pesos (301), no more than what it was reckoned on, and of a kind that the tax has.
fn tax(tax: &WithheldTax, withholding: &Withholding, at: &At<'_>, found: &mut Findings) {
    optional_pesos(tax.base, &at.field("base"), found);
    pesos(tax.amount, &at.field("amount"), found);
    within_base(tax, &at.field("amount"), found);
    let at = at.field("paymentKind");
    let code = (tax.payment_kind.as_str(), payment_kinds::find(&tax.payment_kind));
    let day = withholding.issued_at.date();
    if let Some(kind) = listed::check(code, &PAYMENT_KINDS, day, ("301", &at), found) {
        of_tax(kind, tax, &at, found);
    }
}

/// Income tax is a part of what was earned, and IVA of the IVA that was charged, of which no more than all is withheld. How large a
/// part, each law says for itself; excise may be several times the price.
fn within_base(tax: &WithheldTax, at: &At<'_>, found: &mut Findings) {
    let of = tax.tax.or_else(|| payment_kinds::find(&tax.payment_kind).map(|kind| kind.tax));
    let (Some(of @ (Tax::Isr | Tax::Iva)), Some(base)) = (of, tax.base) else { return };
    if tax.amount > base && !base.is_negative() {
        let (amount, name) = (tax.amount, of.name());
        found.add(
            GUIDE,
            at,
            format_args!(
                "is {amount}, more than the base of the {name}, which is {base}: correct one of them",
            ),
            format_args!("es {amount}, más que la base del {name}, que es {base}: corregir uno"),
        );
    }
}

fn of_tax(kind: &PaymentKind, tax: &WithheldTax, at: &At<'_>, found: &mut Findings) {
    let PaymentKind { code, tax: own, .. } = kind;
    let Some(stated) = tax.tax.filter(|stated| stated != own) else { return };
    let (own, stated) = (own.name(), stated.name());
    found.add(
        GUIDE,
        at,
        format_args!("is {code}, which is of {own}, but the tax is {stated}: correct one of them"),
        format_args!("es {code}, que es de {own}, pero el impuesto es {stated}: corregir uno"),
    );
}
