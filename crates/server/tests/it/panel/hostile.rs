//! Generated over all pages of a shop whose every text is one that a browser must not take for more, which also tells texts of the
//! shop from those of the panel: these are never the same in both languages.

mod filled;

use std::collections::{BTreeMap, BTreeSet};

use accounts::Scope;
use panel::described;
use testkit::{App, DatabaseKind, on_both};

use super::{
    browser::{Browser, EMAIL},
    walk::{
        owned,
        paths::{self, Found},
    },
};
use crate::openapi::Shop;

on_both!(texts_of_people_are_text_on_every_page);

/// What is in each of them, and in nothing else.
const MARK: &str = "alert(1)";
const TAG: &str = "=<script>alert(1)</script>";
/// Texts as a database has them, by turns; those that begin like formulas are for spreadsheets.
const TEXTS: [&str; 3] = [TAG, "=\"><img src=x onerror=alert(1)>", "javascript:alert(1)"];
/// The second of them within JSON.
const WITHIN_JSON: &str = "\\\"><img src=x onerror=alert(1)>";

/// What people write, by table. No rule of the service makes all of it possible, and no page relies on a rule.
const WRITTEN: &[(&str, &[&str])] = &[
    ("accounts", &["name"]),
    ("activities", &["subject", "notes", "assignee_id"]),
    ("api_keys", &["name"]),
    ("approval_decisions", &["comment"]),
    ("approval_rules", &["name"]),
    ("approvals", &["reason"]),
    ("attempts", &["error"]),
    ("audit_entries", &["actor_name", "note"]),
    ("branches", &["name", "phone"]),
    ("categories", &["name"]),
    ("count_lines", &["counted_by"]),
    ("credit_entries", &["note"]),
    ("customer_groups", &["name"]),
    ("customers", &["name", "legal_name", "phone"]),
    ("deal_history", &["reason", "owner_id"]),
    ("deals", &["title", "owner_id", "lost_reason"]),
    ("import_errors", &["column_name", "value"]),
    ("issuer_certificates", &["legal_name"]),
    ("issuers", &["legal_name"]),
    ("leads", &["name", "company", "source", "owner_id", "notes", "phone"]),
    ("mails", &["subject"]),
    ("order_items", &["name"]),
    ("order_returns", &["reason"]),
    ("orders", &["carrier", "tracking_number", "cancel_reason", "notes"]),
    ("pipeline_stages", &["name"]),
    ("pipelines", &["name"]),
    ("price_lists", &["name"]),
    ("products", &["name", "description", "brand"]),
    ("quote_questions", &["name", "question"]),
    ("shipments", &["carrier", "tracking_number"]),
    ("stock_adjustments", &["note", "reference"]),
    ("stock_counts", &["note"]),
    // By its reference it is found what a receipt has moved.
    ("stock_movements", &["note"]),
    ("stock_receipts", &["supplier", "reference", "note"]),
    ("subscriptions", &["description"]),
    ("tasks", &["message"]),
    ("transfers", &["reference", "note"]),
    ("user_sessions", &["user_agent"]),
    ("users", &["name"]),
    ("variants", &["name"]),
    ("warehouses", &["name"]),
];
/// The same within documents: what the shop has there.
const WITHIN: &[(&str, &str, &str)] = &[
    ("quotes", "details", "Piñatas"),
    ("quotes", "details", "Piñata"),
    ("payment_links", "details", "A cup"),
    ("refunds", "details", "Broken"),
    ("invoices", "draft", "Taza"),
    ("invoices", "draft", "UNIVERSIDAD ROBOTICA ESPAÑOLA"),
    ("invoices", "document", "Taza"),
    ("invoices", "document", "UNIVERSIDAD ROBOTICA ESPAÑOLA"),
    ("withholdings", "document", "UNIVERSIDAD ROBOTICA ESPAÑOLA"),
    ("events", "body", "Piñata"),
    ("imports", "preview", "Taza"),
];

