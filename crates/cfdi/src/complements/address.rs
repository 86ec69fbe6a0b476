//! Addresses as the complements of trade and transport state them.

use serde::{Deserialize, Serialize};

/// An address. In Mexico its places are codes of SAT's catalogs, abroad they are names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    /// The street (`Calle`); foreign trade needs it.
    pub street: Option<String>,
    /// The number of the house.
    pub exterior_number: Option<String>,
    /// The number of the flat or office.
    pub interior_number: Option<String>,
    /// The neighborhood (`Colonia`); a code of c_Colonia in Mexico.
    pub neighborhood: Option<String>,
    /// The city or town (`Localidad`); a code of c_Localidad in Mexico.
    pub locality: Option<String>,
    /// What else helps to find it.
    pub reference: Option<String>,
    /// The municipality or county (`Municipio`); a code of c_Municipio in Mexico.
    pub municipality: Option<String>,
    /// The state or region; a code of c_Estado in Mexico, the United States and Canada.
    pub state: String,
    /// The country, a code of c_Pais.
    pub country: String,
    /// The postal code; one of c_CodigoPostal in Mexico.
    pub zip: String,
}
