//! Pages of products.

use std::cmp::Ordering;

use catalog::{Product, ProductFilter, ProductQuery, ProductSort};
use diesel::prelude::*;
use kernel::{
    AccountId, Page, PageRequest,
    page::{Cursor, Sorting},
    search::Words,
    text::spellings,
};

use super::rows::{ProductRow, Rows, all_with_variants, sort_name};
use crate::{
    catalog::{categories, price_lists},
    counters,
    db::{Db, on},
    listing::{self, List, Matches, between, number_key},
    schema::{
        price_list_items, product_categories,
        products::{self, dsl},
        skus, variants,
    },
    search::Look,
    searched,
    unreadable::readable,
};

type Filtered = products::BoxedQuery<'static, <Db as Connection>::Backend>;

pub(super) fn products_list(
    db: &mut Db,
    account: AccountId,
    query: &ProductQuery,
) -> QueryResult<Page<Product>> {
    let within = match query.filter.category {
        Some(id) => {
            categories::tree(db, account)?.subtree(id).iter().map(ToString::to_string).collect()
        }
        None => Vec::new(),
    };
    let listed = match query.filter.price_list {
        Some(id) => price_lists::one(db, account, id)?.map(|list| list.id.to_string()),
        None => None,
    };
    let list = ProductList { account, filter: &query.filter, sort: query.sort, within, listed };
    let is_filtered = query.filter != ProductFilter::default();
    let size = match is_filtered && !listing::needs_size(&query.page, list.matches()) {
        true => 0,
        false => counters::value(db, account, super::COUNTER)?,
    };
    let ((rows, total), lie) = if is_filtered {
        (listing::find(db, &list, &query.page, size, list.matches())?, Rows::Scattered)
    } else if query.sort == Sorting::default() {
        ((newest(db, account, &query.page)?, listing::exactly(size)), Rows::Adjacent)
    } else {
        ((listing::all(db, &list, &query.page)?, listing::exactly(size)), Rows::Scattered)
    };
    let read = |rows| readable("product", all_with_variants(db, rows, lie)?);
    listing::page_of(rows, &query.page, total, |row| list.place(row), read)
}

/// The usual page, by queries whose text is always the same, so that each is prepared once.
fn newest(db: &mut Db, account: AccountId, page: &PageRequest) -> QueryResult<Vec<ProductRow>> {
    let live = || {
        products::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::deleted_at.is_null())
    };
    let limit = listing::fetched(page);
    match &page.cursor {
        Some(cursor) => on!(db, |conn| live()
            .filter(dsl::id.lt(&cursor.id))
            .order(dsl::id.desc())
            .limit(limit)
            .select(ProductRow::as_select())
            .load(conn)),
        None => on!(db, |conn| live()
            .order(dsl::id.desc())
            .limit(limit)
            .offset(page.offset())
            .select(ProductRow::as_select())
            .load(conn)),
    }
}

struct ProductList<'a> {
    account: AccountId,
    filter: &'a ProductFilter,
    sort: Sorting<ProductSort>,
    /// The category of the filter with all that are in it.
    within: Vec<String>,
    /// The price list of the filter, if there is one.
    listed: Option<String>,
}

impl ProductList<'_> {
    fn words(&self) -> Words {
        Words::with_entries(self.filter.search.as_ref(), &self.filter.metadata)
    }

    fn is_range(&self) -> bool {
        let ProductFilter { updated_since, category, price_list, .. } = self.filter;
        updated_since.is_some() || category.is_some() || price_list.is_some()
    }

    fn cursor(&self, key: String, id: &str) -> Cursor {
        let name = match self.sort.by {
            ProductSort::CreatedAt => "createdAt",
            ProductSort::UpdatedAt => "updatedAt",
            ProductSort::Price => "price",
            ProductSort::Name => "name",
        };
        listing::place(name, self.sort.ascending, key, id)
    }

    fn matches(&self) -> Matches {
        let ProductFilter { external_id, sku, ean, .. } = self.filter;
        let by_key = [external_id, sku, ean].into_iter().any(Option::is_some);
        match self.words().is_empty() {
            false => Matches::Words,
            true if by_key || self.filter.ids.is_some() => Matches::Key,
            true if self.is_range() => Matches::Range,
            true => Matches::Key,
        }
    }
}

