//! How the API shows an item: as the caller gave it, with the values derived from it.

use cfdi::document::{Item, Part};
use invoices::{DraftItem, ProductId};
use kernel::Amount;
use serde::Serialize;
use utoipa::ToSchema;

use super::parties::ThirdPartyBody;
use crate::resources::{shapes, taxes::TaxAmountBody};

/// A line item (concepto). Price, discount and taxes are shown as given, so that they can be sent back.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceItem)]
pub(super) struct ItemBody {
    /// Product that omitted fields are filled in from.
    #[schema(value_type = Option<String>, example = "prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8")]
    product_id: Option<ProductId>,
    /// Item number (NoIdentificacion); defaults to the product's SKU. In a global invoice, the ticket number.
    sku: Option<String>,
    /// Description; defaults to the product's name.
    description: String,
    /// SAT product or service key, see GET /invoices/cfdi/claves-prod-serv; defaults to the product's,
    /// otherwise `01010101`.
    sat_product_key: String,
    /// SAT unit key, see GET /invoices/cfdi/claves-unidad; defaults to the product's, otherwise `H87`
    /// (piece).
    sat_unit_key: String,
    /// Unit of measure in your own words.
    unit: Option<String>,
    /// Quantity, in units.
    #[schema(value_type = shapes::Amount)]
    quantity: Amount,
    /// Unit price, including taxes if `taxIncluded`; defaults to the product's price.
    #[schema(value_type = shapes::Amount)]
    unit_price: Amount,
    /// Whether price and discount include taxes; defaults to the product's setting, otherwise `true`.
    tax_included: bool,
    /// Discount on the whole line, including taxes if `taxIncluded`.
    #[schema(value_type = Option<shapes::Amount>)]
    discount: Option<Amount>,
    /// Tax object code, see GET /invoices/cfdi/objetos-impuesto; derived from the taxes by default.
    #[schema(example = "02")]
    tax_object: String,
    /// Taxes; default to the product's, otherwise the issuer's default taxes.
    taxes: Vec<TaxAmountBody>,
    /// Unit price before taxes and discount, as stated in the CFDI (ValorUnitario).
    #[schema(value_type = Option<shapes::Amount>)]
    net_unit_price: Option<Amount>,
    /// Discount before taxes, as stated in the CFDI (Descuento).
    #[schema(value_type = Option<shapes::Amount>)]
    net_discount: Option<Amount>,
    /// Line amount before taxes and discount, as stated in the CFDI (Importe).
    #[schema(value_type = Option<shapes::Amount>)]
    amount: Option<Amount>,
    /// Third party on whose behalf the item is sold (a cuenta de terceros).
    third_party: Option<ThirdPartyBody>,
    /// Customs entry numbers (pedimentos) of imported goods.
    customs: Vec<String>,
    /// Property tax account numbers (cuenta predial), for real-estate rentals.
    property_accounts: Vec<String>,
    /// What it is made up of, such as the contents of a kit (Parte). The price of the item is that of all of it.
    parts: Vec<PartBody>,
}

/// A part of an item.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceItemPart)]
struct PartBody {
    /// SAT product or service key; `01010101` by default.
    sat_product_key: String,
    /// Number of the part (NoIdentificacion).
    sku: Option<String>,
    /// How many there are, in units.
    #[schema(value_type = shapes::Amount)]
    quantity: Amount,
    /// Unit of measure in your own words.
    unit: Option<String>,
    /// Description.
    description: String,
    /// Unit price before taxes, if the part has one of its own.
    #[schema(value_type = Option<shapes::Amount>)]
    unit_price: Option<Amount>,
    /// Quantity times unit price (Importe).
    #[schema(value_type = Option<shapes::Amount>)]
    amount: Option<Amount>,
    /// Customs entry numbers (pedimentos) of imported parts.
    customs: Vec<String>,
}

/// The items of a draft, each with its values in the document.
pub(super) fn list(drafts: Vec<DraftItem>, items: &[Item]) -> Vec<ItemBody> {
    let items = items.iter().map(Some).chain(std::iter::repeat(None));
    drafts.into_iter().zip(items).map(|(draft, item)| ItemBody::new(draft, item)).collect()
}

impl ItemBody {
    fn new(draft: DraftItem, item: Option<&Item>) -> Self {
        let tax = |rate| {
            let stated = item.and_then(|item| item.taxes.iter().find(|tax| tax.rate == rate));
            TaxAmountBody::new(rate, stated)
        };
        let tax_object = item.map(|item| item.tax_object.clone()).or(draft.tax_object);
        Self {
            product_id: draft.product,
            sku: draft.sku,
            description: draft.description,
            sat_product_key: draft.sat_product_key,
            sat_unit_key: draft.sat_unit_key,
            unit: draft.unit,
            quantity: draft.quantity,
            unit_price: draft.unit_price,
            tax_included: draft.tax_included,
            discount: draft.discount,
            tax_object: tax_object.unwrap_or_default(),
            taxes: draft.taxes.into_iter().map(tax).collect(),
            net_unit_price: item.map(|item| item.unit_price),
            net_discount: item.and_then(|item| item.discount),
            amount: item.map(|item| item.amount),
            third_party: draft.third_party.map(ThirdPartyBody::from),
            customs: draft.customs,
            property_accounts: draft.property_accounts,
            parts: draft.parts.into_iter().map(PartBody::from).collect(),
        }
    }
}

impl From<Part> for PartBody {
    fn from(part: Part) -> Self {
        let amount = part.amount();
        let Part { sat_product_key, sku, quantity, unit, description, unit_price, customs } = part;
        Self { sat_product_key, sku, quantity, unit, description, unit_price, amount, customs }
    }
}
