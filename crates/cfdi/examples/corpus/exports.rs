//! Goods that leave the country for good, sold or on the move.

use std::collections::BTreeMap;

use cfdi::{
    catalogs::{
        countries::{self, Country},
        customs_units, incoterms, tariff_codes, transfer_reasons,
    },
    complements::{
        CertificateOfOrigin, ForeignTrade, GoodsDetails, Owner, Recipient, TradeIssuer,
        TradeReceiver, TradedGoods,
    },
    decimal,
    document::{Document, Item},
};
use kernel::{Amount, Currency};

use crate::{
    addresses::{abroad, in_mexico},
    parties,
    rng::Rng,
    sales, words,
};

/// The CURP of the natural person among the issuers.
const CURP: (&str, &str) = ("CACX7605101P8", "CACX760510MGTSHC04");
const ONE: Amount = Amount::from_micros(1_000_000);
/// The least that goods are stated to be worth.
const VALUE_MIN: Amount = Amount::from_micros(100);

/// Makes a sale abroad a definitive export.
pub(crate) fn export(rng: &mut Rng, document: &mut Document) {
    let country = receiver(rng, document);
    let complements = &mut document.complements;
    (complements.donation, complements.electoral) = (None, None);
    let recipients = rng.between(0, 2);
    let trade = ForeignTrade {
        trusted_exporter_number: number_in_union(rng, &country),
        receiver: Some(TradeReceiver {
            foreign_tax_id: rng.sometimes(20, |rng| parties::foreign_tax_id(rng, &country)),
            address: Some(abroad(rng, &country)),
        }),
        recipients: (0..recipients).map(|_| recipient(rng)).collect(),
        ..trade(rng, document)
    };
    finish(document, trade);
}

/// Makes goods on the move a definitive export.
pub(crate) fn transfer(rng: &mut Rng, document: &mut Document) {
    let reason = rng.pick(transfer_reasons::all()).code;
    if reason == "01" {
        document.related.push(sales::relation_to(rng, "05"));
    }
    let owners = if reason == "05" { rng.between(1, 3) } else { 0 };
    let trade = ForeignTrade {
        transfer_reason: Some(reason.to_owned()),
        owners: (0..owners).map(|_| owner(rng)).collect(),
        receiver: rng.sometimes(30, |rng| TradeReceiver {
            foreign_tax_id: None,
            address: Some(in_mexico(rng)),
        }),
        recipients: rng.sometimes(70, recipient).into_iter().collect(),
        ..trade(rng, document)
    };
    finish(document, trade);
}

fn finish(document: &mut Document, trade: ForeignTrade) {
    document.export = "02".to_owned();
    document.complements.foreign_trade = Some(Box::new(trade));
}

/// What exports of all kinds state.
fn trade(rng: &mut Rng, document: &mut Document) -> ForeignTrade {
    let usd_rate = usd_rate(rng, document);
    ForeignTrade {
        transfer_reason: None,
        certificate_of_origin: rng
            .sometimes(30, |rng| CertificateOfOrigin { number: rng.sometimes(70, Rng::uuid) }),
        trusted_exporter_number: None,
        incoterm: rng.sometimes(90, |rng| rng.pick(incoterms::all()).code.to_owned()),
        remarks: rng.sometimes(30, |rng| text(rng, 300)),
        usd_rate,
        issuer: TradeIssuer {
            curp: (document.issuer.rfc == CURP.0).then(|| CURP.1.to_owned()),
            address: in_mexico(rng),
        },
        owners: Vec::new(),
        receiver: None,
        recipients: Vec::new(),
        goods: goods(rng, document, usd_rate),
    }
}

/// The number of a trusted exporter, when the buyer is in the European Union.
fn number_in_union(rng: &mut Rng, country: &Country) -> Option<String> {
    rng.sometimes(60, number).filter(|_| country.in_european_union())
}

fn owner(rng: &mut Rng) -> Owner {
    let country = parties::country_abroad(rng);
    Owner {
        foreign_tax_id: parties::foreign_tax_id(rng, &country),
        tax_residence: country.code.to_owned(),
    }
}

/// Sees to it that the country and the tax identifier of the buyer are known.
fn receiver(rng: &mut Rng, document: &mut Document) -> Country {
    let receiver = &mut document.receiver;
    let known = receiver.tax_residence.as_deref().and_then(countries::find).copied();
    let country = known.unwrap_or_else(|| parties::country_abroad(rng));
    receiver.tax_residence = Some(country.code.to_owned());
    if receiver.foreign_tax_id.is_none() {
        receiver.foreign_tax_id = Some(parties::foreign_tax_id(rng, &country));
    }
    country
}

/// Pesos for one dollar: the document's own rate where it is in dollars.
fn usd_rate(rng: &mut Rng, document: &Document) -> Amount {
    let in_dollars = document.currency.is_some_and(|currency| currency.code() == "USD");
    let own = document.exchange_rate.filter(|_| in_dollars);
    own.unwrap_or_else(|| Amount::from_micros(rng.between(160_000, 210_000) * 100))
}

