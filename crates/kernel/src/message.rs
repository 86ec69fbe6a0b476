//! What callers are told, in the languages that they read.

use std::{borrow::Cow, fmt};

/// A language that messages are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    English,
    /// Spanish, as an accountant in Mexico writes it.
    Spanish,
}

impl Language {
    /// Every language.
    pub const EVERY: [Self; 2] = [Self::English, Self::Spanish];

    /// Its tag (BCP 47).
    #[must_use]
    pub const fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
        }
    }
}

/// One thing said in every language. [`Display`](fmt::Display) writes the English text, for logs and command
/// lines.
///
/// ```
/// let most = 3;
/// let message = kernel::message!("must have at most {most} items", "debe tener a lo más {most} partidas");
/// assert_eq!(message.to_string(), "must have at most 3 items");
/// assert_eq!(message.in_language(kernel::Language::Spanish), "debe tener a lo más 3 partidas");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    english: Cow<'static, str>,
    spanish: Cow<'static, str>,
}

impl Message {
    /// A text without anything to fill in.
    #[must_use]
    pub const fn fixed(english: &'static str, spanish: &'static str) -> Self {
        Self { english: Cow::Borrowed(english), spanish: Cow::Borrowed(spanish) }
    }

    /// A text with things filled in; [`message!`](crate::message!) is shorter.
    #[must_use]
    pub fn filled(english: fmt::Arguments<'_>, spanish: fmt::Arguments<'_>) -> Self {
        let text = |arguments: fmt::Arguments<'_>| match arguments.as_str() {
            Some(fixed) => Cow::Borrowed(fixed),
            None => Cow::Owned(arguments.to_string()),
        };
        Self { english: text(english), spanish: text(spanish) }
    }

    /// What `write` writes in each language.
    #[must_use]
    pub fn both(write: impl Fn(Language) -> String) -> Self {
        let [english, spanish] = Language::EVERY.map(|language| Cow::Owned(write(language)));
        Self { english, spanish }
    }

    /// The text in a language.
    #[must_use]
    pub fn in_language(&self, language: Language) -> &str {
        match language {
            Language::English => &self.english,
            Language::Spanish => &self.spanish,
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english)
    }
}

impl std::error::Error for Message {}

/// A [`Message`] of an English and a Spanish text; both take what stands between braces from the place where
/// they are written, or from the names given after them.
#[macro_export]
macro_rules! message {
    ($english:literal, $spanish:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::Message::filled(
            ::std::format_args!($english $(, $name = $value)*),
            ::std::format_args!($spanish $(, $name = $value)*),
        )
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_language_has_its_text() {
        let count = 2;
        let message = message!("{count} of {all}", "{count} de {all}", all = 1 + 2);
        assert_eq!(message.in_language(Language::English), "2 of 3");
        assert_eq!(message.in_language(Language::Spanish), "2 de 3");
        assert_eq!(message!("a", "b"), Message::fixed("a", "b"));
        let tags = Message::both(|language| language.tag().to_owned());
        assert_eq!(tags, Message::fixed("en", "es"));
    }
}
