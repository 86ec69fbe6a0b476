//! The walk over places and addresses.

use super::Sink;
use crate::{
    complements::{
        Address,
        carta_porte::{Location, Navigation, Station},
    },
    decimal::digits,
    document::local_time,
};

pub(super) fn location(location: &Location, sink: &mut impl Sink) {
    let distance = location.distance_km.map(|distance| digits(distance, 0));
    sink.open("cartaporte31:Ubicacion");
    sink.attribute("TipoUbicacion", location.kind.spanish());
    sink.optional("IDUbicacion", location.code.as_deref());
    sink.attribute("RFCRemitenteDestinatario", &location.rfc);
    sink.optional("NombreRemitenteDestinatario", location.name.as_deref());
    sink.optional("NumRegIdTrib", location.foreign_tax_id.as_deref());
    sink.optional("ResidenciaFiscal", location.tax_residence.as_deref());
    let station = location.station.as_ref();
    let navigation = station.and_then(|station| station.navigation);
    sink.optional("NumEstacion", station.map(|station| station.code.as_str()));
    sink.optional("NombreEstacion", station.and_then(Station::title));
    sink.optional("NavegacionTrafico", navigation.map(Navigation::spanish));
    sink.attribute("FechaHoraSalidaLlegada", &local_time::to_text(location.at));
    let station_type = station.and_then(|station| station.station_type.as_deref());
    sink.optional("TipoEstacion", station_type);
    sink.optional("DistanciaRecorrida", distance.as_deref());
    if let Some(address) = &location.address {
        self::address(address, sink);
    }
    sink.close("cartaporte31:Ubicacion");
}

pub(super) fn address(address: &Address, sink: &mut impl Sink) {
    super::address::walk("cartaporte31:Domicilio", address, sink);
}
