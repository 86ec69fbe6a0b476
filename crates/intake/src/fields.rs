//! The fields of one object or query, asked for one by one.

use std::{borrow::Cow, collections::BTreeSet};

use kernel::{FieldFault, Language, Message, message};

use crate::{
    Check, Faults, Given, Noun, Sketch, json, noun, query,
    quote::{nearest, quoted},
    sketch::{Schema, ValueKind},
};

/// A reader: asks for fields and makes a value of them, `None` when a fault keeps it from that.
pub type Read<T> = for<'a, 'b> fn(&'a mut Fields<'b>) -> Option<T>;

const FIELD: Noun = noun("field", "campo");
const PARAMETER: Noun = noun("parameter", "parámetro");

/// The most unknown fields of one object whose meaning is guessed at, for guessing takes time.
const HINTS_MAX: usize = 3;

/// The fields of one object or query. A reader asks for each by name; what goes wrong is gathered, and the
/// reader goes on with `None` until [`Fields::finish`] names all faults at once.
#[derive(Debug)]
pub struct Fields<'a> {
    /// What this is, e.g. `an order`.
    noun: Noun,
    /// What its parts are called.
    part: Noun,
    /// Where it was sent, for what is good there alone; empty if nobody says.
    address: &'a str,
    entries: Vec<Entry<'a>>,
    known: Vec<&'static str>,
    faults: Faults,
    /// Set when there is no input and the questions are written down instead.
    sketch: Option<Sketch>,
}

#[derive(Debug)]
struct Entry<'a> {
    name: Cow<'a, str>,
    value: Given<'a>,
    asked: bool,
}

#[expect(clippy::needless_pass_by_value, reason = "checks are made where they are used")]
impl<'a> Fields<'a> {
    /// The fields of a JSON object.
    ///
    /// # Errors
    /// A clause, when the text is not a JSON object.
    pub(crate) fn of_json(noun: Noun, text: &'a str) -> Result<Self, Message> {
        let members = json::members(text)?.into_iter();
        Ok(Self::new(noun, members.map(|(name, value)| (name, Given::Json(value)))))
    }

    /// The parameters of a query string.
    ///
    /// # Errors
    /// A clause, when the text is not a query string.
    pub fn of_query(noun: Noun, text: &'a str) -> Result<Self, Message> {
        let fields = Self::of_pairs(noun, text, query::PARAMETERS_MAX)?;
        Ok(Self { part: PARAMETER, ..fields })
    }

    /// Sent to this address.
    #[must_use]
    pub fn sent_to(self, address: &'a str) -> Self {
        Self { address, ..self }
    }

    /// Where it was sent; empty if nobody says.
    #[must_use]
    pub fn address(&self) -> &str {
        self.address
    }

    /// The fields of a url-encoded form.
    ///
    /// # Errors
    /// A clause, when the text is not one.
    pub(crate) fn of_urlencoded(noun: Noun, text: &'a str) -> Result<Self, Message> {
        Self::of_pairs(noun, text, query::FIELDS_MAX)
    }

    /// The fields of a url-encoded form that somebody has typed into.
    ///
    /// # Errors
    /// A clause, when the text is not one.
    pub fn of_typed(noun: Noun, text: &'a str) -> Result<Self, Message> {
        let pairs = query::parameters(text, query::FIELDS_MAX)?.into_iter();
        Ok(Self::new(noun, pairs.map(|(name, value)| (name, Given::Typed(value)))))
    }

    fn of_pairs(noun: Noun, text: &'a str, most: usize) -> Result<Self, Message> {
        let pairs = query::parameters(text, most)?.into_iter();
        Ok(Self::new(noun, pairs.map(|(name, value)| (name, Given::Text(value)))))
    }

    /// The texts of a form that came apart already.
    pub(crate) fn of_texts(noun: Noun, texts: Vec<(String, String)>) -> Self {
        let texts = texts.into_iter();
        Self::new(noun, texts.map(|(name, text)| (name.into(), Given::Text(text.into()))))
    }

    /// No input: what a reader asks for is written down.
    pub(crate) fn sketching(noun: Noun) -> Self {
        Self { sketch: Some(Sketch::default()), ..Self::new(noun, std::iter::empty()) }
    }

    fn new(noun: Noun, entries: impl Iterator<Item = (Cow<'a, str>, Given<'a>)>) -> Self {
        let entries = entries.map(|(name, value)| Entry { name, value, asked: false }).collect();
        let known = Vec::with_capacity(24);
        let (faults, address) = (Faults::new(), "");
        Self { noun, part: FIELD, address, entries, known, faults, sketch: None }
    }

