//! Withheld taxes of a draft: those that come with what is sold follow whom it is made out to.

use std::collections::BTreeSet;

use cfdi::{
    decimal,
    document::DocumentType,
    pricing,
    rules::Finding,
    tax::{TaxRate, withholds},
};
use kernel::{Amount, Currency, FieldFault, message};

use crate::{
    Draft, DraftItem, Fields, Known, OrderId, ProductId, Status, build,
    fields::order_field,
    sales::{self, taxes_for, usual_taxes},
};

/// A draft that was made out to somebody who withholds and is not any more, or the other way round.
pub(crate) struct Readdressed<'a> {
    /// Whom it was made out to.
    former: &'a str,
    /// Whom it is made out to.
    rfc: String,
    /// What its orders sell, each with all taxes that it bears.
    sold: Vec<(Option<ProductId>, Vec<TaxRate>)>,
    known: &'a Known,
}

impl<'a> Readdressed<'a> {
    /// A draft that was made out to this RFC before, if it withholds otherwise now. The taxes of a credit note are those of its
    /// invoice, and the public withholds nothing.
    pub(crate) fn of(draft: &Draft, former: &'a str, known: &'a Known) -> Option<Self> {
        let rfc = draft.receiver.rfc.clone();
        let is_new = former.is_empty();
        if is_new || !is_sale(draft) || withholds(former) == withholds(&rfc) {
            return None;
        }
        let orders = draft.orders.iter().filter_map(|id| known.orders.get(id));
        let sold = orders.flat_map(|order| sales::borne(order, known)).collect();
        Some(Self { former, rfc, sold, known })
    }

    /// The taxes of an item now: as if it had been made for the new receiver, if they are those that it was made with for the
    /// former one. Others were stated, and stay.
    pub(crate) fn taxes(&self, item: &DraftItem) -> Vec<TaxRate> {
        if item.tax_object.as_deref().is_some_and(|object| object != "02") {
            return item.taxes.clone();
        }
        let ordered = self.sold.iter().filter(|(product, _)| *product == item.product);
        let mut borne: Vec<Vec<TaxRate>> = ordered.map(|(_, taxes)| taxes.clone()).collect();
        if borne.is_empty() {
            let product = item.product.and_then(|id| self.known.products.get(&id));
            borne.push(usual_taxes(product, &self.known.issuer));
        }
        let own =
            borne.into_iter().find(|taxes| taxes_for(self.former, taxes.clone()) == item.taxes);
        own.map_or_else(|| item.taxes.clone(), |taxes| taxes_for(&self.rfc, taxes))
    }
}

/// Whether these fields may make a draft out to somebody who withholds otherwise: then what its items bear has to be known.
#[must_use]
pub fn may_turn(draft: &Draft, fields: &Fields) -> bool {
    let turns = |rfc: &str| withholds(rfc) != withholds(&draft.receiver.rfc);
    let follows = fields.customer.flatten().is_some();
    is_sale(draft) && fields.receiver.as_ref().map_or(follows, |receiver| turns(&receiver.rfc))
}

/// Whether these fields may make a draft state other withheld taxes: what was withheld of its orders has to be known.
#[must_use]
pub fn may_restate(draft: &Draft, fields: &Fields) -> bool {
    may_turn(draft, fields)
        || (is_sale(draft) && (fields.items.is_some() || fields.currency.is_some()))
}

fn is_sale(draft: &Draft) -> bool {
    draft.kind == DocumentType::Income && draft.global.is_none()
}

/// Whether its receiver withholds taxes, but it states none: its orders have to tell whether they bear any.
#[must_use]
pub fn may_lack(draft: &Draft) -> bool {
    is_sale(draft)
        && withholds(&draft.receiver.rfc)
        && !draft.orders.is_empty()
        && stated(draft).is_none()
}

/// Whether a draft states a withheld tax.
#[must_use]
pub fn is_stated(draft: &Draft) -> bool {
    stated(draft).is_some()
}

/// Whether an invoice that states withheld taxes, or none, settles that whoever pays its orders withholds them, or not. While it is
/// being stamped, it only does so that they do not: if it states some and is refused, nothing would have told so.
#[must_use]
pub fn settled(status: Status, is_stated: bool) -> Option<bool> {
    match status {
        Status::Stamped => Some(is_stated),
        Status::Stamping if !is_stated => Some(false),
        _ => None,
    }
}

