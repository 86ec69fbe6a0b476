//! The tables that are searched, and what leads to orders.

use crate::search::{Lead, Searched};

pub(crate) const PRODUCTS: Searched = Searched::indexed("products", 'p');
pub(crate) const CUSTOMERS: Searched = Searched::indexed("customers", 'c');
pub(crate) const LEADS: Searched = Searched::indexed("leads", 'l');
const ORDER_BLOCKS: Searched = Searched::indexed("order_blocks", 'b');
pub(crate) const ORDERS: Searched = Searched {
    leads: &[
        Lead::Number("number"),
        Lead::Through("customer_id", &CUSTOMERS),
        Lead::Block("number", &ORDER_BLOCKS),
    ],
    ..Searched::indexed("orders", 'o')
};

#[cfg(test)]
mod tests {
    use diesel::{
        prelude::*,
        query_builder::{AstPass, Query, QueryFragment, QueryId},
        sql_types::{Integer, Text},
    };
    use diesel_migrations::MigrationHarness;
    use kernel::{AccountId, search::Words};

    use super::*;
    use crate::{
        db::Db,
        migrations::MIGRATIONS,
        schema::orders,
        search::{Condition, Look, WordSet},
    };

    type Backend = <Db as Connection>::Backend;

    /// Asks how a search is carried out instead of carrying it out.
    struct Explain(Condition);

    impl QueryId for Explain {
        type QueryId = ();
        const HAS_STATIC_QUERY_ID: bool = false;
    }

    impl Query for Explain {
        type SqlType = (Integer, Integer, Integer, Text);
    }

    impl RunQueryDsl<Db> for Explain {}

    impl QueryFragment<Backend> for Explain {
        fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Backend>) -> QueryResult<()> {
            out.push_sql("EXPLAIN QUERY PLAN SELECT orders.id FROM orders WHERE ");
            self.0.walk_ast(out)
        }
    }

    /// A list of a million orders is not walked for the few that are wanted of it.
    #[test]
    fn orders_are_found_by_what_leads_to_them() {
        let mut conn = SqliteConnection::establish(":memory:").unwrap();
        conn.run_pending_migrations(MIGRATIONS.sqlite).unwrap();
        let mut db = Db::Sqlite(conn);
        assert_eq!(orders::table.count().first(&mut db), Ok(0));
        for words in ["sku-123456", "ORD-7", "ana@correo.mx", "ana 7"] {
            let look = Look::Index(WordSet::ALL);
            let words = Words::parse(words).unwrap();
            let finds = ORDERS.finds(&db, look, AccountId::from_u128(1), &words);
            let steps: Vec<(i32, i32, i32, String)> = Explain(finds).load(&mut db).unwrap();
            let steps: Vec<String> = steps.into_iter().map(|(.., step)| step).collect();
            // Whatever reads orders begins with more than their account.
            let reads = ["SEARCH o ", "SEARCH b ", "SCAN o", "SCAN b"];
            let reads = steps.iter().filter(|step| reads.iter().any(|it| step.starts_with(it)));
            let reads: Vec<_> = reads.collect();
            assert!(reads.len() >= 4, "{steps:#?}");
            for step in reads {
                assert!(step.contains("(account_id=? AND "), "{step} in {steps:#?}");
            }
        }
    }
}
