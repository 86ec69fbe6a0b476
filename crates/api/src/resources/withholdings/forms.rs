//! What the withholdings' endpoints read.

mod complements;
mod receiver;
#[cfg(test)]
mod tests;

use cfdi::{
    tax::Tax,
    withholding::{Period, Related, WithheldTax},
};
use intake::{
    Check, Fields, Form,
    checks::{flag, line, metadata, moment, number, object, objects, one_of, whole},
    noun,
};
use invoices::{
    Status,
    withholding::{
        DraftTotals, Fields as WithholdingFields, NewWithholding, WithholdingFilter, WithholdingId,
        WithholdingQuery, draft::TAXES_MAX,
    },
};
use kernel::{Amount, Language, message};

use super::examples;
use crate::{
    filters,
    page::page_request_of,
    resources::{
        fiscal::{rfc, two_digits, uuid, zip},
        invoices::{WantedCancellation, customer, read_cancellation, read_language},
        issuers::issuer_id,
    },
};

pub(super) const LIST: Form<WithholdingQuery> = Form::query(read_query);
pub(super) const PDF: Form<Option<Language>> = Form::query(read_language);
pub(super) const CREATE: Form<NewWithholding> = Form::body(
    "CreateWithholding",
    noun("a withholding", "una constancia de retenciones"),
    read_new,
    examples::CREATE,
);
pub(super) const UPDATE: Form<WithholdingFields> = Form::body(
    "UpdateWithholding",
    noun("a withholding", "una constancia de retenciones"),
    read_changes,
    examples::UPDATE,
);
/// An absent body is read as an empty object, so that the answer names the missing reason.
pub(super) const CANCEL: Form<WantedCancellation> = Form::body(
    "CancelWithholding",
    noun("a cancellation", "una cancelación"),
    read_cancellation,
    examples::CANCEL,
)
.or_absent();

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &[
    "id",
    "status",
    "uuid",
    "issuer",
    "localIssuedAt",
    "timeZone",
    "cancellation",
    "lastError",
    "createdAt",
    "updatedAt",
];
/// Maximum characters of the issuer's own number (retencionpagov2).
const FOLIO_CHARS_MAX: usize = 20;
/// Maximum characters of a description (retencionpagov2).
const DESCRIPTION_CHARS_MAX: usize = 100;
/// Years accepted of a period; the SAT rules narrow them down.
const YEARS: std::ops::RangeInclusive<i64> = 2000..=9999;
/// Taxes that are withheld.
const TAXES: &[Tax] = &[Tax::Isr, Tax::Iva, Tax::Ieps];
const STAMP: &str = "Whether to stamp the withholding at once; defaults to `false`.";
const ISSUER: &str = "Issuer; defaults to the default one.";
const CUSTOMER: &str = "Customer from whom taxes are withheld; the source of `receiver`.";
const FOLIO: &str = "Number of your own, of letters and digits.";
const ISSUED_AT: &str =
    "Issue date; the moment of stamping by default. SAT accepts dates of the last 72 hours.";
const CODE: &str =
    "Kind of withholding, see GET /invoices/cfdi/claves-retencion; `25` needs a `description`.";

fn read_query(fields: &mut Fields<'_>) -> Option<WithholdingQuery> {
    let year = whole(YEARS).about("Filter by fiscal year.");
    let filter = WithholdingFilter {
        status: fields
            .change("status", one_of(Status::EVERY, Status::name).about("Filter by status.")),
        code: fields.change("code", two_digits("14").about("Filter by kind of withholding.")),
        year: fields.change("year", year).and_then(|year| u16::try_from(year).ok()),
        issuer: fields.change("issuerId", issuer_id().about("Filter by issuer.")),
        customer: fields.change("customerId", customer().about("Filter by customer.")),
        uuid: fields.change("uuid", uuid().about("Filter by fiscal folio (UUID).")),
        rfc: fields.change("rfc", rfc().about("Filter by RFC of the receiver.")),
        created_from: fields.change(
            "createdFrom",
            moment().about("Only withholdings created at or after this time."),
        ),
        created_to: fields
            .change("createdTo", moment().about("Only withholdings created before this time.")),
        updated_since: filters::updated_since(fields),
        ids: filters::ids(
            fields,
            noun("a withholding", "una constancia de retenciones"),
            WithholdingId::PREFIX,
            WithholdingId::parse,
        ),
    };
    let created = [("createdFrom", filter.created_from), ("createdTo", filter.created_to)];
    filters::refuse_backwards(fields, created);
    let (sort, name) = filters::record_sort(fields);
    Some(WithholdingQuery {
        filter,
        sort,
        page: page_request_of(fields, name, WithholdingId::PREFIX),
    })
}

fn read_new(fields: &mut Fields<'_>) -> Option<NewWithholding> {
    let made = read_fields(fields, Doing::Making);
    let is_to_stamp = fields.optional("stamp", flag().about(STAMP)).unwrap_or_default();
    fields.read_only(READ_ONLY);
    Some(NewWithholding { fields: made, is_to_stamp })
}

