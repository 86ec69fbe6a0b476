//! Lists: which page is asked for, and the ways on. The address is the only state of a list.

use aws_lc_rs::digest::{SHA256, digest};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use cfdi::catalogs::zones::Zone;
use kernel::{
    Day, PageRequest, Timestamp,
    page::{Cursor, Page, Total},
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{
    failure::Failure,
    form::Values,
    format::grouped,
    parking::RESTORE,
    parts::{Link, Pager},
    texts::Say,
};

/// How many rows a page may have, the first of them if nothing else is asked for.
pub(crate) const SIZES: [u32; 3] = [25, 50, 100];
/// Bytes of checksum in a cursor: what nobody has given out is no place in a list.
const CHECKSUM_BYTES: usize = 4;
const CURSOR: &str = "after";
pub(crate) const SIZE: &str = "rows";
/// By what it is sorted.
pub(crate) const SORT: &str = "sort";

/// The page that a query asks for.
pub(crate) fn asked(query: &Values) -> PageRequest {
    let cursor = query.filled(CURSOR).and_then(read);
    PageRequest { limit: size(query), cursor, ..PageRequest::default() }
}

/// From when on and until when a query narrows a list to, by its first and its last day. What is no day narrows nothing, and its
/// field says so.
pub(crate) fn days(query: &Values, zone: Zone) -> (Option<Timestamp>, Option<Timestamp>) {
    let last = query.read("to", Day::parse);
    (since(query, "from", zone), last.map(|day| zone.end(day)))
}

/// Whether the last day that a query names is before its first, so that nothing can be listed.
pub(crate) fn is_backwards(query: &Values) -> bool {
    let day = |name: &str| query.filled(name).and_then(Day::parse);
    day("from").zip(day("to")).is_some_and(|(first, last)| last < first)
}

/// Whether a query has something where it names a day that is none.
pub(crate) fn is_no_day(query: &Values, name: &str) -> bool {
    query.filled(name).is_some_and(|text| Day::parse(text).is_none())
}

/// The first moment of a day that a query names.
pub(crate) fn since(query: &Values, name: &'static str, zone: Zone) -> Option<Timestamp> {
    let day = query.read(name, Day::parse);
    day.map(|day| zone.utc(day.date().midnight()))
}

/// The one of some that a query names.
pub(crate) fn named<T: Copy>(
    query: &Values,
    field: &'static str,
    every: &[T],
    name: impl Fn(T) -> &'static str,
) -> Option<T> {
    query.read(field, |text| every.iter().copied().find(|one| name(*one) == text))
}

/// Lets nothing go through the whole of what a query lists where something that narrows it could not be read: it would go through
/// more than is meant.
///
/// # Errors
/// [`Failure::Unread`].
pub(crate) fn all_read(query: &Values) -> Result<(), Failure> {
    match query.unread() {
        Some(name) => Err(Failure::Unread(name)),
        None => Ok(()),
    }
}

fn size(query: &Values) -> u32 {
    let wanted = query.filled(SIZE).and_then(|text| text.parse().ok());
    SIZES.into_iter().find(|size| Some(*size) == wanted).unwrap_or(SIZES[0])
}

/// The ways on from a page that lies at `path`.
pub(crate) fn pager<T>(say: Say, path: &str, query: &Values, page: &Page<T>) -> Pager {
    let first = query
        .filled(CURSOR)
        .map(|_| Link::new(say.first_page(), address(path, query, &[CURSOR], None)));
    let next = page.next.as_ref().map(|next| {
        let further = write(next);
        Link::new(say.next_page(), address(path, query, &[CURSOR], Some((CURSOR, &further))))
    });
    Pager { total: counted(say, page.total), first, next }
}

/// The address of a list without one of its filters, from its first page on.
pub(crate) fn without(path: &str, query: &Values, name: &str) -> String {
    address(path, query, &[CURSOR, name], None)
}

/// What a query narrows a list to, whichever page it shows: as a saved view keeps it.
pub(crate) fn narrowed(query: &Values) -> String {
    filtered("", query).trim_start_matches('?').to_owned()
}

/// Whether two of those narrow a list to the same.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let pairs = |query: &str| {
        let mut pairs: Vec<_> = query.split('&').map(str::to_owned).collect();
        pairs.sort_unstable();
        pairs
    };
    pairs(one) == pairs(other)
}

