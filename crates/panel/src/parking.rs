//! Forms that were not sent with success: kept for whoever filled them in, offered again at their page, never sent by
//! themselves, and kept no longer once they are sent.

use std::collections::BTreeSet;

use accounts::{ParkError, ParkForm, ParkedForm, Right, UserId, parked::PARKED_QUERY_BYTES_MAX};
use kernel::{AccountId, Refused};
use payments::card_data;

use crate::{
    Services,
    call::{Call, Member, operation},
    failure::Failure,
    form::{Sent, Values, is_secret},
    format::moment,
    list::encoded,
    page::{Method, Opens, Page},
    reply::{answered, stopped},
    router::{self, Found},
};

/// The parameter of a page that says which form is to be filled in as it was.
pub(crate) const RESTORE: &str = "restore";
/// Where forms are kept while they are filled in, below the account's own path.
pub(crate) const PATH: &str = "forms";
/// What is no content of a form by itself.
const VERSION: &str = "version";

/// A form that may be kept.
pub(crate) struct Place<'a> {
    /// The page that it is sent to.
    pub(crate) sent: &'a Page,
    /// Who may send it.
    pub(crate) right: Right,
    /// The path that it is sent to, below the account's own.
    action: String,
    /// The path of the page that shows it.
    pub(crate) shown: String,
}

/// The form that is sent to a path below the account's own, if it may be kept.
pub(crate) fn place<'a>(pages: &'a [Page], action: &str) -> Option<Place<'a>> {
    let Found::Page(sent, _) = router::find(pages, Method::Post, action) else { return None };
    let Opens::Member(right, _) = &sent.opens else { return None };
    let shown = router::shown_at(pages, action).filter(|_| !sent.is_fleeting)?;
    Some(Place { sent, right: *right, action: action.to_owned(), shown })
}

/// The declared paths of the pages that show forms which may be kept.
pub(crate) fn shown_by(pages: &[Page]) -> BTreeSet<&'static str> {
    let kept = pages.iter().filter(|page| page.method == Method::Post && !page.is_fleeting);
    kept.filter_map(|page| router::showing(pages, page.path)).collect()
}

/// What is kept of a form, if anything was filled in. Secrets and files never are, nor what holds the number of a card where
/// none is taken.
pub(crate) fn form(
    place: &Place<'_>,
    sent: &Sent,
    query: String,
    displaces: bool,
) -> Option<ParkForm> {
    let values = sent.values();
    let counts =
        |(name, text): (&str, &str)| name != VERSION && !is_secret(name) && !text.trim().is_empty();
    let is_refused = place.sent.is_card_free && sent.texts().any(card_data::is_in);
    if is_refused || !values.pairs().any(counts) {
        return None;
    }
    Some(ParkForm {
        once: sent.once.clone()?,
        page: place.shown.clone(),
        query,
        action: place.action.clone(),
        operation: operation(place.sent.path),
        fields: values.without_secrets(),
        displaces,
    })
}

/// The query that the page at a path was shown with, as the browser says where a form comes from; without what passes.
pub(crate) fn query(referrer: &str, path: &str) -> String {
    let target = referrer.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
    let target = target.map_or("", |(_, target)| target.split('#').next().unwrap_or_default());
    let Some((from, query)) = target.split_once('?') else { return String::new() };
    let is_plain = query.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let is_short = query.len() <= PARKED_QUERY_BYTES_MAX;
    if Some(from) != path.strip_prefix('/') || !is_plain || !is_short || query.contains("//") {
        return String::new();
    }
    let stays = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default();
        !pair.is_empty() && name != RESTORE && name != "did"
    };
    query.split('&').filter(stays).collect::<Vec<_>>().join("&")
}

/// Where a form is shown as it was filled in. `base` is the path of the account.
pub(crate) fn link(base: &str, page: &str, query: &str, once: &str) -> String {
    let before = if query.is_empty() { String::new() } else { format!("{query}&") };
    format!("{base}{page}?{before}{RESTORE}={once}")
}

/// Keeps a form, or says why not.
pub(crate) async fn keep(
    services: &Services,
    (account, user): (AccountId, UserId),
    form: ParkForm,
    now: kernel::Timestamp,
) -> Result<Result<(), ParkError>, Failure> {
    match services.parked_forms.park(account, user, form, now).await {
        Some(Ok(_)) => Ok(Ok(())),
        Some(Err(Refused::Fault(fault))) => Err(fault.into()),
        Some(Err(Refused::Rule(error))) => Ok(Err(error)),
        Some(Err(_)) => Err(Failure::Unavailable("a form is not kept".to_owned())),
        None => Err(stopped()),
    }
}

/// Keeps a form no longer.
pub(crate) async fn forget(
    services: &Services,
    (account, user): (AccountId, UserId),
    once: String,
) -> Result<(), Failure> {
    let forms = &services.parked_forms;
    // Most were never kept, and looking is cheaper than writing.
    if answered(forms.is_parked(account, user, once.clone())).await? {
        drop(forms.unpark(account, user, once).await);
    }
    Ok(())
}

/// What is known of kept forms where a page is shown.
#[derive(Default)]
pub(crate) struct Kept {
    /// The path of the account, if the page is of one.
    pub(crate) base: Option<String>,
    /// Those of the page.
    pub(crate) offers: Vec<Offer>,
    /// The one that is shown as it was filled in.
    pub(crate) restored: Option<Restored>,
}

