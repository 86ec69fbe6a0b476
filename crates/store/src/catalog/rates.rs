//! The taxes of products, as those who reckon with them see them.

use catalog::{Tax, TaxFactor, TaxKind};
use cfdi::tax::{Factor, TaxRate};
use diesel::QueryResult;

use crate::stored::from_text;

/// The taxes that a product states, from their column.
pub(crate) fn product_rates(taxes: &str) -> QueryResult<Vec<TaxRate>> {
    // Every order asks, and few products state any.
    if taxes == "[]" {
        return Ok(Vec::new());
    }
    let taxes: Vec<Tax> = from_text(taxes)?;
    Ok(taxes.iter().map(rate).collect())
}

fn rate(tax: &Tax) -> TaxRate {
    TaxRate {
        tax: match tax.tax {
            TaxKind::Iva => cfdi::tax::Tax::Iva,
            TaxKind::Isr => cfdi::tax::Tax::Isr,
            TaxKind::Ieps => cfdi::tax::Tax::Ieps,
        },
        factor: match tax.factor {
            TaxFactor::Tasa => Factor::Tasa,
            TaxFactor::Cuota => Factor::Cuota,
            TaxFactor::Exento => Factor::Exento,
        },
        rate: tax.rate.unwrap_or_default(),
        withheld: tax.withheld,
    }
}
