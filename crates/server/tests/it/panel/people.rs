//! Signing up, in and out; the team.

use accounts::{Accounts, slug};
use testkit::{App, DatabaseKind, on_both};

use super::browser::{Browser, EMAIL, PASSWORD, copied};

on_both!(
    the_first_user_signs_up_by_the_link_once,
    who_signs_in_goes_on_to_where_they_wanted,
    a_wrong_password_is_told_without_saying_what_is_wrong,
    who_signs_out_is_out,
    somebody_is_invited_and_does_what_their_role_may,
    what_makes_an_owner_is_for_who_invites_alone,
    the_log_of_a_test_account_says_where_the_rest_is,
    what_is_written_is_shown_as_text,
    who_confirms_goes_on_to_a_page_that_can_be_read,
    who_signs_in_anew_ends_the_session_before,
    failed_attempts_make_the_next_wait,
    requests_have_a_name_in_the_log,
    pages_tell_members_how_long_they_took,
);

fn the_first_user_signs_up_by_the_link_once(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account, link) = Browser::signed_up(&app);
    let home = browser.read(&account);
    assert!(home.contains("Flores del Sur") && home.contains("lang=\"es-MX\""), "{home}");
    let cookies = browser.cookies();
    assert!(cookies.contains_key("panel"), "{cookies:?}");
    let reply = browser.get(&account);
    let policy = reply.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    assert!(!home.contains("style=") && !home.contains("<script>"), "{home}");
    // The link was used, and others were never made.
    let made_up = "/panel/setup/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    for over in [link.as_str(), made_up] {
        assert_eq!(Browser::new(&app).get(over).status, 404, "{over}");
    }
    let second = Browser::new(&app);
    let csrf = second.csrf("/panel/sign-in");
    let fields = [("csrf", csrf.as_str()), ("name", "Eva"), ("email", "eva@shop.example")];
    let fields = fields.into_iter().chain([("password", PASSWORD)]).collect::<Vec<_>>();
    assert_eq!(second.post(&link, &fields).status, 404);
    let style = home
        .split_once("rel=\"stylesheet\" href=\"")
        .unwrap()
        .1
        .split_once('"')
        .unwrap()
        .0
        .to_owned();
    let style = Browser::new(&app).get(&style);
    assert_eq!(style.status, 200);
    assert!(style.header("cache-control").unwrap().contains("immutable"));
    assert_eq!(style.header("set-cookie"), None);
}

fn who_signs_in_goes_on_to_where_they_wanted(kind: DatabaseKind) {
    let app = App::start(kind);
    let (_, account) = Browser::of_owner(&app);
    let browser = Browser::new(&app);
    let wanted = format!("{account}orders?status=paid");
    let asked = browser.get(&wanted);
    assert_eq!(asked.status, 303);
    let door = asked.header("location").unwrap().to_owned();
    assert!(door.starts_with("/panel/sign-in?to=%2Fpanel%2F"), "{door}");
    let fields = [("email", EMAIL), ("password", PASSWORD)];
    let entered = browser.send(&door, &door, &fields);
    assert_eq!((entered.status, entered.header("location")), (303, Some(wanted.as_str())));
    let _ = browser.read(&wanted);
    // Nobody is led away to another host.
    let away = "/panel/sign-in?to=https%3A%2F%2Fevil.example%2Fpanel";
    let other = Browser::new(&app);
    let entered = other.send("/panel/sign-in", away, &fields);
    assert_eq!(entered.header("location"), Some("/panel"));
}

fn a_wrong_password_is_told_without_saying_what_is_wrong(kind: DatabaseKind) {
    let app = App::start(kind);
    let _ = Browser::of_owner(&app);
    let browser = Browser::new(&app);
    let page = "/panel/sign-in";
    let wrong = browser.send(page, page, &[("email", EMAIL), ("password", "not this one at all")]);
    let unknown =
        browser.send(page, page, &[("email", "beto@shop.example"), ("password", PASSWORD)]);
    for reply in [&wrong, &unknown] {
        assert_eq!(reply.status, 422, "{}", reply.text);
        assert!(reply.text.contains("role=\"alert\"") && reply.text.contains("<title>Error: "));
        assert!(!reply.text.contains("not this one") && !reply.text.contains(PASSWORD));
    }
    assert!(wrong.text.contains(EMAIL));
    assert!(!browser.cookies().contains_key("panel"));
    let empty = browser.send(page, page, &[("email", ""), ("password", "")]);
    assert_eq!(empty.status, 422);
    assert!(
        empty.text.contains("id=\"email-fault\"") && empty.text.contains("id=\"password-fault\"")
    );
}

fn who_signs_out_is_out(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let session = browser.cookies()["panel"].clone();
    let out = browser.send(&account, "/panel/sign-out", &[]);
    assert_eq!(out.status, 303);
    assert!(!browser.cookies().contains_key("panel"));
    assert_eq!(browser.get(&account).status, 303);
    // Whoever has kept the cookie is out, too.
    let thief = Browser::new(&app);
    let reply = testkit::Reply::to(
        app.anonymous().request("GET", &account).header("Cookie", format!("panel={session}")),
    );
    assert_eq!(reply.status, 303);
    assert_eq!(thief.get("/panel/me").status, 303);
}

