//! The document says of every endpoint what it must, and its examples are true.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use serde_json::Value;

use webhooks::catalog::every_type;

use super::{chapters, render, sketches};
use crate::{
    Settings,
    endpoint::{BodyContent, Content, Endpoint, Success},
    resources,
};

fn endpoints() -> Vec<Arc<Endpoint>> {
    resources::endpoints().into_iter().map(Arc::new).collect()
}

fn document() -> Value {
    serde_json::from_str(&render(&endpoints(), &Settings::default())).unwrap()
}

/// Every operation with its path and method.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let each = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(move |(method, operation)| (format!("{method} {path}"), operation))
    });
    each.collect()
}

#[test]
fn every_endpoint_is_documented() {
    let document = document();
    let operations = operations(&document);
    assert_eq!(operations.len(), endpoints().len());
    let ids: HashSet<_> =
        operations.iter().map(|(_, operation)| operation["operationId"].to_string()).collect();
    assert_eq!(ids.len(), operations.len(), "operation ids are unique");
    for (name, operation) in operations {
        assert!(!operation["summary"].as_str().unwrap().is_empty(), "{name}");
        for status in ["401", "403", "429", "500", "503"] {
            assert!(operation["responses"].get(status).is_some(), "{name} {status}");
        }
        let success =
            ["200", "201", "202"].iter().any(|s| operation["responses"].get(*s).is_some());
        assert!(success, "{name}");
        for parameter in operation["parameters"].as_array().unwrap() {
            let described = parameter["description"].as_str().is_some_and(|text| !text.is_empty());
            assert!(described, "{name} {parameter}");
        }
    }
}

#[test]
fn operations_are_named_as_people_expect() {
    let document = document();
    let ids: HashSet<_> = operations(&document)
        .iter()
        .map(|(_, operation)| operation["operationId"].as_str().unwrap().to_owned())
        .collect();
    for expected in [
        "createOrder",
        "setIssuer",
        "listEvents",
        "listCreditEntries",
        "rotateWebhookSecret",
        "saveProductByExternalId",
        "downloadInvoicePDF",
    ] {
        assert!(ids.contains(expected), "{expected}");
    }
}

#[test]
fn every_path_has_a_chapter_of_its_own() {
    for (path, chapter) in [
        ("/orders/{id}", "Orders"),
        ("/invoices/{id}", "Invoices"),
        ("/invoices/{id}/timbrar", "Stamping"),
        ("/invoices/{id}/link", "Invoice documents"),
        ("/invoices/exports", "Invoice documents"),
        ("/invoices/sums", "Invoice documents"),
        ("/invoices/global/preview", "Global invoices"),
        ("/invoices/cfdi/global", "Global invoices"),
        ("/invoices/cfdi/issuer/logo", "Issuers"),
        ("/invoices/cfdi/usos-cfdi", "SAT catalogs"),
        ("/webhooks/{id}/deliveries", "Deliveries"),
        ("/webhooks/{id}/enable", "Webhooks"),
        ("/webhooks/events", "Events"),
        ("/api-keys/{id}/rotate", "API keys"),
        ("/audit", "Audit log"),
        ("/requests", "Request log"),
    ] {
        assert_eq!(chapters::chapter(path).name, chapter, "{path}");
    }
    for endpoint in endpoints() {
        let chapter = chapters::chapter(endpoint.path()).name;
        assert_ne!(chapter, chapters::OTHER.name, "{}", endpoint.path());
    }
}

#[test]
fn errors_are_written_once() {
    let document = document();
    let shared = document["components"]["responses"].as_object().unwrap();
    assert!(shared.contains_key("Unauthorized") && shared.contains_key("NotFound"));
    let mut inline = HashSet::new();
    for (name, operation) in operations(&document) {
        for (status, response) in operation["responses"].as_object().unwrap() {
            let is_repeated = status.as_str() >= "400"
                && response["$ref"].is_null()
                && !inline.insert(response.to_string());
            assert!(!is_repeated, "{name} {status}");
        }
    }
}

