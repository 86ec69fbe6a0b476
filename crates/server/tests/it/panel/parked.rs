//! Forms that were not sent: kept for whoever filled them in, shown again, never carried out by themselves.

use accounts::{
    Role,
    parked::{PARKED_OF_ACTION_MAX, PARKED_SECONDS},
    session::{ENDED_SESSION_SECONDS, REAUTHENTICATION_SECONDS, SESSION_IDLE_SECONDS_MAX},
};
use testkit::{App, DatabaseKind, Reply, on_both};

use super::browser::{Browser, EMAIL, PASSWORD, hidden};

on_both!(
    a_form_parked_by_the_sessions_end,
    a_form_that_asks_for_the_password_first_is_kept,
    what_is_filled_in_is_kept_until_it_is_sent,
    a_form_is_shown_with_all_its_rows,
    a_form_with_more_rows_keeps_what_is_filled_in,
    a_form_that_is_only_looked_at_is_still_kept,
    nobody_else_is_shown_a_form,
    what_proves_nothing_is_not_kept,
    a_session_that_somebody_has_ended_is_believed_no_more,
    what_may_have_been_carried_out_is_not_offered_as_unsent,
    a_form_that_cannot_be_opened_keeps_nobody_from_its_page,
    secrets_are_not_kept,
    few_forms_are_kept_and_not_for_long,
    a_form_that_is_only_looked_at_stays_kept,
);

const DID: &str = "did=form.kept";
/// More than what a session lives without a request.
const IDLE: i64 = SESSION_IDLE_SECONDS_MAX + 1;

/// A form as its page shows it, of which only the text of `name` is filled in.
struct Form<'a> {
    browser: &'a Browser,
    /// Where it is sent.
    place: String,
    csrf: String,
    once: String,
}

impl<'a> Form<'a> {
    fn at(browser: &'a Browser, place: &str) -> Self {
        Self::shown(browser, place, place)
    }

    fn shown(browser: &'a Browser, page: &str, place: &str) -> Self {
        let html = browser.read(page);
        let of_form = html.split_once(&format!("action=\"{place}\"")).unwrap().1;
        let token = |name| hidden(of_form, name).unwrap();
        Self { browser, place: place.to_owned(), csrf: token("csrf"), once: token("once") }
    }

    fn send(&self, fields: &[(&str, &str)]) -> Reply {
        self.send_to(&self.place, fields)
    }

    fn send_to(&self, place: &str, fields: &[(&str, &str)]) -> Reply {
        self.browser.post(place, &self.with_tokens(fields))
    }

    fn with_tokens<'b>(&'b self, fields: &[(&'b str, &'b str)]) -> Vec<(&'b str, &'b str)> {
        let tokens = [("csrf", self.csrf.as_str()), ("once", self.once.as_str())];
        tokens.into_iter().chain(fields.iter().copied()).collect()
    }

    /// As the script of the page does while it is filled in.
    fn keep(&self, account: &str, fields: &[(&str, &str)]) -> Reply {
        let action = self.place.strip_prefix(account).unwrap().replace('/', "%2F");
        self.send_to(&format!("{account}forms?of={action}"), fields)
    }
}

fn location(reply: &Reply) -> String {
    assert_eq!(reply.status, 303, "{}", reply.text);
    reply.header("location").unwrap().to_owned()
}

/// Signs in at a door that somebody was led to, and says where that leads on.
fn enter(browser: &Browser, door: &str, email: &str) -> String {
    location(&browser.send(door, door, &[("email", email), ("password", PASSWORD)]))
}

/// How many forms a page offers.
fn offers(html: &str) -> usize {
    html.matches("/discard?page=").count()
}

/// Where the first one of them is shown as it was filled in.
fn restoring(html: &str) -> String {
    let link = html.split('"').find(|part| part.contains("?restore=")).unwrap();
    link.replace("&#38;", "&")
}

