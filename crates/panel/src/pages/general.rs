//! The account itself: what it is called.

use accounts::{Access, Area, Right, account};
use intake::{Form, checks::text, noun};
use kernel::FieldFault;

use super::refusals::people;
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    layout::Sheet,
    page::{Group, Page},
    parts::Field,
    reply::carried_out,
    texts::Say,
};

const READ: Right = Right::of(Area::Settings, Access::Read);
const WRITE: Right = Right::of(Area::Settings, Access::Write);
const PATH: &str = "settings/general";

const FORM: Form<String> = Form::body(
    "General",
    noun("this form", "este formulario"),
    |fields| fields.required("name", text(account::name)),
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show).listed(Group::Settings, "house", Say::general).key("1"),
        Page::post(PATH, WRITE, rename),
    ]
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let values = Values::with(&[("name", call.who.entry.account.name.as_str())]);
    Ok(page(&call, &values, &[]))
}

fn page(call: &Call<Member>, values: &Values, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let name = Field::text("name", say.account_name(), values).hint(say.account_name_hint());
    let form = call.form(call.href(PATH), vec![name], say.save(), faults);
    call.page(Sheet::new(say.general(), &form).wrong_if(!faults.is_empty()))
}

async fn rename(call: Call<Member>) -> Result<Answer, Failure> {
    let name = match call.read(&FORM)? {
        Ok(name) => name,
        Err(faults) => return Ok(page(&call, call.sent.values(), &faults)),
    };
    let renaming = call.services().team.rename_account(call.ctx(), name);
    Ok(match carried_out(renaming, people).await? {
        Ok(_) => call.done_at(PATH, "saved"),
        Err(faults) => page(&call, call.sent.values(), &faults),
    })
}
