//! Pages of lists: how one is asked for and how it is answered.

mod memory;

use std::io::Write;

use aws_lc_rs::digest::{SHA256, digest};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use intake::{
    Check, Fields,
    checks::{flag, text, whole, whole_from},
};
use kernel::{
    Message, Page, PageRequest, message,
    page::{Count, Cursor, LIMIT_DEFAULT, LIMIT_MAX},
};
use serde::Serialize;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Ref, RefOr,
        schema::{ArrayBuilder, ObjectBuilder, Schema, SchemaType, Type},
    },
};

use crate::{error::ApiError, json::Json};

pub(crate) use memory::{Way, in_memory, page_of_all, rows_before};

/// The highest page number.
const PAGE_MAX: i64 = 1_000_000_000;
/// Cursors are opaque; this says what characters they have.
const CURSOR_PATTERN: &str = "^[A-Za-z0-9_-]+$";
/// How a page begins in JSON.
const OPENING: &[u8] = br#"{"data":["#;
/// Bytes of checksum in a cursor.
const CHECKSUM_BYTES: usize = 4;

/// Asks for `page`, `limit`, `cursor` and `count` of the list that is asked. `sort` is its order in the words of its
/// `sort` parameter; `is_own` is what [`cursor`] asks.
pub(crate) fn page_request(
    fields: &mut Fields<'_>,
    sort: &str,
    is_own: impl FnOnce(&Cursor) -> bool,
) -> PageRequest {
    let list = list_at(fields.address());
    page_request_in(fields, list, sort, is_own)
}

/// The same of a list that cursors call so.
pub(crate) fn page_request_in(
    fields: &mut Fields<'_>,
    list: u32,
    sort: &str,
    is_own: impl FnOnce(&Cursor) -> bool,
) -> PageRequest {
    let page = fields.change(
        "page",
        whole(1..=PAGE_MAX)
            .about("Page number, starting at 1 (the default). Ignored if `cursor` is given."),
    );
    let limit = limit(fields);
    let cursor = cursor(
        fields,
        (list, sort),
        is_own,
        "`nextCursor` of the previous page. Pagination by cursor is equally fast at any depth and \
         is not shifted by rows added meanwhile.",
    );
    let count = fields.change(
        "count",
        flag().about(
            "`false` leaves `total` out, which is quicker in a long list; `true` counts every row, however long it \
             takes. By default very many matches of a filter are not counted to the last.",
        ),
    );
    let page = page.and_then(|page| u64::try_from(page).ok()).unwrap_or(1);
    let count = match count {
        None => Count::Usual,
        Some(true) => Count::Every,
        Some(false) => Count::Nothing,
    };
    PageRequest { page, limit, cursor, count, list }
}

/// The same of a list whose places are named by resources whose identifiers begin with `prefix`.
pub(crate) fn page_request_of(fields: &mut Fields<'_>, sort: &str, prefix: &str) -> PageRequest {
    page_request(fields, sort, |cursor| begins_with(&cursor.id, prefix))
}

/// Whether this begins with an identifier of this prefix.
pub(crate) fn begins_with(text: &str, prefix: &str) -> bool {
    text.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_'))
}

/// Asks for `limit`, the rows of a page.
pub(crate) fn limit(fields: &mut Fields<'_>) -> u32 {
    let limit = fields.change(
        "limit",
        whole_from(1).about("Page size, 20 by default; values above 100 are treated as 100."),
    );
    limit
        .and_then(|limit| u32::try_from(limit).ok())
        .map_or(LIMIT_DEFAULT, |limit| limit.min(LIMIT_MAX))
}

/// Asks for a `cursor` of this list in this order; `about` says what it is good for. There is nothing in this list
/// behind the place of another one, also where both are of the same things. A cursor of release 0.1.0 does not name its
/// list: for one release more it is taken if `is_own` says that its place may be in this one.
pub(crate) fn cursor(
    fields: &mut Fields<'_>,
    (list, sort): (u32, &str),
    is_own: impl FnOnce(&Cursor) -> bool,
    about: &'static str,
) -> Option<Cursor> {
    let cursor = text(read_cursor).pattern(CURSOR_PATTERN);
    let (cursor, of_list) = fields.change("cursor", cursor.about(about))?;
    let is_here = match of_list {
        Some(of_list) => of_list == list,
        None => is_own(&cursor),
    };
    let problem = match is_here {
        true if cursor.sort == sort => return Some(cursor),
        true => {
            message!("belongs to a list in another order", "pertenece a una lista en otro orden")
        }
        false => message!("belongs to another list", "pertenece a otra lista"),
    };
    fields.refuse("cursor", problem)
}

/// What cursors call the list at this path: lists of two orders, or of two kinds, have two names.
pub(crate) fn list_at(path: &str) -> u32 {
    let digest = digest(&SHA256, path.as_bytes());
    digest.as_ref().first_chunk().map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

/// One page of a list of resources.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PageOf<R> {
    data: Vec<R>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_is_exact: Option<bool>,
    page: u64,
    limit: u32,
    next_cursor: Option<String>,
}

