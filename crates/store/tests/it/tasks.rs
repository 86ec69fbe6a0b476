//! The queue of tasks.

use std::collections::HashMap;

use ::tasks::{Task, TaskQueue, Want, kind::IMPORT_PRODUCTS};
use accounts::Accounts;
use imports::{ImportKind, ImportOptions, Imports, KeptFile, NewImport};
use kernel::{AccountId, Timestamp};
use store::Store;
use testkit::{Database, DatabaseKind, on_both};

use crate::batches::ctx;

on_both!(others_wait_only_if_somebody_can_take_them);

const NOW: Timestamp = Timestamp::from_micros(1_000_000_000);

fn account(store: &Store) -> AccountId {
    store.create_account("Shop".to_owned(), 5, NOW).wait().unwrap().unwrap().value.id
}

fn ask_for_import(store: &Store, account: AccountId, digest: &str) {
    let file = KeptFile { name: digest.to_owned(), size: 1, digest: digest.to_owned() };
    let (kind, options) = (ImportKind::Products, ImportOptions::default());
    let ctx = kernel::Ctx { now: NOW, ..ctx(account, None) };
    let opened = Imports::open(store, ctx, NewImport { kind, options, file });
    opened.wait().unwrap().unwrap();
}

/// What a worker wants that is at one task of each of these accounts.
fn want(room: usize, busy: &[AccountId]) -> Want {
    Want {
        kind: IMPORT_PRODUCTS.name,
        version: IMPORT_PRODUCTS.version,
        room,
        room_per_account: 1,
        busy: busy.iter().map(|account| (*account, 1)).collect::<HashMap<_, _>>(),
    }
}

fn others_wait_only_if_somebody_can_take_them(kind: DatabaseKind) {
    let database = Database::fresh(kind);
    let store = Store::open(&database.settings()).unwrap();
    let (one, other, third) = (account(&store), account(&store), account(&store));
    let claim = |room: usize| -> Vec<Task> {
        let claimed = store.claim(vec![want(room, &[])], NOW, NOW.plus_seconds(60));
        claimed.wait().unwrap().unwrap().value
    };
    ask_for_import(&store, one, "a");
    let own = claim(1).remove(0);
    let wait =
        |busy: &[AccountId]| store.others_wait(&own, want(0, busy), NOW).wait().unwrap().unwrap();
    assert!(!wait(&[one]));
    ask_for_import(&store, one, "b");
    assert!(!wait(&[one]), "it is no other account's");
    ask_for_import(&store, other, "c");
    assert!(wait(&[one]));
    // Another worker takes it up: the account has its share with that.
    assert_eq!(claim(2).iter().filter(|task| task.account == other).count(), 1);
    ask_for_import(&store, other, "d");
    assert!(!wait(&[one]));
    ask_for_import(&store, third, "e");
    assert!(wait(&[one]));
    assert!(!wait(&[one, third]), "it is at one of that account");
    // A newer release has asked for it, which this one cannot read.
    let newer = format!("UPDATE tasks SET payload_version = 99 WHERE account_id = '{third}'");
    database.execute(&newer);
    assert!(!wait(&[one]));
}
