//! What the readers of bodies and queries take and refuse.

use kernel::{Amount, FieldFault, Language, Measure, Metadata, message};

use crate::{
    Check, Fields, Form, Unreadable,
    checks::{
        flag, line, list, metadata, number, objects, one_number_of, one_of, some_units, units,
        whole,
    },
    noun, sentence,
    sketch::ValueKind,
};

#[derive(Debug, PartialEq)]
struct Thing {
    name: String,
    price: Option<Amount>,
    count: i64,
    tags: Vec<String>,
    parts: Vec<i64>,
    color: Option<Option<&'static str>>,
    on: bool,
    metadata: Metadata,
}

const FORM: Form<Thing> = Form::body("Thing", noun("a thing", "una cosa"), read_thing, "{}");

fn read_thing(fields: &mut Fields<'_>) -> Option<Thing> {
    let thing = Thing {
        name: fields.required("name", line(10)).unwrap_or_default(),
        price: fields.optional("price", number(Some(0), Ok)),
        count: fields.change("count", whole(1..=1_000)).unwrap_or(1),
        tags: fields.optional("tags", list(0..=3, line(5))).unwrap_or_default(),
        parts: fields
            .optional("parts", objects(noun("a part", "una parte"), 1..=3, read_part))
            .unwrap_or_default(),
        color: fields.patch("color", one_of(&["red", "blue"], |name| name)),
        on: fields.optional("on", flag()).unwrap_or_default(),
        metadata: fields.optional("metadata", metadata()).unwrap_or_default(),
    };
    fields.read_only(&["id"]);
    Some(thing)
}

fn read_part(fields: &mut Fields<'_>) -> Option<i64> {
    fields.required("quantity", whole(1..=1_000))
}

const COST: Form<(Option<Amount>, u8)> =
    Form::body("Cost", noun("a cost", "un costo"), read_cost, "{}");

fn read_cost(fields: &mut Fields<'_>) -> Option<(Option<Amount>, u8)> {
    let months = fields.change("months", one_number_of(&[3, 6]));
    let average = fields.required_or_null("average", number(Some(0), Ok));
    Some((average?, months.unwrap_or_default()))
}

