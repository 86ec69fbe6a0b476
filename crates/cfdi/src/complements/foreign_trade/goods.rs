//! What is exported.

use kernel::Amount;
use serde::{Deserialize, Serialize};

/// Goods of one item of the document under one tariff code (`Mercancia`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TradedGoods {
    /// The sku of the item that sells or moves them (`NoIdentificacion`).
    pub sku: String,
    /// Their code in the tariff of import and export duties (c_FraccionArancelaria); services have none.
    pub tariff_code: Option<String>,
    /// How many customs units, when the item counts in others.
    pub customs_quantity: Option<Amount>,
    /// The unit that customs count them in, a code of c_UnidadAduana.
    pub customs_unit: Option<String>,
    /// What one customs unit costs in US dollars.
    pub customs_unit_price: Option<Amount>,
    /// What they are worth in US dollars (`ValorDolares`).
    pub usd_value: Amount,
    /// By which they can be told apart.
    #[serde(default)]
    pub details: Vec<GoodsDetails>,
}

/// What tells one piece of goods from another (`DescripcionesEspecificas`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GoodsDetails {
    /// The brand.
    pub brand: String,
    /// The maker's model.
    pub model: Option<String>,
    /// The variant of the model.
    pub submodel: Option<String>,
    /// The number of the single piece.
    pub serial_number: Option<String>,
}

impl TradedGoods {
    /// Whether it states anything of how customs count it.
    #[must_use]
    pub fn has_customs_data(&self) -> bool {
        self.customs_quantity.is_some()
            || self.customs_unit.is_some()
            || self.customs_unit_price.is_some()
    }
}
