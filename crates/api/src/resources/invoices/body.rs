//! How the API shows an invoice.

mod cancellation;
mod item;
mod parties;
mod payment;
mod stamp;
#[cfg(test)]
pub(super) mod tests;

use std::fmt::Display;

use cfdi::{
    document::{Global, Kind, PaymentMethod, Relation, local_time},
    tax::Tax,
    totals::Totals,
};
use invoices::{CustomerId, Invoice, InvoiceId, LastError, OrderId, Status};
use kernel::{Amount, Currency, Metadata, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::Resource,
    etag::ETag,
    resources::{shapes, taxes::TaxAmountBody},
};
use cancellation::CancellationBody;
use item::ItemBody;
use parties::{InvoiceIssuerBody, ReceiverBody};
use payment::PaymentBody;
use stamp::StampBody;

/// An invoice: a CFDI 4.0 document, or the draft of one.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Invoice)]
pub(super) struct InvoiceBody {
    /// Its identifier.
    #[schema(value_type = String, example = "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T")]
    id: InvoiceId,
    /// `I` for a sale (the default), `E` for a credit note, `P` for a receipt of payments, `T` for goods on
    /// the move.
    #[serde(rename = "type")]
    #[schema(value_type = shapes::InvoiceType)]
    kind: Kind,
    /// Where it stands: a `draft` can be changed; `stamping` until the provider's answer is known; `stamped`
    /// is a fiscal document; `cancelled` was one.
    #[schema(value_type = shapes::InvoiceStatus)]
    status: Status,
    /// Its series; the issuer's for the type unless given.
    series: String,
    /// Its number within the series, from the first attempt to stamp it.
    #[schema(example = "123")]
    folio: Option<String>,
    /// Its fiscal folio, from its stamp.
    uuid: Option<String>,
    /// The customer; `receiver` follows from it unless given.
    #[schema(value_type = Option<String>, example = "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C")]
    customer_id: Option<CustomerId>,
    /// The orders that it invoices: one, or with `global` several. Items, currency and customer follow from
    /// them unless given.
    #[schema(value_type = Vec<String>, example = json!(["ord_01KG8W2X4N7QZ5T3R9B6C1D0EF"]))]
    order_ids: Vec<OrderId>,
    /// Who issues it.
    issuer: InvoiceIssuerBody,
    /// Whom it is made out to.
    receiver: ReceiverBody,
    /// What is sold, at most 500 items.
    items: Vec<ItemBody>,
    /// What was paid, in a receipt of payments (`P`).
    payments: Vec<PaymentBody>,
    /// Its currency; MXN, or that of its orders, unless given.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Pesos for one unit of a foreign currency.
    #[schema(value_type = Option<shapes::Amount>)]
    exchange_rate: Option<Amount>,
    /// How it was paid, see GET /invoices/cfdi/formas-pago; `99` unless given when it is paid in parts.
    #[schema(example = "03")]
    payment_form: Option<String>,
    /// `PUE` in one go (the default of sales), `PPD` in parts or later: each payment gets a receipt then.
    #[schema(value_type = Option<shapes::PaymentMethod>)]
    payment_method: Option<PaymentMethod>,
    /// Conditions of payment in free text.
    payment_terms: Option<String>,
    /// Whether goods leave the country, see GET /invoices/cfdi/exportaciones; `01` unless given.
    #[schema(example = "01")]
    export: String,
    /// The postal code where it is issued; the issuer's unless given.
    place_of_issue: String,
    /// The code that a provider gave for an unusual amount.
    confirmation: Option<String>,
    /// The period of a global invoice of sales to the general public.
    global: Option<GlobalBody>,
    /// Documents that it refers to.
    related: Vec<RelationBody>,
    /// The sum of its items before taxes and discounts.
    #[schema(value_type = shapes::Amount)]
    subtotal: Amount,
    /// The sum of the discounts, before taxes.
    #[schema(value_type = Option<shapes::Amount>)]
    discount: Option<Amount>,
    /// Its taxes, summed.
    taxes: TaxesBody,
    /// What the receiver pays.
    #[schema(value_type = shapes::Amount)]
    total: Amount,
    /// What is still owed of one that is paid in parts.
    #[schema(value_type = Option<shapes::Amount>)]
    balance: Option<Amount>,
    /// How many payments of it have stamped receipts.
    installments: u32,
    /// When it was issued, local time at `placeOfIssue`, as it is sealed; `null` for a draft.
    #[schema(value_type = Option<shapes::LocalTime>)]
    issued_at: Option<String>,
    /// Its stamp.
    stamp: Option<StampBody>,
    /// Its cancellation.
    cancellation: CancellationBody,
    /// Why the last attempt to stamp it failed.
    last_error: Option<LastErrorBody>,
    /// Printed on the PDF; no part of the document.
    notes: Option<String>,
    /// Your own notes.
    #[schema(value_type = shapes::Metadata)]
    metadata: Metadata,
    /// When it was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    tag: ETag,
}

/// The period of a global invoice.
#[derive(Serialize, ToSchema)]
#[schema(as = GlobalPeriod)]
struct GlobalBody {
    /// How often, see GET /invoices/cfdi/periodicidades.
    #[schema(example = "04")]
    periodicity: String,
    /// Which months, see GET /invoices/cfdi/meses.
    #[schema(example = "01")]
    months: String,
    /// Of which year.
    #[schema(example = 2026)]
    year: u16,
}

