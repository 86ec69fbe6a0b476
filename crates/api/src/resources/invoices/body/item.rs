//! How the API shows an item: as its maker gave it, with what follows from that.

use cfdi::document::Item;
use invoices::{DraftItem, ProductId};
use kernel::Amount;
use serde::Serialize;
use utoipa::ToSchema;

use super::parties::ThirdPartyBody;
use crate::resources::{shapes, taxes::TaxAmountBody};

/// One line of an invoice. Price, discount and taxes are as they were given, so that they can be sent back.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = InvoiceItem)]
pub(super) struct ItemBody {
    /// The product that it was filled from.
    #[schema(value_type = Option<String>, example = "prd_01KG8VZ3D1F5H7K9M0N2P4Q6R8")]
    product_id: Option<ProductId>,
    /// Your number for it; the product's unless given. The ticket in a global invoice.
    sku: Option<String>,
    /// What is sold; the product's name unless given.
    description: String,
    /// SAT's key of the kind of product, see GET /invoices/cfdi/claves-prod-serv; the product's, else
    /// `01010101`, unless given.
    sat_product_key: String,
    /// SAT's key of the unit, see GET /invoices/cfdi/claves-unidad; the product's, else `H87` (a piece),
    /// unless given.
    sat_unit_key: String,
    /// The unit in your words.
    unit: Option<String>,
    /// How many units.
    #[schema(value_type = shapes::Amount)]
    quantity: Amount,
    /// The price of one unit, with taxes when `taxIncluded`; the product's unless given.
    #[schema(value_type = shapes::Amount)]
    unit_price: Amount,
    /// Whether price and discount have the taxes inside; as the product says, else `true`, unless given.
    tax_included: bool,
    /// What is taken off the whole line, with taxes when `taxIncluded`.
    #[schema(value_type = Option<shapes::Amount>)]
    discount: Option<Amount>,
    /// Whether taxes apply, see GET /invoices/cfdi/objetos-impuesto; follows from the taxes unless given.
    #[schema(example = "02")]
    tax_object: String,
    /// Its taxes; the product's, else those of the issuer, unless given.
    taxes: Vec<TaxAmountBody>,
    /// The price of one unit before taxes and discount, as the document says it.
    #[schema(value_type = Option<shapes::Amount>)]
    net_unit_price: Option<Amount>,
    /// What is taken off before taxes, as the document says it.
    #[schema(value_type = Option<shapes::Amount>)]
    net_discount: Option<Amount>,
    /// All units before taxes and discount, as the document says it.
    #[schema(value_type = Option<shapes::Amount>)]
    amount: Option<Amount>,
    /// On whose behalf it is sold.
    third_party: Option<ThirdPartyBody>,
    /// Customs documents (pedimentos) of imported goods.
    customs: Vec<String>,
    /// Numbers of property accounts (cuenta predial), for the rent of real estate.
    property_accounts: Vec<String>,
}

/// The items of a draft, each beside what it is in the document.
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
        }
    }
}
