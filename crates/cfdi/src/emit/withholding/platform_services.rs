//! The walk over what is sold through platforms (Servicios de plataformas tecnológicas 1.0).

use super::{Sink, amount, optional};
use crate::{
    decimal::digits,
    document::day,
    emit::complements::Schema,
    tax::Tax,
    withholding::{PlatformService, PlatformServices, PlatformTotals, ServiceTax},
};

pub(super) const SCHEMA: Schema = Schema {
    declaration: "xmlns:plataformasTecnologicas",
    namespace: "http://www.sat.gob.mx/esquemas/retencionpago/1/PlataformasTecnologicas10",
    location: "http://www.sat.gob.mx/esquemas/retencionpago/1/PlataformasTecnologicas10/ServiciosPlataformasTecnologicas10.xsd",
};

pub(super) fn walk(services: &PlatformServices, totals: &PlatformTotals, sink: &mut impl Sink) {
    sink.open("plataformasTecnologicas:ServiciosPlataformasTecnologicas");
    sink.attribute("Version", "1.0");
    sink.attribute("Periodicidad", &services.periodicity);
    sink.attribute("NumServ", &totals.count.to_string());
    amount("MonTotServSIVA", totals.price, sink);
    amount("TotalIVATrasladado", totals.iva_charged, sink);
    amount("TotalIVARetenido", totals.iva_withheld, sink);
    amount("TotalISRRetenido", totals.isr_withheld, sink);
    amount("DifIVAEntregadoPrestServ", totals.iva_delivered, sink);
    amount("MonTotalporUsoPlataforma", totals.fees, sink);
    optional("MonTotalContribucionGubernamental", totals.contributions, sink);
    sink.open("plataformasTecnologicas:Servicios");
    for each in &services.services {
        service(each, sink);
    }
    sink.close("plataformasTecnologicas:Servicios");
    sink.close("plataformasTecnologicas:ServiciosPlataformasTecnologicas");
}

fn service(service: &PlatformService, sink: &mut impl Sink) {
    sink.open("plataformasTecnologicas:DetallesDelServicio");
    sink.attribute("FormaPagoServ", &service.payment_form);
    sink.attribute("TipoDeServ", &service.kind);
    sink.optional("SubTipServ", service.subtype.as_deref());
    sink.optional("RFCTerceroAutorizado", service.helper_rfc.as_deref());
    sink.attribute("FechaServ", &day::to_text(service.paid_on));
    amount("PrecioServSinIVA", service.price, sink);
    if let Some(each) = &service.tax {
        tax(each, sink);
    }
    if let Some(contribution) = &service.contribution {
        sink.open("plataformasTecnologicas:ContribucionGubernamental");
        amount("ImpContrib", contribution.amount, sink);
        sink.attribute("EntidadDondePagaLaContribucion", &contribution.state);
        sink.close("plataformasTecnologicas:ContribucionGubernamental");
    }
    if let Some(fee) = &service.fee {
        sink.open("plataformasTecnologicas:ComisionDelServicio");
        optional("Base", fee.base, sink);
        sink.optional("Porcentaje", fee.rate.map(|rate| digits(rate, 3)).as_deref());
        amount("Importe", fee.amount, sink);
        sink.close("plataformasTecnologicas:ComisionDelServicio");
    }
    sink.close("plataformasTecnologicas:DetallesDelServicio");
}

fn tax(tax: &ServiceTax, sink: &mut impl Sink) {
    sink.open("plataformasTecnologicas:ImpuestosTrasladadosdelServicio");
    amount("Base", tax.base, sink);
    sink.attribute("Impuesto", code(tax.tax));
    sink.attribute("TipoFactor", "Tasa");
    sink.attribute("TasaCuota", &digits(tax.rate, 6));
    amount("Importe", tax.amount, sink);
    sink.close("plataformasTecnologicas:ImpuestosTrasladadosdelServicio");
}

/// The code of a tax in the complements (c_TipoImpuesto), which is shorter than elsewhere.
const fn code(tax: Tax) -> &'static str {
    match tax {
        Tax::Isr => "01",
        Tax::Iva => "02",
        Tax::Ieps => "03",
    }
}