/// Documents that an invoice refers to for one reason.
#[derive(Serialize, ToSchema)]
#[schema(as = RelatedDocuments)]
struct RelationBody {
    /// Why, see GET /invoices/cfdi/tipos-relacion.
    #[schema(example = "04")]
    relation: String,
    /// The fiscal folios of the documents.
    uuids: Vec<String>,
}

/// The taxes of an invoice, summed.
#[derive(Serialize, ToSchema)]
#[schema(as = InvoiceTaxes)]
struct TaxesBody {
    /// What is part of the price, by tax, factor and rate.
    transferred: Vec<TaxAmountBody>,
    /// What the receiver withholds, by tax.
    withheld: Vec<WithheldBody>,
}

/// What is withheld of one tax.
#[derive(Serialize, ToSchema)]
#[schema(as = WithheldTax)]
struct WithheldBody {
    /// Which tax.
    #[schema(value_type = String, example = "ISR")]
    tax: Tax,
    /// How much.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
}

/// Why an attempt to stamp failed.
#[derive(Serialize, ToSchema)]
#[schema(as = InvoiceError)]
struct LastErrorBody {
    /// The provider's code.
    #[schema(example = "CFDI40147")]
    code: String,
    /// The provider's words.
    message: String,
    /// When.
    #[schema(value_type = shapes::Timestamp)]
    at: Timestamp,
}

impl Resource for InvoiceBody {
    type Thing = Invoice;

    const PATH: &'static str = "/invoices";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        self.tag
    }
}

impl From<Invoice> for InvoiceBody {
    fn from(invoice: Invoice) -> Self {
        let tag = tag(&invoice);
        let totals = invoice.totals();
        let Invoice { draft, document, stamp, .. } = invoice;
        let stamp = stamp.map(|stamped| StampBody::new(&document, stamped));
        let sealed = invoice.status != Status::Draft;
        Self {
            id: invoice.id,
            kind: draft.kind,
            status: invoice.status,
            series: draft.series,
            folio: invoice.folio.map(|folio| folio.to_string()),
            uuid: stamp.as_ref().map(|stamp| stamp.uuid().to_owned()),
            customer_id: draft.customer,
            order_ids: draft.orders,
            issuer: document.issuer.into(),
            receiver: document.receiver.into(),
            items: item::list(draft.items, &document.items),
            payments: payment::list(draft.payments, document.payments),
            currency: draft.currency,
            exchange_rate: draft.exchange_rate,
            payment_form: draft.payment_form,
            payment_method: draft.payment_method,
            payment_terms: draft.payment_terms,
            export: draft.export,
            place_of_issue: document.place_of_issue,
            confirmation: draft.confirmation,
            global: draft.global.map(GlobalBody::from),
            related: draft.related.into_iter().map(RelationBody::from).collect(),
            subtotal: totals.sub_total,
            discount: totals.discount,
            total: totals.total,
            taxes: totals.into(),
            balance: invoice.balance,
            installments: invoice.installments,
            issued_at: sealed.then(|| local_time::to_text(document.issued_at)),
            stamp,
            cancellation: invoice.cancellation.into(),
            last_error: invoice.last_error.map(LastErrorBody::from),
            notes: draft.notes,
            metadata: draft.metadata,
            created_at: invoice.created_at,
            updated_at: invoice.updated_at,
            tag,
        }
    }
}

/// The tag of an invoice: besides its version what others change of it, the payments of it and, while it is a
/// draft, its issuer and what is owed of the invoices that it pays.
fn tag(invoice: &Invoice) -> ETag {
    let issuer = &invoice.document.issuer;
    let names =
        [&issuer.rfc, &issuer.legal_name, &issuer.tax_regime, &invoice.document.place_of_issue];
    let names = names.into_iter().flat_map(|name| name.bytes()).map(i64::from);
    let paid = invoice.document.payments.iter().flat_map(|payment| &payment.documents);
    let owed = paid.map(|paid| paid.balance_before.micros());
    let own = [invoice.balance.map_or(-1, Amount::micros), i64::from(invoice.installments)];
    ETag::version_and(invoice.version, own.into_iter().chain(owed).chain(names))
}

impl From<Global> for GlobalBody {
    fn from(global: Global) -> Self {
        let Global { periodicity, months, year } = global;
        Self { periodicity, months, year }
    }
}

impl From<Relation> for RelationBody {
    fn from(relation: Relation) -> Self {
        let Relation { relation, uuids } = relation;
        Self { relation, uuids }
    }
}

impl From<Totals> for TaxesBody {
    fn from(totals: Totals) -> Self {
        let withheld = totals.withheld.into_iter();
        Self {
            transferred: totals.transferred.iter().map(TaxAmountBody::from).collect(),
            withheld: withheld.map(|(tax, amount)| WithheldBody { tax, amount }).collect(),
        }
    }
}

impl From<LastError> for LastErrorBody {
    fn from(error: LastError) -> Self {
        let LastError { at, rejection } = error;
        Self { code: rejection.code, message: rejection.message, at }
    }
}
