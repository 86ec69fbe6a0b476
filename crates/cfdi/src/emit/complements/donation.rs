//! The walk over the authorization to receive donations (Donatarias 1.1).

use super::{Schema, Sink};
use crate::{complements::Donation, document::day};

pub(super) const SCHEMA: Schema = Schema {
    declaration: "xmlns:donat",
    namespace: "http://www.sat.gob.mx/donat",
    location: "http://www.sat.gob.mx/sitio_internet/cfd/donat/donat11.xsd",
};

pub(super) fn walk(donation: &Donation, sink: &mut impl Sink) {
    sink.open("donat:Donatarias");
    sink.attribute("version", "1.1");
    sink.attribute("noAutorizacion", &donation.authorization_number);
    sink.attribute("fechaAutorizacion", &day::to_text(donation.authorized_on));
    sink.attribute("leyenda", &donation.legend);
    sink.close("donat:Donatarias");
}
