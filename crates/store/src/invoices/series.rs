//! The series of an account: those that have folios, and those that issuers and branches name.
//!
//! An invoice begins a new series by naming it, so there may be any number of them: they are read a page at a time.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
};

use ::invoices::{
    Issuer, IssuerId,
    series::{ORDER, SeriesFolio, used},
};
use diesel::{
    prelude::*,
    sql_types::{BigInt, Text},
};
use kernel::{AccountId, Page, PageRequest, page::Cursor};

use super::{branches, folios, issuers};
use crate::{
    db::{Db, on},
    listing,
    rows::corrupt,
    schema::invoice_folios::{self, dsl},
    statement::Statement,
};

/// Series that are read at once.
const BATCH_ROWS: usize = 5_000;
/// Names that are looked for at once.
const NAMES: usize = 500;

/// The place of each series in the list: its issuer and its name, in the order of their bytes. Folios of the first issuer
/// are kept under the name alone, which is too short to have a slash where others have one. Takes what the first issuer's
/// begin with, the account, between which places, and a limit.
const KEYED: &str = "SELECT place, last FROM (SELECT CASE WHEN substr(series, 31, 1) = '/' THEN series \
    ELSE ? || series END AS place, last FROM invoice_folios WHERE account_id = ?) AS kept \
    WHERE place > ? AND place < ? ORDER BY place LIMIT ?";
const KEYED_POSTGRES: &str = "SELECT place, last FROM (SELECT (CASE WHEN substr(series, 31, 1) = '/' THEN series \
    ELSE ? || series END) COLLATE \"C\" AS place, last FROM invoice_folios WHERE account_id = ?) AS kept \
    WHERE place > ? AND place < ? ORDER BY place LIMIT ?";
/// How many there are.
const COUNTED: &str = "SELECT count(*) FROM (SELECT CASE WHEN substr(series, 31, 1) = '/' THEN series \
    ELSE ? || series END AS place FROM invoice_folios WHERE account_id = ?) AS kept WHERE place > ? AND place < ?";
const COUNTED_POSTGRES: &str = "SELECT count(*) FROM (SELECT (CASE WHEN substr(series, 31, 1) = '/' THEN series \
    ELSE ? || series END) COLLATE \"C\" AS place FROM invoice_folios WHERE account_id = ?) AS kept \
    WHERE place > ? AND place < ?";

/// Where the series of an issuer begin, or those of all.
fn begin(which: Option<IssuerId>) -> String {
    which.map_or_else(String::new, |issuer| format!("{issuer}/"))
}

/// Where they end: the sign behind a slash is a zero, and that behind the underscore of identifiers a grave accent.
fn end(which: Option<IssuerId>) -> String {
    which.map_or_else(|| format!("{}`", IssuerId::PREFIX), |issuer| format!("{issuer}0"))
}

/// A page of the series, by issuer and name; of all issuers where `which` names none.
pub(super) fn page(
    db: &mut Db,
    account: AccountId,
    which: Option<IssuerId>,
    page: &PageRequest,
) -> QueryResult<Page<SeriesFolio>> {
    let (begin, end) = (begin(which), end(which));
    let mut named = named(db, account)?;
    named.retain(|place| *place > begin && *place < end);
    let kept = Kept { account, named, end };
    let total = listing::total(page, || kept.count(db, &begin))?;
    let after = page.cursor.as_ref().map_or(begin.as_str(), |cursor| cursor.id.as_str());
    let after = after.max(begin.as_str()).to_owned();
    let skipped = usize::try_from(page.offset()).unwrap_or(usize::MAX);
    let limit = usize::try_from(listing::fetched(page)).unwrap_or_default();
    let rows = kept.walked(db, after, (skipped, limit))?;
    let behind = |(place, _): &(String, i64)| Cursor {
        sort: ORDER.to_owned(),
        key: String::new(),
        id: place.clone(),
    };
    let read = |rows: Vec<(String, i64)>| {
        let folios = rows.iter().map(|(place, last)| folio(place, *last));
        folios.collect::<QueryResult<Vec<_>>>()
    };
    listing::page_of(rows, page, total, behind, read)
}

/// One series of an issuer, if it has folios or is named.
pub(super) fn one(
    db: &mut Db,
    account: AccountId,
    issuer: IssuerId,
    series: &str,
) -> QueryResult<Option<SeriesFolio>> {
    let last: Option<i64> = invoice_folios::table
        .filter(dsl::account_id.eq(account.to_string()))
        .filter(dsl::series.eq(folios::key_of(account, Some(issuer), series)))
        .select(dsl::last)
        .first(db)
        .optional()?;
    let place = format!("{issuer}/{series}");
    let last = match last {
        Some(last) => Some(last),
        None => named(db, account)?.contains(&place).then_some(0),
    };
    last.map(|last| folio(&place, last)).transpose()
}

