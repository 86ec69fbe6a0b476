//! Mail that the account has sent; where no mail server is set, it is read and copied here.

use accounts::{Access, Area, Mail, MailId, Right};
use askama::Template;
use kernel::{Language, reason};

use super::refusals::people;
use crate::{
    answer::Answer,
    call::{Call, Member},
    csv::{self, Table},
    failure::Failure,
    format::moment,
    layout::Sheet,
    list,
    page::{Group, Page},
    parts::{ButtonForm, Empty, Moment, Pager, Pill, Tone},
    reply::{answered, carried_out, found},
    texts::Say,
};

const READ: Right = Right::of(Area::Settings, Access::Read);
const WRITE: Right = Right::of(Area::Settings, Access::Write);
const PATH: &str = "settings/mail";

/// The pages. What is in a mail may open something, so it asks for the password.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show)
            .listed(Group::Settings, "scroll-text", Say::mail)
            .key("5")
            .list(),
        Page::get("settings/mail.csv", READ, table),
        Page::get("settings/mail/{id}", READ, detail).grave(),
        Page::post("settings/mail/{id}/forget", WRITE, forget),
    ]
}

#[derive(Template)]
#[template(path = "settings/mails.html", whitespace = "minimize")]
struct Listed {
    say: Say,
    is_kept: bool,
    lines: Vec<Line>,
    empty: Option<Empty>,
    pager: Pager,
}

struct Line {
    subject: String,
    recipient: String,
    href: String,
    state: Pill,
    at: Moment,
}

fn state(say: Say, mail: &Mail) -> Pill {
    match (mail.sent_at, &mail.failure) {
        (Some(_), _) => Pill::new(Tone::Good, say.mail_sent()),
        (None, Some(_)) => Pill::new(Tone::Bad, say.mail_failed()),
        (None, None) => Pill::new(Tone::Waiting, say.mail_kept()),
    }
}

/// Why the mail server has not taken it.
fn why(mail: &Mail, language: Language) -> Option<String> {
    let kept = mail.failure.as_deref()?;
    Some(reason::told(kept).in_language(language).to_owned())
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, services) = (call.say(), call.services());
    let asked = list::asked(&call.query);
    let mails = answered(services.mails.mails(call.account(), asked)).await?;
    let zone = call.zone();
    let pager = list::pager(say, &call.href(PATH), &call.query, &mails);
    let line = |mail: Mail| Line {
        href: format!("{}/{}", call.href(PATH), mail.id),
        state: state(say, &mail),
        at: moment(mail.created_at, zone, call.language),
        subject: mail.subject,
        recipient: mail.recipient,
    };
    let lines: Vec<_> = mails.items.into_iter().map(line).collect();
    let empty = lines.is_empty().then(|| Empty::new(say.no_mail()));
    let is_kept = !services.mails.has_mail_server();
    Ok(call.page(Sheet::new(say.mail(), &Listed { say, is_kept, lines, empty, pager })))
}

/// Without what is in them.
async fn table(call: Call<Member>) -> Result<Answer, Failure> {
    let (say, zone, language) = (call.say(), call.zone(), call.language);
    let state = move |mail: &Mail| match (mail.sent_at, &mail.failure) {
        (Some(_), _) => say.mail_sent().to_owned(),
        (None, Some(_)) => say.mail_failed().to_owned(),
        (None, None) => say.mail_kept().to_owned(),
    };
    let table = Table::new(|services, account, page| services.mails.mails(account, page))
        .column(say.identifier(), |mail: &Mail| mail.id.to_string())
        .moment(say.when(), zone, |mail| mail.created_at)
        .column(say.subject(), |mail| mail.subject.clone())
        .column(say.mail_recipient(), |mail| mail.recipient.clone())
        .column(say.state(), state)
        .optional(say.reason(), move |mail| why(mail, language));
    csv::sent(&call, "mail.csv", table)
}

#[derive(Template)]
#[template(path = "settings/mail.html", whitespace = "minimize")]
struct Detail {
    say: Say,
    recipient: String,
    text: Option<String>,
    failure: Option<String>,
    forget: ButtonForm,
}

async fn detail(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let id = MailId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let mail = found(call.services().mails.mail(call.account(), id)).await?;
    let pill = state(say, &mail);
    let body = Detail {
        say,
        failure: why(&mail, call.language),
        recipient: mail.recipient,
        text: mail.text,
        forget: call.button(format!("{}/{id}/forget", call.href(PATH)), say.mail_forget()),
    };
    let sheet = Sheet::new(mail.subject, &body).pill(pill);
    Ok(call.page(sheet.back(say.mail(), call.href(PATH))).secret())
}

async fn forget(call: Call<Member>) -> Result<Answer, Failure> {
    let id = MailId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    drop(carried_out(call.services().mails.forget(call.ctx(), id), people).await?);
    Ok(call.done_at(PATH, "mail.forgotten"))
}
