//! Sales, credit notes, global invoices and goods on the move.

use cfdi::{
    complements::Complements,
    decimal,
    document::{Document, DocumentType, Global, PaymentMethod, Relation},
    local_taxes::LocalTax,
    totals::Totals,
};
use kernel::{Amount, Currency};

use crate::{
    Made, exports, issued_at,
    items::{self, Catalogs, Priced, Shape},
    journeys, parties,
    rng::Rng,
    trades, words,
};

/// Forms of payment that a sale paid at once may have.
const FORMS: [&str; 9] = ["01", "02", "03", "04", "05", "08", "28", "29", "31"];
const FOREIGN: [&str; 8] = ["USD", "EUR", "JPY", "KWD", "CAD", "CLP", "BHD", "GBP"];

/// A currency other than the peso, and pesos for one unit of it.
pub(crate) fn foreign(rng: &mut Rng) -> (Currency, Amount) {
    let currency = Currency::parse(rng.pick(&FOREIGN)).unwrap_or(Currency::MXN);
    let micros = match currency.decimals() {
        0 => rng.between(18_000, 150_000),
        3 => rng.between(40_000_000, 62_000_000),
        _ => rng.between(12_000_000, 25_000_000),
    };
    (currency, Amount::from_micros(micros))
}

/// A sale to a taxpayer in pesos, paid at once or later.
pub(crate) fn sale(rng: &mut Rng, catalogs: &Catalogs, later: bool) -> Made {
    let mut document = sold(rng, DocumentType::Income, later);
    if rng.chance(10) {
        let relation = rng.pick(&["02", "04", "06", "07"]);
        document.related.push(relation_to(rng, relation));
    }
    filled(rng, catalogs, document)
}

/// A sale in another currency, to a taxpayer or abroad.
pub(crate) fn sale_in_currency(rng: &mut Rng, catalogs: &Catalogs, abroad: bool) -> Made {
    let later = rng.chance(30);
    let mut document = sold(rng, DocumentType::Income, later);
    if !abroad || rng.chance(70) {
        let (currency, rate) = foreign(rng);
        (document.currency, document.exchange_rate) = (Some(currency), Some(rate));
        document.confirmation = rng.sometimes(10, |rng| rng.text("ABCabc019", 5));
    }
    if abroad {
        document.receiver = parties::foreigner(rng, &document.place_of_issue);
        document.export = rng.pick(&["01", "03", "04"]).to_owned();
    }
    let mut made = filled(rng, catalogs, document);
    if abroad && rng.chance(40) {
        exports::export(rng, &mut made.document);
    }
    made
}

/// A sale to somebody who gives no RFC but a name.
pub(crate) fn sale_without_rfc(rng: &mut Rng, catalogs: &Catalogs) -> Made {
    let mut document = sold(rng, DocumentType::Income, false);
    let name = words::name(rng);
    document.receiver = parties::general_public(&document.place_of_issue, &name);
    filled(rng, catalogs, document)
}

pub(crate) fn credit_note(rng: &mut Rng, catalogs: &Catalogs) -> Made {
    let mut document = sold(rng, DocumentType::Credit, false);
    let relation = rng.weighted(&[(6, "01"), (2, "03"), (2, "07")]);
    document.related.push(relation_to(rng, relation));
    if relation == "07" {
        document.payment_form = Some("30".to_owned());
    }
    if rng.chance(20) {
        document.related.push(relation_to(rng, "04"));
    }
    if rng.chance(10) {
        let (currency, rate) = foreign(rng);
        (document.currency, document.exchange_rate) = (Some(currency), Some(rate));
    }
    filled(rng, catalogs, document)
}

/// The sales of a day, a week, a month or two to nobody in particular.
pub(crate) fn global(rng: &mut Rng) -> Made {
    let mut document = sold(rng, DocumentType::Income, false);
    let two_months = rng.chance(15);
    if two_months {
        document.issuer = parties::issuer_of_two_months();
    }
    // This year until now, or any month of the last.
    let year = rng.pick(&[2025, 2026]);
    let period = match (two_months, year) {
        (true, 2026) => rng.between(13, 16),
        (true, _) => rng.between(13, 18),
        (false, 2026) => rng.between(1, 8),
        (false, _) => rng.between(1, 12),
    };
    let often = rng.between(1, 4);
    document.global = Some(Global {
        periodicity: if two_months { "05".to_owned() } else { format!("{often:02}") },
        months: format!("{period:02}"),
        year,
    });
    document.receiver = parties::general_public(&document.place_of_issue, "PUBLICO EN GENERAL");
    let shape = shape(rng, &document, 90);
    let priced = items::tickets(rng, &shape);
    made(document, priced)
}

