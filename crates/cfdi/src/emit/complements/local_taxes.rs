//! The walk over the complement of local taxes (Impuestos locales 1.0).

use kernel::Amount;

use super::{Schema, Sink};
use crate::{
    decimal::digits,
    local_taxes::{DECIMALS, LocalTax, sums},
};

pub(super) const SCHEMA: Schema = Schema {
    declaration: "xmlns:implocal",
    namespace: "http://www.sat.gob.mx/implocal",
    location: "http://www.sat.gob.mx/sitio_internet/cfd/implocal/implocal.xsd",
};

pub(super) fn walk(taxes: &[LocalTax], sink: &mut impl Sink) {
    let cents = |amount: Amount| digits(amount, DECIMALS);
    let (charged, withheld) = sums(taxes);
    sink.open("implocal:ImpuestosLocales");
    sink.attribute("version", "1.0");
    sink.attribute("TotaldeRetenciones", &cents(withheld));
    sink.attribute("TotaldeTraslados", &cents(charged));
    let kinds = [
        (true, "implocal:RetencionesLocales", "ImpLocRetenido", "TasadeRetencion"),
        (false, "implocal:TrasladosLocales", "ImpLocTrasladado", "TasadeTraslado"),
    ];
    for (is_withheld, element, name, rate) in kinds {
        for tax in taxes.iter().filter(|tax| tax.withheld == is_withheld) {
            sink.open(element);
            sink.attribute(name, &tax.name);
            sink.attribute(rate, &cents(tax.percentage()));
            sink.attribute("Importe", &cents(tax.amount));
            sink.close(element);
        }
    }
    sink.close("implocal:ImpuestosLocales");
}
