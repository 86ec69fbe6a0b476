//! Signing in and out.

use accounts::{Password, SignIn};
use actix_web::http::StatusCode;
use askama::Template;
use intake::{Form, checks::secret, noun};
use kernel::{FieldFault, message};

use crate::{
    answer::Answer,
    call::Call,
    failure::Failure,
    form::Values,
    layout::Sheet,
    markup::Markup,
    page::{Method, Page},
    parts::Field,
    reply::{answered, carried_out, whole},
};

use super::{
    refusals::{attempted, people},
    session::{let_in, let_out, wanted},
};

/// As many characters as an address or a password may have, and more.
const CHARS_MAX: usize = 300;

const SIGN_IN: Form<SignIn> = Form::body(
    "SignIn",
    noun("this form", "este formulario"),
    |fields| {
        let email = fields.required("email", secret(CHARS_MAX));
        let password = fields.required("password", secret(CHARS_MAX));
        Some(SignIn { email: email?, password: Password::new(password?) })
    },
    "",
);
const CODE: Form<String> = Form::body(
    "Code",
    noun("this form", "este formulario"),
    |fields| fields.required("code", secret(CHARS_MAX)),
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::open(Method::Get, "sign-in", show),
        Page::open(Method::Post, "sign-in", sign_in),
        Page::open(Method::Get, "sign-in/code", show_code),
        Page::open(Method::Post, "sign-in/code", give_code),
        Page::open(Method::Post, "sign-out", sign_out),
    ]
}

/// A page with a form for who is not inside yet, or has to show once more who they are.
#[derive(Template)]
#[template(path = "people/door.html", whitespace = "minimize")]
pub(super) struct Door<'a> {
    pub(super) intro: &'a str,
    pub(super) form: Markup,
    /// What it says below the form.
    pub(super) hint: &'a str,
}

async fn show(call: Call<()>) -> Result<Answer, Failure> {
    if let Some(token) = &call.token {
        let signed_in = call.services().people.signed_in(token.digest(), call.now());
        if answered(signed_in).await?.is_some_and(|found| !found.session.owes_code) {
            return Ok(Answer::see(wanted(call.query.get("to"))));
        }
    }
    Ok(door(&call, &Values::default(), &[]))
}

fn door(call: &Call<()>, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let to = wanted(call.query.get("to").or_else(|| call.sent.values().get("to"))).to_owned();
    let fields = vec![
        Field::input("email", "email", say.email(), values).autocomplete("username").first(),
        Field::input("password", "password", say.password(), values)
            .autocomplete("current-password"),
    ];
    let place = format!("/panel/sign-in?to={}", crate::list::encoded(&to));
    let form = call.form(place, fields, say.sign_in(), faults);
    let body = Door { intro: "", form: Markup::of(&form), hint: say.forgot_password() };
    call.page(Sheet::new(say.sign_in(), &body).wrong_if(!faults.is_empty()))
}

async fn sign_in(call: Call<()>) -> Result<Answer, Failure> {
    let wanted_sign_in = match call.read(&SIGN_IN)? {
        Ok(sign_in) => sign_in,
        Err(faults) => return Ok(door(&call, call.sent.values(), &faults)),
    };
    let opening = call.services().people.sign_in(wanted_sign_in, call.visit.clone());
    match attempted(opening, call.now()).await? {
        Ok(opened) => let_in(&call, &opened, wanted(call.query.get("to"))).await,
        Err(faults) => Ok(door(&call, call.sent.values(), &faults)),
    }
}

async fn show_code(call: Call<()>) -> Result<Answer, Failure> {
    Ok(code_page(&call, &[]))
}

fn code_page(call: &Call<()>, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let to = wanted(call.query.get("to"));
    let field = Field::text("code", say.code(), &Values::default())
        .hint(say.code_hint())
        .autocomplete("one-time-code")
        .first();
    let place = format!("/panel/sign-in/code?to={}", crate::list::encoded(to));
    let form = call.form(place, vec![field], say.go_on(), faults);
    let body = Door { intro: "", form: Markup::of(&form), hint: "" };
    call.page(Sheet::new(say.code_title(), &body).wrong_if(!faults.is_empty()))
}

async fn give_code(call: Call<()>) -> Result<Answer, Failure> {
    let code = match call.read(&CODE)? {
        Ok(code) => code,
        Err(faults) => return Ok(code_page(&call, &faults)),
    };
    let Some(token) = &call.token else { return Err(Failure::SignedOut) };
    let giving = call.services().people.give_code(token.digest(), code, call.visit.clone());
    match attempted(giving, call.now()).await {
        Ok(Ok(opened)) => let_in(&call, &opened, wanted(call.query.get("to"))).await,
        Ok(Err(faults)) => Ok(code_page(&call, &faults)),
        Err(Failure::Nothing) => Err(Failure::SignedOut),
        Err(failure) => Err(failure),
    }
}

/// Also without a live session: who wants out gets out.
async fn sign_out(call: Call<()>) -> Result<Answer, Failure> {
    if let Some(token) = &call.token {
        let people_service = &call.services().people;
        let found = answered(people_service.signed_in(token.digest(), call.now())).await?;
        if let Some(found) = found {
            let (user, session) = (found.user.id, found.session.id);
            let ending = people_service.end_session(user, session, call.now());
            drop(carried_out(ending, people).await?);
        }
    }
    Ok(let_out(&call))
}

/// What is shown to whoever has a link that leads nowhere any more.
pub(super) fn over(call: &Call<()>) -> Answer {
    let say = call.say();
    let sentence = whole(message!(
        "This link was already used, was withdrawn or has expired. Ask for a new one.",
        "Este enlace ya se usó, se retiró o venció. Pide uno nuevo."
    ));
    let intro = sentence.problem.in_language(call.language);
    let body = Door { intro, form: Markup::default(), hint: "" };
    call.page(Sheet::new(say.nothing_title(), &body).status(StatusCode::NOT_FOUND))
}
