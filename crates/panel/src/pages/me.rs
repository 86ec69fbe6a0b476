//! What users do about themselves: their accounts, how the panel looks, their password and sessions.

mod confirm;
mod keys;
mod totp;

use accounts::{Density, Entry, Password, Session, SessionId, Theme, UserChanges, user::language};
use askama::Template;
use cfdi::catalogs::zones::Zone;
use intake::{
    Form,
    checks::{flag, one_of, secret, text},
    noun,
};
use kernel::{FieldFault, text as words};

use crate::{
    agent::browser,
    answer::Answer,
    call::{Call, Person},
    failure::Failure,
    form::Values,
    format::moment,
    layout::Sheet,
    markup::Markup,
    page::{Method, Page},
    parts::{ButtonForm, Empty, Field, Moment, Pill},
    reply::{answered, carried_out},
    texts::Say,
};

use super::{
    refusals::{attempted, people},
    session::let_out,
    team::{account_pill, role_name},
};

const CHARS_MAX: usize = 300;
/// Stands for the language of the browser.
const BROWSER: &str = "browser";

const CHANGES: Form<UserChanges> = Form::body(
    "Me",
    noun("this form", "este formulario"),
    |fields| {
        let name = fields.required("name", text(|text| Ok(words::collapsed(text))));
        let language = fields.change("language", text(|tag| Ok(language(tag))));
        let theme = fields.change("theme", one_of(Theme::EVERY, Theme::name));
        let density = fields.change("density", one_of(Density::EVERY, Density::name));
        // A box that is not ticked is not sent.
        let shortcuts = fields.change("shortcuts", flag()).unwrap_or_default();
        let shortcuts = Some(shortcuts);
        Some(UserChanges { name: Some(name?), language, theme, density, shortcuts })
    },
    "",
);
const PASSWORDS: Form<(Password, Password)> = Form::body(
    "Passwords",
    noun("this form", "este formulario"),
    |fields| {
        let present = fields.required("password", secret(CHARS_MAX));
        let new = fields.required("newPassword", secret(CHARS_MAX));
        Some((Password::new(present?), Password::new(new?)))
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::personal(Method::Get, "", choose),
        Page::personal(Method::Get, "me", show),
        Page::personal(Method::Post, "me", change),
        Page::personal(Method::Get, "me/password", show_password),
        Page::personal(Method::Post, "me/password", change_password),
        Page::personal(Method::Post, "me/sessions/{id}/end", end_session),
        Page::personal(Method::Post, "me/sessions/end-others", end_others),
    ];
    [own, confirm::pages(), keys::pages(), totp::pages()].into_iter().flatten().collect()
}

#[derive(Template)]
#[template(path = "people/accounts.html", whitespace = "minimize")]
struct Accounts {
    lines: Vec<AccountLine>,
    empty: Option<Empty>,
}

struct AccountLine {
    name: String,
    href: String,
    role: &'static str,
    pill: Option<Pill>,
}

/// The accounts of somebody; who has one alone is taken there.
async fn choose(call: Call<Person>) -> Result<Answer, Failure> {
    let say = call.say();
    let entries = answered(call.services().team.entries(call.who.0.user.id)).await?;
    if let [only] = entries.as_slice() {
        return Ok(Answer::see(&format!("/panel/{}/", only.slug)));
    }
    let line = |entry: Entry| AccountLine {
        href: format!("/panel/{}/", entry.slug),
        role: role_name(say, entry.role),
        pill: account_pill(&entry.account),
        name: entry.account.name,
    };
    let lines: Vec<_> = entries.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| Empty::new(say.no_accounts()));
    Ok(call.page(Sheet::new(say.accounts(), &Accounts { lines, empty })))
}

#[derive(Template)]
#[template(path = "people/me.html", whitespace = "minimize")]
struct Me<'a> {
    say: Say,
    form: Markup,
    email: &'a str,
    has_totp: bool,
    recovery_codes_left: u32,
    sessions: Vec<SessionLine>,
    end_others: Option<ButtonForm>,
}

struct SessionLine {
    browser: String,
    /// As it names itself.
    agent: String,
    network: String,
    seen: Moment,
    is_this: bool,
    end: ButtonForm,
}

async fn show(call: Call<Person>) -> Result<Answer, Failure> {
    let user = &call.who.0.user;
    let mut values = vec![
        ("name", user.name.as_str()),
        ("language", user.language.map_or(BROWSER, |language| language.tag())),
        ("theme", user.theme.name()),
        ("density", user.density.name()),
    ];
    values.extend(user.shortcuts.then_some(("shortcuts", "true")));
    me(&call, &Values::with(&values), &[]).await
}

