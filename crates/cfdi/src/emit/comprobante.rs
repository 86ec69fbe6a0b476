//! The walk over the document itself (cfdv40).

use kernel::Amount;

use super::{INSTANCE, Signature, Sink, complements};
use crate::{
    decimal::{digits, places},
    document::{Document, Item, Part, local_time},
    tax::{Factor, ItemTax},
    totals::Totals,
};

const CFDI: &str = "http://www.sat.gob.mx/cfd/4";
const LOCATION: &str =
    "http://www.sat.gob.mx/cfd/4 http://www.sat.gob.mx/sitio_internet/cfd/4/cfdv40.xsd";

pub(super) fn walk(document: &Document, signature: &Signature<'_>, sink: &mut impl Sink) {
    let totals = Totals::of(document);
    let decimals = document.decimals();
    let sum = |amount: Amount| digits(amount, decimals);
    sink.open("cfdi:Comprobante");
    sink.xml_only("xmlns:cfdi", CFDI);
    let complements = complements::of(document);
    let mut locations = LOCATION.to_owned();
    for complement in &complements {
        let schema = complement.schema();
        sink.xml_only(schema.declaration, schema.namespace);
        for part in [" ", schema.namespace, " ", schema.location] {
            locations.push_str(part);
        }
    }
    sink.xml_only("xmlns:xsi", INSTANCE);
    sink.xml_only("xsi:schemaLocation", &locations);
    sink.attribute("Version", "4.0");
    sink.optional("Serie", document.series.as_deref());
    sink.optional("Folio", document.folio.as_deref());
    sink.attribute("Fecha", &local_time::to_text(document.issued_at));
    sink.xml_only("Sello", signature.seal);
    sink.optional("FormaPago", document.payment_form.as_deref());
    sink.attribute("NoCertificado", signature.certificate_number);
    sink.xml_only("Certificado", signature.certificate);
    sink.optional("CondicionesDePago", document.payment_terms.as_deref());
    sink.attribute("SubTotal", &sum(totals.sub_total));
    sink.optional("Descuento", totals.discount.map(sum).as_deref());
    sink.attribute("Moneda", document.currency_code());
    sink.optional("TipoCambio", document.exchange_rate.map(|rate| digits(rate, 0)).as_deref());
    sink.attribute("Total", &sum(totals.total));
    sink.attribute("TipoDeComprobante", document.kind.code());
    sink.attribute("Exportacion", &document.export);
    sink.optional("MetodoPago", document.payment_method.map(|method| method.code()));
    sink.attribute("LugarExpedicion", &document.place_of_issue);
    sink.optional("Confirmacion", document.confirmation.as_deref());
    head(document, sink);
    sink.open("cfdi:Conceptos");
    for each in &document.items {
        item(each, decimals, sink);
    }
    sink.close("cfdi:Conceptos");
    if totals.has_taxes() {
        taxes(&totals, &sum, sink);
    }
    if !complements.is_empty() {
        sink.open("cfdi:Complemento");
        for complement in &complements {
            complement.walk(sink);
        }
        sink.close("cfdi:Complemento");
    }
    sink.close("cfdi:Comprobante");
}

/// What stands before the items: period, relations, issuer, receiver.
fn head(document: &Document, sink: &mut impl Sink) {
    if let Some(global) = &document.global {
        sink.open("cfdi:InformacionGlobal");
        sink.attribute("Periodicidad", &global.periodicity);
        sink.attribute("Meses", &global.months);
        sink.attribute("Año", &global.year.to_string());
        sink.close("cfdi:InformacionGlobal");
    }
    for relation in &document.related {
        sink.open("cfdi:CfdiRelacionados");
        sink.attribute("TipoRelacion", &relation.relation);
        for uuid in &relation.uuids {
            sink.open("cfdi:CfdiRelacionado");
            sink.attribute("UUID", uuid);
            sink.close("cfdi:CfdiRelacionado");
        }
        sink.close("cfdi:CfdiRelacionados");
    }
    let issuer = &document.issuer;
    sink.open("cfdi:Emisor");
    sink.attribute("Rfc", &issuer.rfc);
    sink.attribute("Nombre", &issuer.legal_name);
    sink.attribute("RegimenFiscal", &issuer.tax_regime);
    sink.close("cfdi:Emisor");
    let receiver = &document.receiver;
    sink.open("cfdi:Receptor");
    sink.attribute("Rfc", &receiver.rfc);
    sink.attribute("Nombre", &receiver.legal_name);
    sink.attribute("DomicilioFiscalReceptor", &receiver.tax_zip);
    sink.optional("ResidenciaFiscal", receiver.tax_residence.as_deref());
    sink.optional("NumRegIdTrib", receiver.foreign_tax_id.as_deref());
    sink.attribute("RegimenFiscalReceptor", &receiver.tax_regime);
    sink.attribute("UsoCFDI", &receiver.cfdi_use);
    sink.close("cfdi:Receptor");
}

