//! How the API shows a payment: as its maker told it, with what follows from that.

use cfdi::payments::{BankAccount, PaidDocument, Payment};
use invoices::{DraftPaid, DraftPayment, InvoiceId, Owed, PaidInvoice};
use kernel::{Amount, Currency, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::{shapes, taxes::TaxAmountBody};

/// One payment of a receipt.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoicePayment)]
pub(super) struct PaymentBody {
    /// When it was received.
    #[schema(value_type = shapes::Timestamp)]
    paid_at: Timestamp,
    /// How, see GET /invoices/cfdi/formas-pago; never `99`.
    #[schema(example = "03")]
    payment_form: String,
    /// In what currency; MXN unless given.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Pesos for one unit of a foreign currency.
    #[schema(value_type = Option<shapes::Amount>)]
    exchange_rate: Option<Amount>,
    /// How much.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// The bank's number of it.
    operation: Option<String>,
    /// The account it came from.
    payer_account: Option<BankAccountBody>,
    /// The account it went to.
    payee_account: Option<BankAccountBody>,
    /// What it pays, at most 100 documents.
    documents: Vec<PaidBody>,
}

/// A bank account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BankAccount)]
struct BankAccountBody {
    /// The bank's RFC.
    bank_rfc: Option<String>,
    /// The bank's name, of a foreign one.
    bank_name: Option<String>,
    /// The account's number.
    number: Option<String>,
}

/// The part of a payment that pays one invoice.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PaidInvoice)]
struct PaidBody {
    /// The invoice, when it is one of the account; what is owed of it is known.
    #[schema(value_type = Option<String>, example = "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T")]
    invoice_id: Option<InvoiceId>,
    /// The invoice, when it was issued elsewhere.
    external: Option<OwedBody>,
    /// What is paid, in the invoice's currency.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// The same in the payment's currency; needed where the currencies differ and the payment pays several.
    #[schema(value_type = Option<shapes::Amount>)]
    payment_amount: Option<Amount>,
    /// The invoice's fiscal folio.
    uuid: Option<String>,
    /// The invoice's series.
    series: Option<String>,
    /// The invoice's folio.
    folio: Option<String>,
    /// The invoice's currency.
    #[schema(value_type = Option<shapes::Currency>)]
    currency: Option<Currency>,
    /// The how manieth payment of the invoice it is.
    installment: Option<u32>,
    /// What was owed of the invoice before.
    #[schema(value_type = Option<shapes::Amount>)]
    balance_before: Option<Amount>,
    /// What is owed of the invoice after.
    #[schema(value_type = Option<shapes::Amount>)]
    balance_after: Option<Amount>,
    /// The invoice's taxes in proportion to what is paid.
    taxes: Vec<TaxAmountBody>,
}

/// What is owed of an invoice that was issued elsewhere.
#[derive(Serialize, ToSchema)]
#[schema(as = ExternalInvoice)]
struct OwedBody {
    /// Its fiscal folio.
    uuid: String,
    /// Its series.
    series: Option<String>,
    /// Its folio.
    folio: Option<String>,
    /// Its currency; MXN unless given.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Its total.
    #[schema(value_type = shapes::Amount)]
    total: Amount,
    /// What is owed of it before this payment.
    #[schema(value_type = shapes::Amount)]
    balance: Amount,
    /// How many payments of it have receipts already.
    installments: u32,
    /// Its taxes, summed by rate.
    taxes: Vec<TaxAmountBody>,
}

/// The payments of a draft, each beside what it is in the document.
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
