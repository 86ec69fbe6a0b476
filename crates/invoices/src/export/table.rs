//! The accountant's table: a row for each invoice, with what a bookkeeper enters of it.

use cfdi::{
    catalogs::{postal_codes, zones::Zone},
    decimal,
    document::{Document, DocumentType, PaymentMethod, local_time},
    payments::PaymentTotals,
    tax::{Factor, Tax, TaxRate},
    totals::Totals,
};
use kernel::{Amount, Currency, Language, spreadsheet::guarded};

use crate::{Invoice, Status};

/// Centavos.
const DECIMALS: u32 = 2;

/// One column: its heading in Spanish and English, and its cell.
type Column = (&'static str, &'static str, fn(&Entry<'_>) -> Cell);

/// What stands in a cell.
enum Cell {
    Empty,
    /// Words and codes, some of them from outside.
    Text(String),
    /// A decimal number.
    Number(Amount),
}

/// What a row is made of.
struct Entry<'a> {
    invoice: &'a Invoice,
    language: Language,
    document: &'a Document,
    totals: Totals,
    /// In pesos, of a receipt of payments.
    paid: Option<PaymentTotals>,
    zone: Option<Zone>,
}

const COLUMNS: &[Column] = &[
    ("UUID", "UUID", |e| text(e.invoice.uuid())),
    ("Estado", "Status", |e| text(Some(e.status()))),
    ("Tipo", "Type", |e| text(Some(e.document.kind.code()))),
    ("Serie", "Series", |e| text(e.document.series.as_deref())),
    ("Folio", "Folio", |e| text(e.document.folio.as_deref())),
    ("Fecha de emisión", "Issued at", |e| own(local_time::to_text(e.document.issued_at))),
    ("Zona horaria", "Time zone", |e| text(e.zone.map(Zone::name))),
    ("Fecha de timbrado", "Stamped at", |e| {
        let stamped = e.invoice.stamp.as_ref();
        stamped.map_or(Cell::Empty, |it| own(local_time::to_text(it.stamp.stamped_at)))
    }),
    ("Fecha de cancelación", "Cancelled at", |e| e.cancelled_at()),
    ("Motivo de cancelación", "Cancellation reason", |e| {
        let cancelled = e.cancelled();
        text(cancelled.map(|cancellation| cancellation.reason.code()))
    }),
    ("UUID que sustituye", "Replaced by UUID", |e| {
        text(e.cancelled().and_then(|cancellation| cancellation.replacement_uuid.as_deref()))
    }),
    ("RFC del emisor", "Issuer RFC", |e| text(Some(&e.document.issuer.rfc))),
    ("Nombre del emisor", "Issuer name", |e| text(Some(&e.document.issuer.legal_name))),
    ("Régimen del emisor", "Issuer tax regime", |e| text(Some(&e.document.issuer.tax_regime))),
    ("Lugar de expedición", "Place of issue", |e| text(Some(&e.document.place_of_issue))),
    ("RFC del receptor", "Receiver RFC", |e| text(Some(&e.document.receiver.rfc))),
    ("Nombre del receptor", "Receiver name", |e| text(Some(&e.document.receiver.legal_name))),
    ("Régimen del receptor", "Receiver tax regime", |e| {
        text(Some(&e.document.receiver.tax_regime))
    }),
    ("Código postal del receptor", "Receiver postal code", |e| {
        text(Some(&e.document.receiver.tax_zip))
    }),
    ("Uso de CFDI", "CFDI use", |e| text(Some(&e.document.receiver.cfdi_use))),
    ("Método de pago", "Payment method", |e| {
        text(e.document.payment_method.map(PaymentMethod::code))
    }),
    ("Forma de pago", "Payment form", |e| e.payment_form()),
    ("Moneda", "Currency", |e| e.currency()),
    ("Tipo de cambio", "Exchange rate", |e| number(e.document.exchange_rate)),
    ("Subtotal", "Subtotal", |e| e.of_sale(|totals| Some(totals.sub_total))),
    ("Descuento", "Discount", |e| e.of_sale(|totals| totals.discount)),
    ("Base de IVA 16 %", "IVA 16% base", |e| number(e.iva(160_000).map(|(base, _)| base))),
    ("IVA 16 %", "IVA 16%", |e| number(e.iva(160_000).map(|(_, tax)| tax))),
    ("Base de IVA 8 %", "IVA 8% base", |e| number(e.iva(80_000).map(|(base, _)| base))),
    ("IVA 8 %", "IVA 8%", |e| number(e.iva(80_000).map(|(_, tax)| tax))),
    ("Base de IVA 0 %", "IVA 0% base", |e| number(e.iva(0).map(|(base, _)| base))),
    ("Base exenta de IVA", "IVA exempt base", |e| number(e.exempt())),
    ("IEPS", "IEPS", |e| match &e.paid {
        Some(paid) => number(paid.ieps),
        None => e.of_sale(|totals| charged(totals, Tax::Ieps)),
    }),
    ("ISR retenido", "ISR withheld", |e| number(e.withheld(Tax::Isr))),
    ("IVA retenido", "IVA withheld", |e| number(e.withheld(Tax::Iva))),
    ("IEPS retenido", "IEPS withheld", |e| number(e.withheld(Tax::Ieps))),
    ("Impuestos locales", "Local taxes", |e| {
        e.of_sale(|totals| Some(totals.local_charged).filter(|sum| *sum != Amount::ZERO))
    }),
    ("Retenciones locales", "Local withholdings", |e| {
        e.of_sale(|totals| Some(totals.local_withheld).filter(|sum| *sum != Amount::ZERO))
    }),
    ("Total", "Total", |e| e.of_sale(|totals| Some(totals.total))),
    ("Total en pesos", "Total in pesos", |e| e.total_in_pesos()),
    ("Saldo", "Balance", |e| number(e.invoice.outstanding())),
    ("Monto pagado en pesos", "Amount paid in pesos", |e| {
        number(e.paid.as_ref().map(|paid| paid.amount))
    }),
    ("UUID pagados", "Paid UUIDs", |e| e.paid_uuids()),
    ("Relaciones", "Related UUIDs", |e| e.related()),
    ("Identificador", "Identifier", |e| own(e.invoice.id.to_string())),
    ("Cliente", "Customer", |e| {
        e.invoice.draft.customer.map_or(Cell::Empty, |id| own(id.to_string()))
    }),
    ("Pedidos", "Orders", |e| own(listed(e.invoice.draft.orders.iter().map(ToString::to_string)))),
];

/// The headings of the table.
#[must_use]
pub fn heading(language: Language) -> Vec<&'static str> {
    let chosen = |(spanish, english, _): &Column| match language {
        Language::Spanish => *spanish,
        Language::English => *english,
    };
    COLUMNS.iter().map(chosen).collect()
}