fn read_changes(fields: &mut Fields<'_>) -> Option<WithholdingFields> {
    let changes = read_fields(fields, Doing::Changing);
    fields.read_only(&["stamp"]);
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
fn read_fields(fields: &mut Fields<'_>, doing: Doing) -> WithholdingFields {
    let related = object(noun("a relation", "una relación"), read_related);
    let receiver = object(noun("a receiver", "un receptor"), receiver::read_receiver);
    let period = object(noun("a period", "un periodo"), read_period);
    let totals = object(noun("totals", "los totales"), read_totals);
    let taxes = objects(noun("a tax", "un impuesto"), 0..=TAXES_MAX, read_tax);
    WithholdingFields {
        issuer: lasting(fields, doing, "issuerId", issuer_id().about(ISSUER)),
        customer: fields.patch("customerId", customer().about(CUSTOMER)),
        folio: fields.patch("folio", line(FOLIO_CHARS_MAX).about(FOLIO)),
        issued_at: fields.patch("issuedAt", moment().about(ISSUED_AT)),
        place_of_issue: fields.patch("placeOfIssue", zip()),
        code: needed(fields, doing, "code", two_digits("14").about(CODE)),
        description: fields.patch("description", line(DESCRIPTION_CHARS_MAX)),
        related: fields.patch("related", related),
        receiver: lasting(fields, doing, "receiver", receiver),
        period: needed(fields, doing, "period", period),
        totals: needed(fields, doing, "totals", totals),
        taxes: lasting(fields, doing, "taxes", taxes),
        complements: lasting(fields, doing, "complements", complements::complements()),
        metadata: fields.patch("metadata", metadata()).map(Option::unwrap_or_default),
    }
}

/// A field that a draft always has: it defaults to the usual value on creation, and an update cannot clear it.
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

/// The same where there is no usual value.
fn needed<C: Check>(
    fields: &mut Fields<'_>,
    doing: Doing,
    name: &'static str,
    check: C,
) -> Option<C::Value> {
    match doing {
        Doing::Making => fields.required(name, check),
        Doing::Changing => fields.change(name, check),
    }
}

fn read_related(fields: &mut Fields<'_>) -> Option<Related> {
    let relation = two_digits("04")
        .about("Relation type, see GET /invoices/cfdi/tipos-relacion; `04` takes its place.");
    let relation = fields.required("relation", relation);
    let uuid = fields.required("uuid", uuid());
    Some(Related { relation: relation?, uuid: uuid? })
}

fn read_period(fields: &mut Fields<'_>) -> Option<Period> {
    let first_month = fields.required("firstMonth", whole(1..=12));
    let last_month = fields.required("lastMonth", whole(1..=12));
    let year = fields.required("year", whole(YEARS));
    Some(Period {
        first_month: u8::try_from(first_month?).ok()?,
        last_month: u8::try_from(last_month?).ok()?,
        year: u16::try_from(year?).ok()?,
    })
}

fn read_totals(fields: &mut Fields<'_>) -> Option<DraftTotals> {
    let operation =
        not_negative().about("Amount paid; defaults to `taxed` and `exempt` taken together.");
    let operation = fields.optional("operation", operation);
    let taxed = fields.required("taxed", not_negative().about("Taxed part of it."));
    let exempt =
        fields.optional("exempt", not_negative().about("Exempt part of it; defaults to 0."));
    let profit = not_negative().about("Profit of two months, for code `28`.");
    let bimonthly_profit = fields.optional("bimonthlyProfit", profit);
    let isr = not_negative().about("Income tax on that profit.");
    let bimonthly_isr = fields.optional("bimonthlyIsr", isr);
    fields.read_only(&["withheld"]);
    let exempt = exempt.unwrap_or_default();
    Some(DraftTotals { operation, taxed: taxed?, exempt, bimonthly_profit, bimonthly_isr })
}

fn read_tax(fields: &mut Fields<'_>) -> Option<WithheldTax> {
    let tax = one_of(TAXES, Tax::name).about("Name of the tax; the rules want it almost always.");
    let tax = fields.optional("tax", tax);
    let base = fields.optional("base", not_negative().about("What it was calculated on."));
    let amount = fields.required("amount", not_negative().about("Amount withheld."));
    let kind = two_digits("04")
        .about("What it counts as for the receiver, see GET /invoices/cfdi/tipos-pago-retencion.");
    let payment_kind = fields.required("paymentKind", kind);
    Some(WithheldTax { base, tax, amount: amount?, payment_kind: payment_kind? })
}

/// A number of zero or more.
fn not_negative() -> impl Check<Value = Amount> {
    number(Some(0), |amount| match amount.is_negative() {
        false => Ok(amount),
        true => Err(message!("must be 0 or more", "debe ser 0 o más")),
    })
}
