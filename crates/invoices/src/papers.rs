//! The papers that follow payments, refunds and returns: receipts (type `P`) of what was received of an invoice paid in
//! parts, and credit notes (type `E`) of what was given back of what was invoiced.
//!
//! They are drafted by durable tasks, which the transaction of the money opens: whatever keeps a paper from being made
//! keeps no money from being counted.

mod credit;
mod goods;
mod receipt;
mod share;
mod tiers;
mod turns;
mod waiting;

use cfdi::{
    catalogs::postal_codes,
    document::{Document, DocumentType},
    rules::{self, Finding},
};
use kernel::{
    Amount, Currency, FieldFault, Message, Pending, Refused, Timestamp, Written, message,
    reason::{self, within},
};
use tasks::Task;
use time::{Date, Month, PrimitiveDateTime};

pub use credit::{
    GivenBack, credit_note, exceeds, fields as credit_note_fields, held, whole_credit_note,
};
pub use goods::{Bought, CameBack, unpaid};
pub use receipt::{Brought, applied, fits, pays};
pub use share::{TaxSet, invoiced, left, sets};
pub use turns::{next_turn, wait_seconds, waits_for};
pub use waiting::{is_waiting, waits};

use crate::{
    DraftPaid, DraftPayment, Fields, Invoice, InvoiceError, InvoiceId, Known, LastError,
    NewInvoice, PaidInvoice, PaymentId, drafting, drafting::Created, global::first_of,
    provider::Rejection, stamping::NOT_TAKEN,
};

/// A payment that has brought money for an invoice paid in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The payment.
    pub payment: PaymentId,
    /// When the money came.
    pub paid_at: Timestamp,
    /// How, a code of c_FormaPago; none where nobody has told.
    pub payment_form: Option<String>,
    /// Its currency.
    pub currency: Currency,
    /// Pesos for one unit of that on the day the money came, where somebody has told.
    pub exchange_rate: Option<Amount>,
    /// What came.
    pub amount: Amount,
    /// What of it pays the invoice.
    pub applied: Amount,
    /// The bank's number of it.
    pub operation: Option<String>,
}

/// What a step at a paper has led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The draft is on record, and is to be stamped, too.
    Stamp(InvoiceId),
    /// Nothing is left to be done: the task has ended.
    Ended,
    /// Another paper of the same invoice is made first: the task is put off.
    Waits,
    /// Another is at it.
    Lost,
}

/// What whoever works on papers asks for. [`Refused::Stale`] when another is at it.
pub trait PaperQueue: Send + Sync {
    /// Makes the draft that a task is about, unless there is one, or takes back what is not to be any more.
    fn step(&self, task: &Task, now: Timestamp) -> Pending<Written<Step, InvoiceError>>;

    /// Ends a task of which no paper can be made, for a reason that its payment or refund shows.
    fn give_up(
        &self,
        task: &Task,
        problem: Rejection,
        now: Timestamp,
    ) -> Pending<Written<(), InvoiceError>>;

    /// Ends a task whose draft was to be stamped, with the error that kept it a draft. `is_told` when that is on record of
    /// the invoice and was told.
    fn end(
        &self,
        task: &Task,
        invoice: InvoiceId,
        error: Option<Rejection>,
        is_told: bool,
        now: Timestamp,
    ) -> Pending<Written<(), InvoiceError>>;
}

/// Why there is no paper, as its payment, refund or return keeps it: the code with the reason.
#[must_use]
pub fn problem(rejection: &Rejection) -> String {
    let Rejection { code, message } = rejection;
    format!("{code}: {message}")
}

/// What people are told of a [`problem`] that is kept. A code of the service itself says no more than the words behind it, unless
/// they are only why a provider did not answer; one of SAT or a provider is what their support asks for.
#[must_use]
pub fn told(problem: &str) -> Message {
    let is_own = |code: &str| code.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    match problem.split_once(": ") {
        Some((NOT_TAKEN, why)) => within(why, |why| {
            message!(
                "the certification provider did not answer the last attempt: {why}",
                "el PAC no respondió en el último intento: {why}"
            )
        }),
        Some((code, why)) if is_own(code) => reason::told(why),
        Some((code, why)) => within(why, |why| message!("{code}: {why}", "{code}: {why}")),
        None => message!("{problem}", "{problem}"),
    }
}

/// The form of a receipt whose payment does not say how it was made: to be told before it is stamped.
const UNTOLD: &str = "99";

/// The fields of the receipt of a payment.
#[must_use]
pub fn receipt_fields(received: &Received, invoice: &Invoice) -> Fields {
    let paid = DraftPaid {
        invoice: PaidInvoice::Own(invoice.id),
        amount: received.applied,
        payment_amount: None,
    };
    let payment = DraftPayment {
        paid_at: received.paid_at,
        payment_form: received.payment_form.clone().unwrap_or_else(|| UNTOLD.to_owned()),
        currency: received.currency,
        exchange_rate: exchange_rate(received, invoice),
        amount: received.amount,
        operation: received.operation.clone(),
        payer_account: None,
        payee_account: None,
        documents: vec![paid],
    };
    Fields { issuer: invoice.draft.issuer, payments: Some(vec![payment]), ..Fields::default() }
}

