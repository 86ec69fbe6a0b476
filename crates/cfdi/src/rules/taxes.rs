//! The taxes of an item, or of a document that is paid.

use kernel::Amount;
use time::Date;

use super::{
    finding::{At, Findings, Shown},
    limits::{self, Limits, written_decimals},
};
use crate::{
    catalogs::rates,
    decimal,
    tax::{Factor, ItemTax, Tax, TaxRate},
};

/// SAT's codes for one direction of taxes.
pub(super) struct Codes {
    base: &'static str,
    factor: &'static str,
    rate: &'static str,
    amount: &'static str,
}

/// SAT's codes for both: what is charged, and what is withheld.
pub(super) struct Matrix([Codes; 2]);

pub(super) const OF_ITEMS: Matrix = Matrix([
    Codes { base: "CFDI40174", factor: "CFDI40177", rate: "CFDI40179", amount: "CFDI40180" },
    Codes { base: "CFDI40181", factor: "CFDI40184", rate: "CFDI40185", amount: "CFDI40186" },
]);

pub(super) const OF_PAYMENTS: Matrix = Matrix([
    Codes { base: "CRP20255", factor: "CRP20258", rate: "CRP20260", amount: "CRP20261" },
    Codes { base: "CRP20249", factor: "CRP20252", rate: "CRP20253", amount: "CRP20254" },
]);

/// By what taxes are judged.
pub(super) struct Judge<'a> {
    pub(super) codes: &'a Matrix,
    /// The day by which rates must be in force.
    pub(super) day: Date,
    /// The decimals that amounts have at least.
    pub(super) decimals: u32,
    /// Whether each tax is stated once: of an item it is, of a document it may be at several rates.
    pub(super) once: bool,
    /// Why the rate of the border regions cannot be, where it cannot.
    pub(super) no_border_rate: Option<NoBorderRate<'a>>,
}

/// Why an item cannot have the rate of the border regions.
#[derive(Clone, Copy)]
pub(super) enum NoBorderRate<'a> {
    /// It is issued in this postal code, outside those regions.
    Place(&'a str),
    /// SAT's catalog excludes this product key from the stimulus.
    Product(&'a str),
}

impl Judge<'_> {
    pub(super) fn check(&self, taxes: &[ItemTax], at: &At<'_>, found: &mut Findings) {
        let Matrix([transferred, withheld]) = self.codes;
        for (index, tax) in taxes.iter().enumerate() {
            let at = at.index(index);
            let codes = if tax.rate.withheld { withheld } else { transferred };
            base(tax.base, codes, &at.field("base"), found);
            let is_same = |other: &ItemTax| other.rate.repeats(&tax.rate);
            if self.once && taxes.iter().take(index).any(is_same) {
                repeated(&tax.rate, codes.rate, &at.field("tax"), found);
            }
            if tax.rate.factor == Factor::Exento {
                exempt(tax, codes, &at, found);
                continue;
            }
            self.rate(&tax.rate, codes.rate, &at.field("rate"), found);
            self.amount(tax, codes.amount, &at.field("amount"), found);
        }
    }

    /// One of the catalog (40179, 40185).
    fn rate(&self, rate: &TaxRate, code: &'static str, at: &At<'_>, found: &mut Findings) {
        if rate.tax == Tax::Isr && !rate.withheld {
            charged_isr(code, at, found);
            return;
        }
        match (rates::find(rate, self.day), self.no_border_rate) {
            (None, _) => unknown_rate(rate, self.day, code, at, found),
            (Some(row), Some(why)) if row.border_only && !rate.withheld => {
                border_rate(rate.rate, why, code, at, found);
            }
            _ => {}
        }
    }

    /// Base times rate, as far as the base is rounded (40180, 40186).
    fn amount(&self, tax: &ItemTax, code: &'static str, at: &At<'_>, found: &mut Findings) {
        if !limits::is_possible(tax.amount, at, found) || tax.base.is_negative() {
            return;
        }
        let written = written_decimals(tax.amount, self.decimals);
        let limits = Limits::of_tax(tax.base, tax.rate.rate, self.decimals, written);
        if !limits.include(tax.amount) {
            let (least, most) = limits.ends();
            let [amount, least, most, base] =
                [tax.amount, least, most, tax.base].map(|sum| decimal::digits(sum, self.decimals));
            let rate = tax.rate.rate;
            found.add(
                code,
                at,
                format_args!(
                    "is {amount}, but must be between {least} and {most}: base {base} times rate \
                     {rate}",
                ),
                format_args!(
                    "es {amount}, pero debe estar entre {least} y {most}: la base {base} por la \
                     tasa o cuota {rate}",
                ),
            );
        }
    }
}

fn repeated(rate: &TaxRate, code: &'static str, at: &At<'_>, found: &mut Findings) {
    let name = rate.tax.name();
    found.add(
        code,
        at,
        format_args!("is {name}, which this item states already: state each tax once"),
        format_args!("es {name}, que este concepto ya indica: indicar cada impuesto una sola vez"),
    );
}

/// Above zero (40174, 40181).
fn base(base: Amount, codes: &Codes, at: &At<'_>, found: &mut Findings) {
    if base.micros() <= 0 {
        found.add(
            codes.base,
            at,
            format_args!(
                "is {base}, but must be greater than zero: if there is no taxable base, leave the \
                 tax out and choose a tax object without taxes",
            ),
            format_args!(
                "es {base}, pero debe ser mayor que cero: si no queda base gravable, quitar el \
                 impuesto y elegir un objeto de impuesto sin desglose",
            ),
        );
    }
    if base > Amount::MAX {
        limits::is_possible(base, at, found);
    }
}

