//! Codes at sign-in: an authenticator, and recovery codes for when it is lost.

use accounts::{PeopleError, RecoveryCode, TotpSecret, TotpSetUp};
use askama::Template;
use intake::{
    Form,
    checks::{secret, text},
    noun,
};
use kernel::{FieldFault, message};

use crate::{
    answer::Answer,
    call::{Call, Person},
    failure::Failure,
    form::Values,
    layout::Sheet,
    markup::Markup,
    page::{Method, Page},
    pages::refusals::{attempted_as, people},
    parts::{Asked, CopyField, Field},
    qr::Qr,
    reply::carried_out,
    texts::Say,
};

const CHARS_MAX: usize = 64;
/// What authenticators call the service.
const ISSUER: &str = "Trastienda";

/// The code, and the secret that the page has shown.
const CODE: Form<(String, TotpSecret)> = Form::body(
    "FirstCode",
    noun("this form", "este formulario"),
    |fields| {
        let code = fields.required("code", secret(CHARS_MAX));
        let known = text(|text| {
            TotpSecret::parse(text).ok_or_else(|| message!("is no secret", "no es un secreto"))
        });
        let known = fields.required("secret", known);
        Some((code?, known?))
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::personal(Method::Post, "me/totp", begin).grave(),
        Page::personal(Method::Post, "me/totp/confirm", confirm),
        Page::personal(Method::Get, "me/totp/disable", ask_disable).grave(),
        Page::personal(Method::Post, "me/totp/disable", disable).grave(),
        Page::personal(Method::Get, "me/totp", ask_begin).grave(),
        Page::personal(Method::Get, "me/recovery-codes", ask_renew).grave(),
        Page::personal(Method::Post, "me/recovery-codes", renew).grave(),
    ]
}

#[derive(Template)]
#[template(path = "people/totp.html", whitespace = "minimize")]
struct SetUp {
    say: Say,
    qr: Qr,
    secret: CopyField,
    form: Markup,
}

#[derive(Template)]
#[template(path = "people/recovery.html", whitespace = "minimize")]
struct Codes {
    say: Say,
    codes: Vec<String>,
}

async fn ask_begin(call: Call<Person>) -> Result<Answer, Failure> {
    let say = call.say();
    let form = call.form("/panel/me/totp", Vec::new(), say.totp_begin(), &[]);
    let text = say.totp_begin_intro().to_owned();
    let sheet = Sheet::new(say.totp_title(), &Asked { text, form: Markup::of(&form) });
    Ok(call.page(sheet.back(say.me(), "/panel/me")))
}

async fn begin(call: Call<Person>) -> Result<Answer, Failure> {
    let (user, issuer) = (call.who.0.user.id, ISSUER.to_owned());
    let beginning = call.services().people.begin_totp(user, issuer, call.now());
    Ok(match carried_out(beginning, people).await? {
        Ok(set_up) => set_up_page(&call, &set_up, &[]),
        Err(_) => Answer::see("/panel/me"),
    })
}

fn set_up_page(call: &Call<Person>, set_up: &TotpSetUp, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let code = Field::text("code", say.code(), &Values::default()).autocomplete("one-time-code");
    let shown = set_up.secret.to_base32();
    let form = call.form("/panel/me/totp/confirm", vec![code], say.totp_confirm(), faults);
    let form = form.hidden("secret", shown.clone());
    let qr = Qr::of(&set_up.uri);
    let secret = CopyField { id: "secret", label: say.totp_secret().to_owned(), text: shown };
    let body = SetUp { say, qr, secret, form: Markup::of(&form) };
    let sheet = Sheet::new(say.totp_title(), &body).wrong_if(!faults.is_empty());
    call.page(sheet.back(say.me(), "/panel/me")).secret()
}

async fn confirm(call: Call<Person>) -> Result<Answer, Failure> {
    let (code, secret) = match call.read(&CODE)? {
        Ok(given) => given,
        Err(_) => return Ok(Answer::see("/panel/me/totp")),
    };
    let user = &call.who.0.user;
    let confirming = call.services().people.confirm_totp(user.id, code, call.visit.clone());
    // There is nothing else that could be wrong.
    let told = |error| match error {
        PeopleError::WrongCredentials => FieldFault::new(
            "code",
            message!("is wrong or has expired", "no es correcto o ya venció"),
        ),
        error => people(error),
    };
    Ok(match attempted_as(confirming, call.now(), told).await? {
        Ok(codes) => codes_page(&call, &codes),
        // It was confirmed before, and the page with the recovery codes is not known here: others are made by hand.
        Err(faults) if faults.contains(&people(PeopleError::HasTotp)) => Answer::see("/panel/me"),
        Err(faults) => {
            let uri = secret.to_uri(ISSUER, &user.email);
            set_up_page(&call, &TotpSetUp { secret, uri }, &faults)
        }
    })
}

fn codes_page(call: &Call<Person>, codes: &[RecoveryCode]) -> Answer {
    let say = call.say();
    let codes = codes.iter().map(|code| code.reveal().to_owned()).collect();
    let sheet = Sheet::new(say.recovery_title(), &Codes { say, codes });
    call.page(sheet.back(say.me(), "/panel/me")).secret()
}

async fn ask_disable(call: Call<Person>) -> Result<Answer, Failure> {
    let say = call.say();
    let form = call.form("/panel/me/totp/disable", Vec::new(), say.totp_disable(), &[]);
    let (text, form) = (say.totp_disable_intro().to_owned(), form.dangerous());
    let sheet = Sheet::new(say.totp_disable(), &Asked { text, form: Markup::of(&form) });
    Ok(call.page(sheet.back(say.me(), "/panel/me")))
}

async fn disable(call: Call<Person>) -> Result<Answer, Failure> {
    let disabling = call.services().people.disable_totp(call.who.0.user.id, call.visit.clone());
    drop(carried_out(disabling, people).await?);
    Ok(Answer::see("/panel/me?did=saved"))
}

async fn ask_renew(call: Call<Person>) -> Result<Answer, Failure> {
    let say = call.say();
    let form = call.form("/panel/me/recovery-codes", Vec::new(), say.recovery_renew(), &[]);
    let text = say.recovery_renew_intro().to_owned();
    let sheet = Sheet::new(say.recovery_title(), &Asked { text, form: Markup::of(&form) });
    Ok(call.page(sheet.back(say.me(), "/panel/me")))
}

async fn renew(call: Call<Person>) -> Result<Answer, Failure> {
    let user = call.who.0.user.id;
    let renewing = call.services().people.renew_recovery_codes(user, call.visit.clone());
    Ok(match carried_out(renewing, people).await? {
        Ok(codes) => codes_page(&call, &codes),
        Err(_) => Answer::see("/panel/me"),
    })
}
