use cfdi::{
    decimal,
    document::Part,
    local_taxes::LocalTax,
    tax::{ItemTax, Tax, TaxRate},
    totals::Totals,
};
use kernel::Amount;

use super::*;

#[test]
fn an_invoice_shows_all_that_it_says() {
    let (document, stamp) = (samples::rich(), samples::stamp());
    let text = text(&sheet(&document, &stamp));
    assert_holds(
        &text,
        &[
            "FACTURA",
            "Serie y folio: A-1024",
            "ESCUELA KEMPER URGATE",
            "RFC: EKU9003173C9",
            "601 General de Ley Personas Morales",
            "Lugar de expedición (C.P.): 06600",
            "30001000000500003416",
            "CÉSAR OSBALDO CRUZ SOLÓRZANO MUÑOZ",
            "CUSC850516316",
            "612 Personas Físicas con Actividades",
            "C.P. 45638",
            "G03 Gastos en general",
            "I Ingreso",
            "03 Transferencia electrónica de fondos",
            "PUE Pago en una sola exhibición",
            "MXN Peso Mexicano",
            "01 No aplica",
            "ECVH1",
            "2026-08-14 12:05:07",
            "50202201",
            "H87",
            "Pieza",
            "(Ejemplar)",
            "02 Sí objeto de impuesto",
            "Traslado 003 IEPS Tasa 26.5 %, base 516.00, importe 136.74",
            "Traslado 002 IVA Exento, base 540.00",
            "Retención 001 ISR Tasa 10 %",
            "ADRIANA JUÁREZ FERNÁNDEZ",
            "RFC JUFA7608212V6",
            "621 Incorporación Fiscal",
            "24 48 3009 4001234",
            "Cuenta predial 0123456789",
            "Subtotal 25,367.53",
            "Descuento 250.00",
            "IVA retenido 1,973.34",
            "TOTAL MXN 25,685.22",
            "VEINTICINCO MIL SEISCIENTOS OCHENTA Y CINCO PESOS 22/100 M.N.",
            "Total de impuestos trasladados 4,391.03",
        ],
    );
}

#[test]
fn the_stamp_is_there_in_full() {
    let (document, stamp) = (samples::invoice(1), samples::stamp());
    let sheet = sheet(&document, &stamp);
    let text = text(&sheet);
    assert_holds(
        &text,
        &[
            &stamp.uuid,
            "2026-08-14 12:07:31",
            "30001000000500003456",
            "SPR190613I52",
            "Este documento es una representación impresa de un CFDI",
            "Página 1 de 1",
        ],
    );
    let together = text.replace(' ', "");
    assert_holds(&together, &[&stamp.issuer_seal, &stamp.seal, &stamp.cadena()]);
    let code = pages(&sheet).concat().into_iter().find_map(|op| match op {
        Op::Qr { area, text } => Some((area, text)),
        _ => None,
    });
    let (area, url) = code.unwrap();
    assert_eq!(url, cfdi::stamp::verification_url(&document, &stamp));
    let centimetres = area.width / 72.0 * 2.54;
    assert!(centimetres >= 2.75 && area.width == area.height, "{centimetres}");
}

#[test]
fn a_payment_receipt_shows_what_was_paid() {
    let (document, stamp) = (samples::payments(5), samples::stamp());
    let text = text(&sheet(&document, &stamp));
    assert_holds(
        &text,
        &[
            "RECIBO DE PAGO",
            "P Pago",
            "CP01 Pagos",
            "PAGO 1 DE 2",
            "2026-08-12 12:00:00",
            "29,000.00 MXN",
            "2026081200451278",
            "002180012345678901",
            "BBA830831LJ2",
            "2F6D91C4-1B7F-4C55-9E0E-6A1D2C3B4A59",
            "Serie y folio A-1005",
            "13,920.00",
            "8,120.00",
            "Traslado 002 IVA Tasa 16 %, base 25,000.00, importe 4,000.00",
            "18.7024",
            "310.12 USD",
            "Equivalencia 18.7024377661",
            "IVA al 16 % 4,800.00",
            "TOTAL DE PAGOS MXN 34,799.99",
            "TREINTA Y CUATRO MIL SETECIENTOS NOVENTA Y NUEVE PESOS",
        ],
    );
}

