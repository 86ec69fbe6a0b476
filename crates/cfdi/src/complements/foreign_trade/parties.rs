//! Who sends, owns and receives exported goods.

use serde::{Deserialize, Serialize};

use crate::complements::Address;

/// What an export states of the document's issuer beside its name and RFC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TradeIssuer {
    /// The CURP of a natural person.
    pub curp: Option<String>,
    /// The address in Mexico.
    pub address: Address,
}

/// Somebody on whose behalf goods are moved (`Propietario`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Owner {
    /// Tax identifier in the country of residence (`NumRegIdTrib`).
    pub foreign_tax_id: String,
    /// Country of residence, a code of c_Pais.
    pub tax_residence: String,
}

/// What an export states of the document's receiver.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TradeReceiver {
    /// Tax identifier in the country of the address (`NumRegIdTrib`).
    pub foreign_tax_id: Option<String>,
    /// The address, mostly abroad.
    pub address: Option<Address>,
}

/// Somebody other than the receiver to whom goods are sent (`Destinatario`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Recipient {
    /// Tax identifier in the country of the address (`NumRegIdTrib`).
    pub foreign_tax_id: Option<String>,
    /// The name of the person or company.
    pub name: Option<String>,
    /// The addresses that goods are sent to.
    pub addresses: Vec<Address>,
}
