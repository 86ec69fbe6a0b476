//! Links that work once: to make the first user, to set a password anew, to look around in the demo.

use accounts::{NewUser, OpenedSession, Password, Purpose, SeenUserLink, Token, TokenDigest};
use intake::{
    Faults, Form,
    checks::{secret, text},
    noun,
};
use kernel::{FieldFault, text as words};

use crate::{
    answer::Answer,
    call::Call,
    failure::Failure,
    form::Values,
    layout::Sheet,
    markup::Markup,
    page::{Method, Page},
    parts::Field,
    reply::{answered, carried_out},
};

use super::{
    door::{Door, over},
    refusals::people,
    session::let_in,
};

const CHARS_MAX: usize = 300;

/// Name, address, password, and the name of a new account: what they must be like is the domain's business.
pub(super) const NEW_USER: Form<NewUser> = Form::body(
    "NewUser",
    noun("this form", "este formulario"),
    |fields| {
        let line = || text(|text| Ok(words::collapsed(text)));
        let account_name = fields.optional("accountName", line());
        let name = fields.required("name", line());
        let email = fields.optional("email", line());
        let password = fields.required("password", secret(CHARS_MAX));
        Some(NewUser {
            name: name?,
            email: email.unwrap_or_default(),
            password: Password::new(password?),
            language: None,
            account_name,
        })
    },
    "",
);
const PASSWORD: Form<Password> = Form::body(
    "NewPassword",
    noun("this form", "este formulario"),
    |fields| fields.required("password", secret(CHARS_MAX)).map(Password::new),
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::open(Method::Get, "setup/{token}", show),
        Page::open(Method::Post, "setup/{token}", set_up),
        Page::open(Method::Get, "reset/{token}", show),
        Page::open(Method::Post, "reset/{token}", reset),
        Page::open(Method::Get, "sign-in/{token}", show),
        Page::open(Method::Post, "sign-in/{token}", enter),
    ]
}

/// The link of the path, if it is one that is still good.
async fn link(call: &Call<()>) -> Result<Option<(TokenDigest, SeenUserLink)>, Failure> {
    let Some(token) = Token::parse(call.parameter("token")) else { return Ok(None) };
    let digest = token.digest();
    let seen = answered(call.services().people.user_link(digest.clone())).await?;
    Ok(seen.filter(|seen| seen.link.is_open(call.now())).map(|seen| (digest, seen)))
}

async fn show(call: Call<()>) -> Result<Answer, Failure> {
    Ok(match link(&call).await? {
        Some((_, seen)) => card(&call, &seen, &Values::default(), &[]),
        None => over(&call),
    })
}

fn card(call: &Call<()>, seen: &SeenUserLink, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let password = Field::input("password", "password", say.new_password(), values)
        .hint(say.password_hint())
        .autocomplete("new-password");
    let (title, intro, fields, submit) = match seen.link.purpose {
        Purpose::SetUp | Purpose::SetUpAccount(_) => {
            let account = seen.opens_account.then(|| {
                Field::text("accountName", say.account_name(), values).autocomplete("organization")
            });
            let person = [
                Field::text("name", say.your_name(), values).autocomplete("name"),
                Field::input("email", "email", say.email(), values).autocomplete("username"),
                password,
            ];
            let fields = account.into_iter().chain(person).collect();
            (say.set_up_title(), say.set_up_intro().to_owned(), fields, say.set_up())
        }
        Purpose::ResetPassword(_) => {
            let email = seen.email.as_deref().unwrap_or_default();
            (say.reset_title(), say.reset_intro(email), vec![password], say.save())
        }
        Purpose::SignIn(_) => {
            let email = seen.email.as_deref().unwrap_or_default();
            (say.sign_in(), say.sign_in_as(email), Vec::new(), say.sign_in())
        }
    };
    let place = call.target.split('?').next().unwrap_or_default();
    let form = call.form(place, fields, submit, faults);
    let body = Door { intro: &intro, form: Markup::of(&form), hint: "" };
    call.page(Sheet::new(title, &body).wrong_if(!faults.is_empty()))
}

async fn set_up(call: Call<()>) -> Result<Answer, Failure> {
    let Some((digest, seen)) = link(&call).await? else { return Ok(over(&call)) };
    let user = match call.read(&NEW_USER)? {
        Ok(user) => NewUser { language: Some(call.language), ..user },
        Err(faults) => return Ok(card(&call, &seen, call.sent.values(), &faults)),
    };
    let setting_up = call.services().people.set_up(digest, user, call.visit.clone());
    let outcome = carried_out(setting_up, people).await?;
    entered(&call, &seen, outcome).await
}

async fn reset(call: Call<()>) -> Result<Answer, Failure> {
    let Some((digest, seen)) = link(&call).await? else { return Ok(over(&call)) };
    let password = match call.read(&PASSWORD)? {
        Ok(password) => password,
        Err(faults) => return Ok(card(&call, &seen, call.sent.values(), &faults)),
    };
    let resetting = call.services().people.reset_password(digest, password, call.visit.clone());
    let outcome = carried_out(resetting, people).await?;
    entered(&call, &seen, outcome).await
}

/// A link that is opened changes nothing: some programs open what they find in a text.
async fn enter(call: Call<()>) -> Result<Answer, Failure> {
    let Some((digest, seen)) = link(&call).await? else { return Ok(over(&call)) };
    let entering = call.services().people.sign_in_by_link(digest, call.visit.clone());
    match carried_out(entering, people).await? {
        Ok(opened) => {
            // Such links are for looking around: where there are data to look at, and nothing is real.
            let entries = answered(call.services().team.entries(opened.user.id)).await?;
            let test = entries.iter().find(|entry| entry.account.test_of.is_some());
            let home = test.map(|entry| format!("{}/{}/", crate::PANEL_PATH, entry.slug));
            let_in(&call, &opened, home.as_deref().unwrap_or(crate::PANEL_PATH)).await
        }
        Err(faults) => Ok(card(&call, &seen, call.sent.values(), &faults)),
    }
}

async fn entered(
    call: &Call<()>,
    seen: &SeenUserLink,
    outcome: Result<OpenedSession, Faults>,
) -> Result<Answer, Failure> {
    match outcome {
        Ok(opened) => let_in(call, &opened, crate::PANEL_PATH).await,
        Err(faults) => Ok(card(call, seen, call.sent.values(), &faults)),
    }
}
