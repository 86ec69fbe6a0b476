//! How the API shows goods on the road.

use cfdi::{
    complements::{
        CartaPorte,
        carta_porte::{
            CustomsDocument, Direction, Figure, Goods, GoodsItem, GoodsValue, Guide, HealthControl,
            Insurance, International, Isthmus, Location, LocationKind, Policy, Portion,
            RoadTransport, Trailer, Vehicle,
        },
    },
    document::{day, local_time},
};
use kernel::{Amount, Currency};
use serde::Serialize;
use utoipa::ToSchema;

use super::address::AddressBody;
use crate::resources::shapes;

/// What is transported by road, from where to where, in what and by whom.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorte)]
pub(super) struct CartaPorteBody {
    /// Folio of the Carta Porte (`IdCCP`), assigned by the service.
    #[schema(example = "CCC01234-89AB-4DEF-8123-456789ABCDEF")]
    id: Option<String>,
    /// Present when the goods enter or leave the country (`TranspInternac`).
    international: Option<InternationalBody>,
    /// Present when they stay within the development poles of the Isthmus of Tehuantepec (`RegistroISTMO`).
    isthmus: Option<IsthmusBody>,
    /// Where goods are picked up and delivered, in the order of the journey (`Ubicaciones`).
    locations: Vec<LocationBody>,
    /// What is transported (`Mercancias`).
    goods: GoodsBody,
    /// In what it is transported (`Autotransporte`).
    road: RoadTransportBody,
    /// Who drives, and who owns or lets what the issuer does not own (`FiguraTransporte`).
    figures: Vec<FigureBody>,
}

/// How goods cross the border.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteInternational)]
struct InternationalBody {
    /// Whether they enter or leave the country (`EntradaSalidaMerc`).
    #[schema(value_type = shapes::Direction)]
    direction: Direction,
    /// The country that they come from or go to, a code of c_Pais (`PaisOrigenDestino`).
    country: String,
    /// The means of transport by which they cross the border, a code of c_CveTransporte (`ViaEntradaSalida`).
    via: String,
    /// Codes of c_RegimenAduanero (`RegimenesAduaneros`).
    customs_regimes: Vec<String>,
}

/// The development poles between which goods move.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteIsthmus)]
struct IsthmusBody {
    /// Where the journey begins, a code of c_RegistroISTMO (`UbicacionPoloOrigen`).
    origin: String,
    /// Where it ends (`UbicacionPoloDestino`).
    destination: String,
}

/// All goods of a journey (`Mercancias`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteGoods)]
struct GoodsBody {
    /// What all of it weighs, in `weightUnit`; the sum of the goods' kilograms where it is not given
    /// (`PesoBrutoTotal`).
    #[schema(value_type = Option<shapes::Amount>)]
    gross_weight: Option<Amount>,
    /// The unit of that weight, a code of c_ClaveUnidadPeso (`UnidadPeso`).
    weight_unit: String,
    /// Whether they are collected or returned (`LogisticaInversaRecoleccionDevolucion`).
    reverse_logistics: bool,
    /// Each kind of goods.
    items: Vec<GoodsItemBody>,
}

