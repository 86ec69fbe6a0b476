//! Saved views: what a list is narrowed to is kept under a name, given another one, and removed.

use accounts::{
    NewSavedView, Right, SavedView, SavedViewError, SavedViewId, Scope,
    saved_views::VIEW_NAME_CHARS_MAX,
};
use askama::Template;
use intake::{
    Form,
    checks::{line, text},
    noun,
};
use kernel::{FieldFault, message};

use crate::{
    answer::Answer,
    around::opens,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    layout::Sheet,
    list,
    markup::Markup,
    page::Page,
    parts::Field,
    reply::{carried_out, found, whole},
};

/// Every role may look at orders, and has views of the lists that it may look at.
const READ: Right = Right::read(Scope::Orders);
const PATH: &str = "views";

const NEW: Form<NewSavedView> = Form::body(
    "NewSavedView",
    noun("this form", "este formulario"),
    |fields| {
        let name = fields.required("name", line(VIEW_NAME_CHARS_MAX));
        let path = fields.required("list", text(|path| Ok(path.to_owned())));
        let query = fields.required("query", text(|query| Ok(query.to_owned())));
        Some(NewSavedView { list: path?, name: name?, query: query? })
    },
    "",
);
const NAME: Form<String> = Form::body(
    "SavedViewName",
    noun("this form", "este formulario"),
    |fields| fields.required("name", line(VIEW_NAME_CHARS_MAX)),
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::post(PATH, READ, save).fleeting(),
        Page::get("views/{id}", READ, show),
        Page::post("views/{id}", READ, rename),
        Page::post("views/{id}/remove", READ, remove),
    ]
}

/// A list that the member may open, by its path.
fn listed<'a>(call: &'a Call<Member>, path: &str) -> Option<&'a Page> {
    let mut lists = call.panel.inside.iter().filter(|page| page.is_list);
    lists.find(|page| page.path == path && opens(&call.who.entry, page))
}

/// To a list, narrowed to something, which says what was done.
fn told_at(call: &Call<Member>, path: &str, query: &str, word: &str) -> Answer {
    Answer::see(&format!("{}?{query}&did={word}", call.href(path)))
}

async fn save(call: Call<Member>) -> Result<Answer, Failure> {
    let new = match call.read(&NEW)? {
        Ok(new) => new,
        Err(faults) => return Ok(asking(&call, &faults)),
    };
    // Views are kept of the lists that there are.
    let path = listed(&call, &new.list).ok_or(Failure::Nothing)?.path;
    let query = list::narrowed(&Values::of_query(&new.query));
    let new = NewSavedView { query: query.clone(), ..new };
    let saving = call.services().saved_views.save(call.ctx(), new);
    Ok(match carried_out(saving, refused).await? {
        Ok(_) => told_at(&call, path, &query, "view.saved"),
        Err(faults) => asking(&call, &faults),
    })
}

/// The form of a list once more, by itself.
fn asking(call: &Call<Member>, faults: &[FieldFault]) -> Answer {
    let (say, values) = (call.say(), call.sent.values());
    let name = Field::text("name", say.name(), values).hint(say.view_hint());
    let form = call.form(call.href(PATH), vec![name], say.save_view(), faults);
    let form = form.hidden("list", values.shown("list")).hidden("query", values.shown("query"));
    let sheet = Sheet::new(say.save_view(), &form).wrong_if(!faults.is_empty());
    call.page(match listed(call, values.shown("list")) {
        Some(page) => sheet.back(say.to_the_list(), call.href(page.path)),
        None => sheet,
    })
}

/// The member's view of the path.
async fn view(call: &Call<Member>) -> Result<SavedView, Failure> {
    let id = SavedViewId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let user = call.who.person.0.user.id;
    found(call.services().saved_views.view(call.account(), user, id)).await
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let view = view(&call).await?;
    Ok(editing(&call, &view, &Values::with(&[("name", view.name.as_str())]), &[]))
}

#[derive(Template)]
#[template(path = "views/detail.html", whitespace = "minimize")]
struct Detail {
    rename: Markup,
    remove: Markup,
}

fn editing(
    call: &Call<Member>,
    view: &SavedView,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    let place = format!("{}/{}", call.href(PATH), view.id);
    let name = Field::text("name", say.name(), values);
    let rename = call.form(place.as_str(), vec![name], say.save(), faults);
    let removing = call.form(format!("{place}/remove"), Vec::new(), say.remove_view(), &[]);
    let removing = removing.dangerous().hidden("list", view.list.as_str());
    let body = Detail { rename: Markup::of(&rename), remove: Markup::of(&removing) };
    let sheet = Sheet::new(view.name.as_str(), &body).wrong_if(!faults.is_empty());
    let back = format!("{}?{}", call.href(&view.list), view.query);
    call.page(sheet.back(say.to_the_list(), back))
}

async fn rename(call: Call<Member>) -> Result<Answer, Failure> {
    let view = view(&call).await?;
    let name = match call.read(&NAME)? {
        Ok(name) => name,
        Err(faults) => return Ok(editing(&call, &view, call.sent.values(), &faults)),
    };
    let renaming = call.services().saved_views.rename(call.ctx(), view.id, name);
    Ok(match carried_out(renaming, refused).await? {
        Ok(view) => told_at(&call, &view.list, &view.query, "view.renamed"),
        Err(faults) => editing(&call, &view, call.sent.values(), &faults),
    })
}

/// Sent twice, the second time finds nothing to remove, and says the same.
async fn remove(call: Call<Member>) -> Result<Answer, Failure> {
    let id = SavedViewId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    let path = listed(&call, call.sent.values().shown("list")).ok_or(Failure::Nothing)?.path;
    let removing = call.services().saved_views.remove(call.ctx(), id);
    match carried_out(removing, refused).await? {
        Ok(()) => Ok(call.done_at(path, "view.removed")),
        Err(faults) => Err(super::money::refused(&faults)),
    }
}

/// Why a view is not kept so.
fn refused(error: SavedViewError) -> FieldFault {
    match error {
        SavedViewError::TooMany { max } => whole(message!(
            "You have {max} views of this list, the maximum. Remove one first.",
            "Ya tienes {max} vistas de esta lista, el máximo. Quita una antes."
        )),
        SavedViewError::NameTaken => FieldFault::new(
            "name",
            message!(
                "is already the name of another view of yours",
                "ya es el de otra de tus vistas"
            ),
        ),
        SavedViewError::Forbidden => whole(message!(
            "Only members of the account have saved views.",
            "Solo los miembros de la cuenta tienen vistas guardadas."
        )),
    }
}