async fn me(
    call: &Call<Person>,
    values: &Values,
    faults: &[FieldFault],
) -> Result<Answer, Failure> {
    let (say, user) = (call.say(), &call.who.0.user);
    let sessions = answered(call.services().people.sessions(user.id, call.now())).await?;
    let own = |(name, label): (&str, &str)| (name.to_owned(), label.to_owned());
    let languages = [(BROWSER, say.browser_language()), ("en", "English"), ("es", "Español")];
    let themes = [("system", say.device_theme()), ("light", say.light()), ("dark", say.dark())];
    let densities = [("comfortable", say.comfortable()), ("compact", say.compact())];
    let fields = vec![
        Field::text("name", say.your_name(), values).autocomplete("name"),
        Field::select("language", say.language(), languages.map(own).to_vec(), values),
        Field::select("theme", say.theme(), themes.map(own).to_vec(), values),
        Field::select("density", say.density(), densities.map(own).to_vec(), values),
        Field::tick("shortcuts", say.shortcuts(), values).hint(say.shortcuts_hint()),
    ];
    let form = call.form("/panel/me", fields, say.save(), faults);
    let this = call.who.0.session.id;
    let line = |session: Session| SessionLine {
        browser: browser(&session.user_agent),
        agent: session.user_agent,
        network: session.network,
        seen: moment(session.last_seen_at, Zone::Central, call.language),
        is_this: session.id == this,
        end: call
            .button(format!("/panel/me/sessions/{}/end", session.id), say.end_session())
            .class("link"),
    };
    let body = Me {
        say,
        form: Markup::of(&form),
        email: &user.email,
        has_totp: user.totp_since.is_some(),
        recovery_codes_left: user.recovery_codes_left,
        end_others: (sessions.len() > 1)
            .then(|| call.button("/panel/me/sessions/end-others", say.end_others())),
        sessions: sessions.into_iter().map(line).collect(),
    };
    let sheet = Sheet::new(say.me(), &body).wrong_if(!faults.is_empty());
    Ok(call.page(sheet.back(say.accounts(), "/panel")))
}

async fn change(call: Call<Person>) -> Result<Answer, Failure> {
    let changes = match call.read(&CHANGES)? {
        Ok(changes) => changes,
        Err(faults) => return me(&call, call.sent.values(), &faults).await,
    };
    let user = call.who.0.user.id;
    let changing = call.services().people.change_user(user, changes, call.now());
    match carried_out(changing, people).await? {
        Ok(_) => Ok(Answer::see("/panel/me?did=saved")),
        Err(faults) => me(&call, call.sent.values(), &faults).await,
    }
}

async fn show_password(call: Call<Person>) -> Result<Answer, Failure> {
    Ok(password_page(&call, &[]))
}

fn password_page(call: &Call<Person>, faults: &[FieldFault]) -> Answer {
    let (say, values) = (call.say(), Values::default());
    let fields = vec![
        Field::input("password", "password", say.password(), &values)
            .autocomplete("current-password"),
        Field::input("password", "newPassword", say.new_password(), &values)
            .hint(say.password_hint())
            .autocomplete("new-password"),
    ];
    let form = call.form("/panel/me/password", fields, say.change_password(), faults);
    let sheet = Sheet::new(say.change_password(), &form).wrong_if(!faults.is_empty());
    call.page(sheet.back(say.me(), "/panel/me"))
}

async fn change_password(call: Call<Person>) -> Result<Answer, Failure> {
    let (present, new) = match call.read(&PASSWORDS)? {
        Ok(passwords) => passwords,
        Err(faults) => return Ok(password_page(&call, &faults)),
    };
    let session = call.who.0.session.id;
    let visit = call.visit.clone();
    let changing = call.services().people.change_password(session, present, new, visit);
    Ok(match attempted(changing, call.now()).await? {
        Ok(_) => Answer::see("/panel/me?did=password-changed"),
        // What is wrong with a new password is said of `password`, which is the present one here.
        Err(faults) => password_page(&call, &faults.into_iter().map(of_new).collect::<Vec<_>>()),
    })
}

fn of_new(fault: FieldFault) -> FieldFault {
    match fault.field.as_str() {
        "password" => FieldFault { field: "newPassword".to_owned(), ..fault },
        _ => fault,
    }
}

async fn end_session(call: Call<Person>) -> Result<Answer, Failure> {
    let id = SessionId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let user = call.who.0.user.id;
    let ending = call.services().people.end_session(user, id, call.now());
    drop(carried_out(ending, people).await?);
    if id == call.who.0.session.id {
        return Ok(let_out(&call));
    }
    Ok(Answer::see("/panel/me?did=session-ended"))
}

async fn end_others(call: Call<Person>) -> Result<Answer, Failure> {
    let (user, this) = (call.who.0.user.id, call.who.0.session.id);
    let ending = call.services().people.end_other_sessions(user, this, call.now());
    drop(carried_out(ending, people).await?);
    Ok(Answer::see("/panel/me?did=session-ended"))
}
