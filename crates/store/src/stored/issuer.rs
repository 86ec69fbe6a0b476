//! Issuers, their certificates and their providers.

use cfdi::tax::TaxRate;
use invoices::{
    Branch, BranchId, BranchSeries, CertificateId, Issuer, IssuerCertificate, IssuerId,
    ProviderChoice, Series,
    issuer::{Simulate, SimulatedCancellation, SimulatedStamping},
    provider::{Credentials, ProviderKind},
};
use kernel::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    document::TaxRateForm,
    forms::{Each, Form, Maybe, forms},
};

forms!(
    BranchForm of Branch,
    BranchSeriesForm of BranchSeries,
    CertificateForm of IssuerCertificate,
    CredentialsForm of Credentials,
    IssuerForm of Issuer,
    ProviderChoiceForm of ProviderChoice,
    ProviderKindForm of ProviderKind,
    SeriesForm of Series,
    SimulateForm of Simulate,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Issuer")]
pub(super) struct IssuerForm {
    #[serde(default = "unnamed")]
    id: IssuerId,
    rfc: String,
    legal_name: String,
    tax_regime: String,
    tax_zip: String,
    #[serde(with = "SeriesForm")]
    series: Series,
    #[serde(with = "Each::<TaxRateForm>")]
    default_taxes: Vec<TaxRate>,
    #[serde(default, skip_serializing_if = "Option::is_none", with = "Maybe::<Each<TaxRateForm>>")]
    shipping_taxes: Option<Vec<TaxRate>>,
    #[serde(default)]
    stamps_receipts: bool,
    #[serde(default)]
    stamps_credit_notes: bool,
    has_logo: bool,
    #[serde(default = "only")]
    is_default: bool,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

/// Of answers that an earlier release has kept, where an issuer had no identifier.
fn unnamed() -> IssuerId {
    IssuerId::from_u128(0)
}

/// There was one issuer.
fn only() -> bool {
    true
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Branch")]
pub(super) struct BranchForm {
    id: BranchId,
    name: String,
    issuer: Option<IssuerId>,
    place_of_issue: String,
    #[serde(with = "BranchSeriesForm")]
    series: BranchSeries,
    address: Vec<String>,
    phone: Option<String>,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "BranchSeries")]
pub(super) struct BranchSeriesForm {
    income: Option<String>,
    credit: Option<String>,
    payment: Option<String>,
    transfer: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Series")]
pub(super) struct SeriesForm {
    income: String,
    credit: String,
    payment: String,
    transfer: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "IssuerCertificate")]
pub(super) struct CertificateForm {
    id: CertificateId,
    number: String,
    rfc: String,
    legal_name: String,
    valid_from: Timestamp,
    valid_until: Timestamp,
    is_active: bool,
    created_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ProviderChoice")]
pub(super) struct ProviderChoiceForm {
    #[serde(with = "Maybe::<ProviderKindForm>")]
    kind: Option<ProviderKind>,
    user: Option<String>,
    #[serde(with = "SimulateForm")]
    simulate: Simulate,
    updated_at: Option<Timestamp>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ProviderKind", rename_all = "lowercase")]
pub(super) enum ProviderKindForm {
    Sandbox,
    Sw,
    Finkok,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Simulate")]
pub(super) struct SimulateForm {
    #[serde(with = "StampingForm")]
    stamping: SimulatedStamping,
    #[serde(with = "CancellationForm")]
    cancellation: SimulatedCancellation,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SimulatedStamping", rename_all = "camelCase")]
enum StampingForm {
    Normal,
    Timeout,
    TimeoutAfterStamping,
    Unavailable,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "SimulatedCancellation", rename_all = "camelCase")]
enum CancellationForm {
    Accept,
    Reject,
    Expire,
    Pending,
}

/// Written only to be sealed.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Credentials")]
pub(super) enum CredentialsForm {
    User { user: String, password: String },
    Token(String),
}
