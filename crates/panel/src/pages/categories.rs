//! Categories: the tree that products are found by.

use accounts::{Right, Scope};
use catalog::{
    Category, CategoryChanges, CategoryError, CategoryId, NewCategory, UpdateCategory,
    category::{CATEGORY_NAME_CHARS_MAX, Tree},
};
use intake::{
    Fields, Form,
    checks::{id, line, whole_from},
    noun,
};
use kernel::{FieldFault, message};

use super::{
    deletion::{DELETION, Going},
    linked::nothing_yet,
    stock::view::{Cell, Table, all_of, asking, words},
};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    page::Page,
    parts::Field,
    reply::{answered, carried_out, found, whole},
};

const READ: Right = Right::read(Scope::Products);
const WRITE: Right = Right::write(Scope::Products);
const PATH: &str = "categories";
/// Stands before a name, once for each category that it is in.
const INDENT: &str = "\u{2003}";

/// What a form says of a category.
struct Filled {
    name: String,
    parent: Option<CategoryId>,
    version: Option<i64>,
}

const FORM: Form<Filled> = Form::body("Category", noun("this form", "este formulario"), read, "");

fn read(fields: &mut Fields<'_>) -> Option<Filled> {
    let name = fields.required("name", line(CATEGORY_NAME_CHARS_MAX));
    let parent = id(noun("a category", "una categoría"), CategoryId::PREFIX, CategoryId::parse);
    let parent = fields.optional("parentId", parent);
    let version = fields.optional("version", whole_from(1));
    Some(Filled { name: name?, parent, version })
}

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get(PATH, READ, show),
        Page::get("categories/new", WRITE, ask_new),
        Page::post("categories/new", WRITE, create),
        Page::get("categories/{id}", WRITE, ask_change),
        Page::post("categories/{id}", WRITE, change),
        Page::get("categories/{id}/delete", WRITE, ask_delete),
        Page::post("categories/{id}/delete", WRITE, delete),
    ]
}

/// All categories of the account.
pub(super) async fn tree(call: &Call<Member>) -> Result<Tree, Failure> {
    answered(call.services().categories.all(call.account())).await.map(Tree::of)
}

/// A category with all that it is a part of: `Hogar > Cocina`.
pub(super) fn path(tree: &Tree, id: CategoryId) -> String {
    let names: Vec<&str> = tree.path(id).iter().map(|category| category.name.as_str()).collect();
    names.join(" > ")
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let say = call.say();
    let tree = tree(&call).await?;
    let may_write = call.may(WRITE);
    let row = |(depth, category): (usize, &Category)| {
        let name = format!("{}{}", INDENT.repeat(depth), category.name);
        let own = format!("{}/{}", call.href(PATH), category.id);
        let products = format!("{}?category={}", call.href("products"), category.id);
        let name = if may_write { Cell::link(name, own) } else { Cell::text(name) };
        vec![name, Cell::link(say.products(), products)]
    };
    let heads = vec![words(say.category()), words(say.products())];
    let table = Table::new(heads, tree.in_order().into_iter().map(row));
    let sheet = all_of(
        say.categories(),
        table,
        nothing_yet(&call, say.no_categories(), (say.new_category(), "categories/new")),
    );
    let sheet = sheet.back(say.products(), call.href("products"));
    Ok(call.page(match may_write {
        true => sheet.action(say.new_category(), call.href("categories/new")),
        false => sheet,
    }))
}

async fn ask_new(call: Call<Member>) -> Result<Answer, Failure> {
    let tree = tree(&call).await?;
    Ok(page(&call, &tree, None, &call.query, &[]))
}

fn page(
    call: &Call<Member>,
    tree: &Tree,
    category: Option<&Category>,
    values: &Values,
    faults: &[FieldFault],
) -> Answer {
    let say = call.say();
    // What is in it cannot be what it is in.
    let own = category.map(|category| tree.subtree(category.id)).unwrap_or_default();
    let others = tree.in_order().into_iter().filter(|(_, other)| !own.contains(&other.id));
    let others = others.map(|(_, other)| (other.id.to_string(), path(tree, other.id)));
    let top = (String::new(), say.at_the_top().to_owned());
    let parents = std::iter::once(top).chain(others).collect();
    let fields = vec![
        Field::text("name", say.name(), values),
        Field::select("parentId", say.part_of(), parents, values),
    ];
    let (title, place) = match category {
        None => (say.new_category().to_owned(), format!("{PATH}/new")),
        Some(category) => (category.name.clone(), format!("{PATH}/{}", category.id)),
    };
    let mut form = call.form(call.href(&place), fields, say.save(), faults);
    if let Some(category) = category {
        form = call.over(form, &values_of(category));
        form = form.leads_to(say.delete(), call.href(&format!("{place}/delete")));
    }
    let back = (say.categories(), PATH);
    asking(call, (title, say.category_intro()), &form, !faults.is_empty(), back)
}

