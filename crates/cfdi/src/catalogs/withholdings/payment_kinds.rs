//! What a tax that is withheld counts as for the receiver (c_TipoPagoRet).

use time::Date;

use crate::catalogs::row::{START, catalog, row};
use crate::tax::Tax;

/// What a tax counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaymentKind {
    /// What documents say.
    pub code: &'static str,
    /// What SAT calls it.
    pub name: &'static str,
    /// The tax it is of.
    pub tax: Tax,
    /// The first day it may be used.
    pub valid_from: Date,
    /// The last day it may be used.
    pub valid_until: Option<Date>,
}

row!(PaymentKind);

const ROWS: &[PaymentKind] = &[
    of("01", "Pago definitivo IVA", Tax::Iva),
    of("02", "Pago definitivo IEPS", Tax::Ieps),
    of("03", "Pago definitivo ISR", Tax::Isr),
    of("04", "Pago provisional ISR", Tax::Isr),
];

catalog!(PaymentKind, ROWS);

const fn of(code: &'static str, name: &'static str, tax: Tax) -> PaymentKind {
    PaymentKind { code, name, tax, valid_from: START, valid_until: None }
}
