//! Samples of what each release has stored, one folder for each kind and one file for each release that
//! changed its form, load for ever.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::{Value, value::RawValue};

use super::{
    Stored, UNVERSIONED, from_text,
    kinds::{KINDS, StoredKind},
    to_text, version_of,
};

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/stored");

/// The samples of one release.
struct Release {
    number: Vec<u32>,
    samples: Vec<Box<RawValue>>,
}

/// The releases that changed the form of a kind, the oldest first.
fn releases(kind: &StoredKind) -> Vec<Release> {
    let folder = Path::new(SAMPLES).join(kind.name);
    let files = fs::read_dir(&folder).unwrap_or_else(|_| panic!("{} has no samples", kind.name));
    let release = |path: &Path| {
        let number = path.file_stem().unwrap().to_str().unwrap();
        let number = number.split('.').map(|part| part.parse().unwrap()).collect();
        let samples = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        Release { number, samples }
    };
    let mut releases: Vec<Release> = files.map(|file| release(&file.unwrap().path())).collect();
    releases.sort_by(|a, b| a.number.cmp(&b.number));
    assert!(releases.iter().all(|release| !release.samples.is_empty()), "{}", kind.name);
    releases
}

#[test]
fn every_kind_has_samples_and_every_sample_a_kind() {
    let kinds: BTreeSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
    assert_eq!(kinds.len(), KINDS.len(), "two kinds have one name");
    for kind in KINDS {
        assert!(!releases(kind).is_empty(), "{} has no samples", kind.name);
    }
    for folder in fs::read_dir(SAMPLES).unwrap() {
        let name = folder.unwrap().file_name();
        assert!(kinds.contains(name.to_str().unwrap()), "{name:?} is no kind any more");
    }
}

#[test]
fn samples_of_every_release_load_and_the_newest_are_written_as_they_are() {
    for kind in KINDS {
        let releases = releases(kind);
        for (place, release) in releases.iter().enumerate() {
            for sample in release.samples.iter().map(|sample| sample.get()) {
                let written = (kind.rewritten)(sample)
                    .unwrap_or_else(|error| panic!("{error}, in {:?}: {sample}", release.number));
                if place + 1 == releases.len() {
                    assert_eq!(
                        written, sample,
                        "the form of {} has changed: keep samples of the release to come",
                        kind.name
                    );
                }
                if kind.version == UNVERSIONED || version_of(sample) == version_of(&written) {
                    let (before, now) = (parsed(sample), parsed(&written));
                    assert!(still_has(&now, &before), "{} lost what {sample} has", kind.name);
                }
            }
        }
    }
}

fn parsed(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

/// Whether a release that knows the fields of `before` finds each of them in `now`, with the same value.
fn still_has(now: &Value, before: &Value) -> bool {
    match (now, before) {
        (Value::Object(now), Value::Object(before)) => before
            .iter()
            .all(|(name, before)| now.get(name).is_some_and(|now| still_has(now, before))),
        (Value::Array(now), Value::Array(before)) => {
            now.len() == before.len()
                && now.iter().zip(before).all(|(now, old)| still_has(now, old))
        }
        _ => now == before,
    }
}

#[test]
fn fields_that_this_release_does_not_know_are_ignored() {
    // A map as a whole: its names are data.
    let is_map = |name: &str| name == "audit_fields";
    for kind in KINDS.iter().filter(|kind| kind.version != UNVERSIONED && !is_map(kind.name)) {
        for sample in releases(kind).iter().flat_map(|release| &release.samples) {
            let mut with_more = parsed(sample.get());
            add_fields(&mut with_more);
            let with_more = version_first(with_more);
            let written = (kind.rewritten)(&with_more);
            let written = written.unwrap_or_else(|error| panic!("{error}: {with_more}"));
            // What an earlier version says is said otherwise now.
            if version_of(sample.get()) == kind.version {
                let plain = (kind.rewritten)(sample.get()).unwrap();
                assert_eq!(parsed(&written), parsed(&plain), "{}", kind.name);
            }
        }
    }
}

/// The text of a value, whose version stands in front.
fn version_first(mut value: Value) -> String {
    let version = value.as_object_mut().and_then(|fields| fields.remove("v"));
    match version {
        Some(version) => value.to_string().replacen('{', &format!("{{\"v\":{version},"), 1),
        None => value.to_string(),
    }
}

/// Adds a field to every object but maps, whose names are data, and those that say by their only field which of several
/// forms they have.
fn add_fields(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let of_caller = |name: &str| matches!(name, "metadata" | "mapping" | "values");
            fields
                .iter_mut()
                .filter(|(name, _)| !of_caller(name))
                .for_each(|(_, field)| add_fields(field));
            if fields.len() > 1 {
                fields.insert("ofALaterRelease".to_owned(), Value::Array(Vec::new()));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(add_fields),
        _ => {}
    }
}

#[test]
fn a_version_above_the_known_one_is_refused() {
    for kind in KINDS.iter().filter(|kind| kind.version != UNVERSIONED) {
        let newer = format!(r#"{{"v":{},"id":1}}"#, kind.version + 1);
        let refused = (kind.rewritten)(&newer).unwrap_err().to_string();
        assert!(refused.contains("by a newer release"), "{refused}");
    }
}

#[test]
fn what_cannot_be_read_is_not_repeated() {
    for text in [r#"{"v":1,"width":"Secreta 1"}"#, r#"{"v":2,"Ana":1}"#, "Ana", ""] {
        let refused = from_text::<Wide>(text).unwrap_err().to_string();
        assert!(refused.contains("wide"), "{refused}");
        assert!(!refused.contains("Ana") && !refused.contains("Secreta"), "{refused}");
    }
}

/// A kind whose second release counts in other units.
#[derive(Debug, PartialEq)]
struct Wide {
    width_mm: u32,
}

#[derive(serde::Deserialize)]
struct First {
    width: u32,
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Second {
    width_mm: u32,
}

impl Stored for Wide {
    const KIND: &'static str = "wide";
    const VERSION: u32 = 2;

    fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(&Second { width_mm: self.width_mm })
    }

    fn from_json(version: u32, text: &str) -> serde_json::Result<Self> {
        if version < 2 {
            return serde_json::from_str(text).map(|First { width }| Self { width_mm: width * 10 });
        }
        serde_json::from_str(text).map(|Second { width_mm }| Self { width_mm })
    }
}

#[test]
fn a_later_version_stands_in_front_and_the_first_is_still_read() {
    let wide = Wide { width_mm: 70 };
    let text = to_text(&wide).unwrap();
    assert_eq!(text, r#"{"v":2,"width_mm":70}"#);
    assert_eq!(from_text::<Wide>(&text).unwrap(), wide);
    assert_eq!(from_text::<Wide>(r#"{"width":7}"#).unwrap(), wide);
    assert!(from_text::<Wide>(r#"{"v":3,"width_mm":70}"#).is_err());
}
