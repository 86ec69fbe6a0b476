//! The last folio of each series.

use std::collections::BTreeMap;

use ::invoices::{
    InvoiceError,
    series::{SeriesFolio, continued},
};
use diesel::{prelude::*, query_dsl::methods, sql_types::BigInt};
use kernel::{AccountId, Ctx};

use super::issuer;
use crate::{
    db::{Db, first_locked, on},
    error::{Failure, refuse_stale},
    rows::corrupt,
    schema::invoice_folios::{self as folios, dsl},
    statement::Statement,
    tx::Tx,
};

/// Takes the next folio of a series.
pub(super) fn take(tx: &mut Tx<'_>, account: AccountId, series: &str) -> QueryResult<u64> {
    let values = [account.to_string().into(), series.to_owned().into()];
    let take = Statement::<BigInt>::new(
        "INSERT INTO invoice_folios (account_id, series, last) VALUES (?, ?, 1) \
         ON CONFLICT (account_id, series) DO UPDATE SET last = invoice_folios.last + 1 RETURNING last",
        values,
    );
    let folio: i64 = on!(tx.db, |conn| take.get_result(conn))?;
    unsigned(folio)
}

/// The series that have folios and those that the issuer names, by name.
pub(super) fn list(db: &mut Db, account: AccountId) -> QueryResult<Vec<SeriesFolio>> {
    let rows: Vec<(String, i64)> = folios::table
        .filter(dsl::account_id.eq(account.to_string()))
        .select((dsl::series, dsl::last))
        .load(db)?;
    let mut series: BTreeMap<String, u64> = BTreeMap::new();
    if let Some(issuer) = issuer::by_account(db, account)? {
        let named = issuer.series;
        let named = [named.income, named.credit, named.payment, named.transfer];
        series.extend(named.into_iter().map(|name| (name, 1)));
    }
    for (name, last) in rows {
        series.insert(name, unsigned(last)? + 1);
    }
    let folio = |(series, next_folio)| SeriesFolio { series, next_folio };
    Ok(series.into_iter().map(folio).collect())
}

/// Has a series go on with another folio.
pub(super) fn continue_at(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    wanted: &SeriesFolio,
    seen: Option<i64>,
) -> Result<SeriesFolio, Failure<InvoiceError>> {
    let before = last_of(tx, ctx.account, &wanted.series)?;
    refuse_stale(seen, before + 1)?;
    let last = continued(unsigned(before)?, wanted.next_folio)?;
    let last = i64::try_from(last).unwrap_or(i64::MAX);
    if last == before {
        return Ok(wanted.clone());
    }
    let account = ctx.account.to_string();
    let row = (dsl::account_id.eq(account), dsl::series.eq(&wanted.series), dsl::last.eq(last));
    let changed = on!(tx.db, |conn| {
        let upsert = diesel::insert_into(folios::table)
            .values(row)
            .on_conflict((dsl::account_id, dsl::series))
            .do_update()
            .set(dsl::last.eq(last));
        methods::FilterDsl::filter(upsert, dsl::last.lt(last)).execute(conn)
    })?;
    if changed == 0 {
        // The series had no folio yet, and has been past this one meanwhile.
        let taken = last_of(tx, ctx.account, &wanted.series)?;
        let _ = continued(unsigned(taken)?, wanted.next_folio)?;
    }
    Ok(wanted.clone())
}

/// The last folio of a series, zero before the first; nobody takes the next until the end of the transaction.
fn last_of(tx: &mut Tx<'_>, account: AccountId, series: &str) -> QueryResult<i64> {
    let row = first_locked!(
        tx.db,
        FolioRow,
        folios::table
            .filter(dsl::account_id.eq(account.to_string()))
            .filter(dsl::series.eq(series))
    )?;
    Ok(row.map_or(0, |row| row.last))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = folios)]
struct FolioRow {
    last: i64,
}

fn unsigned(folio: i64) -> QueryResult<u64> {
    u64::try_from(folio).map_err(|_| corrupt("a folio below zero"))
}
