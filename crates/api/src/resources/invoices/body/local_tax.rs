//! How the API shows a tax of a state or municipality.

use cfdi::local_taxes::LocalTax;
use invoices::DraftLocalTax;
use kernel::Amount;
use serde::Serialize;
use utoipa::ToSchema;

use crate::resources::shapes;

/// A tax of a state or municipality on a whole invoice, such as one on lodging.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LocalTax)]
pub(super) struct LocalTaxBody {
    /// Name in the law that levies it.
    #[schema(example = "ISH")]
    name: String,
    /// Rate as a share: 0.03 is 3 %.
    #[schema(value_type = shapes::Amount)]
    rate: Amount,
    /// Whether the receiver withholds it.
    withheld: bool,
    /// What it is levied on; `null` for what is sold, less discounts.
    #[schema(value_type = Option<shapes::Amount>)]
    base: Option<Amount>,
    /// Amount of the tax, to the cent.
    #[schema(value_type = Option<shapes::Amount>)]
    amount: Option<Amount>,
}

/// The taxes as the caller gave them, with the amounts of the document.
pub(super) fn list(given: Vec<DraftLocalTax>, built: Vec<LocalTax>) -> Vec<LocalTaxBody> {
    let mut amounts = built.into_iter().map(|tax| tax.amount);
    let body = |tax: DraftLocalTax| {
        let DraftLocalTax { name, rate, base, withheld } = tax;
        LocalTaxBody { name, rate, withheld, base, amount: amounts.next() }
    };
    given.into_iter().map(body).collect()
}