#[test]
fn a_field_that_must_be_there_may_be_null() {
    let read = |body: &str| COST.read_body(body.as_bytes());
    assert_eq!(read(r#"{"average": null}"#), Ok((None, 0)));
    assert_eq!(read(r#"{"average": 0, "months": 6}"#), Ok((Some(Amount::ZERO), 6)));
    for refused in ["{}", r#"{"average": "x"}"#, r#"{"average": null, "months": 4}"#] {
        assert!(matches!(read(refused), Err(Unreadable::Faulty(_))), "{refused}");
    }
    let sketch = COST.sketch();
    let drawn: Vec<_> = sketch.fields.iter().map(|it| (it.required, it.schema.nullable)).collect();
    assert_eq!(drawn, [(false, false), (true, true)]);
    assert_eq!(sketch.fields[0].schema.kind, ValueKind::OneNumber(&[3, 6]));
}

const PARCEL: Form<Option<String>> =
    Form::body("Parcel", noun("a parcel", "un paquete"), read_parcel, "{}");

fn read_parcel(fields: &mut Fields<'_>) -> Option<Option<String>> {
    let is_sent = fields.optional("sent", flag()).unwrap_or_default();
    fields.required_if(is_sent, "to", line(10))
}

#[test]
fn a_field_may_be_needed_in_some_cases_alone() {
    let read = |body: &str| PARCEL.read_body(body.as_bytes()).map_err(|error| error.to_string());
    let told = |text: &str| Ok(Some(text.to_owned()));
    for (body, wanted) in [
        ("{}", Ok(None)),
        (r#"{"to": null}"#, Ok(None)),
        (r#"{"to": "Ana"}"#, told("Ana")),
        (r#"{"sent": true, "to": "Ana"}"#, told("Ana")),
        (r#"{"sent": true}"#, Err("to is required".to_owned())),
        (r#"{"sent": true, "to": null}"#, Err("to must not be null".to_owned())),
        (r#"{"to": 1}"#, Err("to must be a string".to_owned())),
    ] {
        assert_eq!(read(body), wanted, "{body}");
    }
    let drawn = PARCEL.sketch();
    assert!(drawn.fields.iter().all(|it| !it.required && it.schema.nullable));
}

fn refused(body: impl AsRef<[u8]>) -> String {
    match FORM.read_body(body.as_ref()).unwrap_err() {
        error @ Unreadable::Faulty(_) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn reads_what_is_right() {
    let body = r#" {"name": " Taza ", "price": 19.99, "count": 2e0, "tags": ["a"], "parts": [{"quantity": 2.0}],
        "color": null, "on": true, "metadata": {"x": 1.50, "y": "\u00f1"}, "id": {"any": "thing"}} "#;
    let thing = FORM.read_body(body.as_bytes()).unwrap();
    assert_eq!((thing.name.as_str(), thing.count, thing.parts.as_slice()), ("Taza", 2, &[2][..]));
    assert_eq!(thing.price.map(|price| price.to_string()).as_deref(), Some("19.99"));
    assert_eq!((thing.color, thing.on), (Some(None), true));
    assert_eq!(serde_json::to_string(&thing.metadata).unwrap(), r#"{"x":1.50,"y":"ñ"}"#);
    let bare = FORM.read_body(br#"{"name": "T"}"#).unwrap();
    assert_eq!((bare.color, bare.count), (None, 1));
}

#[test]
fn names_all_faults_at_once() {
    let body = r#"{"price": "19.99", "count": 1.5, "tags": ["", 7], "parts": [{"quantity": 0}, {"quantiti": 1}],
        "colour": "red", "on": "true", "metadata": {"a": null, "b": [1]}}"#;
    assert_eq!(
        refused(body),
        [
            "name is required",
            "price must be a number",
            "count must be a whole number from 1 to 1000",
            "tags[0] must not be empty",
            "tags[1] must be a string",
            "parts[0].quantity must be a whole number from 1 to 1000",
            "parts[1].quantity is required",
            "parts[1].\"quantiti\" is not a field of a part (did you mean \"quantity\"?)",
            "on must be true or false",
            "metadata[\"a\"] must be a string, a number or a boolean",
            "metadata[\"b\"] must be a string, a number or a boolean",
            "\"colour\" is not a field of a thing (did you mean \"color\"?)",
        ]
        .join("; ")
    );
}

#[test]
fn every_fault_is_named_in_spanish_too() {
    let body = r#"{"price": "19.99", "count": 1.5, "tags": [""], "parts": [{"quantiti": 1}], "colour": 1}"#;
    let Err(Unreadable::Faulty(faults)) = FORM.read_body(body.as_bytes()) else { panic!("{body}") };
    assert_eq!(
        sentence(&faults).in_language(Language::Spanish),
        [
            "name es obligatorio",
            "price debe ser un número",
            "count debe ser un número entero de 1 a 1000",
            "tags[0] no debe estar vacío",
            "parts[0].quantity es obligatorio",
            "parts[0].\"quantiti\" no es un campo de una parte (¿quiso decir \"quantity\"?)",
            "\"colour\" no es un campo de una cosa (¿quiso decir \"color\"?)",
        ]
        .join("; ")
    );
}

#[test]
fn malformed_bodies_are_refused_without_a_trace_of_the_parser() {
    let deep = |open: &str| open.repeat(100_000);
    let cases: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"  \n ".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        b"\"text\"".to_vec(),
        b"42".to_vec(),
        b"{".to_vec(),
        b"{\"name\"".to_vec(),
        b"{\"name\": \"x\"".to_vec(),
        b"{\"name\": \"x\"} trailing".to_vec(),
        b"{\"name\": \"x\"}{}".to_vec(),
        b"{name: 1}".to_vec(),
        b"{\"name\": 'x'}".to_vec(),
        b"{\"name\": \"x\",}".to_vec(),
        b"{\"name\": NaN}".to_vec(),
        b"{\"name\": Infinity}".to_vec(),
        b"{\"name\": 01}".to_vec(),
        b"{\"name\": .5}".to_vec(),
        b"{\"name\": \"a\nb\"}".to_vec(),
        b"{\"name\": \"\\x\"}".to_vec(),
        b"{\"\\ud800\": 1}".to_vec(),
        b"{\"name\": \"\xff\"}".to_vec(),
        b"\xef\xbb\xbf{}".to_vec(),
        b"\xff\xfe{\0}\0".to_vec(),
        b"{\0}\0".to_vec(),
        b"<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>".to_vec(),
        deep("[").into_bytes(),
        deep("{\"a\":").into_bytes(),
    ];
    for case in cases {
        let shown = String::from_utf8_lossy(&case).chars().take(60).collect::<String>();
        let Err(Unreadable::Malformed(message)) = FORM.read_body(&case) else {
            panic!("{shown} is taken");
        };
        for language in Language::EVERY {
            let text = message.in_language(language);
            assert!(!text.contains("expected") && text.len() < 100, "{shown}: {text}");
        }
    }
}

#[test]
fn a_byte_order_mark_is_refused_by_its_name() {
    let refused = FORM.read_body("\u{feff}{\"name\": \"a\"}".as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("BOM"), "{refused}");
}

#[test]
fn strange_values_are_refused_as_wrong() {
    let digits = "9".repeat(100_000);
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let names = (0..101).map(|i| format!("\"f{i}\":0")).collect::<Vec<_>>().join(",");
    let values = [
        ("name", r#""a\u0000b""#.to_owned(), "must be one line without control characters"),
        ("name", r#""\ud800""#.to_owned(), "must be Unicode text"),
        ("name", "\"12345678901\"".to_owned(), "must have at most 10 characters"),
        ("name", "null".to_owned(), "must not be null"),
        ("name", nested.clone(), "must be a string"),
        ("name", "{}".to_owned(), "must be a string"),
        ("price", "1e400".to_owned(), "must be at most 1000000000000"),
        ("price", "0.0000001".to_owned(), "must have at most 6 decimals"),
        ("price", digits.clone(), "must be at most 1000000000000"),
        ("price", format!("0.{digits}"), "must have at most 6 decimals"),
        ("price", format!("1e{digits}"), "must be at most 1000000000000"),
        ("count", "9223372036854775808".to_owned(), "must be a whole number from 1 to 1000"),
        ("count", "-1".to_owned(), "must be a whole number from 1 to 1000"),
        ("count", "true".to_owned(), "must be a number"),
        ("count", "null".to_owned(), "must not be null"),
        ("tags", "{}".to_owned(), "must be a list"),
        ("tags", "[\"a\",\"b\",\"c\",\"d\"]".to_owned(), "must have at most 3 elements"),
        ("parts", "[]".to_owned(), "must not be empty"),
        ("parts", nested, "must be an object"),
        ("color", "\"green\"".to_owned(), "must be one of red, blue"),
        ("metadata", "[]".to_owned(), "must be an object"),
        ("metadata", r#"{"a":1,"a":2}"#.to_owned(), "is given more than once"),
        ("metadata", r#"{"a":"\ud800"}"#.to_owned(), "must be Unicode text"),
        ("metadata", r#"{"a":"\u0000"}"#.to_owned(), "must not contain control characters"),
        ("metadata", format!("{{{names}}}"), "must have at most 100 fields"),
    ];
    for (field, value, problem) in values {
        let name = if field == "name" { "" } else { "\"name\":\"x\"," };
        let message = refused(format!("{{{name}\"{field}\":{value}}}"));
        let shown = value.chars().take(40).collect::<String>();
        assert!(message.starts_with(field) && message.ends_with(problem), "{shown}: {message}");
    }
}

#[test]
fn repeated_and_unknown_fields_are_refused() {
    assert_eq!(refused(r#"{"name":"a","name":"b"}"#), "name is given more than once");
    assert_eq!(refused(r#"{"name":"a","id":1,"id":2}"#), "id is given more than once");
    let twice = r#"{"name":"a","foo":1,"foo":2}"#;
    assert_eq!(refused(twice), "\"foo\" is not a field of a thing");
    let long = "x".repeat(10_000);
    let message = refused(format!("{{\"name\":\"a\",\"{long}\\u0001\":1}}"));
    assert!(message.len() < 200, "{message}");
}

#[test]
fn the_sketch_is_what_the_reader_asks_for() {
    let sketch = FORM.sketch();
    let required: Vec<_> = sketch.fields.iter().filter(|f| f.required).map(|f| f.name).collect();
    assert_eq!(required, ["name"]);
    let of = |name| &sketch.fields.iter().find(|field| field.name == name).unwrap().schema;
    assert_eq!(of("count").kind, ValueKind::Whole(1..=1_000));
    assert_eq!((of("count").nullable, of("price").nullable), (false, true));
    let ValueKind::List(part, _) = &of("parts").kind else { panic!("{:?}", of("parts")) };
    let ValueKind::Object(part) = &part.kind else { panic!("{part:?}") };
    assert_eq!((part.fields[0].name, part.fields[0].required), ("quantity", true));
    assert_eq!(sketch.read_only().collect::<Vec<_>>(), ["id"]);
}

#[test]
fn queries_are_read_like_bodies() {
    const QUERY: Form<Thing> = Form::query(read_thing);
    let thing = QUERY.read_query("name=caf%C3%A9+1&count=3&on=true&price=1.5&").unwrap();
    assert_eq!((thing.name.as_str(), thing.count, thing.on), ("café 1", 3, true));
    for (query, problem) in [
        ("", "name is required"),
        ("name=%FF", "the query must be percent-encoded UTF-8"),
        ("name=%4", "the query must be percent-encoded UTF-8"),
        ("name=%zz", "the query must be percent-encoded UTF-8"),
        ("name=a%00b", "name must be one line without control characters"),
        ("name=a&name=b", "name is given more than once"),
        ("name=a&count=x", "count must be a whole number from 1 to 1000"),
        ("name=a&count=+1", "count must be a whole number from 1 to 1000"),
        (
            "name=a&coutn=1",
            "\"coutn\" is not a parameter of this request (did you mean \"count\"?); there are name, price, count, tags, parts, color, on, metadata",
        ),
        (
            "name=a&foo=1&foo=2&bar=1",
            "\"foo\" is not a parameter of this request; there are name, price, count, tags, parts, color, on, metadata; \
             \"bar\" is not a parameter of this request",
        ),
        ("name=a&tags=x", "tags must be a list"),
    ] {
        assert_eq!(QUERY.read_query(query).unwrap_err().to_string(), problem);
    }
}

#[test]
fn url_encoded_forms_are_read_like_bodies() {
    let thing = FORM.read_urlencoded(b"name=Taza+azul&price=1.50&on=true").unwrap();
    assert_eq!((thing.name.as_str(), thing.on), ("Taza azul", true));
    for (form, problem) in [
        (
            &b"nmae=x"[..],
            "name is required; \"nmae\" is not a field of a thing (did you mean \"name\"?)",
        ),
        (b"name=%FF", "the form must be percent-encoded UTF-8"),
        (b"name=\xff", "the form must be percent-encoded UTF-8"),
        (b"name=a&count=0", "count must be a whole number from 1 to 1000"),
    ] {
        assert_eq!(FORM.read_urlencoded(form).unwrap_err().to_string(), problem);
    }
}

#[test]
fn numbers_are_read_as_people_type_them_where_somebody_does() {
    let form = b"name=Taza&price=%241%2C234.50&on=true&count=1%2C000";
    let thing = FORM.read_typed(form).unwrap();
    assert_eq!(thing.price, Amount::parse("1234.50").ok());
    assert!(FORM.read_urlencoded(form).is_err());
}

#[test]
fn a_sentence_names_twenty_faults_and_counts_the_rest() {
    let wrong = || message!("is wrong", "está mal");
    let faults: Vec<_> = (0..23).map(|i| FieldFault::new(format!("f{i}"), wrong())).collect();
    assert!(sentence(&faults).in_language(Language::Spanish).ends_with("f19 está mal; y 3 más"));
    let sentence = Unreadable::Faulty(faults).to_string();
    assert!(sentence.starts_with("f0 is wrong; f1 is wrong"), "{sentence}");
    assert!(sentence.ends_with("f19 is wrong; and 3 more"), "{sentence}");
}

#[test]
fn an_optional_body_may_be_empty() {
    fn read(fields: &mut Fields<'_>) -> Option<Option<bool>> {
        Some(fields.optional("on", flag().about("Whether.")))
    }
    let form = Form::body("Switch", noun("a switch", "un interruptor"), read, "{}").or_absent();
    assert_eq!(form.read_body(b"").unwrap(), None);
    assert_eq!(form.read_body(br#"{"on":true}"#).unwrap(), Some(true));
}

#[test]
fn quantities_are_read_to_the_thousandth() {
    const UNITS: Form<(Option<Measure>, Option<Measure>)> =
        Form::body("Units", noun("units", "unidades"), read_units, "{}");
    fn read_units(fields: &mut Fields<'_>) -> Option<(Option<Measure>, Option<Measure>)> {
        Some((fields.change("some", some_units(10)), fields.change("any", units(-10..=10))))
    }
    let read = |body: &str| UNITS.read_body(body.as_bytes());
    let thousandths = |body: &str| {
        let (some, any) = read(body).unwrap();
        (some.map(Measure::thousandths), any.map(Measure::thousandths))
    };
    assert_eq!(thousandths(r#"{"some": 0.350, "any": -10}"#), (Some(350), Some(-10_000)));
    assert_eq!(thousandths(r#"{"some": 10.0, "any": 0}"#), (Some(10_000), Some(0)));
    for wrong in [
        r#"{"some": 0}"#,
        r#"{"some": 0.3505}"#,
        r#"{"some": 10.001}"#,
        r#"{"some": "1"}"#,
        r#"{"any": -10.001}"#,
        r#"{"any": 0.0001}"#,
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