/// Another address for what a list shows, whichever page of it.
pub(crate) fn filtered(path: &str, query: &Values) -> String {
    address(path, query, &[CURSOR, SIZE], None)
}

/// The address of a list in another order, from its first page on; without one, in that of its own.
pub(crate) fn sorted(path: &str, query: &Values, sort: Option<&str>) -> String {
    address(path, query, &[CURSOR, SORT], sort.map(|sort| (SORT, sort)))
}

/// The address of a list, with what the query has but for some of it, and with something more.
fn address(path: &str, query: &Values, left_out: &[&str], more: Option<(&str, &str)>) -> String {
    let kept = |(name, text): &(&str, &str)| {
        let is_passing = matches!(*name, "did" | RESTORE);
        !left_out.contains(name) && !is_passing && !text.trim().is_empty()
    };
    let pairs = query.pairs().filter(kept).chain(more);
    let pairs: Vec<_> =
        pairs.map(|(name, text)| format!("{}={}", encoded(name), encoded(text))).collect();
    if pairs.is_empty() { path.to_owned() } else { format!("{path}?{}", pairs.join("&")) }
}

/// How many rows a list has, in words.
pub(crate) fn counted(say: Say, total: Total) -> String {
    let rows = grouped(total.rows);
    if total.is_exact { say.counted(&rows) } else { say.counted_about(&rows) }
}

/// A text as a part of an address.
pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

fn write(cursor: &Cursor) -> String {
    let Cursor { sort, key, id } = cursor;
    let text = format!("{sort}\n{id}\n{key}");
    let sum = checksum(text.as_bytes());
    let bytes: Vec<u8> = sum.into_iter().chain(text.into_bytes()).collect();
    URL_SAFE_NO_PAD.encode(bytes)
}

fn read(text: &str) -> Option<Cursor> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (sum, text) = bytes.split_at_checked(CHECKSUM_BYTES)?;
    if checksum(text) != sum || text.contains(&0) {
        return None;
    }
    let mut parts = std::str::from_utf8(text).ok()?.splitn(3, '\n').map(str::to_owned);
    let (sort, id, key) = (parts.next()?, parts.next()?, parts.next()?);
    Some(Cursor { sort, key, id })
}

fn checksum(bytes: &[u8]) -> Vec<u8> {
    let digest = digest(&SHA256, bytes);
    digest.as_ref().iter().take(CHECKSUM_BYTES).copied().collect()
}

#[cfg(test)]
mod tests {
    use kernel::Language;

    use super::*;

    fn cursor() -> Cursor {
        Cursor { sort: "-createdAt".to_owned(), key: "a\nb".to_owned(), id: "ord_1".to_owned() }
    }

    #[test]
    fn a_place_in_a_list_is_read_back_and_nothing_else_is_one() {
        let text = write(&cursor());
        assert_eq!(read(&text), Some(cursor()));
        for wrong in ["", "x", &text[1..], &format!("{text}AA")] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_view_is_the_filter_alone_in_whatever_order() {
        let narrowed = |query: &str| narrowed(&Values::of_query(query));
        let view = narrowed("status=paid&q=a+b%26c&from=&rows=50&after=zzz&did=x");
        assert_eq!(view, "status=paid&q=a%20b%26c");
        assert_eq!(narrowed(&view), view);
        assert_eq!(narrowed("rows=50&q=+"), "");
        assert!(is_same(&view, "q=a%20b%26c&status=paid") && !is_same(&view, "status=paid"));
    }

    #[test]
    fn the_ways_on_keep_the_filter() {
        let query = Values::of_query("status=paid&q=a+b%26c&rows=50&after=zzz&did=x");
        let next = Some(cursor());
        let page = Page { items: vec![1], total: Total::about(10_000), next };
        let pager = pager(Say(Language::English), "/panel/x/orders", &query, &page);
        assert_eq!(pager.total, "more than 10,000");
        let first = pager.first.unwrap().href;
        assert_eq!(first, "/panel/x/orders?status=paid&q=a%20b%26c&rows=50");
        let next = pager.next.unwrap().href;
        assert!(next.starts_with(&format!("{first}&after=")), "{next}");
        let asked = asked(&Values::of_query(next.split_once('?').unwrap().1));
        assert_eq!((asked.limit, asked.cursor), (50, Some(cursor())));
    }
}
