//! The statement that adds up rows of invoices and the figures beside them.

use ::invoices::{
    Status,
    sums::{Figures, Sums},
};
use cfdi::document::DocumentType;
use diesel::{
    prelude::*,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    sql_types::{BigInt, Text},
};
use kernel::{AccountId, Sum};

use super::Backend;
use crate::{
    db::Db,
    invoices::list::Filtered,
    rows::{corrupt, currency, read, read_name},
    schema::invoices::dsl,
};

/// Millionths in one unit. Units and millionths are added up apart: the sum of a million of the largest amounts is more
/// than a whole number of the databases.
const SCALE: i128 = 1_000_000;

/// What is added up of each group: amounts and balances, and the figures beside them in the order of [`Figures`].
const COLUMNS: [&str; 11] = [
    "i.total",
    "i.balance",
    "f.subtotal",
    "f.discount",
    "f.transferred_iva",
    "f.transferred_ieps",
    "f.withheld_isr",
    "f.withheld_iva",
    "f.withheld_ieps",
    "f.local_charged",
    "f.local_withheld",
];

/// Rows of invoices, with the figures beside them, added up by type, status and currency.
pub(super) struct Grouped<Rows> {
    account: String,
    rows: Rows,
}

pub(super) fn grouped(account: AccountId, rows: Filtered) -> Grouped<impl QueryFragment<Backend>> {
    let columns = (dsl::id, dsl::kind, dsl::status, dsl::currency, dsl::total, dsl::balance);
    Grouped { account: account.to_string(), rows: rows.select(columns) }
}

/// The sums of one type, status and currency as the database gives them.
#[derive(Queryable)]
pub(super) struct Group {
    kind: String,
    status: String,
    currency: String,
    count: i64,
    with_facts: i64,
    /// Units and millionths of each sum, separated by spaces.
    sums: String,
}

impl<Rows> QueryId for Grouped<Rows> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Rows> Query for Grouped<Rows> {
    type SqlType = (Text, Text, Text, BigInt, BigInt, Text);
}

impl<Rows> RunQueryDsl<Db> for Grouped<Rows> {}

impl<Rows: QueryFragment<Backend>> QueryFragment<Backend> for Grouped<Rows> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Backend>) -> QueryResult<()> {
        out.unsafe_to_cache_prepared();
        out.push_sql("SELECT i.kind, i.status, i.currency, COUNT(*), COUNT(f.id), ");
        for (position, column) in COLUMNS.iter().enumerate() {
            out.push_sql(if position == 0 { "" } else { " || ' ' || " });
            for (start, end) in [
                ("COALESCE(CAST(SUM(", " / 1000000) AS TEXT), '0') || ' ' || "),
                ("COALESCE(CAST(SUM(", " % 1000000) AS TEXT), '0')"),
            ] {
                out.push_sql(start);
                out.push_sql(column);
                out.push_sql(end);
            }
        }
        out.push_sql(" FROM (");
        self.rows.walk_ast(out.reborrow())?;
        out.push_sql(") i LEFT JOIN invoice_facts f ON f.account_id = ");
        out.push_bind_param::<Text, _>(&self.account)?;
        out.push_sql(" AND f.id = i.id GROUP BY i.kind, i.status, i.currency");
        Ok(())
    }
}

impl Group {
    /// The sums, if every invoice has its figures.
    pub(super) fn sums(self) -> QueryResult<Sums> {
        if self.with_facts != self.count {
            return Err(corrupt(format!(
                "{} invoices without facts",
                self.count - self.with_facts
            )));
        }
        let mut numbers = self.sums.split(' ').map(str::parse::<i128>);
        let mut next = || match (numbers.next(), numbers.next()) {
            (Some(Ok(units)), Some(Ok(millionths))) => {
                Ok(Sum::from_micros(units * SCALE + millionths))
            }
            _ => Err(corrupt("sums that are no numbers")),
        };
        let amounts = (next()?, next()?);
        let figures = Figures {
            subtotal: next()?,
            discount: next()?,
            transferred_iva: next()?,
            transferred_ieps: next()?,
            withheld_isr: next()?,
            withheld_iva: next()?,
            withheld_ieps: next()?,
            local_charged: next()?,
            local_withheld: next()?,
        };
        let group = (
            read(&self.kind, DocumentType::from_code)?,
            read_name(&self.status, Status::EVERY, Status::name)?,
            currency(&self.currency)?,
        );
        let count = u64::try_from(self.count).unwrap_or_default();
        Ok(Sums::of_amount(group, count, figures, amounts))
    }
}
