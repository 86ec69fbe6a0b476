//! What an order pays for a unit: by the price lists that hold for its customer, or by the catalog.

use kernel::{Amount, Currency, FieldFault, Measure, Message, Quantity, Timestamp, message};
use pricing::{
    decimal,
    lists::{ListTerms, ListedPrice, listed_price},
    tax::TaxRate,
};

use super::{Offer, PlaceItem, PlaceOrder, too_much};
use crate::{CustomerGroupId, Discounted, Item, ItemSku, PriceListId};

/// A price list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct PriceList {
    pub id: PriceListId,
    /// Whom it is for, and when.
    pub terms: ListTerms<CustomerGroupId>,
}

/// The price lists of an account, as one of its customers sees them.
#[derive(Clone, Copy, Debug, Default)]
pub struct PriceBook<'a> {
    /// All of them.
    pub lists: &'a [PriceList],
    /// The group of the customer.
    pub group: Option<CustomerGroupId>,
}

impl PriceBook<'_> {
    /// One of the lists.
    pub(super) fn list(&self, id: PriceListId) -> Option<&PriceList> {
        self.lists.iter().find(|list| list.id == id)
    }

    /// What a unit of so many costs by the list that is named, or by those that hold; `None` where none of them says it.
    pub(super) fn price(
        &self,
        offer: &Offer,
        quantity: Quantity,
        named: Option<PriceListId>,
        (currency, now): (Currency, Timestamp),
    ) -> Option<ListedPrice<PriceListId>> {
        let priority = |id: PriceListId| {
            if let Some(named) = named {
                return (named == id).then_some(0);
            }
            let list = self.list(id)?;
            let holds =
                list.terms.currency == currency && list.terms.holds(now, self.group.as_ref());
            holds.then_some(list.terms.priority)
        };
        listed_price(&offer.listed, quantity, priority)
    }
}

/// The items at the prices of this moment.
pub(super) struct Priced {
    pub(super) items: Vec<Item>,
    pub(super) currency: Currency,
    /// What they would cost without any word of the order about prices, as far as that is known in this currency.
    pub(super) prices: Vec<(ItemSku, Amount)>,
}

/// How many of something all items of an order have together.
fn quantity_of(command: &PlaceOrder, offer: &Offer) -> Quantity {
    let same = command.items.iter().filter(|item| item.wanted == offer.sold);
    same.map(|item| item.quantity).sum::<Measure>().quantity(offer.decimals)
}

/// What is wrong with a line: its field, and what is said of that.
type LineFault = (&'static str, Message);

/// The items of an order at the prices of this moment.
///
/// # Errors
/// Every item that is unknown, not on sale, of a quantity with decimals that are not kept or in another currency than the order,
/// and a price list that is unknown.
pub(super) fn priced<'a>(
    command: &PlaceOrder,
    offer: impl Fn(ItemSku) -> Option<&'a Offer>,
    usual: &[TaxRate],
    (book, now): (PriceBook<'_>, Timestamp),
) -> Result<Priced, Vec<FieldFault>> {
    let mut faults = Vec::new();
    let named = command.price_list.map(|id| book.list(id));
    if named == Some(None) {
        let problem = message!(
            "names no price list of this account",
            "no corresponde a ninguna lista de precios de esta cuenta"
        );
        faults.push(FieldFault::new("priceListId", problem));
    }
    let currency = named.flatten().map(|list| list.terms.currency);
    let mut pricing = Pricing { command, usual, book, now, currency };
    let mut items = Vec::with_capacity(command.items.len());
    let mut prices = Vec::with_capacity(command.items.len());
    let mut whole = Some(Amount::ZERO);
    for (index, line) in command.items.iter().enumerate() {
        let offered = on_sale(line, offer(line.wanted));
        match offered.and_then(|offer| pricing.line(line, offer)) {
            Ok((item, usually)) => {
                let cost = decimal::product(line.quantity.amount(), item.unit_price);
                whole = whole.and_then(|sum| sum.plus(cost));
                prices.extend(usually.map(|price| (line.wanted, price)));
                items.push(item);
            }
            Err((field, problem)) => {
                faults.push(FieldFault::new(format!("items[{index}].{field}"), problem));
            }
        }
    }
    if whole.is_none() {
        faults.push(too_much());
    }
    match pricing.currency {
        Some(currency) if faults.is_empty() => Ok(Priced { items, currency, prices }),
        None if faults.is_empty() => Err(vec![FieldFault::new(
            "items",
            message!("must not be empty", "no debe estar vacío"),
        )]),
        _ => Err(faults),
    }
}

/// What is offered as a line wants it, if that is on sale.
fn on_sale<'a>(line: &PlaceItem, offer: Option<&'a Offer>) -> Result<&'a Offer, LineFault> {
    let Some(offer) = offer else {
        return Err(match line.wanted.variant {
            Some(_) => (
                "variantId",
                message!(
                    "names no variant of this product",
                    "no corresponde a ninguna variante de este producto"
                ),
            ),
            None => (
                "productId",
                message!(
                    "names no product of this account",
                    "no corresponde a ningún producto de esta cuenta"
                ),
            ),
        });
    };
    if offer.on_sale {
        return Ok(offer);
    }
    let problem = message!(
        "names the archived product {sku:?}, which is not on sale",
        "corresponde al producto archivado {sku:?}, que no está a la venta",
        sku = offer.sku
    );
    Err(("productId", problem))
}