/// The exchange rate of the day on which the money came, as SAT's guide wants it: what was told with the payment, or
/// else that of the invoice if it is of the same day. On any other day it was another one.
fn exchange_rate(received: &Received, invoice: &Invoice) -> Option<Amount> {
    let document = &invoice.document;
    if received.currency == Currency::MXN {
        return None;
    }
    let zone = postal_codes::find(&document.place_of_issue).map(|place| place.zone());
    let day = zone.map(|zone| zone.local(received.paid_at).date());
    let is_of_the_day =
        document.currency == Some(received.currency) && day == Some(document.issued_at.date());
    received.exchange_rate.or(document.exchange_rate.filter(|_| is_of_the_day))
}

/// A draft that nobody has asked for, with what it lacks, so that it is seen before anybody tries to stamp it.
fn with_lacks(created: Created, now: Timestamp) -> Created {
    let last_error = lacks(&created.invoice.document, now);
    Created { invoice: Invoice { last_error, ..created.invoice }, ..created }
}

/// What a draft lacks at `now`.
pub(crate) fn lacks(document: &Document, now: Timestamp) -> Option<LastError> {
    let findings = rules::check(document, now);
    (!findings.is_empty()).then(|| LastError { at: now, rejection: first_of(&findings) })
}

/// Drafts the receipt of a payment of an invoice.
///
/// # Errors
/// As [`drafting::create`]; also where nothing is owed of the invoice any more, or others have paid all of it.
pub fn receipt(
    received: &Received,
    invoice: &Invoice,
    id: InvoiceId,
    known: &Known,
    now: Timestamp,
) -> Result<Created, Refused<InvoiceError>> {
    if received.applied == Amount::ZERO {
        let problem = match invoice.outstanding() {
            Some(owed) if owed > Amount::ZERO => message!(
                "other payments, whose receipts are drafts, have paid the invoice in full",
                "otros pagos, con complemento en borrador, ya cubren la factura por completo"
            ),
            _ => message!(
                "nothing is owed of the invoice any more",
                "la factura ya quedó sin saldo pendiente"
            ),
        };
        return Err(Refused::Invalid(vec![FieldFault::new("", problem)]));
    }
    let fields = receipt_fields(received, invoice);
    let command = NewInvoice { kind: DocumentType::Payment, fields, is_to_stamp: false };
    let mut created = drafting::create(&command, id, known, now)?;
    created.invoice.draft.payment = Some(received.payment);
    Ok(with_lacks(created, now))
}

/// The payments of a receipt that should have been stamped before: by the fifth of the month after the payment (RMF
/// 2.7.1.32).
pub(crate) fn late(document: &Document, now: Timestamp) -> Vec<Finding> {
    let Some(place) = postal_codes::find(&document.place_of_issue) else { return Vec::new() };
    let today = place.zone().local(now).date();
    let is_late =
        |paid_at: PrimitiveDateTime| last_day(paid_at.date()).is_some_and(|day| today > day);
    let payments = document.payments.iter().enumerate();
    payments
        .filter(|(_, payment)| is_late(payment.paid_at))
        .map(|(index, _)| {
            Finding::new(
                "receipt_late",
                &format!("payments[{index}].paidAt"),
                "was to be receipted by the fifth of the following month: stamp it now, and tell your accountant",
                "debió tener su complemento de pago a más tardar el día 5 del mes siguiente: timbrarlo ya y avisar al contador",
            )
        })
        .collect()
}

/// The fifth of the following month.
fn last_day(paid: Date) -> Option<Date> {
    let (year, month) = match paid.month() {
        Month::December => (paid.year() + 1, Month::January),
        month => (paid.year(), month.next()),
    };
    Date::from_calendar_date(year, month, 5).ok()
}

#[cfg(test)]
mod tests {
    use kernel::{Language, reason::Reason};
    use time::macros::date;

    use super::*;

    #[test]
    fn problems_are_told_in_the_language_of_the_reader() {
        let both = |kept: &str| {
            let told = told(kept);
            Language::EVERY.map(|language| told.in_language(language).to_owned())
        };
        let own = Rejection {
            code: "conflict".to_owned(),
            message: Reason::OwnWords.in_both(&message!("it: is", "así: es")),
        };
        let said = ["it: is".to_owned(), "así: es".to_owned()];
        assert_eq!(both(&problem(&own)), said);
        let away =
            Rejection { code: NOT_TAKEN.to_owned(), message: Reason::ConnectionRefused.alone() };
        let [english, spanish] = both(&problem(&away));
        assert!(english.starts_with("the certification provider did not answer"), "{english}");
        assert!(spanish.ends_with("último intento: conexión rechazada"), "{spanish}");
        for words in ["CFDI40147: no coincide", "conflict", ""] {
            assert_eq!(both(words), [words.to_owned(), words.to_owned()]);
        }
    }

    #[test]
    fn receipts_are_due_on_the_fifth() {
        assert_eq!(last_day(date!(2026 - 11 - 30)), Some(date!(2026 - 12 - 05)));
        assert_eq!(last_day(date!(2026 - 12 - 01)), Some(date!(2027 - 01 - 05)));
    }
}
