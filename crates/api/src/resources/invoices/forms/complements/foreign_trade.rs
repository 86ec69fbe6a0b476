//! Reading goods that leave the country.

use cfdi::{
    complements::{
        CertificateOfOrigin, ForeignTrade, GoodsDetails, Owner, Recipient, TradeIssuer,
        TradeReceiver, TradedGoods,
    },
    rules::LINES_MAX,
};
use intake::{
    Check, Fields,
    checks::{object, objects},
    noun,
};

use super::{CHARS_MAX, address::read_address, not_negative, phrase};

/// Maximum owners of goods. SAT knows no limit.
const OWNERS_MAX: usize = 100;
/// Maximum recipients, and addresses of one. SAT knows no limit.
const RECIPIENTS_MAX: usize = 100;
/// Maximum details of goods. SAT knows no limit.
const DETAILS_MAX: usize = 1_000;

pub(super) fn read_foreign_trade(fields: &mut Fields<'_>) -> Option<ForeignTrade> {
    let transfer_reason = phrase(CHARS_MAX)
        .about("Why goods move that are not sold, a code of c_MotivoTraslado; of transfers only.");
    let transfer_reason = fields.optional("transferReason", transfer_reason);
    let certificate_of_origin = object(
        noun("a certificate of origin", "un certificado de origen"),
        read_certificate_of_origin,
    )
    .about("The certificate of origin, when the document serves as one.");
    let certificate_of_origin = fields.optional("certificateOfOrigin", certificate_of_origin);
    let trusted_exporter_number = phrase(CHARS_MAX).about(
        "The number of a trusted exporter to the European Union (`NumeroExportadorConfiable`).",
    );
    let trusted_exporter_number = fields.optional("trustedExporterNumber", trusted_exporter_number);
    let incoterm =
        phrase(CHARS_MAX).about("Who bears which costs and risks, a code of c_INCOTERM.");
    let incoterm = fields.optional("incoterm", incoterm);
    let remarks = phrase(CHARS_MAX).about("Anything else to be said (`Observaciones`).");
    let remarks = fields.optional("remarks", remarks);
    let usd_rate = not_negative().about("Pesos for one US dollar (`TipoCambioUSD`).");
    let usd_rate = fields.required("usdRate", usd_rate);
    let issuer = object(noun("an issuer", "un emisor"), read_trade_issuer)
        .about("Where the goods are sent from, and by whom.");
    let issuer = fields.required("issuer", issuer);
    let owners = objects(noun("an owner", "un propietario"), 0..=OWNERS_MAX, read_owner)
        .about("Whose the goods are, when they are sent on behalf of others.");
    let owners = fields.optional("owners", owners).unwrap_or_default();
    let receiver =
        object(noun("a receiver", "un receptor"), read_trade_receiver).about("Who buys them.");
    let receiver = fields.optional("receiver", receiver);
    let recipients =
        objects(noun("a recipient", "un destinatario"), 0..=RECIPIENTS_MAX, read_recipient)
            .about("Where they go to, when that is not to the buyer.");
    let recipients = fields.optional("recipients", recipients).unwrap_or_default();
    let goods = objects(noun("goods", "una mercancía"), 0..=LINES_MAX, read_traded_goods)
        .about("The goods as customs see them.");
    let goods = fields.optional("goods", goods).unwrap_or_default();
    Some(ForeignTrade {
        transfer_reason,
        certificate_of_origin,
        trusted_exporter_number,
        incoterm,
        remarks,
        usd_rate: usd_rate?,
        issuer: issuer?,
        owners,
        receiver,
        recipients,
        goods,
    })
}

fn read_certificate_of_origin(fields: &mut Fields<'_>) -> Option<CertificateOfOrigin> {
    let number = phrase(CHARS_MAX)
        .about("The certificate's folio, or the fiscal folio of the invoice by which it was paid.");
    let number = fields.optional("number", number);
    Some(CertificateOfOrigin { number })
}