async fn create(call: Call<Member>) -> Result<Answer, Failure> {
    let tree = tree(&call).await?;
    let again = |faults: &[FieldFault]| page(&call, &tree, None, call.sent.values(), faults);
    let Filled { name, parent, .. } = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(again(&faults)),
    };
    let creating = call.services().categories.create(call.ctx(), NewCategory { name, parent });
    Ok(match carried_out(creating, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "category.saved"),
        Err(faults) => again(&faults),
    })
}

/// The category of the path.
async fn one(call: &Call<Member>) -> Result<Category, Failure> {
    let id = CategoryId::parse(call.parameter("id")).ok_or(Failure::Nothing)?;
    found(call.services().categories.get(call.account(), id)).await
}

/// A category as the form has it.
fn values_of(category: &Category) -> Values {
    let parent = category.parent.map(|parent| parent.to_string()).unwrap_or_default();
    let version = category.version.to_string();
    let values = [("name", &category.name), ("parentId", &parent), ("version", &version)];
    Values::with(&values.map(|(name, text)| (name, text.as_str())))
}

async fn ask_change(call: Call<Member>) -> Result<Answer, Failure> {
    let (category, tree) = (one(&call).await?, tree(&call).await?);
    Ok(page(&call, &tree, Some(&category), &values_of(&category), &[]))
}

async fn change(call: Call<Member>) -> Result<Answer, Failure> {
    let (category, tree) = (one(&call).await?, tree(&call).await?);
    let again =
        |faults: &[FieldFault]| page(&call, &tree, Some(&category), call.sent.values(), faults);
    let Filled { name, parent, version } = match call.read(&FORM)? {
        Ok(filled) => filled,
        Err(faults) => return Ok(again(&faults)),
    };
    let changes = CategoryChanges { name: Some(name), parent: Some(parent) };
    let command = UpdateCategory { id: category.id, version, changes };
    let changing = call.services().categories.update(call.ctx(), command);
    Ok(match carried_out(changing, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "category.saved"),
        Err(faults) => again(&faults),
    })
}

async fn ask_delete(call: Call<Member>) -> Result<Answer, Failure> {
    let category = one(&call).await?;
    Ok(deleting(&call, &category, &[]))
}

fn deleting(call: &Call<Member>, category: &Category, faults: &[FieldFault]) -> Answer {
    let place = format!("{PATH}/{}", category.id);
    let text = call.say().delete_category_intro();
    Going { place, name: &category.name, version: category.version, text }.asked(call, faults)
}

async fn delete(call: Call<Member>) -> Result<Answer, Failure> {
    let category = one(&call).await?;
    let version = match call.read(&DELETION)? {
        Ok(version) => version,
        Err(faults) => return Ok(deleting(&call, &category, &faults)),
    };
    let going = call.services().categories.delete(call.ctx(), category.id, version);
    Ok(match carried_out(going, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "category.deleted"),
        Err(faults) => deleting(&call, &category, &faults),
    })
}

fn told(error: &CategoryError) -> FieldFault {
    match error {
        CategoryError::DuplicateName { .. } => FieldFault::new(
            "name",
            message!(
                "is already the name of another category at this level",
                "ya es de otra categoría del mismo nivel"
            ),
        ),
        CategoryError::TooMany { max } => whole(message!(
            "The account has {max} categories, the maximum.",
            "La cuenta tiene {max} categorías, el máximo."
        )),
        CategoryError::HasCategories => whole(message!(
            "There are other categories in this one: move or delete them first.",
            "Hay otras categorías dentro de esta: muévelas o elimínalas antes."
        )),
        CategoryError::HasProducts => whole(message!(
            "There are products in this category: move them first.",
            "Hay productos en esta categoría: muévelos antes."
        )),
    }
}
