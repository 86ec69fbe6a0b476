use super::*;
use crate::{Holding, NewProduct, product::create};

fn product(ids: &IdSource) -> Product {
    let command = NewProduct {
        external_id: None,
        name: "Taza".to_owned(),
        sku: Some("T-1".to_owned()),
        description: None,
        ean: None,
        price: Amount::from_micros(19_990_000),
        currency: Currency::MXN,
        quantity_decimals: Decimals::Zero,
        inventory: Measure::whole(10),
        status: ProductStatus::Active,
        low_stock_threshold: None,
        tax_included: true,
        taxes: Vec::new(),
        sat_product_key: None,
        sat_unit_key: None,
        details: crate::ProductDetails::default(),
        category_ids: Vec::new(),
        metadata: Metadata::default(),
        variants: vec![NewVariant {
            name: "Azul".to_owned(),
            sku: Some("T-1A".to_owned()),
            ean: None,
            price: None,
            inventory: Measure::whole(3),
        }],
    };
    create(command, ids, Timestamp::from_micros(0)).unwrap().product
}

/// Nothing of it lies anywhere but where it is sold from.
fn held(product: &Product) -> Holdings {
    let own = (None, product.inventory);
    let variants = product.variants.iter().map(|variant| (Some(variant.id), variant.inventory));
    std::iter::once(own)
        .chain(variants)
        .map(|(variant, count)| (variant, count.quantity(product.quantity_decimals)))
        .map(|(variant, on_hand)| (variant, Holding { on_hand, average_cost: None }))
        .collect()
}

fn changed(changes: ProductChanges) -> (Product, Outcome) {
    let ids = IdSource::default();
    let before = product(&ids);
    let after =
        update(&before, changes, &held(&before), 5, &ids, Timestamp::from_micros(1)).unwrap();
    (before, after)
}

#[test]
fn nothing_changed_tells_nothing() {
    let (before, after) =
        changed(ProductChanges { name: Some("Taza".to_owned()), ..ProductChanges::default() });
    assert_eq!((after.product, after.events.len()), (before, 0));
}

#[test]
fn what_is_so_already_is_told_from_what_is_not() {
    let before = product(&IdSource::default());
    let blue = before.variants[0].clone();
    let of = |id, changes| VariantChange::Change { id, changes };
    let with = |variants| ProductChanges { variants, ..ProductChanges::default() };
    let all = || ProductChanges {
        external_id: Some(before.external_id.clone()),
        name: Some(before.name.clone()),
        sku: Some(before.sku.clone()),
        description: Some(before.description.clone()),
        price: Some(before.price),
        currency: Some(before.currency),
        inventory: Some(before.inventory),
        low_stock_threshold: Some(None),
        details: DetailsChanges { images: Some(Vec::new()), ..DetailsChanges::default() },
        ..ProductChanges::default()
    };
    let of_blue = || VariantChanges {
        name: Some(blue.name.clone()),
        sku: Some(blue.sku.clone()),
        inventory: Some(blue.inventory),
        ..VariantChanges::default()
    };
    for so in [ProductChanges::default(), all(), with(vec![of(blue.id, of_blue())])] {
        assert!(so.is_so(&before), "{so:?}");
    }
    let one = Amount::from_micros(1);
    let details = |brand| DetailsChanges { brand, ..DetailsChanges::default() };
    for not in [
        ProductChanges { price: Some(one), ..all() },
        ProductChanges { details: details(Some(Some("Acme".to_owned()))), ..all() },
        ProductChanges { inventory_delta: Some(Measure::ZERO), ..all() },
        ProductChanges { remove_variants: vec![blue.id], ..all() },
        with(vec![of(blue.id, VariantChanges { price: Some(Some(one)), ..of_blue() })]),
        // Not of this product, or named twice: that is to be refused.
        with(vec![of(VariantId::from_u128(7), VariantChanges::default())]),
        with(vec![of(blue.id, of_blue()), of(blue.id, of_blue())]),
    ] {
        assert!(!not.is_so(&before), "{not:?}");
    }
}

