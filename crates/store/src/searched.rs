//! The tables that are searched, and what leads to orders and invoices.

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
const INVOICE_FACTS: Searched = Searched::indexed("invoice_facts", 'i');
pub(crate) const INVOICES: Searched = Searched {
    leads: &[Lead::Row, Lead::Beside(&INVOICE_FACTS)],
    terms_in: INVOICE_FACTS.table,
    ..Searched::indexed("invoices", 'i')
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

    /// Asks how a search of a table is carried out instead of carrying it out.
    struct Explain(&'static str, Condition);

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
            for sql in ["EXPLAIN QUERY PLAN SELECT id FROM ", self.0, " WHERE account_id = '' AND "]
            {
                out.push_sql(sql);
            }
            self.1.walk_ast(out)
        }
    }

    fn database() -> Db {
        let mut conn = SqliteConnection::establish(":memory:").unwrap();
        conn.run_pending_migrations(MIGRATIONS.sqlite).unwrap();
        Db::Sqlite(conn)
    }

    /// The steps by which rows with some words are found.
    fn steps(db: &mut Db, searched: Searched, words: &Words) -> Vec<String> {
        let look = Look::Index(WordSet::ALL);
        let finds = searched.finds(db, look, AccountId::from_u128(1), words);
        let steps: Vec<(i32, i32, i32, String)> = Explain(searched.table, finds).load(db).unwrap();
        steps.into_iter().map(|(.., step)| step).collect()
    }

    /// A list of a million orders is not walked for the few that are wanted of it.
    #[test]
    fn orders_are_found_by_what_leads_to_them() {
        let mut db = database();
        assert_eq!(orders::table.count().first(&mut db), Ok(0));
        for words in ["sku-123456", "ORD-7", "ana@correo.mx", "ana 7"] {
            let steps = steps(&mut db, ORDERS, &Words::parse(words).unwrap());
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

    /// Nor are a million invoices, or their terms.
    #[test]
    fn invoices_are_found_by_their_terms_and_by_name() {
        let mut db = database();
        for words in ["universidad", "f-123 universidad"] {
            let words = Words::parse(words).unwrap();
            let named = |_: &str| Ok::<_, ()>(vec!["inv_1".to_owned(), "inv_2".to_owned()]);
            let steps = steps(&mut db, INVOICES, &words.or_rows(named).unwrap());
            for read in ["invoices", "o", "t"] {
                let mut reads = steps.iter().filter(|step| step.contains(&format!(" {read} ")));
                let by_key = |step: &String| step.contains("(account_id=? AND id=?)");
                assert!(reads.all(by_key), "{read} in {steps:#?}");
            }
            assert!(steps.iter().any(|step| step.contains("VIRTUAL TABLE")), "{steps:#?}");
        }
    }
}
