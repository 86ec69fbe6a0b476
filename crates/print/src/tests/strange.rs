use kernel::Amount;
use proptest::prelude::*;

use super::*;
use crate::fonts::Face;

/// Text of any script, of white space, of what cannot be drawn, and of one endless word.
pub(super) fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "\\PC{0,60}",
        2 => any::<String>(),
        1 => "[ \\t\\n\\u{a0}\\u{200b}]{0,30}",
        1 => "[A-ZÑ]{200,900}",
    ]
}

pub(super) fn strange() -> impl Strategy<Value = (Document, Stamp)> {
    let amount = -Amount::MAX.micros() / 1_000..Amount::MAX.micros() / 1_000;
    (prop::collection::vec(any_text(), 30), amount, 0..4usize).prop_map(|(texts, micros, count)| {
        let (mut document, mut stamp) = (samples::rich(), samples::stamp());
        let mut texts = texts.into_iter().cycle();
        let mut next = || texts.next().unwrap_or_default();
        document.items.truncate(count);
        document.payments = samples::payments(count).payments;
        document.related = samples::credit_note().related;
        document.global = samples::global().global;
        for item in &mut document.items {
            item.amount = Amount::from_micros(micros);
            item.unit_price = Amount::from_micros(micros);
            (item.description, item.sat_unit_key, item.unit) = (next(), next(), Some(next()));
            (item.sat_product_key, item.sku, item.tax_object) = (next(), Some(next()), next());
            item.customs = vec![next()];
        }
        for payment in &mut document.payments {
            (payment.payment_form, payment.operation) = (next(), Some(next()));
            for paid in &mut payment.documents {
                (paid.uuid, paid.series, paid.tax_object) = (next(), Some(next()), next());
            }
        }
        (document.series, document.folio, document.export) = (Some(next()), Some(next()), next());
        document.complements = trades::export().complements;
        document.complements.carta_porte = trades::journey().complements.carta_porte;
        if let Some(trade) = &mut document.complements.foreign_trade {
            (trade.remarks, trade.issuer.address.street) = (Some(next()), Some(next()));
            (trade.goods[0].sku, trade.goods[0].details[0].brand) = (next(), next());
        }
        if let Some(carta) = &mut document.complements.carta_porte {
            (carta.locations[0].name, carta.figures[0].name) = (Some(next()), next());
            carta.goods.items[0].description = next();
            carta.road.as_mut().unwrap().permit_number = next();
        }
        (document.issuer.legal_name, document.issuer.rfc) = (next(), next());
        (document.receiver.legal_name, document.receiver.tax_regime) = (next(), next());
        (document.receiver.tax_zip, document.receiver.foreign_tax_id) = (next(), Some(next()));
        (document.payment_terms, document.place_of_issue) = (Some(next()), next());
        (stamp.uuid, stamp.seal, stamp.legend) = (next(), next(), Some(next()));
        (document, stamp)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_can_be_printed((document, stamp) in strange(), notes in any_text()) {
        let sheet = Sheet { notes: Some(&notes), ..sheet(&document, &stamp) };
        assert_within_the_page(&pages(&sheet));
        prop_assert!(pdf(&sheet).is_ok());
    }
}

#[test]
fn letters_that_no_font_has_keep_their_place() {
    assert!(Face::Regular.width(8.0, "日本語") > 10.0);
}