impl<R> PageOf<R> {
    /// The page that was asked for.
    pub(crate) fn new<T: Into<R>>(page: Page<T>, asked: &PageRequest) -> Self {
        let total = (asked.count != Count::Nothing).then_some(page.total);
        Self {
            data: page.items.into_iter().map(Into::into).collect(),
            total: total.map(|total| total.rows),
            total_is_exact: total.map(|total| total.is_exact),
            page: asked.page,
            limit: asked.limit,
            next_cursor: page.next.map(|place| write_cursor(&place, asked.list)),
        }
    }
}

impl<R> PageOf<R> {
    /// How many lines of orders, about, its rows are to write: `of` says it of each.
    pub(crate) fn lines(&self, of: impl Fn(&R) -> usize) -> usize {
        self.data.iter().map(of).sum()
    }

    /// The rows of the page, to be changed.
    pub(crate) fn rows_mut(&mut self) -> &mut [R] {
        &mut self.data
    }
}

impl<R> PageOf<R> {
    /// Writes the page in JSON, its rows as `row` does. Each is gone when the next one comes.
    ///
    /// # Errors
    /// Those of `row`, and when nobody takes what is written.
    pub(crate) fn write<W: Write>(
        self,
        json: &mut Json<W>,
        row: impl Fn(R, &mut Json<W>) -> Result<(), ApiError>,
    ) -> Result<(), ApiError> {
        self.write_with(|| Ok(Vec::new()), json, row)
    }

    /// The same, with the rows that `more` gives behind its own, until it gives none.
    ///
    /// # Errors
    /// Those of `more` as well.
    pub(crate) fn write_with<W: Write>(
        self,
        mut more: impl FnMut() -> Result<Vec<R>, ApiError>,
        json: &mut Json<W>,
        row: impl Fn(R, &mut Json<W>) -> Result<(), ApiError>,
    ) -> Result<(), ApiError> {
        let Self { data, total, total_is_exact, page, limit, next_cursor } = self;
        let mut first = true;
        json.push(OPENING)?;
        let mut rows = data;
        while !rows.is_empty() {
            for resource in rows {
                if !first {
                    json.push(b",")?;
                }
                first = false;
                row(resource, json)?;
            }
            rows = more()?;
        }
        let rest: PageOf<()> =
            PageOf { data: Vec::new(), total, total_is_exact, page, limit, next_cursor };
        let mut empty = Json::with_room(0);
        empty.write(&rest)?;
        json.push(empty.as_slice().strip_prefix(OPENING).unwrap_or_default())
    }

    /// The same page of what its rows are, to be looked at.
    pub(crate) fn borrowed(&self) -> PageOf<&R> {
        PageOf {
            data: self.data.iter().collect(),
            total: self.total,
            total_is_exact: self.total_is_exact,
            page: self.page,
            limit: self.limit,
            next_cursor: self.next_cursor.clone(),
        }
    }
}

impl<R: ToSchema> PartialSchema for PageOf<R> {
    fn schema() -> RefOr<Schema> {
        let count = |description: &str| {
            let count = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
            count.description(Some(description))
        };
        let rows = ArrayBuilder::new()
            .items(Ref::from_schema_name(R::name()))
            .max_items(Some(LIMIT_MAX as usize))
            .description(Some("Rows of this page."));
        let exact = ObjectBuilder::new().schema_type(Type::Boolean).description(Some(
            "Whether `total` was counted. In a list of more than 10,000 rows, a filter that more than 10,000 of them \
             match has a `total` of 10000, and a search for words that many of them have an estimate, unless `count` is \
             `true`. Absent if `count` is `false`.",
        ));
        let cursor = ObjectBuilder::new()
            .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
            .description(Some("Cursor of the next page; `null` on the last page."));
        let page = ObjectBuilder::new()
            .property("data", rows)
            .property(
                "total",
                count("Number of rows in the whole list. Absent if `count` is `false`."),
            )
            .property("totalIsExact", exact)
            .property("page", count("Page number."))
            .property("limit", count("Page size in effect."))
            .property("nextCursor", cursor);
        RefOr::T(page.into())
    }
}

impl<R: ToSchema> ToSchema for PageOf<R> {
    fn name() -> std::borrow::Cow<'static, str> {
        format!("{}Page", R::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        R::schemas(schemas);
        schemas.push((R::name().into_owned(), R::schema()));
    }
}

/// A cursor as callers see it: its parts, its list and a checksum, so that a damaged one is refused here and the
/// store meets its own cursors only.
pub(crate) fn write_cursor(cursor: &Cursor, list: u32) -> String {
    let Cursor { sort, key, id } = cursor;
    sealed(format!("{sort}\0{key}\0{id}\0{list:08x}"))
}

