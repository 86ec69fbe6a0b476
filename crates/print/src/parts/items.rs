//! The table of what is sold.

use cfdi::document::{Item, Part, ThirdParty};
use kernel::Language;

use crate::{
    Sheet,
    block::Block,
    figures,
    look::ItemDetails,
    names::Catalog,
    parts::{FULL, taxes},
    table::{Cell, Spec, Table, Width, cell},
    text::{self, Align, Style},
    texts::{self, Label},
};

/// Head and rows of the table.
pub(crate) fn items(sheet: &Sheet<'_>) -> (Block, Vec<Block>) {
    let document = sheet.document;
    let discounted = document.items.iter().any(|item| item.discount.is_some());
    let rows: Vec<_> = document.items.iter().map(|item| row(item, sheet, discounted)).collect();
    let table = Table::for_rows(FULL, &specs(discounted, sheet.language), &rows);
    (table.head(), rows.iter().map(|row| table.row(row)).collect())
}

fn specs(discounted: bool, language: Language) -> Vec<Spec> {
    let fitting = |title: Label, align, most| Spec {
        title: title.text(language),
        align,
        width: Width::Fitting { most },
    };
    let mut specs = vec![
        fitting(texts::QUANTITY, Align::Right, 90.0),
        fitting(texts::UNIT, Align::Left, 56.0),
        fitting(texts::PRODUCT_KEY, Align::Left, 46.0),
        Spec { title: texts::DESCRIPTION.text(language), align: Align::Left, width: Width::Rest },
        fitting(texts::UNIT_PRICE, Align::Right, 100.0),
    ];
    if discounted {
        specs.push(fitting(texts::DISCOUNT, Align::Right, 90.0));
    }
    specs.push(fitting(texts::AMOUNT, Align::Right, 100.0));
    specs
}

fn row(item: &Item, sheet: &Sheet<'_>, discounted: bool) -> Vec<Cell> {
    let decimals = sheet.document.decimals();
    let mut cells = vec![
        cell(figures::plain(item.quantity)),
        unit(item, sheet.look.item_details),
        cell(item.sat_product_key.clone()),
        description(item, sheet),
        cell(figures::money(item.unit_price, decimals)),
    ];
    if discounted {
        let discount = item.discount.map(|discount| figures::money(discount, decimals));
        cells.push(cell(discount.unwrap_or_default()));
    }
    cells.push(cell(figures::money(item.amount, decimals)));
    cells
}

fn unit(item: &Item, details: ItemDetails) -> Cell {
    let mut lines = cell(item.sat_unit_key.clone());
    let name = Catalog::Unit.name(&item.sat_unit_key);
    let shown = name.filter(|_| details.unit_name);
    lines.extend(shown.map(|name| (Style::FINE, name.to_owned())));
    let own = item.unit.as_deref().filter(|own| Some(*own) != shown);
    lines.extend(own.map(|own| (Style::FINE, format!("({own})"))));
    lines
}

fn description(item: &Item, sheet: &Sheet<'_>) -> Cell {
    let (language, details) = (sheet.language, sheet.look.item_details);
    let decimals = sheet.document.decimals();
    let mut lines = cell(item.description.clone());
    lines.push((Style::FINE, text::facts(&facts(item, details, language))));
    let taxes = item.taxes.iter().filter(|_| details.taxes);
    lines.extend(taxes.map(|tax| (Style::FINE, taxes::line(tax, decimals, language))));
    let third_party = item.third_party.as_ref();
    lines.extend(third_party.map(|party| (Style::FINE, self::third_party(party, language))));
    let numbers = |label: Label, numbers: &[String]| -> Vec<_> {
        numbers.iter().map(|number| (Style::FINE, label.with(language, &[number]))).collect()
    };
    lines.extend(numbers(texts::CUSTOMS, &item.customs));
    lines.extend(numbers(texts::PROPERTY, &item.property_accounts));
    for part in &item.parts {
        lines.push((Style::FINE, self::part(part, decimals, language)));
        lines.extend(numbers(texts::CUSTOMS, &part.customs));
    }
    lines
}

/// What is said of an item in a line.
fn facts(item: &Item, details: ItemDetails, language: Language) -> Vec<String> {
    let product = Catalog::Product.name(&item.sat_product_key).filter(|_| details.product_name);
    let sku = item.sku.as_ref().filter(|_| details.sku);
    let object = if details.tax_object_name {
        Catalog::TaxObject.labelled(&item.tax_object)
    } else {
        texts::TAX_OBJECT.with(language, &[&item.tax_object])
    };
    let sku = sku.map(|sku| texts::SKU.with(language, &[sku]));
    [product.map(str::to_owned), sku, Some(object)].into_iter().flatten().collect()
}

fn part(part: &Part, decimals: u32, language: Language) -> String {
    let quantity = figures::plain(part.quantity);
    let named = texts::PART.with(language, &[&quantity, &part.description]);
    let sku = part.sku.as_ref().map(|sku| texts::SKU.with(language, &[sku]));
    let price = part.unit_price.map(|price| {
        format!("{} {}", texts::UNIT_PRICE.text(language), figures::money(price, decimals))
    });
    let amount = part.amount().map(|amount| figures::money(amount, decimals));
    let key = Some(part.sat_product_key.clone());
    let facts = [Some(named), key, part.unit.clone(), sku, price, amount];
    text::facts(&facts.into_iter().flatten().collect::<Vec<_>>())
}

fn third_party(party: &ThirdParty, language: Language) -> String {
    let regime = Catalog::Regime.labelled(&party.tax_regime);
    let facts = [
        (texts::THIRD_PARTY, &party.legal_name),
        (texts::THIRD_PARTY_RFC, &party.rfc),
        (texts::THIRD_PARTY_REGIME, &regime),
        (texts::THIRD_PARTY_ZIP, &party.tax_zip),
    ];
    text::facts(&facts.map(|(label, value)| label.with(language, &[value])))
}
