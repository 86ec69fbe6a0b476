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
}

async fn invite(call: Call<Member>) -> Result<Answer, Failure> {
    let (email, role) = match call.read(&FORM)? {
        Ok(invited) => invited,
        Err(faults) => return Ok(page(&call, call.sent.values(), &faults)),
    };
    let inviting = call.services().team.invite(call.ctx(), email, role);
    Ok(match carried_out(inviting, people).await? {
        // Who manages the account reads kept mail: what makes an owner is for the owner who invites alone.
        Ok(issued) if role == Role::Owner => shown_once(&call, &issued),
        Ok(issued) => {
            send(&call, &issued).await?;
            if call.services().mails.has_mail_server() {
                call.done_at(PATH, "invitation.sent")
            } else {
                shown_once(&call, &issued)
            }
        }
        Err(faults) => page(&call, call.sent.values(), &faults),
    })
}

fn link(call: &Call<Member>, issued: &IssuedInvitation) -> String {
    format!("{}/panel/invite/{}", call.public_url(), issued.token.reveal())
}

/// Mails the link, or keeps the mail where no mail server is set. The invitation stands whatever comes of it.
async fn send(call: &Call<Member>, issued: &IssuedInvitation) -> Result<(), Failure> {
    let (say, account) = (call.say(), &call.who.entry.account.name);
    let mail = NewMail {
        recipient: issued.invitation.email.clone(),
        subject: say.invitation_title(account),
        text: say.invitation_mail(&call.who.person.0.user.name, account, &link(call, issued)),
    };
    let ctx = call.ctx();
    let idempotency = ctx
        .idempotency
        .map(|of_page| Idempotency { operation: format!("{} mail", of_page.operation), ..of_page });
    drop(carried_out(call.services().mails.post(Ctx { idempotency, ..ctx }, mail), people).await?);
    Ok(())
}

/// The only page on which the link is ever seen, where no mail takes it to its address.
fn shown_once(call: &Call<Member>, issued: &IssuedInvitation) -> Answer {
    let say = call.say();
    let text = link(call, issued);
    let link = CopyField { id: "link", label: say.invitation_link().to_owned(), text };
    let sheet = Sheet::new(issued.invitation.email.clone(), &Issued { say, link });
    call.page(sheet.back(say.team(), call.href(PATH))).secret()
}

async fn revoke(call: Call<Member>) -> Result<Answer, Failure> {
    let id = InvitationId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let revoking = call.services().team.revoke_invitation(call.ctx(), id);
    drop(carried_out(revoking, people).await?);
    Ok(call.done_at(PATH, "invitation.revoked"))
}
