//! Finding a page of each declaration by the links of others.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use panel::{Described, described};
use testkit::Reply;

use super::super::browser::Browser;

/// How many links to one kind of page are tried: of some orders there is nothing to be shipped.
const TRIES: usize = 30;
/// Not pages, or reached by what is sent to people.
const ELSEWHERE: &[&str] =
    &["assets/{file}", "setup/{token}", "reset/{token}", "sign-in/{token}", "invite/{token}"];

/// What there is to be seen.
pub(in super::super) struct Found {
    /// What a page is declared as, and the path of one of them.
    pub(in super::super) shown: Vec<(&'static str, String)>,
    /// The same of those that are no pages of HTML.
    pub(in super::super) files: Vec<(&'static str, String)>,
    /// Declared pages about something that are not found.
    pub(in super::super) missing: Vec<&'static str>,
    /// The HTML of each of those that are shown.
    pub(in super::super) html: BTreeMap<&'static str, String>,
}

/// Follows links from all pages that need no name of anything.
pub(in super::super) fn found(browser: &Browser, account: &str) -> Found {
    let mut pages: Vec<Described> = described().into_iter().filter(|page| !page.is_post).collect();
    // `orders/new` is not an order.
    pages.sort_by_key(|page| page.path.matches('{').count());
    pages.retain(|page| !ELSEWHERE.contains(&page.path));
    let named = pages.iter().filter(|page| !page.path.contains('{'));
    let mut ahead: VecDeque<String> =
        named.map(|page| format!("{}{}", base(page, account), page.path)).collect();
    let mut shown: BTreeMap<&'static str, String> = BTreeMap::new();
    let mut files: BTreeMap<&'static str, String> = BTreeMap::new();
    let mut html = BTreeMap::new();
    let (mut seen, mut tries) = (BTreeSet::new(), BTreeMap::<&str, usize>::new());
    while let Some(path) = ahead.pop_front() {
        let Some(page) = pages.iter().find(|page| is_one(page, account, &path)) else { continue };
        let tried = tries.entry(page.path).or_default();
        // Once it is known, others of its kind are looked at for what they alone lead to.
        let is_known = |path: &str| shown.contains_key(path) || files.contains_key(path);
        let mut below = pages.iter().filter(|other| is_below(other, page));
        let is_done = is_known(page.path) && below.all(|other| is_known(other.path));
        if is_done || *tried >= TRIES || !seen.insert(path.clone()) {
            continue;
        }
        *tried += 1;
        let (path, reply) = opened(browser, path);
        assert!(reply.status < 500 && reply.status != 429, "{path}: {}", reply.text);
        if reply.status != 200 {
            continue;
        }
        if reply.header("content-type").is_some_and(|kind| kind.starts_with("text/html")) {
            ahead.extend(links(&reply.text));
            html.entry(page.path).or_insert(reply.text);
            shown.entry(page.path).or_insert(path);
        } else {
            files.entry(page.path).or_insert(path);
        }
    }
    // What the shop has come to with nothing: of one that is known, whatever its state.
    for page in pages.iter().filter(|page| page.path.contains('{')) {
        if let Some(path) = beside(page, account, &shown)
            && !shown.contains_key(page.path)
            && !files.contains_key(page.path)
        {
            let (path, reply) = opened(browser, path);
            if reply.status == 200 {
                html.insert(page.path, reply.text);
                shown.insert(page.path, path);
            }
        }
    }
    let about_something = pages.iter().map(|page| page.path).filter(|path| path.contains('{'));
    let missing = about_something
        .filter(|path| !shown.contains_key(path) && !files.contains_key(path))
        .collect();
    let (shown, files) = (shown.into_iter().collect(), files.into_iter().collect());
    Found { shown, files, missing, html }
}

/// What is at a path; a page about what is chosen of a list is asked about all of it.
fn opened(browser: &Browser, path: String) -> (String, Reply) {
    let reply = browser.get(&path);
    if reply.status != 422 || path.contains('?') {
        return (path, reply);
    }
    let all = format!("{path}?which=all");
    let reply = browser.get(&all);
    (all, reply)
}

/// Whether a page is about a part of what another one is about, or about one of those that it lists.
fn is_below(page: &Described, other: &Described) -> bool {
    page.right.is_some() == other.right.is_some()
        && page.path.strip_prefix(other.path).is_some_and(|rest| rest.starts_with('/'))
}

/// A path of a page about something of which another page is known.
fn beside(
    page: &Described,
    account: &str,
    shown: &BTreeMap<&'static str, String>,
) -> Option<String> {
    let (about, rest) = page.path.split_at(page.path.rfind('}')? + 1);
    let is_about = |known: &str| {
        known.strip_prefix(about).is_some_and(|end| end.is_empty() || end.starts_with('/'))
    };
    let (_, path) = shown.iter().find(|(known, _)| is_about(known))?;
    let base = base(page, account);
    let path = path.split('?').next()?.strip_prefix(base)?;
    let parts: Vec<&str> = path.split('/').take(about.split('/').count()).collect();
    Some(format!("{base}{}{rest}", parts.join("/")))
}

/// Where the links of a page lead.
pub(in super::super) fn links(html: &str) -> Vec<String> {
    let parts = html.split(" href=\"").skip(1).filter_map(|part| part.split_once('"'));
    let pages = parts.map(|(link, _)| link.replace("&#38;", "&").replace("&amp;", "&"));
    pages.map(|link| link.split('#').next().unwrap_or_default().to_owned()).collect()
}

fn base<'a>(page: &Described, account: &'a str) -> &'a str {
    if page.right.is_some() { account } else { "/panel/" }
}

/// Whether a page is of this declaration.
pub(in super::super) fn is_one(page: &Described, account: &str, path: &str) -> bool {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let Some(rest) = path.strip_prefix(base(page, account)) else { return false };
    // What lies below an account is none of the pages without one.
    let is_of_another = page.right.is_none() && path.starts_with(account);
    let (declared, asked) = (page.path.split('/'), rest.split('/'));
    !is_of_another
        && declared.clone().count() == asked.clone().count()
        && declared
            .zip(asked)
            .all(|(name, part)| if name.starts_with('{') { !part.is_empty() } else { name == part })
}
