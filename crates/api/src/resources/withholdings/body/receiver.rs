//! How the API shows from whom taxes are withheld.

use cfdi::withholding::{Foreign, National, Receiver};
use serde::Serialize;
use utoipa::ToSchema;

/// Receiver of a withholding (receptor): one in Mexico, or one abroad.
#[derive(Serialize, ToSchema)]
#[schema(as = WithholdingReceiver)]
pub(super) struct ReceiverBody {
    /// Receiver with an RFC.
    national: Option<NationalBody>,
    /// Receiver who resides abroad.
    foreign: Option<ForeignBody>,
}

/// Receiver with an RFC (nacional).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NationalReceiver)]
struct NationalBody {
    /// RFC (Mexican tax ID).
    rfc: String,
    /// Legal name as registered with SAT, in capitals and without the corporate suffix (régimen societario).
    legal_name: String,
    /// CURP of a natural person.
    curp: Option<String>,
    /// Postal code of the tax address (domicilio fiscal).
    tax_zip: String,
}

/// Receiver who resides abroad (extranjero).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ForeignReceiver)]
struct ForeignBody {
    /// Tax ID in the country of residence (NumRegIdTrib).
    foreign_tax_id: Option<String>,
    /// Name.
    legal_name: String,
}

impl From<Receiver> for ReceiverBody {
    fn from(receiver: Receiver) -> Self {
        match receiver {
            Receiver::National(National { rfc, legal_name, curp, tax_zip }) => {
                let national = NationalBody { rfc, legal_name, curp, tax_zip };
                Self { national: Some(national), foreign: None }
            }
            Receiver::Foreign(Foreign { foreign_tax_id, legal_name }) => {
                let foreign = ForeignBody { foreign_tax_id, legal_name };
                Self { national: None, foreign: Some(foreign) }
            }
        }
    }
}
