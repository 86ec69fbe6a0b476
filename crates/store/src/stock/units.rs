//! With how many decimals quantities of products are kept.

use std::collections::{BTreeSet, HashMap};

use diesel::prelude::*;
use inventory::{ProductId, Sku};
use kernel::{AccountId, Decimals};

use crate::{
    db::Db,
    rows::{decimals, read},
    schema::products,
};

/// The decimals of products that are sold by weight or length; all others have none.
#[derive(Default)]
pub(crate) struct Units(HashMap<ProductId, Decimals>);

impl Units {
    /// Those of these products, of which some may have left the catalog.
    pub(crate) fn of(
        db: &mut Db,
        account: AccountId,
        products: impl IntoIterator<Item = ProductId>,
    ) -> QueryResult<Self> {
        let ids: BTreeSet<String> = products.into_iter().map(|id| id.to_string()).collect();
        if ids.is_empty() {
            return Ok(Self::default());
        }
        let rows: Vec<(String, i64)> = products::table
            .filter(products::account_id.eq(account.to_string()))
            .filter(products::id.eq_any(ids))
            .filter(products::quantity_decimals.ne(0))
            .select((products::id, products::quantity_decimals))
            .load(db)?;
        let read =
            |(id, count): (String, i64)| Ok((read(&id, ProductId::parse)?, decimals(count)?));
        rows.into_iter().map(read).collect::<QueryResult<_>>().map(Self)
    }

    /// Those of the products that these rows name.
    pub(crate) fn of_rows<'r>(
        db: &mut Db,
        account: AccountId,
        products: impl IntoIterator<Item = &'r String>,
    ) -> QueryResult<Self> {
        let ids = products.into_iter().map(|id| read(id, ProductId::parse));
        let ids: Vec<ProductId> = ids.collect::<QueryResult<_>>()?;
        Self::of(db, account, ids)
    }

    /// Those of a product that was asked for.
    pub(crate) fn decimals(&self, product: ProductId) -> Decimals {
        self.0.get(&product).copied().unwrap_or_default()
    }

    /// What was named, with the decimals of its quantities.
    pub(crate) fn counted(&self, sku: Sku) -> Sku {
        sku.with_decimals(self.decimals(sku.product))
    }
}
