//! The walk over goods on the way (Carta Porte 3.1).

mod goods;
mod modes;
mod places;
mod transport;

use kernel::Amount;

use super::{Schema, Sink, address};
use crate::{complements::CartaPorte, decimal::digits};

pub(super) const SCHEMA: Schema = Schema {
    declaration: "xmlns:cartaporte31",
    namespace: "http://www.sat.gob.mx/CartaPorte31",
    location: "http://www.sat.gob.mx/sitio_internet/cfd/CartaPorte/CartaPorte31.xsd",
};

/// How SAT writes what is so.
const YES: &str = "Sí";
/// How SAT writes what is not so.
const NO: &str = "No";

pub(super) fn walk(carta: &CartaPorte, sink: &mut impl Sink) {
    sink.open("cartaporte31:CartaPorte");
    head(carta, sink);
    if let Some(international) = &carta.international {
        sink.open("cartaporte31:RegimenesAduaneros");
        for regime in &international.customs_regimes {
            sink.open("cartaporte31:RegimenAduaneroCCP");
            sink.attribute("RegimenAduanero", regime);
            sink.close("cartaporte31:RegimenAduaneroCCP");
        }
        sink.close("cartaporte31:RegimenesAduaneros");
    }
    sink.open("cartaporte31:Ubicaciones");
    for location in &carta.locations {
        places::location(location, sink);
    }
    sink.close("cartaporte31:Ubicaciones");
    goods::walk(carta, sink);
    if !carta.figures.is_empty() {
        sink.open("cartaporte31:FiguraTransporte");
        for figure in &carta.figures {
            transport::figure(figure, sink);
        }
        sink.close("cartaporte31:FiguraTransporte");
    }
    sink.close("cartaporte31:CartaPorte");
}

fn head(carta: &CartaPorte, sink: &mut impl Sink) {
    let international = carta.international.as_ref();
    let isthmus = carta.isthmus.as_ref();
    sink.attribute("Version", "3.1");
    sink.optional("IdCCP", carta.folio().as_deref());
    sink.attribute("TranspInternac", yes_or_no(international.is_some()));
    sink.optional("EntradaSalidaMerc", international.map(|it| it.direction.spanish()));
    sink.optional("PaisOrigenDestino", international.map(|it| it.country.as_str()));
    sink.optional("ViaEntradaSalida", international.map(|it| it.via.as_str()));
    let distance = Some(carta.total_distance_km()).filter(|km| *km != Amount::ZERO);
    sink.optional("TotalDistRec", distance.map(|km| digits(km, 0)).as_deref());
    sink.optional("RegistroISTMO", isthmus.map(|_| YES));
    sink.optional("UbicacionPoloOrigen", isthmus.map(|it| it.origin.as_str()));
    sink.optional("UbicacionPoloDestino", isthmus.map(|it| it.destination.as_str()));
}

const fn yes_or_no(so: bool) -> &'static str {
    if so { YES } else { NO }
}

#[cfg(test)]
mod tests {
    use crate::{complements::carta_porte::samples, emit::xml::Xml};

    #[test]
    fn what_follows_from_the_rest_is_stated() {
        for (carta, stated) in [
            (
                samples::national(),
                [
                    r#"IdCCP="CCC2822E-396D-4725-8521-CDC4BDD20CCF""#,
                    r#"TranspInternac="No" TotalDistRec="905.5">"#,
                    r#"PesoBrutoTotal="4.250" UnidadPeso="KGM" NumTotalMercancias="1">"#,
                ],
            ),
            (
                samples::international(),
                [
                    r#"TranspInternac="Sí" EntradaSalidaMerc="Entrada""#,
                    r#"RegistroISTMO="Sí" UbicacionPoloOrigen="01" UbicacionPoloDestino="05">"#,
                    r#"PesoBrutoTotal="31.500" UnidadPeso="TNE" NumTotalMercancias="2""#,
                ],
            ),
            (
                samples::by_sea(),
                [
                    r#"TranspInternac="No">"#,
                    r#"NumEstacion="PM005" NombreEstacion="Ensenada" NavegacionTrafico="Cabotaje""#,
                    r#"PesoBruto="4.250" PesoNeto="4.000" PesoTara="0.250" NumPiezas="2""#,
                ],
            ),
            (
                samples::by_air(),
                [
                    r#"NumTotalMercancias="1" CargoPorTasacion="150.50">"#,
                    r#"NumeroGuia="139-12345675" LugarContrato="Ciudad de México""#,
                    r#"RFCEmbarcador="XEXX010101000" NumRegIdTribEmbarc="123456789""#,
                ],
            ),
            (
                samples::by_rail(),
                [
                    r#"TranspInternac="No" TotalDistRec="905.5">"#,
                    r#"BienesTransp="43211503" ClaveSTCC="357123" Descripcion="#,
                    r#"TipoDerechoDePaso="CDP003" KilometrajePagado="12.50""#,
                ],
            ),
        ] {
            let mut sink = Xml::new();
            super::walk(&carta, &mut sink);
            let xml = sink.finish();
            for text in stated {
                assert!(xml.contains(text), "no {text} in {xml}");
            }
        }
    }
}
