//! An invoice with its documents.

use askama::Template;
use kernel::Language;
use time::PrimitiveDateTime;

use crate::{
    drawn,
    moment::day_and_time,
    texts::{Texts, texts},
};

/// The page of an invoice.
pub struct InvoicePage<'a> {
    /// The language it is in.
    pub language: Language,
    /// Whether it is a trial.
    pub sandbox: bool,
    /// What it is, a letter of c_TipoDeComprobante.
    pub kind: &'a str,
    /// Series and folio.
    pub number: &'a str,
    /// Who issues it.
    pub issuer: &'a str,
    /// Who receives it.
    pub receiver: &'a str,
    /// The local time of its issue, as the document states it.
    pub issued_at: PrimitiveDateTime,
    /// What it amounts to.
    pub total: Option<Money>,
    /// Its fiscal folio.
    pub uuid: &'a str,
    /// Whether it was cancelled.
    pub cancelled: bool,
    /// Where SAT says whether it is valid.
    pub verification_url: &'a str,
    /// Where its XML and PDF are.
    pub address: &'a str,
}

/// Currencies that are written with the sign of dollars.
const DOLLAR_SIGN: &[&str] = &["ARS", "AUD", "CAD", "CLP", "COP", "MXN", "NZD", "USD", "UYU"];

/// An amount with its currency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Money {
    /// Its digits, not below zero.
    pub digits: String,
    /// The code of its currency.
    pub currency: String,
}

impl Money {
    /// The amount as people write it: with the sign of pesos and dollars. The code says which.
    pub(crate) fn shown(&self) -> String {
        let sign = if DOLLAR_SIGN.contains(&self.currency.as_str()) { "$" } else { "" };
        format!("{sign}{}", self.grouped())
    }

    /// The digits with commas between the thousands, as both languages write them in Mexico.
    fn grouped(&self) -> String {
        let (whole, fraction) = match self.digits.split_once('.') {
            Some((whole, fraction)) => (whole, format!(".{fraction}")),
            None => (self.digits.as_str(), String::new()),
        };
        let count = whole.chars().count();
        let mut grouped = String::with_capacity(count + count / 3);
        for (place, digit) in whole.chars().enumerate() {
            if place > 0 && (count - place).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        grouped + &fraction
    }
}

#[derive(Template)]
#[template(path = "invoice.html", whitespace = "minimize")]
struct Sheet<'a> {
    t: &'static Texts,
    sandbox: bool,
    page: &'a InvoicePage<'a>,
    title: &'static str,
    issued_at: String,
}

impl InvoicePage<'_> {
    /// The page as HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let t = texts(self.language);
        let title = match self.kind {
            "E" => t.credit_title,
            "P" => t.receipt_title,
            "T" => t.transfer_title,
            _ => t.invoice_title,
        };
        let issued_at = day_and_time(self.issued_at, self.language);
        drawn(&Sheet { t, sandbox: self.sandbox, page: self, title, issued_at })
    }
}
