//! Goods on the way.

mod goods;
mod modes;

use cfdi::{
    complements::{
        CartaPorte,
        carta_porte::{Figure, International, Location, LocationKind, Policy, RoadTransport},
    },
    stamp::Stamp,
};
use kernel::{Amount, Language};

use super::{Line, address, block, stated};
use crate::{
    block::Block,
    figures,
    parts::{FULL, heading, tfd},
    text::facts,
    texts,
};

/// The journey, its places, goods, truck and people, and the QR code of one that is stamped.
pub(super) fn parts(carta: &CartaPorte, stamp: Option<&Stamp>, language: Language) -> Vec<Block> {
    let title = heading(texts::CARTA_PORTE.text(language), FULL);
    let mut parts = vec![title.then(block(&journey(carta, language), language))];
    let spaced = |lines: &[Line]| Block::space(3.0).then(block(lines, language));
    parts.extend(carta.locations.iter().map(|each| spaced(&location(each, language))));
    parts.extend(carta.goods.items.iter().map(|each| spaced(&goods::lines(each, language))));
    let road = carta.road.as_ref().map(|road| truck(road, language));
    let sea = carta.sea.as_ref().map(modes::ship);
    let air = carta.air.as_ref().map(modes::flight);
    let rail = carta.rail.as_ref().map(|rail| modes::train(rail, language));
    parts.extend([road, sea, air, rail].into_iter().flatten().map(|lines| spaced(&lines)));
    parts.extend(carta.figures.iter().map(|each| spaced(&figure(each, language))));
    if let Some(url) = stamp.and_then(|stamp| carta.verification_url(stamp)) {
        parts.push(Block::space(6.0).then(tfd::qr(url)));
    }
    parts
}

fn journey(carta: &CartaPorte, language: Language) -> Vec<Line> {
    let goods = &carta.goods;
    let weight = facts(&[figures::plain(goods.total_weight()), goods.weight_unit.clone()]);
    let reach = carta.international.as_ref().map_or_else(
        || texts::NATIONAL.text(language).to_owned(),
        |border| crossing(border, language),
    );
    let poles = carta.isthmus.as_ref();
    stated([
        (texts::CARTA_PORTE_ID, carta.folio()),
        (texts::TRANSPORT, Some(reach)),
        (
            texts::ISTHMUS,
            poles.map(|poles| facts(&[poles.origin.clone(), poles.destination.clone()])),
        ),
        (
            texts::TOTAL_DISTANCE,
            Some(carta.total_distance_km()).filter(|km| *km != Amount::ZERO).map(figures::plain),
        ),
        (texts::GROSS_WEIGHT, Some(weight)),
        (texts::NET_WEIGHT, goods.net_weight().map(figures::plain)),
        (texts::APPRAISAL_CHARGE, goods.appraisal_charge.map(figures::plain)),
        (texts::GOODS_COUNT, Some(goods.items.len().to_string())),
        (
            texts::REVERSE_LOGISTICS,
            goods.reverse_logistics.then(|| texts::YES.text(language).to_owned()),
        ),
    ])
}

fn crossing(border: &International, language: Language) -> String {
    let parts = [
        texts::INTERNATIONAL.text(language).to_owned(),
        border.direction.spanish().to_owned(),
        border.country.clone(),
        texts::VIA.with(language, &[&border.via]),
        texts::CUSTOMS_REGIMES.with(language, &[&border.customs_regimes.join(", ")]),
    ];
    facts(&parts)
}

fn location(location: &Location, language: Language) -> Vec<Line> {
    let title = match location.kind {
        LocationKind::Origin => texts::ORIGIN,
        LocationKind::Destination => texts::DESTINATION,
    };
    let who = [
        location.code.clone(),
        Some(location.rfc.clone()),
        location.name.clone(),
        location.foreign_tax_id.clone(),
        location.tax_residence.clone(),
    ];
    stated([
        (title, Some(facts(&who.into_iter().flatten().collect::<Vec<_>>()))),
        (texts::STATION, location.station.as_ref().map(modes::station)),
        (texts::LOCATION_TIME, Some(figures::moment(location.at))),
        (texts::DISTANCE, location.distance_km.map(figures::plain)),
        (texts::ADDRESS, location.address.as_ref().map(|place| address::line(place, language))),
    ])
}

fn truck(road: &RoadTransport, language: Language) -> Vec<Line> {
    let vehicle = &road.vehicle;
    let parts = [
        vehicle.configuration.clone(),
        vehicle.plate.clone(),
        vehicle.model_year.to_string(),
        texts::TONS.with(language, &[&figures::plain(vehicle.gross_weight_tons)]),
    ];
    let insurance = &road.insurance;
    let mut lines = stated([
        (texts::PERMIT, Some(facts(&[road.permit_type.clone(), road.permit_number.clone()]))),
        (texts::VEHICLE, Some(facts(&parts))),
        (texts::LIABILITY, Some(policy(&insurance.liability))),
        (texts::ENVIRONMENT, insurance.environment.as_ref().map(policy)),
        (texts::CARGO, insurance.cargo.as_ref().map(policy)),
        (texts::PREMIUM, insurance.premium.map(figures::plain)),
    ]);
    lines.extend(
        road.trailers.iter().map(|trailer| {
            (texts::TRAILER, facts(&[trailer.subtype.clone(), trailer.plate.clone()]))
        }),
    );
    lines
}

fn policy(policy: &Policy) -> String {
    facts(&[policy.insurer.clone(), policy.number.clone()])
}

fn figure(figure: &Figure, language: Language) -> Vec<Line> {
    let who = [
        Some(figure.figure_type.clone()),
        Some(figure.name.clone()),
        figure.rfc.clone(),
        figure.foreign_tax_id.clone(),
        figure.tax_residence.clone(),
    ];
    let parts = (!figure.parts.is_empty()).then(|| figure.parts.join(", "));
    stated([
        (texts::FIGURE, Some(facts(&who.into_iter().flatten().collect::<Vec<_>>()))),
        (texts::LICENSE, figure.license.clone()),
        (texts::FIGURE_PARTS, parts),
        (texts::ADDRESS, figure.address.as_ref().map(|place| address::line(place, language))),
    ])
}
