//! How PostgreSQL looks for words where one account has many rows, and others have some.

use diesel::{
    Connection, PgConnection, QueryResult, RunQueryDsl,
    connection::SimpleConnection,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    sql_types::Text,
};
use engine::{
    db::Db,
    search::{Condition, Look, Searched, WordSet},
};
use kernel::search::Words;
use testkit::DatabaseKind;

use crate::batches::Shop;

type Backend = <Db as Connection>::Backend;

/// As connections of lists are set.
const BY_INDEX_ONLY: &str =
    "SET enable_seqscan = off; SET jit = off; SET max_parallel_workers_per_gather = 0";

/// Asks how rows with some words are found instead of finding them: the statement up to the condition, and what follows it.
struct Explain(String, Condition, &'static str);

impl QueryId for Explain {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl Query for Explain {
    type SqlType = Text;
}

impl RunQueryDsl<Db> for Explain {}

impl QueryFragment<Backend> for Explain {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Backend>) -> QueryResult<()> {
        out.push_sql("EXPLAIN ");
        out.push_sql(&self.0);
        self.1.walk_ast(out.reborrow())?;
        out.push_sql(self.2);
        Ok(())
    }
}

/// A shop with 20,000 products beside 200 others with 20 each, which are newer than its own.
fn crowded() -> (Shop, Db) {
    let shop = Shop::open(DatabaseKind::Postgres);
    let product = shop.product("SKU", 1);
    let mut conn = PgConnection::establish(&shop.database.url).unwrap();
    let columns =
        "sku, price, currency, status, tax_included, taxes, metadata, created_at, version";
    let copy = |account: &str, id: &str, rows: &str| {
        format!(
            "INSERT INTO products (account_id, id, name, sort_name, search_text, search_version, updated_at, {columns}) \
             SELECT {account}, {id}, 'Copia', 'copia', 'copia n' || i, 1, updated_at, {columns} \
             FROM products, {rows} WHERE id = '{}'",
            product.id
        )
    };
    let own = copy(
        "account_id",
        "'prd_0' || lpad(i::text, 16, '0') || '000000000'",
        "generate_series(1, 20000) i",
    );
    let others = copy(
        "'acc_' || a",
        "'prd_7' || lpad(i::text, 16, '0') || '000000000'",
        "generate_series(1, 200) a, generate_series(1, 20) i",
    );
    conn.batch_execute(&format!("{own}; {others}; ANALYZE products; {BY_INDEX_ONLY}")).unwrap();
    (shop, Db::Postgres(conn))
}

/// A rare word is looked up in its index alone: not in the keys of all of the account's rows, to see which it leads to.
#[test]
fn a_word_that_few_have_is_found_in_its_index() {
    let (shop, mut db) = crowded();
    let words = Words::parse("n1777").unwrap();
    let products = Searched::indexed("products", 'p');
    let finds = products.finds(&db, Look::Index(WordSet::ALL), shop.account, &words);
    let select = format!(
        "SELECT id FROM products WHERE account_id = '{}' AND deleted_at IS NULL AND ",
        shop.account
    );
    let lines: Vec<String> =
        Explain(select, finds, " ORDER BY id DESC LIMIT 21").load(&mut db).unwrap();
    let plan = lines.join("\n");
    assert!(plan.contains("Bitmap Index Scan on products_by_term"), "{plan}");
    assert!(plan.contains("Tid Scan on products"), "{plan}");
    assert!(!plan.contains("products_pkey") && !plan.contains("Seq Scan"), "{plan}");
}

/// The newest rows of an account are read by their key though all that is newer is of others.
#[test]
fn the_newest_rows_of_one_account_are_read_alone() {
    let (shop, mut db) = crowded();
    let words = Words::parse("n1777").unwrap();
    let finds = Searched::indexed("products", 'p').finds(&db, Look::Rows, shop.account, &words);
    let select = format!(
        "SELECT id FROM products WHERE account_id = '{}' AND id >= 'prd_0000000000001900' AND ",
        shop.account
    );
    let lines: Vec<String> =
        Explain(select, finds, " ORDER BY id DESC LIMIT 21").load(&mut db).unwrap();
    let plan = lines.join("\n");
    assert!(plan.contains("products_pkey") && !plan.contains("Seq Scan"), "{plan}");
}
