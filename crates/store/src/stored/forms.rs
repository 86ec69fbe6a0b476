//! Forms: how values of the domains are written as JSON and read again.
//!
//! A form lists the fields of a type of another crate (serde's `remote`) and is checked against it by the
//! compiler. Where a field's own type has a form, `with` names it; texts, numbers and the words of `kernel`
//! (identifiers, amounts, currencies, moments) have one spelling everywhere.

use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};

/// How values of one type are written and read.
pub(super) trait Form {
    /// The type.
    type Of;

    fn serialize<S: Serializer>(value: &Self::Of, serializer: S) -> Result<S::Ok, S::Error>;

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Of, D::Error>;
}

/// Makes [`Form`]s of the functions that serde derives for types of other crates.
macro_rules! forms {
    ($($form:ident of $of:ty),+ $(,)?) => {$(
        impl $crate::stored::forms::Form for $form {
            type Of = $of;

            fn serialize<S: serde::Serializer>(value: &$of, serializer: S) -> Result<S::Ok, S::Error> {
                $form::serialize(value, serializer)
            }

            fn deserialize<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<$of, D::Error> {
                $form::deserialize(deserializer)
            }
        }
    )+};
}
pub(super) use forms;

/// A list.
pub(super) struct Each<F>(PhantomData<F>);
/// What may be absent.
pub(super) struct Maybe<F>(PhantomData<F>);
/// What lies on the heap.
pub(super) struct Boxed<F>(PhantomData<F>);
/// What has but one spelling: that of its own type.
pub(super) struct Own<T>(PhantomData<T>);

struct Written<'a, F: Form>(&'a F::Of);

impl<F: Form> Serialize for Written<'_, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        F::serialize(self.0, serializer)
    }
}

struct Read<F: Form>(F::Of);

impl<'de, F: Form> Deserialize<'de> for Read<F> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        F::deserialize(deserializer).map(Self)
    }
}

impl<F: Form> Form for Each<F> {
    type Of = Vec<F::Of>;

    fn serialize<S: Serializer>(values: &Vec<F::Of>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(Written::<F>))
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<F::Of>, D::Error> {
        let values = Vec::<Read<F>>::deserialize(deserializer)?;
        Ok(values.into_iter().map(|value| value.0).collect())
    }
}

impl<F: Form> Form for Maybe<F> {
    type Of = Option<F::Of>;

    fn serialize<S: Serializer>(value: &Option<F::Of>, serializer: S) -> Result<S::Ok, S::Error> {
        value.as_ref().map(Written::<F>).serialize(serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<F::Of>, D::Error> {
        Ok(Option::<Read<F>>::deserialize(deserializer)?.map(|value| value.0))
    }
}

impl<F: Form> Form for Boxed<F> {
    type Of = Box<F::Of>;

    fn serialize<S: Serializer>(value: &Box<F::Of>, serializer: S) -> Result<S::Ok, S::Error> {
        F::serialize(value, serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<F::Of>, D::Error> {
        F::deserialize(deserializer).map(Box::new)
    }
}

impl<T: Serialize + DeserializeOwned> Form for Own<T> {
    type Of = T;

    fn serialize<S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

/// Writes a value in its form.
pub(super) fn to_json<F: Form>(value: &F::Of) -> serde_json::Result<String> {
    serde_json::to_string(&Written::<F>(value))
}

/// Reads a value that was written in this form.
pub(super) fn from_json<F: Form>(text: &str) -> serde_json::Result<F::Of> {
    serde_json::from_str::<Read<F>>(text).map(|value| value.0)
}
