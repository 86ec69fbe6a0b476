//! Master keys: one service does not open what another has sealed, unless it is given that key, too.

use store::{MASTER_KEY_BYTES, MasterKey, Store};
use testkit::{Database, DatabaseKind, on_both};

use super::audience::{Audience, signature};

on_both!(another_key_is_refused, a_new_key_goes_before_the_old_one,);

const OLD: MasterKey = MasterKey::new([7; MASTER_KEY_BYTES]);
const NEW: MasterKey = MasterKey::new([8; MASTER_KEY_BYTES]);

/// Why a database is not opened with these keys.
fn refused(database: &Database, keys: &[MasterKey]) -> Option<String> {
    let settings = store::Settings { master_keys: keys.to_vec(), ..database.settings() };
    Store::open(&settings).err().map(|error| error.to_string())
}

fn another_key_is_refused(kind: DatabaseKind) {
    let empty = Database::fresh(kind);
    assert_eq!(refused(&empty, &[NEW]), None, "nobody has opened it with another");
    let why = refused(&empty, &[OLD]).expect("two nodes with two keys do not start");
    assert!(why.starts_with("master_key does not open 1 secrets in this database"), "{why}");
    let audience = Audience::gather(kind);
    let database = &audience.app.database;
    audience.subscribe("/a", &["*"]);
    // The webhook's, the sandbox's and the canary.
    let why = refused(database, &[NEW]).expect("the key is another");
    assert!(why.starts_with("master_key does not open 3 secrets in this database"), "{why}");
    assert!(why.contains("the old one behind the new"), "{why}");
    assert_eq!(refused(database, &[OLD]), None);
    assert_eq!(refused(database, &[]), None, "whoever seals nothing needs no key");
    assert_eq!(refused(database, &[NEW]), Some(why), "and asking changes nothing");
}

fn a_new_key_goes_before_the_old_one(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let old = audience.subscribe("/old", &["*"]);
    let both = audience.app.again().master_keys(vec![NEW, OLD]);
    let audience = audience.then(both);
    let new = audience.subscribe("/new", &["*"]);
    audience.happen(1);
    for hook in [&old, &new] {
        let request = audience.receiver.wait_at(&hook.path, 1).remove(0);
        let signature = signature(&hook.secret, &request.body);
        assert_eq!(request.header("x-service-signature-256"), Some(signature.as_str()));
    }
    let sealed =
        audience.app.database.lines("SELECT secret AS line FROM subscriptions ORDER BY id");
    let key = |sealed: &String| sealed.split('.').next().map(str::to_owned);
    assert_eq!(key(&sealed[0]), key(&sealed[1]), "the new key has sealed the old secret anew");
    assert_eq!(refused(&audience.app.database, &[NEW]), None, "so the old one can be given up");
    assert!(refused(&audience.app.database, &[OLD]).is_some());
}