fn a_form_parked_by_the_sessions_end(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let (list, new) = (format!("{account}customers"), format!("{account}customers/new"));
    let form = Form::at(&browser, &new);
    app.advance_seconds(IDLE);
    let fields = [("name", "Xóchitl & <b>Hija</b>"), ("email", "x@shop.example")];
    let door = location(&form.send(&fields));
    assert!(door.starts_with("/panel/sign-in?to=") && door.ends_with(DID), "{door}");
    assert!(browser.read(&door).contains("role=\"status\""));
    let way_on = enter(&browser, &door, EMAIL);
    assert_eq!(way_on, format!("{new}?restore={}", form.once));
    // It was not carried out, neither by itself nor by being looked at.
    let shown = browser.read(&way_on);
    assert!(shown.contains("value=\"Xóchitl &#38; &#60;b&#62;Hija&#60;/b&#62;\""), "{shown}");
    assert!(!browser.read(&list).contains("Xóchitl"));
    let again = Form::shown(&browser, &way_on, &new);
    assert_eq!((&again.once, offers(&shown)), (&form.once, 1));
    // It is sent by hand, and however often that is, once.
    let sent = location(&again.send(&fields));
    assert!(sent.starts_with(&format!("{list}/cus_")), "{sent}");
    assert_eq!(location(&again.send(&fields)), sent);
    assert_eq!(browser.read(&list).matches("Xóchitl").count(), 1);
    assert_eq!(offers(&browser.read(&new)), 0);
    assert_eq!(offers(&browser.read(&way_on)), 0);
    // What was sent is not kept once more by what was still under way then.
    assert_eq!(again.keep(&account, &fields).status, 409);
    assert_eq!(offers(&browser.read(&new)), 0);
    // Only what was filled in counts.
    let form = Form::at(&browser, &new);
    app.advance_seconds(IDLE);
    assert!(!location(&form.send(&[("name", " "), ("version", "3")])).contains(DID));
    assert!(location(&form.send(&[("name", "Yolotl")])).ends_with(DID));
    let _ = enter(&browser, "/panel/sign-in", EMAIL);
    let offered = browser.read(&new);
    assert_eq!(offers(&offered), 1);
    assert!(browser.read(&restoring(&offered)).contains("value=\"Yolotl\""));
    // Long after the end it is not known any more whose session it was.
    let form = Form::at(&browser, &new);
    app.advance_seconds(SESSION_IDLE_SECONDS_MAX + ENDED_SESSION_SECONDS);
    app.housekeep();
    assert!(!location(&form.send(&[("name", "Zyanya")])).contains(DID));
}

/// Whoever ends one may do so because somebody else has it.
fn a_session_that_somebody_has_ended_is_believed_no_more(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let new = format!("{account}customers/new");
    let ends: [(&str, &[(&str, &str)]); 2] = [
        ("/panel/me/sessions/end-others", &[]),
        (
            "/panel/me/password",
            &[("password", PASSWORD), ("newPassword", "ocho caballos en la azotea")],
        ),
    ];
    for (end, fields) in ends {
        let other = Browser::new(&app);
        let _ = enter(&other, "/panel/sign-in", EMAIL);
        let form = Form::at(&other, &new);
        let page = if fields.is_empty() { "/panel/me" } else { end };
        let _ = location(&browser.send(page, end, fields));
        assert!(!location(&form.send(&[("name", "Eva")])).contains(DID), "{end}");
    }
    assert_eq!(app.database.lines("SELECT page AS line FROM parked_forms"), [""; 0]);
}

/// The form of an invoice is looked at while it is filled in, and a Constancia is read before anything is made of it.
fn a_form_that_is_only_looked_at_stays_kept(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let new = format!("{account}invoices/new");
    let form = Form::at(&browser, &new);
    let item = ("items[0].description", "Flete");
    assert_eq!(form.keep(&account, &[item]).status, 204);
    for looked_at in [("check", "true"), ("constancia", "RFC: URE180429TM6")] {
        let reply = form.send(&[item, looked_at]);
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert_eq!(offers(&browser.read(&new)), 1, "{looked_at:?}");
    }
}

