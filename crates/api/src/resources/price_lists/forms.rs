//! What the endpoints of price lists read.

use catalog::{
    CustomerGroupId, ListItemQuery, NewPriceList, PriceListChanges, PriceListId, Priced, ProductId,
    SetPrice, VariantId,
    price_list::{
        PRICE_LIST_NAME_CHARS_MAX, PRICES_SET_MAX, PRIORITY_DEFAULT, PRIORITY_MAX, ends_too_soon,
    },
    product::checked_price,
};
use intake::{
    Check, Fields, Form,
    checks::{currency, id, line, moment, number, objects, some_units, whole},
    noun,
};
use inventory::adjustment::Named;
use kernel::{Currency, PageRequest, Timestamp, quantity::QUANTITY_MAX};

use super::examples;
use crate::{page::page_request_of, resources::stock::read_named};

pub(super) const LIST: Form<PageRequest> = Form::query(read_page);
pub(super) const CREATE: Form<NewPriceList> = Form::body(
    "CreatePriceList",
    noun("a price list", "una lista de precios"),
    read_new,
    examples::CREATE,
);
pub(super) const UPDATE: Form<PriceListChanges> = Form::body(
    "UpdatePriceList",
    noun("a price list", "una lista de precios"),
    read_changes,
    examples::UPDATE,
);
pub(super) const ITEMS: Form<ListItemQuery> = Form::query(read_items);
pub(super) const SET: Form<Vec<SetPrice>> = Form::body(
    "SetPrices",
    noun("the prices of a list", "los precios de una lista"),
    read_prices,
    examples::SET,
);

/// Sort order named in the cursors of the list.
pub(super) const ORDER: &str = "-createdAt";
/// The same of its prices.
const ITEM_ORDER: &str = "productId";

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &["id", "createdAt", "updatedAt"];

const GROUP: &str = "Group of customers that it is for; it is for all without one.";
const PRIORITY: &str =
    "Of several lists the one with the least number comes first; 100 by default.";
const FROM: &str = "When it begins to hold.";
const UNTIL: &str = "When it ceases to hold.";

/// The identifier of a price list.
pub(in crate::resources) fn price_list() -> impl Check<Value = PriceListId> {
    id(noun("a price list", "una lista de precios"), PriceListId::PREFIX, PriceListId::parse)
}

fn group() -> impl Check<Value = CustomerGroupId> {
    let noun = noun("a customer group", "un grupo de clientes");
    id(noun, CustomerGroupId::PREFIX, CustomerGroupId::parse).about(GROUP)
}

fn priority() -> impl Check<Value = i64> {
    whole(0..=PRIORITY_MAX).about(PRIORITY)
}

fn read_page(fields: &mut Fields<'_>) -> Option<PageRequest> {
    Some(page_request_of(fields, ORDER, PriceListId::PREFIX))
}

fn read_items(fields: &mut Fields<'_>) -> Option<ListItemQuery> {
    let product = id(noun("a product", "un producto"), ProductId::PREFIX, ProductId::parse);
    let product = fields.change("productId", product.about("Only the prices of this product."));
    Some(ListItemQuery { product, page: page_request_of(fields, ITEM_ORDER, ProductId::PREFIX) })
}

fn read_new(fields: &mut Fields<'_>) -> Option<NewPriceList> {
    let name = fields.required("name", line(PRICE_LIST_NAME_CHARS_MAX));
    let new = NewPriceList {
        name: name.unwrap_or_default(),
        currency: fields.optional("currency", currency()).unwrap_or(Currency::MXN),
        group: fields.optional("customerGroupId", group()),
        priority: fields.optional("priority", priority()).unwrap_or(PRIORITY_DEFAULT),
        valid_from: fields.optional("validFrom", moment().about(FROM)),
        valid_until: fields.optional("validUntil", moment().about(UNTIL)),
    };
    refuse_backwards(fields, (new.valid_from, new.valid_until));
    fields.read_only(READ_ONLY);
    Some(new)
}

fn read_changes(fields: &mut Fields<'_>) -> Option<PriceListChanges> {
    let changes = PriceListChanges {
        name: fields.change("name", line(PRICE_LIST_NAME_CHARS_MAX)),
        group: fields.patch("customerGroupId", group()),
        priority: fields.change("priority", priority()),
        valid_from: fields.patch("validFrom", moment().about(FROM)),
        valid_until: fields.patch("validUntil", moment().about(UNTIL)),
    };
    refuse_backwards(fields, (changes.valid_from.flatten(), changes.valid_until.flatten()));
    fields.read_only(&["currency"]);
    fields.read_only(READ_ONLY);
    Some(changes)
}

/// Told with what else is wrong with the body; where only one of them is given, the other is that of the list.
fn refuse_backwards(
    fields: &mut Fields<'_>,
    (from, until): (Option<Timestamp>, Option<Timestamp>),
) {
    if let Some(fault) = ends_too_soon(from, until) {
        fields.refuse::<()>(&fault.field, fault.problem);
    }
}

fn read_prices(fields: &mut Fields<'_>) -> Option<Vec<SetPrice>> {
    fields.required("items", objects(noun("a price", "un precio"), 1..=PRICES_SET_MAX, read_price))
}

/// Where the price begins.
const FROM_QUANTITY: &str = "From how many units in one order on; from any quantity by default, which is 1 of what is sold by the piece.";

fn read_price(fields: &mut Fields<'_>) -> Option<SetPrice> {
    let named = read_named(fields);
    let from = some_units(QUANTITY_MAX).about(FROM_QUANTITY);
    let min_quantity = fields.optional("minQuantity", from);
    let price = number(Some(0), checked_price).about("Unit price; `null` to have it removed.");
    let price = fields.required_or_null("price", price);
    let priced = match named? {
        Named::Id(sku) => Priced::Id(
            ProductId::from_u128(sku.product.to_u128()),
            sku.variant.map(|variant| VariantId::from_u128(variant.to_u128())),
        ),
        Named::Code(code) => Priced::Sku(code),
        Named::Ean(ean) => Priced::Ean(ean),
    };
    Some(SetPrice { priced, min_quantity, price: price? })
}

#[cfg(test)]
mod tests {
    use kernel::Measure;

    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert!(CREATE.read_body(examples::CREATE.as_bytes()).unwrap().group.is_some());
        assert!(UPDATE.read_body(examples::UPDATE.as_bytes()).is_ok());
        assert!(CREATE.read_body(examples::LIST.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::LIST.as_bytes()).is_ok());
        let set = SET.read_body(examples::SET.as_bytes()).unwrap();
        assert_eq!([0, 1].map(|place| set[place].min_quantity), [None, Some(Measure::whole(12))]);
        let none = SET.read_body(br#"{"items": [{"sku": "T-1", "price": null}]}"#).unwrap();
        assert_eq!(none[0].price, None);
        assert!(SET.read_body(br#"{"items": [{"sku": "T-1"}]}"#).is_err());
    }
}
