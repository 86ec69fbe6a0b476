//! What the invoices' endpoints read.

mod actions;
mod complements;
mod item;
mod local_tax;
mod parties;
mod payment;
#[cfg(test)]
mod tests;

use cfdi::document::{DocumentType, Global, PaymentMethod, Relation};
use intake::{
    Check, Fields, Form,
    checks::{
        above_zero, currency, flag, id, line, list, metadata, moment, object, objects, one_of,
        paragraph, whole,
    },
    noun,
};
use invoices::{
    BranchId, CancellationStatus, CustomerId, Fields as InvoiceFields, InvoiceFilter, InvoiceId,
    InvoiceQuery, OrderId, Status,
    draft::{ITEMS_MAX, NOTES_CHARS_MAX, ORDERS_MAX, PAYMENTS_MAX, RELATED_MAX},
    series::{FOLIO_MAX, SERIES_CHARS_MAX},
};

use kernel::{Language, message, search::Words};

use super::examples;
use crate::{
    filters,
    page::page_request_of,
    resources::{
        fiscal::{cfdi_use, rfc, two_digits, uuid, zip},
        issuers::issuer_id,
        shapes::{INVOICE_TYPES, PAYMENT_METHODS},
    },
};
pub(super) use actions::{ADDENDA, CANCEL, COPY, EMAIL, WantedMail};
pub(in crate::resources) use actions::{CANCEL_CODES, WantedCancellation, read_cancellation};
use item::read_item;
pub(super) use parties::read_receiver;
use payment::read_payment;

pub(super) const LIST: Form<InvoiceQuery> = Form::query(read_query);
pub(super) const STAMPING: Form<Option<bool>> = Form::query(read_stamping);
pub(super) const PDF: Form<Option<Language>> = Form::query(read_language);
pub(super) const CREATE: Form<Wanted> =
    Form::body("CreateInvoice", noun("an invoice", "una factura"), read_invoice, examples::CREATE);
pub(super) const UPDATE: Form<InvoiceFields> =
    Form::body("UpdateInvoice", noun("an invoice", "una factura"), read_changes, examples::UPDATE);

/// What a body says of a new invoice.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) kind: DocumentType,
    pub(super) fields: InvoiceFields,
    /// Whether it is to be stamped at once, of which the query may speak instead.
    pub(super) stamp: Option<bool>,
}

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &[
    "id",
    "status",
    "folio",
    "uuid",
    "issuer",
    "subtotal",
    "discount",
    "taxes",
    "total",
    "balance",
    "installments",
    "appliedTo",
    "localIssuedAt",
    "timeZone",
    "cancellation",
    "lastError",
    "createdAt",
    "updatedAt",
];
const SEARCH: &str = "Words in the receiver's name or RFC, the series, the payment terms, the notes, or the descriptions and SKUs of the items; \
     the folio, with its series (`F-123`, `F123`) or alone (`123`); the fiscal folio (UUID), whole or at least its first 6 \
     digits, with or without hyphens; the number of an invoiced order (`ORD-000123`). Every word must match the beginning of one, in any order; numbers of \
     invoices and orders match as a whole. Accents and case are ignored.";
const STAMP: &str = "Whether to stamp the invoice at once; defaults to `false`.";
const ISSUER: &str =
    "Issuer; by default that of the branch, of the own invoices referred to, or the default one.";
const BRANCH: &str = "Branch; place of issue and series are its own unless they are given. A new receipt or credit note has that of \
     its invoice unless it is stated.";
const ISSUED_AT: &str =
    "Issue date; the moment of stamping by default. SAT accepts dates of the last 72 hours.";
const COMPLEMENTS: &str =
    "Complements beside those of payments and local taxes; an update replaces all of them.";
/// Languages of a PDF.
pub(super) const LANGUAGES: &[Language] = &[Language::Spanish, Language::English];
/// Statuses of cancellations, as the filter has them.
const CANCELLATIONS: &[Option<CancellationStatus>] = &[
    None,
    Some(CancellationStatus::Requested),
    Some(CancellationStatus::Accepted),
    Some(CancellationStatus::Rejected),
    Some(CancellationStatus::Expired),
];
/// Maximum characters of conditions of payment (cfdv40).
const TERMS_CHARS_MAX: usize = 1_000;
/// Length of a provider's confirmation code, in characters (cfdv40).
const CONFIRMATION_CHARS_MAX: usize = 5;
/// Years accepted for a global invoice; the SAT rules narrow them down.
const YEARS: std::ops::RangeInclusive<i64> = 2000..=9999;