/// An order while its lines are priced, one after the other.
struct Pricing<'a> {
    command: &'a PlaceOrder,
    /// The taxes of what states none.
    usual: &'a [TaxRate],
    book: PriceBook<'a>,
    now: Timestamp,
    /// That of the price list that is named, or else of the first line.
    currency: Option<Currency>,
}

impl Pricing<'_> {
    /// A line as an item, and what a unit of it would cost without any word of the order about prices, as far as that is known
    /// in this currency.
    fn line(
        &mut self,
        line: &PlaceItem,
        offer: &Offer,
    ) -> Result<(Item, Option<Amount>), LineFault> {
        let kept = line.quantity.kept(offer.decimals);
        let quantity = kept.map_err(|problem| ("quantity", problem))?;
        let agreed = line.agreed.as_ref();
        let own = agreed.map_or(offer.currency, |agreed| agreed.currency);
        let common = *self.currency.get_or_insert(own);
        let listed = self.by_lists(offer, self.command.price_list, common);
        if own != common && (agreed.is_some() || listed.is_none()) {
            let problem = message!(
                "is priced in {other}, but the order is in {common}",
                "tiene precio en {other}, pero el pedido es en {common}",
                other = own
            );
            return Err(("productId", problem));
        }
        // What an order asks for itself is compared with this; where nothing else is in its currency, with the list that it names.
        let price = |listed: ListedPrice<PriceListId>| listed.price;
        let of_catalog = (offer.currency == common).then_some(offer.price);
        let by_any_list = self.by_lists(offer, None, common).map(price);
        let usually = by_any_list.or(of_catalog).or(listed.map(price));
        let listed = listed.filter(|_| line.unit_price.is_none());
        let unit_price = line.unit_price.or(listed.map(price)).unwrap_or(offer.price);
        let taxes = match agreed {
            Some(agreed) => agreed.taxes.as_slice(),
            None if offer.taxes.is_empty() => self.usual,
            None => offer.taxes.as_slice(),
        };
        let item = Item {
            sold: line.wanted,
            name: offer.name.clone(),
            sku: offer.sku.clone(),
            quantity,
            unit_price,
            price_list: listed.map(|listed| listed.list),
            tax_included: agreed.map_or(offer.tax_included, |agreed| agreed.tax_included),
            taxes: Some(taxes.to_vec()),
            discount: line.discount.map(|asked| Discounted { asked, amount: Amount::ZERO }),
            order_discount: Amount::ZERO,
            note: line.note.clone(),
            returned: 0,
            decimals: offer.decimals,
        };
        Ok((item, usually))
    }

    /// What a unit costs by the list that is named, or by those that hold.
    fn by_lists(
        &self,
        offer: &Offer,
        named: Option<PriceListId>,
        currency: Currency,
    ) -> Option<ListedPrice<PriceListId>> {
        if offer.listed.is_empty() {
            return None;
        }
        let quantity = quantity_of(self.command, offer);
        self.book.price(offer, quantity, named, (currency, self.now))
    }
}