#[test]
fn every_event_is_a_webhook_with_its_data() {
    let document = document();
    let webhooks = document["webhooks"].as_object().unwrap();
    assert_eq!(webhooks.len(), every_type().count());
    for event in every_type() {
        let body = &webhooks[event.name]["post"]["requestBody"]["content"]["application/json"];
        let data = body["schema"]["properties"]["data"]["properties"].as_object().unwrap();
        let fields: Vec<&str> = event.payload.iter().map(|(field, _)| *field).collect();
        assert_eq!(data.keys().collect::<BTreeSet<_>>().len(), fields.len(), "{}", event.name);
        assert!(fields.iter().all(|field| data.contains_key(*field)), "{}", event.name);
    }
}

#[test]
fn every_field_has_a_meaning() {
    let document = document();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        check_described(name, schema);
    }
}

fn check_described(path: &str, schema: &Value) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}.{name}");
        let text = property.to_string();
        // A part of an answer means what the whole of it says.
        let is_part = text.contains("/properties/");
        assert!(is_part || text.contains("\"description\""), "{path} {text}");
        check_described(&path, &property["items"]);
        check_described(&path, property);
    }
}

#[test]
fn every_reference_leads_somewhere() {
    fn check(document: &Value, value: &Value) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(reference)) = fields.get("$ref") {
                    let pointer = reference.strip_prefix('#').unwrap();
                    assert!(document.pointer(pointer).is_some(), "{reference}");
                }
                fields.values().for_each(|value| check(document, value));
            }
            Value::Array(values) => values.iter().for_each(|value| check(document, value)),
            _ => {}
        }
    }
    let document = document();
    check(&document, &document);
}

#[test]
fn examples_of_answers_have_exactly_the_fields_of_their_schema() {
    let document = document();
    let mut seen = 0;
    for (name, operation) in operations(&document) {
        for status in ["200", "201"] {
            let content = &operation["responses"][status]["content"]["application/json"];
            if let Some(example) = content.pointer("/examples/example/value") {
                check_example(&name, &document, &content["schema"], example);
                seen += 1;
            }
        }
    }
    let endpoints = endpoints();
    let successes = endpoints.iter().flat_map(|endpoint| endpoint.doc.successes());
    let json = successes.filter(|success| answers_json(success)).count();
    assert_eq!(seen, json);
}

/// Whether it answers JSON, other than a job that goes on.
fn answers_json(success: &Success) -> bool {
    matches!(success.content, Content::Json { .. }) && success.status != 202
}

fn check_example(path: &str, document: &Value, schema: &Value, example: &Value) {
    if let Some(reference) = schema["$ref"].as_str() {
        let schema = document.pointer(&reference[1..]).unwrap();
        return check_example(path, document, schema, example);
    }
    if let (Some(properties), Some(example)) =
        (schema["properties"].as_object(), example.as_object())
    {
        // What is there on demand only is not among them.
        let always = schema["required"].as_array().into_iter().flatten();
        let always: BTreeSet<_> = always.filter_map(Value::as_str).collect();
        let shown: BTreeSet<_> = example.keys().map(String::as_str).collect();
        let others: Vec<_> = shown.difference(&always).collect();
        assert!(always.is_subset(&shown), "{path}: {always:?}");
        assert!(others.iter().all(|name| name.starts_with("total")), "{path}: {others:?}");
        for (name, property) in properties {
            check_example(
                &format!("{path}.{name}"),
                document,
                property,
                example.get(name).unwrap_or(&Value::Null),
            );
        }
    }
    for element in example.as_array().into_iter().flatten() {
        check_example(&format!("{path}[]"), document, &schema["items"], element);
    }
}

// That their readers take them is tested beside the readers.
#[test]
fn examples_of_bodies_fit_their_schema() {
    for endpoint in endpoints() {
        let body = endpoint.takes.body.as_ref().map(|body| &body.content);
        let Some(BodyContent::Fields { name: form, example, sketch, .. }) = body else { continue };
        let example: Value = serde_json::from_str(example).unwrap();
        let schema = serde_json::to_value(sketches::object(&sketch())).unwrap();
        for name in example.as_object().unwrap().keys() {
            assert!(schema["properties"].get(name).is_some(), "{form} {name}");
        }
        for name in schema["required"].as_array().into_iter().flatten() {
            assert!(example.get(name.as_str().unwrap()).is_some(), "{form} {name}");
        }
    }
}
