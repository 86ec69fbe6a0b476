//! The language that a caller reads best.

use actix_web::http::header::{ACCEPT_LANGUAGE, HeaderMap};
use kernel::Language;

/// The language preferred of those that messages are written in; English where it is all the same.
pub(crate) fn preferred(headers: &HeaderMap) -> Language {
    let values = headers.get_all(ACCEPT_LANGUAGE);
    kernel::preferred::language(values.filter_map(|value| value.to_str().ok()))
}
