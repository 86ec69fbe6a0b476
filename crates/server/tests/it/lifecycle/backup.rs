//! `backup` and `restore`: a copy of a database in use, put in its place again.

use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use testkit::DatabaseKind;

use super::program::{Server, Site, stocked};

fn total(server: &Server, key: &str, path: &str) -> u64 {
    server.ask(key, "GET", path, None).json()["total"].as_u64().unwrap()
}

#[test]
fn a_copy_made_under_load_is_put_back() {
    let site = Site::new(DatabaseKind::Sqlite);
    let (_, key) = site.account_and_key();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    let copy = copy.to_str().unwrap();
    let mut server = site.serve(&[]);
    let (order, product) = stocked(&server, &key, 100_000);
    let stop = AtomicBool::new(false);
    let (before, after) = thread::scope(|scope| {
        let load = scope.spawn(|| {
            let mut placed = 0_u64;
            while !stop.load(Ordering::Relaxed) {
                assert_eq!(server.ask(&key, "POST", "/orders", Some(&order)).status, 201);
                placed += 1;
            }
            placed
        });
        while total(&server, &key, "/orders") < 20 {}
        let before = total(&server, &key, "/orders");
        assert!(site.say(&["backup", copy]).contains("checked"));
        let after = total(&server, &key, "/orders");
        stop.store(true, Ordering::Relaxed);
        assert!(load.join().unwrap() >= after);
        (before, after)
    });
    assert!(site.run(&["backup", copy]).err.contains("exists already"));
    let serving = site.run(&["restore", copy, "--replace"]);
    assert!(serving.err.contains("another process serves"), "{}", serving.err);
    server.terminate();
    assert_eq!(server.ended().code(), Some(0));

    let refused = site.run(&["restore", copy]);
    assert!(refused.err.contains("--replace"), "{}", refused.err);
    let absent = folder.path().join("absent.db");
    for missing in [absent.as_path(), folder.path()] {
        let missing = missing.to_str().unwrap();
        let refused = site.run(&["restore", missing, "--replace"]);
        let helps = [missing, "trastienda backup FILE"].iter().all(|it| refused.err.contains(it));
        assert!(helps && !refused.err.contains("migrate"), "{}", refused.err);
        assert_eq!(refused.code, Some(1), "{}", refused.out);
    }
    let broken = folder.path().join("broken.db");
    let mut bytes = fs::read(copy).unwrap();
    let (middle, end) = (bytes.len() / 2, bytes.len() / 2 + 20_000);
    bytes[middle..end].fill(0x5a);
    fs::write(&broken, bytes).unwrap();
    let refused = site.run(&["restore", broken.to_str().unwrap(), "--replace"]);
    assert_eq!(refused.code, Some(1), "{}", refused.out);
    fs::write(&broken, "no database").unwrap();
    let refused = site.run(&["restore", broken.to_str().unwrap(), "--replace"]);
    assert_eq!(refused.code, Some(1), "{}", refused.out);

    let said = site.run(&["restore", copy, "--replace"]);
    assert!(said.err.contains(".replaced"), "{}", said.err);
    let server = site.serve(&[]);
    let orders = total(&server, &key, "/orders");
    assert!((before..=after).contains(&orders), "{orders} of {before} to {after}");
    let left = server.ask(&key, "GET", &format!("/products/{product}"), None);
    assert_eq!(left.json()["inventory"], 100_000 - orders);
    assert_eq!(total(&server, &key, "/orders?search=ord-1"), 1, "the index of search is there");
}

/// After a crash, a part of the database is in its log alone, which goes where the database goes.
#[test]
fn what_a_restoration_replaces_is_kept_whole() {
    let site = Site::new(DatabaseKind::Sqlite);
    let (_, key) = site.account_and_key();
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    let copy = copy.to_str().unwrap();
    let _ = site.say(&["backup", copy]);
    let database = site.database.as_ref().unwrap().url.trim_start_matches("sqlite://").to_owned();
    let beside = |suffix: &str| format!("{database}{suffix}");
    // Serves, makes a product with this stock if there is one, is killed, and says how many products there were.
    let crashed = |stock: Option<i64>| {
        let mut server = site.serve(&[]);
        let _ = stock.map(|stock| stocked(&server, &key, stock));
        let products = total(&server, &key, "/products");
        server.kill();
        products
    };
    assert_eq!(crashed(Some(5)), 1);
    assert!(fs::metadata(beside("-wal")).unwrap().len() > 0, "some of it is in the log alone");
    let _ = site.say(&["restore", copy, "--replace"]);
    assert_eq!(crashed(None), 0);
    // The first one is not lost by another restoration, and is whole.
    let again = site.run(&["restore", copy, "--replace"]);
    assert!(again.err.contains(".replaced-2"), "{}", again.err);
    let _ = site.say(&["restore", &beside(".replaced"), "--replace"]);
    assert_eq!(crashed(None), 1);
    // The log of a database that is gone is none of the copy's.
    let _ = site.say(&["restore", copy, "--replace"]);
    assert_eq!(crashed(Some(5)), 1);
    fs::remove_file(&database).unwrap();
    let _ = site.say(&["restore", copy]);
    assert_eq!(crashed(None), 0);
}

/// A crash at a moment at which no database is under the name must not lead to an empty one.
#[test]
fn an_interrupted_restoration_is_finished_before_anything_is_served() {
    let site = Site::new(DatabaseKind::Sqlite);
    let (account, _) = site.account_and_key();
    let database = site.database.as_ref().unwrap().url.trim_start_matches("sqlite://").to_owned();
    let [draft, replaced, copy] =
        [".draft", ".replaced", ".copy"].map(|suffix| format!("{database}{suffix}"));
    let _ = site.say(&["backup", &copy]);
    fs::rename(&database, &replaced).unwrap();
    fs::write(&draft, "").unwrap();
    let is_refused = |command: &[&str]| {
        let said = site.run(command);
        assert_eq!(said.code, Some(1), "{command:?}: {}", said.out);
        assert!(!fs::exists(&database).unwrap(), "{command:?}");
    };
    is_refused(&["migrate"]);
    is_refused(&["serve", "--listen", "127.0.0.1:0"]);
    is_refused(&["account", "create", "Pepe"]);
    // Nor does an attempt that fails.
    is_refused(&["restore", draft.as_str()]);
    let broken = format!("{database}.broken");
    fs::write(&broken, "no database").unwrap();
    is_refused(&["restore", broken.as_str()]);
    is_refused(&["migrate"]);

    let _ = site.say(&["restore", &copy]);
    assert!(!fs::exists(&draft).unwrap());
    assert!(site.say(&["account", "list"]).contains(&account));
    let itself = site.run(&["restore", &database, "--replace"]);
    assert_eq!(itself.code, Some(1), "{}", itself.out);
    assert!(site.say(&["account", "list"]).contains(&account));
    let _ = site.say(&["restore", &replaced, "--replace"]);
    assert!(site.say(&["account", "list"]).contains(&account));
}

#[test]
fn postgres_has_tools_of_its_own() {
    let site = Site::new(DatabaseKind::Postgres);
    for (command, tool) in [("backup", "pg_dump"), ("restore", "pg_restore")] {
        let refused = site.run(&[command, "copy.db"]);
        assert!(refused.err.contains(tool), "{}", refused.err);
    }
}