fn item(item: &Item, decimals: u32, sink: &mut impl Sink) {
    let amount = |amount: Amount| digits(amount, decimals);
    // A discount has no more decimals than what it is taken off (CFDI40168).
    let gross_decimals = item.discount.map_or(decimals, |discount| decimals.max(places(discount)));
    sink.open("cfdi:Concepto");
    sink.attribute("ClaveProdServ", &item.sat_product_key);
    sink.optional("NoIdentificacion", item.sku.as_deref());
    sink.attribute("Cantidad", &digits(item.quantity, 0));
    sink.attribute("ClaveUnidad", &item.sat_unit_key);
    sink.optional("Unidad", item.unit.as_deref());
    sink.attribute("Descripcion", &item.description);
    sink.attribute("ValorUnitario", &amount(item.unit_price));
    sink.attribute("Importe", &digits(item.amount, gross_decimals));
    sink.optional("Descuento", item.discount.map(amount).as_deref());
    sink.attribute("ObjetoImp", &item.tax_object);
    if !item.taxes.is_empty() {
        item_taxes(item, &amount, sink);
    }
    if let Some(third_party) = &item.third_party {
        sink.open("cfdi:ACuentaTerceros");
        sink.attribute("RfcACuentaTerceros", &third_party.rfc);
        sink.attribute("NombreACuentaTerceros", &third_party.legal_name);
        sink.attribute("RegimenFiscalACuentaTerceros", &third_party.tax_regime);
        sink.attribute("DomicilioFiscalACuentaTerceros", &third_party.tax_zip);
        sink.close("cfdi:ACuentaTerceros");
    }
    for number in &item.customs {
        sink.open("cfdi:InformacionAduanera");
        // The number's groups are parted by two spaces, which the cadena makes one.
        sink.attribute("NumeroPedimento", number);
        sink.close("cfdi:InformacionAduanera");
    }
    for number in &item.property_accounts {
        sink.open("cfdi:CuentaPredial");
        sink.attribute("Numero", number);
        sink.close("cfdi:CuentaPredial");
    }
    for each in &item.parts {
        part(each, &amount, sink);
    }
    sink.close("cfdi:Concepto");
}

fn part(part: &Part, amount: &impl Fn(Amount) -> String, sink: &mut impl Sink) {
    sink.open("cfdi:Parte");
    sink.attribute("ClaveProdServ", &part.sat_product_key);
    sink.optional("NoIdentificacion", part.sku.as_deref());
    sink.attribute("Cantidad", &digits(part.quantity, 0));
    sink.optional("Unidad", part.unit.as_deref());
    sink.attribute("Descripcion", &part.description);
    sink.optional("ValorUnitario", part.unit_price.map(amount).as_deref());
    sink.optional("Importe", part.amount().map(amount).as_deref());
    for number in &part.customs {
        sink.open("cfdi:InformacionAduanera");
        sink.attribute("NumeroPedimento", number);
        sink.close("cfdi:InformacionAduanera");
    }
    sink.close("cfdi:Parte");
}

fn item_taxes(item: &Item, amount: &impl Fn(Amount) -> String, sink: &mut impl Sink) {
    let groups =
        [(false, "cfdi:Traslados", "cfdi:Traslado"), (true, "cfdi:Retenciones", "cfdi:Retencion")];
    sink.open("cfdi:Impuestos");
    for (withheld, group, name) in groups {
        let taxes: Vec<_> = item.taxes.iter().filter(|tax| tax.rate.withheld == withheld).collect();
        if taxes.is_empty() {
            continue;
        }
        sink.open(group);
        for each in taxes {
            sink.open(name);
            tax(each, amount, sink);
            sink.close(name);
        }
        sink.close(group);
    }
    sink.close("cfdi:Impuestos");
}

/// The attributes that the taxes of items and of the summary share.
fn tax(tax: &ItemTax, amount: &impl Fn(Amount) -> String, sink: &mut impl Sink) {
    sink.attribute("Base", &amount(tax.base));
    sink.attribute("Impuesto", tax.rate.tax.code());
    sink.attribute("TipoFactor", tax.rate.factor.code());
    if tax.rate.factor != Factor::Exento {
        sink.attribute("TasaOCuota", &digits(tax.rate.rate, 6));
        sink.attribute("Importe", &amount(tax.amount));
    }
}

/// The summary. The cadena has each total after what it is the total of; XML has attributes first.
fn taxes(totals: &Totals, sum: &impl Fn(Amount) -> String, sink: &mut impl Sink) {
    let total_withheld = totals.total_withheld.map(sum);
    let total_transferred = totals.total_transferred.map(sum);
    sink.open("cfdi:Impuestos");
    if let Some(total) = &total_withheld {
        sink.xml_only("TotalImpuestosRetenidos", total);
    }
    if let Some(total) = &total_transferred {
        sink.xml_only("TotalImpuestosTrasladados", total);
    }
    if let Some(total) = &total_withheld {
        sink.open("cfdi:Retenciones");
        for (tax, amount) in &totals.withheld {
            sink.open("cfdi:Retencion");
            sink.attribute("Impuesto", tax.code());
            sink.attribute("Importe", &sum(*amount));
            sink.close("cfdi:Retencion");
        }
        sink.close("cfdi:Retenciones");
        sink.cadena_only(total);
    }
    if !totals.transferred.is_empty() {
        sink.open("cfdi:Traslados");
        for each in &totals.transferred {
            sink.open("cfdi:Traslado");
            tax(each, sum, sink);
            sink.close("cfdi:Traslado");
        }
        sink.close("cfdi:Traslados");
    }
    if let Some(total) = &total_transferred {
        sink.cadena_only(total);
    }
    sink.close("cfdi:Impuestos");
}