/// Without rate and amount (40177), and never withheld (40184).
fn exempt(tax: &ItemTax, codes: &Codes, at: &At<'_>, found: &mut Findings) {
    let name = tax.rate.tax.name();
    if tax.rate.withheld {
        let at = at.field("rate");
        found.add(
            codes.factor,
            &at.field("factor"),
            format_args!(
                "is Exento, but a withheld tax is never exempt: state the rate of the {name} \
                 withheld, or leave it out",
            ),
            format_args!(
                "es Exento, pero una retención nunca es exenta: indicar la tasa del {name} \
                 retenido, o quitarla",
            ),
        );
    } else if tax.rate.tax == Tax::Isr {
        charged_isr(codes.rate, &at.field("rate"), found);
    } else if tax.rate.rate != Amount::ZERO {
        let rate = tax.rate.rate;
        let at = at.field("rate");
        found.add(
            codes.factor,
            &at.field("rate"),
            format_args!(
                "is {rate}, but must be 0, because the {name} is Exento: set it to 0, or set the \
                 factor to Tasa if it is taxed (0 % is not exempt)",
            ),
            format_args!(
                "es {rate}, pero debe ser 0, porque el {name} es Exento: ponerlo en 0, o cambiar el \
                 factor a Tasa si está gravado (0 % no es exento)",
            ),
        );
    } else if tax.amount != Amount::ZERO {
        let amount = tax.amount;
        found.add(
            codes.factor,
            &at.field("amount"),
            format_args!(
                "is {amount}, but must be 0, because the {name} is Exento: set it to 0, or set the \
                 factor to Tasa if it is taxed",
            ),
            format_args!(
                "es {amount}, pero debe ser 0, porque el {name} es Exento: ponerlo en 0, o cambiar \
                 el factor a Tasa si está gravado",
            ),
        );
    }
}

fn charged_isr(code: &'static str, at: &At<'_>, found: &mut Findings) {
    found.add(
        code,
        at,
        format_args!(
            "is transferred ISR, but ISR can only be withheld: state it as withheld, or choose IVA \
             or IEPS",
        ),
        format_args!(
            "es ISR trasladado, pero el ISR solo se retiene: indicarlo como retenido, o elegir IVA \
             o IEPS",
        ),
    );
}

fn unknown_rate(rate: &TaxRate, day: Date, code: &'static str, at: &At<'_>, found: &mut Findings) {
    let TaxRate { tax, factor, rate: value, withheld } = rate;
    let (tax, factor) = (tax.name(), factor.code());
    let known = known_rates(rate, day);
    let (english, spanish) = match (withheld, known.is_empty()) {
        (_, true) => {
            (format!("it cannot be stated as {factor}"), format!("no se expresa como {factor}"))
        }
        (false, _) => (format!("it can be {known}"), format!("puede ser {known}")),
        (true, _) => {
            (format!("the withheld rate can be {known}"), format!("la retención puede ser {known}"))
        }
    };
    found.add(
        code,
        at,
        format_args!("is {tax} at {value} ({factor}), which is not in SAT's catalog: {english}"),
        format_args!(
            "es {tax} con {value} ({factor}), que no está en el catálogo del SAT: {spanish}",
        ),
    );
}

/// The rates that the tax may have, `0–0.35` for a range.
fn known_rates(rate: &TaxRate, day: Date) -> String {
    let fits = |row: &&rates::Rate| {
        let direction = if rate.withheld { row.withheld } else { row.transferred };
        direction && (row.tax, row.factor) == (rate.tax, rate.factor) && row.in_force(day)
    };
    let shown = |row: &rates::Rate| match row.is_fixed() {
        true => row.max.to_string(),
        false => format!("{}–{}", row.min, row.max),
    };
    rates::all().iter().filter(fits).map(shown).collect::<Vec<_>>().join(", ")
}

fn border_rate(
    rate: Amount,
    why: NoBorderRate<'_>,
    code: &'static str,
    at: &At<'_>,
    found: &mut Findings,
) {
    match why {
        NoBorderRate::Place(place) => {
            let place = Shown(place);
            found.add(
                code,
                at,
                format_args!(
                    "is IVA at {rate}, which only applies in the border regions, but the place of \
                     issue {place} is not in one: set 0.16, or the postal code of the premises in \
                     the border region",
                ),
                format_args!(
                    "es IVA con {rate}, que solo aplica en las regiones fronterizas, pero el lugar \
                     de expedición {place} no está en ninguna: usar 0.16, o el código postal del \
                     establecimiento en la frontera",
                ),
            );
        }
        NoBorderRate::Product(key) => {
            found.add(
                code,
                at,
                format_args!(
                    "is IVA at {rate}, but SAT's catalog excludes the product key {key} from the \
                     border stimulus: set 0.16, or the key of what is sold",
                ),
                format_args!(
                    "es IVA con {rate}, pero el catálogo del SAT excluye la clave de producto \
                     {key} del estímulo fronterizo: usar 0.16, o la clave de lo que se vende",
                ),
            );
        }
    }
}
