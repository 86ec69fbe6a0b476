//! How the API shows the issuer.

use invoices::{Issuer, Series};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    etag::ETag,
    resources::{shapes, taxes::TaxBody},
};

/// The taxpayer on whose behalf the account invoices.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Issuer)]
pub(super) struct IssuerBody {
    /// Its RFC.
    rfc: String,
    /// Its name as SAT registered it, in capitals and without the company's form.
    legal_name: String,
    /// Its tax regime, see GET /invoices/cfdi/regimenes-fiscales.
    tax_regime: String,
    /// The postal code where it issues.
    tax_zip: String,
    /// The series of each type of document.
    series: SeriesBody,
    /// The taxes of what is sold where neither the item nor its product states any; 16 % of IVA unless
    /// given.
    default_taxes: Vec<TaxBody>,
    /// Whether a logo is printed.
    has_logo: bool,
    /// When it was first told.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// The series of each type of document.
#[derive(Serialize, ToSchema)]
#[schema(as = Series)]
struct SeriesBody {
    /// Of sales (`I`); `F` unless given.
    income: String,
    /// Of credit notes (`E`); `NC` unless given.
    credit: String,
    /// Of receipts of payments (`P`); `P` unless given.
    payment: String,
    /// Of goods on the move (`T`); `T` unless given.
    transfer: String,
}

impl IssuerBody {
    /// Its tag.
    pub(super) fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<Issuer> for IssuerBody {
    fn from(issuer: Issuer) -> Self {
        Self {
            rfc: issuer.rfc,
            legal_name: issuer.legal_name,
            tax_regime: issuer.tax_regime,
            tax_zip: issuer.tax_zip,
            series: issuer.series.into(),
            default_taxes: issuer.default_taxes.into_iter().map(TaxBody::from).collect(),
            has_logo: issuer.has_logo,
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