fn somebody_is_invited_and_does_what_their_role_may(kind: DatabaseKind) {
    let app = App::start(kind);
    let (owner, account) = Browser::of_owner(&app);
    let page = format!("{account}settings/team/invite");
    let invited =
        owner.send(&page, &page, &[("email", "beto@shop.example"), ("role", "warehouse")]);
    assert_eq!(invited.status, 200, "{}", invited.text);
    let link = copied(&invited.text, "link").replace(&app.origin(), "");
    let mail = format!("{account}settings/mail");
    let kept = owner.read(&mail);
    assert!(kept.contains("beto@shop.example") && !kept.contains(&link), "{kept}");
    let place = kept.split('"').find(|part| part.contains("/settings/mail/mal_")).unwrap();
    assert!(owner.read(place).contains(&link));
    assert_eq!(owner.send(place, &format!("{place}/forget"), &[]).status, 303);
    let general = format!("{account}settings/general");
    assert_eq!(owner.send(&general, &general, &[("name", "Flores del Norte")]).status, 303);
    let beto = Browser::new(&app);
    assert!(beto.read(&link).contains("beto@shop.example"));
    let joined = beto.send(&link, &link, &[("name", "Beto"), ("password", PASSWORD)]);
    assert_eq!(joined.status, 303, "{}", joined.text);
    let home = beto.read(&account);
    assert!(
        home.contains(&format!("{account}products")) && !home.contains("settings/team"),
        "{home}"
    );
    assert_eq!(beto.get(&format!("{account}settings/team")).status, 403);
    assert_eq!(Browser::new(&app).get(&link).status, 404);
    // The owner sees him, makes him a salesman, and removes him.
    let team = format!("{account}settings/team");
    let shown = owner.read(&team);
    let place = shown.split('"').rfind(|part| part.ends_with("/role")).unwrap().to_owned();
    let changed = owner.send(&place, &place, &[("role", "sales")]);
    assert_eq!(changed.status, 303, "{}", changed.text);
    assert!(owner.read(changed.header("location").unwrap()).contains("role=\"status\""));
    let removal = place.replace("/role", "/remove");
    assert_eq!(owner.send(&removal, &removal, &[]).status, 303);
    assert_eq!(beto.get(&account).status, 404);
    let log = owner.read(&format!("{account}settings/audit"));
    for action in ["invitation.created", "member.added", "member.role_changed", "member.removed"] {
        assert!(log.contains(&format!("<code>{action}</code>")), "{action}: {log}");
    }
}

fn the_log_of_a_test_account_says_where_the_rest_is(kind: DatabaseKind) {
    let app = App::start(kind);
    let (owner, account) = Browser::of_owner(&app);
    let accounts = app.store().list_accounts().wait().unwrap().unwrap();
    let live = accounts.iter().find(|one| one.name == "Flores del Sur").unwrap().id;
    let _ = app.test_account(live);
    let test = format!("/panel/{}/", slug::of_test_account("flores-del-sur"));
    let invite = format!("{test}settings/team/invite");
    let invited =
        owner.send(&invite, &invite, &[("email", "beto@shop.example"), ("role", "sales")]);
    assert_eq!(invited.status, 200, "{}", invited.text);
    let logs = [&account, &test].map(|account| owner.read(&format!("{account}settings/audit")));
    for (text, is_there) in [
        ("<code>invitation.created</code>", [true, false]),
        ("cuenta de producción", [false, true]),
    ] {
        assert_eq!(logs.each_ref().map(|log| log.contains(text)), is_there, "{text}");
    }
}

/// Who manages the account reads the mail that was kept.
fn what_makes_an_owner_is_for_who_invites_alone(kind: DatabaseKind) {
    let app = App::start(kind);
    let (owner, account) = Browser::of_owner(&app);
    let page = format!("{account}settings/team/invite");
    let fields = [("email", "eva@shop.example"), ("role", "owner")];
    let invited = owner.send(&page, &page, &fields);
    assert_eq!(invited.status, 200, "{}", invited.text);
    let link = copied(&invited.text, "link").replace(&app.origin(), "");
    let kept = owner.read(&format!("{account}settings/mail"));
    assert!(!kept.contains("eva@shop.example") && !kept.contains("mal_"), "{kept}");
    // The same address is not invited again at once; the first invitation stands.
    let again = owner.send(&page, &page, &fields);
    assert!(again.status >= 400, "{} {}", again.status, again.text);
    assert!(Browser::new(&app).read(&link).contains("eva@shop.example"));
}

fn what_is_written_is_shown_as_text(kind: DatabaseKind) {
    let app = App::start(kind);
    let (owner, account) = Browser::of_owner(&app);
    let script = "<script>alert(1)</script>";
    let changed = owner.send(
        "/panel/me",
        "/panel/me",
        &[("name", script), ("language", "en"), ("theme", "dark"), ("density", "compact")],
    );
    assert_eq!(changed.status, 303, "{}", changed.text);
    let home = owner.read(&account);
    assert!(!home.contains("<script>") && home.contains("&#60;script&#62;"), "{home}");
    assert!(home.contains("lang=\"en\" data-theme=\"dark\""), "{home}");
}

