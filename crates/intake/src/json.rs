//! The fields of one JSON object, in order, repeats and all.

use std::{borrow::Cow, fmt};

use kernel::{Message, message};
use serde::{
    Deserialize, Deserializer,
    de::{Error as _, MapAccess, Visitor},
};
use serde_json::{error::Category, value::RawValue};

/// The most fields of one object. More than any resource has; the search for repeats is quadratic.
const FIELDS_MAX: usize = 100;

/// A field name and its value.
pub type Member<'a> = (Cow<'a, str>, &'a RawValue);

/// Splits an object into its fields without looking into them.
///
/// # Errors
/// A clause about the text as a whole.
pub fn members(text: &str) -> Result<Vec<Member<'_>>, Message> {
    serde_json::from_str::<Members<'_>>(text).map(|members| members.0).map_err(|error| match error
        .classify()
    {
        Category::Data if text.starts_with('{') => {
            message!(
                "must have at most {FIELDS_MAX} fields",
                "debe tener a lo más {FIELDS_MAX} campos"
            )
        }
        Category::Data => message!("must be a JSON object", "debe ser un objeto JSON"),
        Category::Eof => {
            message!("is cut off: its JSON does not end", "está incompleto: su JSON no termina")
        }
        // Programs of Windows put one before what they write as UTF-8.
        Category::Syntax if text.starts_with('\u{feff}') => {
            message!(
                "begins with a byte order mark (BOM); send it without",
                "comienza con una marca de orden de bytes (BOM); envíelo sin ella"
            )
        }
        Category::Syntax | Category::Io => {
            message!(
                "is not valid JSON at line {line}, column {column}",
                "no es JSON válido en la línea {line}, columna {column}",
                line = error.line(),
                column = error.column()
            )
        }
    })
}

struct Members<'a>(Vec<Member<'a>>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::with_capacity(16);
                while let Some((Name(name), value)) = map.next_entry()? {
                    if members.len() == FIELDS_MAX {
                        return Err(A::Error::custom("too many fields"));
                    }
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// A name, borrowed from the text unless it is written with escapes.
struct Name<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}
