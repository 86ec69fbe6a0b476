//! Links that an account gives out to who has no key: made, shown to be copied, and closed.

use askama::{Template, filters::HtmlSafe};
use cfdi::catalogs::zones::Zone;
use kernel::{Refused, message};
use links::{Link, Target};

use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    format::moment,
    parts::{ButtonForm, CopyField},
    reply::{answered, stopped},
};

/// A link that works, with what closes it.
#[derive(Template)]
#[template(path = "parts/given_link.html", whitespace = "minimize")]
pub(super) struct GivenLink {
    url: CopyField,
    until: String,
    close: ButtonForm,
}

impl HtmlSafe for GivenLink {}

/// How such a link is shown.
pub(super) struct Shown<'a> {
    /// The path of its page, as `/invoice`.
    pub(super) page: &'a str,
    pub(super) id: &'static str,
    pub(super) label: &'static str,
    /// Where it is closed, and what that is called.
    pub(super) close: (String, &'static str),
}

impl GivenLink {
    /// A link as it is shown to be copied.
    pub(super) fn new(call: &Call<Member>, link: &Link, shown: Shown<'_>, zone: Zone) -> Self {
        let (action, close) = shown.close;
        let until = moment(link.expires_at, zone, call.language).text;
        Self {
            url: CopyField {
                id: shown.id,
                label: shown.label.to_owned(),
                text: format!("{}{}/{}", call.public_url(), shown.page, link.token.reveal()),
            },
            until: call.say().works_until(&until),
            close: call.button(action, close).class("link"),
        }
    }
}

/// The link of a target, if there is one that works.
pub(super) async fn link(call: &Call<Member>, target: Target) -> Result<Option<Link>, Failure> {
    answered(call.services().links.get(call.account(), target, call.now())).await
}

/// Makes the link of a target, in the place of one before, and leads to where it is shown.
pub(super) async fn open(
    call: &Call<Member>,
    target: Target,
    days: u32,
    (place, word): (&str, &str),
) -> Result<Answer, Failure> {
    let opened = call.services().links.open(call.ctx(), target, days).await;
    settled(call, opened.map(|opened| opened.map(drop)), (place, word))
}

/// Closes the link of a target, and leads to where it was shown.
pub(super) async fn close(
    call: &Call<Member>,
    target: Target,
    (place, word): (&str, &str),
) -> Result<Answer, Failure> {
    let closed = call.services().links.close(call.ctx(), target, None).await;
    settled(call, closed.map(|closed| closed.map(drop)), (place, word))
}

/// To a place of the account, once it is done or was before.
fn settled<E>(
    call: &Call<Member>,
    done: Option<Result<(), Refused<E>>>,
    (place, word): (&str, &str),
) -> Result<Answer, Failure> {
    match done {
        None => Err(stopped()),
        Some(Err(Refused::Fault(fault))) => Err(fault.into()),
        Some(Err(Refused::NotFound)) => Err(Failure::Nothing),
        Some(Err(_)) => Err(Failure::Malformed(message!(
            "This cannot be done as it stands: go back and look at it again.",
            "Así no se puede hacer: regresa y vuelve a verlo."
        ))),
        Some(Ok(())) => Ok(call.done_at(place, word)),
    }
}