fn who_confirms_goes_on_to_a_page_that_can_be_read(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let csrf = browser.csrf(&account);
    app.advance_seconds(601);
    // Forms without a page of their own lead to what lies above them.
    let cases = [
        ("/panel/me/recovery-codes".to_owned(), "/panel/me/recovery-codes".to_owned()),
        (format!("{account}webhooks/x/rotate"), format!("{account}webhooks/x/rotate")),
    ];
    for (sent, shown) in cases {
        let asked = browser.post(&sent, &[("csrf", &csrf)]);
        assert_eq!(asked.status, 303, "{sent}");
        let confirm = asked.header("location").unwrap().to_owned();
        assert!(confirm.starts_with("/panel/me/confirm?to="), "{confirm}");
        let confirmed = browser.send(&confirm, &confirm, &[("password", PASSWORD)]);
        assert_eq!((confirmed.status, confirmed.header("location")), (303, Some(shown.as_str())));
        app.advance_seconds(601);
    }
    assert_eq!(browser.get("/panel/me/recovery-codes").status, 303, "it is grave");
    let stranger = Browser::new(&app);
    let csrf = stranger.csrf("/panel/sign-in");
    let cases = [
        ("orders/bulk/ship", "orders/bulk/ship"),
        ("payments/x/sync", "payments/x"),
        ("settings/team/invitations/x/revoke", "settings/team"),
        ("nothing/like/this", ""),
    ];
    for (sent, shown) in cases {
        let asked = stranger.post(&format!("{account}{sent}"), &[("csrf", &csrf)]);
        let door = asked.header("location").unwrap().to_owned();
        let entered = stranger.send(&door, &door, &[("email", EMAIL), ("password", PASSWORD)]);
        let place = format!("{account}{shown}");
        let place = place.trim_end_matches('/');
        assert_eq!((entered.status, entered.header("location")), (303, Some(place)), "{sent}");
        assert_eq!(stranger.send("/panel/me", "/panel/sign-out", &[]).status, 303);
    }
}

fn who_signs_in_anew_ends_the_session_before(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let door = "/panel/sign-in";
    let csrf = browser.csrf(&account);
    let fields = [("csrf", csrf.as_str()), ("email", EMAIL), ("password", PASSWORD)];
    let entered = browser.post(door, &fields);
    assert_eq!(entered.status, 303, "{}", entered.text);
    let shown = browser.read("/panel/me");
    assert_eq!(shown.matches("/panel/me/sessions/ses_").count(), 1, "{shown}");
}

fn failed_attempts_make_the_next_wait(kind: DatabaseKind) {
    let app = App::start(kind);
    let _ = Browser::of_owner(&app);
    let browser = Browser::new(&app);
    let door = "/panel/sign-in";
    let csrf = browser.csrf(door);
    let wrong = [("csrf", csrf.as_str()), ("email", EMAIL), ("password", "not this one at all")];
    let mut attempts = (0..30).map(|_| browser.post(door, &wrong));
    let put_off = attempts.find(|reply| reply.status != 422).expect("put off");
    assert_eq!(put_off.status, 429, "{}", put_off.text);
    let seconds: u64 = put_off.header("retry-after").unwrap().parse().unwrap();
    assert!(seconds > 0 && put_off.text.contains("Intenta de nuevo en"), "{}", put_off.text);
}

fn requests_have_a_name_in_the_log(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    let reply = browser.get(&account);
    assert_eq!(reply.header("x-request-id").map(str::len), Some(26));
    let other = app.anonymous().request("PUT", "/panel/sign-in");
    let refused = testkit::Reply::to(other);
    assert_eq!((refused.status, refused.header("allow")), (405, Some("GET, HEAD, POST")));
    let unread = browser.get("/panel/sign-out");
    assert_eq!((unread.status, unread.header("allow")), (405, Some("POST")));
}

fn pages_tell_members_how_long_they_took(kind: DatabaseKind) {
    let app = App::start(kind);
    let (browser, account) = Browser::of_owner(&app);
    for path in [account.clone(), format!("{account}orders"), format!("{account}nowhere")] {
        let reply = browser.get(&path);
        let told = reply.header("server-timing").unwrap_or_else(|| panic!("{path}")).to_owned();
        let read = |name: &str| {
            let part = told.split(", ").find_map(|part| part.strip_prefix(name));
            part.unwrap_or_else(|| panic!("{told}")).parse::<f64>().unwrap()
        };
        let (total, db) = (read("total;dur="), read("db;dur="));
        assert!(0.0 <= db && db <= total && total > 0.0, "{told}");
    }
    let stranger = Browser::new(&app);
    for path in ["/panel/sign-in", account.as_str()] {
        assert_eq!(stranger.get(path).header("server-timing"), None, "{path}");
    }
}
