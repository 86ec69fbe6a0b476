//! The people of an account: members and invitations.

mod invite;

use accounts::{Access, Account, Area, Invitation, Member as Teammate, Right, Role, UserId};
use askama::Template;
use intake::{Form, checks::one_of, noun};
use kernel::{FieldFault, Mode};

use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    format::moment,
    layout::Sheet,
    markup::Markup,
    page::{Group, Page},
    parts::{Asked, ButtonForm, Field, Moment, Pill, Tone},
    reply::{answered, carried_out},
    texts::Say,
};

use super::refusals::people;

const READ: Right = Right::of(Area::Team, Access::Read);
const WRITE: Right = Right::of(Area::Team, Access::Write);
const PATH: &str = "settings/team";

const ROLE: Form<Role> = Form::body(
    "Role",
    noun("this form", "este formulario"),
    |fields| fields.required("role", one_of(Role::EVERY, Role::name)),
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    let own = vec![
        Page::get(PATH, READ, show).listed(Group::Settings, "users", Say::team).key("4"),
        Page::get("settings/team/{user}/role", WRITE, ask_role).grave(),
        Page::post("settings/team/{user}/role", WRITE, change_role).grave(),
        Page::get("settings/team/{user}/remove", WRITE, ask_remove).grave(),
        Page::post("settings/team/{user}/remove", WRITE, remove).grave(),
    ];
    [own, invite::pages()].into_iter().flatten().collect()
}

/// What a role is called.
pub(super) const fn role_name(say: Say, role: Role) -> &'static str {
    match role {
        Role::Owner => say.role_owner(),
        Role::Admin => say.role_admin(),
        Role::Sales => say.role_sales(),
        Role::Accountant => say.role_accountant(),
        Role::Warehouse => say.role_warehouse(),
        Role::Viewer => say.role_viewer(),
    }
}

/// What tells a test account from a live one.
pub(super) fn account_pill(account: &Account) -> Option<Pill> {
    (account.mode() == Mode::Test).then(|| Pill::new(Tone::Plain, "SANDBOX"))
}

/// A field for a role, each with what it may, of those that the member may give.
fn role_field(call: &Call<Member>, values: &Values) -> Field {
    let say = call.say();
    let may_give = |role: &&Role| call.who.entry.role.governs(**role);
    let choice = |role: &Role| (role.name().to_owned(), role_about(say, *role).to_owned());
    let choices = Role::EVERY.iter().filter(may_give).map(choice).collect();
    Field::select("role", say.role(), choices, values)
}

const fn role_about(say: Say, role: Role) -> &'static str {
    match role {
        Role::Owner => say.role_owner_about(),
        Role::Admin => say.role_admin_about(),
        Role::Sales => say.role_sales_about(),
        Role::Accountant => say.role_accountant_about(),
        Role::Warehouse => say.role_warehouse_about(),
        Role::Viewer => say.role_viewer_about(),
    }
}

#[derive(Template)]
#[template(path = "settings/team.html", whitespace = "minimize")]
struct Team {
    say: Say,
    members: Vec<MemberLine>,
    invitations: Vec<InvitationLine>,
}

struct MemberLine {
    /// As approval rules name them.
    id: String,
    name: String,
    email: String,
    role: &'static str,
    since: Moment,
    has_totp: Option<Pill>,
    /// Where the role is changed and the member removed, if whoever looks may.
    href: Option<String>,
}

struct InvitationLine {
    email: String,
    role: &'static str,
    expires: Moment,
    revoke: ButtonForm,
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, services) = (call.say(), call.services());
    let members = answered(services.team.members(call.account())).await?;
    let invitations = answered(services.team.invitations(call.account(), call.now())).await?;
    let zone = call.zone();
    let path = call.href(PATH);
    let member = |member: Teammate| MemberLine {
        id: member.user.id.to_string(),
        role: role_name(say, member.role),
        since: moment(member.created_at, zone, call.language),
        has_totp: member.user.totp_since.map(|_| Pill::new(Tone::Good, say.has_totp())),
        href: (call.may(WRITE) && call.who.entry.role.governs(member.role))
            .then(|| format!("{path}/{}", member.user.id)),
        name: member.user.name,
        email: member.user.email,
    };
    let invitation = |invitation: Invitation| InvitationLine {
        role: role_name(say, invitation.role),
        expires: moment(invitation.expires_at, zone, call.language),
        revoke: call
            .button(format!("{path}/invitations/{}/revoke", invitation.id), say.take_back())
            .class("link danger"),
        email: invitation.email,
    };
    let body = Team {
        say,
        members: members.into_iter().map(member).collect(),
        invitations: invitations.into_iter().map(invitation).collect(),
    };
    let sheet = Sheet::new(say.team(), &body);
    let invite = call.href("settings/team/invite");
    Ok(call.page(if call.may(WRITE) { sheet.action(say.invite(), invite) } else { sheet }))
}

/// The member of the path.
async fn member(call: &Call<Member>) -> Result<Teammate, Failure> {
    let id = UserId::parse(call.parameter("user")).ok_or(Failure::Nothing)?;
    let members = answered(call.services().team.members(call.account())).await?;
    members.into_iter().find(|member| member.user.id == id).ok_or(Failure::Nothing)
}

async fn ask_role(call: Call<Member>) -> Result<Answer, Failure> {
    let member = member(&call).await?;
    Ok(role_page(&call, &member, &Values::with(&[("role", member.role.name())]), &[]))
}

fn role_page(
    call: &Call<Member>,
    member: &Teammate,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let place = format!("{}/{}/role", call.href(PATH), member.user.id);
    let form = call.form(place, vec![role_field(call, values)], say.save(), faults);
    let sheet = Sheet::new(say.role_of(&member.user.name), &form).wrong_if(!faults.is_empty());
    call.page(sheet.back(say.team(), call.href(PATH)))
}

async fn change_role(call: Call<Member>) -> Result<Answer, Failure> {
    let member = member(&call).await?;
    let role = match call.read(&ROLE)? {
        Ok(role) => role,
        Err(faults) => return Ok(role_page(&call, &member, call.sent.values(), &faults)),
    };
    let changing = call.services().team.change_role(call.ctx(), member.user.id, role);
    Ok(match carried_out(changing, people).await? {
        Ok(_) => call.done_at(PATH, "role.changed"),
        Err(faults) => role_page(&call, &member, call.sent.values(), &faults),
    })
}

async fn ask_remove(call: Call<Member>) -> Result<Answer, Failure> {
    let member = member(&call).await?;
    Ok(removal(&call, &member, &[]))
}

fn removal(call: &Call<Member>, member: &Teammate, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let place = format!("{}/{}/remove", call.href(PATH), member.user.id);
    let form = call.form(place, Vec::new(), say.remove(), faults).dangerous();
    let text = say.remove_intro(&member.user.email);
    let body = Asked { text, form: Markup::of(&form) };
    let sheet = Sheet::new(say.remove_title(&member.user.name), &body);
    call.page(sheet.wrong_if(!faults.is_empty()).back(say.team(), call.href(PATH)))
}

async fn remove(call: Call<Member>) -> Result<Answer, Failure> {
    let member = member(&call).await?;
    let is_self = member.user.id == call.who.person.0.user.id;
    let removing = call.services().team.remove_member(call.ctx(), member.user.id);
    Ok(match carried_out(removing, people).await? {
        Ok(()) if is_self => Answer::see(crate::PANEL_PATH),
        Ok(()) => call.done_at(PATH, "member.removed"),
        Err(faults) => removal(&call, &member, &faults),
    })
}
