//! Readers of what an order is agreed on beside its products: discounts, shipping, and where it goes.

use catalog::product::checked_price;
use crm::customer::checked_country;
use intake::{
    Check, Fields,
    checks::{above_zero, line, number, object, percentage, phone, text},
    noun,
};
use kernel::message;
use orders::{
    Discount, PlaceDiscount, PlaceShipping, ShippingAddress, order::LINE_CHARS_MAX,
    terms::PERCENT_DECIMALS,
};

use crate::resources::taxes::usual_rates;

/// A discount on one item.
pub(super) fn discount() -> impl Check<Value = Discount> {
    object(noun("a discount", "un descuento"), read_discount)
        .about("Either `amount` or `percent`, of what the item costs.")
}

/// A discount on the whole order.
pub(in crate::resources) fn order_discount() -> impl Check<Value = PlaceDiscount> {
    object(noun("a discount", "un descuento"), read_order_discount).about(
        "Either `amount` or `percent`, of what the items cost after their own discounts. It is spread over them in \
         proportion to what they cost.",
    )
}

/// What sending the order costs its customer.
pub(in crate::resources) fn shipping() -> impl Check<Value = PlaceShipping> {
    object(noun("shipping", "el envío"), read_shipping)
}

/// Where the order is sent to.
pub(super) fn shipping_address() -> impl Check<Value = ShippingAddress> {
    object(noun("an address", "una dirección"), read_address)
}

/// Where the order was sold.
pub(super) fn channel() -> impl Check<Value = String> {
    line(LINE_CHARS_MAX).about("Where the order was sold, e.g. `web`, `store` or a marketplace.")
}

fn read_discount(fields: &mut Fields<'_>) -> Option<Discount> {
    let amount = fields.patch(
        "amount",
        above_zero().about(
            "So much, in the currency of the order, stated as the unit price is: with the taxes inside where \
             `taxIncluded` is true, before taxes otherwise.",
        ),
    );
    let percent = fields.patch(
        "percent",
        percentage(PERCENT_DECIMALS)
            .about("So many percent, e.g. 12.5, rounded once to the currency's decimals."),
    );
    let is_refused = (amount.is_none() && fields.gives("amount"))
        || (percent.is_none() && fields.gives("percent"));
    match (amount.flatten(), percent.flatten()) {
        (Some(amount), None) => Some(Discount::Amount(amount)),
        (None, Some(percent)) => Some(Discount::Percent(percent)),
        (None, None) if is_refused => None,
        (None, None) => fields.refuse(
            "",
            message!("must have an amount or a percent", "debe llevar amount o percent"),
        ),
        (Some(_), Some(_)) => fields.refuse(
            "",
            message!(
                "must have an amount or a percent, not both",
                "debe llevar amount o percent, no ambos"
            ),
        ),
    }
}

fn read_order_discount(fields: &mut Fields<'_>) -> Option<PlaceDiscount> {
    let asked = read_discount(fields);
    let reason = fields.optional("reason", line(LINE_CHARS_MAX));
    Some(PlaceDiscount { asked: asked?, reason })
}

fn read_shipping(fields: &mut Fields<'_>) -> Option<PlaceShipping> {
    let name = fields.required("name", line(LINE_CHARS_MAX));
    let amount = fields.required(
        "amount",
        number(Some(0), checked_price).about("What the customer pays for it, taxes inside."),
    );
    let taxes = fields.optional(
        "taxes",
        usual_rates().about(
            "The taxes inside; by default those of the issuer of your invoices, or IVA of 16%.",
        ),
    );
    Some(PlaceShipping { name: name?, amount: amount?, taxes })
}

fn read_address(fields: &mut Fields<'_>) -> Option<ShippingAddress> {
    let street = fields.required("street", line(LINE_CHARS_MAX));
    Some(ShippingAddress {
        recipient: fields.optional("recipient", line(LINE_CHARS_MAX)),
        phone: fields.optional("phone", phone()),
        street: street.unwrap_or_default(),
        neighborhood: fields.optional("neighborhood", line(LINE_CHARS_MAX)),
        city: fields.optional("city", line(LINE_CHARS_MAX)),
        state: fields.optional("state", line(LINE_CHARS_MAX)),
        zip: fields.optional("zip", line(LINE_CHARS_MAX)),
        country: fields
            .optional("country", text(checked_country).pattern("^[A-Z]{2}$").example("MX"))
            .unwrap_or_else(|| "MX".to_owned()),
    })
}