fn sealed(parts: String) -> String {
    let mut bytes = parts.into_bytes();
    let checksum = digest(&SHA256, &bytes);
    bytes.extend(checksum.as_ref().iter().take(CHECKSUM_BYTES));
    BASE64.encode(bytes)
}

/// A cursor and its list, if it names that.
fn read_cursor(text: &str) -> Result<(Cursor, Option<u32>), Message> {
    decoded(text).ok_or_else(not_a_cursor)
}

/// What is said of a cursor that this service did not write.
pub(crate) fn not_a_cursor() -> Message {
    message!(
        "must be the nextCursor of an earlier page",
        "debe ser el nextCursor de una página anterior"
    )
}

fn decoded(text: &str) -> Option<(Cursor, Option<u32>)> {
    let bytes = BASE64.decode(text).ok()?;
    let (parts, checksum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM_BYTES)?)?;
    if !digest(&SHA256, parts).as_ref().starts_with(checksum) {
        return None;
    }
    let mut parts = std::str::from_utf8(parts).ok()?.split('\0').map(str::to_owned);
    let cursor = Cursor { sort: parts.next()?, key: parts.next()?, id: parts.next()? };
    let list = match parts.next() {
        Some(list) => Some(u32::from_str_radix(&list, 16).ok()?),
        None => None,
    };
    parts.next().is_none().then_some((cursor, list))
}

#[cfg(test)]
mod tests {
    use intake::{Noun, noun};

    use super::*;

    const LIST: Noun = noun("this list", "esta lista");
    const HERE: &str = "/products";

    fn cursor() -> Cursor {
        Cursor { sort: "-name".to_owned(), key: "piñata".to_owned(), id: "prd_1".to_owned() }
    }

    fn asked(query: &str) -> Result<PageRequest, Vec<String>> {
        let mut fields = Fields::of_query(LIST, query).unwrap().sent_to(HERE);
        let page = page_request_of(&mut fields, "-name", "prd");
        fields.finish(Some(page)).map_err(|faults| faults.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_cursor_survives_the_journey() {
        let list = list_at(HERE);
        let text = write_cursor(&cursor(), list);
        let read = asked(&format!("cursor={text}")).unwrap();
        assert_eq!((read.cursor, read.list), (Some(cursor()), list));
        let mut other = cursor();
        other.sort = "price".to_owned();
        assert_eq!(
            asked(&format!("cursor={}", write_cursor(&other, list))).unwrap_err(),
            ["cursor belongs to a list in another order"]
        );
        for position in 0..text.len() {
            let mut damaged = text.clone().into_bytes();
            damaged[position] = if damaged[position] == b'A' { b'B' } else { b'A' };
            let damaged = String::from_utf8(damaged).unwrap();
            let read = decoded(&damaged).filter(|read| *read != (cursor(), Some(list)));
            assert_eq!(read, None, "{damaged}");
        }
        for wrong in ["", "AAAA", "AAAAAAAA", "ñ", "===="] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_cursor_of_another_list_is_refused() {
        let refusal = |text: String| asked(&format!("cursor={text}")).err();
        let elsewhere = Some(vec!["cursor belongs to another list".to_owned()]);
        for other in ["/orders", "/products/1", "/product", ""] {
            assert_eq!(refusal(write_cursor(&cursor(), list_at(other))), elsewhere, "{other}");
        }
        // Of release 0.1.0.
        for (id, refused) in [("prd_1", None), ("ord_1", elsewhere.clone()), ("pr_1", elsewhere)] {
            assert_eq!(refusal(sealed(format!("-name\0piñata\0{id}"))), refused, "{id}");
        }
    }

    #[test]
    fn pages_have_defaults_and_bounds() {
        let page = asked("").unwrap();
        assert_eq!((page.page, page.limit), (1, 20));
        assert_eq!(asked("limit=100000").unwrap().limit, 100);
        assert_eq!(asked("page=3&limit=7").unwrap().offset(), 14);
        for (query, count) in
            [("", Count::Usual), ("count=true", Count::Every), ("count=false", Count::Nothing)]
        {
            assert_eq!(asked(query).unwrap().count, count);
        }
        for wrong in [
            "page=0",
            "page=-1",
            "page=x",
            "page=1.5",
            "page=9223372036854775808",
            "page=",
            "limit=0",
            "limit=-5",
            "count=1",
            "count=",
            "limit=99999999999999999999",
            "page=1&page=2",
            "pgae=2",
            "cursor=%FF",
        ] {
            let refused = Fields::of_query(LIST, wrong).is_err() || asked(wrong).is_err();
            assert!(refused, "{wrong}");
        }
        assert_eq!(
            asked("pgae=2").unwrap_err(),
            [
                "\"pgae\" is not a parameter of this list (did you mean \"page\"?); there are page, limit, cursor, count"
            ]
        );
    }
}
