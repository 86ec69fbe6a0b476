//! A release, and its database in the hands of this one.

use std::{fs, path::PathBuf, sync::Arc};

use kernel::Timestamp;
use serde_json::Value;
use testkit::{App, Builder, Client, Database, DatabaseKind};

/// What a release left behind.
pub(super) struct Release {
    pub(super) folder: PathBuf,
    kind: DatabaseKind,
    journal: Value,
}

/// A merchant of the release.
pub(super) struct Merchant {
    pub(super) account: String,
    key: String,
}

impl Release {
    /// Every release that is kept.
    pub(super) fn every(kind: DatabaseKind) -> Vec<Self> {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/releases");
        let releases: Vec<_> = fs::read_dir(folder)
            .expect("releases are kept")
            .map(|entry| Self::of(entry.expect("a folder").path(), kind))
            .collect();
        assert!(!releases.is_empty());
        releases
    }

    fn of(folder: PathBuf, kind: DatabaseKind) -> Self {
        let journal = fs::read_to_string(folder.join(format!("{}.json", kind.name())));
        let journal = serde_json::from_str(&journal.expect("a journal")).expect("JSON");
        Self { folder, kind, journal }
    }

    /// Its database, migrated by nobody.
    pub(super) fn database(&self) -> Database {
        let dump = fs::read_to_string(self.folder.join(format!("{}.sql", self.kind.name())));
        Database::restored(self.kind, &dump.expect("a dump"))
    }

    /// A service of this release on its database, at the moment at which it ended. Starting migrates.
    pub(super) fn continued(&self) -> Builder {
        let ended = Timestamp::parse(self.journal["madeAt"].as_str().unwrap()).unwrap();
        App::on(Arc::new(self.database()), ended).not_delivering()
    }

    /// The merchant with the embedded provider, and the one whose provider is elsewhere.
    pub(super) fn merchants(&self) -> [Merchant; 2] {
        [0, 1].map(|number| {
            let merchant = &self.journal["merchants"][number];
            let text = |name: &str| merchant[name].as_str().unwrap().to_owned();
            Merchant { account: text("account"), key: text("key") }
        })
    }

    /// The calls whose answers it kept for repeats.
    pub(super) fn kept(&self) -> &[Value] {
        self.journal["kept"].as_array().unwrap()
    }

    /// Everything as it read at the end.
    pub(super) fn readings(&self) -> &[Value] {
        self.journal["readings"].as_array().unwrap()
    }

    /// A client of the merchant whom an entry of the journal is about.
    pub(super) fn client_of(&self, app: &App, entry: &Value) -> Client {
        let merchants = self.merchants();
        let known = merchants.iter().find(|known| entry["account"] == known.account.as_str());
        known.unwrap().client(app)
    }
}

impl Merchant {
    /// With the key that the release made.
    pub(super) fn client(&self, app: &App) -> Client {
        app.anonymous().with_key(&self.key)
    }
}

/// What says the same now: the first release told when invoices are issued and stamped in local time.
fn local<'a>(name: &'a str, before: &Value) -> &'a str {
    match (name, before.as_str()) {
        ("issuedAt", Some(moment)) if !moment.ends_with('Z') => "localIssuedAt",
        ("stampedAt", Some(moment)) if !moment.ends_with('Z') => "localStampedAt",
        _ => name,
    }
}

/// Asserts that JSON has all that it had; this release may say more.
#[track_caller]
pub(super) fn assert_says(now: &Value, before: &Value, place: &str) {
    match (now, before) {
        (Value::Object(now), Value::Object(before)) => {
            for (name, before) in before {
                let name = local(name, before);
                let now = now.get(name).unwrap_or_else(|| panic!("{place}.{name} is gone"));
                assert_says(now, before, &format!("{place}.{name}"));
            }
        }
        (Value::Array(now), Value::Array(before)) => {
            assert_eq!(now.len(), before.len(), "{place}");
            for (number, (now, before)) in now.iter().zip(before).enumerate() {
                assert_says(now, before, &format!("{place}[{number}]"));
            }
        }
        _ => assert_eq!(now, before, "{place}"),
    }
}
