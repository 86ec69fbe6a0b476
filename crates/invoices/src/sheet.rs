//! How an account's invoices are printed.

use cfdi::{
    document::{Document, FOREIGNER},
    withholding::Withholding,
};
use kernel::{Language, Message, Timestamp, message};
use serde::{Deserialize, Serialize};

use crate::Branch;

/// The most lines of a postal address.
pub const ADDRESS_LINES_MAX: usize = 4;
/// The most characters of a line of an address.
pub const ADDRESS_CHARS_MAX: usize = 120;
/// The most characters of the address of a website.
pub const WEBSITE_CHARS_MAX: usize = 120;
/// The most characters at the foot of a page.
pub const FOOTER_CHARS_MAX: usize = 160;

/// How an account's invoices are printed, and what is said of the issuer on them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SheetSettings {
    /// The colour of titles and of the total, as `#RRGGBB`; the usual one where none is set.
    pub accent: Option<String>,
    /// Where the logo stands.
    pub logo_place: LogoPlace,
    /// What the items leave out.
    pub hidden: Vec<ItemDetail>,
    /// The issuer's postal address, line by line.
    pub address: Vec<String>,
    /// The issuer's telephone number.
    pub phone: Option<String>,
    /// The issuer's email address.
    pub email: Option<String>,
    /// The address of the issuer's website.
    pub website: Option<String>,
    /// One line at the foot of every page.
    pub footer: Option<String>,
    /// Whether what goes to foreigners is in Spanish all the same.
    pub spanish_abroad: bool,
    /// When it was last changed; none if it never was.
    pub updated_at: Option<Timestamp>,
    /// Counts its changes.
    pub version: i64,
}

/// Where the logo stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogoPlace {
    /// With the issuer's name.
    #[default]
    Left,
    /// Above everything.
    Center,
    /// Above the document's title.
    Right,
}

/// What the items may leave out; article 29-A of the CFF does not ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ItemDetail {
    /// The issuer's own number of the item.
    Sku,
    /// What SAT's catalog calls the unit.
    UnitName,
    /// What SAT's catalog calls the product key.
    ProductName,
    /// What SAT's catalog calls the code of the tax object.
    TaxObjectName,
    /// Each tax of each item; their sums stay.
    Taxes,
}

/// A colour as `#RRGGBB`, in capitals.
///
/// # Errors
/// A clause that follows the field's name.
pub fn checked_color(text: &str) -> Result<String, Message> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    match digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit())) {
        true => Ok(text.to_ascii_uppercase()),
        false => Err(message!(
            "must be a colour such as \"#1F4E79\"",
            "debe ser un color, como \"#1F4E79\""
        )),
    }
}

impl LogoPlace {
    /// Every place.
    pub const EVERY: &'static [Self] = &[Self::Left, Self::Center, Self::Right];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Center => "center",
            Self::Right => "right",
        }
    }
}

impl ItemDetail {
    /// Every detail.
    pub const EVERY: &'static [Self] =
        &[Self::Sku, Self::UnitName, Self::ProductName, Self::TaxObjectName, Self::Taxes];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sku => "sku",
            Self::UnitName => "unitName",
            Self::ProductName => "productName",
            Self::TaxObjectName => "taxObjectName",
            Self::Taxes => "taxes",
        }
    }
}

impl SheetSettings {
    /// These settings over the ones before.
    #[must_use]
    pub fn over(self, before: &Self, now: Timestamp) -> Self {
        Self { updated_at: Some(now), version: before.version + 1, ..self }
    }

    /// These settings for what is issued at a branch, which has an address and a telephone number of its own: a taxpayer
    /// with several places states the one that issues (CFF, article 29-A, I).
    #[must_use]
    pub fn at(&self, branch: Option<&Branch>) -> Self {
        let mut here = self.clone();
        if let Some(branch) = branch {
            if !branch.address.is_empty() {
                here.address.clone_from(&branch.address);
            }
            here.phone = branch.phone.clone().or(here.phone);
        }
        here
    }

    /// The language of a document that is printed: that of a receiver without an RFC is English.
    #[must_use]
    pub fn language(&self, document: &Document) -> Language {
        self.language_for(document.receiver.rfc == FOREIGNER)
    }

    /// The language of a withholding that is printed: that of a receiver abroad is English.
    #[must_use]
    pub fn language_of_withholding(&self, withholding: &Withholding) -> Language {
        self.language_for(withholding.receiver.is_foreign())
    }

    const fn language_for(&self, is_foreign: bool) -> Language {
        if is_foreign && !self.spanish_abroad { Language::English } else { Language::Spanish }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_abroad_is_in_english_unless_spanish_is_wanted() {
        for (is_foreign, spanish_abroad, language) in [
            (false, false, Language::Spanish),
            (false, true, Language::Spanish),
            (true, false, Language::English),
            (true, true, Language::Spanish),
        ] {
            let settings = SheetSettings { spanish_abroad, ..SheetSettings::default() };
            assert_eq!(settings.language_for(is_foreign), language);
        }
    }
}