#[test]
fn a_change_is_told_with_its_new_values() {
    let (before, after) = changed(ProductChanges {
        price: Some(Amount::from_micros(20_500_000)),
        ..ProductChanges::default()
    });
    assert_eq!(after.product.version, before.version + 1);
    let [event] = after.events.as_slice() else { panic!("{:?}", after.events) };
    assert_eq!(event.data, format!(r#"{{"id":"{}","changes":{{"price":20.5}}}}"#, before.id));
}

#[test]
fn a_recount_below_the_threshold_tells_low_stock_once() {
    let (_, after) =
        changed(ProductChanges { inventory: Some(Measure::whole(4)), ..ProductChanges::default() });
    let names: Vec<_> = after.events.iter().map(|event| event.name).collect();
    assert_eq!(names, ["product.updated", "inventory.low"]);
    assert_eq!(
        after.stock.iter().map(|change| (change.delta, change.left)).collect::<Vec<_>>(),
        [(-6, 4)]
    );
}

#[test]
fn variants_are_added_changed_and_removed_by_name() {
    let ids = IdSource::default();
    let before = product(&ids);
    let add = VariantChange::Add(NewVariant {
        name: "Rojo".to_owned(),
        sku: None,
        ean: None,
        price: None,
        inventory: Measure::whole(2),
    });
    let blue = before.variants[0].id;
    let fewer = VariantChange::Change {
        id: blue,
        changes: VariantChanges {
            inventory_delta: Some(Measure::whole(-1)),
            ..VariantChanges::default()
        },
    };
    let changes = ProductChanges { variants: vec![add, fewer], ..ProductChanges::default() };
    let moved = |outcome: &Outcome| -> Vec<_> {
        outcome.stock.iter().map(|change| (change.reason, change.delta)).collect()
    };
    let now = Timestamp::from_micros(1);
    let outcome = update(&before, changes, &held(&before), 5, &ids, now).unwrap();
    let reasons = [(StockReason::Adjustment, -1), (StockReason::Initial, 2)];
    assert_eq!(moved(&outcome), reasons);
    let after = outcome.product;
    let names: Vec<_> = after.variants.iter().map(|variant| variant.name.as_str()).collect();
    assert_eq!(names, ["Azul", "Rojo"]);

    let gone =
        |force| ProductChanges { remove_variants: vec![blue], force, ..ProductChanges::default() };
    let refused = update(&after, gone(false), &held(&after), 5, &ids, now).unwrap_err();
    let holds = ProductError::VariantHoldsStock { id: blue, on_hand: Measure::whole(2) };
    assert_eq!(refused, Refused::Rule(holds));
    let outcome = update(&after, gone(true), &held(&after), 5, &ids, now).unwrap();
    assert_eq!(moved(&outcome), [(StockReason::Removal, -2)]);
    let refused =
        update(&outcome.product, gone(true), &Holdings::default(), 5, &ids, now).unwrap_err();
    assert!(matches!(refused, Refused::Invalid(faults) if faults[0].field == "removeVariants[0]"));
}

#[test]
fn a_variant_stays_while_anything_of_it_lies_anywhere() {
    let ids = IdSource::default();
    let before = product(&ids);
    let blue = before.variants[0].id;
    let emptied = VariantChange::Change {
        id: blue,
        changes: VariantChanges { inventory: Some(Measure::ZERO), ..VariantChanges::default() },
    };
    for (on_hand, is_emptied, left) in [(3, false, 3), (3, true, 0), (5, true, 2), (0, false, 0)] {
        let changes = ProductChanges {
            variants: is_emptied.then(|| emptied.clone()).into_iter().collect(),
            remove_variants: vec![blue],
            ..ProductChanges::default()
        };
        let holdings = [(Some(blue), Holding { on_hand, average_cost: None })];
        let holdings = Holdings::from_iter(holdings);
        let done = update(&before, changes, &holdings, 5, &ids, Timestamp::from_micros(1));
        match left {
            0 => assert!(done.unwrap().product.variants.is_empty()),
            left => {
                let on_hand = Measure::whole(left);
                let holds = ProductError::VariantHoldsStock { id: blue, on_hand };
                assert_eq!(done.unwrap_err(), Refused::Rule(holds));
            }
        }
    }
}

#[test]
fn a_product_with_a_cost_keeps_its_currency() {
    let ids = IdSource::default();
    let before = product(&ids);
    let blue = before.variants[0].id;
    let dollars = Currency::parse("USD").unwrap();
    let cost = Amount::from_micros(5);
    let valued = Holding { on_hand: 0, average_cost: Some(cost) };
    let holdings = |of| Holdings::from_iter([(of, valued)]);
    let to = |currency| ProductChanges { currency: Some(currency), ..ProductChanges::default() };
    let now = Timestamp::from_micros(1);
    for of in [None, Some(blue)] {
        let refused = update(&before, to(dollars), &holdings(of), 5, &ids, now).unwrap_err();
        let error = ProductError::HasAverageCost { variant: of, cost, currency: Currency::MXN };
        assert_eq!(refused, Refused::Rule(error));
        assert!(update(&before, to(Currency::MXN), &holdings(of), 5, &ids, now).is_ok());
    }
    // With the variant goes its cost.
    let changes = ProductChanges { remove_variants: vec![blue], force: true, ..to(dollars) };
    assert!(update(&before, changes, &holdings(Some(blue)), 5, &ids, now).is_ok());
    assert!(update(&before, to(dollars), &held(&before), 5, &ids, now).is_ok());
}

#[test]
fn amounts_that_a_change_of_currency_does_not_name_are_refused() {
    let ids = IdSource::default();
    let mut before = product(&ids);
    before.details.cost = Some(Amount::from_micros(210));
    before.details.compare_at_price = Some(Amount::from_micros(560));
    let dollars = Currency::parse("USD").unwrap();
    let refused = |cost, compare_at_price| {
        let details = DetailsChanges { cost, compare_at_price, ..DetailsChanges::default() };
        let currency = Some(dollars);
        let changes = ProductChanges { currency, details, ..ProductChanges::default() };
        match update(&before, changes, &held(&before), 5, &ids, Timestamp::from_micros(1)) {
            Ok(outcome) => {
                assert_eq!(outcome.product.currency, dollars);
                Vec::new()
            }
            Err(Refused::Invalid(faults)) => {
                faults.iter().map(|fault| fault.field.to_string()).collect::<Vec<_>>()
            }
            Err(other) => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(None, None), ["cost", "compareAtPrice"]);
    assert_eq!(refused(Some(None), None), ["compareAtPrice"]);
    assert_eq!(refused(Some(Some(Amount::from_micros(12))), Some(None)), [""; 0]);
}

#[test]
fn a_relative_change_takes_no_more_than_there_is() {
    let by = |delta| ProductChanges {
        inventory_delta: Some(Measure::whole(delta)),
        ..ProductChanges::default()
    };
    for delta in [-10, -1, 1, 90] {
        let (before, after) = changed(by(delta));
        assert_eq!(after.product.inventory, before.inventory + Measure::whole(delta));
    }
    let ids = IdSource::default();
    let before = product(&ids);
    let refused =
        |delta| update(&before, by(delta), &held(&before), 5, &ids, Timestamp::from_micros(1));
    let (field, available) = ("inventoryDelta".to_owned(), Measure::whole(10));
    let short = ProductError::InsufficientStock { field, available };
    assert_eq!(refused(-11).unwrap_err(), Refused::Rule(short));
    assert!(matches!(refused(i64::MAX).unwrap_err(), Refused::Invalid(_)));
}

#[test]
fn a_count_that_was_read_before_sales_is_stale() {
    let read = product(&IdSource::default());
    let mut sold = read.clone();
    sold.inventory = Measure::whole(2);
    let seen = |product: &Product, stock| Seen { version: product.version, stock };
    let digest = Some(read.stock_digest());
    let price = ProductChanges { price: Some(Amount::ZERO), ..ProductChanges::default() };
    let count = ProductChanges { inventory: Some(Measure::whole(10)), ..ProductChanges::default() };
    let more =
        ProductChanges { inventory_delta: Some(Measure::whole(1)), ..ProductChanges::default() };
    for (changes, present, stock, is_stale) in [
        (&price, &sold, digest, false),
        (&more, &sold, digest, false),
        (&count, &read, digest, false),
        (&count, &sold, digest, true),
        (&count, &read, None, true),
    ] {
        assert_eq!(seen(&read, stock).is_stale(present, changes), is_stale, "{changes:?}");
    }
    sold.version += 1;
    assert!(seen(&read, Some(sold.stock_digest())).is_stale(&sold, &price));
}

#[test]
fn a_sku_names_one_thing() {
    let ids = IdSource::default();
    let before = product(&ids);
    let changes = ProductChanges { sku: Some("T-1A".to_owned()), ..ProductChanges::default() };
    let refused =
        update(&before, changes, &held(&before), 5, &ids, Timestamp::from_micros(1)).unwrap_err();
    assert!(matches!(refused, Refused::Invalid(faults) if faults[0].field == "variants[0].sku"));
}

#[test]
fn a_deleted_product_leaves_no_stock() {
    let gone = delete(&product(&IdSource::default()));
    assert_eq!(gone.stock.iter().map(|change| change.left).collect::<Vec<_>>(), [0, 0]);
}

#[test]
fn quantities_have_the_decimals_that_are_kept() {
    let ids = IdSource::default();
    let now = Timestamp::from_micros(1);
    let before = product(&ids);
    let cut = Measure::from_thousandths(1_500);
    let update = |before: &Product, changes: ProductChanges, holdings: &Holdings| {
        update(before, changes, holdings, 5, &ids, now)
    };
    let fields = |changes: ProductChanges| match update(&before, changes, &held(&before)) {
        Err(Refused::Invalid(faults)) => faults.into_iter().map(|fault| fault.field).collect(),
        other => vec![format!("{other:?}")],
    };
    let changes = |inventory| ProductChanges { inventory, ..ProductChanges::default() };
    assert_eq!(fields(changes(Some(cut))), ["inventory"]);
    let delta = ProductChanges { inventory_delta: Some(cut), ..ProductChanges::default() };
    assert_eq!(fields(delta), ["inventoryDelta"]);
    let low = ProductChanges { low_stock_threshold: Some(Some(cut)), ..ProductChanges::default() };
    assert_eq!(fields(low), ["lowStockThreshold"]);
    // Once its stock has moved, the decimals stay.
    let weighed = ProductChanges { quantity_decimals: Some(Decimals::Three), ..changes(Some(cut)) };
    let refused = update(&before, weighed.clone(), &held(&before).counted()).unwrap_err();
    let fixed = ProductError::QuantityDecimalsFixed { decimals: Decimals::Zero };
    assert_eq!(refused, Refused::Rule(fixed));
    let mut empty = before.clone();
    empty.inventory = Measure::ZERO;
    empty.variants.clear();
    let made = update(&empty, weighed, &Holdings::default()).unwrap();
    let moved: Vec<_> = made.stock.iter().map(|change| (change.delta, change.left)).collect();
    assert_eq!((moved, made.product.inventory), (vec![(1_500, 1_500)], cut));
    let [event] = made.events.as_slice() else { panic!("{:?}", made.events) };
    assert!(event.data.contains("\"inventory\":1.5,\"quantityDecimals\":3"), "{}", event.data);
    // The threshold of the account is five units, of whatever decimals.
    let full = Product { inventory: Measure::whole(5), ..made.product };
    let low = update(&full, changes(Some(Measure::from_thousandths(4_999))), &held(&full)).unwrap();
    let data: Vec<&str> = low.events.iter().map(|event| event.data.as_str()).collect();
    assert!(data[1].ends_with("\"currentStock\":4.999,\"threshold\":5}"), "{data:?}");
}
