//! What a row of a form makes of an item that a draft has.

use aws_lc_rs::digest::{SHA256, digest};
use invoices::{Draft, DraftItem, ItemFields};

use super::{
    reading::Told,
    taxes::{self, ItemTaxes},
};

/// Whether all prices of a draft have the taxes inside.
pub(super) fn includes_taxes(draft: &Draft) -> bool {
    draft.items.iter().all(|item| item.tax_included)
}

/// What rows do not show of items, and leave as it is: the same text stands for the same.
pub(super) fn unshown(items: &[DraftItem]) -> String {
    let unshown = |item: &DraftItem| {
        let untold = ItemTaxes::of_item(item).is_none().then_some(&item.taxes);
        let kept = (&item.third_party, &item.customs, &item.property_accounts, &item.parts);
        format!("{:?}", (item.product, &item.sku, &item.unit, &item.tax_object, untold, kept))
    };
    let items: Vec<String> = items.iter().map(unshown).collect();
    hex::encode(digest(&SHA256, items.join("\n").as_bytes()))
}

/// An item of a draft as it is.
pub(super) fn as_it_is(item: &DraftItem) -> ItemFields {
    let DraftItem {
        product,
        sat_product_key,
        sku,
        sat_unit_key,
        unit,
        description,
        quantity,
        unit_price,
        tax_included,
        discount,
        tax_object,
        taxes,
        third_party,
        customs,
        property_accounts,
        parts,
    } = item.clone();
    ItemFields {
        product,
        sat_product_key: Some(sat_product_key),
        sku,
        sat_unit_key: Some(sat_unit_key),
        unit,
        description: Some(description),
        quantity,
        unit_price: Some(unit_price),
        tax_included: Some(tax_included),
        discount,
        tax_object,
        taxes: Some(taxes),
        taxes_follow: true,
        third_party,
        customs,
        property_accounts,
        parts,
    }
}

/// An item of a draft with what its row says; what the form does not have stays as it is. Another code is another product:
/// what was left as it was is then that product's, for which the row is filled anew.
pub(super) fn corrected(told: &Told, before: &DraftItem, tax_included: Option<bool>) -> ItemFields {
    let is_another = told.sku.is_some() && told.sku != before.sku;
    let own = |given: &Option<String>, known: &str| {
        given.clone().filter(|text| !is_another || text != known)
    };
    let price = told.unit_price.filter(|price| !is_another || *price != before.unit_price);
    let keeps_unit = told.sat_unit_key.as_ref() == Some(&before.sat_unit_key);
    let was = as_it_is(before);
    let mut item = ItemFields {
        product: was.product.filter(|_| !is_another),
        sku: told.sku.clone(),
        description: own(&told.description, &before.description),
        sat_product_key: own(&told.sat_product_key, &before.sat_product_key),
        sat_unit_key: own(&told.sat_unit_key, &before.sat_unit_key),
        // The unit in words goes with the code of the unit.
        unit: was.unit.clone().filter(|_| !is_another && keeps_unit),
        quantity: told.quantity.unwrap_or(before.quantity),
        unit_price: price,
        discount: told.discount,
        tax_included: match tax_included {
            Some(included) => Some(included),
            None if is_another && price.is_none() => None,
            None => was.tax_included,
        },
        ..was
    };
    let had = ItemTaxes::of_item(before);
    match told.taxes {
        Some(taxes) if Some(taxes) != had => taxes::set(&mut item, taxes),
        // Its taxes are those of the other product then.
        _ if is_another => (item.taxes, item.tax_object) = (None, None),
        _ => {}
    }
    if is_another {
        item.customs.clear();
        item.property_accounts.clear();
        item.parts.clear();
    }
    item
}

#[cfg(test)]
mod tests {
    use cfdi::tax::{Factor, Tax, TaxRate};
    use kernel::Amount;

    use super::*;

    fn item() -> DraftItem {
        let withheld = TaxRate {
            tax: Tax::Isr,
            factor: Factor::Tasa,
            rate: Amount::from_micros(12_500),
            withheld: true,
        };
        DraftItem {
            product: None,
            sat_product_key: "52152100".to_owned(),
            sku: Some("T-1".to_owned()),
            sat_unit_key: "H87".to_owned(),
            unit: Some("pieza".to_owned()),
            description: "Taza".to_owned(),
            quantity: Amount::from_micros(2_000_000),
            unit_price: Amount::from_micros(116_000_000),
            tax_included: true,
            discount: None,
            tax_object: None,
            taxes: vec![TaxRate::iva(160_000), withheld],
            third_party: None,
            customs: vec!["24  48  3009  4001234".to_owned()],
            property_accounts: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// A row that says what the item is.
    fn unchanged(item: &DraftItem) -> Told {
        Told {
            of: Some(0),
            sku: item.sku.clone(),
            description: Some(item.description.clone()),
            quantity: Some(item.quantity),
            unit_price: Some(item.unit_price),
            sat_product_key: Some(item.sat_product_key.clone()),
            sat_unit_key: Some(item.sat_unit_key.clone()),
            ..Told::default()
        }
    }

    #[test]
    fn what_a_row_leaves_as_it_was_stays() {
        let before = item();
        assert_eq!(corrected(&unchanged(&before), &before, None), as_it_is(&before));
        let told = Told { sat_unit_key: Some("E48".to_owned()), ..unchanged(&before) };
        let item = corrected(&told, &before, Some(false));
        assert_eq!((item.unit, item.tax_included), (None, Some(false)));
        let told = Told { taxes: Some(ItemTaxes::NoObject), ..unchanged(&before) };
        let item = corrected(&told, &before, None);
        assert_eq!((item.taxes, item.tax_object.as_deref()), (Some(Vec::new()), Some("01")));
    }

    #[test]
    fn items_are_told_apart_by_what_rows_do_not_show() {
        let before = unshown(&[item()]);
        let shown = DraftItem {
            description: "Otra".to_owned(),
            quantity: Amount::from_micros(1),
            ..item()
        };
        assert_eq!(unshown(&[shown]), before);
        assert_ne!(unshown(&[DraftItem { customs: Vec::new(), ..item() }]), before);
        assert_ne!(unshown(&[item(), item()]), before);
    }

    #[test]
    fn another_code_is_another_product() {
        let before = item();
        let told = Told { sku: Some("T-2".to_owned()), ..unchanged(&before) };
        let item = corrected(&told, &before, None);
        assert_eq!((item.description, item.unit_price, item.taxes), (None, None, None));
        assert_eq!((item.sat_product_key, item.unit, item.tax_included), (None, None, None));
        assert!(item.customs.is_empty());
        let price = Some(Amount::from_micros(58_000_000));
        let told = Told { sku: Some("T-2".to_owned()), unit_price: price, ..unchanged(&before) };
        let item = corrected(&told, &before, None);
        assert_eq!((item.unit_price, item.tax_included), (price, Some(true)));
    }
}
