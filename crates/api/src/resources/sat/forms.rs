//! What the catalogs' endpoints read.

use intake::{Check, Fields, Form, checks::line};
use kernel::PageRequest;

use crate::{page::page_request, resources::fiscal::regime};

pub(super) const USES: Form<Option<String>> = Form::query(read_regime);
pub(super) const UNITS: Form<Search> = Form::query(|fields| read_search(fields, UNIT_LIST));
pub(super) const PRODUCTS: Form<Search> = Form::query(|fields| read_search(fields, PRODUCT_LIST));

/// Sort order named in the cursors of these lists.
pub(super) const ORDER: &str = "match";
/// What the cursors of each list call it.
pub(super) const UNIT_LIST: &str = "units";
pub(super) const PRODUCT_LIST: &str = "products";
/// Maximum length of a search, in characters.
const SEARCH_CHARS_MAX: usize = 200;

/// A requested page of search results.
#[derive(Debug)]
pub(super) struct Search {
    /// Search words; none match everything.
    pub(super) words: String,
    /// The page requested.
    pub(super) page: PageRequest,
}

fn read_regime(fields: &mut Fields<'_>) -> Option<Option<String>> {
    let about = "Only uses open to receivers in this tax regime.";
    Some(fields.change("regime", regime().about(about)))
}

fn read_search(fields: &mut Fields<'_>, list: &str) -> Option<Search> {
    let about = "Words or beginnings of words, ignoring accents and case; or a code.";
    let words = fields.change("search", line(SEARCH_CHARS_MAX).about(about));
    let page = page_request(fields, ORDER, |cursor| cursor.id == list);
    Some(Search { words: words.unwrap_or_default(), page })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_are_read() {
        let wanted = UNITS.read_query("search=caf%C3%A9%20molido&limit=5&page=2").unwrap();
        assert_eq!((wanted.words.as_str(), wanted.page.limit), ("café molido", 5));
        assert_eq!(PRODUCTS.read_query("").unwrap().words, "");
        assert_eq!(USES.read_query("regime=601").unwrap().as_deref(), Some("601"));
        assert_eq!(
            USES.read_query("regime=general").unwrap_err().to_string(),
            "regime must be a fiscal regime of 3 digits such as \"601\""
        );
    }
}
