//! The price lists of accounts that have any, and what they say of what a batch asks for.

use std::collections::{BTreeSet, HashMap};

use ::orders::{CustomerGroupId, ItemSku, ListTerms, ListedPrice, PriceList, PriceListId};
use diesel::prelude::*;
use kernel::{AccountId, Amount, Quantity};

use super::loaded::{Loaded, Wanted};
use crate::{
    catalog::price_lists,
    db::Db,
    ordering::rows::{sold, variant_column},
    rows::read,
    schema::price_list_items::{self as items, dsl},
};

/// Products that are asked about by one statement.
const PRODUCTS_AT_ONCE: usize = 1_000;

/// Loads the price lists of the accounts that have any, and their prices of what is wanted.
pub(super) fn load(db: &mut Db, wanted: &Wanted, loaded: &mut Loaded) -> QueryResult<()> {
    let mut accounts = std::mem::take(&mut loaded.with_lists);
    // Nobody knows of an account of which nothing is found that is wanted.
    accounts.extend(&wanted.listing);
    for account in accounts {
        let lists = price_lists::all(db, account)?;
        let lists: Vec<PriceList> = lists.iter().map(known).collect();
        loaded.price_lists.insert(account, lists);
        let own = wanted.items.iter().filter(|(owner, _)| *owner == account);
        let own: Vec<ItemSku> = own.map(|(_, sold)| *sold).collect();
        let prices = prices(db, account, &own)?;
        for sold in own {
            let Some(offer) = loaded.offers.get_mut(&(account, sold)) else { continue };
            let of_product = ItemSku { variant: None, ..sold };
            let names: BTreeSet<ItemSku> = BTreeSet::from([of_product, sold]);
            let listed = names.iter().filter_map(|name| prices.get(name)).flatten();
            offer.listed = listed.copied().collect();
        }
    }
    Ok(())
}

/// A price list as orders know it.
fn known(list: &catalog::PriceList) -> PriceList {
    let group = list.group.map(|group| CustomerGroupId::from_u128(group.to_u128()));
    PriceList {
        id: PriceListId::from_u128(list.id.to_u128()),
        terms: ListTerms {
            currency: list.currency,
            group,
            priority: list.priority,
            from: list.valid_from,
            until: list.valid_until,
        },
    }
}

/// The prices of products and of their variants that are wanted.
fn prices(
    db: &mut Db,
    account: AccountId,
    wanted: &[ItemSku],
) -> QueryResult<HashMap<ItemSku, Vec<ListedPrice<PriceListId>>>> {
    let products: BTreeSet<String> = wanted.iter().map(|sold| sold.product.to_string()).collect();
    // A price of the product as a whole is of its variants, too.
    let none = std::iter::once(String::new());
    let variants: BTreeSet<String> =
        wanted.iter().map(|sold| variant_column(*sold)).chain(none).collect();
    let products: Vec<String> = products.into_iter().collect();
    let mut found: HashMap<_, Vec<_>> = HashMap::new();
    for some in products.chunks(PRODUCTS_AT_ONCE) {
        let rows: Vec<(String, String, String, Quantity, i64)> = items::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::product_id.eq_any(some))
            .filter(dsl::variant_id.eq_any(&variants))
            .select((dsl::product_id, dsl::variant_id, dsl::list_id, dsl::min_quantity, dsl::price))
            .load(db)?;
        for (product, variant, list, min_quantity, price) in rows {
            let listed = ListedPrice {
                list: read(&list, PriceListId::parse)?,
                is_of_variant: !variant.is_empty(),
                min_quantity,
                price: Amount::from_micros(price),
            };
            found.entry(sold(&product, &variant)?).or_default().push(listed);
        }
    }
    Ok(found)
}
