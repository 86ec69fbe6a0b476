use super::samples::national as sample;
use super::*;

#[test]
fn the_folio_is_the_uuid_that_begins_with_ccc() {
    let mut carta = sample();
    carta.id = Some("5FB2822E-396D-4725-8521-CDC4BDD20CCF".to_owned());
    assert_eq!(carta.folio().unwrap(), "CCC2822E-396D-4725-8521-CDC4BDD20CCF");
    carta.id = None;
    assert_eq!(carta.folio(), None);
    carta.id = Some("ñ".to_owned());
    assert_eq!(carta.folio(), None);
}

#[test]
fn distance_and_weight_are_sums() {
    let mut carta = sample();
    let amount = |text| Amount::parse(text).unwrap();
    let mut destination = carta.locations[1].clone();
    carta.locations[1].distance_km = Some(amount("120.5"));
    destination.distance_km = Some(amount("79.75"));
    carta.locations.push(destination);
    assert_eq!(carta.total_distance_km(), amount("200.25"));
    let mut goods = carta.goods.items[0].clone();
    carta.goods.items[0].weight_kg = amount("10.125");
    goods.weight_kg = amount("0.5");
    carta.goods.items.push(goods);
    carta.goods.gross_weight = None;
    assert_eq!(carta.goods.total_weight(), amount("10.625"));
    carta.goods.gross_weight = Some(amount("12"));
    assert_eq!(carta.goods.total_weight(), amount("12"));
}

#[test]
fn what_weighs_more_with_its_packing_weighs_so_in_all() {
    let mut goods = super::samples::by_sea().goods;
    let amount = |text| Amount::parse(text).unwrap();
    let mut unpacked = goods.items[0].clone();
    unpacked.weights = None;
    unpacked.weight_kg = amount("0.5");
    goods.items.push(unpacked);
    let packed = &mut goods.items[0];
    packed.weight_kg = amount("4");
    let weights = packed.weights.as_mut().unwrap();
    (weights.gross, weights.net) = (amount("4.25"), amount("4"));
    assert_eq!(goods.total_weight(), amount("4.75"));
    assert_eq!(goods.net_weight(), Some(amount("4")));
    // In tons they say nothing about kilograms.
    goods.items[0].weights.as_mut().unwrap().unit = "TNE".to_owned();
    assert_eq!(goods.total_weight(), amount("4.5"));
}

#[test]
fn goods_are_hazardous_when_they_are_said_to_be() {
    let mut carta = sample();
    assert!(!carta.has_hazardous_goods());
    carta.goods.items[0].hazardous = Some(false);
    assert!(!carta.has_hazardous_goods());
    carta.goods.items[0].hazardous = Some(true);
    assert!(carta.has_hazardous_goods());
}
