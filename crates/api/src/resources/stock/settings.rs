//! `/stock/settings`: which warehouses orders take from, and how labels of scales are read.

use std::fmt::Display;

use accounts::Scope;
use actix_web::http::{StatusCode, header::ETAG};
use intake::SentBack;
use inventory::{Allocation, StockSettings, WarehouseId, service::SetStockSettings};
use kernel::ScaleCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::{examples, forms};
use crate::{
    answer::{Answer, Resource},
    call::Call,
    crud::unchanged,
    endpoint::{Endpoint, changes, plain, taking},
    error::ApiError,
    etag::ETag,
    reply::{answered, written},
    resources::shapes,
};

const SETTINGS: &str = SettingsBody::PATH;

/// Which warehouses orders take from, and how labels of scales are read.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StockSettings)]
pub(super) struct SettingsBody {
    /// Where an order that names no warehouse takes its stock from: `default`, the default warehouse alone; `anyAvailable`, any of kind
    /// `store` by its priority, several if need be.
    #[schema(value_type = shapes::Allocation)]
    allocation: &'static str,
    /// Default warehouse. Stock that names no warehouse goes there, too.
    #[schema(value_type = String, example = "whs_01KG9D2F4H6K8N0Q2S4V6W8Y0A")]
    default_warehouse_id: WarehouseId,
    /// How the scales of the shop write their labels, for `GET /products/lookup`; none by default.
    #[schema(value_type = Vec<String>, example = json!(["20PPPPPWWWWWC"]))]
    scale_codes: Vec<ScaleCode>,
    #[serde(skip)]
    version: i64,
}

impl Resource for SettingsBody {
    type Thing = StockSettings;

    const PATH: &'static str = "/stock/settings";

    fn id(&self) -> impl Display {
        "settings"
    }

    fn etag(&self) -> ETag {
        ETag::version(self.version)
    }
}

impl From<StockSettings> for SettingsBody {
    fn from(settings: StockSettings) -> Self {
        Self {
            allocation: Allocation::name(settings.allocation),
            default_warehouse_id: settings.default_warehouse,
            scale_codes: settings.scale_codes,
            version: settings.version,
        }
    }
}

pub(super) fn endpoints() -> [Endpoint; 2] {
    [
        Endpoint::get(SETTINGS, Scope::Warehouses, plain(show))
            .of_only_one()
            .summary("Get the stock settings")
            .describes("Which warehouses orders take from, and how labels of scales are read.")
            .answers::<SettingsBody>(200, "The settings.", examples::SETTINGS),
        Endpoint::put(SETTINGS, Scope::Warehouses, taking(changes(forms::SET), set))
            .of_only_one()
            .summary("Set the stock settings")
            .describes(
                "Replaces all settings. Orders that were placed before are not affected. With `anyAvailable`, the first warehouse \
                 by priority that has the whole order ships all of it; otherwise each line comes from the first that has \
                 all of it, and what no single one has from several.\n\nWith `scaleCodes`, `GET /products/lookup` finds what a label of a \
                 scale is of, and says what was weighed: `20PPPPPWWWWWC` is a label that begins with 20, then has the five \
                 digits of a SKU (zeros in front count or not), five of a weight in thousandths and the check digit; with `M` \
                 instead of `W`, these are of a price in cents.",
            )
            .answers::<SettingsBody>(200, "The updated settings.", examples::SETTINGS),
    ]
}

async fn show(call: Call) -> Result<Answer, ApiError> {
    let settings = answered(call.services().inventory.settings(call.account)).await?;
    Answer::shown::<SettingsBody>(call.headers(), settings)
}

async fn set(
    call: Call,
    (wanted, sent_back): (SetStockSettings, SentBack),
) -> Result<Answer, ApiError> {
    let before = answered(call.services().inventory.settings(call.account)).await?;
    unchanged(&call, sent_back, &SettingsBody::from(before))?;
    let version = call.expected_version();
    let setting = call.services().inventory.set_settings(call.ctx()?, wanted, version);
    let shown = SettingsBody::from(written(setting).await?.value);
    Answer::json(StatusCode::OK, &shown)?.with(ETAG, shown.etag())
}
