//! What is transported.

use kernel::{Amount, Currency};
use serde::{Deserialize, Serialize};

use super::HealthControl;
use crate::decimal;

/// All goods of a journey (`Mercancias`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Goods {
    /// What all of it weighs, in [`weight_unit`](Self::weight_unit); where it is not given, the sum of what the goods
    /// weigh with their packing, or else of their kilograms (`PesoBrutoTotal`).
    pub gross_weight: Option<Amount>,
    /// The unit of that weight, a code of c_ClaveUnidadPeso (`UnidadPeso`).
    pub weight_unit: String,
    /// What was paid for their appraisal, by air (`CargoPorTasacion`).
    pub appraisal_charge: Option<Amount>,
    /// Whether they are collected or returned (`LogisticaInversaRecoleccionDevolucion`).
    pub reverse_logistics: bool,
    /// Each kind of goods.
    pub items: Vec<GoodsItem>,
}

/// Goods of one kind (`Mercancia`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GoodsItem {
    /// What they are, a code of c_ClaveProdServCP (`BienesTransp`).
    pub sat_product_key: String,
    /// Their code of the Standard Transportation Commodity Code, by rail (`ClaveSTCC`).
    pub stcc: Option<String>,
    /// What they are, in the issuer's words.
    pub description: String,
    /// How many units.
    pub quantity: Amount,
    /// The unit, a code of c_ClaveUnidad.
    pub sat_unit_key: String,
    /// The unit in the issuer's words.
    pub unit: Option<String>,
    /// Length, height and width of the package, as `30/40/30cm` or `12/16/12plg`.
    pub dimensions: Option<String>,
    /// Whether they are hazardous, for product keys that may be (`MaterialPeligroso`).
    pub hazardous: Option<bool>,
    /// What hazardous material they are, a code of c_MaterialPeligroso (`CveMaterialPeligroso`).
    pub hazardous_material: Option<String>,
    /// How the hazardous material is packed, a code of c_TipoEmbalaje (`Embalaje`).
    pub packaging: Option<String>,
    /// That packaging in the issuer's words (`DescripEmbalaje`).
    pub packaging_description: Option<String>,
    /// What the health authority demands of medicines and chemicals.
    pub health: Option<HealthControl>,
    /// What they weigh, in kilograms (`PesoEnKg`).
    pub weight_kg: Amount,
    /// What they are worth.
    pub value: Option<GoodsValue>,
    /// A code of c_FraccionArancelaria.
    pub tariff_code: Option<String>,
    /// The fiscal folio of the invoice with the complement of foreign trade (`UUIDComercioExt`).
    pub foreign_trade_uuid: Option<String>,
    /// How far they are processed, a code of c_TipoMateria, for goods that cross the border (`TipoMateria`).
    pub material_type: Option<String>,
    /// The same in words, where no code says it (`DescripcionMateria`).
    pub material_description: Option<String>,
    /// What proves that goods from abroad are legally in the country (`DocumentacionAduanera`).
    pub customs_documents: Vec<CustomsDocument>,
    /// The parcels they are in (`GuiasIdentificacion`).
    pub guides: Vec<Guide>,
    /// How many go from where to where, when there are several origins or destinations (`CantidadTransporta`).
    pub portions: Vec<Portion>,
    /// What they weigh with and without their packing, by sea (`DetalleMercancia`).
    pub weights: Option<WeightDetails>,
}

/// What goods weigh with and without their packing, in a unit of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WeightDetails {
    /// The unit, a code of c_ClaveUnidadPeso (`UnidadPesoMerc`).
    pub unit: String,
    /// With the packing (`PesoBruto`).
    pub gross: Amount,
    /// Without it (`PesoNeto`); the rest is the packing's (`PesoTara`).
    pub net: Amount,
    /// How many pieces (`NumPiezas`).
    pub pieces: Option<u32>,
}

/// An amount of money that goods are worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GoodsValue {
    /// How much (`ValorMercancia`).
    pub amount: Amount,
    /// In what currency (`Moneda`).
    pub currency: Currency,
}

/// A document of customs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CustomsDocument {
    /// What it is, a code of c_DocumentoAduanero (`TipoDocumento`).
    pub document_type: String,
    /// The number of a customs entry, as `15  48  3009  0001234` (`NumPedimento`).
    pub pedimento: Option<String>,
    /// The number of any other document (`IdentDocAduanero`).
    pub identifier: Option<String>,
    /// The RFC of the importer (`RFCImpo`).
    pub importer_rfc: Option<String>,
}

/// A parcel with its own waybill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Guide {
    /// The number of the waybill (`NumeroGuiaIdentificacion`).
    pub number: String,
    /// What is in the parcel (`DescripGuiaIdentificacion`).
    pub description: String,
    /// What it weighs, in kilograms (`PesoGuiaIdentificacion`).
    pub weight_kg: Amount,
}

/// How much of the goods goes from one place to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Portion {
    /// How many units.
    pub quantity: Amount,
    /// The code of the place they leave from (`IDOrigen`).
    pub origin: String,
    /// The code of the place they arrive at (`IDDestino`).
    pub destination: String,
}

impl Goods {
    /// What all of it weighs: as given, else the sum of the goods' weights.
    #[must_use]
    pub fn total_weight(&self) -> Amount {
        self.gross_weight.unwrap_or_else(|| decimal::sum(self.gross_weights()))
    }

    /// What the goods of each kind weigh: with their packing where that is told in the unit of all, else in kilograms.
    pub(crate) fn gross_weights(&self) -> impl Iterator<Item = Amount> {
        self.items.iter().map(move |item| {
            let details = item.weights.as_ref().filter(|weights| weights.unit == self.weight_unit);
            details.map_or(item.weight_kg, |weights| weights.gross)
        })
    }

    /// What the goods whose weights are detailed weigh without their packing, if there are any (`PesoNetoTotal`).
    #[must_use]
    pub fn net_weight(&self) -> Option<Amount> {
        let details = || self.items.iter().filter_map(|item| item.weights.as_ref());
        details().next()?;
        Some(decimal::sum(details().map(|weights| weights.net)))
    }
}

impl WeightDetails {
    /// What the packing weighs (`PesoTara`).
    #[must_use]
    pub fn tare(&self) -> Amount {
        Amount::from_micros(self.gross.micros().saturating_sub(self.net.micros()))
    }
}

impl GoodsItem {
    /// Whether they are stated to be hazardous.
    #[must_use]
    pub fn is_hazardous(&self) -> bool {
        self.hazardous == Some(true)
    }
}
