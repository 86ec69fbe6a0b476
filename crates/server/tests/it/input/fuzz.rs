//! Random and mutated bodies against a running service: whatever comes, the answer is a documented one.

use proptest::{
    prelude::*,
    sample::Index,
    test_runner::{Config, TestCaseResult, TestRunner},
};
use serde_json::Value;
use testkit::{DatabaseKind, Reply};

use super::wire::refusal;
use crate::openapi::{Call, Document, Operation, Shop, call, faults, posting};

testkit::on_both!(
    random_values_are_answered_as_documented,
    mutated_bodies_are_answered_as_documented
);

const CASES: u32 = 200;

/// A service with a shop, and the operations to try.
struct Field<'a> {
    document: &'a Document,
    shop: Shop,
    operations: Vec<Operation<'a>>,
}

fn run<S: Strategy>(strategy: &S, test: impl Fn(S::Value) -> TestCaseResult) {
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    if let Err(failure) = TestRunner::new(config).run(strategy, test) {
        panic!("{failure}");
    }
}

impl Field<'_> {
    fn pick(&self, index: Index) -> (&Operation<'_>, Call<'_>) {
        let operation = index.get(&self.operations);
        (operation, call(operation, &self.shop))
    }

    /// Sends the body; the answer must be a success or a documented refusal.
    fn try_body(&self, index: Index, body: Vec<u8>) -> TestCaseResult {
        let (operation, call) = self.pick(index);
        let shown: String = String::from_utf8_lossy(&body).chars().take(300).collect();
        let value = serde_json::from_slice(&body).ok();
        let reply = self.shop.client.send_raw(call.method, &call.path, body);
        let case = format!("{} with {shown}", operation.name());
        let outcome =
            answered_as_documented(self.document, operation, &reply).and_then(|()| match value {
                Some(value) if reply.status < 300 => self.fits(operation, &value),
                _ => Ok(()),
            });
        outcome.map_err(|fault| TestCaseError::fail(format!("{case}: {fault}")))
    }

    /// What was accepted is what the schema describes, and read-only fields, which are ignored.
    fn fits(&self, operation: &Operation<'_>, value: &Value) -> Result<(), String> {
        let schema = &operation.body().ok_or("no body")?["schema"];
        let mut faults = faults(self.document, schema, value, false);
        faults.retain(|fault| !fault.contains("is not declared"));
        if faults.is_empty() { Ok(()) } else { Err(format!("accepted, although {faults:?}")) }
    }
}

fn answered_as_documented(
    document: &Document,
    operation: &Operation<'_>,
    reply: &Reply,
) -> Result<(), String> {
    if reply.status == operation.success().0 {
        return Ok(());
    }
    let (code, _) = refusal(reply.status, &reply.text)?;
    match operation.may_refuse(document, reply.status, &code) {
        true => Ok(()),
        false => Err(format!("{} {code} is not documented: {}", reply.status, reply.text)),
    }
}

/// The names that mean something somewhere.
fn field_names(document: &Document) -> Vec<String> {
    let schemas = document.json()["components"]["schemas"].as_object().unwrap();
    let names = schemas.values().filter_map(|schema| schema["properties"].as_object());
    let mut names: Vec<String> = names.flat_map(|fields| fields.keys().cloned()).collect();
    names.sort();
    names.dedup();
    names
}