/// Goods on the move, mostly between the issuer's own premises.
pub(crate) fn transfer(rng: &mut Rng, catalogs: &Catalogs) -> Made {
    let mut document = sold(rng, DocumentType::Transfer, false);
    (document.payment_form, document.payment_method, document.payment_terms) = (None, None, None);
    (document.currency, document.exchange_rate) = (None, None);
    if rng.chance(70) {
        document.receiver.rfc.clone_from(&document.issuer.rfc);
        document.receiver.legal_name.clone_from(&document.issuer.legal_name);
        document.receiver.tax_regime.clone_from(&document.issuer.tax_regime);
    }
    document.receiver.cfdi_use = "S01".to_owned();
    if rng.chance(20) {
        let relation = rng.pick(&["03", "04", "05"]);
        document.related.push(relation_to(rng, relation));
    }
    let shape = Shape { decimals: 2, border: false, gross: false };
    let mut priced = items::items(rng, catalogs, &shape);
    for item in &mut priced.items {
        (item.discount, item.taxes) = (None, Vec::new());
        item.tax_object = "01".to_owned();
        if rng.chance(40) {
            (item.unit_price, item.amount) = (Amount::ZERO, Amount::ZERO);
        }
    }
    document.complements.carta_porte = rng.sometimes(30, |rng| journeys::journey(rng, catalogs));
    let mut made = made(document, priced);
    if rng.chance(25) {
        exports::transfer(rng, &mut made.document);
    }
    made
}

/// A document without items, in pesos and to a taxpayer.
pub(crate) fn sold(rng: &mut Rng, kind: DocumentType, later: bool) -> Document {
    let border = rng.chance(15);
    let form = if later { "99" } else { rng.pick(&FORMS) };
    Document {
        kind,
        series: rng.sometimes(70, |rng| words::label(rng, 25)),
        folio: rng.sometimes(80, |rng| words::label(rng, 40)),
        issued_at: issued_at(rng),
        payment_form: Some(form.to_owned()),
        payment_method: Some(if later { PaymentMethod::Ppd } else { PaymentMethod::Pue }),
        payment_terms: rng.sometimes(30, words::description),
        currency: Some(Currency::MXN),
        exchange_rate: rng.sometimes(10, |_| Amount::from_micros(1_000_000)),
        export: "01".to_owned(),
        place_of_issue: parties::zip(rng, border),
        confirmation: None,
        global: None,
        related: Vec::new(),
        issuer: parties::issuer(rng),
        receiver: parties::receiver(rng, kind == DocumentType::Credit),
        items: Vec::new(),
        local_taxes: Vec::new(),
        payments: Vec::new(),
        complements: Complements::default(),
    }
}

pub(crate) fn relation_to(rng: &mut Rng, relation: &str) -> Relation {
    let count = rng.weighted(&[(80, 1), (15, 3), (5, 40)]);
    let uuids = (0..count).map(|_| rng.uuid()).collect();
    Relation { relation: relation.to_owned(), uuids }
}

fn filled(rng: &mut Rng, catalogs: &Catalogs, document: Document) -> Made {
    let shape = shape(rng, &document, 50);
    let priced = items::items(rng, catalogs, &shape);
    let mut made = made(document, priced);
    made.document.complements = trades::complements(rng);
    if made.document.kind == DocumentType::Income {
        made.document.complements.carta_porte =
            rng.sometimes(8, |rng| journeys::journey(rng, catalogs));
    }
    if rng.chance(12) {
        made.document.local_taxes = local_taxes(rng, &made.document);
    }
    made
}

/// Taxes of states and municipalities, of which most documents that have any have one.
fn local_taxes(rng: &mut Rng, document: &Document) -> Vec<LocalTax> {
    let decimals = document.decimals();
    let Totals { sub_total, discount, .. } = Totals::of(document);
    let sold = decimal::less(sub_total, discount.unwrap_or_default());
    let count = rng.weighted(&[(80, 1), (15, 2), (5, 6)]);
    let tax = |rng: &mut Rng| {
        // Five per thousand is withheld; what is charged is a few percent.
        let (name, rate, withheld) = rng.pick(&[
            ("ISH", 30_000, false),
            ("Impuesto sobre Hospedaje", 37_500, false),
            ("Cedular <local> & más", 100, false),
            ("5 al millar", 5_000, true),
            ("Supervisión de obra", 20_000, true),
        ]);
        LocalTax::on(sold, name.to_owned(), Amount::from_micros(rate), withheld, decimals)
    };
    (0..count).map(|_| tax(rng)).collect()
}

pub(crate) fn shape(rng: &mut Rng, document: &Document, gross_percent: i64) -> Shape {
    let place = cfdi::catalogs::postal_codes::find(&document.place_of_issue);
    Shape {
        decimals: document.decimals(),
        border: place.is_some_and(|place| place.border.is_some()),
        gross: rng.chance(gross_percent),
    }
}

fn made(document: Document, priced: Priced) -> Made {
    Made { document: Document { items: priced.items, ..document }, paid: priced.paid }
}
