//! How the API shows an invoice.

mod cancellation;
mod complements;
mod item;
mod local_tax;
mod parties;
mod payment;
mod stamp;
#[cfg(test)]
pub(super) mod tests;

use std::fmt::Display;

use cfdi::{
    catalogs::{postal_codes, zones::Zone},
    document::{DocumentType, Global, PaymentMethod, Relation, local_time},
    stamp::verification_url,
    tax::Tax,
    totals::Totals,
};
use invoices::{
    Applied, BranchId, CustomerId, Invoice, InvoiceId, IssuerId, LastError, OrderId, Status,
};
use kernel::{Amount, Currency, Language, Metadata, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::Resource,
    etag::ETag,
    resources::{shapes, taxes::TaxAmountBody},
};
use cancellation::CancellationBody;
use complements::ComplementsBody;
use item::ItemBody;
use local_tax::LocalTaxBody;
pub(in crate::resources) use parties::InvoiceIssuerBody;
use parties::ReceiverBody;
use payment::PaymentBody;
pub(in crate::resources) use stamp::StampBody;

use super::told::{cancellation_in, error_in};

/// What was appended to the XML of an invoice for its buyer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceAddenda)]
pub(super) struct AddendaBody {
    /// The invoice.
    #[schema(value_type = String, example = "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T")]
    pub(super) invoice_id: InvoiceId,
    /// The elements in `cfdi:Addenda`; `null` if there is none.
    pub(super) xml: Option<String>,
}

