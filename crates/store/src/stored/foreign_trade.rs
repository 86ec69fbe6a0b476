//! Goods that leave the country.

use cfdi::complements::{
    Address, CertificateOfOrigin, ForeignTrade, GoodsDetails, Owner, Recipient, TradeIssuer,
    TradeReceiver, TradedGoods,
};
use kernel::Amount;
use serde::{Deserialize, Serialize};

use super::{
    address::AddressForm,
    forms::{Each, Form, Maybe, forms},
};

forms!(
    CertificateOfOriginForm of CertificateOfOrigin,
    ForeignTradeForm of ForeignTrade,
    GoodsDetailsForm of GoodsDetails,
    OwnerForm of Owner,
    RecipientForm of Recipient,
    TradeIssuerForm of TradeIssuer,
    TradeReceiverForm of TradeReceiver,
    TradedGoodsForm of TradedGoods,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "ForeignTrade", rename_all = "camelCase")]
pub(super) struct ForeignTradeForm {
    transfer_reason: Option<String>,
    #[serde(default, with = "Maybe::<CertificateOfOriginForm>")]
    certificate_of_origin: Option<CertificateOfOrigin>,
    trusted_exporter_number: Option<String>,
    incoterm: Option<String>,
    remarks: Option<String>,
    usd_rate: Amount,
    #[serde(with = "TradeIssuerForm")]
    issuer: TradeIssuer,
    #[serde(with = "Each::<OwnerForm>")]
    owners: Vec<Owner>,
    #[serde(default, with = "Maybe::<TradeReceiverForm>")]
    receiver: Option<TradeReceiver>,
    #[serde(with = "Each::<RecipientForm>")]
    recipients: Vec<Recipient>,
    #[serde(with = "Each::<TradedGoodsForm>")]
    goods: Vec<TradedGoods>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CertificateOfOrigin", rename_all = "camelCase")]
struct CertificateOfOriginForm {
    number: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TradedGoods", rename_all = "camelCase")]
struct TradedGoodsForm {
    sku: String,
    tariff_code: Option<String>,
    customs_quantity: Option<Amount>,
    customs_unit: Option<String>,
    customs_unit_price: Option<Amount>,
    usd_value: Amount,
    #[serde(with = "Each::<GoodsDetailsForm>")]
    details: Vec<GoodsDetails>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "GoodsDetails", rename_all = "camelCase")]
struct GoodsDetailsForm {
    brand: String,
    model: Option<String>,
    submodel: Option<String>,
    serial_number: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TradeIssuer", rename_all = "camelCase")]
struct TradeIssuerForm {
    curp: Option<String>,
    #[serde(with = "AddressForm")]
    address: Address,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Owner", rename_all = "camelCase")]
struct OwnerForm {
    foreign_tax_id: String,
    tax_residence: String,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "TradeReceiver", rename_all = "camelCase")]
struct TradeReceiverForm {
    foreign_tax_id: Option<String>,
    #[serde(default, with = "Maybe::<AddressForm>")]
    address: Option<Address>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Recipient", rename_all = "camelCase")]
struct RecipientForm {
    foreign_tax_id: Option<String>,
    name: Option<String>,
    #[serde(with = "Each::<AddressForm>")]
    addresses: Vec<Address>,
}
