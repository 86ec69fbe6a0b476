//! Search terms that are made anew in the background: of rows from before the present rules, and of orders whose
//! customer has other terms than they were written with.

use diesel::{QueryResult, RunQueryDsl, sql_types::Text};
use engine::cleanup::{Chore, Found, LOOKED_AT_MAX, SLICE_ROWS};
use kernel::Timestamp;

use crate::{
    catalog,
    crm::{self, customers},
    db::{Db, on},
    invoices, orders,
    statement::Statement,
    tx::Tx,
};

/// Makes the terms of a row anew.
type Renew = fn(&mut Tx<'_>, account: &str, id: &str) -> QueryResult<()>;

/// Rows of one table whose terms are outdated; a place is an account. Their version is written into the statements,
/// because only so it is found by its partial index.
struct Outdated {
    find: &'static str,
    some: &'static str,
    renew: Renew,
}

macro_rules! outdated {
    ($table:literal, $renew:expr) => {
        Outdated {
            find: concat!(
                "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM ",
                $table,
                " t WHERE t.account_id = a.id AND t.search_version < 1) THEN 'yes' ELSE 'no' END ",
                "FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?"
            ),
            some: concat!(
                "SELECT t.id FROM ",
                $table,
                " t WHERE t.account_id = ? AND t.search_version < 1 ORDER BY t.id LIMIT ?"
            ),
            renew: $renew,
        }
    };
}

/// What is to be looked after.
pub(crate) fn chores() -> Vec<Box<dyn Chore>> {
    vec![
        Box::new(outdated!("products", catalog::renew_terms)),
        Box::new(outdated!("customers", customers::renew_terms)),
        Box::new(outdated!("orders", orders::renew_terms)),
        Box::new(outdated!("leads", crm::renew_lead_terms)),
        Box::new(outdated!("invoice_facts", invoices::facts::renew_terms)),
        Box::new(invoices::facts::MakeAnew),
        Box::new(Renamed),
        Box::new(orders::MakeBlocks),
    ]
}

fn accounts(db: &mut Db, sql: &'static str, after: &str) -> QueryResult<Found> {
    let values = [after.to_owned().into(), LOOKED_AT_MAX.into()];
    let rows: Vec<(String, String)> =
        on!(db, |conn| Statement::<(Text, Text)>::new(sql, values).load(conn))?;
    Ok(Found::of(rows.into_iter().map(|(account, has)| (account, has == "yes")).collect()))
}

fn some(tx: &mut Tx<'_>, sql: &'static str, account: &str) -> QueryResult<Vec<String>> {
    let values = [account.to_owned().into(), SLICE_ROWS.into()];
    let rows: Vec<(String,)> =
        on!(&mut *tx.db, |conn| Statement::<(Text,)>::new(sql, values).load(conn))?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

impl Chore for Outdated {
    fn find(&self, db: &mut Db, after: &str, _: Timestamp) -> QueryResult<Found> {
        accounts(db, self.find, after)
    }

    fn remove(&self, tx: &mut Tx<'_>, account: &str, _: Timestamp) -> QueryResult<u64> {
        let ids = some(tx, self.some, account)?;
        for id in &ids {
            (self.renew)(tx, account, id)?;
        }
        Ok(ids.len() as u64)
    }
}

/// Orders of customers whose terms have changed.
struct Renamed;

impl Chore for Renamed {
    fn find(&self, db: &mut Db, after: &str, _: Timestamp) -> QueryResult<Found> {
        let find = "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM customers c WHERE c.account_id = a.id \
            AND c.orders_renamed_to IS NOT NULL) THEN 'yes' ELSE 'no' END \
            FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?";
        accounts(db, find, after)
    }

    fn remove(&self, tx: &mut Tx<'_>, account: &str, _: Timestamp) -> QueryResult<u64> {
        let renaming = "SELECT c.id FROM customers c WHERE c.account_id = ? \
            AND c.orders_renamed_to IS NOT NULL ORDER BY c.id LIMIT ?";
        let mut renamed = 0;
        for customer in some(tx, renaming, account)? {
            renamed += customers::rename_orders(tx, account, &customer)?;
            if renamed >= SLICE_ROWS.unsigned_abs() {
                break;
            }
        }
        Ok(renamed)
    }
}
