//! How the API shows discounts, shipping and where an order goes.

use kernel::Amount;
use orders::{Discount, Discounted, OrderDiscount, Shipping, ShippingAddress};
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::{shapes, taxes::TaxBody};

/// A discount.
#[derive(Serialize, ToSchema)]
#[schema(as = Discount)]
pub(super) struct DiscountBody {
    /// What it takes off, stated as the unit price is.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// The percentage, if it was given as one.
    #[schema(value_type = Option<shapes::Amount>)]
    percent: Option<Amount>,
}

/// A discount on a whole order.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderDiscount)]
pub(super) struct OrderDiscountBody {
    /// What it takes off the items, stated as their unit prices are.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// The percentage, if it was given as one.
    #[schema(value_type = Option<shapes::Amount>)]
    percent: Option<Amount>,
    /// Why.
    reason: Option<String>,
}

/// Shipping that a customer pays for.
#[derive(Serialize, ToSchema)]
#[schema(as = Shipping)]
pub(super) struct ShippingBody {
    /// What it is called.
    #[schema(example = "Estafeta Express")]
    name: String,
    /// What it costs, taxes inside.
    #[schema(value_type = shapes::Amount)]
    amount: Amount,
    /// The taxes inside.
    taxes: Vec<TaxBody>,
}

/// Where an order is sent to.
#[derive(Serialize, ToSchema)]
#[schema(as = ShippingAddress)]
pub(super) struct ShippingAddressBody {
    /// Who receives it, if not the customer.
    recipient: Option<String>,
    /// Phone number in international format.
    #[schema(example = "+525512345678")]
    phone: Option<String>,
    /// Street and number.
    street: String,
    /// Neighbourhood (colonia).
    neighborhood: Option<String>,
    /// City or municipality.
    city: Option<String>,
    /// State.
    state: Option<String>,
    /// Postal code.
    zip: Option<String>,
    /// ISO 3166-1 alpha-2 country code; defaults to `MX`.
    #[schema(example = "MX")]
    country: String,
}

fn percent(asked: Discount) -> Option<Amount> {
    match asked {
        Discount::Percent(percent) => Some(percent),
        Discount::Amount(_) => None,
    }
}

impl From<Discounted> for DiscountBody {
    fn from(Discounted { asked, amount }: Discounted) -> Self {
        Self { amount, percent: percent(asked) }
    }
}

impl From<OrderDiscount> for OrderDiscountBody {
    fn from(OrderDiscount { discounted, reason }: OrderDiscount) -> Self {
        let DiscountBody { amount, percent } = discounted.into();
        Self { amount, percent, reason }
    }
}

impl From<Shipping> for ShippingBody {
    fn from(Shipping { name, amount, taxes }: Shipping) -> Self {
        Self { name, amount, taxes: taxes.into_iter().map(TaxBody::from).collect() }
    }
}

impl From<ShippingAddress> for ShippingAddressBody {
    fn from(address: ShippingAddress) -> Self {
        let ShippingAddress { recipient, phone, street, neighborhood, city, state, zip, country } =
            address;
        Self { recipient, phone, street, neighborhood, city, state, zip, country }
    }
}
