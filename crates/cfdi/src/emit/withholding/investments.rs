//! The walks over interest, leases in trust, shares and prizes, of one element each.

use super::{Sink, amount, optional, yes_or_no};
use crate::{
    emit::complements::Schema,
    withholding::{Interest, Prize, ShareSale, TrustLease},
};

pub(super) const INTEREST: Schema = Schema {
    declaration: "xmlns:intereses",
    namespace: "http://www.sat.gob.mx/esquemas/retencionpago/1/intereses",
    location: "http://www.sat.gob.mx/esquemas/retencionpago/1/intereses/intereses.xsd",
};

pub(super) const TRUST_LEASE: Schema = Schema {
    declaration: "xmlns:arrendamientoenfideicomiso",
    namespace: "http://www.sat.gob.mx/esquemas/retencionpago/1/arrendamientoenfideicomiso",
    location: "http://www.sat.gob.mx/esquemas/retencionpago/1/arrendamientoenfideicomiso/arrendamientoenfideicomiso.xsd",
};

pub(super) const SHARE_SALE: Schema = Schema {
    declaration: "xmlns:enajenaciondeacciones",
    namespace: "http://www.sat.gob.mx/esquemas/retencionpago/1/enajenaciondeacciones",
    location: "http://www.sat.gob.mx/esquemas/retencionpago/1/enajenaciondeacciones/enajenaciondeacciones.xsd",
};

pub(super) const PRIZE: Schema = Schema {
    declaration: "xmlns:premios",
    namespace: "http://www.sat.gob.mx/esquemas/retencionpago/1/premios",
    location: "http://www.sat.gob.mx/esquemas/retencionpago/1/premios/premios.xsd",
};

pub(super) fn interest(interest: &Interest, sink: &mut impl Sink) {
    sink.open("intereses:Intereses");
    sink.attribute("Version", "1.0");
    sink.attribute("SistFinanciero", yes_or_no(interest.from_financial_system));
    sink.attribute("RetiroAORESRetInt", yes_or_no(interest.withdrawn));
    sink.attribute("OperFinancDerivad", yes_or_no(interest.from_derivatives));
    amount("MontIntNominal", interest.nominal, sink);
    amount("MontIntReal", interest.real, sink);
    amount("Perdida", interest.loss, sink);
    sink.close("intereses:Intereses");
}

pub(super) fn trust_lease(lease: &TrustLease, sink: &mut impl Sink) {
    sink.open("arrendamientoenfideicomiso:Arrendamientoenfideicomiso");
    sink.attribute("Version", "1.0");
    amount("PagProvEfecPorFiduc", lease.paid_by_trustee, sink);
    amount("RendimFideicom", lease.yielded, sink);
    amount("DeduccCorresp", lease.deductions, sink);
    optional("MontTotRet", lease.withheld, sink);
    optional("MontResFiscDistFibras", lease.distributed_result, sink);
    optional("MontOtrosConceptDistr", lease.other_distributions, sink);
    sink.optional("DescrMontOtrosConceptDistr", lease.other_description.as_deref());
    sink.close("arrendamientoenfideicomiso:Arrendamientoenfideicomiso");
}

pub(super) fn share_sale(sale: &ShareSale, sink: &mut impl Sink) {
    sink.open("enajenaciondeacciones:EnajenaciondeAcciones");
    sink.attribute("Version", "1.0");
    sink.attribute("ContratoIntermediacion", &sale.contract);
    amount("Ganancia", sale.gain, sink);
    amount("Perdida", sale.loss, sink);
    sink.close("enajenaciondeacciones:EnajenaciondeAcciones");
}

pub(super) fn prize(prize: &Prize, sink: &mut impl Sink) {
    sink.open("premios:Premios");
    sink.attribute("Version", "1.0");
    sink.attribute("EntidadFederativa", &prize.state);
    amount("MontTotPago", prize.paid, sink);
    amount("MontTotPagoGrav", prize.taxed, sink);
    amount("MontTotPagoExent", prize.exempt, sink);
    sink.close("premios:Premios");
}