/// An invoice: a CFDI 4.0 document or a draft of one.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Invoice)]
pub(in crate::resources) struct InvoiceBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T")]
    id: InvoiceId,
    /// CFDI type: `I` income (the default), `E` credit note, `P` payment receipt, `T` transfer of goods.
    #[serde(rename = "type")]
    #[schema(value_type = shapes::InvoiceType)]
    kind: DocumentType,
    /// Status: a `draft` can be changed; `stamping` until the provider's answer is known; `stamped` is a
    /// valid fiscal document; `cancelled` no longer is.
    #[schema(value_type = shapes::InvoiceStatus)]
    status: Status,
    /// Issuer, one of the account's.
    #[schema(value_type = String, example = "iss_01KG8VXT0N9B4C6D8E0F2G4H6J")]
    issuer_id: Option<IssuerId>,
    /// Branch where it is issued.
    #[schema(value_type = Option<String>, example = "brn_01KG90B1C2D3E4F5G6H7J8K9M0")]
    branch_id: Option<BranchId>,
    /// Series; defaults to that of the branch or issuer for the CFDI type.
    series: String,
    /// Folio number within the series, assigned at the first attempt to stamp the invoice.
    #[schema(example = "123")]
    folio: Option<String>,
    /// Fiscal folio (UUID), assigned by the stamp.
    uuid: Option<String>,
    /// Customer; the default source of `receiver`.
    #[schema(value_type = Option<String>, example = "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C")]
    customer_id: Option<CustomerId>,
    /// Orders that are invoiced: one, or several with `global`. Items, currency and customer default to
    /// theirs.
    #[schema(value_type = Vec<String>, example = json!(["ord_01KG8W2X4N7QZ5T3R9B6C1D0EF"]))]
    order_ids: Vec<OrderId>,
    /// Issuer (emisor).
    issuer: InvoiceIssuerBody,
    /// Receiver (receptor).
    receiver: ReceiverBody,
    /// Line items, at most 5,000.
    items: Vec<ItemBody>,
    /// Taxes of states and municipalities, on the whole invoice (complement Impuestos locales).
    local_taxes: Vec<LocalTaxBody>,
    /// Payments covered by a payment receipt (`P`).
    payments: Vec<PaymentBody>,
    /// Currency; defaults to that of the orders, otherwise MXN.
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
    /// Exchange rate: pesos per unit of the foreign currency.
    #[schema(value_type = Option<shapes::Amount>)]
    exchange_rate: Option<Amount>,
    /// Payment form, see GET /invoices/cfdi/formas-pago; defaults to `99` with `PPD`.
    #[schema(example = "03")]
    payment_form: Option<String>,
    /// `PUE` paid in full (the default for income invoices), `PPD` paid in installments or deferred, where
    /// each payment needs a payment receipt.
    #[schema(value_type = Option<shapes::PaymentMethod>)]
    payment_method: Option<PaymentMethod>,
    /// Payment terms, as free text.
    payment_terms: Option<String>,
    /// Export code, see GET /invoices/cfdi/exportaciones; defaults to `01`.
    #[schema(example = "01")]
    export: String,
    /// Postal code of the place of issue; defaults to that of the branch or issuer.
    place_of_issue: String,
    /// Confirmation code issued by a provider for an unusually high amount or exchange rate.
    confirmation: Option<String>,
    /// Period covered by a global invoice of sales to the general public.
    global: Option<GlobalBody>,
    /// Related documents.
    related: Vec<RelationBody>,
    /// What it states beside its items for the trades that need it.
    complements: ComplementsBody,
    /// Subtotal, before taxes and discounts.
    #[schema(value_type = shapes::Amount)]
    subtotal: Amount,
    /// Total discount, before taxes.
    #[schema(value_type = Option<shapes::Amount>)]
    discount: Option<Amount>,
    /// Tax totals.
    taxes: TaxesBody,
    /// Total payable by the receiver.
    #[schema(value_type = shapes::Amount)]
    total: Amount,
    /// Outstanding balance of an invoice with payment method `PPD`: its total less stamped payment receipts and credit
    /// notes.
    #[schema(value_type = Option<shapes::Amount>)]
    balance: Option<Amount>,
    /// Number of the last installment that a stamped payment receipt covers.
    installments: u32,
    /// Invoices that this credit note lowers, set when it is stamped: own invoices with relation `01`, `03` or `07`.
    applied_to: Vec<AppliedBody>,
    /// Issue date; `null` for a draft that does not name one, which is issued when it is stamped.
    #[schema(value_type = Option<shapes::Timestamp>)]
    issued_at: Option<Timestamp>,
    /// The same in local time at `placeOfIssue`, as the CFDI states it.
    #[schema(value_type = Option<shapes::LocalTime>)]
    local_issued_at: Option<String>,
    /// Name of the time zone at `placeOfIssue` in SAT's catalog of postal codes.
    #[schema(example = "Tiempo del Centro")]
    time_zone: Option<&'static str>,
    /// Stamp (timbre).
    stamp: Option<StampBody>,
    /// Cancellation status.
    cancellation: CancellationBody,
    /// Why the last stamping attempt failed; of a receipt or credit note that was drafted automatically, also what it lacks,
    /// until that is supplied.
    last_error: Option<LastErrorBody>,
    /// Notes printed on the PDF; not part of the CFDI.
    notes: Option<String>,
    /// Arbitrary key-value pairs of your own.
    #[schema(value_type = shapes::Metadata)]
    metadata: Metadata,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    tag: ETag,
}

/// Period covered by a global invoice.
#[derive(Serialize, ToSchema)]
#[schema(as = GlobalPeriod)]
struct GlobalBody {
    /// Periodicity code, see GET /invoices/cfdi/periodicidades.
    #[schema(example = "04")]
    periodicity: String,
    /// Month code, see GET /invoices/cfdi/meses.
    #[schema(example = "01")]
    months: String,
    /// Year.
    #[schema(example = 2026)]
    year: u16,
}

/// Documents related to an invoice by the same relation type.
#[derive(Serialize, ToSchema)]
#[schema(as = RelatedDocuments)]
struct RelationBody {
    /// Relation type, see GET /invoices/cfdi/tipos-relacion.
    #[schema(example = "04")]
    relation: String,
    /// Fiscal folios (UUIDs) of the related documents.
    uuids: Vec<String>,
}

/// What a credit note takes off an invoice.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = AppliedCredit)]
struct AppliedBody {
    /// Invoice that is lowered.
    #[schema(value_type = String, example = "inv_01KG8Y4Z6B8D0F2H4K6M8P0R2T")]
    invoice_id: InvoiceId,
    /// Amount taken off, in the invoice's currency.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
}

