//! People who sign in to the panel.

use kernel::{Language, Message, Timestamp};

pub use kernel::UserId;

/// The most characters of a user's name.
pub const USER_NAME_CHARS_MAX: usize = 100;

/// How the panel looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the user's device is set.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// Every theme.
    pub const EVERY: &'static [Self] = &[Self::System, Self::Light, Self::Dark];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::EVERY.iter().copied().find(|one| one.name() == name)
    }
}

/// How much room lists take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Density {
    /// Room for fingers.
    #[default]
    Comfortable,
    /// As many rows as fit.
    Compact,
}

impl Density {
    /// Every density.
    pub const EVERY: &'static [Self] = &[Self::Comfortable, Self::Compact];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Comfortable => "comfortable",
            Self::Compact => "compact",
        }
    }

    /// The one of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::EVERY.iter().copied().find(|one| one.name() == name)
    }
}

/// Somebody who can sign in, whatever accounts they are a member of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct User {
    pub id: UserId,
    /// In lower case, unique over the installation.
    pub email: String,
    pub name: String,
    /// The language of the panel; that of the browser if absent.
    pub language: Option<Language>,
    pub theme: Theme,
    pub density: Density,
    /// Whether keys of the keyboard do something outside of fields.
    pub shortcuts: bool,
    /// Since when a code is asked for at sign-in, if it is.
    pub totp_since: Option<Timestamp>,
    /// How many recovery codes have not been used.
    pub recovery_codes_left: u32,
    pub password_changed_at: Timestamp,
    pub created_at: Timestamp,
}

/// What users change of themselves; what is absent stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in User")]
pub struct UserChanges {
    pub name: Option<String>,
    /// The inner one is absent for the language of the browser.
    pub language: Option<Option<Language>>,
    pub theme: Option<Theme>,
    pub density: Option<Density>,
    pub shortcuts: Option<bool>,
}

impl UserChanges {
    /// The user as changed.
    #[must_use]
    pub fn of(&self, user: &User) -> User {
        User {
            name: self.name.clone().unwrap_or_else(|| user.name.clone()),
            language: self.language.unwrap_or(user.language),
            theme: self.theme.unwrap_or(user.theme),
            density: self.density.unwrap_or(user.density),
            shortcuts: self.shortcuts.unwrap_or(user.shortcuts),
            ..user.clone()
        }
    }
}

/// The form in which addresses are kept and compared: people write the same one in small and in capital letters.
///
/// # Errors
/// A clause that follows the field's name.
pub fn email(text: &str) -> Result<String, Message> {
    kernel::text::deliverable_email(text).map(|address| address.to_ascii_lowercase())
}

/// The language with this tag.
#[must_use]
pub fn language(tag: &str) -> Option<Language> {
    Language::EVERY.into_iter().find(|language| language.tag() == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_however_it_is_written() {
        assert_eq!(email(" Ana.Ruiz@Example.COM ").unwrap(), "ana.ruiz@example.com");
        for wrong in ["", "ana", "ana@", "aña@example.com"] {
            assert!(email(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn names_are_read_back() {
        assert!(Theme::EVERY.iter().all(|one| Theme::parse(one.name()) == Some(*one)));
        assert!(Density::EVERY.iter().all(|one| Density::parse(one.name()) == Some(*one)));
        assert!(Language::EVERY.iter().all(|one| language(one.tag()) == Some(*one)));
    }
}
