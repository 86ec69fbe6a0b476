//! How sums are read, on SQLite.

use ::invoices::{BranchId, CancellationStatus, IssuerId};
use cfdi::document::DocumentType;
use diesel::{
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    sql_types::Integer,
};
use diesel_migrations::MigrationHarness;
use kernel::Timestamp;

use super::*;
use crate::migrations::MIGRATIONS;

/// Asks how a query is carried out instead of carrying it out.
struct Explain<Q>(Q);

impl<Q> QueryId for Explain<Q> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Q> Query for Explain<Q> {
    type SqlType = (Integer, Integer, Integer, Text);
}

impl<Q> RunQueryDsl<Db> for Explain<Q> {}

impl<Q: QueryFragment<Backend>> QueryFragment<Backend> for Explain<Q> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Backend>) -> QueryResult<()> {
        out.push_sql("EXPLAIN QUERY PLAN ");
        self.0.walk_ast(out)
    }
}

fn explained(db: &mut Db, query: impl QueryFragment<Backend>) -> Vec<String> {
    let steps: Vec<(i32, i32, i32, String)> = Explain(query).load(db).unwrap();
    steps.into_iter().map(|(.., step)| step).collect()
}

fn database() -> Db {
    let mut conn = SqliteConnection::establish(":memory:").unwrap();
    conn.run_pending_migrations(MIGRATIONS.sqlite).unwrap();
    Db::Sqlite(conn)
}

/// A million wide rows are not read for the sums of a year.
#[test]
fn sums_are_read_from_indexes() {
    let mut db = database();
    let account = AccountId::from_u128(1);
    let (from, to) = (Timestamp::from_micros(0), Timestamp::from_micros(1_000_000));
    let every = InvoiceFilter {
        status: Some(Status::Stamped),
        kind: Some(DocumentType::Income),
        issuer: Some(IssuerId::from_u128(2)),
        branch: Some(BranchId::from_u128(3)),
        series: Some("F".to_owned()),
        rfc: Some("XAXX010101000".to_owned()),
        cancellation: Some(Some(CancellationStatus::Rejected)),
        ..InvoiceFilter::default()
    };
    let plain = InvoiceFilter::default();
    for filter in [plain, every] {
        let bounded = |is_by_stamp: bool| {
            let some = |moment, is_wanted: bool| is_wanted.then_some(moment);
            InvoiceFilter {
                stamped_from: some(from, is_by_stamp),
                stamped_to: some(to, is_by_stamp),
                created_from: some(from, !is_by_stamp),
                created_to: some(to, !is_by_stamp),
                ..filter.clone()
            }
        };
        for (is_by_stamp, index) in [
            (
                true,
                "COVERING INDEX invoices_by_stamp (account_id=? AND stamped_at>? AND stamped_at<?)",
            ),
            (
                false,
                "COVERING INDEX invoices_by_status (account_id=? AND status=? AND id>? AND id<?)",
            ),
        ] {
            let query = SumsQuery::of(bounded(is_by_stamp)).unwrap();
            let ranged = ranged(query.filter());
            let list = InvoiceList::of(&mut db, account, &ranged, Sorting::default());
            let list = list.unwrap().unwrap();
            for status in statuses(&query) {
                let rows = list.matching(&db, Look::Rows);
                let rows = of_entries(rows, account, query.filter(), status);
                let steps = explained(&mut db, grouped(account, rows));
                assert!(steps.iter().any(|step| step.contains(index)), "{steps:#?}");
                let facts = "SEARCH f USING PRIMARY KEY (account_id=? AND id=?)";
                assert!(steps.iter().any(|step| step.starts_with(facts)), "{steps:#?}");
            }
        }
    }
}

/// Nearly always there is none that is outdated, which must cost nothing to know.
#[test]
fn what_is_outdated_has_its_index() {
    let mut db = database();
    let step = explained(&mut db, outdated(AccountId::from_u128(1))).concat();
    assert!(step.contains("INDEX invoices_facts_outdated (account_id=?)"), "{step}");
}
