//! How the API shows a warehouse.

use std::fmt::Display;

use inventory::{Address, Kind, Warehouse, WarehouseId};
use kernel::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{answer::Resource, etag::ETag, resources::shapes};

/// A place where goods are kept.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Warehouse)]
pub(in crate::resources) struct WarehouseBody {
    /// Unique identifier.
    #[schema(value_type = String, example = "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A")]
    id: WarehouseId,
    /// Name.
    name: String,
    /// Where it is.
    address: Option<AddressBody>,
    /// `store`: orders take from it. `quarantine`: goods there are not for sale.
    #[schema(value_type = shapes::WarehouseKind)]
    kind: &'static str,
    /// Orders that may take from any warehouse take from the one with the lowest number first.
    priority: i64,
    /// When the resource was created.
    #[schema(value_type = shapes::Timestamp)]
    created_at: Timestamp,
    /// When the resource was last changed.
    #[schema(value_type = shapes::Timestamp)]
    updated_at: Timestamp,
    #[serde(skip)]
    version: i64,
}

/// Where a warehouse is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WarehouseAddress)]
pub(super) struct AddressBody {
    /// Street and number.
    street: String,
    /// Neighborhood (colonia).
    neighborhood: Option<String>,
    /// City or municipality.
    city: Option<String>,
    /// State.
    state: Option<String>,
    /// Postal code.
    zip: Option<String>,
    /// Country, two letters (ISO 3166-1).
    country: String,
    /// Telephone number (E.164).
    phone: Option<String>,
}

impl From<Address> for AddressBody {
    fn from(address: Address) -> Self {
        let Address { street, neighborhood, city, state, zip, country, phone } = address;
        Self { street, neighborhood, city, state, zip, country, phone }
    }
}

impl Resource for WarehouseBody {
    type Thing = Warehouse;

    const PATH: &'static str = "/warehouses";

    fn id(&self) -> impl Display {
        self.id
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<Warehouse> for WarehouseBody {
    fn from(warehouse: Warehouse) -> Self {
        Self {
            id: warehouse.id,
            name: warehouse.name,
            address: warehouse.address.map(AddressBody::from),
            kind: Kind::name(warehouse.kind),
            priority: warehouse.priority,
            created_at: warehouse.created_at,
            updated_at: warehouse.updated_at,
            version: warehouse.version,
        }
    }
}
