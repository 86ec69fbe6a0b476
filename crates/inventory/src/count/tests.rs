use proptest::prelude::*;

use kernel::Quantity;

use super::*;
use crate::ProductId;

const NOW: Timestamp = Timestamp::from_micros(7);
const SKU: Sku = Sku::named(ProductId::from_u128(1), None);

fn units(count: Quantity) -> Measure {
    Measure::whole(count)
}

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
        left_out: 0,
        created_at: NOW,
        updated_at: NOW,
        posted_at: None,
        cancelled_at: None,
        version: 1,
    }
}

/// After so many changes, the last of which were corrections.
fn shelf(available: Quantity, committed: Quantity, (changes, corrections): (i64, i64)) -> Shelf {
    Shelf { level: Level { available, committed }, changes, corrections }
}

fn line() -> CountLine {
    CountLine::new(CountLineId::from_u128(1), SKU, units(10))
}

fn counted(line: &CountLine, how: Tally, shelf: Shelf) -> CountLine {
    tally(line, ("quantity", how), shelf, Some("Luis"), NOW).unwrap()
}

fn posted(line: CountLine, shelf: Shelf, uncounted: Uncounted) -> Result<Posted, Unposted> {
    post(&opened(uncounted), &[line], None, |_| Some(shelf), NOW)
}

#[test]
fn what_is_scanned_is_a_piece_or_what_is_said_of_it() {
    let scan = |quantity, restarts| Scan { code: "A".to_owned(), quantity, restarts, by: None };
    let (one, some) = (units(1), Measure::from_thousandths(350));
    let (pieces, kilograms) = (Decimals::Zero, Decimals::Three);
    assert_eq!(scan(None, false).tally(pieces, None), Ok(Tally::Add(one)));
    assert_eq!(scan(None, true).tally(kilograms, Some(some)), Ok(Tally::Begin(some)));
    assert_eq!(scan(Some(one), false).tally(kilograms, Some(some)), Ok(Tally::Add(one)));
    assert!(scan(None, false).tally(kilograms, None).is_err());
}

#[test]
fn scans_add_up_until_the_shelf_changes() {
    let still = shelf(8, 2, (3, 1));
    let once = counted(&line(), Tally::Add(units(3)), still);
    // What is promised has not moved.
    let twice = counted(&once, Tally::Add(units(4)), shelf(6, 4, (3, 1)));
    let so_far = twice.counted.as_ref().unwrap();
    let known = (so_far.quantity, so_far.on_hand_then, so_far.by.as_deref());
    assert_eq!(known, (units(7), units(10), Some("Luis")));
    for changed in [shelf(7, 2, (4, 1)), shelf(9, 2, (4, 2)), shelf(8, 2, (5, 1))] {
        let refused =
            tally(&twice, ("quantity", Tally::Add(units(1))), changed, None, NOW).unwrap_err();
        assert_eq!(refused, Uncountable::Moved { sku: SKU, counted: units(7) });
        let anew = counted(&twice, Tally::Begin(units(1)), changed).counted.unwrap();
        assert_eq!((anew.quantity, anew.on_hand_then), (units(1), units(changed.level.on_hand())));
        let set = counted(&twice, Tally::Set(units(6)), changed);
        let more = counted(&set, Tally::Add(units(2)), changed);
        assert_eq!(more.counted.unwrap().quantity, units(8));
        assert_eq!(counted(&set, Tally::Clear, changed).counted, None);
    }
    let most = Tally::Add(units(QUANTITY_MAX));
    let most = tally(&twice, ("quantity", most), still, None, NOW).unwrap_err();
    assert!(matches!(most, Uncountable::Invalid(fault) if fault.field == "quantity"));
}

