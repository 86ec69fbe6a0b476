//! How the API shows goods that leave the country.

use cfdi::complements::{
    CertificateOfOrigin, ForeignTrade, GoodsDetails, Owner, Recipient, TradeIssuer, TradeReceiver,
    TradedGoods,
};
use kernel::Amount;
use serde::Serialize;
use utoipa::ToSchema;

use super::address::AddressBody;
use crate::resources::shapes;

/// A definitive export with customs key A1, the only one that the complement is for.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ForeignTrade)]
pub(super) struct ForeignTradeBody {
    /// Why goods move that are not sold, a code of c_MotivoTraslado; of transfers only.
    transfer_reason: Option<String>,
    /// The certificate of origin, when the document serves as one.
    certificate_of_origin: Option<CertificateOfOriginBody>,
    /// The number of a trusted exporter to the European Union (`NumeroExportadorConfiable`).
    trusted_exporter_number: Option<String>,
    /// Who bears which costs and risks, a code of c_INCOTERM.
    incoterm: Option<String>,
    /// Anything else to be said (`Observaciones`).
    remarks: Option<String>,
    /// Pesos for one US dollar (`TipoCambioUSD`).
    #[schema(value_type = shapes::Amount)]
    usd_rate: Amount,
    /// Where the goods are sent from, and by whom.
    issuer: TradeIssuerBody,
    /// Whose the goods are, when they are sent on behalf of others.
    owners: Vec<OwnerBody>,
    /// Who buys them.
    receiver: Option<TradeReceiverBody>,
    /// Where they go to, when that is not to the buyer.
    recipients: Vec<RecipientBody>,
    /// The goods as customs see them.
    goods: Vec<TradedGoodsBody>,
}

/// That a document serves as certificate of origin (`CertificadoOrigen` 1).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CertificateOfOrigin)]
struct CertificateOfOriginBody {
    /// The certificate's folio, or the fiscal folio of the invoice by which it was paid.
    number: Option<String>,
}

/// Goods of one item of the document under one tariff code (`Mercancia`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TradedGoods)]
struct TradedGoodsBody {
    /// The sku of the item that sells or moves them (`NoIdentificacion`).
    sku: String,
    /// Their code in the tariff of import and export duties (c_FraccionArancelaria); services have none.
    tariff_code: Option<String>,
    /// How many customs units, when the item counts in others.
    #[schema(value_type = Option<shapes::Amount>)]
    customs_quantity: Option<Amount>,
    /// The unit that customs count them in, a code of c_UnidadAduana.
    customs_unit: Option<String>,
    /// What one customs unit costs in US dollars.
    #[schema(value_type = Option<shapes::Amount>)]
    customs_unit_price: Option<Amount>,
    /// What they are worth in US dollars (`ValorDolares`).
    #[schema(value_type = shapes::Amount)]
    usd_value: Amount,
    /// By which they can be told apart.
    details: Vec<GoodsDetailsBody>,
}

/// What tells one piece of goods from another (`DescripcionesEspecificas`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = GoodsDetails)]
struct GoodsDetailsBody {
    /// The brand.
    brand: String,
    /// The maker's model.
    model: Option<String>,
    /// The variant of the model.
    submodel: Option<String>,
    /// The number of the single piece.
    serial_number: Option<String>,
}

/// What an export states of the document's issuer beside its name and RFC.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TradeIssuer)]
struct TradeIssuerBody {
    /// The CURP of a natural person.
    curp: Option<String>,
    /// The address in Mexico.
    address: AddressBody,
}

/// Somebody on whose behalf goods are moved (`Propietario`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TradeOwner)]
struct OwnerBody {
    /// Tax identifier in the country of residence (`NumRegIdTrib`).
    foreign_tax_id: String,
    /// Country of residence, a code of c_Pais.
    tax_residence: String,
}

/// What an export states of the document's receiver.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TradeReceiver)]
struct TradeReceiverBody {
    /// Tax identifier in the country of the address (`NumRegIdTrib`).
    foreign_tax_id: Option<String>,
    /// The address, mostly abroad.
    address: Option<AddressBody>,
}

/// Somebody other than the receiver to whom goods are sent (`Destinatario`).
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TradeRecipient)]
struct RecipientBody {
    /// Tax identifier in the country of the address (`NumRegIdTrib`).
    foreign_tax_id: Option<String>,
    /// The name of the person or company.
    name: Option<String>,
    /// The addresses that goods are sent to.
    addresses: Vec<AddressBody>,
}

impl From<ForeignTrade> for ForeignTradeBody {
    fn from(given: ForeignTrade) -> Self {
        let ForeignTrade {
            transfer_reason,
            certificate_of_origin,
            trusted_exporter_number,
            incoterm,
            remarks,
            usd_rate,
            issuer,
            owners,
            receiver,
            recipients,
            goods,
        } = given;
        Self {
            transfer_reason,
            certificate_of_origin: certificate_of_origin.map(CertificateOfOriginBody::from),
            trusted_exporter_number,
            incoterm,
            remarks,
            usd_rate,
            issuer: issuer.into(),
            owners: owners.into_iter().map(OwnerBody::from).collect(),
            receiver: receiver.map(TradeReceiverBody::from),
            recipients: recipients.into_iter().map(RecipientBody::from).collect(),
            goods: goods.into_iter().map(TradedGoodsBody::from).collect(),
        }
    }
}

impl From<CertificateOfOrigin> for CertificateOfOriginBody {
    fn from(given: CertificateOfOrigin) -> Self {
        let CertificateOfOrigin { number } = given;
        Self { number }
    }
}

impl From<TradedGoods> for TradedGoodsBody {
    fn from(given: TradedGoods) -> Self {
        let TradedGoods {
            sku,
            tariff_code,
            customs_quantity,
            customs_unit,
            customs_unit_price,
            usd_value,
            details,
        } = given;
        Self {
            sku,
            tariff_code,
            customs_quantity,
            customs_unit,
            customs_unit_price,
            usd_value,
            details: details.into_iter().map(GoodsDetailsBody::from).collect(),
        }
    }
}

impl From<GoodsDetails> for GoodsDetailsBody {
    fn from(given: GoodsDetails) -> Self {
        let GoodsDetails { brand, model, submodel, serial_number } = given;
        Self { brand, model, submodel, serial_number }
    }
}

impl From<TradeIssuer> for TradeIssuerBody {
    fn from(given: TradeIssuer) -> Self {
        let TradeIssuer { curp, address } = given;
        Self { curp, address: address.into() }
    }
}

impl From<Owner> for OwnerBody {
    fn from(given: Owner) -> Self {
        let Owner { foreign_tax_id, tax_residence } = given;
        Self { foreign_tax_id, tax_residence }
    }
}

impl From<TradeReceiver> for TradeReceiverBody {
    fn from(given: TradeReceiver) -> Self {
        let TradeReceiver { foreign_tax_id, address } = given;
        Self { foreign_tax_id, address: address.map(AddressBody::from) }
    }
}

impl From<Recipient> for RecipientBody {
    fn from(given: Recipient) -> Self {
        let Recipient { foreign_tax_id, name, addresses } = given;
        Self {
            foreign_tax_id,
            name,
            addresses: addresses.into_iter().map(AddressBody::from).collect(),
        }
    }
}
