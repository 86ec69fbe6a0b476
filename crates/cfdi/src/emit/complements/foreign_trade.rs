//! The walk over exported goods (Comercio Exterior 2.0).

use super::{Schema, Sink, address};
use crate::{
    complements::{
        ForeignTrade, Recipient, TradeReceiver, TradedGoods, foreign_trade::CUSTOMS_KEY,
    },
    decimal::digits,
};

pub(super) const SCHEMA: Schema = Schema {
    declaration: "xmlns:cce20",
    namespace: "http://www.sat.gob.mx/ComercioExterior20",
    location: "http://www.sat.gob.mx/sitio_internet/cfd/ComercioExterior20/ComercioExterior20.xsd",
};

/// The element of an address.
const DOMICILE: &str = "cce20:Domicilio";
/// How many decimals dollars are written with at least.
const DECIMALS: u32 = 2;

pub(super) fn walk(trade: &ForeignTrade, sink: &mut impl Sink) {
    let certificate = trade.certificate_of_origin.as_ref();
    sink.open("cce20:ComercioExterior");
    sink.attribute("Version", "2.0");
    sink.optional("MotivoTraslado", trade.transfer_reason.as_deref());
    sink.attribute("ClaveDePedimento", CUSTOMS_KEY);
    sink.attribute("CertificadoOrigen", if certificate.is_some() { "1" } else { "0" });
    let number = certificate.and_then(|certificate| certificate.number.as_deref());
    sink.optional("NumCertificadoOrigen", number);
    sink.optional("NumeroExportadorConfiable", trade.trusted_exporter_number.as_deref());
    sink.optional("Incoterm", trade.incoterm.as_deref());
    sink.optional("Observaciones", trade.remarks.as_deref());
    sink.attribute("TipoCambioUSD", &digits(trade.usd_rate, 0));
    sink.attribute("TotalUSD", &digits(trade.total_usd(), DECIMALS));
    sink.open("cce20:Emisor");
    sink.optional("Curp", trade.issuer.curp.as_deref());
    address::walk(DOMICILE, &trade.issuer.address, sink);
    sink.close("cce20:Emisor");
    for owner in &trade.owners {
        sink.open("cce20:Propietario");
        sink.attribute("NumRegIdTrib", &owner.foreign_tax_id);
        sink.attribute("ResidenciaFiscal", &owner.tax_residence);
        sink.close("cce20:Propietario");
    }
    if let Some(each) = &trade.receiver {
        receiver(each, sink);
    }
    for each in &trade.recipients {
        recipient(each, sink);
    }
    sink.open("cce20:Mercancias");
    for each in &trade.goods {
        goods(each, sink);
    }
    sink.close("cce20:Mercancias");
    sink.close("cce20:ComercioExterior");
}

fn receiver(receiver: &TradeReceiver, sink: &mut impl Sink) {
    sink.open("cce20:Receptor");
    sink.optional("NumRegIdTrib", receiver.foreign_tax_id.as_deref());
    if let Some(each) = &receiver.address {
        address::walk(DOMICILE, each, sink);
    }
    sink.close("cce20:Receptor");
}

fn recipient(recipient: &Recipient, sink: &mut impl Sink) {
    sink.open("cce20:Destinatario");
    sink.optional("NumRegIdTrib", recipient.foreign_tax_id.as_deref());
    sink.optional("Nombre", recipient.name.as_deref());
    for each in &recipient.addresses {
        address::walk(DOMICILE, each, sink);
    }
    sink.close("cce20:Destinatario");
}

fn goods(goods: &TradedGoods, sink: &mut impl Sink) {
    sink.open("cce20:Mercancia");
    sink.attribute("NoIdentificacion", &goods.sku);
    sink.optional("FraccionArancelaria", goods.tariff_code.as_deref());
    let quantity = goods.customs_quantity.map(|quantity| digits(quantity, 0));
    sink.optional("CantidadAduana", quantity.as_deref());
    sink.optional("UnidadAduana", goods.customs_unit.as_deref());
    let price = goods.customs_unit_price.map(|price| digits(price, DECIMALS));
    sink.optional("ValorUnitarioAduana", price.as_deref());
    sink.attribute("ValorDolares", &digits(goods.usd_value, DECIMALS));
    for details in &goods.details {
        sink.open("cce20:DescripcionesEspecificas");
        sink.attribute("Marca", &details.brand);
        sink.optional("Modelo", details.model.as_deref());
        sink.optional("SubModelo", details.submodel.as_deref());
        sink.optional("NumeroSerie", details.serial_number.as_deref());
        sink.close("cce20:DescripcionesEspecificas");
    }
    sink.close("cce20:Mercancia");
}
