use cfdi::stamp::withholding_verification_url;
use cfdi::withholding::Withholding;

use super::{
    english::{ENGLISH, fragments, has_words},
    *,
};
use crate::texts;

fn sheet<'a>(withholding: &'a Withholding, stamp: &'a Stamp) -> WithholdingSheet<'a> {
    WithholdingSheet {
        withholding,
        stamp: Some(stamp),
        certificate_number: Some("30001000000500003416"),
        sandbox: false,
        cancelled: false,
        logo: None,
        look: &LOOK,
        language: Language::Spanish,
    }
}

fn pages(sheet: &WithholdingSheet<'_>) -> Vec<Vec<Op>> {
    layout::withholding_pages(sheet, None)
}

/// All text of a sheet, lines joined by a space.
fn text(sheet: &WithholdingSheet<'_>) -> String {
    pages(sheet).iter().map(|page| lines(page).join(" ")).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_withholding_keeps_within_its_pages() {
    let stamp = samples::stamp();
    for (name, withholding) in withholdings::all() {
        let sheet = sheet(&withholding, &stamp);
        for (logo, marked) in [(None, false), (Some((240, 100)), true), (Some((90, 100)), false)] {
            let sheet = WithholdingSheet { sandbox: marked, cancelled: marked, ..sheet };
            let pages = layout::withholding_pages(&sheet, logo);
            assert_within_the_page(&pages);
            assert!(pages.len() < 20, "{name}");
        }
    }
}

#[test]
fn a_withholding_shows_all_that_it_says() {
    let (withholding, stamp) = (withholdings::fees(), samples::stamp());
    let expected = [
        "CONSTANCIA DE RETENCIONES",
        "Folio interno: R1024",
        "ESCUELA KEMPER URGATE",
        "RFC: EKU9003173C9",
        "601 General de Ley Personas Morales",
        "Lugar de expedición (C.P.): 06600",
        "2026-08-03 11:30:00",
        "30001000000500003416",
        "XOCHILT CASAS CHAVEZ",
        "RFC CACX7605101P8",
        "CURP CACX760510MGTSHC04",
        "C.P. 64000",
        "Nacionalidad Nacional",
        "Retención 01 Servicios profesionales",
        "Mes inicial 07 Julio",
        "Mes final 08 Agosto",
        "Ejercicio 2026",
        "MXN Peso Mexicano",
        "001 ISR 04 Pago provisional ISR 10,000.00 1,000.00",
        "002 IVA 01 Pago definitivo IVA 1,600.00 1,066.67",
        "Monto total de la operación 10,000.00",
        "Monto gravado 10,000.00",
        "Monto exento 0.00",
        "TOTAL RETENIDO MXN 2,066.67",
        "DOS MIL SESENTA Y SEIS PESOS 67/100 M.N.",
        "Página 1 de 1",
        "representación impresa de un CFDI de retenciones e información de pagos.",
    ];
    assert_holds(&text(&sheet(&withholding, &stamp)), &expected);
}

#[test]
fn its_stamp_is_there_in_full() {
    for withholding in [withholdings::fees(), withholdings::abroad()] {
        let stamp = samples::stamp();
        let sheet = sheet(&withholding, &stamp);
        let together = text(&sheet).replace(' ', "");
        let parts = [&stamp.uuid, &stamp.issuer_seal, &stamp.seal, &stamp.cadena()];
        assert_holds(&together, &parts.map(String::as_str));
        let code = pages(&sheet).concat().into_iter().find_map(|op| match op {
            Op::Qr { text, .. } => Some(text),
            _ => None,
        });
        assert_eq!(code.unwrap(), withholding_verification_url(&withholding, &stamp));
    }
}

#[test]
fn what_some_kinds_state_beside_it_is_shown() {
    let stamp = samples::stamp();
    for (withholding, expected) in [
        (
            withholdings::fees_abroad(),
            &[
                "COMPLEMENTO PAGOS A EXTRANJEROS",
                "Reg. id. tributaria 123456789",
                "Nacionalidad Extranjero",
                "Beneficiario efectivo del cobro Sí",
                "XOCHILT CASAS CHAVEZ · CACX7605101P8 · CACX760510MGTSHC04",
                "2 Otras personas físicas",
                "Asesoría en comercio electrónico",
            ][..],
        ),
        (
            withholdings::abroad(),
            &[
                "Beneficiario efectivo del cobro No",
                "País de residencia US ESTADOS UNIDOS",
                "3 Persona moral",
            ],
        ),
        (
            withholdings::others(),
            &[
                "Descripción Retención del impuesto cedular",
                "Relación: 04",
                "5FB2822E-396D-4725-8521-CDC4BDD20CCF",
                "03 Pago definitivo ISR 100.00",
            ],
        ),
        (
            withholdings::dividends(),
            &[
                "06 Proviene de CUFIN al 31 de diciembre 2013",
                "Sociedad que distribuye Sociedad Nacional",
                "ISR acreditable retenido en México 100.00",
                "ISR acreditable retenido en el extranjero 0.00",
                "Retención en el extranjero sobre dividendos 12.35",
                "ISR acreditable nacional 428.57",
                "Dividendo acumulable nacional 1,428.57",
                "Dividendo acumulable extranjero 77.00",
                "Proporción del remanente 33.3333 %",
            ],
        ),
        (
            withholdings::interest(),
            &[
                "Del sistema financiero Sí",
                "Retirados en el periodo No",
                "De operaciones financieras derivadas No",
                "Interés nominal 1,250.50",
                "Interés real -12.50",
                "Pérdida 0.31",
            ],
        ),
        (
            withholdings::trust_lease(),
            &[
                "Pago efectuado por el fiduciario 900.00",
                "Rendimientos del fideicomiso 1,250.50",
                "Deducciones correspondientes 250.51",
                "Monto total retenido 101.00",
                "Resultado fiscal distribuido por FIBRAS 333.00",
                "5.00 · Reembolso de capital",
            ],
        ),
        (withholdings::share_sale(), &["Contrato 123 «A»", "Ganancia 1,001.00", "Pérdida 17.00"]),
        (
            withholdings::prize(),
            &["09 CIUDAD DE MEXICO", "Monto total del pago 1,250.52", "Monto gravado 1,000.01"],
        ),
        (
            withholdings::platform(2),
            &[
                "Periodicidad 02 Mensual",
                "Número de servicios 2",
                "Total de los servicios sin IVA 1,100.12",
                "Total de IVA trasladado 160.00",
                "Total de IVA retenido 80.00",
                "Total de ISR retenido 44.00",
                "Diferencia de IVA entregada al prestador 80.00",
                "Total por uso de la plataforma 155.00",
                "Total de contribuciones gubernamentales 30.00",
                "2026-07-12",
                "04 Hospedaje",
                "03 Tarjeta de crédito",
                "Tercero autorizado CACX7605101P8",
                "IVA 16 %",
                "23 QUINTANA ROO",
                "15.5 %",
                "04 Cancelación",
                "100.123456",
            ],
        ),
        (
            withholdings::incorporation(),
            &["Utilidad bimestral 5,000.00", "ISR correspondiente 95.51"],
        ),
    ] {
        let text = text(&sheet(&withholding, &stamp)).replace(crate::text::TIE, " ");
        assert_holds(&text, expected);
    }
}

#[test]
fn one_that_only_informs_of_payments_has_no_table() {
    let (withholding, stamp) = (withholdings::fees(), samples::stamp());
    let withholding = Withholding { taxes: Vec::new(), ..withholding };
    let text = text(&sheet(&withholding, &stamp));
    assert!(!text.contains("Monto retenido"));
    assert_holds(&text, &["Monto total de la operación 10,000.00"]);
}

#[test]
fn marks_are_on_every_page() {
    let (withholding, stamp) = (withholdings::platform(200), samples::stamp());
    let plain = sheet(&withholding, &stamp);
    for (sheet, mark, watermark) in [
        (WithholdingSheet { cancelled: true, ..plain }, "CANCELADO", "CANCELADO"),
        (WithholdingSheet { stamp: None, ..plain }, "BORRADOR – SIN VALIDEZ FISCAL", "BORRADOR"),
        (WithholdingSheet { sandbox: true, ..plain }, "SANDBOX – SIN VALOR FISCAL", "SANDBOX"),
    ] {
        let pages = pages(&sheet);
        assert!(pages.len() > 2);
        for page in pages {
            assert_holds(&lines(&page).join(" "), &[mark]);
            let is_mark = |op: &Op| matches!(op, Op::Watermark { text, .. } if *text == watermark);
            assert!(page.iter().any(is_mark), "{watermark}");
        }
    }
}

/// What samples and catalogs say in the words of a label.
const OF_OTHERS: [&str; 3] =
    ["Retención del impuesto cedular", "Sociedad Nacional", "CFDI de retenciones e información"];

#[test]
fn no_label_of_a_withholding_is_left_in_spanish() {
    let stamp = samples::stamp();
    for (name, withholding) in withholdings::all() {
        let plain = WithholdingSheet { language: ENGLISH, ..sheet(&withholding, &stamp) };
        let draft = WithholdingSheet { stamp: None, sandbox: true, cancelled: true, ..plain };
        for sheet in [plain, draft] {
            let text = OF_OTHERS.iter().fold(text(&sheet), |text, own| text.replace(own, ""));
            for label in texts::EVERY {
                let (english, spanish) = (label.text(ENGLISH), label.text(Language::Spanish));
                for words in fragments(spanish).filter(|words| !english.contains(words)) {
                    assert!(!has_words(&text, words), "{name}: {words} is in {text}");
                }
            }
        }
    }
    let (withholding, stamp) = (withholdings::fees_abroad(), samples::stamp());
    let sheet = WithholdingSheet { language: ENGLISH, ..sheet(&withholding, &stamp) };
    let expected = [
        "WITHHOLDING CERTIFICATE Internal folio: R1024",
        "Foreign tax ID 123456789",
        "TOTAL WITHHELD MXN 100.00",
        "ONE HUNDRED MEXICAN PESOS 00/100 MXN",
        "PAYMENTS ABROAD COMPLEMENT",
        "Este documento es una representación impresa de un CFDI de retenciones",
        "(Mexican withholding certificate)",
    ];
    assert_holds(&text(&sheet), &expected);
}

#[test]
fn the_same_sheet_gives_the_same_bytes() {
    let (withholding, stamp) = (withholdings::platform(2), samples::stamp());
    let sheet = WithholdingSheet { logo: Some(PNG), ..sheet(&withholding, &stamp) };
    let first = withholding_pdf(&sheet).unwrap();
    assert!(first.starts_with(b"%PDF-"));
    assert_eq!(withholding_pdf(&sheet).unwrap(), first);
    let text = String::from_utf8_lossy(&first);
    assert!(text.contains("es-MX") && text.contains("Constancia de retenciones"));
}