fn what_may_have_been_carried_out_is_not_offered_as_unsent(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let new = format!("{account}customers/new");
    let form = Form::at(&browser, &new);
    assert_eq!(form.keep(&account, &[("name", "Ana")]).status, 204);
    // As where the answer to a form was lost, and with it what follows.
    app.database.execute(
        "INSERT INTO idempotency_answers (account_id, operation, key, digest, answer, created_at) \
         SELECT account_id, operation, once, '', '', created_at FROM parked_forms",
    );
    assert_eq!(offers(&browser.read(&new)), 0);
    app.database.execute("DELETE FROM idempotency_answers");
    assert_eq!(offers(&browser.read(&new)), 1);
    // After a day nobody knows, and its key protects from nothing.
    app.advance_seconds(86_401);
    let _ = enter(&browser, "/panel/sign-in", EMAIL);
    let way_on = restoring(&browser.read(&new));
    let shown = browser.read(&way_on);
    assert!(shown.contains("value=\"Ana\""), "{shown}");
    let again = Form::shown(&browser, &way_on, &new);
    assert_ne!(again.once, form.once);
    let replaces = hidden(&shown, "replaces").unwrap();
    assert_eq!(replaces, form.once);
    let wrong = again.send(&[("name", ""), ("replaces", &replaces)]);
    assert_eq!(wrong.status, 422);
    assert_eq!(hidden(&wrong.text, "replaces"), Some(form.once));
    let _ = location(&again.send(&[("name", "Ana"), ("replaces", &replaces)]));
    assert_eq!(offers(&browser.read(&new)), 0);
    // So it is with what is filled in further.
    let form = Form::at(&browser, &new);
    assert_eq!(form.keep(&account, &[("name", "Beto")]).status, 204);
    let further = [("name", "Beto R."), ("replaces", form.once.as_str())];
    assert_eq!(Form::at(&browser, &new).keep(&account, &further).status, 204);
    assert_eq!(offers(&browser.read(&new)), 1);
}

/// As after a restored backup, or where a master key was lost.
fn a_form_that_cannot_be_opened_keeps_nobody_from_its_page(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let new = format!("{account}customers/new");
    for name in ["Ana", "Beto"] {
        assert_eq!(Form::at(&browser, &new).keep(&account, &[("name", name)]).status, 204);
    }
    let first =
        "UPDATE parked_forms SET sealed = 'x' WHERE once = (SELECT MIN(once) FROM parked_forms)";
    app.database.execute(first);
    assert_eq!(offers(&browser.read(&new)), 1);
    app.database.execute("UPDATE parked_forms SET sealed = 'x'");
    assert_eq!(offers(&browser.read(&new)), 0);
}

fn a_form_that_asks_for_the_password_first_is_kept(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let invite = format!("{account}settings/team/invite");
    let form = Form::at(&browser, &invite);
    app.advance_seconds(REAUTHENTICATION_SECONDS + 1);
    let confirm = location(&form.send(&[("email", "beto@shop.example"), ("role", "sales")]));
    assert!(confirm.starts_with("/panel/me/confirm?to=") && confirm.ends_with(DID), "{confirm}");
    let way_on = location(&browser.send(&confirm, &confirm, &[("password", PASSWORD)]));
    let shown = browser.read(&way_on);
    assert!(shown.contains("value=\"beto@shop.example\""), "{shown}");
    assert!(shown.contains("<option value=\"sales\" selected>"), "{shown}");
    assert!(!browser.read(&format!("{account}settings/team")).contains("beto@"));
}