    /// A field that must be there.
    pub fn required<C: Check>(&mut self, name: &'static str, check: C) -> Option<C::Value> {
        self.draw(name, |sketch| sketch.required(name, check.schema()));
        match self.take(name) {
            Some(value) if value.is_null() => self.refuse(name, null()),
            Some(value) => self.checked(name, check.check(&value)),
            None => self.missing(name),
        }
    }

    /// A field that must be there, and clears what is there if it is `null`.
    pub fn required_or_null<C: Check>(
        &mut self,
        name: &'static str,
        check: C,
    ) -> Option<Option<C::Value>> {
        self.draw(name, |sketch| {
            sketch.required(name, Schema { nullable: true, ..check.schema() });
        });
        match self.take(name) {
            Some(value) if value.is_null() => Some(None),
            Some(value) => self.checked(name, check.check(&value)).map(Some),
            None => self.missing(name),
        }
    }

    /// A field that must be there only if another one asks for it; absent and `null` mean the same otherwise.
    pub fn required_if<C: Check>(
        &mut self,
        is_needed: bool,
        name: &'static str,
        check: C,
    ) -> Option<Option<C::Value>> {
        self.draw(name, |sketch| sketch.nullable(name, check.schema()));
        match self.take(name) {
            Some(value) if !value.is_null() => self.checked(name, check.check(&value)).map(Some),
            Some(_) if is_needed => self.refuse(name, null()),
            None if is_needed => self.missing(name),
            _ => Some(None),
        }
    }

    /// A field that may be absent or `null`, which mean the same.
    pub fn optional<C: Check>(&mut self, name: &'static str, check: C) -> Option<C::Value> {
        self.patch(name, check).flatten()
    }

    /// A field that changes what is there: absent leaves it, `null` clears it.
    pub fn patch<C: Check>(&mut self, name: &'static str, check: C) -> Option<Option<C::Value>> {
        self.draw(name, |sketch| sketch.nullable(name, check.schema()));
        match self.take(name)? {
            value if value.is_null() => Some(None),
            value => self.checked(name, check.check(&value)).map(Some),
        }
    }

    /// A field that changes what is there and cannot be cleared: absent leaves it.
    pub fn change<C: Check>(&mut self, name: &'static str, check: C) -> Option<C::Value> {
        self.draw(name, |sketch| sketch.optional(name, check.schema()));
        match self.take(name)? {
            value if value.is_null() => self.refuse(name, null()),
            value => self.checked(name, check.check(&value)),
        }
    }

    /// Parameters of the form `name[key]`, by their keys; `shown` is what they are called where all are listed.
    pub fn entries<C: Check>(
        &mut self,
        name: &'static str,
        shown: &'static str,
        check: C,
    ) -> Vec<(String, C::Value)> {
        let value = check.schema();
        let about = value.about;
        let schema = Schema { about, ..ValueKind::Entries(Box::new(value)).into() };
        self.draw(name, |sketch| sketch.optional(name, schema));
        if let Some(known) = self.known.last_mut() {
            *known = shown;
        }
        let given = self.entries.iter().filter(|entry| !entry.asked);
        let keys = given.filter_map(|entry| {
            let key = entry.name.strip_prefix(name)?.strip_prefix('[')?.strip_suffix(']')?;
            (!key.is_empty()).then(|| key.to_owned())
        });
        let keys: BTreeSet<String> = keys.collect();
        let read = |key: String| {
            let parameter = format!("{name}[{key}]");
            let value = self.take(&parameter)?;
            let value = self.checked(&parameter, check.check(&value))?;
            Some((key, value))
        };
        keys.into_iter().filter_map(read).collect()
    }

