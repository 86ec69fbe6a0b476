//! The walk over ships, planes and trains.

use kernel::Amount;

use super::{
    Sink,
    transport::{TrailerNames, trailers},
};
use crate::{
    complements::carta_porte::{
        AirTransport, Policy, RailCar, RailTransport, SeaTransport, Ship, ShipContainer,
    },
    decimal::digits,
    document::local_time,
};

/// Decimals of weights and tonnages.
const GRAMS: u32 = 3;

const FERRIED_TRAILERS: TrailerNames =
    ["cartaporte31:RemolquesCCP", "cartaporte31:RemolqueCCP", "SubTipoRemCCP", "PlacaCCP"];

pub(super) fn sea(sea: &SeaTransport, sink: &mut impl Sink) {
    sink.open("cartaporte31:TransporteMaritimo");
    sink.optional("PermSCT", sea.permit_type.as_deref());
    sink.optional("NumPermisoSCT", sea.permit_number.as_deref());
    insurance(sea.insurance.as_ref(), sink);
    ship(sea, sink);
    sink.optional("LineaNaviera", sea.shipping_line.as_deref());
    sink.attribute("NombreAgenteNaviero", &sea.agent_name);
    sink.attribute("NumAutorizacionNaviero", &sea.agent_authorization);
    sink.optional("NumViaje", sea.voyage_number.as_deref());
    sink.optional("NumConocEmbarc", sea.bill_of_lading.as_deref());
    sink.optional("PermisoTempNavegacion", sea.temporary_permit.as_deref());
    for container in &sea.containers {
        ship_container(container, sink);
    }
    sink.close("cartaporte31:TransporteMaritimo");
}

fn ship(sea: &SeaTransport, sink: &mut impl Sink) {
    let Ship { kind, registration, imo_number, year, name, flag, gross_tonnage, .. } = &sea.ship;
    sink.attribute("TipoEmbarcacion", kind);
    sink.attribute("Matricula", registration);
    sink.attribute("NumeroOMI", imo_number);
    sink.optional("AnioEmbarcacion", year.map(|year| year.to_string()).as_deref());
    sink.optional("NombreEmbarc", name.as_deref());
    sink.attribute("NacionalidadEmbarc", flag);
    sink.attribute("UnidadesDeArqBruto", &digits(*gross_tonnage, GRAMS));
    sink.attribute("TipoCarga", &sea.cargo_type);
    let mut feet = |name, feet: Option<Amount>| {
        sink.optional(name, feet.map(|feet| digits(feet, 2)).as_deref());
    };
    feet("Eslora", sea.ship.length);
    feet("Manga", sea.ship.beam);
    feet("Calado", sea.ship.draft);
    feet("Puntal", sea.ship.depth);
}

fn ship_container(container: &ShipContainer, sink: &mut impl Sink) {
    let ShipContainer { kind, registration, seal, truck } = container;
    let truck = truck.as_ref();
    let stamped_at = truck.map(|truck| local_time::to_text(truck.stamped_at));
    sink.open("cartaporte31:Contenedor");
    sink.attribute("TipoContenedor", kind);
    sink.optional("MatriculaContenedor", registration.as_deref());
    sink.optional("NumPrecinto", seal.as_deref());
    sink.optional("IdCCPRelacionado", truck.map(|truck| truck.carta_porte_id.as_str()));
    sink.optional("PlacaVMCCP", truck.map(|truck| truck.plate.as_str()));
    sink.optional("FechaCertificacionCCP", stamped_at.as_deref());
    if let Some(truck) = truck {
        trailers(&truck.trailers, FERRIED_TRAILERS, sink);
    }
    sink.close("cartaporte31:Contenedor");
}

pub(super) fn air(air: &AirTransport, sink: &mut impl Sink) {
    let shipper = air.shipper.as_ref();
    sink.open("cartaporte31:TransporteAereo");
    sink.attribute("PermSCT", &air.permit_type);
    sink.attribute("NumPermisoSCT", &air.permit_number);
    sink.optional("MatriculaAeronave", air.aircraft_registration.as_deref());
    insurance(air.insurance.as_ref(), sink);
    sink.attribute("NumeroGuia", &air.waybill_number);
    sink.optional("LugarContrato", air.contract_place.as_deref());
    sink.attribute("CodigoTransportista", &air.carrier);
    sink.optional("RFCEmbarcador", shipper.map(|who| who.rfc.as_str()));
    sink.optional("NumRegIdTribEmbarc", shipper.and_then(|who| who.foreign_tax_id.as_deref()));
    sink.optional("ResidenciaFiscalEmbarc", shipper.and_then(|who| who.tax_residence.as_deref()));
    sink.optional("NombreEmbarcador", shipper.and_then(|who| who.name.as_deref()));
    sink.close("cartaporte31:TransporteAereo");
}

pub(super) fn rail(rail: &RailTransport, sink: &mut impl Sink) {
    sink.open("cartaporte31:TransporteFerroviario");
    sink.attribute("TipoDeServicio", &rail.service);
    sink.attribute("TipoDeTrafico", &rail.traffic);
    insurance(rail.insurance.as_ref(), sink);
    for right in &rail.track_rights {
        sink.open("cartaporte31:DerechosDePaso");
        sink.attribute("TipoDerechoDePaso", &right.kind);
        sink.attribute("KilometrajePagado", &digits(right.paid_km, 2));
        sink.close("cartaporte31:DerechosDePaso");
    }
    for each in &rail.cars {
        car(each, sink);
    }
    sink.close("cartaporte31:TransporteFerroviario");
}

fn car(car: &RailCar, sink: &mut impl Sink) {
    sink.open("cartaporte31:Carro");
    sink.attribute("TipoCarro", &car.kind);
    sink.attribute("MatriculaCarro", &car.registration);
    sink.attribute("GuiaCarro", &car.waybill_number);
    sink.attribute("ToneladasNetasCarro", &digits(car.net_tons, GRAMS));
    for container in &car.containers {
        sink.open("cartaporte31:Contenedor");
        sink.attribute("TipoContenedor", &container.kind);
        sink.attribute("PesoContenedorVacio", &digits(container.empty_weight_kg, GRAMS));
        sink.attribute("PesoNetoMercancia", &digits(container.net_weight_kg, GRAMS));
        sink.close("cartaporte31:Contenedor");
    }
    sink.close("cartaporte31:Carro");
}

fn insurance(policy: Option<&Policy>, sink: &mut impl Sink) {
    sink.optional("NombreAseg", policy.map(|policy| policy.insurer.as_str()));
    sink.optional("NumPolizaSeguro", policy.map(|policy| policy.number.as_str()));
}
