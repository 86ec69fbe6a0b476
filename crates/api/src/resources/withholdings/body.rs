//! How the API shows a withholding.

mod cancellation;
mod complements;
mod receiver;

use std::fmt::Display;

use cfdi::{
    catalogs::{postal_codes, zones::Zone},
    document::local_time,
    stamp::withholding_verification_url,
    tax::Tax,
    withholding::{Period, Related, Totals, WithheldTax},
};
use invoices::{
    CustomerId, IssuerId, Status,
    withholding::{Withholding, WithholdingId},
};
use kernel::{Amount, Language, Metadata, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::Resource,
    etag::ETag,
    resources::{
        invoices::{InvoiceIssuerBody, LastErrorBody, StampBody, cancellation_in, error_in},
        shapes,
    },
};
use cancellation::CancellationBody;
use complements::ComplementsBody;
use receiver::ReceiverBody;

/// A withholding: a certificate of withheld taxes (constancia de retenciones e información de pagos 2.0), or a draft of
/// one. Its amounts are in pesos.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Withholding)]
pub(super) struct WithholdingBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "wth_01KG91C3E5G7J9M1P3R5T7V9X1")]
    id: WithholdingId,
    /// Status: a `draft` can be changed; `stamping` until the provider's answer is known; `stamped` is a
    /// valid fiscal document; `cancelled` no longer is.
    #[schema(value_type = shapes::InvoiceStatus)]
    status: Status,
    /// Issuer, one of the account's.
    #[schema(value_type = String, example = "iss_01KG8VXT0N9B4C6D8E0F2G4H6J")]
    issuer_id: IssuerId,
    /// Customer from whom taxes are withheld; the default source of `receiver`.
    #[schema(value_type = Option<String>, example = "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C")]
    customer_id: Option<CustomerId>,
    /// Number of your own.
    #[schema(example = "R1024")]
    folio: Option<String>,
    /// Fiscal folio (UUID), assigned by the stamp.
    uuid: Option<String>,
    /// Kind of withholding, see GET /invoices/cfdi/claves-retencion.
    #[schema(example = "01")]
    code: String,
    /// The same in words, which code `25` needs.
    description: Option<String>,
    /// Issuer (emisor).
    issuer: InvoiceIssuerBody,
    /// Receiver (receptor), from whom taxes are withheld.
    receiver: ReceiverBody,
    /// Months of one fiscal year that it is of.
    period: PeriodBody,
    /// What was paid and withheld.
    totals: TotalsBody,
    /// Taxes that were withheld; none when it only informs of payments.
    taxes: Vec<TaxBody>,
    /// What the kind of withholding needs beside its sums.
    complements: ComplementsBody,
    /// Withholding that it refers to.
    related: Option<RelatedBody>,
    /// Postal code of the place of issue; defaults to that of the issuer.
    place_of_issue: String,
    /// Issue date; `null` for a draft that does not name one, which is issued when it is stamped.
    #[schema(value_type = Option<shapes::Timestamp>)]
    issued_at: Option<Timestamp>,
    /// The same in local time at `placeOfIssue`, as the document states it.
    #[schema(value_type = Option<shapes::LocalTime>)]
    local_issued_at: Option<String>,
    /// Name of the time zone at `placeOfIssue` in SAT's catalog of postal codes.
    #[schema(example = "Tiempo del Centro")]
    time_zone: Option<&'static str>,
    /// Stamp (timbre).
    stamp: Option<StampBody>,
    /// Cancellation status.
    cancellation: CancellationBody,
    /// Why the last stamping attempt failed.
    last_error: Option<LastErrorBody>,
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

/// Months of one fiscal year.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WithholdingPeriod)]
struct PeriodBody {
    /// First month, from 1.
    #[schema(minimum = 1, maximum = 12, example = 7)]
    first_month: u8,
    /// Last month.
    #[schema(minimum = 1, maximum = 12, example = 7)]
    last_month: u8,
    /// Fiscal year.
    #[schema(example = 2026)]
    year: u16,
}

/// Sums of a withholding.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WithholdingTotals)]
struct TotalsBody {
    /// Amount paid; defaults to `taxed` and `exempt` taken together.
    #[schema(value_type = shapes::Amount)]
    operation: Amount,
    /// Taxed part of it.
    #[schema(value_type = shapes::Amount)]
    taxed: Amount,
    /// Exempt part of it.
    #[schema(value_type = shapes::Amount)]
    exempt: Amount,
    /// Amount withheld: the sum of the taxes.
    #[schema(value_type = shapes::Amount)]
    withheld: Amount,
    /// Profit of two months, for code `28`.
    #[schema(value_type = Option<shapes::Amount>)]
    bimonthly_profit: Option<Amount>,
    /// Income tax on that profit.
    #[schema(value_type = Option<shapes::Amount>)]
    bimonthly_isr: Option<Amount>,
}