/// The places of the series that issuers and branches name.
fn named(db: &mut Db, account: AccountId) -> QueryResult<BTreeSet<String>> {
    let issuers = issuers::all(db, account)?;
    let mut named = BTreeSet::new();
    for branch in [None].into_iter().chain(branches::all(db, account)?.into_iter().map(Some)) {
        let of = |issuer: &&Issuer| match branch.as_ref().and_then(|branch| branch.issuer) {
            Some(id) => issuer.id == id,
            None => branch.is_none() || issuer.is_default,
        };
        for issuer in issuers.iter().filter(of) {
            let series = used(issuer, branch.as_ref());
            named.extend(series.map(|series| format!("{}/{series}", issuer.id)));
        }
    }
    Ok(named)
}

fn folio(place: &str, last: i64) -> QueryResult<SeriesFolio> {
    let named = place.split_once('/');
    let named = named.and_then(|(issuer, series)| Some((IssuerId::parse(issuer)?, series)));
    let (issuer, series) = named.ok_or_else(|| corrupt("a series without an issuer"))?;
    let next_folio = folios::unsigned(last)? + 1;
    Ok(SeriesFolio { issuer, series: series.to_owned(), next_folio })
}

/// The series of an account up to a place, with those that are only named.
struct Kept {
    account: AccountId,
    named: BTreeSet<String>,
    end: String,
}

impl Kept {
    /// What the first issuer's series begin with in the list.
    fn first(&self) -> String {
        begin(Some(IssuerId::first_of(self.account)))
    }

    /// How many there are behind a place.
    fn count(&self, db: &mut Db, begin: &str) -> QueryResult<i64> {
        let sql = if matches!(db, Db::Postgres(_)) { COUNTED_POSTGRES } else { COUNTED };
        let values = [
            self.first().into(),
            self.account.to_string().into(),
            begin.to_owned().into(),
            self.end.clone().into(),
        ];
        let statement = Statement::<BigInt>::new(sql, values);
        let rows: i64 = on!(db, |conn| statement.get_result(conn))?;
        let first = self.first();
        let keys: Vec<&str> =
            self.named.iter().map(|place| place.strip_prefix(&first).unwrap_or(place)).collect();
        let mut both = 0;
        for keys in keys.chunks(NAMES) {
            both += invoice_folios::table
                .filter(dsl::account_id.eq(self.account.to_string()))
                .filter(dsl::series.eq_any(keys.to_vec()))
                .count()
                .get_result::<i64>(db)?;
        }
        let named = i64::try_from(self.named.len()).unwrap_or(i64::MAX);
        Ok(rows + named - both)
    }

    /// So many series behind a place, without the first so many, each with its last folio.
    fn walked(
        &self,
        db: &mut Db,
        mut after: String,
        (skipped, limit): (usize, usize),
    ) -> QueryResult<Vec<(String, i64)>> {
        let (mut left, mut found) = (skipped, Vec::with_capacity(limit));
        loop {
            let wanted = BATCH_ROWS.min(left.saturating_add(limit - found.len()));
            let rows = self.kept(db, &after, wanted)?;
            let until =
                rows.last().filter(|_| rows.len() == wanted).map(|(place, _)| place.clone());
            let upper = until.as_deref().map_or(Bound::Unbounded, Bound::Included);
            let named = self.named.range::<str, _>((Bound::Excluded(after.as_str()), upper));
            let mut merged: BTreeMap<String, i64> = named.map(|place| (place.clone(), 0)).collect();
            merged.extend(rows);
            for row in merged {
                match (left, found.len() < limit) {
                    (0, true) => found.push(row),
                    (0, false) => break,
                    _ => left -= 1,
                }
            }
            match until {
                Some(place) if found.len() < limit => after = place,
                _ => return Ok(found),
            }
        }
    }

    /// Those with folios.
    fn kept(&self, db: &mut Db, after: &str, limit: usize) -> QueryResult<Vec<(String, i64)>> {
        let sql = if matches!(db, Db::Postgres(_)) { KEYED_POSTGRES } else { KEYED };
        let values = [
            self.first().into(),
            self.account.to_string().into(),
            after.to_owned().into(),
            self.end.clone().into(),
            i64::try_from(limit).unwrap_or(i64::MAX).into(),
        ];
        let statement = Statement::<(Text, BigInt)>::new(sql, values);
        on!(db, |conn| statement.load(conn))
    }
}
