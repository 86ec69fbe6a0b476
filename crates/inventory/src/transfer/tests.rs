use std::collections::BTreeMap;

use kernel::{Decimals, quantity::QUANTITY_MAX};
use proptest::prelude::*;

use super::*;
use crate::ProductId;

const FROM: WarehouseId = WarehouseId::from_u128(1);
const TO: WarehouseId = WarehouseId::from_u128(2);
const APART: WarehouseId = WarehouseId::from_u128(3);
const NOW: Timestamp = Timestamp::from_micros(7);

fn sku(number: u128) -> Sku {
    Sku::named(ProductId::from_u128(number), None)
}

/// From the one shop to the other.
fn terms(quarantine: Option<WarehouseId>) -> TransferTerms {
    TransferTerms { from: FROM, to: TO, quarantine, reference: None, note: None }
}

fn planned(quantities: &[Quantity], quarantine: Option<WarehouseId>) -> Transfer {
    let skus: Vec<Sku> = (0..quantities.len() as u128).map(sku).collect();
    let line = |quantity: &Quantity| NewTransferLine {
        named: Named::Code("TAZA".to_owned()),
        quantity: Measure::whole(*quantity),
    };
    let lines = quantities.iter().map(line).collect();
    let new = NewTransfer { terms: terms(quarantine), lines };
    plan(&new, &skus, TransferId::from_u128(1), NOW).unwrap()
}

fn part(line: usize, counts: [Quantity; 4]) -> ArrivedLine {
    let [received, damaged, lost, found] = counts.map(Measure::whole);
    let reason = Some("Se rompió la caja".to_owned());
    ArrivedLine { line, received, damaged, lost, found, reason }
}

fn arrive(
    transfer: &Transfer,
    lines: Vec<ArrivedLine>,
    is_final: bool,
) -> Outcome<(Stepped, Arrival)> {
    let arriving = Arriving { lines, is_final };
    receive(transfer, (&arriving, 0), |_, _| Some(0), ArrivalId::from_u128(1), NOW)
}

fn sent(quantities: &[Quantity]) -> Transfer {
    let plenty = |_| Level { available: 100, committed: 0 };
    dispatch(&planned(quantities, None), plenty, NOW).unwrap().transfer
}

#[test]
fn a_draft_is_planned_anew_until_it_is_sent() {
    let draft = planned(&[5, 3], None);
    let kept = ReviseTransfer { id: draft.id, version: None, terms: terms(None), lines: None };
    let later = Timestamp::from_micros(9);
    assert_eq!(revise(&draft, &kept, &[], later), Ok(draft.clone()), "nothing was changed");
    let line =
        NewTransferLine { named: Named::Code("PLATO".to_owned()), quantity: Measure::whole(2) };
    let terms = TransferTerms { to: APART, ..terms(None) };
    let command = ReviseTransfer { terms, lines: Some(vec![line.clone()]), ..kept };
    let after = revise(&draft, &command, &[sku(7)], later).unwrap();
    assert_eq!((after.to, after.version, after.updated_at), (APART, 2, later));
    assert_eq!((after.id, after.created_at, after.lines.len()), (draft.id, NOW, 1));
    assert_eq!((after.lines[0].sku, after.lines[0].quantity), (sku(7), Measure::whole(2)));
    let twice = ReviseTransfer { lines: Some(vec![line.clone(), line]), ..kept.clone() };
    let repeated = revise(&draft, &twice, &[sku(7), sku(7)], later);
    assert!(matches!(repeated, Err(Refused::Invalid(_))), "{repeated:?}");
    let refused = revise(&sent(&[5]), &kept, &[], later);
    assert!(
        matches!(refused, Err(Refused::Rule(StockError::TransferStatus { .. }))),
        "{refused:?}"
    );
}

#[test]
fn what_is_final_is_lost_and_what_is_more_is_found() {
    let (stepped, _) = arrive(&sent(&[5, 3]), vec![part(0, [2, 1, 0, 0])], false).unwrap();
    assert_eq!(stepped.transfer.status, TransferStatus::InTransit);
    let lines = vec![part(0, [1, 0, 0, 4])];
    let (stepped, arrival) = arrive(&stepped.transfer, lines, true).unwrap();
    assert_eq!(stepped.transfer.status, TransferStatus::Received);
    let counts: Vec<_> =
        stepped.transfer.lines.iter().map(|line| (line.received, line.lost, line.found)).collect();
    let [none, one, three, four] = [0, 1, 3, 4].map(Measure::whole);
    assert_eq!(counts, [(three, one, four), (none, three, none)]);
    assert_eq!(arrival.lines.iter().map(|line| line.lost).collect::<Vec<_>>(), [one, three]);
    // Nowhere to put what is damaged: it is written off.
    let there = |leg: &&Leg| leg.place == Place::At(TO);
    assert_eq!(stepped.legs.iter().filter(there).map(|leg| leg.delta).sum::<i64>(), 5);
}

