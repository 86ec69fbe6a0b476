//! What the endpoints of categories read.

use catalog::{CategoryChanges, CategoryId, NewCategory, category::CATEGORY_NAME_CHARS_MAX};
use intake::{
    Check, Fields, Form,
    checks::{id, line},
    noun,
};
use kernel::PageRequest;

use super::examples;
use crate::page::page_request_of;

pub(super) const LIST: Form<Asked> = Form::query(read_query);
pub(super) const CREATE: Form<NewCategory> =
    Form::body("CreateCategory", noun("a category", "una categoría"), read_new, examples::CREATE);
pub(super) const UPDATE: Form<CategoryChanges> = Form::body(
    "UpdateCategory",
    noun("a category", "una categoría"),
    read_changes,
    examples::UPDATE,
);

/// Sort order named in the cursors of the list.
pub(super) const ORDER: &str = "-createdAt";

/// Fields that the service sets itself.
const READ_ONLY: &[&str] = &["id", "createdAt", "updatedAt"];

const PARENT: &str =
    "Category that it is directly in, with all that is in it; one of the top without it.";

/// Which categories are listed.
pub(super) struct Asked {
    /// Those directly in this one.
    pub(super) parent: Option<CategoryId>,
    pub(super) page: PageRequest,
}

/// The identifier of a category.
pub(in crate::resources) fn category() -> impl Check<Value = CategoryId> {
    id(noun("a category", "una categoría"), CategoryId::PREFIX, CategoryId::parse)
}

fn read_query(fields: &mut Fields<'_>) -> Option<Asked> {
    let about = "Only those directly in this category.";
    let parent = fields.change("parentId", category().about(about));
    Some(Asked { parent, page: page_request_of(fields, ORDER, CategoryId::PREFIX) })
}

fn read_new(fields: &mut Fields<'_>) -> Option<NewCategory> {
    let name = fields.required("name", line(CATEGORY_NAME_CHARS_MAX));
    let parent = fields.optional("parentId", category().about(PARENT));
    fields.read_only(READ_ONLY);
    Some(NewCategory { name: name.unwrap_or_default(), parent })
}

fn read_changes(fields: &mut Fields<'_>) -> Option<CategoryChanges> {
    let changes = CategoryChanges {
        name: fields.change("name", line(CATEGORY_NAME_CHARS_MAX)),
        parent: fields.patch("parentId", category().about(PARENT)),
    };
    fields.read_only(READ_ONLY);
    Some(changes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_read_and_what_was_read_can_be_sent_back() {
        assert!(CREATE.read_body(examples::CREATE.as_bytes()).unwrap().parent.is_some());
        assert_eq!(UPDATE.read_body(examples::UPDATE.as_bytes()).unwrap().parent, Some(None));
        assert!(CREATE.read_body(examples::CATEGORY.as_bytes()).is_ok());
        assert!(UPDATE.read_body(examples::CATEGORY.as_bytes()).is_ok());
    }
}
