//! The last folio of each series.

use ::accounts::{Act, Action};
use ::invoices::{
    Draft, InvoiceError, IssuerId,
    issuer::{named, unknown},
    series::{SeriesFolio, continued},
};
use diesel::{prelude::*, query_dsl::methods, sql_types::BigInt};
use kernel::{AccountId, Ctx, Refused};

use super::issuers;
use crate::{
    audit,
    db::{first_locked, on},
    error::{Failure, refuse_stale},
    rows::corrupt,
    schema::invoice_folios::{self as folios, dsl},
    statement::Statement,
    tx::Tx,
};

/// What a series is kept under: its name, behind the identifier of its issuer unless that is the first one.
pub(super) fn key_of(account: AccountId, issuer: Option<IssuerId>, series: &str) -> String {
    match issuers::key_of(account, issuer).as_str() {
        "" => series.to_owned(),
        issuer => format!("{issuer}/{series}"),
    }
}

/// Takes the next folio of a draft's series.
pub(super) fn take(tx: &mut Tx<'_>, account: AccountId, draft: &Draft) -> QueryResult<u64> {
    let key = key_of(account, draft.issuer, &draft.series);
    let values = [account.to_string().into(), key.into()];
    let take = Statement::<BigInt>::new(
        "INSERT INTO invoice_folios (account_id, series, last) VALUES (?, ?, 1) \
         ON CONFLICT (account_id, series) DO UPDATE SET last = invoice_folios.last + 1 RETURNING last",
        values,
    );
    let folio: i64 = on!(tx.db, |conn| take.get_result(conn))?;
    unsigned(folio)
}

/// Has a series of an issuer, or of the default one, go on with another folio.
pub(super) fn continue_at(
    tx: &mut Tx<'_>,
    ctx: &Ctx,
    (which, series): (Option<IssuerId>, &str),
    next_folio: u64,
    seen: Option<i64>,
) -> Result<SeriesFolio, Failure<InvoiceError>> {
    let issuers = issuers::all(tx.db, ctx.account)?;
    let missing = match which {
        Some(_) => unknown(),
        None => Refused::Rule(InvoiceError::NoIssuer),
    };
    let issuer = named(&issuers, which).ok_or(missing)?.id;
    let key = key_of(ctx.account, Some(issuer), series);
    let wanted = SeriesFolio { issuer, series: series.to_owned(), next_folio };
    let before = last_of(tx, ctx.account, &key)?;
    refuse_stale(seen, before + 1)?;
    let last = continued(unsigned(before)?, next_folio)?;
    let last = i64::try_from(last).unwrap_or(i64::MAX);
    if last == before {
        return Ok(wanted);
    }
    let account = ctx.account.to_string();
    let row = (dsl::account_id.eq(account), dsl::series.eq(&key), dsl::last.eq(last));
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
        let taken = last_of(tx, ctx.account, &key)?;
        let _ = continued(unsigned(taken)?, next_folio)?;
        // Or whoever has set the same meanwhile has told of it.
        return Ok(wanted);
    }
    let act = Act::new(Action::SeriesChanged, &format!("{issuer}/{series}"));
    let (before, after) = ((before + 1).to_string(), next_folio.to_string());
    audit::record(tx, ctx, &act.with("nextFolio", Some(before), Some(after)))?;
    Ok(wanted)
}

/// The last folio of a series, zero before the first; nobody takes the next until the end of the transaction.
fn last_of(tx: &mut Tx<'_>, account: AccountId, key: &str) -> QueryResult<i64> {
    let row = first_locked!(
        tx.db,
        FolioRow,
        folios::table.filter(dsl::account_id.eq(account.to_string())).filter(dsl::series.eq(key))
    )?;
    Ok(row.map_or(0, |row| row.last))
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = folios)]
struct FolioRow {
    last: i64,
}

pub(super) fn unsigned(folio: i64) -> QueryResult<u64> {
    u64::try_from(folio).map_err(|_| corrupt("a folio below zero"))
}
