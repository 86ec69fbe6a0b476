//! A plane, and who had the goods put on it.

use serde::{Deserialize, Serialize};

use super::Policy;

/// A flight with its permit and insurance (`TransporteAereo`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AirTransport {
    /// The kind of permit, a code of c_TipoPermiso (`PermSCT`).
    pub permit_type: String,
    /// The number of the permit (`NumPermisoSCT`).
    pub permit_number: String,
    /// The plane's registration: capitals, digits and hyphens (`MatriculaAeronave`).
    pub aircraft_registration: Option<String>,
    /// Who insures it (`NombreAseg`, `NumPolizaSeguro`).
    pub insurance: Option<Policy>,
    /// The number of the air waybill (`NumeroGuia`).
    pub waybill_number: String,
    /// Where the contract was made (`LugarContrato`).
    pub contract_place: Option<String>,
    /// Who flies, a code of c_CodigoTransporteAereo (`CodigoTransportista`).
    pub carrier: String,
    /// Who had the goods put on the plane.
    pub shipper: Option<Shipper>,
}

/// Who had goods put on a plane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shipper {
    /// The RFC; the generic one of foreigners for somebody abroad (`RFCEmbarcador`).
    pub rfc: String,
    /// The name (`NombreEmbarcador`).
    pub name: Option<String>,
    /// The tax identifier of a foreigner (`NumRegIdTribEmbarc`).
    pub foreign_tax_id: Option<String>,
    /// The country that gave it, a code of c_Pais (`ResidenciaFiscalEmbarc`).
    pub tax_residence: Option<String>,
}
