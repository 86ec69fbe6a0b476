//! Stock counts.

use inventory::{
    Sku, WarehouseId,
    count::{Count, CountId, CountLine, CountLineId, CountStatus, Counted, Uncounted},
};
use kernel::{Measure, Timestamp};
use serde::{Deserialize, Serialize};

use super::SkuForm;
use crate::stored::forms::{Form, Maybe, forms};

forms!(
    CountForm of Count,
    CountLineForm of CountLine,
    CountedForm of Counted,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "CountStatus", rename_all = "snake_case")]
enum CountStatusForm {
    Draft,
    Counting,
    Posted,
    Cancelled,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Uncounted", rename_all = "snake_case")]
enum UncountedForm {
    Leave,
    Zero,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Count")]
pub(in crate::stored) struct CountForm {
    id: CountId,
    #[serde(with = "CountStatusForm")]
    status: CountStatus,
    warehouse: WarehouseId,
    #[serde(with = "UncountedForm")]
    uncounted: Uncounted,
    note: Option<String>,
    lines: i64,
    counted: i64,
    posted: i64,
    left_out: i64,
    created_at: Timestamp,
    updated_at: Timestamp,
    posted_at: Option<Timestamp>,
    cancelled_at: Option<Timestamp>,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CountLine")]
pub(in crate::stored) struct CountLineForm {
    id: CountLineId,
    #[serde(with = "SkuForm")]
    sku: Sku,
    snapshot: Measure,
    #[serde(with = "Maybe::<CountedForm>")]
    counted: Option<Counted>,
    posted: Option<Measure>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Counted")]
struct CountedForm {
    quantity: Measure,
    on_hand_then: Measure,
    changes_then: i64,
    corrections_then: i64,
    by: Option<String>,
    at: Timestamp,
}
