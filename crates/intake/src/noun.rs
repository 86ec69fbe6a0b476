//! What things are called in messages.

use kernel::Language;

/// A thing with its article, such as `an order` and `un pedido`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noun {
    /// In English.
    pub english: &'static str,
    /// In Spanish.
    pub spanish: &'static str,
}

/// A thing in English and in Spanish.
#[must_use]
pub const fn noun(english: &'static str, spanish: &'static str) -> Noun {
    Noun { english, spanish }
}

impl Noun {
    /// The word in a language.
    #[must_use]
    pub const fn in_language(self, language: Language) -> &'static str {
        match language {
            Language::English => self.english,
            Language::Spanish => self.spanish,
        }
    }
}
