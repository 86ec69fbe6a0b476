//! How the API shows a branch.

use std::fmt::Display;

use invoices::{Branch, BranchId, BranchSeries, IssuerId};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A place that the account sells at.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Branch)]
pub(super) struct BranchBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "brn_01KG90B1C2D3E4F5G6H7J8K9M0")]
    id: BranchId,
    /// Name, as the account calls it.
    name: String,
    /// Issuer of what is sold there; `null` for the default one, or whichever the invoice names.
    #[schema(value_type = Option<String>, example = "iss_01KG8VXT0N9B4C6D8E0F2G4H6J")]
    issuer_id: Option<IssuerId>,
    /// Postal code of the place of issue (LugarExpedicion).
    #[schema(example = "64000")]
    place_of_issue: String,
    /// Series of the branch for each CFDI type, instead of the issuer's.
    series: BranchSeriesBody,
    /// Postal address, line by line; printed instead of the one of the PDF settings.
    address: Vec<String>,
    /// Telephone number; printed instead of the one of the PDF settings.
    phone: Option<String>,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// Series of a branch for each CFDI type; `null` for the issuer's.
#[derive(Serialize, ToSchema)]
#[schema(as = BranchSeries)]
struct BranchSeriesBody {
    /// Series of income invoices (`I`).
    income: Option<String>,
    /// Series of credit notes (`E`).
    credit: Option<String>,
    /// Series of payment receipts (`P`).
    payment: Option<String>,
    /// Series of transfers of goods (`T`).
    transfer: Option<String>,
}

impl Resource for BranchBody {
    type Thing = Branch;

    const PATH: &'static str = "/invoices/cfdi/branches";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<Branch> for BranchBody {
    fn from(branch: Branch) -> Self {
        let BranchSeries { income, credit, payment, transfer } = branch.series;
        Self {
            id: branch.id,
            name: branch.name,
            issuer_id: branch.issuer,
            place_of_issue: branch.place_of_issue,
            series: BranchSeriesBody { income, credit, payment, transfer },
            address: branch.address,
            phone: branch.phone,
            created_at: branch.created_at,
            updated_at: branch.updated_at,
            version: branch.version,
        }
    }
}
