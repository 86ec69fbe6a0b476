//! What the writer remembers of what its last batch has read and left: as long as nothing else is written, that is what there
//! is. The writer is alone with the database, so whatever the batches have in common is looked up once.

use diesel::{
    QueryResult, RunQueryDsl, SqliteConnection,
    query_builder::{AstPass, Query, QueryFragment, QueryId},
    sql_types::BigInt,
    sqlite::Sqlite,
};

use crate::orders::place::loaded::{Loaded, Wanted};

/// Offers and customers that are remembered at most, most of them less than a kilobyte.
const THINGS_MAX: usize = 20_000;

/// What is known at a moment.
#[derive(Default)]
pub(in crate::orders::place) struct Remembered(Option<(Moment, Loaded)>);

/// What has been written by then: how many rows by this connection, and which state others have left.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Moment {
    changes: i64,
    version: i64,
}

impl Remembered {
    /// What is known of what a batch asks for, and of other things; nothing if anything was written since.
    pub(in crate::orders::place) fn recall(
        self,
        conn: &mut SqliteConnection,
        wanted: &Wanted,
    ) -> QueryResult<Loaded> {
        let Some((moment, known)) = self.0 else { return Ok(Loaded::default()) };
        let is_usual = wanted.naming.is_empty() && wanted.listing.is_empty();
        match is_usual && Moment::now(conn)? == moment {
            true => Ok(known),
            false => Ok(Loaded::default()),
        }
    }

    /// Remembers what a batch has left, before anything else is written. Of accounts with price lists nothing is remembered,
    /// and neither are answers and identifiers that are looked up for one order.
    pub(in crate::orders::place) fn of(
        conn: &mut SqliteConnection,
        wanted: &Wanted,
        mut left: Loaded,
    ) -> QueryResult<Self> {
        let is_usual = wanted.naming.is_empty() && left.price_lists.is_empty();
        if !is_usual || left.offers.len() + left.customers.len() > THINGS_MAX {
            return Ok(Self::default());
        }
        left.answers.clear();
        left.external_ids.clear();
        Ok(Self(Some((Moment::now(conn)?, left))))
    }
}

impl Moment {
    fn now(conn: &mut SqliteConnection) -> QueryResult<Self> {
        let changes = CountChanges.get_result(conn)?;
        let version = FindVersion.get_result(conn)?;
        Ok(Self { changes, version })
    }
}

/// Declares a question for a number, which is prepared once.
macro_rules! number {
    ($(#[$about:meta])* $name:ident, $sql:literal) => {
        $(#[$about])*
        struct $name;

        impl QueryId for $name {
            type QueryId = $name;
            const HAS_STATIC_QUERY_ID: bool = true;
        }

        impl Query for $name {
            type SqlType = BigInt;
        }

        impl RunQueryDsl<SqliteConnection> for $name {}

        impl QueryFragment<Sqlite> for $name {
            fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Sqlite>) -> QueryResult<()> {
                out.push_sql($sql);
                Ok(())
            }
        }
    };
}

number! {
    /// Rows that this connection has written, those of triggers and those that were rolled back included.
    CountChanges, "SELECT total_changes()"
}
number! {
    /// Another number whenever another connection has committed something.
    FindVersion, "PRAGMA data_version"
}
