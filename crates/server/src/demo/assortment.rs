//! How the demo shop sorts its products, and what those pay who buy by the dozen.

use catalog::{
    Categories, CategoryId, NewCategory, NewPriceList, NewProduct, PriceLists, Priced, Product,
    SetPrice, SetPrices, price_list::PRIORITY_DEFAULT,
};
use crm::{CustomerGroups, NewCustomerGroup};
use kernel::{AccountId, Amount, Ctx, Currency, Measure, Timestamp};
use store::Store;

use super::shop::GONE;
use crate::answers::{read, written};

/// The categories, each with the one that it is in and the beginnings of the SAT product keys of what is in it.
const CATEGORIES: &[(&str, Option<&str>, &[&str])] = &[
    ("Bebidas", Some("Abarrotes"), &["5020"]),
    ("Abarrotes", None, &["50"]),
    ("Cuidado personal", None, &["53"]),
    ("Hogar y limpieza", None, &["14", "26", "39", "47"]),
];
const WHOLESALE: &str = "Mayoreo";
/// From how many pieces on, and what part of the price is paid.
const DOZEN: Measure = Measure::whole(12);
const TENTHS: i64 = 9;
/// How many of the products have such a price.
const PRODUCTS: usize = 6;

/// The categories of the demo, of which those are made that are missing.
pub(super) struct Aisles(Vec<(&'static [&'static str], CategoryId)>);

impl Aisles {
    pub(super) fn prepare(
        store: &Store,
        account: AccountId,
        now: Timestamp,
    ) -> anyhow::Result<Self> {
        let categories: &dyn Categories = store;
        let mut known = read(categories.all(account))?;
        let mut aisles = Vec::new();
        // What others are in comes first.
        let (inner, outer): (Vec<_>, Vec<_>) =
            CATEGORIES.iter().copied().partition(|(_, parent, _)| parent.is_some());
        for (name, parent, keys) in outer.into_iter().chain(inner) {
            let parent = parent
                .and_then(|parent| known.iter().find(|category| category.name == parent))
                .map(|category| category.id);
            let made = known.iter().find(|it| it.name == name && it.parent == parent).cloned();
            let category = match made {
                Some(category) => category,
                None => {
                    let new = NewCategory { name: name.to_owned(), parent };
                    let ctx = Ctx::system(account, now);
                    written(categories.create(ctx, new), GONE)?
                }
            };
            aisles.push((keys, category.id));
            known.push(category);
        }
        // The narrower comes first.
        aisles.reverse();
        Ok(Self(aisles))
    }

    /// The product in its category.
    pub(super) fn sorted(&self, product: NewProduct) -> NewProduct {
        let key = product.sat_product_key.clone().unwrap_or_default();
        let is_of = |keys: &&[&str]| keys.iter().any(|begin| key.starts_with(begin));
        let found = self.0.iter().find(|(keys, _)| is_of(keys));
        NewProduct { category_ids: found.map(|(_, id)| *id).into_iter().collect(), ..product }
    }
}

/// Finds the price list of those who buy by the dozen, or makes it.
pub(super) fn prepare_prices(
    store: &Store,
    account: AccountId,
    products: &[Product],
    now: Timestamp,
) -> anyhow::Result<()> {
    let (lists, groups): (&dyn PriceLists, &dyn CustomerGroups) = (store, store);
    let ctx = || Ctx::system(account, now);
    if read(lists.all(account))?.iter().any(|list| list.name == WHOLESALE) {
        return Ok(());
    }
    let known = read(groups.all(account))?.into_iter().find(|group| group.name == WHOLESALE);
    let group = match known {
        Some(group) => group,
        None => {
            let new = NewCustomerGroup { name: WHOLESALE.to_owned() };
            written(groups.create(ctx(), new), GONE)?
        }
    };
    let new = NewPriceList {
        name: WHOLESALE.to_owned(),
        currency: Currency::MXN,
        group: Some(catalog::CustomerGroupId::from_u128(group.id.to_u128())),
        priority: PRIORITY_DEFAULT,
        valid_from: None,
        valid_until: None,
    };
    let list = written(lists.create(ctx(), new), GONE)?;
    let price = |product: &Product| SetPrice {
        priced: Priced::Id(product.id, None),
        min_quantity: Some(DOZEN),
        price: Some(Amount::from_micros(product.price.micros() / 10 * TENTHS)),
    };
    let prices = products.iter().take(PRODUCTS).map(price).collect();
    written(lists.set_prices(ctx(), SetPrices { list: list.id, version: None, prices }), GONE)
        .map(drop)
}