fn what_is_filled_in_is_kept_until_it_is_sent(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let new = format!("{account}customers/new");
    let form = Form::at(&browser, &new);
    assert!(
        browser.read(&new).contains(&format!("data-keep=\"{account}forms?of=customers%2Fnew\""))
    );
    assert_eq!(form.keep(&account, &[("name", "Ana")]).status, 204);
    assert_eq!(form.keep(&account, &[("name", "Ana María"), ("email", "")]).status, 204);
    let sealed = app.database.lines("SELECT sealed AS line FROM parked_forms");
    assert!(sealed.len() == 1 && !sealed[0].contains("Ana"), "{sealed:?}");
    let offered = browser.read(&new);
    assert_eq!(offers(&offered), 1);
    assert!(!offered.contains("Ana María"), "{offered}");
    let shown = browser.read(&restoring(&offered));
    assert!(shown.contains("value=\"Ana María\""), "{shown}");
    // Other pages offer theirs; what is wrong is still kept, what was sent is not.
    assert_eq!(offers(&browser.read(&format!("{account}customers"))), 0);
    assert_eq!(form.send(&[("name", "")]).status, 422);
    assert_eq!(offers(&browser.read(&new)), 1);
    let _ = location(&form.send(&[("name", "Ana María")]));
    assert_eq!(offers(&browser.read(&new)), 0);
    // So is what is discarded, as often as that is sent, and what is emptied again.
    for times in [1, 2] {
        let form = Form::at(&browser, &new);
        assert_eq!(form.keep(&account, &[("name", "Beto")]).status, 204);
        let offered = browser.read(&new);
        let discard = offered.split('"').find(|part| part.contains("/discard?page=")).unwrap();
        for _ in 0..times {
            let discarded = location(&form.send_to(discard, &[]));
            assert_eq!(discarded, format!("{new}?did=form.discarded"));
        }
        assert_eq!(offers(&browser.read(&new)), 0);
        assert_eq!(form.keep(&account, &[("name", "Beto")]).status, 204);
        assert_eq!(form.keep(&account, &[("name", " ")]).status, 204);
        assert_eq!(offers(&browser.read(&new)), 0);
    }
    // What is no form, or one that is not kept.
    for of in ["", "?of=customers", "?of=counts%2Fx%2Fscan", "?of=nothing", "?of=forms"] {
        assert_eq!(form.send_to(&format!("{account}forms{of}"), &[("name", "x")]).status, 404);
    }
}