#[test]
fn lines_account_for_what_is_in_transit_and_say_why_they_differ() {
    let transfer = sent(&[5]);
    let unexplained = ArrivedLine { reason: None, ..part(0, [4, 1, 0, 0]) };
    for (lines, field) in [
        (vec![part(1, [1, 0, 0, 0])], "items[0].line"),
        (vec![part(0, [1, 0, 0, 0]), part(0, [1, 0, 0, 0])], "items[1].line"),
        (vec![part(0, [0, 0, 0, 0])], "items[0]"),
        (vec![part(0, [4, 1, 1, 0])], "items[0]"),
        (vec![unexplained], "items[0].reason"),
    ] {
        let Refused::Invalid(faults) = arrive(&transfer, lines, false).unwrap_err() else {
            panic!("{field}");
        };
        assert_eq!(faults[0].field, field);
    }
    let in_order = ArrivedLine { reason: None, ..part(0, [4, 0, 0, 0]) };
    assert!(arrive(&transfer, vec![in_order], false).is_ok());
}

#[test]
fn a_transfer_arrives_so_often_and_then_for_good() {
    let transfer = sent(&[5]);
    let after = |earlier, is_final| {
        let arriving = Arriving { lines: vec![part(0, [1, 0, 0, 0])], is_final };
        let id = ArrivalId::from_u128(1);
        receive(&transfer, (&arriving, earlier), |_, _| Some(0), id, NOW).map(drop)
    };
    assert_eq!(after(ARRIVALS_MAX - 1, false), Ok(()));
    let refused = StockError::TooManyArrivals { max: ARRIVALS_MAX };
    assert_eq!(after(ARRIVALS_MAX, false), Err(Refused::Rule(refused)));
    assert_eq!(after(ARRIVALS_MAX, true), Ok(()));
}

#[test]
fn no_shelf_takes_more_than_there_can_be() {
    let transfer = sent(&[5, 5]);
    let full = |apart: Option<WarehouseId>, parts: [Quantity; 4], room: Option<Quantity>| {
        let transfer = Transfer { to: TO, quarantine: apart, ..transfer.clone() };
        let arriving = Arriving { lines: vec![part(1, parts)], is_final: false };
        let available = |_, _| room.map(|room| QUANTITY_MAX - room);
        let received = receive(&transfer, (&arriving, 0), available, ArrivalId::from_u128(1), NOW);
        match received {
            Err(Refused::Invalid(faults)) => Some(faults[0].field.clone()),
            other => other.err().map(|error| format!("{error:?}")),
        }
    };
    let wrong = |field: &str| Some(field.to_owned());
    assert_eq!(full(None, [2, 2, 1, 1], Some(3)), None);
    assert_eq!(full(None, [2, 0, 0, 2], Some(3)), wrong("items[0]"));
    assert_eq!(full(Some(APART), [1, 4, 0, 0], Some(3)), wrong("items[0]"));
    // Damaged goods may be put where the others are.
    assert_eq!(full(Some(TO), [2, 2, 0, 0], Some(3)), wrong("items[0]"));
    assert_eq!(full(Some(TO), [2, 1, 2, 0], Some(3)), None);
    // What has left the catalog arrives nowhere, and there is no more of it than was sent.
    assert_eq!(full(None, [5, 0, 0, 0], None), None);
    assert_eq!(full(None, [4, 0, 0, 1], None), wrong("items[0].found"));
}

#[test]
fn a_transfer_goes_forward_only() {
    let draft = planned(&[5], None);
    let short = |_| Level { available: 4, committed: 2 };
    let refused = dispatch(&draft, short, NOW).unwrap_err();
    let four = Measure::whole(4);
    assert!(
        matches!(refused, Refused::Rule(StockError::BelowZero { available, .. }) if available == four)
    );
    assert!(arrive(&draft, vec![part(0, [1, 0, 0, 0])], false).is_err());
    let called_off = cancel(&draft, NOW).unwrap();
    assert_eq!((called_off.legs.len(), called_off.transfer.status), (0, TransferStatus::Cancelled));
    let (done, _) = arrive(&sent(&[5]), Vec::new(), true).unwrap();
    for over in [done.transfer, called_off.transfer] {
        assert!(cancel(&over, NOW).is_err());
        assert!(dispatch(&over, |_| Level { available: 9, committed: 0 }, NOW).is_err());
        assert!(arrive(&over, Vec::new(), true).is_err());
    }
}