impl List for ProductList<'_> {
    type Query = Filtered;
    type Row = ProductRow;

    fn every(&self) -> Filtered {
        products::table
            .filter(dsl::account_id.eq(self.account.to_string()))
            .filter(dsl::deleted_at.is_null())
            .into_boxed()
    }

    fn range(&self) -> Filtered {
        let query = products::table.filter(dsl::account_id.eq(self.account.to_string()));
        match self.filter.updated_since {
            Some(since) if self.is_bounded() => {
                query.filter(dsl::updated_at.ge(since.micros())).into_boxed()
            }
            _ => query.into_boxed(),
        }
    }

    fn is_bounded(&self) -> bool {
        self.sort.by == ProductSort::UpdatedAt && self.filter.updated_since.is_some()
    }

    fn matching(&self, db: &Db, look: Look) -> Filtered {
        let (account, filter) = (self.account.to_string(), self.filter);
        let mut query = self.every();
        let words = self.words();
        if !words.is_empty() {
            query = query.filter(searched::PRODUCTS.finds(db, look, self.account, &words));
        }
        if let Some(ids) = &filter.ids {
            query = query.filter(dsl::id.eq_any(ids.iter().map(ToString::to_string)));
        }
        if let Some(external_id) = &filter.external_id {
            query = query.filter(dsl::external_id.eq(external_id.clone()));
        }
        if let Some(sku) = &filter.sku {
            let holder = skus::table
                .filter(skus::account_id.eq(account.clone()))
                .filter(skus::sku.eq_any(spellings(sku)))
                .select(skus::product_id);
            query = query.filter(dsl::id.eq_any(holder));
        }
        if let Some(ean) = &filter.ean {
            let of_variant = variants::table
                .filter(variants::account_id.eq(account))
                .filter(variants::ean.eq(ean.clone()))
                .select(variants::product_id);
            query = query
                .filter(dsl::ean.eq(ean.clone()).assume_not_null().or(dsl::id.eq_any(of_variant)));
        }
        if filter.category.is_some() {
            let inside = product_categories::table
                .filter(product_categories::account_id.eq(self.account.to_string()))
                .filter(product_categories::category_id.eq_any(self.within.clone()))
                .select(product_categories::product_id);
            query = query.filter(dsl::id.eq_any(inside));
        }
        if filter.price_list.is_some() {
            // No list has an empty identifier.
            let list = self.listed.clone().unwrap_or_default();
            let priced = price_list_items::table
                .filter(price_list_items::account_id.eq(self.account.to_string()))
                .filter(price_list_items::list_id.eq(list))
                .select(price_list_items::product_id);
            query = query.filter(dsl::id.eq_any(priced));
        }
        if let Some(status) = filter.status {
            query = query.filter(dsl::status.eq(status.name()));
        }
        if let Some(since) = filter.updated_since {
            query = query.filter(dsl::updated_at.ge(since.micros()));
        }
        query
    }

    listing::asks_each_word!(searched::PRODUCTS);

    fn between(
        &self,
        query: Filtered,
        behind: Option<&Cursor>,
        until: Option<&Cursor>,
    ) -> Filtered {
        let ascending = self.sort.ascending;
        let name = |cursor: &Cursor| Some(cursor.key.clone());
        match self.sort.by {
            ProductSort::CreatedAt => between!(query, ascending, dsl::id, behind, until),
            ProductSort::UpdatedAt => {
                between!(query, ascending, dsl::id, behind, until, dsl::updated_at, number_key)
            }
            ProductSort::Price => {
                between!(query, ascending, dsl::id, behind, until, dsl::price, number_key)
            }
            ProductSort::Name => {
                between!(query, ascending, dsl::id, behind, until, dsl::sort_name, name)
            }
        }
    }

    listing::loads!(ProductRow, dsl);

    fn places(
        &self,
        db: &mut Db,
        query: Filtered,
        offset: i64,
        limit: i64,
    ) -> QueryResult<Vec<Cursor>> {
        let query = query.offset(offset).limit(limit);
        let place = |(id, key): (String, String)| self.cursor(key, &id);
        let number = |(id, key): (String, i64)| place((id, key.to_string()));
        Ok(match self.sort.by {
            ProductSort::CreatedAt => {
                let ids: Vec<String> = query.select(dsl::id).load(db)?;
                ids.into_iter().map(|id| place((id, String::new()))).collect()
            }
            ProductSort::UpdatedAt => {
                let rows = query.select((dsl::id, dsl::updated_at)).load(db)?;
                rows.into_iter().map(number).collect()
            }
            ProductSort::Price => {
                let rows = query.select((dsl::id, dsl::price)).load(db)?;
                rows.into_iter().map(number).collect()
            }
            ProductSort::Name => {
                let rows = query.select((dsl::id, dsl::sort_name)).load(db)?;
                rows.into_iter().map(place).collect()
            }
        })
    }

    fn compare(&self, one: &Cursor, other: &Cursor) -> Ordering {
        let by_numbers = self.sort.by != ProductSort::Name;
        listing::compared(one, other, self.sort.ascending, by_numbers)
    }

    fn place(&self, row: &ProductRow) -> Cursor {
        let key = match self.sort.by {
            ProductSort::CreatedAt => String::new(),
            ProductSort::UpdatedAt => row.updated_at.to_string(),
            ProductSort::Price => row.price.to_string(),
            ProductSort::Name => sort_name(&row.name),
        };
        self.cursor(key, &row.id)
    }
}
