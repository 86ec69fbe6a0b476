//! The catalogs of Carta Porte as messages name them.

use crate::rules::listed::{Catalog, named};

pub(super) const AIR_CARRIERS: Catalog =
    named("air carriers", "transportistas aéreos", "c_CodigoTransporteAereo");
pub(super) const CARGO_TYPES: Catalog =
    named("kinds of load", "tipos de carga", "c_ClaveTipoCarga");
pub(super) const CONDITIONS: Catalog =
    named("special conditions", "condiciones especiales", "c_CondicionesEspeciales");
pub(super) const CUSTOMS_DOCUMENTS: Catalog =
    named("customs documents", "documentos aduaneros", "c_DocumentoAduanero");
pub(super) const CUSTOMS_REGIMES: Catalog =
    named("customs regimes", "regímenes aduaneros", "c_RegimenAduanero");
pub(super) const DOSAGE_FORMS: Catalog =
    named("dosage forms", "formas farmacéuticas", "c_FormaFarmaceutica");
pub(super) const FIGURES: Catalog =
    named("transport figures", "figuras de transporte", "c_FiguraTransporte");
pub(super) const GOODS: Catalog =
    named("keys of goods for waybills", "productos de Carta Porte", "c_ClaveProdServCP");
pub(super) const HAZARDOUS_MATERIALS: Catalog =
    named("hazardous materials", "materiales peligrosos", "c_MaterialPeligroso");
pub(super) const HEALTH_SECTORS: Catalog =
    named("COFEPRIS sectors", "sectores de COFEPRIS", "c_SectorCOFEPRIS");
pub(super) const ISTHMUS_POLES: Catalog =
    named("development poles", "polos de desarrollo", "c_RegistroISTMO");
pub(super) const MATERIAL_TYPES: Catalog =
    named("material types", "tipos de materia", "c_TipoMateria");
pub(super) const PACKAGINGS: Catalog = named("packagings", "tipos de embalaje", "c_TipoEmbalaje");
pub(super) const PARTS: Catalog =
    named("transport parts", "partes de transporte", "c_ParteTransporte");
pub(super) const PERMITS: Catalog = named("permits", "tipos de permiso", "c_TipoPermiso");
pub(super) const RAIL_CARS: Catalog = named("railway cars", "tipos de carro", "c_TipoCarro");
pub(super) const RAIL_CONTAINERS: Catalog =
    named("containers on railway cars", "contenedores ferroviarios", "c_Contenedor");
pub(super) const RAIL_SERVICES: Catalog =
    named("railway services", "tipos de servicio ferroviario", "c_TipoDeServicio");
pub(super) const RAIL_TRAFFIC: Catalog =
    named("kinds of railway traffic", "tipos de tráfico ferroviario", "c_TipoDeTrafico");
pub(super) const SHIP_AGENTS: Catalog = named(
    "authorizations of shipping agents",
    "autorizaciones de agentes navieros",
    "c_NumAutorizacionNaviero",
);
pub(super) const SHIP_CONTAINERS: Catalog =
    named("containers on ships", "contenedores marítimos", "c_ContenedorMaritimo");
pub(super) const SHIPS: Catalog =
    named("kinds of ships", "tipos de embarcación", "c_ConfigMaritima");
pub(super) const STATIONS: Catalog = named("stations", "estaciones", "c_Estaciones");
pub(super) const STATION_TYPES: Catalog =
    named("kinds of stations", "tipos de estación", "c_TipoEstacion");
pub(super) const TRACK_RIGHTS: Catalog =
    named("rights of passage", "derechos de paso", "c_DerechosDePaso");
pub(super) const TRAILERS: Catalog = named("trailers", "subtipos de remolque", "c_SubTipoRem");
pub(super) const TRANSPORT_MODES: Catalog =
    named("means of transport", "medios de transporte", "c_CveTransporte");
pub(super) const VEHICLES: Catalog =
    named("vehicle configurations", "configuraciones vehiculares", "c_ConfigAutotransporte");
pub(super) const WEIGHT_UNITS: Catalog =
    named("weight units", "unidades de peso", "c_ClaveUnidadPeso");
