//! The walk over prescribed sentences (Leyendas fiscales 1.0).

use super::{Schema, Sink};
use crate::complements::Legend;

pub(super) const SCHEMA: Schema = Schema {
    declaration: "xmlns:leyendasFisc",
    namespace: "http://www.sat.gob.mx/leyendasFiscales",
    location: "http://www.sat.gob.mx/sitio_internet/cfd/leyendasFiscales/leyendasFisc.xsd",
};

pub(super) fn walk(legends: &[Legend], sink: &mut impl Sink) {
    sink.open("leyendasFisc:LeyendasFiscales");
    sink.attribute("version", "1.0");
    for legend in legends {
        sink.open("leyendasFisc:Leyenda");
        sink.optional("disposicionFiscal", legend.law.as_deref());
        sink.optional("norma", legend.rule.as_deref());
        sink.attribute("textoLeyenda", &legend.text);
        sink.close("leyendasFisc:Leyenda");
    }
    sink.close("leyendasFisc:LeyendasFiscales");
}
