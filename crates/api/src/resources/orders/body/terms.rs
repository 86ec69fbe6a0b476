//! How the API shows discounts, shipping and where an order goes.

use kernel::Amount;
use orders::{Discount, Discounted, OrderDiscount, Shipping, ShippingAddress};
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::{shapes, taxes::TaxBody};

/// A discount as it was asked for: an amount or a percentage.
#[derive(Serialize, ToSchema)]
#[schema(as = Discount)]
pub(in crate::resources) struct DiscountBody {
    /// So much, stated as the unit price is.
    #[schema(value_type = Option<shapes::Amount>)]
    amount: Option<Amount>,
    /// So many percent.
    #[schema(value_type = Option<shapes::Amount>)]
    percent: Option<Amount>,
}

/// A discount on a whole order as it was asked for: an amount or a percentage.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderDiscount)]
pub(in crate::resources) struct OrderDiscountBody {
    /// So much, stated as the unit prices are.
    #[schema(value_type = Option<shapes::Amount>)]
    amount: Option<Amount>,
    /// So many percent of what the items cost after their own discounts.
    #[schema(value_type = Option<shapes::Amount>)]
    percent: Option<Amount>,
    /// Why.
    reason: Option<String>,
}

/// Shipping that a customer pays for.
#[derive(Serialize, ToSchema)]
#[schema(as = Shipping)]
pub(in crate::resources) struct ShippingBody {
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

impl From<Discounted> for DiscountBody {
    fn from(discounted: Discounted) -> Self {
        match discounted.asked {
            Discount::Amount(amount) => Self { amount: Some(amount), percent: None },
            Discount::Percent(percent) => Self { amount: None, percent: Some(percent) },
        }
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
