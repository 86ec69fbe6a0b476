//! How invoices are printed.

use invoices::{ItemDetail, LogoPlace, SheetSettings};
use kernel::Timestamp;
use serde::{Deserialize, Serialize};

use super::forms::{Each, Form, forms};

forms!(
    DetailForm of ItemDetail,
    SheetForm of SheetSettings,
);

#[derive(Serialize, Deserialize)]
#[serde(remote = "SheetSettings", default = "SheetSettings::default")]
pub(super) struct SheetForm {
    accent: Option<String>,
    #[serde(with = "LogoPlaceForm")]
    logo_place: LogoPlace,
    #[serde(with = "Each::<DetailForm>")]
    hidden: Vec<ItemDetail>,
    address: Vec<String>,
    phone: Option<String>,
    email: Option<String>,
    website: Option<String>,
    footer: Option<String>,
    spanish_abroad: bool,
    updated_at: Option<Timestamp>,
    version: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LogoPlace", rename_all = "snake_case")]
enum LogoPlaceForm {
    Left,
    Center,
    Right,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "ItemDetail", rename_all = "snake_case")]
enum DetailForm {
    Sku,
    UnitName,
    ProductName,
    TaxObjectName,
    Taxes,
}
