//! The keys that do something outside of fields.

use askama::Template;

use crate::{
    answer::Answer,
    call::{Call, Person},
    failure::Failure,
    layout::Sheet,
    page::{Method, Page},
    texts::Say,
};

pub(super) fn pages() -> Vec<Page> {
    vec![Page::personal(Method::Get, "me/keys", show)]
}

#[derive(Template)]
#[template(path = "people/keys.html", whitespace = "minimize")]
struct Keys {
    say: Say,
    lines: [(&'static [&'static str], &'static str); 8],
}

async fn show(call: Call<Person>) -> Result<Answer, Failure> {
    let say = call.say();
    let lines: [(&[&str], _); 8] = [
        (&["/", "Ctrl K", "⌘ K"], say.key_search()),
        (&["g …"], say.key_goes()),
        (&["n"], say.key_new()),
        (&["j", "k"], say.key_rows()),
        (&["Enter"], say.key_open()),
        (&["x"], say.key_select()),
        (&["?"], say.key_help()),
        (&["Esc"], say.key_close()),
    ];
    let sheet = Sheet::new(say.keys(), &Keys { say, lines });
    Ok(call.page(sheet.back(say.me(), "/panel/me")))
}