#[test]
fn what_is_weighed_travels_to_the_gram() {
    let some = Measure::from_thousandths;
    let lines = vec![NewTransferLine { named: Named::Id(sku(1)), quantity: some(2_350) }];
    let new = NewTransfer { terms: terms(None), lines };
    let plan = |sku| plan(&new, &[sku], TransferId::from_u128(1), NOW);
    let Err(Refused::Invalid(faults)) = plan(sku(1)) else { panic!("a part of a piece") };
    assert_eq!(faults[0].field, "items[0].quantity");
    let level = |_| Level { available: 2_350, committed: 0 };
    let planned = plan(sku(1).with_decimals(Decimals::Three)).unwrap();
    let sent = dispatch(&planned, level, NOW).unwrap();
    assert_eq!(sent.legs.iter().map(|leg| leg.delta).collect::<Vec<_>>(), [-2_350, 2_350]);
    let arrived = ArrivedLine { received: some(2_300), ..part(0, [0, 0, 0, 0]) };
    let (done, arrival) = arrive(&sent.transfer, vec![arrived], true).unwrap();
    assert_eq!((arrival.lines[0].lost, done.transfer.status), (some(50), TransferStatus::Received));
    assert_eq!(done.legs.iter().map(|leg| leg.delta).collect::<Vec<_>>(), [-2_300, 2_300, -50]);
    let halved = ArrivedLine { lost: some(500), ..part(0, [0, 0, 0, 0]) };
    let Err(Refused::Invalid(faults)) = arrive(&self::sent(&[5]), vec![halved], false) else {
        panic!("a part of a piece")
    };
    assert_eq!(faults[0].field, "items[0].lost");
}

/// What somebody tries with a transfer.
#[derive(Clone, Debug)]
enum Try {
    Dispatch,
    Receive(usize, [Quantity; 4], bool),
    Cancel,
}

fn tries() -> impl Strategy<Value = Try> {
    let quantities = prop::array::uniform4(0i64..6);
    prop_oneof![
        2 => Just(Try::Dispatch),
        6 => (0usize..4, quantities, prop::bool::weighted(0.1)).prop_map(|(line, counts, last)| Try::Receive(line, counts, last)),
        1 => Just(Try::Cancel),
    ]
}

proptest! {
    #[test]
    fn goods_are_conserved_at_every_moment(
        shelf in prop::collection::vec(0i64..12, 3),
        wanted in prop::collection::vec(1i64..12, 3),
        is_kept_apart: bool,
        steps in prop::collection::vec(tries(), 1..20),
    ) {
        let mut transfer = planned(&wanted, is_kept_apart.then_some(APART));
        let mut places: BTreeMap<(Sku, Place), Quantity> = BTreeMap::new();
        for (number, quantity) in shelf.iter().enumerate() {
            places.insert((sku(number as u128), Place::At(FROM)), *quantity);
        }
        for step in steps {
            let at = |sku, place| places.get(&(sku, place)).copied().unwrap_or_default();
            let tried = match step {
                Try::Dispatch => dispatch(&transfer, |sku| Level { available: at(sku, Place::At(FROM)), committed: 0 }, NOW),
                Try::Cancel => cancel(&transfer, NOW),
                Try::Receive(line, counts, last) => {
                    let arriving = Arriving { lines: vec![part(line, counts)], is_final: last };
                    let available = |sku, place| Some(at(sku, Place::At(place)));
                    receive(&transfer, (&arriving, 0), available, ArrivalId::from_u128(1), NOW).map(|(stepped, _)| stepped)
                }
            };
            let Ok(stepped) = tried else { continue };
            prop_assert_eq!(stepped.transfer.version, transfer.version + 1);
            for leg in &stepped.legs {
                prop_assert!(leg.delta != 0);
                *places.entry((leg.sku, leg.place)).or_default() += leg.delta;
            }
            transfer = stepped.transfer;
            prop_assert!(places.values().all(|quantity| *quantity >= 0), "{places:?}");
            for (line, first) in transfer.lines.iter().zip(&shelf) {
                let at = |place| places.get(&(line.sku, place)).copied().unwrap_or_default();
                let was_sent = transfer.dispatched_at.is_some();
                let sent = if was_sent { line.quantity } else { Measure::ZERO };
                let accounted = line.received + line.damaged + line.lost + line.returned;
                prop_assert_eq!(sent, accounted + line.in_transit);
                prop_assert_eq!(Measure::whole(at(Place::Transit)), line.in_transit);
                prop_assert_eq!(Measure::whole(at(Place::At(TO))), line.received + line.found);
                let gone = line.lost + if is_kept_apart { Measure::ZERO } else { line.damaged };
                let everywhere: i64 = [Place::At(FROM), Place::At(TO), Place::At(APART), Place::Transit].map(at).iter().sum();
                prop_assert_eq!(Measure::whole(everywhere), Measure::whole(*first) + line.found - gone);
            }
            let is_open = transfer.lines.iter().any(|line| line.in_transit > Measure::ZERO);
            prop_assert_eq!(is_open, transfer.status == TransferStatus::InTransit);
        }
    }
}
