//! The walk over payments abroad (Pagos a extranjeros 1.0).

use super::{Sink, yes_or_no};
use crate::{emit::complements::Schema, withholding::ForeignPayment};

pub(super) const SCHEMA: Schema = Schema {
    declaration: "xmlns:pagosaextranjeros",
    namespace: "http://www.sat.gob.mx/esquemas/retencionpago/1/pagosaextranjeros",
    location: "http://www.sat.gob.mx/esquemas/retencionpago/1/pagosaextranjeros/pagosaextranjeros.xsd",
};

pub(super) fn walk(payment: &ForeignPayment, sink: &mut impl Sink) {
    let benefits = matches!(payment, ForeignPayment::Beneficiary(_));
    sink.open("pagosaextranjeros:Pagosaextranjeros");
    sink.attribute("Version", "1.0");
    sink.attribute("EsBenefEfectDelCobro", yes_or_no(benefits));
    match payment {
        ForeignPayment::Beneficiary(beneficiary) => {
            sink.open("pagosaextranjeros:Beneficiario");
            sink.attribute("RFC", &beneficiary.rfc);
            sink.attribute("CURP", &beneficiary.curp);
            sink.attribute("NomDenRazSocB", &beneficiary.legal_name);
            sink.attribute("ConceptoPago", &beneficiary.payee);
            sink.attribute("DescripcionConcepto", &beneficiary.description);
            sink.close("pagosaextranjeros:Beneficiario");
        }
        ForeignPayment::NonBeneficiary(other) => {
            sink.open("pagosaextranjeros:NoBeneficiario");
            sink.attribute("PaisDeResidParaEfecFisc", &other.tax_residence);
            sink.attribute("ConceptoPago", &other.payee);
            sink.attribute("DescripcionConcepto", &other.description);
            sink.close("pagosaextranjeros:NoBeneficiario");
        }
    }
    sink.close("pagosaextranjeros:Pagosaextranjeros");
}
