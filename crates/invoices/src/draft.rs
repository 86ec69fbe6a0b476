//! A draft: what the maker of an invoice decides. What follows from it is [built](crate::build()).

use cfdi::{
    complements::Complements,
    document::{DocumentType, Global, Part, PaymentMethod, Receiver, Relation, ThirdParty},
    payments::BankAccount,
    rules::LINES_MAX,
    tax::{ItemTax, TaxRate},
};
use kernel::{Amount, Currency, Metadata, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    BranchId, CustomerId, InvoiceId, IssuerId, OrderId, PaymentId, ProductId, RefundId, ReturnId,
    references::REPLACES,
};

/// The most items of an invoice. SAT knows no limit, but the file is to stay within what providers take.
pub const ITEMS_MAX: usize = LINES_MAX;
/// The most orders of a global invoice.
pub const ORDERS_MAX: usize = LINES_MAX;
/// The most local taxes.
pub const LOCAL_TAXES_MAX: usize = 20;
/// The most payments of a receipt, and the most documents of a payment.
pub const PAYMENTS_MAX: usize = 1_000;
/// The most documents referred to.
pub const RELATED_MAX: usize = 1_000;
/// The most characters of notes.
pub const NOTES_CHARS_MAX: usize = 2_000;

/// What the maker of an invoice has decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: DocumentType,
    /// Who issues it; the first issuer of the account where none is named, as in drafts of earlier releases.
    #[serde(default)]
    pub issuer: Option<IssuerId>,
    /// The branch that it is issued at.
    #[serde(default)]
    pub branch: Option<BranchId>,
    /// Its series.
    pub series: String,
    /// When it is issued; when it is sealed where that is not said.
    pub issued_at: Option<Timestamp>,
    /// Who buys.
    pub customer: Option<CustomerId>,
    /// The orders it invoices.
    pub orders: Vec<OrderId>,
    /// Whom it is made out to.
    pub receiver: Receiver,
    /// What is sold.
    pub items: Vec<DraftItem>,
    /// Taxes of states and municipalities.
    #[serde(default)]
    pub local_taxes: Vec<DraftLocalTax>,
    /// What was paid, of a receipt of payments.
    pub payments: Vec<DraftPayment>,
    /// How it was paid, a code of c_FormaPago.
    pub payment_form: Option<String>,
    /// In one go or in parts.
    pub payment_method: Option<PaymentMethod>,
    /// Conditions in free text.
    pub payment_terms: Option<String>,
    /// Its currency.
    pub currency: Currency,
    /// Pesos for one unit of a foreign currency.
    pub exchange_rate: Option<Amount>,
    /// Whether goods leave the country, a code of c_Exportacion.
    pub export: String,
    /// Where it is issued; the issuer's postal code where none is named.
    pub place_of_issue: Option<String>,
    /// The code a provider gave for an unusual amount.
    pub confirmation: Option<String>,
    /// The period of a global invoice.
    pub global: Option<Global>,
    /// Documents it refers to.
    pub related: Vec<Relation>,
    /// What it states for the trades that need it.
    #[serde(default)]
    pub complements: Complements,
    /// Printed on the PDF, not part of the document.
    pub notes: Option<String>,
    /// The caller's own notes.
    pub metadata: Metadata,
    /// The payment that it was drafted of as a receipt.
    #[serde(default)]
    pub payment: Option<PaymentId>,
    /// The refund that it was drafted of as a credit note.
    #[serde(default)]
    pub refund: Option<RefundId>,
    /// The return of goods, never paid, that it was drafted of as a credit note.
    #[serde(default)]
    pub goods: Option<ReturnId>,
    /// The cancelled order that it was drafted of as a credit note, of what of it was never paid.
    #[serde(default)]
    pub cancelled_order: Option<OrderId>,
}

/// A line of a draft.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DraftItem {
    /// The product it was filled from.
    pub product: Option<ProductId>,
    /// A code of c_ClaveProdServ.
    pub sat_product_key: String,
    /// The issuer's own number of it.
    pub sku: Option<String>,
    /// A code of c_ClaveUnidad.
    pub sat_unit_key: String,
    /// The unit in the issuer's words.
    pub unit: Option<String>,
    /// What is sold.
    pub description: String,
    /// How many units.
    pub quantity: Amount,
    /// The price of one unit, with or without taxes.
    pub unit_price: Amount,
    /// Whether price and discount have the taxes inside.
    pub tax_included: bool,
    /// What is taken off.
    pub discount: Option<Amount>,
    /// A code of c_ObjetoImp; follows from the taxes where none is named.
    pub tax_object: Option<String>,
    /// Its taxes.
    pub taxes: Vec<TaxRate>,
    /// On whose behalf it is sold.
    pub third_party: Option<ThirdParty>,
    /// Customs documents of imported goods.
    pub customs: Vec<String>,
    /// Numbers of property accounts, for the rent of real estate.
    pub property_accounts: Vec<String>,
    /// What it is made up of.
    #[serde(default)]
    pub parts: Vec<Part>,
}