    /// Whether the caller names a field, asked for already or not.
    pub fn gives(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.name == name)
    }

    /// Fields that the service sets itself. Whoever reads a body judges by [`ReadOnly`](crate::ReadOnly) what of
    /// them was sent.
    pub fn read_only(&mut self, names: &[&'static str]) {
        for name in names {
            drop(self.take(name));
        }
        if let Some(sketch) = &mut self.sketch {
            sketch.set_read_only(names);
        }
    }

    /// Fields that are empty at first and set by changes: accepted as long as they are `null`.
    pub fn not_yet(&mut self, names: &[&'static str]) {
        for name in names {
            if self.take(name).is_some_and(|value| !value.is_null()) {
                let Noun { english, spanish } = self.noun;
                self.refuse::<()>(
                    name,
                    message!(
                        "cannot be set while creating {english}",
                        "no se puede indicar al crear {spanish}"
                    ),
                );
            }
        }
    }

    /// States that a field is wrong for a reason that lies outside it; no name means the object as a whole.
    pub fn refuse<T>(&mut self, name: &str, problem: Message) -> Option<T> {
        self.faults.push(FieldFault::new(name, problem));
        None
    }

    /// What came of the reader, unless there were faults or fields that nobody asked for.
    ///
    /// # Errors
    /// All faults.
    pub fn finish<T>(mut self, value: Option<T>) -> Result<T, Faults> {
        let mut names = BTreeSet::new();
        let unknown = self.entries.iter().filter(|entry| !entry.asked);
        let unknown = unknown.filter(|entry| names.insert(&*entry.name)).enumerate();
        let unknown = unknown.map(|(index, entry)| {
            let meant = (index < HINTS_MAX).then(|| nearest(&entry.name, &self.known)).flatten();
            FieldFault::new(quoted(&entry.name), self.unknown(meant, index == 0))
        });
        self.faults.extend(unknown.collect::<Vec<_>>());
        match value {
            Some(value) if self.faults.is_empty() => Ok(value),
            _ => Err(self.faults),
        }
    }

    /// Why a name is none of this object's, and which was probably meant. The first one leads to those that there are.
    fn unknown(&self, meant: Option<&str>, is_first: bool) -> Message {
        Message::both(|language| {
            let (part, noun) = (self.part.in_language(language), self.noun.in_language(language));
            let (negation, question) = match language {
                Language::English => ("is not a", "did you mean"),
                Language::Spanish => ("no es un", "¿quiso decir"),
            };
            let of = match (language, noun.strip_prefix("el ")) {
                (Language::English, _) => format!("of {noun}"),
                (Language::Spanish, Some(noun)) => format!("del {noun}"),
                (Language::Spanish, None) => format!("de {noun}"),
            };
            let hint = meant.map_or_else(String::new, |it| format!(" ({question} \"{it}\"?)"));
            let is_listed = is_first && self.part == PARAMETER;
            let list = if is_listed { self.known(language) } else { String::new() };
            format!("{negation} {part} {of}{hint}{list}")
        })
    }

    /// The names that there are, behind a semicolon.
    fn known(&self, language: Language) -> String {
        let names = self.known.join(", ");
        match language {
            _ if names.is_empty() => String::new(),
            Language::English => format!("; there are {names}"),
            Language::Spanish => format!("; hay {names}"),
        }
    }

    /// What was written down.
    pub(crate) fn into_sketch(self) -> Sketch {
        self.sketch.unwrap_or_default()
    }

    fn draw(&mut self, name: &'static str, draw: impl FnOnce(&mut Sketch)) {
        self.known.push(name);
        if let Some(sketch) = &mut self.sketch {
            draw(sketch);
        }
    }

    /// A field that must be there is not, which is no fault of a sketch.
    fn missing<T>(&mut self, name: &str) -> Option<T> {
        if self.sketch.is_some() {
            return None;
        }
        self.refuse(name, message!("is required", "es obligatorio"))
    }

    /// The value of a field; a second one of the same name is a fault.
    fn take(&mut self, name: &str) -> Option<Given<'a>> {
        let mut entries =
            self.entries.iter_mut().filter(|entry| entry.name == name && !entry.asked);
        let first = entries.next()?;
        first.asked = true;
        let value = std::mem::replace(&mut first.value, Given::Text(Cow::Borrowed("")));
        let mut is_repeated = false;
        for again in entries {
            again.asked = true;
            is_repeated = true;
        }
        if is_repeated {
            self.faults.push(FieldFault::new(name, repeated()));
        }
        Some(value)
    }

    fn checked<T>(&mut self, name: &str, outcome: Result<T, Faults>) -> Option<T> {
        match outcome {
            Ok(value) => Some(value),
            Err(faults) => {
                let inside = faults
                    .into_iter()
                    .map(|fault| FieldFault::new(format!("{name}{}", fault.field), fault.problem));
                self.faults.extend(inside);
                None
            }
        }
    }
}

/// What is said of a name that is there twice.
pub(crate) fn repeated() -> Message {
    message!("is given more than once", "se indica más de una vez")
}

fn null() -> Message {
    message!("must not be null", "no debe ser null")
}
