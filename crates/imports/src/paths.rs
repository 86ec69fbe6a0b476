//! Categories in a cell, each with what it is a part of: `Hogar > Cocina > Tazas`.

use catalog::category::{CATEGORIES_OF_PRODUCT_MAX, CATEGORY_NAME_CHARS_MAX, DEPTH_MAX};

use crate::{Code, Dialect, markup::text_of_html, reader::line};

/// The names that lead to a category, from the top of the tree on.
pub type CategoryPath = Vec<String>;

/// The mark between a category and one that is directly in it.
const INSIDE: char = '>';
/// The mark between two categories of a product.
const BESIDE: char = '|';

/// The categories that a cell names, each once.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn paths(text: &str, dialect: Dialect) -> Result<Vec<CategoryPath>, Code> {
    let beside = match dialect {
        Dialect::Plain => Some(BESIDE),
        Dialect::WooCommerce | Dialect::Tiendanube => Some(','),
        Dialect::Shopify | Dialect::Loyverse => None,
    };
    let mut paths: Vec<CategoryPath> = Vec::new();
    for path in split(text, beside).into_iter().filter(|path| !path.trim().is_empty()) {
        let names = split(path, Some(INSIDE)).into_iter().map(|name| name_of(name, dialect));
        let names: CategoryPath = names.collect::<Result<_, _>>()?;
        if names.len() > DEPTH_MAX {
            return Err(Code::BadCategory);
        }
        if !paths.contains(&names) {
            paths.push(names);
        }
        // Each of them is looked for in the tree, and made there, before the product is judged.
        if paths.len() > CATEGORIES_OF_PRODUCT_MAX {
            return Err(Code::TooManyCategories);
        }
    }
    Ok(paths)
}

/// A path as a cell of a table has it.
pub(crate) fn written<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(escaped).collect::<Vec<_>>().join(" > ")
}

/// Several categories of a product in one cell.
pub(crate) fn beside(paths: &[String]) -> String {
    paths.join(" | ")
}

fn name_of(name: &str, dialect: Dialect) -> Result<String, Code> {
    let plain = unescaped(name);
    let plain = match dialect {
        Dialect::WooCommerce => text_of_html(&plain),
        Dialect::Plain | Dialect::Shopify | Dialect::Tiendanube | Dialect::Loyverse => plain,
    };
    if plain.trim().is_empty() {
        Err(Code::BadCategory)
    } else {
        line(&plain, CATEGORY_NAME_CHARS_MAX)
    }
}

const fn is_mark(c: char) -> bool {
    matches!(c, '\\' | INSIDE | BESIDE | ',')
}

/// The parts between marks that no backslash stands before.
fn split(text: &str, mark: Option<char>) -> Vec<&str> {
    let (mut parts, mut from, mut is_escaped) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        if is_escaped && is_mark(c) {
            is_escaped = false;
            continue;
        }
        is_escaped = c == '\\';
        if Some(c) == mark {
            parts.push(text.get(from..at).unwrap_or_default());
            from = at + c.len_utf8();
        }
    }
    parts.push(text.get(from..).unwrap_or_default());
    parts
}

/// A name without the backslashes before marks.
fn unescaped(name: &str) -> String {
    let (mut plain, mut chars) = (String::with_capacity(name.len()), name.chars().peekable());
    while let Some(c) = chars.next() {
        let next = chars.next_if(|next| c == '\\' && is_mark(*next));
        plain.push(next.unwrap_or(c));
    }
    plain
}

fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars() {
        if is_mark(c) && c != ',' {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(text: &str) -> Result<Vec<String>, Code> {
        let paths = paths(text, Dialect::Plain)?;
        Ok(paths.iter().map(|path| path.join("/")).collect())
    }

    #[test]
    fn categories_are_named_by_their_paths() {
        let cases: &[(&str, &[&str])] = &[
            ("Hogar", &["Hogar"]),
            (" Hogar >  Cocina ", &["Hogar/Cocina"]),
            ("Frutas, verduras", &["Frutas, verduras"]),
            ("Hogar > Cocina | Regalos|", &["Hogar/Cocina", "Regalos"]),
            ("Regalos | Regalos", &["Regalos"]),
            (r"a\>b > c\|d > C:\e\\", &["a>b/c|d/C:\\e\\"]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(plain(text).unwrap(), *expected, "{text:?}");
        }
        for wrong in ["> Cocina", "Hogar >", "Hogar >> Cocina", "1>2>3>4>5>6>7>8>9"] {
            assert_eq!(plain(wrong), Err(Code::BadCategory), "{wrong:?}");
        }
        assert_eq!(plain(&"x".repeat(101)), Err(Code::TooLong));
        let named = |count: usize| (0..count).map(|n| n.to_string()).collect::<Vec<_>>().join("|");
        assert_eq!(plain(&named(CATEGORIES_OF_PRODUCT_MAX)).unwrap().len(), 10);
        assert_eq!(plain(&named(2_000)), Err(Code::TooManyCategories));
    }

    #[test]
    fn shops_have_their_own_marks() {
        let woo = paths(r"Ropa, Ropa > Camisas &amp; m\, s", Dialect::WooCommerce).unwrap();
        assert_eq!(woo, [vec!["Ropa"], vec!["Ropa", "Camisas & m, s"]]);
        let shopify = paths("Apparel & Accessories > Clothing, other", Dialect::Shopify).unwrap();
        assert_eq!(shopify, [["Apparel & Accessories", "Clothing, other"]]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(names in prop::collection::vec("[a-c>|\\\\, ]{1,6}", 1..5), other in "[a-z|>\\\\]{1,5}") {
            let names: Vec<String> = names.iter().map(|name| name.trim().to_owned()).collect();
            prop_assume!(names.iter().all(|name| !name.is_empty()) && names != [other.clone()]);
            let cell = beside(&[written(names.iter().map(String::as_str)), written([other.as_str()])]);
            prop_assert_eq!(paths(&cell, Dialect::Plain).unwrap(), [names, vec![other]]);
        }
    }
}
