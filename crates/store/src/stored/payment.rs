//! Payments as documents state them.

use cfdi::{
    payments::{BankAccount, Equivalence, PaidDocument, Payment},
    tax::ItemTax,
};
use kernel::{Amount, Currency};
use serde::{Deserialize, Serialize};
use time::PrimitiveDateTime;

use super::{
    document::{ItemTaxForm, local_time},
    forms::{Each, Form, Maybe, forms},
};

forms!(BankAccountForm of BankAccount, PaidDocumentForm of PaidDocument, PaymentForm of Payment);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Payment", rename_all = "camelCase")]
pub(super) struct PaymentForm {
    #[serde(with = "local_time")]
    paid_at: PrimitiveDateTime,
    payment_form: String,
    currency: Currency,
    exchange_rate: Option<Amount>,
    amount: Amount,
    operation: Option<String>,
    #[serde(default, with = "Maybe::<BankAccountForm>")]
    payer_account: Option<BankAccount>,
    #[serde(default, with = "Maybe::<BankAccountForm>")]
    payee_account: Option<BankAccount>,
    #[serde(with = "Each::<PaidDocumentForm>")]
    documents: Vec<PaidDocument>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "BankAccount", rename_all = "camelCase")]
pub(super) struct BankAccountForm {
    bank_rfc: Option<String>,
    bank_name: Option<String>,
    number: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PaidDocument", rename_all = "camelCase")]
struct PaidDocumentForm {
    uuid: String,
    series: Option<String>,
    folio: Option<String>,
    currency: Currency,
    equivalence: Equivalence,
    installment: u32,
    balance_before: Amount,
    amount: Amount,
    tax_object: String,
    #[serde(with = "Each::<ItemTaxForm>")]
    taxes: Vec<ItemTax>,
}
