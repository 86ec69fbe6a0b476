//! Drafts of invoices.

use cfdi::{
    complements::Complements,
    document::{DocumentType, Global, Part, PaymentMethod, Receiver, Relation, ThirdParty},
    payments::BankAccount,
    tax::{ItemTax, TaxRate},
};
use invoices::{
    BranchId, CustomerId, Draft, DraftItem, DraftLocalTax, DraftPaid, DraftPayment, InvoiceId,
    IssuerId, OrderId, Owed, PaidInvoice, PaymentId, ProductId, RefundId, ReturnId, draft::Place,
};
use kernel::{Amount, Currency, Metadata, Timestamp};
use serde::{Deserialize, Serialize};

use super::{
    complements::ComplementsForm,
    document::{
        GlobalForm, ItemTaxForm, KindForm, PartForm, PaymentMethodForm, ReceiverForm, RelationForm,
        TaxRateForm, ThirdPartyForm,
    },
    forms::{Boxed, Each, Form, Maybe, forms},
    payment::BankAccountForm,
};

forms!(
    DraftForm of Draft,
    ItemForm of DraftItem,
    LocalTaxForm of DraftLocalTax,
    OwedForm of Owed,
    PaidForm of DraftPaid,
    PaymentForm of DraftPayment,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Draft", rename_all = "camelCase")]
pub(super) struct DraftForm {
    #[serde(rename = "type", with = "KindForm")]
    kind: DocumentType,
    #[serde(default)]
    issuer: Option<IssuerId>,
    #[serde(default)]
    branch: Option<BranchId>,
    series: String,
    issued_at: Option<Timestamp>,
    customer: Option<CustomerId>,
    orders: Vec<OrderId>,
    #[serde(with = "ReceiverForm")]
    receiver: Receiver,
    #[serde(with = "Each::<ItemForm>")]
    items: Vec<DraftItem>,
    #[serde(default, with = "Each::<LocalTaxForm>")]
    local_taxes: Vec<DraftLocalTax>,
    #[serde(with = "Each::<PaymentForm>")]
    payments: Vec<DraftPayment>,
    payment_form: Option<String>,
    #[serde(default, with = "Maybe::<PaymentMethodForm>")]
    payment_method: Option<PaymentMethod>,
    payment_terms: Option<String>,
    currency: Currency,
    exchange_rate: Option<Amount>,
    export: String,
    place_of_issue: Option<String>,
    confirmation: Option<String>,
    #[serde(default, with = "Maybe::<GlobalForm>")]
    global: Option<Global>,
    #[serde(with = "Each::<RelationForm>")]
    related: Vec<Relation>,
    #[serde(default, skip_serializing_if = "Complements::is_empty", with = "ComplementsForm")]
    complements: Complements,
    notes: Option<String>,
    metadata: Metadata,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payment: Option<PaymentId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refund: Option<RefundId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    goods: Option<ReturnId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cancelled_order: Option<OrderId>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DraftItem", rename_all = "camelCase")]
struct ItemForm {
    product: Option<ProductId>,
    sat_product_key: String,
    sku: Option<String>,
    sat_unit_key: String,
    unit: Option<String>,
    description: String,
    quantity: Amount,
    unit_price: Amount,
    tax_included: bool,
    discount: Option<Amount>,
    tax_object: Option<String>,
    #[serde(with = "Each::<TaxRateForm>")]
    taxes: Vec<TaxRate>,
    #[serde(default, with = "Maybe::<ThirdPartyForm>")]
    third_party: Option<ThirdParty>,
    customs: Vec<String>,
    property_accounts: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "Each::<PartForm>")]
    parts: Vec<Part>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DraftLocalTax", rename_all = "camelCase")]
struct LocalTaxForm {
    name: String,
    rate: Amount,
    base: Option<Amount>,
    withheld: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DraftPayment", rename_all = "camelCase")]
struct PaymentForm {
    paid_at: Timestamp,
    payment_form: String,
    currency: Currency,
    exchange_rate: Option<Amount>,
    amount: Amount,
    operation: Option<String>,
    #[serde(default, with = "Maybe::<BankAccountForm>")]
    payer_account: Option<BankAccount>,
    #[serde(default, with = "Maybe::<BankAccountForm>")]
    payee_account: Option<BankAccount>,
    #[serde(with = "Each::<PaidForm>")]
    documents: Vec<DraftPaid>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DraftPaid", rename_all = "camelCase")]
struct PaidForm {
    #[serde(with = "PaidInvoiceForm")]
    invoice: PaidInvoice,
    amount: Amount,
    payment_amount: Option<Amount>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PaidInvoice", rename_all = "camelCase")]
enum PaidInvoiceForm {
    Own(InvoiceId),
    External(#[serde(with = "Boxed::<OwedForm>")] Box<Owed>),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Owed", rename_all = "camelCase")]
struct OwedForm {
    uuid: String,
    series: Option<String>,
    folio: Option<String>,
    currency: Currency,
    total: Amount,
    balance: Amount,
    installments: u32,
    #[serde(with = "Each::<ItemTaxForm>")]
    taxes: Vec<ItemTax>,
    #[serde(skip)]
    tax_object: Option<String>,
    #[serde(skip)]
    place: Option<Place>,
}
