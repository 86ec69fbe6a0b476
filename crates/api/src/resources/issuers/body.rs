//! How the API shows an issuer.

use std::fmt::Display;

use invoices::{Issuer, IssuerId, Series};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    answer::Resource,
    etag::ETag,
    resources::{shapes, taxes::TaxBody},
};

/// The tag of something of an issuer: the path of the default one leads to another when that one is changed.
pub(in crate::resources) fn issuer_tag(id: IssuerId, version: i64) -> ETag {
    ETag::version_of(id.to_u128(), version)
}

/// A taxpayer that issues invoices of the account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Issuer)]
pub(super) struct IssuerBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "iss_01KG8VXT0N9B4C6D8E0F2G4H6J")]
    id: IssuerId,
    /// RFC (Mexican tax ID).
    rfc: String,
    /// Legal name as registered with SAT, in capitals and without the corporate suffix (régimen societario).
    legal_name: String,
    /// Tax regime code, see GET /invoices/cfdi/regimenes-fiscales.
    tax_regime: String,
    /// Postal code of the place of issue (LugarExpedicion).
    tax_zip: String,
    /// Series for each CFDI type.
    series: SeriesBody,
    /// Taxes for items when neither the item nor its product states any; defaults to 16% IVA.
    default_taxes: Vec<TaxBody>,
    /// Taxes of the shipping of orders that state none for it; `null` for `defaultTaxes`. Those of the default issuer count.
    shipping_taxes: Option<Vec<TaxBody>>,
    /// Whether receipts (`P`) that payments draft by themselves are stamped by themselves, too.
    auto_receipts: bool,
    /// Whether credit notes (`E`) that refunds and returns draft by themselves are stamped by themselves, too.
    auto_credit_notes: bool,
    /// Whether a logo is set.
    has_logo: bool,
    /// Whether it issues what names no issuer.
    is_default: bool,
    /// When the issuer was first configured.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// Series for each CFDI type.
#[derive(Serialize, ToSchema)]
#[schema(as = Series)]
struct SeriesBody {
    /// Series of income invoices (`I`); defaults to `F`.
    income: String,
    /// Series of credit notes (`E`); defaults to `NC`.
    credit: String,
    /// Series of payment receipts (`P`); defaults to `P`.
    payment: String,
    /// Series of transfers of goods (`T`); defaults to `T`.
    transfer: String,
}

impl Resource for IssuerBody {
    type Thing = Issuer;

    const PATH: &'static str = "/invoices/cfdi/issuers";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        issuer_tag(self.id, self.version)
    }
}

impl From<Issuer> for IssuerBody {
    fn from(issuer: Issuer) -> Self {
        Self {
            id: issuer.id,
            rfc: issuer.rfc,
            legal_name: issuer.legal_name,
            tax_regime: issuer.tax_regime,
            tax_zip: issuer.tax_zip,
            series: issuer.series.into(),
            default_taxes: issuer.default_taxes.into_iter().map(TaxBody::from).collect(),
            shipping_taxes: issuer
                .shipping_taxes
                .map(|taxes| taxes.into_iter().map(TaxBody::from).collect()),
            auto_receipts: issuer.stamps_receipts,
            auto_credit_notes: issuer.stamps_credit_notes,
            has_logo: issuer.has_logo,
            is_default: issuer.is_default,
            created_at: issuer.created_at,
            updated_at: issuer.updated_at,
            version: issuer.version,
        }
    }
}

impl From<Series> for SeriesBody {
    fn from(series: Series) -> Self {
        let Series { income, credit, payment, transfer } = series;
        Self { income, credit, payment, transfer }
    }
}
