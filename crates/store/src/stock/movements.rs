//! Pages of the ledger.

use std::cmp::Ordering;

use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{Bool, Text},
};
use inventory::{Movement, MovementFilter, MovementId, MovementQuery, Reason};
use kernel::{AccountId, Page, page::Cursor};

use super::{ledger::MovementRow, units::Units};
use crate::{
    db::Db,
    listing::{self, List, Matches, between},
    schema::stock_movements::{self as table, dsl},
    search::Look,
    unreadable::readable,
};

type Filtered = table::BoxedQuery<'static, <Db as Connection>::Backend>;

/// What the indexes of the ledger leave out, as they say it.
const NOT_OF_ORDERS: &str = "reason NOT IN ('order', 'cancellation', 'shipment')";
/// How the identifiers of orders begin, which name most rows.
const ORDERS: &str = "ord_";

pub(super) fn movements(
    db: &mut Db,
    account: AccountId,
    query: &MovementQuery,
) -> QueryResult<Page<Movement>> {
    let list = Ledger { account, filter: &query.filter };
    // How long the ledger is nobody counts: far more than what is looked at first.
    let (rows, total) = listing::find(db, &list, &query.page, i64::MAX, list.matches())?;
    let key = |row: &MovementRow| (row.account_id.clone(), row.id.clone());
    let read = |rows: Vec<MovementRow>| {
        let units = Units::of_rows(db, account, rows.iter().map(|row| &row.product_id))?;
        readable("movement", rows.into_iter().map(|row| (key(&row), row.movement(&units))))
    };
    listing::page_of(rows, &query.page, total, |row| list.place(row), read)
}

struct Ledger<'a> {
    account: AccountId,
    filter: &'a MovementFilter,
}

impl Ledger<'_> {
    /// Whether only rows are asked for that the indexes have.
    fn is_indexed(&self) -> bool {
        let of_orders = [Reason::Order, Reason::Cancellation, Reason::Shipment];
        self.filter.reason.is_some_and(|reason| !of_orders.contains(&reason))
            || self.filter.reference.as_ref().is_some_and(|name| !name.starts_with(ORDERS))
    }

    /// Rows of one cause: by its identifier, or by what people have called it.
    fn caused_by(&self, query: Filtered, reference: &str) -> Filtered {
        let (account, named) = (self.account.to_string(), reference.to_owned());
        let caused = sql::<Bool>("(stock_movements.reference = ")
            .bind::<Text, _>(named.clone())
            .sql(
                " OR stock_movements.reference IN (SELECT a.id FROM stock_adjustments a WHERE a.account_id = ",
            )
            .bind::<Text, _>(account.clone())
            .sql(" AND a.reference = ")
            .bind::<Text, _>(named.clone())
            .sql(" UNION ALL SELECT r.id FROM stock_receipts r WHERE r.account_id = ")
            .bind::<Text, _>(account.clone())
            .sql(" AND r.reference = ")
            .bind::<Text, _>(named.clone())
            .sql(" UNION ALL SELECT t.id FROM transfers t WHERE t.account_id = ")
            .bind::<Text, _>(account)
            .sql(" AND t.reference = ")
            .bind::<Text, _>(named)
            .sql("))");
        query.filter(caused)
    }

    fn matches(&self) -> Matches {
        let MovementFilter { product, warehouse, .. } = self.filter;
        let by_key = product.is_some() || warehouse.is_some();
        let is_key = *self.filter == MovementFilter::default() || (self.is_indexed() && by_key);
        if is_key { Matches::Key } else { Matches::Range }
    }
}

impl List for Ledger<'_> {
    type Query = Filtered;
    type Row = MovementRow;

    fn every(&self) -> Filtered {
        table::table.filter(dsl::account_id.eq(self.account.to_string())).into_boxed()
    }

    fn matching(&self, _: &Db, _: Look) -> Filtered {
        let filter = self.filter;
        let mut query = self.every();
        if self.is_indexed() {
            query = query.filter(sql::<Bool>(NOT_OF_ORDERS));
        }
        if let Some(product) = filter.product {
            query = query.filter(dsl::product_id.eq(product.to_string()));
        }
        if let Some(variant) = filter.variant {
            query = query.filter(dsl::variant_id.eq(variant.to_string()));
        }
        if let Some(warehouse) = filter.warehouse {
            query = query.filter(dsl::warehouse_id.eq(warehouse.to_string()));
        }
        if let Some(reason) = filter.reason {
            query = query.filter(dsl::reason.eq(reason.name()));
        }
        if let Some(reference) = &filter.reference {
            if reference.starts_with(ORDERS) {
                // Nothing moved for an order before there was one.
                let placed = kernel::id::parse(ORDERS, reference).map(kernel::id::moment_of);
                let least = placed.map(kernel::id::least_at).map(MovementId::from_u128);
                if let Some(least) = least {
                    query = query.filter(dsl::id.ge(least.to_string()));
                }
            }
            query = self.caused_by(query, reference);
        }
        // Identifiers begin with their moment.
        if let Some(from) = filter.created_from {
            query = query.filter(dsl::id.ge(MovementId::least_at(from).to_string()));
        }
        if let Some(to) = filter.created_to {
            query = query.filter(dsl::id.lt(MovementId::least_at(to).to_string()));
        }
        query
    }

    fn between(
        &self,
        query: Filtered,
        behind: Option<&Cursor>,
        until: Option<&Cursor>,
    ) -> Filtered {
        between!(query, false, dsl::id, behind, until)
    }

    listing::loads!(MovementRow, dsl);

    fn places(
        &self,
        db: &mut Db,
        query: Filtered,
        offset: i64,
        limit: i64,
    ) -> QueryResult<Vec<Cursor>> {
        let ids: Vec<String> = query.offset(offset).limit(limit).select(dsl::id).load(db)?;
        Ok(ids.iter().map(|id| listing::by_id(id.clone())).collect())
    }

    fn compare(&self, one: &Cursor, other: &Cursor) -> Ordering {
        listing::compared(one, other, false, false)
    }

    fn place(&self, row: &MovementRow) -> Cursor {
        listing::by_id(row.id.clone())
    }
}