fn read_query(fields: &mut Fields<'_>) -> Option<InvoiceQuery> {
    let filter = read_filter(fields);
    let (sort, name) = filters::record_sort(fields);
    Some(InvoiceQuery { filter, sort, page: page_request_of(fields, name, InvoiceId::PREFIX) })
}

/// Which invoices are listed, or summed up.
pub(super) fn read_filter(fields: &mut Fields<'_>) -> InvoiceFilter {
    let filter = InvoiceFilter {
        status: fields
            .change("status", one_of(Status::EVERY, Status::name).about("Filter by status.")),
        kind: fields.change("type", kind().about("Filter by CFDI type.")),
        issuer: fields.change("issuerId", issuer_id().about("Filter by issuer.")),
        branch: fields.change("branchId", branch().about("Filter by branch.")),
        customer: fields.change("customerId", customer().about("Filter by customer.")),
        order: fields.change("orderId", order().about("Filter by invoiced order.")),
        uuid: fields.change("uuid", uuid().about("Filter by fiscal folio (UUID).")),
        series: fields.change("series", line(SERIES_CHARS_MAX).about("Filter by series.")),
        folio: fields
            .change("folio", whole(1..=FOLIO_MAX).about("Filter by folio within the series."))
            .and_then(|folio| u64::try_from(folio).ok()),
        cancellation: fields.change("cancellationStatus", cancellation()),
        receipt_due: fields.change(
            "receiptDue",
            flag().about(
                "Whether a payment was recorded for an invoice to be paid later (`PPD`) that no stamped receipt tells of.",
            ),
        ),
        stamped_from: fields
            .change("stampedFrom", moment().about("Only invoices stamped at or after this time.")),
        stamped_to: fields
            .change("stampedTo", moment().about("Only invoices stamped before this time.")),
        rfc: fields.change("rfc", rfc().about("Filter by RFC of the receiver.")),
        created_from: fields
            .change("createdFrom", moment().about("Only invoices created at or after this time.")),
        created_to: fields
            .change("createdTo", moment().about("Only invoices created before this time.")),
        updated_since: filters::updated_since(fields),
        ids: filters::ids(
            fields,
            noun("an invoice", "una factura"),
            InvoiceId::PREFIX,
            InvoiceId::parse,
        ),
        search: filters::search(fields, Words::parse, SEARCH),
    };
    for time in [
        [("stampedFrom", filter.stamped_from), ("stampedTo", filter.stamped_to)],
        [("createdFrom", filter.created_from), ("createdTo", filter.created_to)],
    ] {
        filters::refuse_backwards(fields, time);
    }
    filter
}

/// Whether a new invoice is to be stamped at once.
fn read_stamping(fields: &mut Fields<'_>) -> Option<Option<bool>> {
    let about = "The same as `stamp` in the body, which must not say otherwise.";
    Some(fields.optional("stamp", flag().about(about)))
}

/// The language of a PDF.
pub(in crate::resources) fn read_language(fields: &mut Fields<'_>) -> Option<Option<Language>> {
    let about = "Language of the labels; by default Spanish, English for a receiver abroad.";
    let language = one_of(LANGUAGES, Language::tag).about(about);
    Some(fields.optional("language", language))
}

fn read_invoice(fields: &mut Fields<'_>) -> Option<Wanted> {
    let kind = fields.optional("type", kind()).unwrap_or(DocumentType::Income);
    let invoice = read_fields(fields, Doing::Making);
    let stamp = fields.optional("stamp", flag().about(STAMP));
    fields.read_only(READ_ONLY);
    Some(Wanted { kind, fields: invoice, stamp })
}

fn read_changes(fields: &mut Fields<'_>) -> Option<InvoiceFields> {
    let changes = read_fields(fields, Doing::Changing);
    fields.read_only(&["type", "stamp"]);
    fields.read_only(READ_ONLY);
    Some(changes)
}

/// What a reader does with the fields of a draft.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    Making,
    Changing,
}

