//! Reading payments.

use cfdi::payments::BankAccount;
use intake::{
    Check, Fields,
    checks::{above_zero, currency, id, line, moment, object, objects, whole},
    noun,
};
use invoices::{
    DraftPaid, DraftPayment, InvoiceId, Owed, PaidInvoice, draft::PAYMENTS_MAX,
    series::SERIES_CHARS_MAX,
};
use kernel::{Currency, message};

use super::item::not_negative;
use crate::resources::{
    fiscal::{rfc, two_digits, uuid},
    taxes::item_taxes,
};

/// Maximum characters of a bank's number of a payment (Pagos20).
const OPERATION_CHARS_MAX: usize = 100;
/// Maximum characters of a bank's name (Pagos20).
const BANK_CHARS_MAX: usize = 300;
/// Maximum characters of an account's number (Pagos20).
const ACCOUNT_CHARS_MAX: usize = 50;
/// Maximum characters of a folio (Pagos20).
const FOLIO_CHARS_MAX: usize = 40;
/// Maximum installments that an invoice can have had.
const INSTALLMENTS_MAX: i64 = 10_000;

/// A payment with the documents it covers.
pub(super) fn read_payment(fields: &mut Fields<'_>) -> Option<DraftPayment> {
    let paid_at = fields.required("paidAt", moment());
    let payment_form = fields.required("paymentForm", two_digits("03"));
    let currency = fields.optional("currency", currency()).unwrap_or(Currency::MXN);
    let exchange_rate = fields.optional("exchangeRate", above_zero());
    let amount = fields.required("amount", above_zero());
    let operation = fields.optional("operation", line(OPERATION_CHARS_MAX));
    let payer_account = fields.optional("payerAccount", account());
    let payee_account = fields.optional("payeeAccount", account());
    let documents = fields.required(
        "documents",
        objects(noun("a document", "un documento"), 1..=PAYMENTS_MAX, read_paid),
    );
    Some(DraftPayment {
        paid_at: paid_at?,
        payment_form: payment_form?,
        currency,
        exchange_rate,
        amount: amount?,
        operation,
        payer_account,
        payee_account,
        documents: documents?,
    })
}

fn read_paid(fields: &mut Fields<'_>) -> Option<DraftPaid> {
    let own = id(noun("an invoice", "una factura"), InvoiceId::PREFIX, InvoiceId::parse);
    let own = fields.patch("invoiceId", own);
    let external = fields.patch(
        "external",
        object(noun("an invoice of elsewhere", "una factura de otro sistema"), read_owed),
    );
    let amount = fields.required("amount", above_zero());
    let payment_amount = fields.optional("paymentAmount", above_zero());
    fields.read_only(&[
        "uuid",
        "series",
        "folio",
        "currency",
        "installment",
        "balanceBefore",
        "balanceAfter",
        "taxes",
    ]);
    // An invalid one has been reported already and is not missing.
    let is_faulty = (own.is_none() && fields.gives("invoiceId"))
        || (external.is_none() && fields.gives("external"));
    let invoice = match (own.flatten(), external.flatten()) {
        (Some(_), Some(_)) => fields.refuse(
            "external",
            message!("must be absent beside invoiceId", "debe omitirse junto con invoiceId"),
        ),
        (Some(id), None) => Some(PaidInvoice::Own(id)),
        (None, Some(owed)) => Some(PaidInvoice::External(Box::new(owed))),
        (None, None) if is_faulty => None,
        (None, None) => fields.refuse(
            "invoiceId",
            message!(
                "is required, or external for an invoice of elsewhere",
                "es obligatorio, o bien external si la factura es de otro sistema"
            ),
        ),
    };
    Some(DraftPaid { invoice: invoice?, amount: amount?, payment_amount })
}

fn read_owed(fields: &mut Fields<'_>) -> Option<Owed> {
    let uuid = fields.required("uuid", uuid());
    let series = fields.optional("series", line(SERIES_CHARS_MAX));
    let folio = fields.optional("folio", line(FOLIO_CHARS_MAX));
    let currency = fields.optional("currency", currency()).unwrap_or(Currency::MXN);
    let total = fields.required("total", above_zero());
    let balance = fields.required("balance", not_negative());
    let installments = fields.optional("installments", whole(0..=INSTALLMENTS_MAX));
    let taxes = fields.optional("taxes", item_taxes()).unwrap_or_default();
    let installments = installments.and_then(|count| u32::try_from(count).ok()).unwrap_or_default();
    let (uuid, total, balance) = (uuid?, total?, balance?);
    Some(Owed {
        uuid,
        series,
        folio,
        currency,
        total,
        balance,
        installments,
        taxes,
        tax_object: None,
        place: None,
    })
}

fn account() -> impl Check<Value = BankAccount> {
    object(noun("a bank account", "una cuenta bancaria"), |fields| {
        Some(BankAccount {
            bank_rfc: fields.optional("bankRfc", rfc()),
            bank_name: fields.optional("bankName", line(BANK_CHARS_MAX)),
            number: fields.optional("number", line(ACCOUNT_CHARS_MAX)),
        })
    })
}
