//! How programs receive what webhooks send: a call that tries one, and a receiver in four languages.

use askama::Template;

use super::{PATH, READ};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    layout::Sheet,
    page::Page,
    texts::Say,
};

/// Receivers that are tested against the service, each by the name of its language.
const PROGRAMS: &[(&str, &str)] = &[
    ("Node.js", include_str!("../../../../../docs/receivers/node.mjs")),
    ("Python", include_str!("../../../../../docs/receivers/receiver.py")),
    ("PHP", include_str!("../../../../../docs/receivers/receiver.php")),
    ("Rust", include_str!("../../../../webhooks/examples/receiver.rs")),
];

/// The page.
pub(super) fn pages() -> Vec<Page> {
    vec![Page::get("webhooks/receiving", READ, show)]
}

#[derive(Template)]
#[template(path = "webhooks/programs.html", whitespace = "minimize")]
struct Programs {
    say: Say,
    command: String,
    programs: &'static [(&'static str, &'static str)],
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let url = call.public_url();
    let command = format!(
        "curl -sS -X POST '{url}/api/v1/webhooks/<WEBHOOK_ID>/test' -H 'Authorization: Bearer <API_KEY>'"
    );
    let body = Programs { say, command, programs: PROGRAMS };
    Ok(call.page(Sheet::new(say.receiving(), &body).back(say.webhooks(), call.href(PATH))))
}
