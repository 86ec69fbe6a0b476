//! Quotes whose last day is over, noted and told.

use ::quotes::{QuoteId, Status, expire};
use diesel::{prelude::*, sql_types::Text};
use engine::cleanup::{Chore, Found, LOOKED_AT_MAX, SLICE_ROWS};
use kernel::{AccountId, Timestamp};

use super::{drafting, rows};
use crate::{
    db::{Db, on},
    rows::read,
    schema::quotes::{self as table, dsl},
    statement::Statement,
    tx::Tx,
};

const FIND: &str = "SELECT a.id, CASE WHEN EXISTS (SELECT 1 FROM quotes q WHERE q.account_id = a.id \
    AND q.status = 'sent' AND q.expires_at <= ?) THEN 'yes' ELSE 'no' END \
    FROM accounts a WHERE a.id > ? ORDER BY a.id LIMIT ?";

/// Quotes that were sent and whose last day is over are noted as expired. Nobody depends on it but who is told: they are taken
/// as expired from that moment on.
pub(crate) struct Expired;

impl Chore for Expired {
    fn find(&self, db: &mut Db, after: &str, now: Timestamp) -> QueryResult<Found> {
        let values = [now.micros().into(), after.to_owned().into(), LOOKED_AT_MAX.into()];
        let rows: Vec<(String, String)> =
            on!(db, |conn| { Statement::<(Text, Text)>::new(FIND, values).load(conn) })?;
        Ok(Found::of(rows.into_iter().map(|(account, has)| (account, has == "yes")).collect()))
    }

    fn remove(&self, tx: &mut Tx<'_>, account: &str, now: Timestamp) -> QueryResult<u64> {
        let ids: Vec<String> = table::table
            .filter(dsl::account_id.eq(account))
            .filter(dsl::status.eq(Status::Sent.name()))
            .filter(dsl::expires_at.le(now.micros()))
            .order(dsl::expires_at)
            .limit(SLICE_ROWS)
            .select(dsl::id)
            .load(tx.db)?;
        let account = read(account, AccountId::parse)?;
        let mut noted = 0;
        for id in &ids {
            let id = read(id, QuoteId::parse)?;
            // Whoever accepts at the same moment has come first, or finds that the time is over.
            let Some((quote, _)) = rows::locked(tx, account, id)? else { continue };
            if let Some(expired) = expire(&quote, now) {
                drafting::expire(tx, account, expired, now)?;
                noted += 1;
            }
        }
        Ok(noted)
    }
}