/// A tax of a state or municipality, on the whole of a draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DraftLocalTax {
    /// Its name in the law that levies it.
    pub name: String,
    /// Its rate as a share.
    pub rate: Amount,
    /// What it is levied on; what is sold, discounts taken off, where nothing else is told.
    pub base: Option<Amount>,
    /// Whether the receiver keeps it back.
    pub withheld: bool,
}

/// A payment of a draft.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DraftPayment {
    /// When it was received.
    pub paid_at: Timestamp,
    /// How, a code of c_FormaPago.
    pub payment_form: String,
    /// In what currency.
    pub currency: Currency,
    /// Pesos for one unit of a foreign currency.
    pub exchange_rate: Option<Amount>,
    /// How much.
    pub amount: Amount,
    /// The bank's number of it.
    pub operation: Option<String>,
    /// The account it came from.
    pub payer_account: Option<BankAccount>,
    /// The account it went to.
    pub payee_account: Option<BankAccount>,
    /// What it pays.
    pub documents: Vec<DraftPaid>,
}

/// The part of a payment that pays one invoice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DraftPaid {
    /// Which invoice.
    pub invoice: PaidInvoice,
    /// What is paid, in the invoice's currency.
    pub amount: Amount,
    /// The same in the payment's currency; told where the currencies differ.
    pub payment_amount: Option<Amount>,
}

/// An invoice that a payment pays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PaidInvoice {
    /// One of the account's own: what is owed of it is known.
    Own(InvoiceId),
    /// One that was issued elsewhere, with what is owed of it.
    External(Box<Owed>),
}

/// What is owed of an invoice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Owed {
    /// Its fiscal folio.
    pub uuid: String,
    /// Its series.
    pub series: Option<String>,
    /// Its folio.
    pub folio: Option<String>,
    /// Its currency.
    pub currency: Currency,
    /// Its total.
    pub total: Amount,
    /// What is owed of it now.
    pub balance: Amount,
    /// The number of the last payment of it that is receipted.
    pub installments: u32,
    /// Its taxes, summed by rate.
    pub taxes: Vec<ItemTax>,
    /// The code of c_ObjetoImp of all its items; of an invoice of elsewhere, and of one whose items differ, it follows
    /// from whether there are taxes.
    #[serde(skip)]
    pub tax_object: Option<String>,
    /// Where the next payment of it stands, if it takes the place of another.
    #[serde(skip)]
    pub place: Option<Place>,
}

/// Where a payment stands among those of an invoice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its number among them, from 1.
    pub installment: u32,
    /// What was owed before it.
    pub balance_before: Amount,
    /// The most that it may be.
    pub most: Amount,
}

impl Draft {
    /// Whether no other document changes with it: it refers to none, and pays none.
    #[must_use]
    pub fn stands_alone(&self) -> bool {
        self.related.is_empty() && self.payments.is_empty()
    }

    /// The account's own invoices that its payments pay.
    pub fn paid_invoices(&self) -> impl Iterator<Item = InvoiceId> {
        self.payments.iter().flat_map(|payment| &payment.documents).filter_map(|paid| {
            match &paid.invoice {
                PaidInvoice::Own(id) => Some(*id),
                PaidInvoice::External(_) => None,
            }
        })
    }

    /// The fiscal folios it refers to as what it takes the place of (relation `04`).
    pub fn replaces(&self) -> impl Iterator<Item = &str> {
        let replacing = self.related.iter().filter(|relation| relation.relation == REPLACES);
        replacing.flat_map(|relation| &relation.uuids).map(String::as_str)
    }

    /// The fiscal folios it refers to otherwise.
    pub fn refers_to(&self) -> impl Iterator<Item = &str> {
        let others = self.related.iter().filter(|relation| relation.relation != REPLACES);
        others.flat_map(|relation| &relation.uuids).map(String::as_str)
    }
}