/// The fields that creating and updating a draft have in common.
fn read_fields(fields: &mut Fields<'_>, doing: Doing) -> InvoiceFields {
    let items = objects(noun("an item", "una partida"), 0..=ITEMS_MAX, read_item);
    let payments = objects(noun("a payment", "un pago"), 0..=PAYMENTS_MAX, read_payment);
    let related = objects(noun("a relation", "una relación"), 0..=RELATED_MAX, read_relation);
    let use_alone = cfdi_use().about(
        "Short for `receiver.cfdiUse`, if the rest of the receiver is unchanged or derived.",
    );
    InvoiceFields {
        issuer: lasting(fields, doing, "issuerId", issuer_id().about(ISSUER)),
        branch: fields.patch("branchId", branch().about(BRANCH)),
        series: lasting(fields, doing, "series", line(SERIES_CHARS_MAX)),
        issued_at: fields.patch("issuedAt", moment().about(ISSUED_AT)),
        customer: fields.patch("customerId", customer()),
        orders: read_orders(fields, doing),
        receiver: lasting(
            fields,
            doing,
            "receiver",
            object(noun("a receiver", "un receptor"), read_receiver),
        ),
        cfdi_use: lasting(fields, doing, "cfdiUse", use_alone),
        items: lasting(fields, doing, "items", items),
        local_taxes: lasting(fields, doing, "localTaxes", local_tax::local_taxes()),
        payments: lasting(fields, doing, "payments", payments),
        payment_form: fields.patch("paymentForm", two_digits("03")),
        payment_method: fields.patch("paymentMethod", payment_method()),
        payment_terms: fields.patch("paymentTerms", line(TERMS_CHARS_MAX)),
        currency: lasting(fields, doing, "currency", currency()),
        exchange_rate: fields.patch("exchangeRate", above_zero()),
        export: lasting(fields, doing, "export", two_digits("01")),
        place_of_issue: fields.patch("placeOfIssue", zip()),
        confirmation: fields.patch("confirmation", line(CONFIRMATION_CHARS_MAX)),
        global: fields.patch("global", object(noun("a period", "un periodo"), read_global)),
        related: lasting(fields, doing, "related", related),
        complements: lasting(
            fields,
            doing,
            "complements",
            complements::complements().about(COMPLEMENTS),
        ),
        notes: fields.patch("notes", paragraph(NOTES_CHARS_MAX)),
        metadata: fields.patch("metadata", metadata()).map(Option::unwrap_or_default),
    }
}

/// A field that a draft always has: it defaults to the usual value on creation, and an update cannot clear
/// it.
fn lasting<C: Check>(
    fields: &mut Fields<'_>,
    doing: Doing,
    name: &'static str,
    check: C,
) -> Option<C::Value> {
    match doing {
        Doing::Making => fields.optional(name, check),
        Doing::Changing => fields.change(name, check),
    }
}

/// One order, or several.
fn read_orders(fields: &mut Fields<'_>, doing: Doing) -> Option<Vec<OrderId>> {
    let about = "Order to invoice, short for `orderIds` with one element.";
    let one = lasting(fields, doing, "orderId", order().about(about));
    let several = lasting(fields, doing, "orderIds", list(0..=ORDERS_MAX, order()));
    match (one, several) {
        (Some(one), Some(several)) if several != [one] => fields.refuse(
            "orderId",
            message!(
                "must not be given beside other orderIds",
                "no se puede indicar junto con otros orderIds"
            ),
        ),
        (Some(one), _) => Some(vec![one]),
        (None, several) => several,
    }
}

fn read_global(fields: &mut Fields<'_>) -> Option<Global> {
    let periodicity = fields.required("periodicity", two_digits("04"));
    let months = fields.required("months", two_digits("01"));
    let year = fields.required("year", whole(YEARS));
    let year = year.and_then(|year| u16::try_from(year).ok());
    Some(Global { periodicity: periodicity?, months: months?, year: year? })
}

fn read_relation(fields: &mut Fields<'_>) -> Option<Relation> {
    let relation = fields.required("relation", two_digits("04"));
    let uuids = fields.required("uuids", list(1..=RELATED_MAX, uuid()));
    Some(Relation { relation: relation?, uuids: uuids? })
}

/// The status of a cancellation; `none` where none was asked for.
fn cancellation() -> impl Check<Value = Option<CancellationStatus>> {
    one_of(CANCELLATIONS, |status| status.map_or("none", CancellationStatus::name))
        .about("Filter by cancellation status.")
}

pub(super) fn kind() -> impl Check<Value = DocumentType> {
    one_of(INVOICE_TYPES, |kind| kind.code())
}

fn payment_method() -> impl Check<Value = PaymentMethod> {
    one_of(PAYMENT_METHODS, |method| method.code())
}

pub(in crate::resources) fn branch() -> impl Check<Value = BranchId> {
    id(noun("a branch", "una sucursal"), BranchId::PREFIX, BranchId::parse)
}

pub(in crate::resources) fn customer() -> impl Check<Value = CustomerId> {
    id(noun("a customer", "un cliente"), CustomerId::PREFIX, CustomerId::parse)
}

fn order() -> impl Check<Value = OrderId> {
    id(noun("an order", "un pedido"), OrderId::PREFIX, OrderId::parse)
}
