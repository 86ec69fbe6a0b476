//! The walk over an address, which foreign trade and Carta Porte state alike.

use super::Sink;
use crate::complements::Address;

/// The address as the element of that name.
pub(super) fn walk(element: &'static str, address: &Address, sink: &mut impl Sink) {
    sink.open(element);
    sink.optional("Calle", address.street.as_deref());
    sink.optional("NumeroExterior", address.exterior_number.as_deref());
    sink.optional("NumeroInterior", address.interior_number.as_deref());
    sink.optional("Colonia", address.neighborhood.as_deref());
    sink.optional("Localidad", address.locality.as_deref());
    sink.optional("Referencia", address.reference.as_deref());
    sink.optional("Municipio", address.municipality.as_deref());
    sink.attribute("Estado", &address.state);
    sink.attribute("Pais", &address.country);
    sink.attribute("CodigoPostal", &address.zip);
    sink.close(element);
}
