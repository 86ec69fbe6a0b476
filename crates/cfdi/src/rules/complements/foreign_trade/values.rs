//! What exported goods are worth in dollars, as against the items' amounts.

use kernel::{Amount, Currency};

use crate::{
    catalogs::{customs_units, tariff_codes},
    complements::{ForeignTrade, TradedGoods},
    decimal,
    document::Document,
    rules::{
        case::Case,
        finding::{At, Findings},
        limits::{self, Limits},
    },
};

use super::{GUIDE, lines::Lines};

/// How many decimals a value may have.
const VALUE_DECIMALS: u32 = 4;
const CENT: Amount = Amount::from_micros(10_000);
const ONE: Amount = Amount::from_micros(1_000_000);
/// What goods without value are stated to be worth where customs law lets them.
const TOKEN: Amount = ONE;

/// Pesos for one unit of the document's currency and for one dollar, where they are such that amounts can be turned.
struct Rates {
    /// None of pesos.
    of_document: Option<Amount>,
    of_dollar: Amount,
}

impl Rates {
    fn of(document: &Document, trade: &ForeignTrade) -> Option<Self> {
        let above_zero = |rate: &Amount| rate.micros() > 0;
        let of_document = match document.currency? {
            Currency::MXN => None,
            _ => Some(document.exchange_rate.filter(above_zero)?),
        };
        let of_dollar = Some(trade.usd_rate).filter(above_zero)?;
        Some(Self { of_document, of_dollar })
    }

    fn dollars(&self, amount: Amount) -> Amount {
        let pesos = self.of_document.unwrap_or(ONE);
        decimal::share(amount, pesos, self.of_dollar)
    }
}

/// Of four decimals (301); quantity times price where customs count, else what the item amounts to. Services may be
/// worth nothing, and anything may have a token value.
pub(super) fn of_goods(
    case: &Case<'_>,
    trade: &ForeignTrade,
    lines: &Lines<'_>,
    (goods, at): (&TradedGoods, &At<'_>),
    found: &mut Findings,
) {
    let value = goods.usd_value;
    if !limits::is_possible(value, at, found) {
        return;
    }
    if !value.fits(VALUE_DECIMALS) {
        found.add(
            "301",
            at,
            format_args!("is {value}, but has 4 decimals at most: round it"),
            format_args!("es {value}, pero tiene 4 decimales como máximo: redondéelo"),
        );
    }
    let is_service = lines.unit_of(goods) == Some(customs_units::SERVICE);
    if value == TOKEN || (is_service && value == Amount::ZERO) {
        return;
    }
    match (goods.customs_quantity, goods.customs_unit_price) {
        (Some(quantity), Some(price)) => as_counted(value, (quantity, price), at, found),
        (None, None) => {
            let rates = Rates::of(case.document, trade).filter(|_| case.is_of_value());
            if let (Some(rates), [item]) = (rates, lines.items_of(&goods.sku)) {
                as_sold(value, rates.dollars(item.amount), at, found);
            }
        }
        _ => {}
    }
}

fn as_counted(
    value: Amount,
    (quantity, price): (Amount, Amount),
    at: &At<'_>,
    found: &mut Findings,
) {
    if quantity.is_negative() || price.is_negative() {
        return;
    }
    let limits = Limits::of_item(quantity, price, 2, 2);
    if !limits.include(value) {
        let (least, most) = limits.ends();
        found.add(
            GUIDE,
            at,
            format_args!(
                "is {value}, but must be between {least} and {most}: customsQuantity {quantity} \
                 times customsUnitPrice {price}",
            ),
            format_args!(
                "es {value}, pero debe estar entre {least} y {most}: customsQuantity {quantity} \
                 por customsUnitPrice {price}",
            ),
        );
    }
}

fn as_sold(value: Amount, dollars: Amount, at: &At<'_>, found: &mut Findings) {
    if (value.micros().saturating_sub(dollars.micros())).abs() > CENT.micros() {
        let dollars = dollars.rounded(VALUE_DECIMALS);
        found.add(
            GUIDE,
            at,
            format_args!("is {value}, but must be {dollars}: the item's amount in US dollars"),
            format_args!("es {value}, pero debe ser {dollars}: el importe del concepto en dólares"),
        );
    }
}

/// The goods of an item are worth together what it amounts to, but for those without value; and samples are given
/// away, with a discount of what they are worth.
pub(super) fn of_items(
    case: &Case<'_>,
    trade: &ForeignTrade,
    lines: &Lines<'_>,
    at: &At<'_>,
    found: &mut Findings,
) {
    let rates = Rates::of(case.document, trade).filter(|_| case.is_of_value());
    let Some(rates) = rates else { return };
    for (index, goods) in trade.goods.iter().enumerate() {
        let all = lines.goods_of(&goods.sku);
        let is_first = all.first().is_some_and(|(first, _)| *first == index);
        if is_first && !lines.items_of(&goods.sku).is_empty() {
            let at = at.index(index);
            let at = at.field("usdValue");
            let goods = || all.iter().map(|(_, goods)| *goods);
            if goods().all(|goods| goods.customs_quantity.is_some()) {
                together(case, lines, &rates, (goods(), &at), found);
            }
            samples(lines, &rates, (goods(), &at), found);
        }
    }
}

fn together<'a>(
    case: &Case<'_>,
    lines: &Lines<'_>,
    rates: &Rates,
    (goods, at): (impl Iterator<Item = &'a TradedGoods>, &At<'_>),
    found: &mut Findings,
) {
    let mut goods = goods.filter(|goods| ![Amount::ZERO, TOKEN].contains(&goods.usd_value));
    let Some(first) = goods.next() else { return };
    let sum = decimal::sum(goods.map(|goods| goods.usd_value).chain([first.usd_value]));
    let amounts = lines.items_of(&first.sku).iter().map(|item| item.amount);
    let rates = (rates.of_document, rates.of_dollar);
    let limits = Limits::of_dollars(amounts, case.document.decimals(), rates);
    if !limits.include(sum) {
        let (least, most) = limits.ends();
        found.add(
            GUIDE,
            at,
            format_args!(
                "is of goods that are worth {sum} together, but must be between {least} and {most}: \
                 the amount of the items with the same sku in US dollars",
            ),
            format_args!(
                "es de mercancías que en conjunto valen {sum}, pero debe estar entre {least} y \
                 {most}: el importe en dólares de los conceptos con el mismo sku",
            ),
        );
    }
}

fn samples<'a>(
    lines: &Lines<'_>,
    rates: &Rates,
    (goods, at): (impl Iterator<Item = &'a TradedGoods>, &At<'_>),
    found: &mut Findings,
) {
    let mut samples =
        goods.filter(|goods| goods.tariff_code.as_deref() == Some(tariff_codes::SAMPLES));
    let Some(first) = samples.next() else { return };
    let worth = decimal::sum(samples.map(|goods| goods.usd_value).chain([first.usd_value]));
    let discounts = lines.items_of(&first.sku).iter().filter_map(|item| item.discount);
    let given = rates.dollars(decimal::sum(discounts));
    if worth.micros() > given.micros().saturating_add(CENT.micros()) {
        found.add(
            GUIDE,
            at,
            format_args!(
                "is of samples worth {worth}, but the discount of their items is {given} US \
                 dollars: give samples away, or set the goods' own tariffCode",
            ),
            format_args!(
                "es de muestras que valen {worth}, pero el descuento de sus conceptos es de \
                 {given} dólares: dar muestras sin cobro, o indicar el tariffCode propio de la mercancía",
            ),
        );
    }
}
