//! Customers.

use crm::{Address, Customer, CustomerGroup, CustomerGroupId, CustomerId};
use kernel::{Metadata, Timestamp};
use serde::{Deserialize, Serialize};

use super::forms::{Each, Form, forms};

forms!(CustomerForm of Customer, AddressForm of Address, CustomerGroupForm of CustomerGroup);

#[derive(Serialize, Deserialize)]
#[serde(remote = "Customer")]
pub(super) struct CustomerForm {
    id: CustomerId,
    external_id: Option<String>,
    name: String,
    email: Option<String>,
    phone: Option<String>,
    rfc: Option<String>,
    legal_name: Option<String>,
    tax_regime: Option<String>,
    tax_zip: Option<String>,
    cfdi_use: Option<String>,
    #[serde(default)]
    tax_residence: Option<String>,
    #[serde(default)]
    foreign_tax_id: Option<String>,
    #[serde(default)]
    group: Option<CustomerGroupId>,
    #[serde(with = "Each::<AddressForm>")]
    addresses: Vec<Address>,
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Address")]
pub(super) struct AddressForm {
    label: Option<String>,
    street: String,
    neighborhood: Option<String>,
    city: Option<String>,
    state: Option<String>,
    zip: Option<String>,
    country: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CustomerGroup")]
pub(super) struct CustomerGroupForm {
    id: CustomerGroupId,
    name: String,
    created_at: Timestamp,
    updated_at: Timestamp,
    version: i64,
}
