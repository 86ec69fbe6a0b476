//! How the API shows an address of trade or transport.

use cfdi::complements::Address;
use serde::Serialize;
use utoipa::ToSchema;

/// An address. In Mexico its places are codes of SAT's catalogs, abroad they are names.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TradeAddress)]
pub(super) struct AddressBody {
    /// The street (`Calle`); foreign trade needs it.
    street: Option<String>,
    /// The number of the house.
    exterior_number: Option<String>,
    /// The number of the flat or office.
    interior_number: Option<String>,
    /// The neighborhood (`Colonia`); a code of c_Colonia in Mexico.
    neighborhood: Option<String>,
    /// The city or town (`Localidad`); a code of c_Localidad in Mexico.
    locality: Option<String>,
    /// What else helps to find it.
    reference: Option<String>,
    /// The municipality or county (`Municipio`); a code of c_Municipio in Mexico.
    municipality: Option<String>,
    /// The state or region; a code of c_Estado in Mexico, the United States and Canada.
    state: String,
    /// The country, a code of c_Pais.
    country: String,
    /// The postal code; one of c_CodigoPostal in Mexico.
    zip: String,
}

impl From<Address> for AddressBody {
    fn from(given: Address) -> Self {
        let Address {
            street,
            exterior_number,
            interior_number,
            neighborhood,
            locality,
            reference,
            municipality,
            state,
            country,
            zip,
        } = given;
        Self {
            street,
            exterior_number,
            interior_number,
            neighborhood,
            locality,
            reference,
            municipality,
            state,
            country,
            zip,
        }
    }
}
