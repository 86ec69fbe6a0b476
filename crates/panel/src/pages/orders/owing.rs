//! What orders come to and what is owed of them, as all pages tell it: without what whoever pays withholds as taxes.

use std::collections::HashSet;

use kernel::{AccountId, Amount, Currency, Sum};
use orders::{Order, paying};
use payments::{CustomerId, OrderId, Payments};

use crate::{
    call::{Call, Member},
    failure::Failure,
    format::{money, total},
    reply::answered,
    texts::Say,
};

/// Who of those that pay orders withholds taxes.
#[derive(Default)]
pub(in crate::pages) struct Owing(HashSet<OrderId>);

impl Owing {
    /// Of these orders; of most of them nothing is withheld, and nothing has to be looked up.
    pub(in crate::pages) async fn of(
        payments: &dyn Payments,
        account: AccountId,
        orders: &[Order],
    ) -> Result<Self, Failure> {
        let bearing = orders.iter().filter(|order| order.bears_withheld_taxes());
        let whose = |order: &Order| CustomerId::from_u128(order.customer.to_u128());
        let bearing: Vec<_> = bearing.map(|order| (named(order), whose(order))).collect();
        if bearing.is_empty() {
            return Ok(Self::default());
        }
        let withholding = answered(payments.withholding(account, bearing)).await?;
        Ok(Self(withholding.into_iter().collect()))
    }

    /// The same of one.
    pub(super) async fn of_one(call: &Call<Member>, order: &Order) -> Result<Self, Failure> {
        Self::of(&*call.services().payments, call.account(), std::slice::from_ref(order)).await
    }

    fn withholds(&self, order: &Order) -> bool {
        self.0.contains(&named(order))
    }

    /// What is owed of an order.
    pub(in crate::pages) fn due(&self, order: &Order) -> Amount {
        order.amount_owed(self.withholds(order))
    }

    /// What whoever pays an order withholds of it as taxes, instead of paying it here.
    pub(super) fn left_out(&self, order: &Order) -> Amount {
        order.amount_left_out(self.withholds(order))
    }

    /// What is owed of orders in all, by currency, if anything is.
    pub(in crate::pages) fn due_in_all(&self, orders: &[Order]) -> Option<String> {
        in_all(orders.iter().map(|order| (order.currency, self.due(order))))
    }

    /// What of that is asked for where no amount is named: payments in progress are about to pay the rest.
    pub(super) async fn asked_in_all(
        &self,
        payments: &dyn Payments,
        account: AccountId,
        orders: &[Order],
    ) -> Result<Option<String>, Failure> {
        let owed: Vec<&Order> =
            orders.iter().filter(|order| self.due(order) > Amount::ZERO).collect();
        if owed.is_empty() {
            return Ok(None);
        }
        let each = owed.iter().map(|order| (named(order), self.due(order))).collect();
        let asked = answered(payments.asked(account, each)).await?;
        Ok(in_all(owed.iter().map(|order| order.currency).zip(asked)))
    }

    /// What stands below the total of an order and leaves what is due: what came back, what is withheld, what was paid and given
    /// back.
    pub(super) fn settling(&self, say: Say, order: &Order) -> Vec<(&'static str, String)> {
        let told = |amount: Amount| money(amount, order.currency);
        let less = [
            (say.returned_goods(), order.returned_total),
            (say.taxes_withheld(), self.left_out(order)),
        ];
        let back = [(say.refunded(), order.amount_refunded), (say.refund_owed(), order.refund_due)];
        let is_some = |(_, amount): &(&'static str, Amount)| *amount > Amount::ZERO;
        let less = less.into_iter().filter(is_some);
        let less = less.map(|(label, amount)| (label, format!("−{}", told(amount))));
        let paid = (say.paid(), told(order.amount_paid()));
        let back = back.into_iter().filter(is_some).map(|(label, amount)| (label, told(amount)));
        less.chain([paid]).chain(back).collect()
    }
}

/// Amounts in all, by currency, if they come to anything.
fn in_all(amounts: impl Iterator<Item = (Currency, Amount)>) -> Option<String> {
    let mut sums: Vec<(Currency, Sum)> = Vec::new();
    for (currency, amount) in amounts {
        match sums.iter_mut().find(|(known, _)| *known == currency) {
            _ if amount == Amount::ZERO => {}
            Some((_, sum)) => *sum += Sum::from(amount),
            None => sums.push((currency, Sum::from(amount))),
        }
    }
    let told: Vec<_> = sums.into_iter().map(|(currency, sum)| total(sum, currency)).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

fn named(order: &Order) -> OrderId {
    OrderId::from_u128(order.id.to_u128())
}

/// What stands above the total.
pub(super) fn sums(say: Say, order: &Order) -> Vec<(&'static str, String)> {
    let told = |amount: Amount| money(amount, order.currency);
    let subtotal = order.subtotal.map(|amount| (say.subtotal(), told(amount)));
    // Of the order and of its lines.
    let discount = Some(order.discount_total()).filter(|amount| *amount > Amount::ZERO);
    let discount = discount.map(|amount| (say.discount(), format!("−{}", told(amount))));
    let shipping = order.shipping.as_ref();
    let shipping = shipping.map(|shipping| (say.shipping(), told(shipping.amount)));
    let tax = order.tax_total.map(|amount| (say.taxes_inside(), told(amount)));
    [subtotal, discount, shipping, tax].into_iter().flatten().collect()
}

/// The same of one that is only looked at, with what its customer will withhold.
pub(super) async fn sums_before(
    call: &Call<Member>,
    order: &Order,
) -> Result<Vec<(&'static str, String)>, Failure> {
    let say = call.say();
    let mut sums = sums(say, order);
    if order.bears_withheld_taxes() {
        let id = crm::CustomerId::from_u128(order.customer.to_u128());
        let customer = answered(call.services().customers.get(call.account(), id)).await?;
        let rfc = customer.and_then(|customer| customer.rfc);
        if paying::withholds(None, rfc.as_deref()) {
            sums.push((say.taxes_withheld(), money(order.withheld_total(), order.currency)));
        }
    }
    Ok(sums)
}