fn a_form_is_shown_with_all_its_rows(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let new = format!("{account}orders/new");
    let form = Form::at(&browser, &new);
    let fields =
        [("customer", "Eva"), ("sku[9]", "TAZA-9"), ("quantity[9]", "3"), ("notes", "Hoy")];
    assert_eq!(form.keep(&account, &fields).status, 204);
    let way_on = restoring(&browser.read(&new));
    let shown = browser.read(&way_on);
    for part in ["value=\"Eva\"", "value=\"TAZA-9\"", "name=\"sku[9]\"", "Hoy</textarea>"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(Form::shown(&browser, &way_on, &new).once, form.once);
    let new = format!("{account}invoices/new");
    let form = Form::at(&browser, &new);
    let fields = [("items[11].description", "Flete"), ("receiver.rfc", "XAXX010101000")];
    assert_eq!(form.keep(&account, &fields).status, 204);
    let shown = browser.read(&restoring(&browser.read(&new)));
    assert!(shown.contains("value=\"Flete\"") && shown.contains("value=\"XAXX010101000\""));
    // Ticked at first, and not when it was kept.
    let tick = shown.split_once("name=\"taxIncluded\"").unwrap().1.split_once('>').unwrap().0;
    assert!(!tick.contains("checked"), "{tick}");
}

fn a_form_with_more_rows_keeps_what_is_filled_in(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    for (page, filled, first, rows, next) in [
        ("orders/new", "customer", "sku[0]", 5, "name=\"sku[9]\""),
        ("quotes/new", "title", "items[0].sku", 3, "name=\"items[7].sku\""),
        ("invoices/new", "receiver.legalName", "items[0].sku", 1, "name=\"items[5].sku\""),
    ] {
        let new = format!("{account}{page}");
        let form = Form::at(&browser, &new);
        let names = (0..rows).map(|row| first.replace('0', &row.to_string()));
        let names: Vec<String> = names.collect();
        let mut fields: Vec<_> = names.iter().map(|name| (name.as_str(), "")).collect();
        fields[0].1 = "TAZA";
        fields.push((filled, "Para Eva"));
        assert_eq!(form.keep(&account, &fields).status, 204, "{page}");
        fields.push(("more", "true"));
        let shown = form.send(&fields);
        assert_eq!(shown.status, 200, "{page}: {}", shown.text);
        for part in ["value=\"TAZA\"", next, form.once.as_str()] {
            assert!(shown.text.contains(part), "{page} {part}: {}", shown.text);
        }
        assert_eq!(offers(&browser.read(&new)), 1, "{page}");
    }
}

fn a_form_that_is_only_looked_at_is_still_kept(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let new = format!("{account}invoices/new");
    let form = Form::at(&browser, &new);
    let mut fields = vec![
        ("receiver.rfc", "XAXX010101000"),
        ("receiver.legalName", "PUBLICO EN GENERAL"),
        ("receiver.taxZip", "86991"),
        ("receiver.taxRegime", "616"),
        ("receiver.cfdiUse", "S01"),
        ("items[0].description", "Taza"),
        ("items[0].unitPrice", "58"),
    ];
    assert_eq!(form.keep(&account, &fields).status, 204);
    fields.push(("check", "true"));
    let judged = form.send(&fields);
    assert_eq!(judged.status, 200, "{}", judged.text);
    assert_eq!(offers(&browser.read(&new)), 1);
}

fn nobody_else_is_shown_a_form(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let beto = Browser::of_member(&app, Role::Admin);
    let new = format!("{account}customers/new");
    let form = Form::at(&browser, &new);
    app.advance_seconds(IDLE);
    let door = location(&form.send(&[("name", "Xóchitl")]));
    // In the same browser, and by the address of the form.
    let way_on = enter(&browser, &door, "admin@shop.example");
    assert!(way_on.contains("restore="), "{way_on}");
    let shown = browser.read(&way_on);
    assert!(!shown.contains("Xóchitl") && offers(&shown) == 0, "{shown}");
    // Nor can anybody else take it away or write over it.
    let other = Form { once: form.once.clone(), ..Form::at(&browser, &new) };
    let discard = format!("{account}forms/{}/discard?page=customers%2Fnew", form.once);
    let _ = location(&other.send_to(&discard, &[]));
    assert_eq!(other.keep(&account, &[("name", "Beto")]).status, 204);
    let _ = location(&beto.send(&door, &door, &[("email", EMAIL), ("password", PASSWORD)]));
    let offered = beto.read(&new);
    assert_eq!(offers(&offered), 1);
    assert!(beto.read(&restoring(&offered)).contains("value=\"Xóchitl\""));
}

fn what_proves_nothing_is_not_kept(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let new = format!("{account}customers/new");
    let form = Form::at(&browser, &new);
    let session = browser.cookies()["panel"].clone();
    // A session that was never anybody's beyond the code that it owes, or of nobody at all.
    let stranger = Browser::new(&app).csrf("/panel/sign-in");
    app.advance_seconds(IDLE);
    let origin = app.origin();
    let own = [("Origin", origin.as_str())];
    let foreign = [("Origin", "https://evil.example")];
    let cross = [("Origin", origin.as_str()), ("Sec-Fetch-Site", "cross-site")];
    let fields = form.with_tokens(&[("name", "Eva")]);
    let of_others = [("csrf", stranger.as_str()), ("once", form.once.as_str()), ("name", "Eva")];
    let cases = [
        (browser.post_with(&new, &fields, &foreign), "a foreign page"),
        (browser.post_with(&new, &fields, &cross), "another site"),
        (browser.post_with(&new, &fields, &[]), "no origin"),
        (browser.post_with(&new, &of_others, &own), "the token of another browser"),
        (browser.post_with(&new, &fields[1..], &own), "no token"),
    ];
    for (reply, case) in cases {
        let door = location(&reply);
        assert!(door.starts_with("/panel/sign-in?to=") && !door.contains(DID), "{case}: {door}");
    }
    let forged = |cookie: String| {
        let body = format!("csrf={}&once={}&name=Eva", form.csrf, form.once);
        let request = app.anonymous().request("POST", &new).header("Cookie", cookie);
        let request = request.header("Origin", origin.as_str()).body(body.into_bytes());
        location(&Reply::to(request.header("Content-Type", "application/x-www-form-urlencoded")))
    };
    assert!(!forged(format!("panel={}", "A".repeat(43))).contains(DID));
    assert!(!forged(format!("panel={}", &session[1..])).contains(DID));
    assert_eq!(app.database.lines("SELECT page AS line FROM parked_forms"), [""; 0]);
    assert!(forged(format!("panel={session}")).ends_with(DID));
    // Whoever may not send it has nothing kept: another account, a page that there is not.
    for place in ["/panel/nobody/customers/new".to_owned(), format!("{account}nothing/new")] {
        assert!(!location(&form.send_to(&place, &[("name", "Eva")])).contains(DID), "{place}");
    }
}

fn secrets_are_not_kept(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let provider = format!("{account}settings/invoicing/provider");
    let form = Form::at(&browser, &provider);
    let fields = [("user", "ana-pac"), ("password", "hunter2"), ("token", "t0k3n")];
    assert_eq!(form.keep(&account, &fields).status, 204);
    let shown = browser.read(&restoring(&browser.read(&provider)));
    assert!(shown.contains("value=\"ana-pac\""), "{shown}");
    assert!(!shown.contains("hunter2") && !shown.contains("t0k3n"), "{shown}");
    // Where no number of a card is taken, none is kept.
    let link = format!("{account}links/new");
    let form = Form::at(&browser, &link);
    let card = [("description", "Tarjeta 4111 1111 1111 1111")];
    assert_eq!(form.keep(&account, &card).status, 204);
    assert_eq!(offers(&browser.read(&link)), 0);
    app.advance_seconds(IDLE);
    assert!(!location(&form.send(&card)).contains(DID));
}

fn few_forms_are_kept_and_not_for_long(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let new = format!("{account}customers/new");
    let form = Form::at(&browser, &new);
    let once = |number: usize| format!("{number:032}");
    for number in 0..PARKED_OF_ACTION_MAX + 2 {
        let one = Form { once: once(number), csrf: form.csrf.clone(), ..Form::at(&browser, &new) };
        assert_eq!(one.keep(&account, &[("name", &format!("Ana {number}"))]).status, 204);
        app.advance_seconds(1);
    }
    let offered = browser.read(&new);
    assert_eq!(offers(&offered), PARKED_OF_ACTION_MAX);
    assert!(browser.read(&restoring(&offered)).contains("value=\"Ana 4\""), "{offered}");
    // A session that has ended displaces none of them.
    app.advance_seconds(IDLE);
    assert!(!location(&form.send(&[("name", "Otra")])).contains(DID));
    let last = Form { once: once(4), csrf: form.csrf.clone(), ..form };
    let door = location(&last.send(&[("name", "Ana 4, la misma")]));
    assert!(door.ends_with(DID), "{door}");
    let shown = browser.read(&enter(&browser, &door, EMAIL));
    assert!(shown.contains("value=\"Ana 4, la misma\""), "{shown}");
    app.advance_seconds(PARKED_SECONDS + 1);
    let _ = enter(&browser, "/panel/sign-in", EMAIL);
    assert_eq!(offers(&browser.read(&new)), 0);
    app.housekeep();
    assert_eq!(app.database.lines("SELECT page AS line FROM parked_forms"), [""; 0]);
}
