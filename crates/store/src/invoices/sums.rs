//! What invoices add up to: figures that are kept beside them, added up by the database.
//!
//! No row of an invoice is read: all that sums and filters ask of it is in the index by the moment of its stamp, or in the
//! one by its status, which also has the moment that it was made.

mod grouped;
#[cfg(test)]
mod tests;

use ::invoices::{
    InvoiceFilter, Status,
    sums::{Span, SumTable, Sums, SumsQuery},
};
use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{Bool, Text},
};
use kernel::{AccountId, page::Sorting};

use super::{
    issuers,
    list::{Filtered, InvoiceList},
    rows::InvoiceRow,
};
use crate::{
    db::Db,
    listing::{self, List},
    schema::invoices::{self, dsl},
    search::{Look, WordSet},
    unreadable::readable,
};
use grouped::{Group, grouped};

type Backend = <Db as Connection>::Backend;

/// The most invoices whose facts are outdated that are summed up from their documents.
const OUTDATED_MAX: i64 = 5_000;

/// The sums that a query asks for; `None` while too many are outdated.
pub(super) fn sums(
    db: &mut Db,
    account: AccountId,
    query: &SumsQuery,
) -> QueryResult<Option<Vec<Sums>>> {
    let outdated: Vec<String> = outdated(account).load(db)?;
    if i64::try_from(outdated.len()).is_ok_and(|count| count > OUTDATED_MAX) {
        return Ok(None);
    }
    let mut table = SumTable::default();
    add_current(&mut table, db, account, query, &outdated)?;
    if !outdated.is_empty() {
        add_outdated(&mut table, db, account, query, &outdated)?;
    }
    Ok(Some(table.into_sums()))
}

/// Selects the identifiers of those whose facts are not of their present version.
fn outdated(account: AccountId) -> invoices::BoxedQuery<'static, Backend, Text> {
    invoices::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::facts_version.ne(dsl::version))
        .limit(OUTDATED_MAX + 1)
        .select(dsl::id)
        .into_boxed()
}

/// Adds up those whose facts are of their present version.
fn add_current(
    table: &mut SumTable,
    db: &mut Db,
    account: AccountId,
    query: &SumsQuery,
    outdated: &[String],
) -> QueryResult<()> {
    let filter = query.filter();
    let ranged = ranged(filter);
    let list = InvoiceList::of(db, account, &ranged, Sorting::default())?;
    let Some(list) = list else { return Ok(()) };
    let look = look(db, &list)?;
    let wanted = query.statuses();
    for status in statuses(query) {
        let mut rows = of_entries(list.matching(db, look), account, filter, status);
        if !outdated.is_empty() {
            rows = rows.filter(dsl::id.ne_all(outdated.to_vec()));
        }
        for group in grouped(account, rows).load::<Group>(db)? {
            let sums = group.sums()?;
            if wanted.contains(&sums.status) && filter.kind.is_none_or(|kind| kind == sums.kind) {
                table.add(sums);
            }
        }
    }
    Ok(())
}

/// Adds up the others, as their documents have them.
fn add_outdated(
    table: &mut SumTable,
    db: &mut Db,
    account: AccountId,
    query: &SumsQuery,
    outdated: &[String],
) -> QueryResult<()> {
    let list = InvoiceList::of(db, account, query.filter(), Sorting::default())?;
    let Some(list) = list else { return Ok(()) };
    let rows: Vec<InvoiceRow> = list
        .matching(db, Look::Rows)
        .filter(dsl::id.eq_any(outdated.to_vec()))
        .select(InvoiceRow::as_select())
        .load(db)?;
    let rows = rows.into_iter().map(|row| (row.key(), row.invoice()));
    let (invoices, wanted) = (readable("invoice", rows)?, query.statuses());
    let invoices = invoices.iter().filter(|invoice| wanted.contains(&invoice.status));
    invoices.for_each(|invoice| table.add(Sums::of(invoice)));
    Ok(())
}

/// What of a filter is asked of whole rows. Type and status are those of the groups, the rest is asked of the
/// [entries](of_entries) of the index.
fn ranged(filter: &InvoiceFilter) -> InvoiceFilter {
    InvoiceFilter {
        status: None,
        kind: None,
        issuer: None,
        branch: None,
        series: None,
        rfc: None,
        cancellation: None,
        ..filter.clone()
    }
}

/// Where words are looked for: the index gives rows one by one, which many would take long.
fn look(db: &mut Db, list: &InvoiceList<'_>) -> QueryResult<Look> {
    let index = Look::Index(WordSet::ALL);
    if list.word_count() == 0 {
        return Ok(index);
    }
    let found = list.count(db, list.matching(db, index), listing::COUNTED_MAX + 1)?;
    Ok(if found > listing::COUNTED_MAX { Look::Rows } else { index })
}

/// The statuses that are asked for one by one, so that each is a range of its index.
fn statuses(query: &SumsQuery) -> Vec<Option<Status>> {
    match query.span() {
        Span::Stamped => vec![None],
        Span::Created => query.statuses().into_iter().map(Some).collect(),
    }
}

/// Asks for a status, and the rest of a filter of the entries of the index: by the indexes for it, planners would read the rows of
/// everything that was ever sold to the public, or in a series.
fn of_entries(
    mut rows: Filtered,
    account: AccountId,
    filter: &InvoiceFilter,
    status: Option<Status>,
) -> Filtered {
    if let Some(status) = status {
        rows = rows.filter(dsl::status.eq(status.name()));
    }
    let is = |column: &str, value: String| {
        sql::<Bool>(&format!("{column} || '' = ")).bind::<Text, _>(value)
    };
    if let Some(issuer) = filter.issuer {
        let key = issuers::key_of(account, Some(issuer));
        rows = rows.filter(is("invoices.issuer_id", key));
    }
    if let Some(branch) = filter.branch {
        rows = rows.filter(is("invoices.branch_id", branch.to_string()));
    }
    if let Some(series) = &filter.series {
        rows = rows.filter(is("invoices.series", series.clone()));
    }
    if let Some(rfc) = &filter.rfc {
        rows = rows.filter(is("invoices.receiver_rfc", rfc.clone()));
    }
    match filter.cancellation {
        None => rows,
        Some(None) => rows.filter(dsl::cancellation_status.is_null()),
        Some(Some(status)) => {
            rows.filter(is("invoices.cancellation_status", status.name().to_owned()))
        }
    }
}