/// A form of the page, which may be filled in again as it was.
pub(crate) struct Offer {
    pub(crate) once: String,
    page: String,
    query: String,
    /// When it was last filled in.
    pub(crate) at: String,
    /// Whether it is known not to have been carried out.
    pub(crate) is_sure: bool,
}

/// A form that is shown as it was filled in.
pub(crate) struct Restored {
    /// What it is called among those that are kept.
    pub(crate) once: String,
    /// Whether, sent under that key, it still has but the effect of the first time.
    pub(crate) is_sure: bool,
    /// The path that it is sent to.
    action: String,
    pub(crate) values: Values,
}

impl Kept {
    /// Where the form that is sent to a path is kept while it is filled in, if it may be.
    pub(crate) fn place(&self, pages: &[Page], action: &str) -> Option<String> {
        let rest = action.strip_prefix(self.base.as_deref()?)?;
        place(pages, rest)?;
        Some(format!("{}{PATH}?of={}", self.base.as_deref()?, encoded(rest)))
    }

    /// What the form that is sent to a path is filled in with again.
    pub(crate) fn restored(&self, action: &str) -> Option<&Restored> {
        self.restored.as_ref().filter(|restored| restored.action == action)
    }

    /// Where a kept form is shown as it was filled in.
    pub(crate) fn restoring(&self, offer: &Offer) -> String {
        let base = self.base.as_deref().unwrap_or_default();
        link(base, &offer.page, &offer.query, &offer.once)
    }

    /// Where one is kept no longer.
    pub(crate) fn discarding(&self, offer: &Offer) -> String {
        let base = self.base.as_deref().unwrap_or_default();
        format!("{base}{PATH}/{}/discard?page={}", offer.once, encoded(&offer.page))
    }
}

/// Looks for forms of the page that is shown, at a path below the account's own.
pub(crate) async fn find(call: &mut Call<Member>, path: &str) -> Result<(), Failure> {
    if !call.panel.showing_forms.contains(call.page) {
        return Ok(());
    }
    let (account, user) = (call.account(), call.who.person.0.user.id);
    let forms = call.services().parked_forms.parked(account, user, path.to_owned(), call.now());
    let forms = answered(forms).await?;
    if forms.is_empty() {
        return Ok(());
    }
    let zone = call.zone();
    let wanted = call.query.get(RESTORE).map(str::to_owned);
    let base = call.href("");
    for form in forms {
        let ParkedForm { once, page, query, action, fields, updated_at, is_sure, .. } = form;
        if wanted.as_ref() == Some(&once) {
            let values = Sent::of(&fields).values().clone();
            let action = format!("{base}{action}");
            let once = once.clone();
            call.kept.restored = Some(Restored { once, is_sure, action, values });
        }
        let at = moment(updated_at, zone, call.language).text;
        call.kept.offers.push(Offer { once, page, query, at, is_sure });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages;

    const ONCE: &str = "AbCdEfGhIjKlMnOpQrStUvWxYz012-_9";

    fn kept(action: &str, body: &str) -> Option<String> {
        let pages = pages::inside();
        let place = place(&pages, action)?;
        let sent = Sent::of(&format!("csrf=x&once={ONCE}&{body}"));
        form(&place, &sent, String::new(), true)
            .map(|form| format!("{} {}", form.page, form.fields))
    }

    #[test]
    fn what_was_filled_in_is_kept_without_secrets() {
        for (action, body, expected) in [
            ("customers/new", "name=Ana&email=", Some("customers/new name=Ana&email=")),
            // Shown above the path that it is sent to.
            ("payments/p1/sync", "note=x", Some("payments/p1 note=x")),
            ("settings/invoicing/provider", "token=abc", None),
            (
                "settings/invoicing/provider",
                "user=ana&password=x",
                Some("settings/invoicing/provider user=ana"),
            ),
            // Nothing was filled in.
            ("customers/new", "name=+&version=3", None),
            ("links/new", "description=4111-1111+1111+1111", None),
            ("orders/bulk/ship", "id%5Bord_1%5D=true", None),
            ("forms", "name=Ana", None),
            ("nothing/here", "name=Ana", None),
        ] {
            assert_eq!(kept(action, body).as_deref(), expected, "{action} {body}");
        }
        let place = place(&pages::inside(), "customers/new").map(|place| place.shown);
        assert_eq!(place.as_deref(), Some("customers/new"));
    }

    #[test]
    fn the_query_of_the_page_is_kept_without_what_passes() {
        let path = "/panel/x/invoices/new";
        for (referrer, expected) in [
            ("http://h:1/panel/x/invoices/new?order=o1&did=a&restore=b&rows=9", "order=o1&rows=9"),
            ("http://h:1/panel/x/invoices/new?order=o1#there", "order=o1"),
            ("http://h:1/panel/x/invoices/new", ""),
            ("http://h:1/panel/x/orders?order=o1", ""),
            ("http://h:1/panel/x/invoices/new?to=//evil", ""),
            ("", ""),
        ] {
            assert_eq!(query(referrer, path), expected, "{referrer}");
        }
        assert_eq!(link("/panel/x/", "invoices/new", "a=1", "b"), format!("{path}?a=1&restore=b"));
    }
}
