//! How the API shows a customer.

use std::fmt::Display;

use crm::{Address, Customer, CustomerId};
use kernel::{Metadata, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A customer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Customer)]
pub(crate) struct CustomerBody {
    /// Its identifier.
    #[schema(value_type = String, example = "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C")]
    id: CustomerId,
    /// What people call it.
    name: String,
    /// Its e-mail address, unique in the account.
    email: Option<String>,
    /// Its telephone number in international form, with the plus sign.
    phone: Option<String>,
    /// Its RFC.
    rfc: Option<String>,
    /// Its name as SAT registered it.
    legal_name: Option<String>,
    /// Its fiscal regime (c_RegimenFiscal), 3 digits.
    tax_regime: Option<String>,
    /// The postal code of its fiscal domicile, 5 digits.
    tax_zip: Option<String>,
    /// What it uses invoices for (c_UsoCFDI), e.g. `G03`.
    cfdi_use: Option<String>,
    /// Its addresses, at most 20.
    addresses: Vec<AddressBody>,
    /// Your own notes.
    #[schema(value_type = shapes::Metadata)]
    metadata: Metadata,
    /// When it was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// Where a customer can be reached by post.
#[derive(Serialize, ToSchema)]
#[schema(as = Address)]
struct AddressBody {
    /// What it is for, e.g. `shipping`.
    label: Option<String>,
    /// Street and number.
    street: String,
    /// Neighbourhood (colonia).
    neighborhood: Option<String>,
    /// City or municipality.
    city: Option<String>,
    /// State.
    state: Option<String>,
    /// Postal code.
    zip: Option<String>,
    /// Country, ISO 3166-1 alpha-2; `MX` unless given.
    #[schema(example = "MX")]
    country: String,
}

impl Resource for CustomerBody {
    type Thing = Customer;

    const PATH: &'static str = "/customers";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<Customer> for CustomerBody {
    fn from(customer: Customer) -> Self {
        Self {
            id: customer.id,
            name: customer.name,
            email: customer.email,
            phone: customer.phone,
            rfc: customer.rfc,
            legal_name: customer.legal_name,
            tax_regime: customer.tax_regime,
            tax_zip: customer.tax_zip,
            cfdi_use: customer.cfdi_use,
            addresses: customer.addresses.into_iter().map(AddressBody::from).collect(),
            metadata: customer.metadata,
            created_at: customer.created_at,
            updated_at: customer.updated_at,
            version: customer.version,
        }
    }
}

impl From<Address> for AddressBody {
    fn from(address: Address) -> Self {
        let Address { label, street, neighborhood, city, state, zip, country } = address;
        Self { label, street, neighborhood, city, state, zip, country }
    }
}
