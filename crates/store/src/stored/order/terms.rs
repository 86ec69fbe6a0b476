//! What an order and its items were agreed on beside products and prices, as it stands in the column `terms`.

use cfdi::tax::TaxRate;
use kernel::{Amount, Decimals};
use orders::{
    Discount, Discounted, InvoiceId, Item, Order, OrderDiscount, PriceListId, Shipping,
    ShippingAddress, WithheldStated, totals::usual_taxes,
};
use serde::{Deserialize, Serialize};

use crate::stored::{
    document::TaxRateForm,
    forms::{Each, Form, Maybe, forms},
    product::is_by_the_piece,
};

forms!(
    DiscountForm of Discount,
    DiscountedForm of Discounted,
    OrderDiscountForm of OrderDiscount,
    ShippingForm of Shipping,
    ShippingAddressForm of ShippingAddress,
    WithheldStatedForm of WithheldStated,
);

/// What an order was agreed on, and what else most orders do not have.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct OrderTerms {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) subtotal: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<OrderDiscountForm>")]
    pub(crate) discount: Option<OrderDiscount>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<ShippingForm>")]
    pub(crate) shipping: Option<Shipping>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<ShippingAddressForm>")]
    pub(crate) shipping_address: Option<ShippingAddress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) channel: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) credit_note: Option<InvoiceId>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<WithheldStatedForm>")]
    pub(crate) withheld_stated: Option<WithheldStated>,
}

/// What one of its items was agreed on. Where it says nothing of taxes, IVA of 16 % is inside the unit price.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct ItemTerms {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) price_list: Option<PriceListId>,
    #[serde(skip_serializing_if = "is_yes")]
    pub(crate) tax_included: bool,
    #[serde(skip_serializing_if = "is_usual", with = "Each::<TaxRateForm>")]
    pub(crate) taxes: Vec<TaxRate>,
    #[serde(skip_serializing_if = "Option::is_none", with = "Maybe::<DiscountedForm>")]
    pub(crate) discount: Option<Discounted>,
    #[serde(skip_serializing_if = "is_nothing")]
    pub(crate) order_discount: Amount,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    #[serde(skip_serializing_if = "is_by_the_piece")]
    pub(crate) decimals: Decimals,
}

impl Default for ItemTerms {
    fn default() -> Self {
        Self {
            price_list: None,
            tax_included: true,
            taxes: usual_taxes(None),
            discount: None,
            order_discount: Amount::ZERO,
            note: None,
            decimals: Decimals::Zero,
        }
    }
}

impl OrderTerms {
    /// What an order was agreed on, if anything.
    pub(crate) fn of(order: &Order) -> Option<Self> {
        let terms = Self {
            subtotal: order.subtotal,
            discount: order.discount.clone(),
            shipping: order.shipping.clone(),
            shipping_address: order.shipping_address.clone(),
            channel: order.channel.clone(),
            credit_note: order.credit_note,
            withheld_stated: order.withheld_stated,
        };
        (terms != Self::default()).then_some(terms)
    }
}

impl ItemTerms {
    /// What an item was agreed on, if it is not what goes without saying.
    pub(crate) fn of(item: &Item) -> Option<Self> {
        let is_usual = item.tax_included && item.taxes.as_deref().is_none_or(is_usual);
        let is_plain = item.discount.is_none() && item.order_discount == Amount::ZERO;
        let says_more =
            item.note.is_some() || item.price_list.is_some() || !item.decimals.is_zero();
        if is_usual && is_plain && !says_more {
            return None;
        }
        Some(Self {
            price_list: item.price_list,
            tax_included: item.tax_included,
            taxes: item.taxes.clone().unwrap_or_else(|| usual_taxes(None)),
            discount: item.discount,
            order_discount: item.order_discount,
            note: item.note.clone(),
            decimals: item.decimals,
        })
    }
}

fn is_usual(taxes: &[TaxRate]) -> bool {
    taxes == [TaxRate::iva(160_000)]
}

pub(super) const fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
pub(super) const fn is_yes(is: &bool) -> bool {
    *is
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
pub(super) const fn is_nothing(amount: &Amount) -> bool {
    amount.micros() == 0
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Discounted")]
pub(super) struct DiscountedForm {
    #[serde(with = "DiscountForm")]
    asked: Discount,
    amount: Amount,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Discount", rename_all = "snake_case")]
pub(in crate::stored) enum DiscountForm {
    Amount(Amount),
    Percent(Amount),
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "OrderDiscount")]
pub(in crate::stored) struct OrderDiscountForm {
    #[serde(with = "DiscountedForm")]
    discounted: Discounted,
    reason: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Shipping")]
pub(in crate::stored) struct ShippingForm {
    name: String,
    amount: Amount,
    #[serde(with = "Each::<TaxRateForm>")]
    taxes: Vec<TaxRate>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "WithheldStated")]
pub(super) struct WithheldStatedForm {
    amount: Amount,
    of: Amount,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ShippingAddress")]
pub(in crate::stored) struct ShippingAddressForm {
    recipient: Option<String>,
    phone: Option<String>,
    street: String,
    neighborhood: Option<String>,
    city: Option<String>,
    state: Option<String>,
    zip: Option<String>,
    country: String,
}
