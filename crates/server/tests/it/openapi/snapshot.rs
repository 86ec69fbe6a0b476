//! The document kept in the repository is the one that the service serves.

/// Where the document is kept.
const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");

#[test]
fn the_kept_document_is_current() {
    let kept = std::fs::read_to_string(KEPT).unwrap_or_default();
    let current = api::openapi_document(&api::Settings::default());
    let differs = kept.lines().zip(current.lines()).position(|(kept, current)| kept != current);
    assert!(
        kept.trim_end() == current,
        "docs/openapi.json differs from the API, first in line {}: renew it with `cargo xtask openapi` \
         and commit it",
        differs.unwrap_or_else(|| kept.lines().count().min(current.lines().count())) + 1
    );
}

#[test]
fn the_document_is_the_same_every_time() {
    let settings = api::Settings::default();
    assert_eq!(api::openapi_document(&settings), api::openapi_document(&settings));
}
