//! Goods that leave Mexico for good: the complement *Comercio Exterior* 2.0.

mod goods;
mod parties;

use kernel::Amount;
use serde::{Deserialize, Serialize};

pub use goods::{GoodsDetails, TradedGoods};
pub use parties::{Owner, Recipient, TradeIssuer, TradeReceiver};

use crate::decimal;

/// The only customs key that the complement is for (c_ClavePedimento).
pub const CUSTOMS_KEY: &str = "A1";

/// A definitive export with customs key A1, the only one that the complement is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ForeignTrade {
    /// Why goods move that are not sold, a code of c_MotivoTraslado; of transfers only.
    pub transfer_reason: Option<String>,
    /// The certificate of origin, when the document serves as one.
    pub certificate_of_origin: Option<CertificateOfOrigin>,
    /// The number of a trusted exporter to the European Union (`NumeroExportadorConfiable`).
    pub trusted_exporter_number: Option<String>,
    /// Who bears which costs and risks, a code of c_INCOTERM.
    pub incoterm: Option<String>,
    /// Anything else to be said (`Observaciones`).
    pub remarks: Option<String>,
    /// Pesos for one US dollar (`TipoCambioUSD`).
    pub usd_rate: Amount,
    /// Where the goods are sent from, and by whom.
    pub issuer: TradeIssuer,
    /// Whose the goods are, when they are sent on behalf of others.
    #[serde(default)]
    pub owners: Vec<Owner>,
    /// Who buys them.
    pub receiver: Option<TradeReceiver>,
    /// Where they go to, when that is not to the buyer.
    #[serde(default)]
    pub recipients: Vec<Recipient>,
    /// The goods as customs see them.
    pub goods: Vec<TradedGoods>,
}

/// That a document serves as certificate of origin (`CertificadoOrigen` 1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CertificateOfOrigin {
    /// The certificate's folio, or the fiscal folio of the invoice by which it was paid.
    pub number: Option<String>,
}

impl ForeignTrade {
    /// What all the goods are worth in US dollars, to the cent (`TotalUSD`).
    #[must_use]
    pub fn total_usd(&self) -> Amount {
        decimal::sum(self.goods.iter().map(|goods| goods.usd_value)).rounded(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::complements::Address;

    fn worth(usd_values: &[&str]) -> ForeignTrade {
        let address = Address {
            street: Some("Reforma".to_owned()),
            exterior_number: None,
            interior_number: None,
            neighborhood: None,
            locality: None,
            reference: None,
            municipality: None,
            state: "CMX".to_owned(),
            country: "MEX".to_owned(),
            zip: "06600".to_owned(),
        };
        let goods = usd_values.iter().map(|value| TradedGoods {
            usd_value: Amount::parse(value).unwrap(),
            ..TradedGoods::default()
        });
        ForeignTrade {
            transfer_reason: None,
            certificate_of_origin: None,
            trusted_exporter_number: None,
            incoterm: None,
            remarks: None,
            usd_rate: Amount::parse("18.5").unwrap(),
            issuer: TradeIssuer { curp: None, address },
            owners: Vec::new(),
            receiver: None,
            recipients: Vec::new(),
            goods: goods.collect(),
        }
    }

    #[test]
    fn the_total_is_the_sum_of_the_goods_to_the_cent() {
        assert_eq!(worth(&[]).total_usd(), Amount::ZERO);
        // Alone each of the first two would be rounded down.
        let total = worth(&["10.0024", "0.0026", "1"]).total_usd();
        assert_eq!(total, Amount::parse("11.01").unwrap());
    }
}