/// A tax that was withheld.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CertifiedTax)]
struct TaxBody {
    /// Name of the tax.
    #[schema(value_type = Option<String>, example = "ISR")]
    tax: Option<Tax>,
    /// What it was calculated on; of IVA, the IVA that was charged.
    #[schema(value_type = Option<shapes::Amount>)]
    base: Option<Amount>,
    /// Amount withheld.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// What it counts as for the receiver, see GET /invoices/cfdi/tipos-pago-retencion.
    #[schema(example = "04")]
    payment_kind: String,
}

/// A withholding that another one refers to.
#[derive(Serialize, ToSchema)]
#[schema(as = RelatedWithholding)]
struct RelatedBody {
    /// Relation type, see GET /invoices/cfdi/tipos-relacion.
    #[schema(example = "04")]
    relation: String,
    /// Its fiscal folio (UUID).
    uuid: String,
}

impl Resource for WithholdingBody {
    type Thing = Withholding;

    const PATH: &'static str = "/withholdings";

    const IS_TOLD: bool = true;

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        self.tag
    }

    fn weight(withholding: &Withholding) -> usize {
        let document = &withholding.document;
        let platform = &document.complements.platform_services;
        1 + document.taxes.len() + platform.as_ref().map_or(0, |it| it.services.len())
    }

    fn in_language(withholding: Withholding, language: Language) -> Withholding {
        let last_error = withholding.last_error.map(|error| error_in(error, language));
        let cancellation = withholding.cancellation.map(|it| cancellation_in(it, language));
        Withholding { last_error, cancellation, ..withholding }
    }
}

impl From<Withholding> for WithholdingBody {
    fn from(withholding: Withholding) -> Self {
        let tag = tag(&withholding);
        let Withholding { draft, document, stamp, .. } = withholding;
        let stamp = stamp.map(|stamped| {
            StampBody::new(withholding_verification_url(&document, &stamped.stamp), stamped)
        });
        let is_dated = withholding.status != Status::Draft || draft.issued_at.is_some();
        let zone = postal_codes::find(&document.place_of_issue).map(|place| place.zone());
        Self {
            id: withholding.id,
            status: withholding.status,
            issuer_id: draft.issuer,
            customer_id: draft.customer,
            folio: document.folio,
            uuid: stamp.as_ref().map(|stamp| stamp.uuid().to_owned()),
            code: document.code,
            description: document.description,
            issuer: document.issuer.into(),
            receiver: document.receiver.into(),
            period: document.period.into(),
            totals: document.totals.into(),
            taxes: document.taxes.into_iter().map(TaxBody::from).collect(),
            complements: document.complements.into(),
            related: document.related.map(RelatedBody::from),
            place_of_issue: document.place_of_issue,
            issued_at: zone.filter(|_| is_dated).map(|zone| zone.utc(document.issued_at)),
            local_issued_at: is_dated.then(|| local_time::to_text(document.issued_at)),
            time_zone: zone.map(Zone::name),
            stamp,
            cancellation: withholding.cancellation.into(),
            last_error: withholding.last_error.map(LastErrorBody::from),
            metadata: draft.metadata,
            created_at: withholding.created_at,
            updated_at: withholding.updated_at,
            tag,
        }
    }
}

/// The entity tag. Besides the version it covers what changes without a command to a draft: its issuer.
fn tag(withholding: &Withholding) -> ETag {
    let (issuer, place) = (&withholding.document.issuer, &withholding.document.place_of_issue);
    let names = [&issuer.rfc, &issuer.legal_name, &issuer.tax_regime, place];
    let names = names.into_iter().flat_map(|name| name.bytes()).map(i64::from);
    ETag::version_and(withholding.version, names)
}

impl From<Period> for PeriodBody {
    fn from(period: Period) -> Self {
        let Period { first_month, last_month, year } = period;
        Self { first_month, last_month, year }
    }
}

impl From<Totals> for TotalsBody {
    fn from(totals: Totals) -> Self {
        let Totals { operation, taxed, exempt, withheld, bimonthly_profit, bimonthly_isr } = totals;
        Self { operation, taxed, exempt, withheld, bimonthly_profit, bimonthly_isr }
    }
}

impl From<WithheldTax> for TaxBody {
    fn from(withheld: WithheldTax) -> Self {
        let WithheldTax { base, tax, amount, payment_kind } = withheld;
        Self { tax, base, amount, payment_kind }
    }
}

impl From<Related> for RelatedBody {
    fn from(related: Related) -> Self {
        let Related { relation, uuid } = related;
        Self { relation, uuid }
    }
}