/// Tax totals of an invoice.
#[derive(Serialize, ToSchema)]
#[schema(as = InvoiceTaxes)]
struct TaxesBody {
    /// Transferred taxes (traslados), by tax, factor and rate.
    transferred: Vec<TaxAmountBody>,
    /// Withheld taxes (retenciones), by tax.
    withheld: Vec<WithheldBody>,
}

/// The amount withheld of one tax.
#[derive(Serialize, ToSchema)]
#[schema(as = WithheldTax)]
struct WithheldBody {
    /// Name of the tax.
    #[schema(value_type = String, example = "ISR")]
    tax: Tax,
    /// Amount withheld.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
}

/// Why a stamping attempt failed.
#[derive(Serialize, ToSchema)]
#[schema(as = InvoiceError)]
pub(in crate::resources) struct LastErrorBody {
    /// Error code given by the provider, or by SAT for what the draft lacks; `provider_unavailable`, `unknown` and the like
    /// where there is none.
    #[schema(example = "CFDI40147")]
    code: String,
    /// Error message given by the provider, in its words; or what the service has met, in the language that
    /// `Accept-Language` prefers.
    message: String,
    /// When the attempt failed, or when the draft was last looked at.
    #[schema(value_type = shapes::Timestamp)]
    at: Timestamp,
}

impl Resource for InvoiceBody {
    type Thing = Invoice;

    const PATH: &'static str = "/invoices";

    const IS_TOLD: bool = true;

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        self.tag
    }

    fn weight(invoice: &Invoice) -> usize {
        1 + invoice.draft.items.len()
    }

    fn in_language(invoice: Invoice, language: Language) -> Invoice {
        let last_error = invoice.last_error.map(|error| error_in(error, language));
        let cancellation = invoice.cancellation.map(|it| cancellation_in(it, language));
        Invoice { last_error, cancellation, ..invoice }
    }
}

impl From<Invoice> for InvoiceBody {
    fn from(invoice: Invoice) -> Self {
        let tag = tag(&invoice);
        let (totals, balance) = (invoice.totals(), invoice.outstanding());
        let Invoice { draft, document, stamp, .. } = invoice;
        let stamp = stamp
            .map(|stamped| StampBody::new(verification_url(&document, &stamped.stamp), stamped));
        let is_dated = invoice.status != Status::Draft || draft.issued_at.is_some();
        let zone = postal_codes::find(&document.place_of_issue).map(|place| place.zone());
        let issued_at = zone.filter(|_| is_dated).map(|zone| zone.utc(document.issued_at));
        Self {
            id: invoice.id,
            kind: draft.kind,
            status: invoice.status,
            issuer_id: draft.issuer,
            branch_id: draft.branch,
            series: draft.series,
            folio: invoice.folio.map(|folio| folio.to_string()),
            uuid: stamp.as_ref().map(|stamp| stamp.uuid().to_owned()),
            customer_id: draft.customer,
            order_ids: draft.orders,
            issuer: document.issuer.into(),
            receiver: document.receiver.into(),
            items: item::list(draft.items, &document.items),
            local_taxes: local_tax::list(draft.local_taxes, document.local_taxes),
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
            complements: document.complements.into(),
            subtotal: totals.sub_total,
            discount: totals.discount,
            total: totals.total,
            taxes: totals.into(),
            balance,
            installments: invoice.installments,
            applied_to: invoice.applied_to.into_iter().map(AppliedBody::from).collect(),
            issued_at,
            local_issued_at: is_dated.then(|| local_time::to_text(document.issued_at)),
            time_zone: zone.map(Zone::name),
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

/// The entity tag of an invoice. Besides the version it covers what changes without a command to the invoice:
/// payments received and, for a draft, the issuer and the balances of the invoices it pays.
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

impl From<Applied> for AppliedBody {
    fn from(applied: Applied) -> Self {
        let Applied { invoice, amount } = applied;
        Self { invoice_id: invoice, amount }
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
