use super::*;

#[test]
fn complements_stand_below_the_items() {
    let (mut document, stamp) = (samples::invoice(1), samples::stamp());
    document.complements = samples::complements();
    let text = text(&sheet(&document, &stamp));
    let expected = [
        "LEYENDAS FISCALES ISR · 27: Efectos fiscales al pago",
        "Núm. de autorización 600-04-2019-1234",
        "Fecha de autorización 2019-01-31",
        "Tipo de proceso Campaña",
        "Entidad JAL · ámbito local · contabilidad 12345, 67890",
    ];
    assert_holds(&text, &expected);
}

#[test]
fn what_leaves_the_country_is_on_the_sheet() {
    let (document, stamp) = (trades::export(), samples::stamp());
    let spanish = text(&sheet(&document, &stamp));
    let expected = [
        "Clave de pedimento A1",
        "Incoterm FOB",
        "Total en USD 12,000.00",
        "Domicilio del emisor Paseo de la Reforma · núm. 10 · int. B · col. 0347",
        "Mercancía AGU-11",
        "Fracción arancelaria 0804400100",
        "Marca y modelo Hass · 48 · Premium · L-7",
    ];
    assert_holds(&spanish, &expected);
    let english = text(&Sheet { language: Language::English, ..sheet(&document, &stamp) });
    assert_holds(&english, &["Total in USD 12,000.00", "Tariff code 0804400100"]);
}

#[test]
fn what_is_on_the_road_is_on_the_sheet_with_its_code() {
    let (document, stamp) = (trades::journey(), samples::stamp());
    let sheet = sheet(&document, &stamp);
    let expected = [
        "IdCCP CCC2822E-396D-4725-8521-CDC4BDD20CCF",
        "Transporte Internacional · Salida · USA · vía 01 · regímenes EXD",
        "Distancia total (km) 905.5",
        "Origen OR000001 · EKU9003173C9",
        "Material peligroso Sí · 1203 · Z01 · Autotanque",
        "Cantidad transportada 20,000 · OR000001 a DE000001",
        "Vehículo T3S2R4 · ABC1234 · 2024 · 31 t",
        "Figura del transporte 01 · XOCHILT CASAS CHAVEZ · CACX7605101P8",
    ];
    assert_holds(&text(&sheet), &expected);
    let codes = pages(&sheet).into_iter().flatten().filter_map(|op| match op {
        Op::Qr { text, .. } => Some(text),
        _ => None,
    });
    let codes: Vec<String> = codes.collect();
    let url = "https://verificacfdi.facturaelectronica.sat.gob.mx/verificaccp/default.aspx\
               ?IdCCP=CCC2822E-396D-4725-8521-CDC4BDD20CCF&FechaOrig=2026-08-14T08:00:00&FechaTimb=";
    assert!(codes.iter().any(|code| code.starts_with(url)), "{codes:?}");
    let draft = Sheet { stamp: None, ..sheet };
    let has_code = |op: &Op| matches!(op, Op::Qr { .. });
    assert!(!pages(&draft).iter().flatten().any(has_code));
}
