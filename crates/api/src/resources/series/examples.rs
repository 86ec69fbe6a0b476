//! Series as the document shows them.

/// The JSON of a series.
macro_rules! series {
    () => {
        r#"{"issuerId": "iss_01KG8VXT0N9B4C6D8E0F2G4H6J", "series": "WEB", "nextFolio": 12345}"#
    };
}

pub(super) const SERIES: &str = series!();

pub(super) const WANTED: &str = r#"{"nextFolio": 12345}"#;

pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    series!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
