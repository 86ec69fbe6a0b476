//! Accepting an invitation: as a new user, or as one who is signed in.

use accounts::{NewUser, SeenInvitation, Token, TokenDigest};
use kernel::FieldFault;

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
    team::role_name,
    user_links::NEW_USER,
};

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::open(Method::Get, "invite/{token}", show),
        Page::open(Method::Post, "invite/{token}", accept),
    ]
}

async fn seen(call: &Call<()>) -> Result<Option<(TokenDigest, SeenInvitation)>, Failure> {
    let Some(token) = Token::parse(call.parameter("token")) else { return Ok(None) };
    let digest = token.digest();
    let seen = answered(call.services().team.invitation(digest.clone())).await?;
    Ok(seen.filter(|seen| seen.invitation.is_open(call.now())).map(|seen| (digest, seen)))
}

async fn show(call: Call<()>) -> Result<Answer, Failure> {
    Ok(match seen(&call).await? {
        Some((_, seen)) => card(&call, &seen, &Values::default(), &[]),
        None => over(&call),
    })
}

fn card(call: &Call<()>, seen: &SeenInvitation, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let (email, account) = (&seen.invitation.email, &seen.account_name);
    let intro = say.invited(email, account, role_name(say, seen.invitation.role));
    let fields = match seen.has_user {
        true => Vec::new(),
        false => vec![
            Field::text("name", say.your_name(), values).autocomplete("name"),
            Field::input("password", "password", say.new_password(), values)
                .hint(say.password_hint())
                .autocomplete("new-password"),
        ],
    };
    let hint = if seen.has_user { say.accept_signed_in() } else { "" };
    let place = call.target.split('?').next().unwrap_or_default();
    let form = call.form(place, fields, say.accept(), faults);
    let body = Door { intro: &intro, form: Markup::of(&form), hint };
    call.page(Sheet::new(say.invitation_title(account), &body).wrong_if(!faults.is_empty()))
}

async fn accept(call: Call<()>) -> Result<Answer, Failure> {
    let Some((digest, seen)) = seen(&call).await? else { return Ok(over(&call)) };
    if seen.has_user {
        return accept_as_user(&call, digest, &seen).await;
    }
    let user = match call.read(&NEW_USER)? {
        Ok(user) => {
            NewUser { email: seen.invitation.email.clone(), language: Some(call.language), ..user }
        }
        Err(faults) => return Ok(card(&call, &seen, call.sent.values(), &faults)),
    };
    let joining = call.services().team.join(digest, user, call.visit.clone());
    Ok(match carried_out(joining, people).await? {
        Ok(opened) => let_in(&call, &opened, crate::PANEL_PATH).await?,
        Err(faults) => card(&call, &seen, call.sent.values(), &faults),
    })
}

async fn accept_as_user(
    call: &Call<()>,
    digest: TokenDigest,
    seen: &SeenInvitation,
) -> Result<Answer, Failure> {
    let token = call.token.as_ref().ok_or(Failure::SignedOut)?;
    let signed_in = call.services().people.signed_in(token.digest(), call.now());
    let signed_in = answered(signed_in).await?.filter(|found| !found.session.owes_code);
    let user = signed_in.ok_or(Failure::SignedOut)?.user.id;
    let accepting = call.services().team.accept(digest, user, call.visit.clone());
    Ok(match carried_out(accepting, people).await? {
        Ok(_) => Answer::see(crate::PANEL_PATH),
        Err(faults) => card(call, seen, call.sent.values(), &faults),
    })
}