/// Words that are the same in both languages, what has no language, and what the shop has been given names for.
const SHARED: &[&str] = &[
    "ANA",
    "API",
    "CFDI",
    "CSD",
    "CSV",
    "Conekta",
    "Ctrl K",
    "EAN",
    "English",
    "Enter",
    "Error",
    "Esc",
    "Español",
    "Finkok",
    "Folio",
    "IVA",
    "Lead",
    "Leads",
    "Mercado Pago",
    "NC",
    "PAC",
    "PDF",
    "PHP",
    "PPD",
    "PUE",
    "Principal",
    "Python",
    "RFC",
    "Rust",
    "SANDBOX",
    "SAT",
    "SKU",
    "SPEI",
    "SW sapien",
    "Sandbox",
    "Stripe",
    "Subtotal",
    "Total",
    "Trastienda",
    "URL",
    "UUID",
    "Webhook",
    "Webhooks",
    "X-Request-ID",
    "XML",
    "No",
    "curl",
    "no",
    // What the audit keeps as it was.
    "test",
    "true",
];
/// Methods of requests.
const METHODS: &[&str] = &["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"];

/// A shop with one of everything, all of whose texts are hostile; a browser of its owner, and the path of its account.
fn hostile(kind: DatabaseKind) -> (App, Browser, String) {
    let app = App::start(kind);
    let _ = Shop::open(&app);
    let browser = Browser::new(&app);
    let account = owned(&app, &browser);
    let columns = WRITTEN
        .iter()
        .flat_map(|(table, columns)| columns.iter().map(move |column| (table, column)));
    let written = columns.zip(TEXTS.into_iter().cycle());
    let written =
        written.map(|((table, column), text)| format!("UPDATE {table} SET {column} = '{text}';"));
    let within = WITHIN.iter().map(|(table, column, before)| {
        let set = format!("{column} = REPLACE({column}, '{before}', '{WITHIN_JSON}')");
        format!("UPDATE {table} SET {set};")
    });
    let all: String = written.chain(within).collect();
    app.database.execute_all(&all);
    (app, browser, account)
}

fn texts_of_people_are_text_on_every_page(kind: DatabaseKind) {
    let (_app, browser, account) = hostile(kind);
    let found = paths::found(&browser, &account);
    let showing = showing(&found);
    assert!(showing >= 40, "{showing} of {} pages show texts", found.shown.len());
    assert_files_are_inert(&browser, &account, &found);
}

/// How many pages show what is hostile, none of which a browser takes for more than text.
fn showing(found: &Found) -> usize {
    let shows = |(page, html): (&&str, &String)| {
        assert_inert(page, html);
        html.contains(MARK)
    };
    found.html.iter().map(shows).filter(|shows| *shows).count()
}

fn assert_inert(page: &str, html: &str) {
    for markup in [
        "<script>alert",
        "<img src=x",
        "href=\"javascript:",
        "src=\"javascript:",
        "action=\"javascript:",
    ] {
        assert!(!html.contains(markup), "{page} has {markup}: {html}");
    }
}

/// Nothing that is no page runs anything, lists as tables neither.
fn assert_files_are_inert(browser: &Browser, account: &str, found: &Found) {
    const INERT: [&str; 7] = [
        "text/csv",
        "text/plain",
        "text/xml",
        "application/pdf",
        "application/xml",
        "application/zip",
        "image/png",
    ];
    assert!(!found.files.is_empty());
    let lists = described().into_iter().filter(|page| page.is_list);
    let lists = lists.map(|page| (page.path, format!("{account}{}.csv", page.path)));
    for (page, path) in found.files.iter().cloned().chain(lists) {
        let file = browser.get(&path);
        let kind = file.header("content-type").unwrap_or_default();
        assert!(INERT.iter().any(|inert| kind.starts_with(inert)), "{page} is {kind}");
        assert_eq!(file.header("x-content-type-options"), Some("nosniff"), "{page}");
        for active in ["/JavaScript", "/Launch"] {
            assert!(!kind.ends_with("/pdf") || !file.text.contains(active), "{page} has {active}");
        }
        if kind.starts_with("text/csv") {
            let mut table =
                csv::ReaderBuilder::new().flexible(true).from_reader(file.text.as_bytes());
            for row in table.records().map(Result::unwrap) {
                let is_formula = |cell: &str| cell.starts_with(['=', '@', '\t', '\r']);
                assert!(!row.iter().any(is_formula), "{page}: {row:?}");
            }
        }
    }
}

