//! Inviting somebody, and taking an invitation back.

use accounts::{InvitationId, IssuedInvitation, NewMail, Role};
use askama::Template;
use intake::{
    Form,
    checks::{deliverable_email, one_of},
    noun,
};
use kernel::{Ctx, FieldFault, Idempotency};

use super::{PATH, WRITE, people, role_field};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    layout::Sheet,
    page::Page,
    parts::{CopyField, Field},
    reply::carried_out,
    texts::Say,
};

/// So much of an account's name stands in the subject of a mail.
const NAME_CHARS_MAX: usize = 100;

const FORM: Form<(String, Role)> = Form::body(
    "Invitation",
    noun("this form", "este formulario"),
    |fields| {
        let email = fields.required("email", deliverable_email());
        let role = fields.required("role", one_of(Role::EVERY, Role::name));
        Some((email?, role?))
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("settings/team/invite", WRITE, show).grave(),
        Page::post("settings/team/invite", WRITE, invite).grave(),
        Page::post("settings/team/invitations/{id}/revoke", WRITE, revoke),
    ]
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    Ok(page(&call, &Values::with(&[("role", Role::Sales.name())]), &[]))
}

fn page(call: &Call<Member>, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let fields = vec![
        Field::input("email", "email", say.email(), values).hint(say.invite_hint()),
        role_field(call, values),
    ];
    let form = call.form(call.href("settings/team/invite"), fields, say.invite(), faults);
    let sheet = Sheet::new(say.invite_title(), &form).wrong_if(!faults.is_empty());
    call.page(sheet.back(say.team(), call.href(PATH)))
}

#[derive(Template)]
#[template(path = "settings/invitation.html", whitespace = "minimize")]
struct Issued {
    say: Say,
    link: CopyField,
    is_mailed: bool,
}

async fn invite(call: Call<Member>) -> Result<Answer, Failure> {
    let (email, role) = match call.read(&FORM)? {
        Ok(invited) => invited,
        Err(faults) => return Ok(page(&call, call.sent.values(), &faults)),
    };
    let inviting = call.services().team.invite(call.ctx(), email, role);
    Ok(match carried_out(inviting, people).await? {
        // Who manages the account reads kept mail: what makes an owner is for the owner who invites alone.
        Ok(issued) if role == Role::Owner => shown_once(&call, &issued, true),
        Ok(issued) => {
            let is_mailed = is_mailed(&call, &issued).await;
            match is_mailed && call.services().mails.has_mail_server() {
                true => call.done_at(PATH, "invitation.sent"),
                false => shown_once(&call, &issued, is_mailed),
            }
        }
        Err(faults) => page(&call, call.sent.values(), &faults),
    })
}

fn link(call: &Call<Member>, issued: &IssuedInvitation) -> String {
    format!("{}/panel/invite/{}", call.public_url(), issued.token.reveal())
}

/// Mails the link, or keeps the mail where no mail server is set. The invitation stands whatever comes of it, and its link
/// is shown.
async fn is_mailed(call: &Call<Member>, issued: &IssuedInvitation) -> bool {
    let (say, account) = (call.say(), &call.who.entry.account.name);
    let short: String = account.chars().take(NAME_CHARS_MAX).collect();
    let mail = NewMail {
        recipient: issued.invitation.email.clone(),
        subject: say.invitation_title(&short),
        text: say.invitation_mail(&call.who.person.0.user.name, account, &link(call, issued)),
    };
    let ctx = call.ctx();
    let idempotency = ctx
        .idempotency
        .map(|of_page| Idempotency { operation: format!("{} mail", of_page.operation), ..of_page });
    let posting = call.services().mails.post(Ctx { idempotency, ..ctx }, mail);
    match carried_out(posting, people).await {
        Ok(outcome) => outcome.is_ok(),
        Err(failure) => {
            failure.log(call.request_id());
            false
        }
    }
}

/// The only page on which the link is ever seen, where no mail takes it to its address.
fn shown_once(call: &Call<Member>, issued: &IssuedInvitation, is_mailed: bool) -> Answer {
    let say = call.say();
    let text = link(call, issued);
    let link = CopyField { id: "link", label: say.invitation_link().to_owned(), text };
    let sheet = Sheet::new(issued.invitation.email.clone(), &Issued { say, link, is_mailed });
    call.page(sheet.back(say.team(), call.href(PATH))).secret()
}

async fn revoke(call: Call<Member>) -> Result<Answer, Failure> {
    let id = InvitationId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let revoking = call.services().team.revoke_invitation(call.ctx(), id);
    drop(carried_out(revoking, people).await?);
    Ok(call.done_at(PATH, "invitation.revoked"))
}
