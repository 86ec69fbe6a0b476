//! What the panel says: typed functions, each with both languages side by side. One that lacks a language does not
//! compile.

use kernel::Language;

/// Says things in a language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Say(pub(crate) Language);

/// Declares texts, in English and in Spanish: `name: "…", "…";`, or with what is filled in
/// `name(count: u64): "{count} …", "{count} …";`.
macro_rules! texts {
    (@one $name:ident [] $english:literal, $spanish:literal) => {
        pub(crate) const fn $name(self) -> &'static str {
            match self.0 {
                kernel::Language::English => $english,
                kernel::Language::Spanish => $spanish,
            }
        }
    };
    (@one $name:ident [$($given:ident: $type:ty),+] $english:literal, $spanish:literal) => {
        pub(crate) fn $name(self, $($given: $type),+) -> String {
            match self.0 {
                kernel::Language::English => format!($english),
                kernel::Language::Spanish => format!($spanish),
            }
        }
    };
    ($($name:ident $(($($given:ident: $type:ty),+))?: $english:literal, $spanish:literal;)+) => {
        impl $crate::texts::Say {
            $(texts!(@one $name [$($($given: $type),+)?] $english, $spanish);)+
        }

        /// Every text of this part, in English and in Spanish.
        #[cfg(test)]
        pub(super) const PAIRS: &[(&str, &str)] = &[$(($english, $spanish),)+];
    };
}

mod audit;
mod bulk;
mod catalog;
mod imports;
mod invoices;
mod money;
mod people;
mod sales;
mod settings;
mod shell;
mod shop;
mod stock;
mod tools;
mod views;

pub(crate) use audit::action_name;

impl Say {
    /// The tag of the language (BCP 47).
    pub(crate) const fn tag(self) -> &'static str {
        match self.0 {
            Language::English => "en",
            Language::Spanish => "es-MX",
        }
    }

    /// Whether something is so, in a word.
    pub(crate) const fn whether(self, is_so: bool) -> &'static str {
        if is_so { self.ticked() } else { self.not_ticked() }
    }
}

/// A part that says something after something was done.
type Done = fn(Say, &str) -> Option<&'static str>;

/// The parts that say something after something was done.
#[rustfmt::skip]
const DONE: &[Done] = &[
    bulk::done,
    catalog::done,
    imports::done,
    invoices::done,
    money::done,
    people::done,
    sales::done,
    settings::done,
    shop::done,
    stock::done,
    tools::done,
    views::done,
];

/// What is said after something was done, by the word in the query that says so.
pub(crate) fn done(say: Say, word: &str) -> Option<&'static str> {
    DONE.iter().find_map(|part| part(say, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of every part, in English and in Spanish.
    #[rustfmt::skip]
    const PARTS: &[&[(&str, &str)]] = &[
        audit::PAIRS,
        bulk::PAIRS,
        catalog::PAIRS,
        imports::PAIRS,
        invoices::PAIRS,
        money::PAIRS,
        people::PAIRS,
        sales::PAIRS,
        settings::PAIRS,
        shell::PAIRS,
        shop::PAIRS,
        stock::PAIRS,
        tools::PAIRS,
        views::PAIRS,
    ];

    /// Words that are the same in both languages.
    const SAME: &[&str] = &[
        "Error",
        "Total",
        "Webhooks",
        "SKU",
        "EAN",
        "RFC",
        "URL",
        "Subtotal",
        "PDF",
        "XML",
        "SW sapien",
        "Finkok",
        "Folio",
        "no",
    ];

    fn names(text: &str) -> Vec<&str> {
        text.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect()
    }

    #[test]
    fn every_text_is_translated_and_fills_in_the_same() {
        let parts = PARTS.iter().copied();
        for (english, spanish) in parts.flatten() {
            assert!(english != spanish || SAME.contains(english), "{english}");
            let (mut left, mut right) = (names(english), names(spanish));
            left.sort_unstable();
            right.sort_unstable();
            assert_eq!(left, right, "{english}");
        }
    }
}