/// The texts that a page shows, and what it says to who does not see it.
fn texts(html: &str) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    let mut within: Option<&str> = None;
    for part in html.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        match within {
            Some(hidden) => {
                if tag.strip_prefix('/') == Some(hidden) {
                    within = None;
                }
            }
            None => within = UNREAD.iter().copied().find(|unread| *unread == name),
        }
        if within.is_some() {
            continue;
        }
        for attribute in ["aria-label", "title", "placeholder"] {
            let named = tag.split_once(&format!(" {attribute}=\"")).map(|(_, rest)| rest);
            texts.extend(named.and_then(|rest| rest.split('"').next()).map(str::to_owned));
        }
        texts.insert(text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    texts
}

/// What is no text of anybody's language: code, samples, what is typed.
const UNREAD: &[&str] = &["code", "pre", "script", "style", "textarea", "title"];

/// Whether a text has no language: a code, an address, an amount, a name of SAT's catalogs behind its code.
fn is_neutral(text: &str) -> bool {
    let has_digit = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    let mut words = text.split(' ');
    let first = words.next().unwrap_or_default();
    let is_code = |word: &str| has_digit(word) || word.contains(['_', '.', '/', '@', ':', '…']);
    let is_of_catalog =
        has_digit(first) && first.len() <= 4 || cfdi::catalogs::countries::find(first).is_some();
    let is_plain = |word: &str| {
        let letters: String = word.chars().filter(|c| c.is_alphabetic()).collect();
        is_code(word)
            || letters.len() <= 1
            || ["MXN", "USD", "UTC", "KiB"].contains(&letters.as_str())
            || METHODS.contains(&word)
            // As keys have them.
            || Scope::EVERY.iter().any(|scope| scope.name() == word)
    };
    is_of_catalog || text.split(' ').all(is_plain)
}

#[test]
fn no_page_says_the_same_in_both_languages() {
    let (app, browser, account) = hostile(DatabaseKind::Sqlite);
    let found = paths::found(&browser, &account);
    let spanish: BTreeMap<_, _> =
        found.html.iter().map(|(page, html)| (*page, texts(html))).collect();
    let fields = [("name", TAG), ("language", "en"), ("theme", "light")];
    let saved = browser.send("/panel/me", "/panel/me", &fields);
    assert_eq!(saved.status, 303, "{}", saved.text);
    let read = |(page, path): &(&'static str, String)| {
        let reply = browser.get(path);
        (*page, if reply.status == 200 { texts(&reply.text) } else { BTreeSet::new() })
    };
    // Before somebody has signed in, their browser says it.
    let shown = found.shown.iter().filter(|(page, _)| !page.starts_with("sign-in"));
    let english: BTreeMap<_, _> = shown.map(read).collect();
    // What stands in the way of jobs is told as it was written down.
    let told = app.database.lines("SELECT COALESCE(outcome, '') AS line FROM tasks");
    let kept = ["before", "after"].map(|held| {
        let lines = format!("SELECT COALESCE({held}, '{{}}') AS line FROM audit_entries");
        app.database.lines(&lines)
    });
    let kept = kept.concat().into_iter().flat_map(|fields| {
        let fields: BTreeMap<String, String> = serde_json::from_str(&fields).unwrap();
        fields.into_values()
    });
    let kept: BTreeSet<String> = kept.collect();
    let mut same: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (page, texts) in &english {
        for text in texts.intersection(&spanish[page]) {
            let is_of_shop = text.contains(MARK) || text.contains(EMAIL) || told.contains(text);
            let is_kept = kept.contains(text.as_str());
            let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
            if !is_of_shop && !is_kept && !is_neutral(text) && !SHARED.contains(&bare) {
                same.entry(text).or_default().push(page);
            }
        }
    }
    assert!(same.is_empty(), "{same:#?}");
}
