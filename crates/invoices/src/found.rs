//! What a search finds invoices by: the terms of their drafts, and the numbers that one word may be.
//!
//! Folio and UUID are no terms: they come with the stamp, when the terms have long been written, and have indexes of
//! their own.

use kernel::{search::Terms, text::letters_and_digits};

use crate::{Draft, Invoice, InvoiceId};

/// How much of what is sold is searched, in bytes: the descriptions of a hundred items or so. An index has room for a
/// megabyte of terms, and a word between signs is several of them.
const SOLD_BYTES_MAX: usize = 5_000;
/// The hexadecimal digits of a UUID.
const UUID_DIGITS: usize = 32;
/// The fewest digits by which a UUID is found: fewer are the beginning of too many, and of names.
pub const UUID_DIGITS_MIN: usize = 6;
/// The digits of a UUID before which there is a hyphen (RFC 9562, section 4).
const BEHIND_HYPHEN: [usize; 4] = [8, 12, 16, 20];
/// The most digits of a folio that a word is read as.
const FOLIO_DIGITS_MAX: usize = 18;

impl Invoice {
    /// The terms under which it is found: its receiver's name and RFC, its series, what was written about it, and what is
    /// sold. Only a change of the draft changes them.
    #[must_use]
    pub fn terms(&self) -> Terms {
        let draft = &self.draft;
        let receiver = &draft.receiver;
        Terms::default()
            .texts([receiver.legal_name.as_str(), &receiver.rfc, &draft.series])
            .texts(receiver.foreign_tax_id.as_deref())
            .texts(draft.payment_terms.as_deref())
            .texts(draft.notes.as_deref())
            .texts(sold(draft))
    }
}

/// Descriptions and numbers of what is sold, as many as are searched. Tickets of a global invoice tell nothing
/// but the number of their order, by which it is found without terms.
fn sold(draft: &Draft) -> impl Iterator<Item = &str> {
    let are_tickets = draft.global.is_some() && !draft.orders.is_empty();
    let items = draft.items.iter().filter(move |_| !are_tickets);
    let mut left = SOLD_BYTES_MAX;
    let texts = items.flat_map(|item| [Some(item.description.as_str()), item.sku.as_deref()]);
    texts.flatten().take_while(move |text| {
        let is_within = left > 0;
        left = left.saturating_sub(text.len());
        is_within
    })
}

/// A folio, in a series or in any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// The letters and digits of the series, folded; any series where there is none.
    series: Option<String>,
    /// The folio.
    pub folio: u64,
}

impl Numbered {
    /// Whether an invoice with this series and folio is meant.
    #[must_use]
    pub fn is(&self, series: &str, folio: u64) -> bool {
        folio == self.folio
            && self.series.as_ref().is_none_or(|it| *it == letters_and_digits(series))
    }
}

/// What a word means as a folio: `f-123` and `f123` are 123 in the series F, or 23 in F1; `123` is so in any series.
#[must_use]
pub fn numbers_in(word: &str) -> Vec<Numbered> {
    let digits = word.bytes().rev().take_while(u8::is_ascii_digit).count();
    let folios = (1..=digits.min(FOLIO_DIGITS_MAX)).filter_map(|length| {
        let (series, folio) = word.split_at_checked(word.len().checked_sub(length)?)?;
        let series = (!series.is_empty()).then(|| letters_and_digits(series));
        Some(Numbered { series, folio: folio.parse().ok()? })
    });
    folios.collect()
}

/// The UUID, or the beginning of one, that a word is with or without hyphens, in the form in which it is kept.
#[must_use]
pub fn uuid_in(word: &str) -> Option<String> {
    let digits: Vec<char> = word.to_ascii_uppercase().chars().filter(|c| *c != '-').collect();
    let is_hex = digits.iter().all(char::is_ascii_hexdigit);
    if !is_hex || !(UUID_DIGITS_MIN..=UUID_DIGITS).contains(&digits.len()) {
        return None;
    }
    let mut uuid = String::new();
    for (place, digit) in digits.into_iter().enumerate() {
        if BEHIND_HYPHEN.contains(&place) {
            uuid.push('-');
        }
        uuid.push(digit);
    }
    Some(uuid)
}

/// The identifier that a word is; a search folds its letters.
#[must_use]
pub fn id_in(word: &str) -> Option<InvoiceId> {
    let number = word.strip_prefix(InvoiceId::PREFIX)?;
    InvoiceId::parse(&format!("{}{}", InvoiceId::PREFIX, number.to_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_names_folios_with_and_without_their_series() {
        for (word, series, folio, is_named) in [
            ("f-123", "F", 123, true),
            ("f123", "F", 123, true),
            ("f123", "F-", 123, true),
            ("f123", "F1", 23, true),
            ("f-00123", "F", 123, true),
            ("123", "F", 123, true),
            ("123", "", 123, true),
            ("2026-7", "2026", 7, true),
            ("20267", "2026", 7, true),
            ("n-1", "Ñ", 1, true),
            ("f-123", "G", 123, false),
            ("f-12", "F", 123, false),
            ("123", "F", 1234, false),
            ("123", "F", 23, false),
            ("f", "F", 1, false),
            ("123f", "F", 123, false),
            ("99999999999999999999", "", u64::MAX, false),
        ] {
            let numbers = numbers_in(word);
            let named = numbers.iter().any(|number| number.is(series, folio));
            assert_eq!(named, is_named, "{word} and {series}, {folio}: {numbers:?}");
        }
    }

    #[test]
    fn a_uuid_is_read_in_any_spelling_from_its_beginning() {
        let uuid = "5D2A8F00-1B3C-4D5E-8F60-718293A4B5C6";
        let plain = uuid.replace('-', "").to_lowercase();
        for (word, wanted) in [
            (uuid, Some(uuid)),
            (plain.as_str(), Some(uuid)),
            ("5d2a8f", Some("5D2A8F")),
            ("5d2a8f00-", Some("5D2A8F00")),
            ("5d2a8f001", Some("5D2A8F00-1")),
            ("5d2a8", None),
            ("fachada", None),
            ("", None),
            (&format!("{plain}0"), None),
        ] {
            assert_eq!(uuid_in(word).as_deref(), wanted, "{word}");
        }
    }

    #[test]
    fn an_identifier_is_read_in_small_letters() {
        let id = InvoiceId::from_u128(1_234_567);
        assert_eq!(id_in(&id.to_string().to_lowercase()), Some(id));
        assert_eq!(id_in("inv_12"), None);
        assert_eq!(id_in("ord_00000000000000000000000001"), None);
    }
}