/// Goods of one kind (`Mercancia`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteItem)]
struct GoodsItemBody {
    /// What they are, a code of c_ClaveProdServCP (`BienesTransp`).
    sat_product_key: String,
    /// What they are, in the issuer's words.
    description: String,
    /// How many units.
    #[schema(value_type = shapes::Amount)]
    quantity: Amount,
    /// The unit, a code of c_ClaveUnidad.
    sat_unit_key: String,
    /// The unit in the issuer's words.
    unit: Option<String>,
    /// Length, height and width of the package, as `30/40/30cm` or `12/16/12plg`.
    dimensions: Option<String>,
    /// Whether they are hazardous, for product keys that may be (`MaterialPeligroso`).
    hazardous: Option<bool>,
    /// What hazardous material they are, a code of c_MaterialPeligroso (`CveMaterialPeligroso`).
    hazardous_material: Option<String>,
    /// How the hazardous material is packed, a code of c_TipoEmbalaje (`Embalaje`).
    packaging: Option<String>,
    /// That packaging in the issuer's words (`DescripEmbalaje`).
    packaging_description: Option<String>,
    /// What the health authority demands of medicines and chemicals.
    health: Option<HealthControlBody>,
    /// What they weigh, in kilograms (`PesoEnKg`).
    #[schema(value_type = shapes::Amount)]
    weight_kg: Amount,
    /// What they are worth.
    value: Option<GoodsValueBody>,
    /// A code of c_FraccionArancelaria.
    tariff_code: Option<String>,
    /// The fiscal folio of the invoice with the complement of foreign trade (`UUIDComercioExt`).
    foreign_trade_uuid: Option<String>,
    /// How far they are processed, a code of c_TipoMateria, for goods that cross the border (`TipoMateria`).
    material_type: Option<String>,
    /// The same in words, where no code says it (`DescripcionMateria`).
    material_description: Option<String>,
    /// What proves that goods from abroad are legally in the country (`DocumentacionAduanera`).
    customs_documents: Vec<CustomsDocumentBody>,
    /// The parcels they are in (`GuiasIdentificacion`).
    guides: Vec<GuideBody>,
    /// How many go from where to where, when there are several origins or destinations (`CantidadTransporta`).
    portions: Vec<PortionBody>,
}

/// An amount of money that goods are worth.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteValue)]
struct GoodsValueBody {
    /// How much (`ValorMercancia`).
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// In what currency (`Moneda`).
    #[schema(value_type = shapes::Currency)]
    currency: Currency,
}

/// A document of customs.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteCustomsDocument)]
struct CustomsDocumentBody {
    /// What it is, a code of c_DocumentoAduanero (`TipoDocumento`).
    document_type: String,
    /// The number of a customs entry, as `15  48  3009  0001234` (`NumPedimento`).
    pedimento: Option<String>,
    /// The number of any other document (`IdentDocAduanero`).
    identifier: Option<String>,
    /// The RFC of the importer (`RFCImpo`).
    importer_rfc: Option<String>,
}

/// A parcel with its own waybill.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteGuide)]
struct GuideBody {
    /// The number of the waybill (`NumeroGuiaIdentificacion`).
    number: String,
    /// What is in the parcel (`DescripGuiaIdentificacion`).
    description: String,
    /// What it weighs, in kilograms (`PesoGuiaIdentificacion`).
    #[schema(value_type = shapes::Amount)]
    weight_kg: Amount,
}

/// How much of the goods goes from one place to another.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPortePortion)]
struct PortionBody {
    /// How many units.
    #[schema(value_type = shapes::Amount)]
    quantity: Amount,
    /// The code of the place they leave from (`IDOrigen`).
    origin: String,
    /// The code of the place they arrive at (`IDDestino`).
    destination: String,
}

