//! The walk over a withholding (retencionpagov2.xsd), in the order of retenciones.xslt.

mod complements;
mod dividends;
mod foreign_payment;
mod investments;
mod platform_services;

use kernel::Amount;

use super::{INSTANCE, Signature, Sink, cadena::Cadena, xml::Xml};
use crate::{
    decimal::digits,
    document::local_time,
    tax::Tax,
    withholding::{Receiver, Totals, WithheldTax, Withholding},
};

const NAMESPACE: &str = "http://www.sat.gob.mx/esquemas/retencionpago/2";
const LOCATION: &str = "http://www.sat.gob.mx/esquemas/retencionpago/2 \
                        http://www.sat.gob.mx/esquemas/retencionpago/2/retencionpagov2.xsd";

/// How many decimals amounts are written with at least.
const DECIMALS: u32 = 2;

impl Withholding {
    /// The *cadena original*: what its issuer seals (Anexo 20, section II.B).
    #[must_use]
    pub fn cadena(&self, certificate_number: &str) -> String {
        let mut sink = Cadena::new();
        let signature = Signature { certificate_number, certificate: "", seal: "" };
        walk(self, &signature, &mut sink);
        sink.finish()
    }

    /// The XML, when it is sealed.
    #[must_use]
    pub fn xml(&self, signature: &Signature<'_>) -> String {
        let mut sink = Xml::new();
        walk(self, signature, &mut sink);
        sink.finish()
    }
}

fn walk(withholding: &Withholding, signature: &Signature<'_>, sink: &mut impl Sink) {
    let complements = complements::of(withholding);
    sink.open("retenciones:Retenciones");
    sink.xml_only("xmlns:retenciones", NAMESPACE);
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
    sink.attribute("Version", "2.0");
    sink.attribute("NoCertificado", signature.certificate_number);
    sink.optional("FolioInt", withholding.folio.as_deref());
    sink.xml_only("Sello", signature.seal);
    sink.xml_only("Certificado", signature.certificate);
    sink.attribute("FechaExp", &local_time::to_text(withholding.issued_at));
    sink.attribute("LugarExpRetenc", &withholding.place_of_issue);
    sink.attribute("CveRetenc", &withholding.code);
    sink.optional("DescRetenc", withholding.description.as_deref());
    head(withholding, sink);
    totals(&withholding.totals, &withholding.taxes, sink);
    if !complements.is_empty() {
        sink.open("retenciones:Complemento");
        for complement in &complements {
            complement.walk(sink);
        }
        sink.close("retenciones:Complemento");
    }
    sink.close("retenciones:Retenciones");
}

/// What stands before the sums: relation, parties, period.
fn head(withholding: &Withholding, sink: &mut impl Sink) {
    if let Some(related) = &withholding.related {
        sink.open("retenciones:CfdiRetenRelacionados");
        sink.attribute("TipoRelacion", &related.relation);
        sink.attribute("UUID", &related.uuid);
        sink.close("retenciones:CfdiRetenRelacionados");
    }
    let issuer = &withholding.issuer;
    sink.open("retenciones:Emisor");
    sink.attribute("RfcE", &issuer.rfc);
    sink.attribute("NomDenRazSocE", &issuer.legal_name);
    sink.attribute("RegimenFiscalE", &issuer.tax_regime);
    sink.close("retenciones:Emisor");
    receiver(&withholding.receiver, sink);
    let period = &withholding.period;
    sink.open("retenciones:Periodo");
    sink.attribute("MesIni", &format!("{:02}", period.first_month));
    sink.attribute("MesFin", &format!("{:02}", period.last_month));
    sink.attribute("Ejercicio", &period.year.to_string());
    sink.close("retenciones:Periodo");
}

fn receiver(receiver: &Receiver, sink: &mut impl Sink) {
    sink.open("retenciones:Receptor");
    sink.attribute("NacionalidadR", receiver.nationality());
    match receiver {
        Receiver::National(national) => {
            sink.open("retenciones:Nacional");
            sink.attribute("RfcR", &national.rfc);
            sink.attribute("NomDenRazSocR", &national.legal_name);
            sink.optional("CurpR", national.curp.as_deref());
            sink.attribute("DomicilioFiscalR", &national.tax_zip);
            sink.close("retenciones:Nacional");
        }
        Receiver::Foreign(foreign) => {
            sink.open("retenciones:Extranjero");
            sink.optional("NumRegIdTribR", foreign.foreign_tax_id.as_deref());
            sink.attribute("NomDenRazSocR", &foreign.legal_name);
            sink.close("retenciones:Extranjero");
        }
    }
    sink.close("retenciones:Receptor");
}

fn totals(totals: &Totals, taxes: &[WithheldTax], sink: &mut impl Sink) {
    sink.open("retenciones:Totales");
    amount("MontoTotOperacion", totals.operation, sink);
    amount("MontoTotGrav", totals.taxed, sink);
    amount("MontoTotExent", totals.exempt, sink);
    amount("MontoTotRet", totals.withheld, sink);
    optional("UtilidadBimestral", totals.bimonthly_profit, sink);
    optional("ISRCorrespondiente", totals.bimonthly_isr, sink);
    for tax in taxes {
        sink.open("retenciones:ImpRetenidos");
        optional("BaseRet", tax.base, sink);
        sink.optional("ImpuestoRet", tax.tax.map(Tax::code));
        amount("MontoRet", tax.amount, sink);
        sink.attribute("TipoPagoRet", &tax.payment_kind);
        sink.close("retenciones:ImpRetenidos");
    }
    sink.close("retenciones:Totales");
}

/// An amount, with cents.
fn amount(name: &'static str, amount: Amount, sink: &mut impl Sink) {
    sink.attribute(name, &digits(amount, DECIMALS));
}

/// An amount, if there is one.
fn optional(name: &'static str, value: Option<Amount>, sink: &mut impl Sink) {
    if let Some(value) = value {
        amount(name, value, sink);
    }
}

/// What SAT calls yes and no.
const fn yes_or_no(yes: bool) -> &'static str {
    if yes { "SI" } else { "NO" }
}
