//! Saved views: what a user narrows a list of the panel to, kept under a name. They are the user's own in one account:
//! nobody else sees them, and whoever leaves the account leaves them.

use kernel::{AccountId, Ctx, Fault, FieldFault, Pending, Timestamp, Written, message, text};

use crate::UserId;

kernel::ids! {
    /// The identifier of a saved view.
    SavedViewId = "viw";
}

/// The most views that a user has of one list in one account.
pub const VIEWS_MAX: u32 = 50;
/// The most characters of a name.
pub const VIEW_NAME_CHARS_MAX: usize = 60;
/// The most bytes of a filter, as a query is written.
pub const VIEW_QUERY_BYTES_MAX: usize = 2_000;
/// The most bytes of the path of a list.
const LIST_BYTES_MAX: usize = 100;

/// A filter of a list under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct SavedView {
    pub id: SavedViewId,
    pub account: AccountId,
    pub user: UserId,
    /// The path of the list, below the account.
    pub list: String,
    /// Nobody's other view of the list has it.
    pub name: String,
    /// The query of the list's address. It is judged when the list is opened, as any other.
    pub query: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A view to be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "as of a saved view")]
pub struct NewSavedView {
    pub list: String,
    pub name: String,
    pub query: String,
}

impl NewSavedView {
    /// What is wrong with its fields.
    #[must_use]
    pub fn faults(&self) -> Vec<FieldFault> {
        let name = text::line(&self.name, VIEW_NAME_CHARS_MAX).err();
        let is_long = self.query.len() > VIEW_QUERY_BYTES_MAX || self.list.len() > LIST_BYTES_MAX;
        let query = match self.query.is_empty() {
            true => Some(message!(
                "must narrow the list by something",
                "debe filtrar la lista por algo"
            )),
            false => is_long.then(|| {
                message!(
                    "must have at most {VIEW_QUERY_BYTES_MAX} bytes",
                    "debe tener a lo más {VIEW_QUERY_BYTES_MAX} bytes"
                )
            }),
        };
        let problems = [("name", name), ("query", query)].into_iter();
        problems.filter_map(|(field, problem)| Some(FieldFault::new(field, problem?))).collect()
    }
}

/// Why a command about saved views was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub enum SavedViewError {
    /// The user has as many views of the list as they may.
    TooMany { max: u32 },
    /// Another view of the list has the name.
    NameTaken,
    /// Views are had by users who are members of the account.
    Forbidden,
}

/// The saved views of users. Whose they are is the actor of the call; what is another user's is not there.
pub trait SavedViews: Send + Sync {
    /// The views of a user of one list, by name.
    fn of_list(
        &self,
        account: AccountId,
        user: UserId,
        list: String,
    ) -> Pending<Result<Vec<SavedView>, Fault>>;

    /// A view of a user.
    fn view(
        &self,
        account: AccountId,
        user: UserId,
        id: SavedViewId,
    ) -> Pending<Result<Option<SavedView>, Fault>>;

    /// Saves a view. One of the user's that has the list and the name is replaced.
    fn save(&self, ctx: Ctx, new: NewSavedView) -> Pending<Written<SavedViewId, SavedViewError>>;

    /// Gives a view another name.
    fn rename(
        &self,
        ctx: Ctx,
        id: SavedViewId,
        name: String,
    ) -> Pending<Written<SavedView, SavedViewError>>;

    /// Removes a view. No such one is no fault.
    fn remove(&self, ctx: Ctx, id: SavedViewId) -> Pending<Written<(), SavedViewError>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_has_a_name_and_a_filter_of_bounded_length() {
        let fields = |list: &str, name: &str, query: &str| -> Vec<String> {
            let new = NewSavedView {
                list: list.to_owned(),
                name: name.to_owned(),
                query: query.to_owned(),
            };
            new.faults().into_iter().map(|fault| fault.field).collect()
        };
        let long = "x".repeat(VIEW_QUERY_BYTES_MAX);
        assert!(fields("orders", "Por enviar", "status=paid").is_empty());
        assert!(fields("orders", &"ñ".repeat(VIEW_NAME_CHARS_MAX), &long).is_empty());
        assert_eq!(fields("orders", "", "status=paid"), ["name"]);
        assert_eq!(fields("orders", "a\nb", ""), ["name", "query"]);
        assert_eq!(fields("orders", &"ñ".repeat(VIEW_NAME_CHARS_MAX + 1), "q=x"), ["name"]);
        assert_eq!(fields("orders", "Todo", &format!("{long}x")), ["query"]);
        assert_eq!(fields(&"x".repeat(LIST_BYTES_MAX + 1), "Todo", "q=x"), ["query"]);
    }
}
