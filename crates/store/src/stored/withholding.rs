//! Withholdings, their drafts and the documents that follow from these.

use cfdi::{
    document::Issuer,
    tax::Tax,
    withholding::{
        self as document, Complements, Foreign, National, Period, Receiver, Related, Totals,
        WithheldTax,
    },
};
use invoices::{
    Cancellation, CustomerId, IssuerId, LastError, Stamped, Status,
    withholding::{Draft, DraftTotals, Withholding, WithholdingId},
};
use kernel::{Amount, Metadata, Timestamp};
use serde::{Deserialize, Serialize};
use time::PrimitiveDateTime;

use super::{
    document::{IssuerForm, TaxForm, local_time},
    forms::{Each, Form, Maybe, forms},
    invoice::{CancellationForm, LastErrorForm, StampedForm, StatusForm},
    withholding_complements::ComplementsForm,
};

forms!(
    DocumentForm of document::Withholding,
    DraftForm of Draft,
    ForeignForm of Foreign,
    NationalForm of National,
    RelatedForm of Related,
    WithheldTaxForm of WithheldTax,
    WithholdingForm of Withholding,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Withholding", rename_all = "camelCase")]
pub(super) struct WithholdingForm {
    id: WithholdingId,
    #[serde(with = "StatusForm")]
    status: Status,
    #[serde(with = "DraftForm")]
    draft: Draft,
    #[serde(with = "DocumentForm")]
    document: document::Withholding,
    #[serde(default, with = "Maybe::<StampedForm>")]
    stamp: Option<Stamped>,
    #[serde(default, with = "Maybe::<CancellationForm>")]
    cancellation: Option<Cancellation>,
    #[serde(default, with = "Maybe::<LastErrorForm>")]
    last_error: Option<LastError>,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Draft", rename_all = "camelCase")]
pub(super) struct DraftForm {
    issuer: IssuerId,
    customer: Option<CustomerId>,
    folio: Option<String>,
    issued_at: Option<Timestamp>,
    place_of_issue: Option<String>,
    code: String,
    description: Option<String>,
    #[serde(default, with = "Maybe::<RelatedForm>")]
    related: Option<Related>,
    #[serde(with = "ReceiverForm")]
    receiver: Receiver,
    #[serde(with = "PeriodForm")]
    period: Period,
    #[serde(with = "DraftTotalsForm")]
    totals: DraftTotals,
    #[serde(with = "Each::<WithheldTaxForm>")]
    taxes: Vec<WithheldTax>,
    #[serde(with = "ComplementsForm")]
    complements: Complements,
    metadata: Metadata,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "DraftTotals", rename_all = "camelCase")]
struct DraftTotalsForm {
    operation: Option<Amount>,
    taxed: Amount,
    exempt: Amount,
    bimonthly_profit: Option<Amount>,
    bimonthly_isr: Option<Amount>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "document::Withholding", rename_all = "camelCase")]
pub(super) struct DocumentForm {
    folio: Option<String>,
    #[serde(with = "local_time")]
    issued_at: PrimitiveDateTime,
    place_of_issue: String,
    code: String,
    description: Option<String>,
    #[serde(default, with = "Maybe::<RelatedForm>")]
    related: Option<Related>,
    #[serde(with = "IssuerForm")]
    issuer: Issuer,
    #[serde(with = "ReceiverForm")]
    receiver: Receiver,
    #[serde(with = "PeriodForm")]
    period: Period,
    #[serde(with = "TotalsForm")]
    totals: Totals,
    #[serde(with = "Each::<WithheldTaxForm>")]
    taxes: Vec<WithheldTax>,
    #[serde(with = "ComplementsForm")]
    complements: Complements,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Related", rename_all = "camelCase")]
struct RelatedForm {
    relation: String,
    uuid: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Receiver", rename_all = "camelCase")]
enum ReceiverForm {
    National(#[serde(with = "NationalForm")] National),
    Foreign(#[serde(with = "ForeignForm")] Foreign),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "National", rename_all = "camelCase")]
struct NationalForm {
    rfc: String,
    legal_name: String,
    curp: Option<String>,
    tax_zip: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Foreign", rename_all = "camelCase")]
struct ForeignForm {
    foreign_tax_id: Option<String>,
    legal_name: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Period", rename_all = "camelCase")]
struct PeriodForm {
    first_month: u8,
    last_month: u8,
    year: u16,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Totals", rename_all = "camelCase")]
struct TotalsForm {
    operation: Amount,
    taxed: Amount,
    exempt: Amount,
    withheld: Amount,
    bimonthly_profit: Option<Amount>,
    bimonthly_isr: Option<Amount>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "WithheldTax", rename_all = "camelCase")]
struct WithheldTaxForm {
    base: Option<Amount>,
    #[serde(default, with = "Maybe::<TaxForm>")]
    tax: Option<Tax>,
    amount: Amount,
    payment_kind: String,
}
