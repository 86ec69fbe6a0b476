//! How the API shows a customer.

use std::fmt::Display;

use crm::{Address, Customer, CustomerGroupId, CustomerId};
use invoices::{KnownCustomer, tax_data};
use kernel::{Metadata, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A customer.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Customer)]
pub(in crate::resources) struct CustomerBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "cus_01KG8VYJ6M2P8S4W0X7Z5A3B9C")]
    id: CustomerId,
    /// Your own identifier of the resource, unique among those of its kind.
    #[schema(max_length = 100)]
    external_id: Option<String>,
    /// Display name.
    name: String,
    /// Email address, unique within the account.
    email: Option<String>,
    /// Phone number in E.164 format, with the leading `+`.
    phone: Option<String>,
    /// RFC (Mexican tax ID).
    rfc: Option<String>,
    /// Legal name as registered with SAT.
    legal_name: Option<String>,
    /// Tax regime code (c_RegimenFiscal), 3 digits.
    tax_regime: Option<String>,
    /// Postal code of the tax address (domicilio fiscal), 5 digits.
    tax_zip: Option<String>,
    /// CFDI use code (c_UsoCFDI), e.g. `G03`.
    cfdi_use: Option<String>,
    /// Country of residence of a foreigner (c_Pais), who has RFC `XEXX010101000`.
    #[schema(example = "USA")]
    tax_residence: Option<String>,
    /// Tax identifier of a foreigner in the country of residence (NumRegIdTrib).
    #[schema(max_length = 40)]
    foreign_tax_id: Option<String>,
    /// Group that the customer is in, for which price lists can be.
    #[schema(value_type = Option<String>, example = "cgr_01KGC6B2D4F6H8K0M2P4R6T8V0")]
    group_id: Option<CustomerGroupId>,
    /// Whether the customer could be invoiced, as far as it can be checked when the data are saved: `missing` without an
    /// RFC, `incomplete`, `invalid` if SAT would refuse them, `doubtful` or `valid`. A generic RFC needs neither postal
    /// code nor regime, since they follow from the invoice. `GET /customers/:id/tax-check` says what to do.
    #[schema(value_type = shapes::TaxStatus)]
    tax_status: &'static str,
    /// Postal addresses, at most 20.
    addresses: Vec<AddressBody>,
    /// Arbitrary key-value pairs of your own.
    #[schema(value_type = shapes::Metadata)]
    metadata: Metadata,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// A postal address of a customer.
#[derive(Clone, Serialize, ToSchema)]
#[schema(as = Address)]
struct AddressBody {
    /// Purpose of the address, e.g. `shipping`.
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
    /// ISO 3166-1 alpha-2 country code; defaults to `MX`.
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
        let check = tax_data::check(&KnownCustomer::from(&customer), None, customer.updated_at);
        Self {
            id: customer.id,
            external_id: customer.external_id,
            name: customer.name,
            email: customer.email,
            phone: customer.phone,
            rfc: customer.rfc,
            legal_name: customer.legal_name,
            tax_regime: customer.tax_regime,
            tax_zip: customer.tax_zip,
            cfdi_use: customer.cfdi_use,
            tax_residence: customer.tax_residence,
            foreign_tax_id: customer.foreign_tax_id,
            group_id: customer.group,
            tax_status: check.status.name(),
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
