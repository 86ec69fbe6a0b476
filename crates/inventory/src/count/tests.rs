use proptest::prelude::*;

use super::*;
use crate::ProductId;

const NOW: Timestamp = Timestamp::from_micros(7);
const SKU: Sku = Sku { product: ProductId::from_u128(1), variant: None };

fn opened(uncounted: Uncounted) -> Count {
    Count {
        id: CountId::from_u128(1),
        status: CountStatus::Counting,
        warehouse: WarehouseId::from_u128(1),
        uncounted,
        note: None,
        lines: 1,
        counted: 0,
        posted: 0,
        created_at: NOW,
        updated_at: NOW,
        posted_at: None,
        cancelled_at: None,
        version: 1,
    }
}

fn shelf(available: Quantity, committed: Quantity, correction: u128) -> Shelf {
    let correction = Some(correction).filter(|number| *number > 0).map(MovementId::from_u128);
    Shelf { level: Level { available, committed }, correction }
}

fn line() -> CountLine {
    CountLine::new(CountLineId::from_u128(1), SKU, 10)
}

fn counted(line: &CountLine, how: Tally, shelf: Shelf) -> CountLine {
    tally(line, ("quantity", how), shelf, Some("Luis"), NOW).unwrap()
}

fn posted(line: CountLine, shelf: Shelf, uncounted: Uncounted) -> Result<Posted, Unposted> {
    post(&opened(uncounted), &[line], None, |_| shelf, NOW)
}

#[test]
fn scans_add_up_until_somebody_corrects_the_shelf() {
    let once = counted(&line(), Tally::Add(3), shelf(8, 2, 0));
    let twice = counted(&once, Tally::Add(4), shelf(6, 2, 0));
    let so_far = twice.counted.as_ref().unwrap();
    assert_eq!((so_far.quantity, so_far.on_hand_then, so_far.by.as_deref()), (7, 8, Some("Luis")));
    let anew = counted(&twice, Tally::Add(5), shelf(5, 2, 9));
    assert_eq!(anew.counted.as_ref().unwrap().quantity, 5);
    let set = counted(&anew, Tally::Set(6), shelf(5, 2, 9));
    assert_eq!(set.counted.as_ref().unwrap().quantity, 6);
    assert_eq!(counted(&set, Tally::Clear, shelf(5, 2, 9)).counted, None);
    let most = tally(&set, ("quantity", Tally::Add(QUANTITY_MAX)), shelf(5, 2, 9), None, NOW);
    assert_eq!(most.unwrap_err().field, "quantity");
}

#[test]
fn the_difference_is_of_the_moment_of_counting() {
    let nine = counted(&line(), Tally::Set(9), shelf(8, 2, 0));
    // Three were sold and shipped since.
    let made = posted(nine.clone(), shelf(5, 2, 0), Uncounted::Leave).unwrap();
    assert_eq!((made.moves[0].delta, made.lines[0].posted), (-1, Some(-1)));
    let right = counted(&line(), Tally::Set(10), shelf(8, 2, 0));
    let made = posted(right, shelf(5, 2, 0), Uncounted::Leave).unwrap();
    assert_eq!((made.moves.len(), made.lines[0].posted), (0, Some(0)));
    let refused = posted(nine.clone(), shelf(5, 2, 4), Uncounted::Leave).unwrap_err();
    assert_eq!(refused, Unposted::Stale(vec![SKU]));
    let refused = posted(nine.clone(), shelf(0, 9, 0), Uncounted::Leave).unwrap_err();
    assert_eq!(refused, Unposted::Promised { sku: SKU, committed: 9 });
    let again = CountLine { posted: Some(0), ..nine };
    assert_eq!(posted(again.clone(), shelf(5, 2, 0), Uncounted::Leave).unwrap().lines, []);
    assert!(tally(&again, ("quantity", Tally::Set(1)), shelf(5, 2, 0), None, NOW).is_err());
}

#[test]
fn what_nobody_counted_is_left_or_gone() {
    assert_eq!(posted(line(), shelf(4, 0, 3), Uncounted::Leave).unwrap().lines, []);
    let gone = posted(line(), shelf(4, 0, 3), Uncounted::Zero).unwrap();
    assert_eq!((gone.moves[0].delta, gone.lines[0].posted), (-4, Some(-4)));
    let held = posted(line(), shelf(4, 1, 3), Uncounted::Zero).unwrap_err();
    assert_eq!(held, Unposted::Promised { sku: SKU, committed: 1 });
    let named = BTreeSet::new();
    let none = post(&opened(Uncounted::Zero), &[line()], Some(&named), |_| shelf(4, 0, 3), NOW);
    assert_eq!(none.unwrap().lines, []);
}

proptest! {
    /// Goods move before they are counted and after: what is on record in the end is what is really there.
    #[test]
    fn what_moves_meanwhile_is_neither_lost_nor_counted_twice(
        there in 10i64..50,
        wrong in -5i64..=5,
        before in -5i64..5,
        after in -5i64..5,
    ) {
        let record = there + wrong;
        let (there, record) = (there + before, record + before);
        let line = counted(&line(), Tally::Set(there), shelf(record, 0, 0));
        let (there, record) = (there + after, record + after);
        let made = posted(line, shelf(record, 0, 0), Uncounted::Leave).unwrap();
        let change: i64 = made.moves.iter().map(|moved| moved.delta).sum();
        prop_assert_eq!(record + change, there);
    }
}