/// Leaves of JSON as written, with those at which readers stumble.
fn leaf(ids: Vec<String>) -> impl Strategy<Value = String> {
    let odd = [
        "null",
        "true",
        "0",
        "-1",
        "2.0",
        "1e400",
        "1e-400",
        "-0",
        "0.1",
        "99999999999999999999",
        "1.0000001",
        "\"\"",
        "\"\\u0000\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud800\"",
        "\"MXN\"",
        "\"paid\"",
        "\"converted\"",
        "\"cancelled\"",
        "\"2026-01-31T18:05:07Z\"",
        "\"+525512345678\"",
        "\"7501031311309\"",
        "[]",
        "{}",
    ];
    prop_oneof![
        3 => proptest::sample::select(odd.map(str::to_owned).to_vec()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => any::<f64>().prop_filter_map("finite", |n| serde_json::to_string(&n).ok()),
        2 => any::<String>().prop_map(|text| Value::String(text).to_string()),
        2 => proptest::sample::select(ids).prop_map(|id| format!("\"{id}\"")),
    ]
}

/// Any JSON value as text: names may repeat, as they may not in a map.
fn json_text(names: Vec<String>, ids: Vec<String>) -> impl Strategy<Value = String> {
    leaf(ids).prop_recursive(4, 40, 8, move |inner| {
        let known = proptest::sample::select(names.clone());
        let name = prop_oneof![9 => known, 1 => "\\PC{0,8}"];
        let field = (name, inner.clone())
            .prop_map(|(name, value)| format!("{}:{value}", Value::String(name)));
        prop_oneof![
            1 => proptest::collection::vec(inner, 0..6).prop_map(|list| format!("[{}]", list.join(","))),
            3 => proptest::collection::vec(field, 0..12).prop_map(|list| format!("{{{}}}", list.join(","))),
        ]
    })
}

fn random_values_are_answered_as_documented(kind: DatabaseKind) {
    let (app, _smtp) = posting(kind);
    let document = Document::of(&app);
    let field = Field {
        document: &document,
        shop: Shop::open(&app),
        operations: document.operations_with_body(),
    };
    let shop = &field.shop;
    let invoices = shop.invoices();
    let ids = [
        &shop.product,
        &shop.variant,
        &shop.buyer,
        &shop.order,
        &shop.lead,
        &invoices.draft,
        &invoices.stamped,
    ];
    let value = json_text(field_names(&document), ids.map(Clone::clone).to_vec());
    // Beside the required fields a random one has a chance to be read at all.
    let valid = any::<bool>();
    run(&(any::<Index>(), value, valid), |(index, value, valid)| {
        let mut body = value;
        if valid && body.starts_with('{') {
            let known = field.pick(index).1.body.unwrap_or_default().to_string();
            let known = known.trim_end_matches('}').to_owned();
            let inside = body.trim_start_matches('{').to_owned();
            let comma = if inside == "}" || known == "{" { "" } else { "," };
            body = format!("{known}{comma}{inside}");
        }
        field.try_body(index, body.into_bytes())
    });
}

/// One change of a body's bytes.
#[derive(Clone, Debug)]
enum Mutation {
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, usize),
    Repeat(Index, usize),
    Cut(Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let pieces =
        ["\"", "{", "}", "[", "]", ",", ":", "null", "-", "1e9", "\\u0000", "\\", "\0", "\u{ff}"];
    let piece = proptest::sample::select(pieces.to_vec()).prop_map(|text| text.as_bytes().to_vec());
    prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Mutation::Set(at, byte)),
        (any::<Index>(), piece).prop_map(|(at, piece)| Mutation::Insert(at, piece)),
        (any::<Index>(), 1..10usize).prop_map(|(at, count)| Mutation::Remove(at, count)),
        (any::<Index>(), 1..40usize).prop_map(|(at, count)| Mutation::Repeat(at, count)),
        any::<Index>().prop_map(Mutation::Cut),
    ]
}

fn mutated(mut body: Vec<u8>, mutations: &[Mutation]) -> Vec<u8> {
    for mutation in mutations.iter().cloned() {
        if body.is_empty() {
            break;
        }
        let size = body.len();
        match mutation {
            Mutation::Set(at, byte) => body[at.index(size)] = byte,
            Mutation::Insert(at, piece) => {
                let at = at.index(size);
                body.splice(at..at, piece);
            }
            Mutation::Remove(at, count) => {
                let at = at.index(size);
                body.drain(at..size.min(at + count));
            }
            Mutation::Repeat(at, count) => {
                let at = at.index(size);
                let piece = body[at..size.min(at + count)].to_vec();
                body.splice(at..at, piece);
            }
            Mutation::Cut(at) => body.truncate(at.index(size)),
        }
    }
    body
}

fn mutated_bodies_are_answered_as_documented(kind: DatabaseKind) {
    let (app, _smtp) = posting(kind);
    let document = Document::of(&app);
    let field = Field {
        document: &document,
        shop: Shop::open(&app),
        operations: document.operations_with_body(),
    };
    let mutations = proptest::collection::vec(mutation(), 1..4);
    run(&(any::<Index>(), mutations), |(index, mutations)| {
        let body = field.pick(index).1.body.unwrap_or_default().to_string().into_bytes();
        field.try_body(index, mutated(body, &mutations))
    });
}