#[test]
fn a_payment_receipt_sums_what_is_withheld_as_the_complement_does() {
    let (mut document, stamp) = (samples::payments(1), samples::stamp());
    let hundred = Amount::from_micros(100_000_000);
    for micros in [100_000, 12_500] {
        let rate = TaxRate { tax: Tax::Isr, withheld: true, ..TaxRate::iva(micros) };
        let taxes = &mut document.payments[0].documents[0].taxes;
        taxes.push(ItemTax { rate, base: hundred, amount: rate.of(hundred) });
    }
    let text = text(&sheet(&document, &stamp));
    assert_holds(&text, &["Retención 001 ISR Tasa 1.25 %", "Retención 001 ISR, importe 11.25"]);
}

#[test]
fn parts_show_their_key_and_price() {
    let (mut document, stamp) = (samples::rich(), samples::stamp());
    document.items[0].parts = vec![Part {
        sat_product_key: "43211706".to_owned(),
        sku: None,
        quantity: Amount::from_micros(1_500_000),
        unit: Some("Pieza".to_owned()),
        description: "Teclado".to_owned(),
        unit_price: Some(Amount::from_micros(12_345_678)),
        customs: Vec::new(),
    }];
    let text = text(&sheet(&document, &stamp));
    assert_holds(
        &text,
        &["Parte (1.5): Teclado", "43211706", "Valor unitario 12.345678", "18.518517"],
    );
}

#[test]
fn other_documents_show_what_only_they_have() {
    let stamp = samples::stamp();
    let of = |document: &Document| text(&sheet(document, &stamp));
    let uuid = "3F2504E0-4F89-41D3-9A0C-0305E82C3301";
    let credit = ["NOTA DE CRÉDITO", "E Egreso", "01 Nota de crédito", uuid];
    assert_holds(&of(&samples::credit_note()), &credit);
    let global = ["PUBLICO EN GENERAL", "04 Mensual", "08 Agosto", "Año 2026", "T-20260801"];
    assert_holds(&of(&samples::global()), &global);
    let foreign = ["USD Dólar americano", "18.7654", "USA Estados Unidos", "121585958"];
    assert_holds(&of(&samples::foreign()), &foreign);
    let foreign = ["UN MILLÓN DE DÓLARES 00/100 USD", "02 Definitiva", "TOTAL USD 1,000,000.00"];
    assert_holds(&of(&samples::foreign()), &foreign);
    assert_holds(&of(&samples::transfer()), &["TRASLADO", "T Traslado", "XXX", "0.00 y 0.00"]);
}

#[test]
fn the_sums_shown_are_those_of_the_document() {
    let (document, stamp) = (samples::invoice(40), samples::stamp());
    let totals = Totals::of(&document);
    let text = text(&sheet(&document, &stamp));
    let total = format!("TOTAL MXN {}", figures::money(totals.total, 2));
    let of_items = decimal::sum(document.items.iter().map(|item| item.amount)).rounded(2);
    assert_holds(&text, &[&total, &format!("Subtotal {}", figures::money(of_items, 2))]);
}

#[test]
fn local_taxes_stand_among_the_sums() {
    let (mut document, stamp) = (samples::invoice(1), samples::stamp());
    let sub_total = Totals::of(&document).sub_total;
    let tax = |name: &str, micros, withheld| {
        LocalTax::on(sub_total, name.to_owned(), Amount::from_micros(micros), withheld, 2)
    };
    document.local_taxes = vec![tax("ISH", 30_000, false), tax("5 al millar", 5_000, true)];
    let text = text(&sheet(&document, &stamp));
    let money = |index: usize| figures::money(document.local_taxes[index].amount, 2);
    let charged = format!("ISH 3 % (local) {}", money(0));
    let withheld = format!("5 al millar 0.5 % (local) retenido {}", money(1));
    let total = format!("TOTAL MXN {}", figures::money(Totals::of(&document).total, 2));
    assert_holds(&text, &[&charged, &withheld, &total]);
}
