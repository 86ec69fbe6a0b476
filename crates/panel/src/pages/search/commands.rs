//! What can be done from anywhere, by the words that it is called.

use kernel::text::folded;

use crate::{
    call::{Call, Member},
    page::{Method, Opens},
    parts::Link,
    router::{self, Found},
    texts::Say,
};

/// A path, and what the page there is called.
type Named = (&'static str, fn(Say) -> &'static str);

/// Pages that begin something, beside those that the navigation lists.
const BEGINNINGS: &[Named] = &[
    ("orders/new", Say::new_order),
    ("customers/new", Say::new_customer),
    ("deals/new", Say::new_deal),
    ("invoices/new", Say::new_invoice),
    ("links/new", Say::new_link),
    ("products/new", Say::new_product),
    ("stock/adjust", Say::adjust_stock),
    ("transfers/new", Say::new_transfer),
    ("receipts/new", Say::new_receipt),
    ("counts/new", Say::new_count),
    ("warehouses/new", Say::new_warehouse),
    ("imports/products/new", Say::new_import),
    ("settings/invoicing/certificates/new", Say::add_certificate),
    ("settings/api-keys/new", Say::new_api_key),
    ("settings/team/invite", Say::invite_title),
];
/// Pages of whoever has signed in.
const OWN: &[Named] =
    &[("/panel/me", Say::me), ("/panel/me/keys", Say::keys), ("/panel", Say::accounts)];

/// The pages that the member may open whose names have these words; all of them where there are none.
pub(super) fn called(call: &Call<Member>, text: &str) -> Vec<Link> {
    let say = call.say();
    let beginnings = BEGINNINGS.iter().map(|(path, label)| (*path, label(say)));
    let listed = call.panel.inside.iter().filter_map(|page| {
        let nav = page.nav?;
        Some((page.path, (nav.label)(say)))
    });
    let own = OWN.iter().map(|(path, label)| Link::new(label(say), *path));
    let pages = beginnings.chain(listed).filter(|(path, _)| opens(call, path));
    let pages = pages.map(|(path, label)| Link::new(label, call.href(path)));
    pages.chain(own).filter(|link| are_in(text, &link.label)).collect()
}

/// Whether the member may read the page at a path.
pub(in crate::pages) fn opens(call: &Call<Member>, path: &str) -> bool {
    match router::find(&call.panel.inside, Method::Get, path) {
        Found::Page(page, _) => matches!(page.opens, Opens::Member(right, _) if call.may(right)),
        Found::OtherMethod | Found::Nothing => false,
    }
}

/// Whether every word of a text begins a word of a label.
fn are_in(text: &str, label: &str) -> bool {
    let label = folded(label);
    let begins = |word: &str| label.split(' ').any(|other| other.starts_with(word));
    folded(text).split(' ').all(|word| word.is_empty() || begins(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    #[test]
    fn what_can_be_begun_has_its_page() {
        let pages = pages::inside();
        for (path, _) in BEGINNINGS {
            let found = router::find(&pages, Method::Get, path);
            assert!(matches!(found, Found::Page(page, _) if page.path == *path), "{path}");
        }
        let outside = pages::outside();
        for (path, _) in OWN {
            let path = path.strip_prefix("/panel").unwrap().trim_start_matches('/');
            let found = router::find(&outside, Method::Get, path);
            assert!(matches!(found, Found::Page(page, _) if page.path == path), "{path}");
        }
    }

    #[test]
    fn a_command_is_found_by_the_beginnings_of_its_words() {
        for (text, label, is_found) in [
            ("nuevo ped", "Nuevo pedido", true),
            ("ped", "Nuevo pedido", true),
            ("edido", "Nuevo pedido", false),
            ("NUEVA", "Nueva oportunidad", true),
            ("fact", "Facturación", true),
            ("facturacion", "Facturación", true),
            ("", "Pedidos", true),
        ] {
            assert_eq!(are_in(text, label), is_found, "{text}");
        }
    }
}
