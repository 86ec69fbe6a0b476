//! Giving the password again before something grave.

use accounts::Password;
use intake::{Form, checks::secret, noun};
use kernel::FieldFault;

use crate::{
    answer::Answer,
    call::{Call, Person},
    failure::Failure,
    form::Values,
    layout::Sheet,
    list::encoded,
    markup::Markup,
    page::{Method, Page},
    pages::{door::Door, refusals::attempted, session::wanted},
    parts::Field,
};

const CHARS_MAX: usize = 300;
const FORM: Form<(Password, Option<String>)> = Form::body(
    "Confirmation",
    noun("this form", "este formulario"),
    |fields| {
        let password = fields.required("password", secret(CHARS_MAX));
        let code = fields.optional("code", secret(CHARS_MAX));
        Some((Password::new(password?), code))
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::personal(Method::Get, "me/confirm", show),
        Page::personal(Method::Post, "me/confirm", confirm),
    ]
}

async fn show(call: Call<Person>) -> Result<Answer, Failure> {
    Ok(page(&call, &[]))
}

fn page(call: &Call<Person>, faults: &[FieldFault]) -> Answer {
    let (say, values) = (call.say(), Values::default());
    let password = Field::input("password", "password", say.password(), &values)
        .autocomplete("current-password")
        .first();
    let code = call.who.0.user.totp_since.map(|_| {
        Field::text("code", say.code(), &values).hint(say.code_hint()).autocomplete("one-time-code")
    });
    let fields = std::iter::once(password).chain(code).collect();
    let to = wanted(call.query.get("to"));
    let place = format!("/panel/me/confirm?to={}", encoded(to));
    let form = call.form(place, fields, say.go_on(), faults);
    let body =
        Door { intro: say.confirm_intro(), form: Markup::of(&form), hint: say.forgot_password() };
    call.page(Sheet::new(say.confirm_title(), &body).wrong_if(!faults.is_empty()))
}

async fn confirm(call: Call<Person>) -> Result<Answer, Failure> {
    let (password, code) = match call.read(&FORM)? {
        Ok(given) => given,
        Err(faults) => return Ok(page(&call, &faults)),
    };
    let (session, visit) = (call.who.0.session.id, call.visit.clone());
    let confirming = call.services().people.reauthenticate(session, password, code, visit);
    Ok(match attempted(confirming, call.now()).await? {
        Ok(_) => Answer::see(wanted(call.query.get("to"))),
        Err(faults) => page(&call, &faults),
    })
}
