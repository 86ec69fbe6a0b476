//! How the API shows what is on the way.

use cfdi::{
    complements::carta_porte::{
        CustomsDocument, Goods, GoodsItem, GoodsValue, Guide, HealthControl, Portion, WeightDetails,
    },
    document::day,
};
use kernel::{Amount, Currency};
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::shapes;

/// All goods of a journey (`Mercancias`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteGoods)]
pub(super) struct GoodsBody {
    /// What all of it weighs, in `weightUnit`; where it is not given, the sum of the goods' `weights.gross` or else
    /// kilograms (`PesoBrutoTotal`).
    #[schema(value_type = Option<shapes::Amount>)]
    gross_weight: Option<Amount>,
    /// The unit of that weight, a code of c_ClaveUnidadPeso (`UnidadPeso`).
    weight_unit: String,
    /// What was paid for their appraisal, by air (`CargoPorTasacion`).
    #[schema(value_type = Option<shapes::Amount>)]
    appraisal_charge: Option<Amount>,
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
    /// Their code of the Standard Transportation Commodity Code, by rail (`ClaveSTCC`).
    stcc: Option<String>,
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
    /// What they weigh with and without their packing, by sea (`DetalleMercancia`).
    weights: Option<WeightDetailsBody>,
}

/// What goods weigh with and without their packing, in a unit of their own.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CartaPorteWeights)]
struct WeightDetailsBody {
    /// The unit, a code of c_ClaveUnidadPeso (`UnidadPesoMerc`).
    unit: String,
    /// With the packing (`PesoBruto`).
    #[schema(value_type = shapes::Amount)]
    gross: Amount,
    /// Without it (`PesoNeto`); the rest is the packing's (`PesoTara`).
    #[schema(value_type = shapes::Amount)]
    net: Amount,
    /// How many pieces (`NumPiezas`).
    pieces: Option<u32>,
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

impl From<Goods> for GoodsBody {
    fn from(given: Goods) -> Self {
        let Goods { gross_weight, weight_unit, appraisal_charge, reverse_logistics, items } = given;
        Self {
            gross_weight,
            weight_unit,
            appraisal_charge,
            reverse_logistics,
            items: items.into_iter().map(GoodsItemBody::from).collect(),
        }
    }
}

impl From<GoodsItem> for GoodsItemBody {
    fn from(given: GoodsItem) -> Self {
        let GoodsItem {
            sat_product_key,
            stcc,
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
            weights,
        } = given;
        Self {
            sat_product_key,
            stcc,
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
            weights: weights.map(WeightDetailsBody::from),
        }
    }
}

impl From<WeightDetails> for WeightDetailsBody {
    fn from(given: WeightDetails) -> Self {
        let WeightDetails { unit, gross, net, pieces } = given;
        Self { unit, gross, net, pieces }
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