#[test]
fn the_difference_is_of_the_moment_of_counting() {
    let nine = counted(&line(), Tally::Set(units(9)), shelf(8, 2, (1, 0)));
    // Three were sold and shipped since.
    let made = posted(nine.clone(), shelf(5, 2, (2, 0)), Uncounted::Leave).unwrap();
    assert_eq!((made.moves[0].delta, made.lines[0].posted), (-1, Some(units(-1))));
    let right = counted(&line(), Tally::Set(units(10)), shelf(8, 2, (1, 0)));
    let made = posted(right, shelf(5, 2, (2, 0)), Uncounted::Leave).unwrap();
    assert_eq!((made.moves.len(), made.lines[0].posted), (0, Some(units(0))));
    let refused = posted(nine.clone(), shelf(5, 2, (2, 1)), Uncounted::Leave).unwrap_err();
    assert_eq!(refused, Unposted::Stale(vec![SKU]));
    let refused = posted(nine.clone(), shelf(0, 9, (2, 0)), Uncounted::Leave).unwrap_err();
    assert_eq!(refused, Unposted::Promised { sku: SKU, committed: units(9) });
    let none = counted(&line(), Tally::Set(units(0)), shelf(8, 2, (1, 0)));
    let refused = posted(none, shelf(5, 2, (2, 0)), Uncounted::Leave).unwrap_err();
    assert_eq!(refused, Unposted::Overtaken(SKU), "three have left of none");
    let again = CountLine { posted: Some(units(0)), ..nine };
    let still = shelf(5, 2, (1, 0));
    assert_eq!(posted(again.clone(), still, Uncounted::Leave).unwrap().lines, []);
    assert!(tally(&again, ("quantity", Tally::Set(units(1))), still, None, NOW).is_err());
}

#[test]
fn what_nobody_counted_is_left_or_gone() {
    let still = shelf(4, 0, (9, 3));
    assert_eq!(posted(line(), still, Uncounted::Leave).unwrap().lines, []);
    let gone = posted(line(), still, Uncounted::Zero).unwrap();
    assert_eq!((gone.moves[0].delta, gone.lines[0].posted), (-4, Some(units(-4))));
    let held = posted(line(), shelf(4, 1, (9, 3)), Uncounted::Zero).unwrap_err();
    assert_eq!(held, Unposted::Promised { sku: SKU, committed: units(1) });
    let named = BTreeSet::new();
    let none = post(&opened(Uncounted::Zero), &[line()], Some(&named), |_| Some(still), NOW);
    assert_eq!(none.unwrap().lines, []);
}

#[test]
fn what_has_left_the_catalog_is_left_out() {
    let nine = counted(&line(), Tally::Set(units(9)), shelf(8, 2, (1, 0)));
    for (line, uncounted, left_out) in [
        (nine.clone(), Uncounted::Leave, 1),
        (line(), Uncounted::Zero, 1),
        (line(), Uncounted::Leave, 0),
        (CountLine { posted: Some(units(-1)), ..nine }, Uncounted::Zero, 0),
    ] {
        let made = post(&opened(uncounted), &[line], None, |_| None, NOW).unwrap();
        assert_eq!((made.lines.len(), made.moves.len(), made.left_out), (0, 0, left_out));
    }
}

#[test]
fn what_is_weighed_is_counted_to_the_gram() {
    let cheese = SKU.with_decimals(Decimals::Three);
    let line = CountLine::new(CountLineId::from_u128(1), cheese, Measure::whole(8));
    let some = Measure::from_thousandths;
    let still = shelf(5_650, 2_350, (1, 0));
    let counted = tally(&line, ("quantity", Tally::Add(some(7_999))), still, None, NOW).unwrap();
    let made = posted(counted, still, Uncounted::Leave).unwrap();
    assert_eq!((made.moves[0].delta, made.lines[0].posted), (-1, Some(some(-1))));
    let pieces = tally(&self::line(), ("quantity", Tally::Set(some(1_500))), still, None, NOW);
    assert!(matches!(pieces, Err(Uncountable::Unkept(_))));
}

/// What happens while a shelf is counted piece by piece.
#[derive(Clone, Copy, Debug)]
enum Happening {
    /// The next piece that was not scanned is scanned.
    Scan,
    /// A piece leaves: the one in this place of those that are there, scanned or not.
    Leave(prop::sample::Index),
    /// A piece comes, and is put in front of those that are to be scanned, or behind them.
    Come(bool),
    /// Somebody else finds out how many there really are.
    Correct,
    /// Somebody counts all of them at once.
    Set,
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        12 => Just(Happening::Scan),
        2 => any::<prop::sample::Index>().prop_map(Happening::Leave),
        2 => any::<bool>().prop_map(Happening::Come),
        1 => Just(Happening::Correct),
        1 => Just(Happening::Set),
    ]
}

