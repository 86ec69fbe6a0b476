//! What an account is called in the addresses of its pages.

/// The most characters of a slug.
pub const SLUG_CHARS_MAX: usize = 40;
/// Words that pages of no account are found by.
const RESERVED: &[&str] = &[
    "account", "accounts", "admin", "api", "assets", "f", "health", "help", "invite", "login",
    "logout", "me", "new", "panel", "reset", "search", "setup", "sign-in", "sign-out", "static",
    "test", "webhooks",
];
/// The slug of a name without any letter or digit.
const NAMELESS: &str = "tienda";

/// The slug of a name: its letters without accents and its digits in small letters, with hyphens between words.
#[must_use]
pub fn of_name(name: &str) -> String {
    let mut slug = String::new();
    for c in kernel::text::folded(name).chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(SLUG_CHARS_MAX);
    let slug = slug.trim_end_matches('-');
    match slug {
        "" => NAMELESS.to_owned(),
        word if RESERVED.contains(&word) => format!("{NAMELESS}-{word}"),
        slug => slug.to_owned(),
    }
}

/// The slug of an account's test account.
#[must_use]
pub fn of_test_account(live: &str) -> String {
    format!("{live}-test")
}

/// The slugs that an account of this one may have, the best first: others may be taken.
pub fn candidates(slug: &str) -> impl Iterator<Item = String> {
    let numbered = (2_u32..).map({
        let slug = slug.to_owned();
        move |number| format!("{slug}-{number}")
    });
    std::iter::once(slug.to_owned()).chain(numbered)
}

/// Whether a text has the form of a slug.
#[must_use]
pub fn is_one(text: &str) -> bool {
    // With a number behind it, and that of a test account behind both.
    (1..=SLUG_CHARS_MAX + 20).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !RESERVED.contains(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_is_made_of_the_name() {
        for (name, slug) in [
            ("Abarrotes Lupita", "abarrotes-lupita"),
            ("  Niño & Cía., S.A. ", "nino-cia-s-a"),
            ("¡¿?!", "tienda"),
            ("Setup", "tienda-setup"),
        ] {
            assert_eq!(of_name(name), slug, "{name}");
            assert!(is_one(slug), "{slug}");
        }
        assert_eq!(of_name(&"x".repeat(90)), "x".repeat(SLUG_CHARS_MAX));
        let taken: Vec<_> = candidates("lupita").take(3).collect();
        assert_eq!(taken, ["lupita", "lupita-2", "lupita-3"]);
        for wrong in ["", "me", "A", "a b", "ñ"] {
            assert!(!is_one(wrong), "{wrong}");
        }
    }
}
