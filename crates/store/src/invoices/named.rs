//! The invoices that words of a search name by a number.

use ::invoices::found;
use diesel::prelude::*;
use kernel::{AccountId, search::Words};

use crate::{
    db::Db,
    schema::{invoice_orders, invoices, orders},
};

/// The most invoices that one word names: more than there are series.
const NAMED_MAX: usize = 1_000;
/// The most invoices with a folio whose series are looked at.
const SAME_FOLIO_MAX: i64 = 10_000;
/// Sorts behind every character of a UUID.
const BEHIND_UUIDS: char = 'g';

/// The words of a search, each with the invoices that it names by their number.
pub(super) fn with_named(db: &mut Db, account: AccountId, words: Words) -> QueryResult<Words> {
    words.or_rows(|word| {
        let mut named: Vec<String> =
            found::id_in(word).map(|id| id.to_string()).into_iter().collect();
        named.extend(by_folio(db, account, word)?);
        named.extend(by_uuid(db, account, word)?);
        named.extend(by_order(db, account, word)?);
        Ok(named)
    })
}

fn by_folio(db: &mut Db, account: AccountId, word: &str) -> QueryResult<Vec<String>> {
    let numbers = found::numbers_in(word);
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let folios = numbers.iter().filter_map(|number| i64::try_from(number.folio).ok());
    let rows: Vec<(String, String, Option<i64>)> = invoices::table
        .filter(invoices::account_id.eq(account.to_string()))
        .filter(invoices::folio.eq_any(folios))
        // As the index has them: by their identifiers planners would walk the list.
        .order((invoices::folio.desc(), invoices::id.desc()))
        .limit(SAME_FOLIO_MAX)
        .select((invoices::id, invoices::series, invoices::folio))
        .load(db)?;
    let is_named = |series: &str, folio: Option<i64>| {
        let folio = folio.and_then(|folio| u64::try_from(folio).ok());
        folio.is_some_and(|folio| numbers.iter().any(|number| number.is(series, folio)))
    };
    let named = rows.into_iter().filter(|(_, series, folio)| is_named(series, *folio));
    Ok(named.map(|(id, ..)| id).take(NAMED_MAX).collect())
}

fn by_uuid(db: &mut Db, account: AccountId, word: &str) -> QueryResult<Vec<String>> {
    let Some(beginning) = found::uuid_in(word) else { return Ok(Vec::new()) };
    let end = format!("{beginning}{BEHIND_UUIDS}");
    invoices::table
        .filter(invoices::account_id.eq(account.to_string()))
        .filter(invoices::uuid.ge(beginning))
        .filter(invoices::uuid.le(end))
        .order(invoices::uuid)
        .limit(NAMED_MAX as i64)
        .select(invoices::id)
        .load(db)
}

fn by_order(db: &mut Db, account: AccountId, word: &str) -> QueryResult<Vec<String>> {
    // A number alone is a folio.
    let number = word.starts_with(|c: char| c.is_alphabetic()).then(|| ::orders::number_in(word));
    let Some(number) = number.flatten() else { return Ok(Vec::new()) };
    let account = account.to_string();
    let order: Option<String> = orders::table
        .filter(orders::account_id.eq(&account))
        .filter(orders::number.eq(number))
        .select(orders::id)
        .first(db)
        .optional()?;
    let Some(order) = order else { return Ok(Vec::new()) };
    invoice_orders::table
        .filter(invoice_orders::account_id.eq(&account))
        .filter(invoice_orders::order_id.eq(order))
        .select(invoice_orders::invoice_id)
        .load(db)
}
