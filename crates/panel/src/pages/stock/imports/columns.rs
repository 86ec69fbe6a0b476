//! What the fields are called that a column can hold, and what is wrong with what columns hold.

use imports::{Column, LayoutFault};
use kernel::{FieldFault, Message};

use crate::{reply::whole, texts::Say};

/// What a field is called.
pub(super) const fn name(say: Say, column: Column) -> &'static str {
    match column {
        Column::ExternalId => say.col_external_id(),
        Column::Sku => say.col_sku(),
        Column::Ean => say.col_ean(),
        Column::Name => say.col_name(),
        Column::Description => say.col_description(),
        Column::Price => say.col_price(),
        Column::Currency => say.col_currency(),
        Column::Inventory => say.col_inventory(),
        Column::LowStockThreshold => say.col_low_stock(),
        Column::ParentSku => say.col_parent_sku(),
        Column::VariantName => say.col_variant_name(),
        Column::VariantId => say.col_variant_id(),
        Column::Status => say.col_status(),
        Column::TaxIncluded => say.col_tax_included(),
        Column::Taxes => say.col_taxes(),
        Column::SatProductKey => say.col_sat_product_key(),
        Column::SatUnitKey => say.col_sat_unit_key(),
        Column::Unit => say.col_unit(),
        Column::QuantityDecimals => say.col_decimals(),
        Column::CompareAtPrice => say.col_compare_at(),
        Column::Cost => say.col_cost(),
        Column::Brand => say.col_brand(),
        Column::Categories => say.col_categories(),
        Column::Images => say.col_images(),
        Column::Weight => say.col_weight(),
        Column::FirstName => say.col_first_name(),
        Column::LastName => say.col_last_name(),
        Column::Company => say.col_company(),
        Column::Email => say.col_email(),
        Column::Phone => say.col_phone(),
        Column::Rfc => say.col_rfc(),
        Column::LegalName => say.col_legal_name(),
        Column::TaxRegime => say.col_tax_regime(),
        Column::TaxZip => say.col_tax_zip(),
        Column::CfdiUse => say.col_cfdi_use(),
        Column::TaxResidence => say.col_tax_residence(),
        Column::ForeignTaxId => say.col_foreign_tax_id(),
        Column::Street => say.col_street(),
        Column::Neighborhood => say.col_neighborhood(),
        Column::City => say.col_city(),
        Column::State => say.col_state(),
        Column::Zip => say.col_zip(),
        Column::Country => say.col_country(),
        Column::Warehouse => say.col_warehouse(),
        Column::OnHand => say.col_on_hand(),
        Column::Delta => say.col_delta(),
        // Nobody chooses these: only the names of columns in exports of shops mean them.
        Column::Grams
        | Column::Handle
        | Column::Option(_)
        | Column::Id
        | Column::Type
        | Column::SoldBy
        | Column::SalePrice
        | Column::RegularPrice
        | Column::AddressPhone
        | Column::Report => column.name(),
    }
}

/// What a form says of a fault.
pub(super) fn told(fault: &LayoutFault) -> FieldFault {
    whole(Message::both(|language| sentence(Say(language), fault)))
}

fn sentence(say: Say, fault: &LayoutFault) -> String {
    match fault {
        LayoutFault::NoSuchColumn { name, .. } => say.no_such_column(name),
        LayoutFault::Twice { column, names: [first, second] } => {
            say.column_twice(first, second, name(say, *column))
        }
        LayoutFault::NoKey { keys, .. } => {
            let keys: Vec<_> = keys.iter().map(|column| name(say, *column)).collect();
            say.column_keyless(&keys.join(", "))
        }
        LayoutFault::Missing { column } => say.column_missing(name(say, *column)),
    }
}
