//! What is sold: quantities and prices from the least to the largest.

use cfdi::{
    catalogs::{Row as _, carta_porte, customs_offices, products, units},
    decimal,
    document::{Item, Part},
    pricing::{self, Price},
    tax::TaxRate,
};
use kernel::Amount;

use crate::{DAY, parties, rates, rng::Rng, words};

const ONE: i64 = 1_000_000;
/// Above it no single amount goes, so that five hundred of them stay within measure.
const AMOUNT_MAX: Amount = Amount::from_micros(500_000_000 * ONE);

/// The catalogs, read once.
pub(crate) struct Catalogs {
    products: Vec<products::Product>,
    units: Vec<&'static str>,
}

impl Catalogs {
    pub(crate) fn read() -> Self {
        let products = products::all().filter(|product| product.in_force(DAY)).collect();
        let units = units::all().filter(|unit| unit.in_force(DAY)).map(|unit| unit.code).collect();
        Self { products, units }
    }

    /// The key of something that can be transported.
    pub(crate) fn goods(&self, rng: &mut Rng) -> &'static str {
        loop {
            if let Some(goods) = carta_porte::goods::find(rng.pick(&self.products).code) {
                return goods.code;
            }
        }
    }

    /// The key of a unit.
    pub(crate) fn unit(&self, rng: &mut Rng) -> &'static str {
        rng.pick(&self.units)
    }
}

/// What all items of a document share.
pub(crate) struct Shape {
    /// Of its currency.
    pub(crate) decimals: u32,
    /// Whether it is issued where the border's rate applies.
    pub(crate) border: bool,
    /// Whether prices have their taxes inside.
    pub(crate) gross: bool,
}

/// The items, and what is paid for them where prices have the taxes inside and can be met.
pub(crate) struct Priced {
    pub(crate) items: Vec<Item>,
    pub(crate) paid: Option<Amount>,
}

/// Mostly a few items, and now and then as many as the API takes.
pub(crate) fn count(rng: &mut Rng) -> i64 {
    let most = rng.weighted(&[(30, 1), (50, 8), (15, 40), (4, 120), (1, 500)]);
    if most == 500 { rng.between(300, 500) } else { rng.between(1, most) }
}

/// Any items. Where all prices have the taxes inside, they are made to meet what is paid.
pub(crate) fn items(rng: &mut Rng, catalogs: &Catalogs, shape: &Shape) -> Priced {
    let mut lines: Vec<_> = (0..count(rng)).map(|_| line(rng, catalogs, shape)).collect();
    lines.extend(rng.sometimes(10, |rng| gift(rng, catalogs, shape)));
    settled(lines, shape)
}

/// Sales of a global invoice: each a ticket, mostly with the taxes inside.
pub(crate) fn tickets(rng: &mut Rng, shape: &Shape) -> Priced {
    let lines = (0..count(rng)).map(|_| ticket(rng, shape)).collect();
    settled(lines, shape)
}

fn settled(lines: Vec<(Item, Amount)>, shape: &Shape) -> Priced {
    let (mut items, paid): (Vec<Item>, Vec<Amount>) = lines.into_iter().unzip();
    let paid = decimal::sum(paid).rounded(shape.decimals);
    let met = shape.gross && pricing::settle(&mut items, paid, shape.decimals);
    Priced { items, paid: met.then_some(paid) }
}

/// An item, and what is paid for it.
fn line(rng: &mut Rng, catalogs: &Catalogs, shape: &Shape) -> (Item, Amount) {
    let (quantity, price) = quantity_and_price(rng, shape);
    let quota_max = Amount::from_micros(price.micros() / 3);
    let taxed = rates::taxed(rng, shape.border, quota_max);
    let product = loop {
        let product = rng.pick(&catalogs.products);
        if rates::suit(&product, &taxed) {
            break product.code;
        }
    };
    let (mut item, paid) = priced(rng, (quantity, price), &taxed.1, shape);
    item.sat_product_key = product.to_owned();
    item.sku = rng.sometimes(60, |rng| words::label(rng, 40));
    item.sat_unit_key = catalogs.unit(rng).to_owned();
    item.unit = rng.sometimes(50, |rng| words::label(rng, 20));
    item.description = words::description(rng);
    item.tax_object = taxed.0.to_owned();
    attach(rng, &mut item);
    (item, paid)
}

/// What is given away: at the least price with a discount of the same amount, and no tax.
fn gift(rng: &mut Rng, catalogs: &Catalogs, shape: &Shape) -> (Item, Amount) {
    let (mut item, _) = line(rng, catalogs, shape);
    item.quantity = Amount::from_micros(rng.between(1, 12) * ONE);
    item.unit_price = Amount::from_micros(10_i64.pow(6 - shape.decimals));
    item.amount = decimal::product(item.quantity, item.unit_price);
    item.discount = Some(item.amount);
    item.tax_object = "04".to_owned();
    item.taxes.clear();
    (item, Amount::ZERO)
}

