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

/// Asks for `page`, `limit`, `cursor` and `count`. `sort` is the order of the list in the words of its `sort`
/// parameter: a cursor of another order is refused. So is one that is not the list's own, by what `is_own` says of its
/// place, for there is nothing in this list behind it.
pub(crate) fn page_request(
    fields: &mut Fields<'_>,
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
        sort,
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
    if cursor.as_ref().is_some_and(|cursor| !is_own(cursor)) {
        fields
            .refuse::<()>("cursor", message!("belongs to another list", "pertenece a otra lista"));
    }
    PageRequest { page, limit, cursor, count }
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

/// Asks for a `cursor` of this order; `about` says what it is good for.
pub(crate) fn cursor(fields: &mut Fields<'_>, sort: &str, about: &'static str) -> Option<Cursor> {
    let cursor = text(read_cursor).pattern(CURSOR_PATTERN);
    let cursor = fields.change("cursor", cursor.about(about))?;
    if cursor.sort == sort {
        return Some(cursor);
    }
    fields.refuse(
        "cursor",
        message!("belongs to a list in another order", "pertenece a una lista en otro orden"),
    )
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
            next_cursor: page.next.as_ref().map(write_cursor),
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

/// A cursor as callers see it: its parts and a checksum, so that a damaged one is refused here and the
/// store meets its own cursors only.
pub(crate) fn write_cursor(cursor: &Cursor) -> String {
    let Cursor { sort, key, id } = cursor;
    let mut bytes = format!("{sort}\0{key}\0{id}").into_bytes();
    let checksum = digest(&SHA256, &bytes);
    bytes.extend(checksum.as_ref().iter().take(CHECKSUM_BYTES));
    BASE64.encode(bytes)
}

fn read_cursor(text: &str) -> Result<Cursor, Message> {
    decoded(text).ok_or_else(not_a_cursor)
}

/// What is said of a cursor that this service did not write.
pub(crate) fn not_a_cursor() -> Message {
    message!(
        "must be the nextCursor of an earlier page",
        "debe ser el nextCursor de una página anterior"
    )
}

fn decoded(text: &str) -> Option<Cursor> {
    let bytes = BASE64.decode(text).ok()?;
    let (parts, checksum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM_BYTES)?)?;
    if !digest(&SHA256, parts).as_ref().starts_with(checksum) {
        return None;
    }
    let mut parts = std::str::from_utf8(parts).ok()?.split('\0').map(str::to_owned);
    let cursor = Cursor { sort: parts.next()?, key: parts.next()?, id: parts.next()? };
    parts.next().is_none().then_some(cursor)
}

#[cfg(test)]
mod tests {
    use intake::{Noun, noun};

    use super::*;

    const LIST: Noun = noun("this list", "esta lista");

    fn cursor() -> Cursor {
        Cursor { sort: "-name".to_owned(), key: "piñata".to_owned(), id: "prd_1".to_owned() }
    }

    fn asked(query: &str) -> Result<PageRequest, Vec<String>> {
        let mut fields = Fields::of_query(LIST, query).unwrap();
        let page = page_request_of(&mut fields, "-name", "prd");
        fields.finish(Some(page)).map_err(|faults| faults.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_cursor_survives_the_journey() {
        let text = write_cursor(&cursor());
        assert_eq!(asked(&format!("cursor={text}")).unwrap().cursor, Some(cursor()));
        let mut other = cursor();
        other.sort = "price".to_owned();
        assert!(asked(&format!("cursor={}", write_cursor(&other))).is_err());
        for position in 0..text.len() {
            let mut damaged = text.clone().into_bytes();
            damaged[position] = if damaged[position] == b'A' { b'B' } else { b'A' };
            let damaged = String::from_utf8(damaged).unwrap();
            assert_eq!(decoded(&damaged).filter(|read| *read != cursor()), None, "{damaged}");
        }
        for wrong in ["", "AAAA", "AAAAAAAA", "ñ", "===="] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_cursor_of_another_list_is_refused() {
        let query = format!("cursor={}", write_cursor(&cursor()));
        let is_taken = |prefix: &str| {
            let mut fields = Fields::of_query(LIST, &query).unwrap();
            let page = page_request_of(&mut fields, "-name", prefix);
            fields.finish(Some(page)).is_ok()
        };
        assert!(is_taken("prd"));
        assert!(!is_taken("ord") && !is_taken("pr"));
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