/// The attributes of goods that COFEPRIS controls. Which of them are needed depends on the sector.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteHealthControl)]
struct HealthControlBody {
    /// What sort of goods they are, a code of c_SectorCOFEPRIS.
    sector: String,
    /// The active ingredient of precursors, dual-use chemicals, pesticides and fertilizers
    /// (`NombreIngredienteActivo`).
    active_ingredient: Option<String>,
    /// The active substance of precursors, dual-use chemicals and toxic substances (`NomQuimico`).
    chemical_name: Option<String>,
    /// The active substance of a medicine (`DenominacionGenericaProd`).
    generic_name: Option<String>,
    /// The brand of a medicine (`DenominacionDistintivaProd`).
    brand_name: Option<String>,
    /// Who makes it (`Fabricante`).
    manufacturer: Option<String>,
    /// When it expires or is to be analyzed again (`FechaCaducidad`).
    #[schema(value_type = Option<shapes::Day>)]
    expires_on: Option<String>,
    /// The batch (`LoteMedicamento`).
    batch: Option<String>,
    /// A code of c_FormaFarmaceutica (`FormaFarmaceutica`).
    dosage_form: Option<String>,
    /// How it is kept on the way, a code of c_CondicionesEspeciales (`CondicionesEspTransp`).
    special_conditions: Option<String>,
    /// The sanitary registration or authorization (`RegistroSanitarioFolioAutorizacion`).
    sanitary_registration: Option<String>,
    /// The permit to import it (`PermisoImportacion`).
    import_permit: Option<String>,
    /// The folio of the import at the single window of foreign trade (`FolioImpoVUCEM`).
    vucem_folio: Option<String>,
    /// The number that Chemical Abstracts gave a toxic substance (`NumCAS`).
    cas_number: Option<String>,
    /// The company that imports toxic substances (`RazonSocialEmpImp`).
    importer_name: Option<String>,
    /// The sanitary registration of a pesticide or fertilizer (`NumRegSanPlagCOFEPRIS`).
    pesticide_registration: Option<String>,
    /// Country and name of who makes the active ingredient (`DatosFabricante`).
    manufacturer_details: Option<String>,
    /// Country and name of who formulates it (`DatosFormulador`).
    formulator_details: Option<String>,
    /// Country and name of who processes it for others (`DatosMaquilador`).
    processor_details: Option<String>,
    /// What a pesticide or fertilizer may be used for (`UsoAutorizado`).
    authorized_use: Option<String>,
}

/// A place where goods are picked up or delivered (`Ubicacion`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteLocation)]
struct LocationBody {
    /// Whether goods leave from it or arrive at it (`TipoUbicacion`).
    #[serde(rename = "type")]
    #[schema(value_type = shapes::LocationKind)]
    kind: LocationKind,
    /// The issuer's own code of it: `OR` or `DE` and six digits (`IDUbicacion`).
    code: Option<String>,
    /// The RFC of the sender or recipient; the generic one of foreigners for somebody abroad
    /// (`RFCRemitenteDestinatario`).
    rfc: String,
    /// The name of the sender or recipient (`NombreRemitenteDestinatario`).
    name: Option<String>,
    /// The tax identifier of a foreign sender or recipient (`NumRegIdTrib`).
    foreign_tax_id: Option<String>,
    /// The country that gave it, a code of c_Pais (`ResidenciaFiscal`).
    tax_residence: Option<String>,
    /// When goods are expected to leave or arrive: whole seconds of the local time there
    /// (`FechaHoraSalidaLlegada`).
    #[schema(value_type = shapes::LocalTime)]
    at: String,
    /// Kilometers from the place before, at destinations (`DistanciaRecorrida`).
    #[schema(value_type = Option<shapes::Amount>)]
    distance_km: Option<Amount>,
    /// Where it is (`Domicilio`).
    address: Option<AddressBody>,
}

/// A truck with its permit and insurance (`Autotransporte`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteRoad)]
struct RoadTransportBody {
    /// The kind of permit, a code of c_TipoPermiso (`PermSCT`).
    permit_type: String,
    /// The number of the permit (`NumPermisoSCT`).
    permit_number: String,
    /// The truck (`IdentificacionVehicular`).
    vehicle: VehicleBody,
    /// Who insures what (`Seguros`).
    insurance: InsuranceBody,
    /// What the truck draws (`Remolques`).
    trailers: Vec<TrailerBody>,
}

/// A truck.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteVehicle)]
struct VehicleBody {
    /// Its axles and tires, a code of c_ConfigAutotransporte (`ConfigVehicular`).
    configuration: String,
    /// The gross weight that it is allowed, in tons (`PesoBrutoVehicular`).
    #[schema(value_type = shapes::Amount)]
    gross_weight_tons: Amount,
    /// Its plate, without spaces and hyphens (`PlacaVM`).
    plate: String,
    /// The year of its model (`AnioModeloVM`).
    model_year: u16,
}