/// The goods of the items, which customs count in their own units or as the items do.
fn goods(rng: &mut Rng, document: &mut Document, usd_rate: Amount) -> Vec<TradedGoods> {
    let countable =
        |item: &Item| item.quantity.fits(3) && item.quantity >= Amount::from_micros(1_000);
    let as_items_do = document.items.iter().all(countable) && rng.chance(60);
    let mut of_sku: BTreeMap<String, Amount> = BTreeMap::new();
    for (place, item) in document.items.iter_mut().enumerate() {
        item.third_party = None;
        item.customs.clear();
        item.parts.iter_mut().for_each(|part| part.customs.clear());
        item.property_accounts.clear();
        // Some items are of the same goods as the one before.
        let place = if !as_items_do && rng.chance(20) { place.saturating_sub(1) } else { place };
        let sku = format!("{place}-<&>");
        let amount = of_sku.entry(sku.clone()).or_default();
        *amount = decimal::sum([*amount, item.amount]);
        item.sku = Some(sku);
        if as_items_do {
            item.unit = Some(unit(rng));
        }
    }
    let pesos = document.exchange_rate.filter(|_| document.currency != Some(Currency::MXN));
    let value = |amount: Amount| {
        let dollars = decimal::share(amount, pesos.unwrap_or(ONE), usd_rate);
        dollars.rounded(4).max(VALUE_MIN)
    };
    let mut goods = Vec::new();
    for (sku, amount) in of_sku {
        let value = value(amount);
        if as_items_do {
            goods.push(one(rng, &sku, value));
            continue;
        }
        // Goods of two tariff codes where both are worth something.
        let part = Amount::from_micros(value.micros() / 2).rounded(4);
        let rest = decimal::less(value, part);
        let is_token = |value: Amount| value == ONE || value < VALUE_MIN;
        if rng.chance(15) && !is_token(part) && !is_token(rest) {
            let first = counted(rng, &sku, part);
            let mut second = counted(rng, &sku, rest);
            while second.tariff_code == first.tariff_code {
                second.tariff_code = Some(tariff_code(rng));
            }
            goods.extend([first, second]);
        } else {
            goods.push(counted(rng, &sku, value));
        }
    }
    goods
}

fn one(rng: &mut Rng, sku: &str, usd_value: Amount) -> TradedGoods {
    let details = rng.weighted(&[(70, 0), (25, 1), (5, 12)]);
    TradedGoods {
        sku: sku.to_owned(),
        tariff_code: Some(tariff_code(rng)),
        customs_quantity: None,
        customs_unit: None,
        customs_unit_price: None,
        usd_value,
        details: (0..details).map(|_| self::details(rng)).collect(),
    }
}

fn counted(rng: &mut Rng, sku: &str, usd_value: Amount) -> TradedGoods {
    let quantity = Amount::from_micros(rng.between(1, 20_000) * rng.pick(&[1_000, 1_000_000]));
    // So many units that one of them is worth a millionth at least.
    let quantity =
        if decimal::quotient(usd_value, quantity) == Amount::ZERO { ONE } else { quantity };
    TradedGoods {
        customs_quantity: Some(quantity),
        customs_unit: Some(unit(rng)),
        customs_unit_price: Some(decimal::quotient(usd_value, quantity)),
        ..one(rng, sku, usd_value)
    }
}

/// A unit of goods.
fn unit(rng: &mut Rng) -> String {
    let code = loop {
        let code = rng.pick(customs_units::all()).code;
        if code != customs_units::SERVICE {
            break code;
        }
    };
    code.to_owned()
}

/// A code of anything but samples, which are given away.
fn tariff_code(rng: &mut Rng) -> String {
    let last = i64::try_from(tariff_codes::all().count()).unwrap_or(1) - 1;
    loop {
        let place = usize::try_from(rng.between(0, last)).unwrap_or_default();
        let code = tariff_codes::all().nth(place).unwrap_or(tariff_codes::SAMPLES);
        if code != tariff_codes::SAMPLES {
            return code.to_owned();
        }
    }
}

fn details(rng: &mut Rng) -> GoodsDetails {
    GoodsDetails {
        brand: text(rng, 35),
        model: rng.sometimes(60, |rng| text(rng, 80)),
        submodel: rng.sometimes(30, |rng| text(rng, 50)),
        serial_number: rng.sometimes(50, number),
    }
}

fn recipient(rng: &mut Rng) -> Recipient {
    let in_country = rng.chance(20);
    let country = parties::country_abroad(rng);
    let count = rng.between(1, 2);
    let address = |rng: &mut Rng| if in_country { in_mexico(rng) } else { abroad(rng, &country) };
    let addresses = (0..count).map(|_| address(rng)).collect();
    let tax_id = rng.sometimes(50, |rng| parties::foreign_tax_id(rng, &country));
    Recipient {
        foreign_tax_id: tax_id.filter(|_| !in_country),
        name: rng.sometimes(80, words::name),
        addresses,
    }
}

/// A number as people give them to things.
pub(crate) fn number(rng: &mut Rng) -> String {
    words::label(rng, 40)
}

/// Words, cut to a length.
pub(crate) fn text(rng: &mut Rng, chars_max: usize) -> String {
    let text: String = words::description(rng).chars().take(chars_max).collect();
    text.trim_end().to_owned()
}
