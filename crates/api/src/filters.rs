//! The filters and orders that lists have in common.

use intake::{
    Check, Fields, Noun,
    checks::{LINE_PATTERN, id, line, moment, one_of, several, text},
};
use kernel::{
    Message, Timestamp,
    json::METADATA_VALUE_CHARS_MAX,
    message,
    page::{RecordSort, Sorting},
    search::Words,
    text::EXTERNAL_ID_CHARS_MAX,
};

/// Maximum length of a search, in characters.
const SEARCH_CHARS_MAX: usize = 200;
/// The most identifiers that a list is restricted to.
const IDS_MAX: usize = 100;

/// Sort orders of records, by value of `sort`.
const SORTS: &[(&str, RecordSort)] = &[
    ("-createdAt", RecordSort::CreatedAt),
    ("createdAt", RecordSort::CreatedAt),
    ("-updatedAt", RecordSort::UpdatedAt),
    ("updatedAt", RecordSort::UpdatedAt),
];

/// Asks for `search`: the words of it, read by `parse`.
pub(crate) fn search(
    fields: &mut Fields<'_>,
    parse: fn(&str) -> Result<Words, Message>,
    about: &'static str,
) -> Option<Words> {
    let check = text(move |text: &str| {
        let text = kernel::text::line(text, SEARCH_CHARS_MAX)?;
        parse(&text)
    });
    fields.change("search", check.chars(1, SEARCH_CHARS_MAX).pattern(LINE_PATTERN).about(about))
}

/// Asks for `ids`.
pub(crate) fn ids<T>(
    fields: &mut Fields<'_>,
    noun: Noun,
    prefix: &'static str,
    parse: fn(&str) -> Option<T>,
) -> Option<Vec<T>> {
    let about = "Only the resources with these ids, separated by commas.";
    fields.change("ids", several(IDS_MAX, id(noun, prefix, parse)).about(about))
}

/// What an `externalId` may be.
pub(crate) fn external_id() -> impl Check<Value = String> {
    line(EXTERNAL_ID_CHARS_MAX)
}

/// Asks for `externalId`.
pub(crate) fn by_external_id(fields: &mut Fields<'_>) -> Option<String> {
    fields.change("externalId", external_id().about("Exact `externalId`."))
}

/// Asks for `updatedSince`.
pub(crate) fn updated_since(fields: &mut Fields<'_>) -> Option<Timestamp> {
    let about = "Only resources changed at or after this time. To follow changes, ask from a minute before the \
                 latest `updatedAt` seen: of changes made at once, one can appear behind another with a later time.";
    fields.change("updatedSince", moment().about(about))
}

/// Refuses a time that ends before it begins, in which nothing can have been.
pub(crate) fn refuse_backwards(
    fields: &mut Fields<'_>,
    [(from, begins), (to, ends)]: [(&str, Option<Timestamp>); 2],
) {
    if begins.zip(ends).is_some_and(|(begins, ends)| ends < begins) {
        let problem = message!("must not be before {from}", "no debe ser anterior a {from}");
        fields.refuse::<()>(to, problem);
    }
}

/// Asks for entries of metadata, such as `metadata[channel]=web`.
pub(crate) fn metadata(fields: &mut Fields<'_>) -> Vec<(String, String)> {
    let value = line(METADATA_VALUE_CHARS_MAX)
        .about("Only resources whose metadata have these values, e.g. `metadata[channel]=web`.");
    fields.entries("metadata", "metadata[name]", value)
}

/// Asks for `sort`; gives the order and its name.
pub(crate) fn sort<K: Copy + Default>(
    fields: &mut Fields<'_>,
    sorts: &'static [(&'static str, K)],
) -> (Sorting<K>, &'static str) {
    let sort = one_of(sorts, |sort| sort.0)
        .about("Sort order; a leading `-` means descending. Defaults to `-createdAt`.");
    let (name, by) = fields.change("sort", sort).unwrap_or(("-createdAt", K::default()));
    (Sorting { by, ascending: !name.starts_with('-') }, name)
}

/// Asks for the `sort` of records.
pub(crate) fn record_sort(fields: &mut Fields<'_>) -> (Sorting<RecordSort>, &'static str) {
    sort(fields, SORTS)
}