/// The row of an invoice. No cell begins as spreadsheets' formulas do (OWASP, CSV injection).
#[must_use]
pub fn row(invoice: &Invoice, language: Language) -> Vec<String> {
    let document = &invoice.document;
    let is_receipt = document.kind == DocumentType::Payment;
    let entry = Entry {
        invoice,
        language,
        document,
        totals: invoice.totals(),
        paid: is_receipt.then(|| PaymentTotals::of(&document.payments)),
        zone: postal_codes::find(&document.place_of_issue).map(|place| place.zone()),
    };
    let written = |(_, _, cell): &Column| match cell(&entry) {
        Cell::Empty => String::new(),
        Cell::Text(text) => guarded(&text).into_owned(),
        Cell::Number(amount) => decimal::digits(amount, DECIMALS),
    };
    COLUMNS.iter().map(written).collect()
}

impl Entry<'_> {
    fn status(&self) -> &'static str {
        match (self.invoice.status, self.language) {
            (Status::Cancelled, Language::Spanish) => "Cancelado",
            (Status::Cancelled, Language::English) => "Cancelled",
            (_, Language::Spanish) => "Vigente",
            (_, Language::English) => "Valid",
        }
    }

    /// The cancellation of one that is cancelled.
    fn cancelled(&self) -> Option<&crate::Cancellation> {
        self.invoice.cancellation.as_ref().filter(|_| self.invoice.status == Status::Cancelled)
    }

    fn cancelled_at(&self) -> Cell {
        let moment = self.cancelled().and_then(|cancellation| cancellation.resolved_at);
        let zone = self.zone.unwrap_or(Zone::Central);
        moment.map_or(Cell::Empty, |at| own(local_time::to_text(zone.local(at))))
    }

    fn payment_form(&self) -> Cell {
        let forms = self.document.payments.iter().map(|payment| payment.payment_form.clone());
        let of_payments = distinct(forms);
        match of_payments.is_empty() {
            true => text(self.document.payment_form.as_deref()),
            false => own(of_payments.join(" ")),
        }
    }

    fn currency(&self) -> Cell {
        // The document itself has none; its payments' are summed in pesos.
        match self.paid {
            Some(_) => text(Some("MXN")),
            None => text(Some(self.document.currency_code())),
        }
    }

    /// An amount of what is sold or credited; receipts and transfers have none.
    fn of_sale(&self, amount: impl Fn(&Totals) -> Option<Amount>) -> Cell {
        match self.document.kind {
            DocumentType::Income | DocumentType::Credit => number(amount(&self.totals)),
            DocumentType::Payment | DocumentType::Transfer => Cell::Empty,
        }
    }

    /// Base and tax of IVA at a share in millionths.
    fn iva(&self, micros: i64) -> Option<(Amount, Amount)> {
        match &self.paid {
            Some(paid) => match micros {
                160_000 => paid.iva_16,
                80_000 => paid.iva_8,
                _ => paid.iva_0,
            },
            None => {
                let rate = TaxRate::iva(micros);
                let sum = self.totals.transferred.iter().find(|sum| sum.rate == rate);
                sum.map(|sum| (sum.base, sum.amount))
            }
        }
    }

    fn exempt(&self) -> Option<Amount> {
        match &self.paid {
            Some(paid) => paid.iva_exempt,
            None => {
                let rate = TaxRate { factor: Factor::Exento, ..TaxRate::iva(0) };
                self.totals.transferred.iter().find(|sum| sum.rate == rate).map(|sum| sum.base)
            }
        }
    }

    fn withheld(&self, tax: Tax) -> Option<Amount> {
        match &self.paid {
            Some(paid) => match tax {
                Tax::Isr => paid.withheld_isr,
                Tax::Iva => paid.withheld_iva,
                Tax::Ieps => paid.withheld_ieps,
            },
            None => {
                let withheld = self.totals.withheld.iter().find(|(own, _)| *own == tax);
                withheld.map(|(_, amount)| *amount)
            }
        }
    }

    fn total_in_pesos(&self) -> Cell {
        let rate = match self.document.currency {
            Some(Currency::MXN) => Some(Amount::from_micros(1_000_000)),
            _ => self.document.exchange_rate,
        };
        self.of_sale(|totals| Some(decimal::product(totals.total, rate?).rounded(DECIMALS)))
    }

    fn paid_uuids(&self) -> Cell {
        let paid = self.document.payments.iter().flat_map(|payment| &payment.documents);
        own(distinct(paid.map(|document| document.uuid.clone())).join(" "))
    }

    fn related(&self) -> Cell {
        let related = self.document.related.iter();
        own(listed(related.map(|them| format!("{}: {}", them.relation, them.uuids.join(" ")))))
    }
}

fn charged(totals: &Totals, tax: Tax) -> Option<Amount> {
    let sums: Vec<_> = totals.transferred.iter().filter(|sum| sum.rate.tax == tax).collect();
    (!sums.is_empty()).then(|| decimal::sum(sums.into_iter().map(|sum| sum.amount)))
}

fn text(text: Option<&str>) -> Cell {
    text.map_or(Cell::Empty, |text| Cell::Text(text.to_owned()))
}

fn own(text: String) -> Cell {
    Cell::Text(text)
}

fn number(amount: Option<Amount>) -> Cell {
    amount.map_or(Cell::Empty, Cell::Number)
}

fn listed(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(" ")
}

/// Without repeats, in their order.
fn distinct(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for text in texts {
        if !seen.contains(&text) {
            seen.push(text);
        }
    }
    seen
}
