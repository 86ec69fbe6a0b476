//! What is on the way.

use cfdi::{
    complements::carta_porte::{GoodsItem, HealthControl, WeightDetails},
    document::day,
};
use kernel::Language;

use super::{Line, stated};
use crate::{figures, text::facts, texts};

/// What the document states of goods.
pub(super) fn lines(goods: &GoodsItem, language: Language) -> Vec<Line> {
    let what =
        [Some(goods.sat_product_key.clone()), goods.stcc.clone(), Some(goods.description.clone())];
    let unit = goods.unit.clone();
    let count = [Some(figures::plain(goods.quantity)), Some(goods.sat_unit_key.clone()), unit];
    let hazard = [
        goods.hazardous.map(|is| if is { texts::YES } else { texts::NO }.text(language).to_owned()),
        goods.hazardous_material.clone(),
        goods.packaging.clone(),
        goods.packaging_description.clone(),
    ];
    let value = goods.value.as_ref();
    let value = value.map(|value| {
        let decimals = value.currency.decimals();
        facts(&[figures::money(value.amount, decimals), value.currency.code().to_owned()])
    });
    let material = [goods.material_type.clone(), goods.material_description.clone()];
    let mut lines = stated([
        (texts::GOODS, Some(all(what))),
        (texts::QUANTITY, Some(all(count))),
        (texts::WEIGHT, Some(figures::plain(goods.weight_kg))),
        (texts::DETAILED_WEIGHT, goods.weights.as_ref().map(weights)),
        (texts::DIMENSIONS, goods.dimensions.clone()),
        (texts::HAZARD, some(all(hazard))),
        (texts::TARIFF_CODE, goods.tariff_code.clone()),
        (texts::GOODS_VALUE, value),
        (texts::FOREIGN_TRADE_UUID, goods.foreign_trade_uuid.clone()),
        (texts::MATERIAL, some(all(material))),
        (texts::HEALTH, goods.health.as_ref().map(health)),
    ]);
    lines.extend(goods.customs_documents.iter().map(|paper| {
        let parts = [
            Some(paper.document_type.clone()),
            paper.pedimento.clone(),
            paper.identifier.clone(),
            paper.importer_rfc.clone(),
        ];
        (texts::CUSTOMS_DOCUMENT, all(parts))
    }));
    lines.extend(goods.guides.iter().map(|guide| {
        let weight = texts::KILOGRAMS.with(language, &[&figures::plain(guide.weight_kg)]);
        (texts::GUIDE, facts(&[guide.number.clone(), guide.description.clone(), weight]))
    }));
    lines.extend(goods.portions.iter().map(|part| {
        let route = texts::ROUTE.with(language, &[&part.origin, &part.destination]);
        (texts::PORTION, facts(&[figures::plain(part.quantity), route]))
    }));
    lines
}

/// With the packing, without it, the packing and the pieces.
fn weights(weights: &WeightDetails) -> String {
    all([
        Some(figures::plain(weights.gross)),
        Some(figures::plain(weights.net)),
        Some(figures::plain(weights.tare())),
        Some(weights.unit.clone()),
        weights.pieces.map(|count| count.to_string()),
    ])
}

fn health(health: &HealthControl) -> String {
    all([
        some(health.sector.clone()),
        health.active_ingredient.clone(),
        health.chemical_name.clone(),
        health.generic_name.clone(),
        health.brand_name.clone(),
        health.manufacturer.clone(),
        health.expires_on.map(day::to_text),
        health.batch.clone(),
        health.dosage_form.clone(),
        health.special_conditions.clone(),
        health.sanitary_registration.clone(),
        health.import_permit.clone(),
        health.vucem_folio.clone(),
        health.cas_number.clone(),
        health.importer_name.clone(),
        health.pesticide_registration.clone(),
        health.manufacturer_details.clone(),
        health.formulator_details.clone(),
        health.processor_details.clone(),
        health.authorized_use.clone(),
    ])
}

pub(super) fn all<const N: usize>(parts: [Option<String>; N]) -> String {
    facts(&parts.into_iter().flatten().collect::<Vec<_>>())
}

fn some(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}
