//! Addresses of complements.

use cfdi::complements::Address;
use serde::{Deserialize, Serialize};

use super::forms::forms;

forms!(
    AddressForm of Address,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Address", rename_all = "camelCase")]
pub(super) struct AddressForm {
    street: Option<String>,
    exterior_number: Option<String>,
    interior_number: Option<String>,
    neighborhood: Option<String>,
    locality: Option<String>,
    reference: Option<String>,
    municipality: Option<String>,
    state: String,
    country: String,
    zip: String,
}
