//! The walk over the truck and over who takes part.

use super::{Sink, places};
use crate::{
    complements::carta_porte::{Figure, Insurance, RoadTransport, Trailer},
    decimal::digits,
};

pub(super) fn road(road: &RoadTransport, sink: &mut impl Sink) {
    let vehicle = &road.vehicle;
    sink.open("cartaporte31:Autotransporte");
    sink.attribute("PermSCT", &road.permit_type);
    sink.attribute("NumPermisoSCT", &road.permit_number);
    sink.open("cartaporte31:IdentificacionVehicular");
    sink.attribute("ConfigVehicular", &vehicle.configuration);
    sink.attribute("PesoBrutoVehicular", &digits(vehicle.gross_weight_tons, 2));
    sink.attribute("PlacaVM", &vehicle.plate);
    sink.attribute("AnioModeloVM", &vehicle.model_year.to_string());
    sink.close("cartaporte31:IdentificacionVehicular");
    insurance(&road.insurance, sink);
    trailers(&road.trailers, TRAILERS, sink);
    sink.close("cartaporte31:Autotransporte");
}

/// What the trailers of a truck are called: all of them, each, its kind and its plate.
pub(super) type TrailerNames = [&'static str; 4];

const TRAILERS: TrailerNames =
    ["cartaporte31:Remolques", "cartaporte31:Remolque", "SubTipoRem", "Placa"];

pub(super) fn trailers(
    trailers: &[Trailer],
    [all, each, subtype, plate]: TrailerNames,
    sink: &mut impl Sink,
) {
    if trailers.is_empty() {
        return;
    }
    sink.open(all);
    for trailer in trailers {
        sink.open(each);
        sink.attribute(subtype, &trailer.subtype);
        sink.attribute(plate, &trailer.plate);
        sink.close(each);
    }
    sink.close(all);
}

fn insurance(insurance: &Insurance, sink: &mut impl Sink) {
    let Insurance { liability, environment, cargo, premium } = insurance;
    sink.open("cartaporte31:Seguros");
    sink.attribute("AseguraRespCivil", &liability.insurer);
    sink.attribute("PolizaRespCivil", &liability.number);
    if let Some(policy) = environment {
        sink.attribute("AseguraMedAmbiente", &policy.insurer);
        sink.attribute("PolizaMedAmbiente", &policy.number);
    }
    if let Some(policy) = cargo {
        sink.attribute("AseguraCarga", &policy.insurer);
        sink.attribute("PolizaCarga", &policy.number);
    }
    sink.optional("PrimaSeguro", premium.map(|premium| digits(premium, 2)).as_deref());
    sink.close("cartaporte31:Seguros");
}

pub(super) fn figure(figure: &Figure, sink: &mut impl Sink) {
    sink.open("cartaporte31:TiposFigura");
    sink.attribute("TipoFigura", &figure.figure_type);
    sink.optional("RFCFigura", figure.rfc.as_deref());
    sink.optional("NumLicencia", figure.license.as_deref());
    sink.attribute("NombreFigura", &figure.name);
    sink.optional("NumRegIdTribFigura", figure.foreign_tax_id.as_deref());
    sink.optional("ResidenciaFiscalFigura", figure.tax_residence.as_deref());
    for part in &figure.parts {
        sink.open("cartaporte31:PartesTransporte");
        sink.attribute("ParteTransporte", part);
        sink.close("cartaporte31:PartesTransporte");
    }
    if let Some(address) = &figure.address {
        places::address(address, sink);
    }
    sink.close("cartaporte31:TiposFigura");
}
