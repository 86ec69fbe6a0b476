//! Chapters: the operations of a tag, the objects that they answer with, and events.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    document::{Document, Operation as Declared, Schema},
    fields::{self, Field, Link},
    html::{Html, anchor},
    operations::{self, Event, Operation, Shown},
};

/// The most objects that stand on the page of their operations.
const OBJECTS_MAX: usize = 30;
/// The most fields within one of a body that stand on the page of its operation.
const FIELDS_MAX: usize = 100;

/// What is shown on one page.
#[derive(Debug)]
pub(crate) struct Chapter {
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) about: Html,
    pub(crate) operations: Vec<Operation>,
    pub(crate) events: Vec<Event>,
    pub(crate) objects: Vec<Object>,
}

/// An object with a name, described once.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) name: String,
    pub(crate) about: Html,
    pub(crate) fields: Vec<Field>,
}

/// All chapters, in the order of the document.
pub(crate) fn of(document: &Document) -> Vec<Chapter> {
    let mut chapters: Vec<Chapter> = document
        .tags
        .iter()
        .map(|tag| Chapter {
            slug: anchor(&tag.name),
            name: tag.name.clone(),
            about: Html::inline(&tag.description),
            operations: operations_of(document, &tag.name),
            events: events_of(document, &tag.name),
            objects: Vec::new(),
        })
        .collect();
    for (name, home) in homes(document, &chapters) {
        if let (Some(chapter), Some((_, schema))) =
            (chapters.get_mut(home), document.referred(&name))
        {
            chapter.objects.push(Object {
                about: Html::inline(&schema.description),
                fields: fields::of(document, schema),
                name,
            });
        }
    }
    chapters.into_iter().flat_map(bound).collect()
}

/// A chapter, and where its page would be too long to be read at once, others with its objects and with what one field of a body has.
fn bound(mut chapter: Chapter) -> Vec<Chapter> {
    let mut further = Vec::new();
    if chapter.objects.len() > OBJECTS_MAX {
        let objects = std::mem::take(&mut chapter.objects);
        let about = "What the operations of the chapter before answer with.";
        further.push(beside(&chapter, "objects", about, objects));
    }
    let long: Vec<Object> = chapter.operations.iter_mut().flat_map(long_fields).collect();
    for object in long {
        let field = object.name.rsplit('.').next().unwrap_or_default().to_owned();
        let about = "What a field of the chapter's operations takes.";
        further.push(beside(&chapter, &field, about, vec![object]));
    }
    std::iter::once(chapter).chain(further).collect()
}

/// A page of objects that belongs to a chapter.
fn beside(chapter: &Chapter, of_what: &str, about: &str, objects: Vec<Object>) -> Chapter {
    Chapter {
        slug: format!("{}-{}", chapter.slug, anchor(of_what)),
        name: format!("{} {of_what}", chapter.name),
        about: Html::inline(about),
        operations: Vec::new(),
        events: Vec::new(),
        objects,
    }
}

/// What those fields of an operation's body take that have very many fields. From now on they refer to it by its name.
fn long_fields(operation: &mut Operation) -> Vec<Object> {
    let is_long = |field: &&mut Field| field.shown_in.is_none() && field.count() > FIELDS_MAX;
    let long = operation.body.iter_mut().filter(is_long);
    let moved = long.map(|field| {
        let name = format!("{}.{}", operation.id, field.name);
        field.kind.words = String::new();
        field.kind.object = Some(name.clone());
        let fields = std::mem::take(&mut field.fields);
        Object { name, about: field.about.clone(), fields }
    });
    moved.collect()
}

/// The operations of a tag. What one shows is not shown again by those behind it.
fn operations_of(document: &Document, tag: &str) -> Vec<Operation> {
    let mut all = drawn(document, tag);
    for at in 1..all.len() {
        let (before, rest) = all.split_at_mut(at);
        let Some(operation) = rest.first_mut() else { break };
        for field in &mut operation.body {
            let is_same =
                |other: &&Operation| other.body.iter().any(|known| known.fields == field.fields);
            let shown = before.iter().find(is_same).filter(|_| !field.fields.is_empty());
            field.shown_in = shown.map(link);
        }
        for answer in operation.answers.iter_mut().filter(|answer| answer.example.is_some()) {
            let shows = |other: &&Operation| {
                other.answers.iter().any(|known| known.example == answer.example)
            };
            answer.shown_in = before.iter().find(shows).map(link);
        }
    }
    all
}

fn link(operation: &Operation) -> Link {
    Link { id: operation.id.clone(), title: operation.title.clone() }
}

/// Methods in the order in which they are met by whoever begins.
const METHODS: &[&str] = &["get", "post", "put", "patch", "delete"];

fn drawn(document: &Document, tag: &str) -> Vec<Operation> {
    let each = document.paths.iter().flat_map(|(path, methods)| {
        METHODS.iter().filter_map(move |method| Some((path, *method, methods.get(*method)?)))
    });
    each.filter(|(_, _, declared)| is_tagged(declared, tag))
        .map(|(path, method, declared)| operations::of(document, method, path, declared))
        .collect()
}

fn events_of(document: &Document, tag: &str) -> Vec<Event> {
    let each = document
        .webhooks
        .iter()
        .flat_map(|(name, methods)| methods.values().map(move |declared| (name, declared)));
    each.filter(|(_, declared)| is_tagged(declared, tag))
        .map(|(name, declared)| operations::event(document, name, declared))
        .collect()
}

fn is_tagged(declared: &Declared, tag: &str) -> bool {
    declared.tags.iter().any(|own| own == tag)
}

/// The chapter in which each object is described: the first whose operations answer with it, or else with something
/// that has it.
fn homes(document: &Document, chapters: &[Chapter]) -> BTreeMap<String, usize> {
    let mut homes = BTreeMap::new();
    let answered = chapters.iter().map(|chapter| {
        let answers = chapter.operations.iter().flat_map(|operation| &operation.answers);
        let names = answers.filter_map(|answer| match &answer.content {
            Shown::Object(name) | Shown::PageOf(name) => Some(name.clone()),
            Shown::Nothing | Shown::File(_) => None,
        });
        names.collect::<BTreeSet<_>>()
    });
    let answered: Vec<_> = answered.collect();
    for (home, names) in answered.iter().enumerate() {
        for name in names {
            homes.entry(name.clone()).or_insert(home);
        }
    }
    for (home, names) in answered.iter().enumerate() {
        let mut open: Vec<String> = names.iter().cloned().collect();
        while let Some(name) = open.pop() {
            let Some((_, schema)) = document.referred(&name) else { continue };
            for inner in named_within(document, schema) {
                if !homes.contains_key(&inner) {
                    homes.insert(inner.clone(), home);
                    open.push(inner);
                }
            }
        }
    }
    homes
}

/// The objects that the fields of one refer to.
fn named_within(document: &Document, object: &Schema) -> Vec<String> {
    let mut names = Vec::new();
    for schema in object.properties.values() {
        match fields::kind(document, schema).object {
            Some(name) => names.push(name),
            None => names.extend(named_within(document, schema)),
        }
    }
    names
}
