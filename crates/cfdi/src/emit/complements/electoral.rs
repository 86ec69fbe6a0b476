//! The walk over the expenses of parties and candidates (INE 1.1).

use super::{Schema, Sink};
use crate::complements::{Electoral, Entity};

pub(super) const SCHEMA: Schema = Schema {
    declaration: "xmlns:ine",
    namespace: "http://www.sat.gob.mx/ine",
    location: "http://www.sat.gob.mx/sitio_internet/cfd/ine/ine11.xsd",
};

pub(super) fn walk(electoral: &Electoral, sink: &mut impl Sink) {
    let accounting_id = electoral.accounting_id.map(|id| id.to_string());
    sink.open("ine:INE");
    sink.attribute("Version", "1.1");
    sink.attribute("TipoProceso", electoral.process.spanish());
    sink.optional("TipoComite", electoral.committee.map(|committee| committee.spanish()));
    sink.optional("IdContabilidad", accounting_id.as_deref());
    for each in &electoral.entities {
        entity(each, sink);
    }
    sink.close("ine:INE");
}

fn entity(entity: &Entity, sink: &mut impl Sink) {
    sink.open("ine:Entidad");
    sink.attribute("ClaveEntidad", &entity.code);
    sink.optional("Ambito", entity.scope.map(|scope| scope.spanish()));
    for id in &entity.accounting_ids {
        sink.open("ine:Contabilidad");
        sink.attribute("IdContabilidad", &id.to_string());
        sink.close("ine:Contabilidad");
    }
    sink.close("ine:Entidad");
}
