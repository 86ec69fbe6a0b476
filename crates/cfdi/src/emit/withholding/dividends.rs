//! The walk over dividends (Dividendos 1.0).

use super::{Sink, amount, optional};
use crate::{decimal::digits, emit::complements::Schema, withholding::Dividends};

pub(super) const SCHEMA: Schema = Schema {
    declaration: "xmlns:dividendos",
    namespace: "http://www.sat.gob.mx/esquemas/retencionpago/1/dividendos",
    location: "http://www.sat.gob.mx/esquemas/retencionpago/1/dividendos/dividendos.xsd",
};

pub(super) fn walk(dividends: &Dividends, sink: &mut impl Sink) {
    sink.open("dividendos:Dividendos");
    sink.attribute("Version", "1.0");
    if let Some(distribution) = &dividends.distribution {
        sink.open("dividendos:DividOUtil");
        sink.attribute("CveTipDivOUtil", &distribution.kind);
        amount("MontISRAcredRetMexico", distribution.isr_withheld_in_mexico, sink);
        amount("MontISRAcredRetExtranjero", distribution.isr_withheld_abroad, sink);
        optional("MontRetExtDivExt", distribution.withheld_from_foreign_dividends, sink);
        sink.attribute("TipoSocDistrDiv", distribution.company.spanish());
        optional("MontISRAcredNal", distribution.creditable_isr, sink);
        optional("MontDivAcumNal", distribution.national_income, sink);
        optional("MontDivAcumExt", distribution.foreign_income, sink);
        sink.close("dividendos:DividOUtil");
    }
    if let Some(remainder) = &dividends.remainder {
        sink.open("dividendos:Remanente");
        let percentage = remainder.percentage.map(|percentage| digits(percentage, 0));
        sink.optional("ProporcionRem", percentage.as_deref());
        sink.close("dividendos:Remanente");
    }
    sink.close("dividendos:Dividendos");
}