fn read_traded_goods(fields: &mut Fields<'_>) -> Option<TradedGoods> {
    let sku = phrase(CHARS_MAX)
        .about("The sku of the item that sells or moves them (`NoIdentificacion`).");
    let sku = fields.required("sku", sku);
    let tariff_code = phrase(CHARS_MAX).about("Their code in the tariff of import and export duties (c_FraccionArancelaria); services have none.");
    let tariff_code = fields.optional("tariffCode", tariff_code);
    let customs_quantity =
        not_negative().about("How many customs units, when the item counts in others.");
    let customs_quantity = fields.optional("customsQuantity", customs_quantity);
    let customs_unit =
        phrase(CHARS_MAX).about("The unit that customs count them in, a code of c_UnidadAduana.");
    let customs_unit = fields.optional("customsUnit", customs_unit);
    let customs_unit_price = not_negative().about("What one customs unit costs in US dollars.");
    let customs_unit_price = fields.optional("customsUnitPrice", customs_unit_price);
    let usd_value = not_negative().about("What they are worth in US dollars (`ValorDolares`).");
    let usd_value = fields.required("usdValue", usd_value);
    let details =
        objects(noun("details", "una descripción específica"), 0..=DETAILS_MAX, read_goods_details)
            .about("By which they can be told apart.");
    let details = fields.optional("details", details).unwrap_or_default();
    Some(TradedGoods {
        sku: sku?,
        tariff_code,
        customs_quantity,
        customs_unit,
        customs_unit_price,
        usd_value: usd_value?,
        details,
    })
}

fn read_goods_details(fields: &mut Fields<'_>) -> Option<GoodsDetails> {
    let brand = phrase(CHARS_MAX).about("The brand.");
    let brand = fields.required("brand", brand);
    let model = phrase(CHARS_MAX).about("The maker's model.");
    let model = fields.optional("model", model);
    let submodel = phrase(CHARS_MAX).about("The variant of the model.");
    let submodel = fields.optional("submodel", submodel);
    let serial_number = phrase(CHARS_MAX).about("The number of the single piece.");
    let serial_number = fields.optional("serialNumber", serial_number);
    Some(GoodsDetails { brand: brand?, model, submodel, serial_number })
}

fn read_trade_issuer(fields: &mut Fields<'_>) -> Option<TradeIssuer> {
    let curp = phrase(CHARS_MAX).about("The CURP of a natural person.");
    let curp = fields.optional("curp", curp);
    let address =
        object(noun("an address", "un domicilio"), read_address).about("The address in Mexico.");
    let address = fields.required("address", address);
    Some(TradeIssuer { curp, address: address? })
}

fn read_owner(fields: &mut Fields<'_>) -> Option<Owner> {
    let foreign_tax_id =
        phrase(CHARS_MAX).about("Tax identifier in the country of residence (`NumRegIdTrib`).");
    let foreign_tax_id = fields.required("foreignTaxId", foreign_tax_id);
    let tax_residence = phrase(CHARS_MAX).about("Country of residence, a code of c_Pais.");
    let tax_residence = fields.required("taxResidence", tax_residence);
    Some(Owner { foreign_tax_id: foreign_tax_id?, tax_residence: tax_residence? })
}

fn read_trade_receiver(fields: &mut Fields<'_>) -> Option<TradeReceiver> {
    let foreign_tax_id =
        phrase(CHARS_MAX).about("Tax identifier in the country of the address (`NumRegIdTrib`).");
    let foreign_tax_id = fields.optional("foreignTaxId", foreign_tax_id);
    let address = object(noun("an address", "un domicilio"), read_address)
        .about("The address, mostly abroad.");
    let address = fields.optional("address", address);
    Some(TradeReceiver { foreign_tax_id, address })
}

fn read_recipient(fields: &mut Fields<'_>) -> Option<Recipient> {
    let foreign_tax_id =
        phrase(CHARS_MAX).about("Tax identifier in the country of the address (`NumRegIdTrib`).");
    let foreign_tax_id = fields.optional("foreignTaxId", foreign_tax_id);
    let name = phrase(CHARS_MAX).about("The name of the person or company.");
    let name = fields.optional("name", name);
    let addresses = objects(noun("an address", "un domicilio"), 0..=RECIPIENTS_MAX, read_address)
        .about("The addresses that goods are sent to.");
    let addresses = fields.optional("addresses", addresses).unwrap_or_default();
    Some(Recipient { foreign_tax_id, name, addresses })
}
