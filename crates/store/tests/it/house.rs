//! One node keeps house for all nodes of a database.

use kernel::Timestamp;
use store::Store;
use testkit::{Database, DatabaseKind, on_both};

on_both!(one_node_keeps_house_until_it_leaves_or_its_turn_ends,);

fn one_node_keeps_house_until_it_leaves_or_its_turn_ends(kind: DatabaseKind) {
    let database = Database::fresh(kind);
    let store = Store::open(&database.settings()).unwrap();
    let at = |second: i64| Timestamp::from_micros(1_000_000_000).plus_seconds(second);
    let keeps = |node: u128, now: i64| {
        store.keep_house(node, at(now), at(now + 100)).wait().unwrap().unwrap().value
    };
    // A SQLite file has one serving process, whatever its number.
    let others_may = kind == DatabaseKind::Sqlite;
    assert_eq!((keeps(1, 0), keeps(2, 10)), (true, others_may));
    assert_eq!((keeps(1, 60), keeps(2, 120)), (true, others_may));
    assert_eq!((keeps(2, 160), keeps(1, 161)), (true, others_may));
    store.leave_house(1).wait().unwrap().unwrap();
    assert_eq!(keeps(1, 162), others_may, "only its holder leaves it");
    store.leave_house(2).wait().unwrap().unwrap();
    assert!(keeps(1, 163));
    // The clocks were set back by hours: its turn would never end.
    assert!(keeps(2, -10_000));
}