/// A shelf, its record and a line of a count: what really lies there is known here alone.
struct Shop {
    /// Whether each piece was scanned.
    pieces: Vec<bool>,
    shelf: Shelf,
    line: CountLine,
}

impl Shop {
    fn there(&self) -> Quantity {
        self.pieces.len() as Quantity
    }

    fn record(&mut self, delta: Quantity, is_correction: bool) {
        if delta != 0 {
            self.shelf.level.available += delta;
            self.shelf.changes += 1;
            self.shelf.corrections += i64::from(is_correction);
        }
    }

    /// Scans the next piece, and begins anew where that is refused.
    fn scan(&mut self) {
        let Some(next) = self.pieces.iter().position(|scanned| !scanned) else { return };
        match tally(&self.line, ("quantity", Tally::Add(units(1))), self.shelf, None, NOW) {
            Ok(line) => (self.line, self.pieces[next]) = (line, true),
            Err(refused) => {
                let counted = self.line.counted.as_ref().unwrap().quantity;
                assert_eq!(refused, Uncountable::Moved { sku: SKU, counted });
                self.pieces.fill(false);
                self.pieces[0] = true;
                self.line = counted_anew(&self.line, self.shelf);
            }
        }
    }

    fn happen(&mut self, what: Happening) {
        match what {
            Happening::Scan => self.scan(),
            // By the record there must be one, too.
            Happening::Leave(which)
                if !self.pieces.is_empty() && self.shelf.level.available > 0 =>
            {
                let was_scanned = self.pieces.remove(which.index(self.pieces.len()));
                self.record(-1, false);
                // Who counts sees that the last piece is taken before it was scanned: no scan will tell.
                if !was_scanned && self.line.counted.is_some() && !self.pieces.contains(&false) {
                    self.happen(Happening::Set);
                }
            }
            Happening::Leave(_) => {}
            Happening::Come(is_first) => {
                let place = if is_first { 0 } else { self.pieces.len() };
                self.pieces.insert(place, false);
                self.record(1, false);
            }
            Happening::Correct => {
                let difference = self.there() - self.shelf.level.on_hand();
                self.record(difference, true);
            }
            Happening::Set => {
                self.line = counted(&self.line, Tally::Set(units(self.there())), self.shelf);
                self.pieces.fill(true);
            }
        }
    }
}

fn counted_anew(line: &CountLine, shelf: Shelf) -> CountLine {
    counted(line, Tally::Begin(units(1)), shelf)
}

proptest! {
    /// Goods move and the record is corrected while a shelf is scanned piece by piece, and after: once every piece was scanned, what
    /// is on record is what is really there.
    #[test]
    fn what_moves_meanwhile_is_neither_lost_nor_counted_twice(
        there in 0usize..12,
        wrong in 0i64..9,
        before in prop::collection::vec(happening(), 0..40),
        after in prop::collection::vec(happening(), 0..12),
    ) {
        let available = (there as Quantity + wrong - 4).max(0);
        let mut shop = Shop { pieces: vec![false; there], shelf: shelf(available, 0, (0, 0)), line: line() };
        for what in before {
            shop.happen(what);
        }
        while shop.pieces.contains(&false) {
            shop.scan();
        }
        if shop.line.counted.is_none() {
            shop.happen(Happening::Set);
        }
        for what in after {
            // Who counts has gone home.
            if !matches!(what, Happening::Scan | Happening::Set) {
                shop.happen(what);
            }
        }
        match posted(shop.line.clone(), shop.shelf, Uncounted::Leave) {
            Ok(made) => {
                for moved in &made.moves {
                    shop.record(moved.delta, true);
                }
                prop_assert_eq!(shop.shelf.level.on_hand(), shop.there());
            }
            Err(refused) => {
                prop_assert_eq!(refused, Unposted::Stale(vec![SKU]));
                prop_assert!(shop.shelf.corrections > shop.line.counted.as_ref().unwrap().corrections_then);
            }
        }
    }
}
