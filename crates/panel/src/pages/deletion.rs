//! Deleting a record: asked on a page of its own, and done only if the record is as it was seen there.

use intake::{Form, checks::whole_from, noun};
use kernel::FieldFault;

use super::stock::view::asking;
use crate::{
    answer::Answer,
    call::{Call, Member},
};

/// The version of what goes.
pub(super) const DELETION: Form<Option<i64>> = Form::body(
    "Deletion",
    noun("this form", "este formulario"),
    |fields| Some(fields.optional("version", whole_from(1))),
    "",
);

/// What is to go.
pub(super) struct Going<'a> {
    /// Its own page, below the account's, with the one that asks beneath it.
    pub(super) place: String,
    pub(super) name: &'a str,
    pub(super) version: i64,
    /// What goes with it, and what keeps it.
    pub(super) text: &'a str,
}

impl Going<'_> {
    /// The page that asks, with what keeps the record.
    pub(super) fn asked(&self, call: &Call<Member>, faults: &[FieldFault]) -> Answer {
        let say = call.say();
        let action = call.href(&format!("{}/delete", self.place));
        let form = call.form(action, Vec::new(), say.delete(), faults).dangerous();
        let form = form.hidden("version", self.version.to_string());
        let title = say.delete_title(self.name);
        let back = (self.name, self.place.as_str());
        asking(call, (title, self.text), &form, !faults.is_empty(), back)
    }
}
