//! The table of what is sold.

use cfdi::document::{Document, Item, ThirdParty};

use crate::{
    block::Block,
    figures,
    names::Catalog,
    parts::{FULL, taxes},
    table::{Cell, Spec, Table, Width, cell},
    text::{self, Align, Style, TIE},
};

/// Head and rows of the table.
pub(crate) fn items(document: &Document) -> (Block, Vec<Block>) {
    let discounted = document.items.iter().any(|item| item.discount.is_some());
    let decimals = document.decimals();
    let rows: Vec<_> = document.items.iter().map(|item| row(item, decimals, discounted)).collect();
    let table = Table::for_rows(FULL, &specs(discounted), &rows);
    (table.head(), rows.iter().map(|row| table.row(row)).collect())
}

fn specs(discounted: bool) -> Vec<Spec> {
    let fitting = |title, align, most| Spec { title, align, width: Width::Fitting { most } };
    let mut specs = vec![
        fitting("Cantidad", Align::Right, 90.0),
        fitting("Unidad", Align::Left, 56.0),
        fitting("Clave SAT", Align::Left, 46.0),
        Spec { title: "Descripción", align: Align::Left, width: Width::Rest },
        fitting("Valor unitario", Align::Right, 100.0),
    ];
    if discounted {
        specs.push(fitting("Descuento", Align::Right, 90.0));
    }
    specs.push(fitting("Importe", Align::Right, 100.0));
    specs
}

fn row(item: &Item, decimals: u32, discounted: bool) -> Vec<Cell> {
    let mut cells = vec![
        cell(figures::plain(item.quantity)),
        unit(item),
        cell(item.sat_product_key.clone()),
        description(item, decimals),
        cell(figures::money(item.unit_price, decimals)),
    ];
    if discounted {
        let discount = item.discount.map(|discount| figures::money(discount, decimals));
        cells.push(cell(discount.unwrap_or_default()));
    }
    cells.push(cell(figures::money(item.amount, decimals)));
    cells
}

fn unit(item: &Item) -> Cell {
    let mut lines = cell(item.sat_unit_key.clone());
    let name = Catalog::Unit.name(&item.sat_unit_key);
    lines.extend(name.map(|name| (Style::FINE, name.to_owned())));
    let own = item.unit.as_ref().filter(|own| Some(own.as_str()) != name);
    lines.extend(own.map(|own| (Style::FINE, format!("({own})"))));
    lines
}

fn description(item: &Item, decimals: u32) -> Cell {
    let mut lines = cell(item.description.clone());
    let product = Catalog::Product.name(&item.sat_product_key);
    let object = Catalog::TaxObject.labelled(&item.tax_object);
    let facts = [
        product.map(str::to_owned),
        item.sku.as_ref().map(|sku| format!("No. ident.{TIE}{sku}")),
        Some(object),
    ];
    let facts: Vec<_> = facts.into_iter().flatten().collect();
    lines.push((Style::FINE, text::facts(&facts)));
    lines.extend(item.taxes.iter().map(|tax| (Style::FINE, taxes::line(tax, decimals))));
    lines.extend(item.third_party.as_ref().map(|party| (Style::FINE, third_party(party))));
    let customs = item.customs.iter().map(|number| format!("Número de pedimento {number}"));
    let property = item.property_accounts.iter().map(|number| format!("Cuenta predial {number}"));
    lines.extend(customs.chain(property).map(|text| (Style::FINE, text)));
    lines
}

fn third_party(party: &ThirdParty) -> String {
    let party = [
        format!("A cuenta de terceros: {}", party.legal_name),
        format!("RFC{TIE}{}", party.rfc),
        format!("Régimen {}", Catalog::Regime.labelled(&party.tax_regime)),
        format!("C.P.{TIE}{}", party.tax_zip),
    ];
    text::facts(&party)
}
