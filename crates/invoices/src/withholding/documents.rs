//! What is kept of a withholding.

use cfdi::{stamp::Stamp, withholding::Withholding};

use crate::{SheetSettings, Status};

/// A withholding with the documents that are kept of it, and how it is printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Documents {
    /// The withholding.
    pub withholding: Withholding,
    /// Its stamp. Without one it is a draft, or being stamped.
    pub stamp: Option<Stamp>,
    /// The stamped document; the sealed one while it is being stamped.
    pub xml: Option<String>,
    /// The number of the certificate it is sealed with.
    pub certificate_number: Option<String>,
    /// The authority's receipt of the request to cancel it.
    pub receipt: Option<String>,
    /// Its status.
    pub status: Status,
    /// Whether the embedded provider stamped it, so that it has no fiscal value.
    pub is_sandbox: bool,
    /// The issuer's logo.
    pub logo: Option<Vec<u8>>,
    /// How it is printed.
    pub sheet: SheetSettings,
}