/// The insurance of a truck and its load.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteInsurance)]
struct InsuranceBody {
    /// Of civil liability.
    liability: PolicyBody,
    /// Of damage to the environment, for hazardous goods.
    environment: Option<PolicyBody>,
    /// Of the load.
    cargo: Option<PolicyBody>,
    /// What the client is charged for the insurance (`PrimaSeguro`).
    #[schema(value_type = Option<shapes::Amount>)]
    premium: Option<Amount>,
}

/// A policy of an insurer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPortePolicy)]
struct PolicyBody {
    /// The name of the insurer.
    insurer: String,
    /// The number of the policy.
    number: String,
}

/// A trailer or semitrailer (`Remolque`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteTrailer)]
struct TrailerBody {
    /// Its kind, a code of c_SubTipoRem (`SubTipoRem`).
    subtype: String,
    /// Its plate, without spaces and hyphens.
    plate: String,
}

/// Who takes part in the transport (`TiposFigura`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteFigure)]
struct FigureBody {
    /// In what role, a code of c_FiguraTransporte (`TipoFigura`).
    figure_type: String,
    /// Tax identifier (`RFCFigura`).
    rfc: Option<String>,
    /// The driver's license (`NumLicencia`).
    license: Option<String>,
    /// The name (`NombreFigura`).
    name: String,
    /// The tax identifier of a foreigner (`NumRegIdTribFigura`).
    foreign_tax_id: Option<String>,
    /// The country that gave it, a code of c_Pais (`ResidenciaFiscalFigura`).
    tax_residence: Option<String>,
    /// What of the transport is theirs, codes of c_ParteTransporte (`PartesTransporte`).
    parts: Vec<String>,
    /// Where they live (`Domicilio`).
    address: Option<AddressBody>,
}

impl From<CartaPorte> for CartaPorteBody {
    fn from(carta: CartaPorte) -> Self {
        let id = carta.folio();
        let CartaPorte { id: _, international, isthmus, locations, goods, road, figures } = carta;
        Self {
            id,
            international: international.map(InternationalBody::from),
            isthmus: isthmus.map(IsthmusBody::from),
            locations: locations.into_iter().map(LocationBody::from).collect(),
            goods: goods.into(),
            road: road.into(),
            figures: figures.into_iter().map(FigureBody::from).collect(),
        }
    }
}

impl From<International> for InternationalBody {
    fn from(given: International) -> Self {
        let International { direction, country, via, customs_regimes } = given;
        Self { direction, country, via, customs_regimes }
    }
}

impl From<Isthmus> for IsthmusBody {
    fn from(given: Isthmus) -> Self {
        let Isthmus { origin, destination } = given;
        Self { origin, destination }
    }
}

impl From<Goods> for GoodsBody {
    fn from(given: Goods) -> Self {
        let Goods { gross_weight, weight_unit, reverse_logistics, items } = given;
        Self {
            gross_weight,
            weight_unit,
            reverse_logistics,
            items: items.into_iter().map(GoodsItemBody::from).collect(),
        }
    }
}

impl From<GoodsItem> for GoodsItemBody {
    fn from(given: GoodsItem) -> Self {
        let GoodsItem {
            sat_product_key,
            description,
            quantity,
            sat_unit_key,
            unit,
            dimensions,
            hazardous,
            hazardous_material,
            packaging,
            packaging_description,
            health,
            weight_kg,
            value,
            tariff_code,
            foreign_trade_uuid,
            material_type,
            material_description,
            customs_documents,
            guides,
            portions,
        } = given;
        Self {
            sat_product_key,
            description,
            quantity,
            sat_unit_key,
            unit,
            dimensions,
            hazardous,
            hazardous_material,
            packaging,
            packaging_description,
            health: health.map(HealthControlBody::from),
            weight_kg,
            value: value.map(GoodsValueBody::from),
            tariff_code,
            foreign_trade_uuid,
            material_type,
            material_description,
            customs_documents: customs_documents
                .into_iter()
                .map(CustomsDocumentBody::from)
                .collect(),
            guides: guides.into_iter().map(GuideBody::from).collect(),
            portions: portions.into_iter().map(PortionBody::from).collect(),
        }
    }
}