/// The order of which an invoice decides, once it is stamped, what is withheld: the one that it bills. The public, whose sales a
/// global invoice bills, withholds nothing.
#[must_use]
pub fn decided(draft: &Draft) -> Option<OrderId> {
    match draft.orders.as_slice() {
        [order] if is_sale(draft) => Some(*order),
        _ => None,
    }
}

/// Whether a draft states less than its customers withheld of its orders, of each in its currency: nothing, or less by more
/// than rounding comes to. A document rounds each tax that is withheld once, whatever its lines are, and so did each of the orders:
/// where these were priced by other lines, each tax of each order may be a step more.
#[must_use]
pub fn states_less(draft: &Draft, withheld: &[(Currency, Amount)]) -> bool {
    let all = decimal::sum(withheld.iter().map(|(_, amount)| *amount));
    if all == Amount::ZERO || !is_stated(draft) {
        return all > Amount::ZERO;
    }
    let orders = withheld.iter().filter(|(_, amount)| *amount > Amount::ZERO).count();
    let steps = i64::try_from(orders.saturating_mul(taxes(draft))).unwrap_or(i64::MAX);
    let rounding = steps.saturating_mul(pricing::step(draft.currency.decimals()));
    let at_most = decimal::sum([build::withheld(draft), Amount::from_micros(rounding)]);
    withheld.iter().all(|(currency, _)| *currency == draft.currency) && at_most < all
}

/// The orders of a sale that were paid without the taxes that their customer had withheld, where it states less of these: nobody
/// would pay the rest of its total.
pub(crate) fn unstated(draft: &Draft, known: &Known) -> Vec<FieldFault> {
    if draft.kind != DocumentType::Income {
        return Vec::new();
    }
    let orders = draft.orders.iter().filter_map(|id| known.orders.get(id));
    let withheld: Vec<_> = orders.map(|order| (order.currency, order.withheld)).collect();
    if !states_less(draft, &withheld) {
        return Vec::new();
    }
    let count = draft.orders.len();
    let fault = |(index, id): (usize, &OrderId)| {
        let withheld = known.orders.get(id)?.withheld;
        let problem = message!(
            "names an order whose customer withheld {withheld} as taxes when they paid it, of which the invoice states less: make \
             it out to the legal person who withheld them, with all of them, or first record a payment of the difference, with \
             allowOverpayment",
            "corresponde a un pedido cuyo cliente retuvo {withheld} de impuestos al pagarlo, y la factura incluye menos: facturar \
             a la persona moral que los retuvo, con todas las retenciones, o registrar antes el pago de la diferencia, con \
             allowOverpayment"
        );
        let fault = FieldFault::new(order_field(index, count), problem);
        (withheld > Amount::ZERO).then_some(fault)
    };
    draft.orders.iter().enumerate().filter_map(fault).collect()
}

/// How many taxes it states as withheld, each at whatever rates.
fn taxes(draft: &Draft) -> usize {
    let stated = draft.items.iter().flat_map(|item| &item.taxes).filter(|rate| rate.withheld);
    stated.map(|rate| rate.tax).collect::<BTreeSet<_>>().len()
}

/// The first item that states a withheld tax.
fn stated(draft: &Draft) -> Option<usize> {
    draft.items.iter().position(|item| item.taxes.iter().any(|rate| rate.withheld))
}

/// What is doubtful of the withheld taxes of a draft: that they are there, or that those are not which its orders bear, if
/// they do.
pub(crate) fn doubts(draft: &Draft, is_borne: bool) -> Option<Finding> {
    let rfc = draft.receiver.rfc.as_str();
    if is_borne && may_lack(draft) {
        return Some(Finding::new(
            "withheld_missing",
            "items[0].taxes",
            &format!(
                "state nothing that is withheld, though {rfc} is a legal person and the order bears withheld taxes: add them, \
                 or make the draft anew of its order"
            ),
            &format!(
                "no incluyen las retenciones del pedido, aunque {rfc} es persona moral y las efectúa: agregarlas o volver a \
                 hacer el borrador a partir del pedido"
            ),
        ));
    }
    let index = stated(draft).filter(|_| is_sale(draft) && !withholds(rfc))?;
    Some(Finding::new(
        "withheld_by_nobody",
        &format!("items[{index}].taxes"),
        &format!(
            "state a withheld tax, though only legal persons (RFC of 12 characters) withhold and {rfc} is none: leave it out, or \
             make the invoice out to the legal person"
        ),
        &format!(
            "incluyen retenciones, pero solo las personas morales (RFC de 12 caracteres) retienen y {rfc} no lo es: quitarlas o \
             facturar a la persona moral"
        ),
    ))
}
