//! How the API shows a payment: as the caller gave it, with the values derived from it.

use cfdi::payments::{BankAccount, PaidDocument, Payment};
use invoices::{DraftPaid, DraftPayment, InvoiceId, Owed, PaidInvoice};
use kernel::{Amount, Currency, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::{shapes, taxes::TaxAmountBody};

/// A payment in a payment receipt.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoicePayment)]
pub(super) struct PaymentBody {
    /// When the payment was received.
    #[schema(value_type = shapes::Timestamp)]
    paid_at: Timestamp,
    /// Payment form, see GET /invoices/cfdi/formas-pago; `99` is not allowed.
    #[schema(example = "03")]
    payment_form: String,
    /// Currency of the payment; defaults to MXN.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Exchange rate: pesos per unit of the foreign currency.
    #[schema(value_type = Option<shapes::Amount>)]
    exchange_rate: Option<Amount>,
    /// Amount paid.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// Operation number given by the bank.
    operation: Option<String>,
    /// Payer's bank account.
    payer_account: Option<BankAccountBody>,
    /// Payee's bank account.
    payee_account: Option<BankAccountBody>,
    /// Invoices that the payment covers, at most 100.
    documents: Vec<PaidBody>,
}

/// A bank account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BankAccount)]
struct BankAccountBody {
    /// RFC of the bank.
    bank_rfc: Option<String>,
    /// Name of the bank, if it is foreign.
    bank_name: Option<String>,
    /// Account number.
    number: Option<String>,
}

/// The part of a payment applied to one invoice.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaidInvoice)]
struct PaidBody {
    /// Invoice paid, if it belongs to this account; its balance is then known.
    #[schema(value_type = Option<String>, example = "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T")]
    invoice_id: Option<InvoiceId>,
    /// Invoice paid, if it was issued elsewhere.
    external: Option<OwedBody>,
    /// Amount applied, in the invoice's currency.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// Amount applied, in the payment's currency; required if the currencies differ and the payment covers
    /// several invoices.
    #[schema(value_type = Option<shapes::Amount>)]
    payment_amount: Option<Amount>,
    /// Fiscal folio (UUID) of the invoice.
    uuid: Option<String>,
    /// Series of the invoice.
    series: Option<String>,
    /// Folio number of the invoice.
    folio: Option<String>,
    /// Currency of the invoice.
    #[schema(value_type = Option<shapes::Currency>)]
    currency: Option<Currency>,
    /// Installment number of the payment (NumParcialidad), starting at 1.
    installment: Option<u32>,
    /// Balance before the payment (ImpSaldoAnt).
    #[schema(value_type = Option<shapes::Amount>)]
    balance_before: Option<Amount>,
    /// Balance after the payment (ImpSaldoInsoluto).
    #[schema(value_type = Option<shapes::Amount>)]
    balance_after: Option<Amount>,
    /// Taxes of the invoice, in proportion to the amount applied.
    taxes: Vec<TaxAmountBody>,
}

/// An invoice that was issued elsewhere, with its balance.
#[derive(Serialize, ToSchema)]
#[schema(as = ExternalInvoice)]
struct OwedBody {
    /// Fiscal folio (UUID).
    uuid: String,
    /// Series.
    series: Option<String>,
    /// Folio number.
    folio: Option<String>,
    /// Currency; defaults to MXN.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Total of the invoice.
    #[schema(value_type = shapes::Amount)]
    total: Amount,
    /// Balance before this payment.
    #[schema(value_type = shapes::Amount)]
    balance: Amount,
    /// Number of installments already covered by payment receipts.
    installments: u32,
    /// Taxes of the invoice, totalled by rate.
    taxes: Vec<TaxAmountBody>,
}

/// The payments of a draft, each with its values in the document.
pub(super) fn list(drafts: Vec<DraftPayment>, payments: Vec<Payment>) -> Vec<PaymentBody> {
    let documents = payments.into_iter().map(|payment| payment.documents);
    let documents = documents.chain(std::iter::repeat_with(Vec::new));
    drafts.into_iter().zip(documents).map(|(draft, paid)| PaymentBody::new(draft, paid)).collect()
}

impl PaymentBody {
    fn new(draft: DraftPayment, paid: Vec<PaidDocument>) -> Self {
        let paid = paid.into_iter().map(Some).chain(std::iter::repeat_with(|| None));
        let documents = draft.documents.into_iter().zip(paid);
        Self {
            paid_at: draft.paid_at,
            payment_form: draft.payment_form,
            currency: draft.currency,
            exchange_rate: draft.exchange_rate,
            amount: draft.amount,
            operation: draft.operation,
            payer_account: draft.payer_account.map(BankAccountBody::from),
            payee_account: draft.payee_account.map(BankAccountBody::from),
            documents: documents.map(|(draft, paid)| PaidBody::new(draft, paid)).collect(),
        }
    }
}

impl PaidBody {
    fn new(draft: DraftPaid, paid: Option<PaidDocument>) -> Self {
        let DraftPaid { invoice, amount, payment_amount } = draft;
        let (invoice_id, external) = match invoice {
            PaidInvoice::Own(id) => (Some(id), None),
            PaidInvoice::External(owed) => (None, Some(OwedBody::from(*owed))),
        };
        let told = paid.as_ref();
        Self {
            invoice_id,
            external,
            amount,
            payment_amount,
            currency: told.map(|paid| paid.currency),
            installment: told.map(|paid| paid.installment),
            balance_before: told.map(|paid| paid.balance_before),
            balance_after: told.map(PaidDocument::balance_after),
            taxes: told.into_iter().flat_map(|paid| &paid.taxes).map(TaxAmountBody::from).collect(),
            uuid: told.map(|paid| paid.uuid.clone()),
            series: told.and_then(|paid| paid.series.clone()),
            folio: paid.and_then(|paid| paid.folio),
        }
    }
}

impl From<Owed> for OwedBody {
    fn from(owed: Owed) -> Self {
        let taxes = owed.taxes.iter().map(TaxAmountBody::from).collect();
        let Owed { uuid, series, folio, currency, total, balance, installments, .. } = owed;
        Self { uuid, series, folio, currency, total, balance, installments, taxes }
    }
}

impl From<BankAccount> for BankAccountBody {
    fn from(account: BankAccount) -> Self {
        let BankAccount { bank_rfc, bank_name, number } = account;
        Self { bank_rfc, bank_name, number }
    }
}
