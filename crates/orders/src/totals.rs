//! What an order amounts to: discounts, shipping and taxes, exact to the cent.
//!
//! The discount of a line is rounded once; that of the order is rounded once and spread over the lines by the largest remainder;
//! the total follows by [`pricing::priced`], as that of its invoice does.

use kernel::{Amount, Currency, FieldFault, message};
use pricing::{Kept, Priced, Stated, decimal, kept, priced, spread, step, tax::TaxRate};

use crate::{Item, LeftLine, Order, PlaceOrder, Shipping, terms::Discount};

/// What an order amounts to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// What the items cost without discounts, with all taxes; `None` where that is the total.
    pub subtotal: Option<Amount>,
    /// What of the total is tax.
    pub tax: Amount,
    /// What the discount of the order takes off.
    pub discount: Amount,
    /// What is to be paid.
    pub total: Amount,
}

/// The taxes of what states none: those of the issuer of invoices, and without an issuer IVA of 16 %.
#[must_use]
pub fn usual_taxes(issuer: Option<&[TaxRate]>) -> Vec<TaxRate> {
    issuer.map_or_else(|| vec![TaxRate::iva(160_000)], <[TaxRate]>::to_vec)
}

/// Reckons what the items of an order to be placed amount to, and sets their discounts.
///
/// # Errors
/// Names the discount or shipping that has too many decimals for the currency, or takes off more than there is.
pub(crate) fn reckon(
    command: &PlaceOrder,
    items: &mut [Item],
    shipping: Option<&Shipping>,
    currency: Currency,
) -> Result<Totals, Vec<FieldFault>> {
    let decimals = currency.decimals();
    refuse_fractions(command, currency)?;
    discount_lines(items, decimals)?;
    let discount = match command.discount.as_ref().map(|discount| discount.asked) {
        Some(asked) => discount_order(asked, items, decimals)?,
        None => Amount::ZERO,
    };
    refuse_below_quotas(items)?;
    let sold = cost(items, shipping, decimals, Item::stated);
    let shipped = shipping.map(|shipping| shipping.amount);
    let for_items = decimal::less(sold.total, shipped.unwrap_or_default());
    let subtotal = match items.iter().any(|item| item.taken_off() != Amount::ZERO) {
        // Rounding of separate sums may differ by a cent: what is taken off is never below zero.
        true => Some(cost(items, None, decimals, Item::undiscounted).total.max(for_items)),
        false => shipped.map(|_| for_items),
    };
    let tax = sold.sums.total_transferred.unwrap_or_default();
    Ok(Totals { subtotal, tax, discount, total: sold.total })
}

fn cost<'a>(
    items: &'a [Item],
    shipping: Option<&'a Shipping>,
    decimals: u32,
    stated: fn(&'a Item) -> Stated<'a>,
) -> Priced {
    let lines: Vec<Stated<'a>> =
        items.iter().map(stated).chain(shipping.map(Shipping::stated)).collect();
    priced(&lines, decimals)
}