impl From<GoodsValue> for GoodsValueBody {
    fn from(given: GoodsValue) -> Self {
        let GoodsValue { amount, currency } = given;
        Self { amount, currency }
    }
}

impl From<CustomsDocument> for CustomsDocumentBody {
    fn from(given: CustomsDocument) -> Self {
        let CustomsDocument { document_type, pedimento, identifier, importer_rfc } = given;
        Self { document_type, pedimento, identifier, importer_rfc }
    }
}

impl From<Guide> for GuideBody {
    fn from(given: Guide) -> Self {
        let Guide { number, description, weight_kg } = given;
        Self { number, description, weight_kg }
    }
}

impl From<Portion> for PortionBody {
    fn from(given: Portion) -> Self {
        let Portion { quantity, origin, destination } = given;
        Self { quantity, origin, destination }
    }
}

impl From<HealthControl> for HealthControlBody {
    fn from(given: HealthControl) -> Self {
        let HealthControl {
            sector,
            active_ingredient,
            chemical_name,
            generic_name,
            brand_name,
            manufacturer,
            expires_on,
            batch,
            dosage_form,
            special_conditions,
            sanitary_registration,
            import_permit,
            vucem_folio,
            cas_number,
            importer_name,
            pesticide_registration,
            manufacturer_details,
            formulator_details,
            processor_details,
            authorized_use,
        } = given;
        Self {
            sector,
            active_ingredient,
            chemical_name,
            generic_name,
            brand_name,
            manufacturer,
            expires_on: expires_on.map(day::to_text),
            batch,
            dosage_form,
            special_conditions,
            sanitary_registration,
            import_permit,
            vucem_folio,
            cas_number,
            importer_name,
            pesticide_registration,
            manufacturer_details,
            formulator_details,
            processor_details,
            authorized_use,
        }
    }
}

impl From<Location> for LocationBody {
    fn from(given: Location) -> Self {
        let Location {
            kind,
            code,
            rfc,
            name,
            foreign_tax_id,
            tax_residence,
            at,
            distance_km,
            address,
        } = given;
        Self {
            kind,
            code,
            rfc,
            name,
            foreign_tax_id,
            tax_residence,
            at: local_time::to_text(at),
            distance_km,
            address: address.map(AddressBody::from),
        }
    }
}

impl From<RoadTransport> for RoadTransportBody {
    fn from(given: RoadTransport) -> Self {
        let RoadTransport { permit_type, permit_number, vehicle, insurance, trailers } = given;
        Self {
            permit_type,
            permit_number,
            vehicle: vehicle.into(),
            insurance: insurance.into(),
            trailers: trailers.into_iter().map(TrailerBody::from).collect(),
        }
    }
}

impl From<Vehicle> for VehicleBody {
    fn from(given: Vehicle) -> Self {
        let Vehicle { configuration, gross_weight_tons, plate, model_year } = given;
        Self { configuration, gross_weight_tons, plate, model_year }
    }
}

impl From<Insurance> for InsuranceBody {
    fn from(given: Insurance) -> Self {
        let Insurance { liability, environment, cargo, premium } = given;
        Self {
            liability: liability.into(),
            environment: environment.map(PolicyBody::from),
            cargo: cargo.map(PolicyBody::from),
            premium,
        }
    }
}

impl From<Policy> for PolicyBody {
    fn from(given: Policy) -> Self {
        let Policy { insurer, number } = given;
        Self { insurer, number }
    }
}

impl From<Trailer> for TrailerBody {
    fn from(given: Trailer) -> Self {
        let Trailer { subtype, plate } = given;
        Self { subtype, plate }
    }
}

impl From<Figure> for FigureBody {
    fn from(given: Figure) -> Self {
        let Figure {
            figure_type,
            rfc,
            license,
            name,
            foreign_tax_id,
            tax_residence,
            parts,
            address,
        } = given;
        Self {
            figure_type,
            rfc,
            license,
            name,
            foreign_tax_id,
            tax_residence,
            parts,
            address: address.map(AddressBody::from),
        }
    }
}
