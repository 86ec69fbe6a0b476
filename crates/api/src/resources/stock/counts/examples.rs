//! Examples of stock counts for the documentation.

/// A body that opens a count.
pub(super) const OPEN: &str = r#"{
    "warehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A",
    "uncounted": "zero",
    "note": "Conteo de enero",
    "items": [{"productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V"}]
}"#;

/// A body that sets what was counted.
pub(super) const TALLY: &str = r#"{
    "by": "Luis",
    "items": [
        {"productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V", "countedQuantity": 12},
        {"productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V", "variantId": "var_01KG8VZW3K4M9N2P7Q5R6S8T0W", "countedQuantity": null}
    ]
}"#;

/// A body with what a scanner has read.
pub(super) const SCAN: &str = r#"{"code": "7501031311309", "by": "Luis"}"#;

/// A body that posts a line.
pub(super) const POST: &str = r#"{"items": [{"productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V", "variantId": "var_01KG8VZW3K4M9N2P7Q5R6S8T0W"}]}"#;

macro_rules! count {
    ($status:literal, $counted:literal, $posted:literal, $moments:literal) => {
        concat!(
            r#"{
    "id": "cnt_01KG9D9Q1S3V5X7Z9B1D3F5H7K",
    "status": ""#,
            $status,
            r#"",
    "warehouseId": "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A",
    "uncounted": "leave",
    "note": "Conteo de enero",
    "lines": 2,
    "counted": "#,
            $counted,
            r#",
    "posted": "#,
            $posted,
            r#",
    "leftOut": 0,
    "createdAt": "2026-01-31T18:20:00.000Z",
    "updatedAt": "2026-01-31T19:20:00.000Z",
    "#,
            $moments,
            "}"
        )
    };
}

/// A count that was opened.
pub(super) const DRAFT: &str =
    count!("draft", "0", "0", r#""postedAt": null, "cancelledAt": null"#);

macro_rules! counting {
    () => {
        count!("counting", "1", "0", r#""postedAt": null, "cancelledAt": null"#)
    };
}

/// A count that goes on.
pub(super) const COUNTING: &str = counting!();

/// A count that was posted.
pub(super) const POSTED: &str =
    count!("posted", "2", "2", r#""postedAt": "2026-01-31T19:20:00.000Z", "cancelledAt": null"#);

/// A count that was called off.
pub(super) const CANCELLED: &str =
    count!("cancelled", "1", "0", r#""postedAt": null, "cancelledAt": "2026-01-31T19:20:00.000Z""#);

/// A page with that count.
pub(super) const PAGE: &str = concat!(
    r#"{"data": ["#,
    counting!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);

macro_rules! line {
    () => {
        r#"{
    "id": "cln_01KG9DAR2T4W6Y8A0C2E4G6J8M",
    "productId": "prd_01KG8VZW3K4M9N2P7Q5R6S8T0V",
    "variantId": null,
    "snapshot": 15,
    "countedQuantity": 12,
    "onHandThen": 13,
    "difference": -1,
    "countedBy": "Luis",
    "countedAt": "2026-01-31T19:00:00.000Z",
    "posted": false
}"#
    };
}

/// A line.
pub(super) const LINE: &str = line!();

/// A page with that line.
pub(super) const LINES: &str = concat!(
    r#"{"data": ["#,
    line!(),
    r#"], "total": 1, "totalIsExact": true, "page": 1, "limit": 20, "nextCursor": null}"#
);