/// Sets what the discounts of the lines take off.
fn discount_lines(items: &mut [Item], decimals: u32) -> Result<(), Vec<FieldFault>> {
    let mut faults = Vec::new();
    for (index, item) in items.iter_mut().enumerate() {
        let whole = item.undiscounted().after_discount();
        let Some(discount) = &mut item.discount else { continue };
        discount.amount = discount.asked.of(whole, decimals);
        if discount.amount > whole {
            let problem = message!(
                "must be at most {whole}, what the item costs",
                "debe ser a lo más {whole}, lo que cuesta la partida"
            );
            faults.push(FieldFault::new(format!("items[{index}].discount.amount"), problem));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Refuses discounts that leave less than the taxes inside which go by the unit (IEPS by quota): those are due whatever
/// the price.
fn refuse_below_quotas(items: &[Item]) -> Result<(), Vec<FieldFault>> {
    let is_below = |(_, item): &(usize, &Item)| {
        let amounts = item.stated().amounts();
        let taken_off = amounts.discount.unwrap_or_default();
        taken_off != Amount::ZERO && taken_off > amounts.amount
    };
    let fault = |(index, item): (usize, &Item)| {
        let field = match item.discount {
            Some(_) => format!("items[{index}].discount"),
            None => "discount".to_owned(),
        };
        let problem = message!(
            "leaves less than the taxes that item {number} bears for each unit",
            "deja menos que los impuestos que la partida {number} causa por unidad",
            number = index + 1
        );
        FieldFault::new(field, problem)
    };
    // Most orders have no discount, and none of their items is reckoned for this.
    let discounted = items.iter().enumerate().filter(|(_, item)| item.taken_off() != Amount::ZERO);
    let faults: Vec<FieldFault> = discounted.filter(is_below).map(fault).collect();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Spreads the discount of the order over its lines, and says how much it is.
fn discount_order(
    asked: Discount,
    items: &mut [Item],
    decimals: u32,
) -> Result<Amount, Vec<FieldFault>> {
    let left: Vec<Amount> = items.iter().map(|item| item.stated().after_discount()).collect();
    let whole = decimal::sum(left.iter().copied());
    let fault = |problem| Err(vec![FieldFault::new("discount.amount", problem)]);
    if let Discount::Amount(amount) = asked {
        let is_gross = items.first().is_some_and(|item| item.tax_included);
        if items.iter().any(|item| item.tax_included != is_gross) {
            return fault(message!(
                "cannot be spread over prices with and without taxes: give discount.percent",
                "no se puede repartir entre precios con y sin impuestos: indicar discount.percent"
            ));
        }
        if amount > whole {
            return fault(message!(
                "must be at most {whole}, what the items cost",
                "debe ser a lo más {whole}, lo que cuestan las partidas"
            ));
        }
    }
    let amount = asked.of(whole, decimals);
    let is_whole = |amount: &Amount| amount.fits(decimals);
    let decimals = if left.iter().all(is_whole) && is_whole(&amount) { decimals } else { 6 };
    for (item, share) in items.iter_mut().zip(spread(amount, &left, decimals)) {
        item.order_discount = share;
    }
    Ok(amount)
}

/// Refuses amounts finer than what can be paid in the currency.
fn refuse_fractions(command: &PlaceOrder, currency: Currency) -> Result<(), Vec<FieldFault>> {
    let decimals = currency.decimals();
    let asked = |discount: Discount| match discount {
        Discount::Amount(amount) => Some(amount),
        Discount::Percent(_) => None,
    };
    let of_lines = command.items.iter().enumerate().filter_map(|(index, line)| {
        Some((format!("items[{index}].discount.amount"), asked(line.discount?)?))
    });
    let of_order = command.discount.as_ref().and_then(|discount| asked(discount.asked));
    let of_order = of_order.map(|amount| ("discount.amount".to_owned(), amount));
    let shipping = command.shipping.as_ref();
    let of_shipping = shipping.map(|shipping| ("shipping.amount".to_owned(), shipping.amount));
    let faults: Vec<FieldFault> = of_lines
        .chain(of_order)
        .chain(of_shipping)
        .filter(|(_, amount)| !amount.fits(decimals))
        .map(|(field, _)| {
            let problem = message!(
                "must be a multiple of {step}, the smallest amount of {currency}",
                "debe ser múltiplo de {step}, el importe más pequeño de {currency}",
                step = Amount::from_micros(step(decimals))
            );
            FieldFault::new(field, problem)
        })
        .collect();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

impl Item {
    /// What it costs, without any discount.
    fn undiscounted(&self) -> Stated<'_> {
        Stated {
            quantity: self.ordered().amount(),
            unit_price: self.unit_price,
            discount: None,
            tax_included: self.tax_included,
            rates: self.taxes.as_deref().unwrap_or_default(),
        }
    }

    /// What it costs, after its own discount and its share of that of the order.
    #[must_use]
    pub fn stated(&self) -> Stated<'_> {
        let taken_off = self.taken_off();
        Stated { discount: (taken_off != Amount::ZERO).then_some(taken_off), ..self.undiscounted() }
    }

    /// Its unit price times its quantity, rounded once to the millionth, half away from zero.
    #[must_use]
    pub fn line_total(&self) -> Amount {
        // The total of the order was within range, so is that of a line.
        decimal::product(self.ordered().amount(), self.unit_price).min(Amount::MAX)
    }

    /// What both discounts take off.
    #[must_use]
    pub fn taken_off(&self) -> Amount {
        let own = self.discount.map(|discount| discount.amount).unwrap_or_default();
        decimal::sum([own, self.order_discount])
    }
}

impl Shipping {
    /// What it costs, as a line of the order.
    #[must_use]
    pub fn stated(&self) -> Stated<'_> {
        Stated {
            quantity: Amount::from_micros(1_000_000),
            unit_price: self.amount,
            discount: None,
            tax_included: true,
            rates: &self.taxes,
        }
    }
}

impl Order {
    /// What the items cost without discounts, with all taxes.
    #[must_use]
    pub fn subtotal(&self) -> Amount {
        self.subtotal.unwrap_or(self.total)
    }

    /// What it costs to have it sent.
    #[must_use]
    pub fn shipping_total(&self) -> Amount {
        self.shipping.as_ref().map(|shipping| shipping.amount).unwrap_or_default()
    }

    /// What all discounts take off, with the taxes on it.
    #[must_use]
    pub fn discount_total(&self) -> Amount {
        decimal::less(decimal::sum([self.subtotal(), self.shipping_total()]), self.total)
    }

    /// What its own lines come to of the taxes that its customer may withhold.
    pub(crate) fn withheld_of_lines(&self) -> Amount {
        if !self.bears_withheld_taxes() {
            return Amount::ZERO;
        }
        let decimals = self.currency.decimals();
        let whole = cost(&self.items, self.shipping.as_ref(), decimals, Item::stated);
        whole.sums.total_withheld.unwrap_or_default()
    }

    /// The same of what has not come back: what an invoice of that alone states.
    pub(crate) fn withheld_of_rest(&self) -> Amount {
        if !self.bears_withheld_taxes() {
            return Amount::ZERO;
        }
        let Some(left) = self.left() else { return self.withheld_of_lines() };
        let lines: Vec<Stated<'_>> = self.items.iter().map(Item::stated).collect();
        let of_lines: Vec<Kept> = left.lines.iter().map(LeftLine::kept).collect();
        let shipping = self
            .shipping
            .as_ref()
            .map(|shipping| Stated { unit_price: left.shipping, ..shipping.stated() });
        let decimals = self.currency.decimals();
        let mut left = kept(&lines, &of_lines, shipping, self.amount_charged(), decimals);
        left.extend(shipping);
        priced(&left, decimals).sums.total_withheld.unwrap_or_default()
    }

    /// Whether there is a tax that its customer may withhold. Of most orders there is none, and nothing is reckoned.
    #[must_use]
    pub fn bears_withheld_taxes(&self) -> bool {
        let of_items = self.items.iter().filter_map(|item| item.taxes.as_ref());
        let of_shipping = self.shipping.iter().map(|shipping| &shipping.taxes);
        of_items.chain(of_shipping).flatten().any(|rate| rate.withheld)
    }

    /// What of the total is paid for each item, in the order of the items. With the shipping they are the total.
    #[must_use]
    pub fn item_totals(&self) -> Vec<Amount> {
        let costs: Vec<Amount> = self.items.iter().map(|item| item.stated().cost()).collect();
        let total = decimal::less(self.total, self.shipping_total());
        spread(total, &costs, self.currency.decimals())
    }
}

#[cfg(test)]
mod tests;