fn ticket(rng: &mut Rng, shape: &Shape) -> (Item, Amount) {
    let (_, price) = quantity_and_price(rng, shape);
    let price = price.rounded(2).max(Amount::from_micros(10_000));
    let rates = loop {
        let quota_max = Amount::from_micros(price.micros() / 3);
        let (object, rates) = rates::taxed(rng, shape.border, quota_max);
        let plain = rates.iter().all(|rate| !rate.withheld);
        if plain && (object == "02" || rates.is_empty()) {
            break rates;
        }
    };
    let (mut item, paid) = priced(rng, (Amount::from_micros(ONE), price), &rates, shape);
    item.sku = Some(format!("T-{}", rng.digits(8)));
    (item, paid)
}

fn priced(
    rng: &mut Rng,
    (quantity, price): (Amount, Amount),
    rates: &[TaxRate],
    shape: &Shape,
) -> (Item, Amount) {
    let whole = decimal::product(quantity, price);
    let discount = rng.sometimes(20, |rng| {
        let part = Amount::from_micros(rng.between(10_000, 900_000));
        decimal::product(whole, part).rounded(shape.decimals)
    });
    let discount = discount.filter(|off| *off > Amount::ZERO && leaves_some(whole, *off));
    let stated =
        if shape.gross && !rates.is_empty() { Price::Gross(price) } else { Price::Net(price) };
    let amounts = pricing::amounts(quantity, stated, discount, rates);
    let item = Item {
        sat_product_key: products::NOT_IN_CATALOG.to_owned(),
        sku: None,
        quantity,
        sat_unit_key: "ACT".to_owned(),
        unit: None,
        description: "Venta".to_owned(),
        unit_price: amounts.unit_price,
        amount: amounts.amount,
        discount: amounts.discount,
        tax_object: if rates.is_empty() { "01" } else { "02" }.to_owned(),
        taxes: amounts.taxes,
        third_party: None,
        customs: Vec::new(),
        property_accounts: Vec::new(),
        parts: Vec::new(),
    };
    (item, decimal::less(whole, discount.unwrap_or_default()))
}

/// What remains must be more than any excise per unit, which a discount does not lessen.
fn leaves_some(whole: Amount, off: Amount) -> bool {
    decimal::less(whole, off).micros() > whole.micros() / 2
}

/// From 0.01 to ten million, with up to six decimals, times a quantity with up to six.
fn quantity_and_price(rng: &mut Rng, shape: &Shape) -> (Amount, Amount) {
    let magnitude = 10_i64.pow(u32::try_from(rng.between(4, 12)).unwrap_or(4));
    let decimals = rng.weighted(&[(60, shape.decimals), (15, 6), (10, 4), (10, 2), (5, 0)]);
    let least = if shape.decimals == 0 { ONE } else { 10_000 };
    let price = Amount::from_micros(rng.between(magnitude, magnitude.saturating_mul(10)));
    // Often what makes a round amount when 16 % is taken out.
    let price = match rng.chance(10) {
        true => Amount::from_micros(rng.between(1, 2_000) * 1_160_000).rounded(shape.decimals),
        false => price.rounded(decimals),
    };
    let price = price.max(Amount::from_micros(least));
    let quantity = quantity(rng);
    let whole = decimal::product(quantity, price);
    let fits = (Amount::from_micros(least)..=AMOUNT_MAX).contains(&whole);
    (if fits { quantity } else { Amount::from_micros(ONE) }, price)
}

fn quantity(rng: &mut Rng) -> Amount {
    let kinds = [(60, (5, ONE)), (20, (1_000, ONE)), (10, (20_000, 1_000)), (10, (9_999_999, 1))];
    let (most, unit) = rng.weighted(&kinds);
    Amount::from_micros(rng.between(1, most) * unit)
}

/// Imports, rent, sales on behalf of others.
fn attach(rng: &mut Rng, item: &mut Item) {
    if rng.chance(5) {
        item.customs.push(pedimento(rng));
    }
    if rng.chance(4) {
        let count = rng.between(1, 3);
        item.parts = (0..count).map(|_| part(rng)).collect();
    }
    if rng.chance(4) {
        let count = rng.between(1, 3);
        item.property_accounts = (0..count).map(|_| rng.text("ABCxyz0123456789", 12)).collect();
    }
    item.third_party = rng.sometimes(4, parties::third_party);
}

/// The number of a customs entry of the last ten years.
fn pedimento(rng: &mut Rng) -> String {
    let year = format!("{:02}", rng.between(16, 26));
    let office = rng.pick(customs_offices::all()).to_owned();
    let number = format!("{}{:06}", rng.digits(1), rng.between(1, 999_999));
    [year, office, rng.digits(4), number].join("  ")
}

/// A part of a kit, with or without a price.
fn part(rng: &mut Rng) -> Part {
    Part {
        sat_product_key: products::NOT_IN_CATALOG.to_owned(),
        sku: rng.sometimes(50, |rng| words::label(rng, 100)),
        quantity: quantity(rng),
        unit: rng.sometimes(50, |rng| words::label(rng, 20)),
        description: words::description(rng),
        unit_price: rng.sometimes(60, |rng| Amount::from_micros(rng.between(1, 1_000_000_000))),
        customs: rng.sometimes(30, pedimento).into_iter().collect(),
    }
}
