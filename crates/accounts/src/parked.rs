//! Forms that were filled in and not sent with success: kept for a while, and offered to whoever filled them in.

use kernel::{AccountId, Fault, Pending, Timestamp, Written};

use crate::UserId;

/// How long a form is kept after it was last filled in, in seconds: 7 days.
pub const PARKED_SECONDS: i64 = 7 * 86_400;
/// The most bytes of its fields: those of any form that the panel takes.
pub const PARKED_BYTES_MAX: usize = 65_536;
/// The most bytes kept of the query of its page.
pub const PARKED_QUERY_BYTES_MAX: usize = 1_024;
/// The most forms kept of a user in an account.
pub const PARKED_MAX: usize = 20;
/// The most of them that are sent to one place.
pub const PARKED_OF_ACTION_MAX: usize = 3;

/// A form to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParkForm {
    /// The idempotency key that it carries, which tells it from others that are sent to the same place.
    pub once: String,
    /// The path of the page that shows it, below that of the account.
    pub page: String,
    /// The query of that page, without `?`.
    pub query: String,
    /// The path that it is sent to, below that of the account.
    pub action: String,
    /// The operation under which its idempotency key counts.
    pub operation: String,
    /// What was filled in, url-encoded; without secrets.
    pub fields: String,
    /// Whether the oldest ones make room for it. Whoever proves a session that has ended alone displaces nothing.
    pub displaces: bool,
}

/// A form that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "as in `ParkForm`")]
pub struct ParkedForm {
    pub once: String,
    pub page: String,
    pub query: String,
    pub action: String,
    pub fields: String,
    pub created_at: Timestamp,
    /// When it was last filled in.
    pub updated_at: Timestamp,
    /// Whether it would be known if it had been carried out all the same, as by a request whose answer was lost. It is not offered
    /// then; later nobody knows, and its idempotency key protects from nothing any more.
    pub is_sure: bool,
}

/// Why a form was not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParkError {
    /// It is longer than [`PARKED_BYTES_MAX`].
    TooLarge,
    /// There are as many as are kept, and it displaces none.
    Full,
    /// It was carried out before.
    Sent,
}

/// What makes room for a form among those that are kept, by once and action, the one last filled in the longest ago first.
///
/// # Errors
/// When it may not be kept.
pub fn displaced(kept: &[(String, String)], form: &ParkForm) -> Result<Vec<String>, ParkError> {
    let is_long = form.fields.len() > PARKED_BYTES_MAX || form.query.len() > PARKED_QUERY_BYTES_MAX;
    if is_long {
        return Err(ParkError::TooLarge);
    }
    let others = || kept.iter().filter(|(once, _)| *once != form.once);
    let alike = || others().filter(|(_, action)| *action == form.action);
    let of_alike = (alike().count() + 1).saturating_sub(PARKED_OF_ACTION_MAX);
    let mut gone: Vec<String> = alike().take(of_alike).map(|(once, _)| once.clone()).collect();
    let of_all = (others().count() + 1).saturating_sub(PARKED_MAX + gone.len());
    let rest = others().filter(|(once, _)| !gone.contains(once)).take(of_all);
    let rest: Vec<_> = rest.map(|(once, _)| once.clone()).collect();
    gone.extend(rest);
    if gone.is_empty() || form.displaces { Ok(gone) } else { Err(ParkError::Full) }
}

/// Forms that are kept. They are no secret of an account's but of the user's who filled them in: nobody else finds them.
pub trait ParkedForms: Send + Sync {
    /// Keeps a form, in the place of what was kept of the same one, unless it was carried out.
    fn park(
        &self,
        account: AccountId,
        user: UserId,
        form: ParkForm,
        now: Timestamp,
    ) -> Pending<Written<(), ParkError>>;

    /// Those that a page shows and that were not carried out, the one last filled in first.
    fn parked(
        &self,
        account: AccountId,
        user: UserId,
        page: String,
        now: Timestamp,
    ) -> Pending<Result<Vec<ParkedForm>, Fault>>;

    /// Whether a form is kept, however long already.
    fn is_parked(
        &self,
        account: AccountId,
        user: UserId,
        once: String,
    ) -> Pending<Result<bool, Fault>>;

    /// Keeps a form no longer. One that is not kept is no fault.
    fn unpark(
        &self,
        account: AccountId,
        user: UserId,
        once: String,
    ) -> Pending<Written<(), ParkError>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(once: &str, action: &str, displaces: bool) -> ParkForm {
        ParkForm {
            once: once.to_owned(),
            page: action.to_owned(),
            query: String::new(),
            action: action.to_owned(),
            operation: "POST /panel/customers/new".to_owned(),
            fields: "name=Ana".to_owned(),
            displaces,
        }
    }

    fn kept(actions: &[&str]) -> Vec<(String, String)> {
        let pair = |(place, action): (usize, &&str)| (place.to_string(), (*action).to_owned());
        actions.iter().enumerate().map(pair).collect()
    }

    #[test]
    fn the_oldest_make_room_and_the_same_one_takes_its_own() {
        let three = kept(&["a", "b", "a", "a"]);
        assert_eq!(displaced(&three, &form("new", "b", false)), Ok(Vec::new()));
        assert_eq!(displaced(&three, &form("new", "a", true)), Ok(vec!["0".to_owned()]));
        assert_eq!(displaced(&three, &form("new", "a", false)), Err(ParkError::Full));
        assert_eq!(displaced(&three, &form("3", "a", false)), Ok(Vec::new()));
        let actions: Vec<String> = (0..PARKED_MAX).map(|place| format!("p{place}")).collect();
        let actions: Vec<&str> = actions.iter().map(String::as_str).collect();
        let full = kept(&actions);
        assert_eq!(displaced(&full, &form("new", "x", true)), Ok(vec!["0".to_owned()]));
        assert_eq!(displaced(&full, &form("new", "x", false)), Err(ParkError::Full));
        assert_eq!(displaced(&full, &form("5", "p5", false)), Ok(Vec::new()));
    }

    #[test]
    fn a_long_form_is_not_kept() {
        let most = ParkForm { fields: "x".repeat(PARKED_BYTES_MAX), ..form("new", "a", true) };
        assert_eq!(displaced(&[], &most), Ok(Vec::new()));
        let fields = "x".repeat(PARKED_BYTES_MAX + 1);
        let long = ParkForm { fields, ..most };
        assert_eq!(displaced(&[], &long), Err(ParkError::TooLarge));
        let query = "x".repeat(PARKED_QUERY_BYTES_MAX + 1);
        let asked = ParkForm { query, ..form("new", "a", true) };
        assert_eq!(displaced(&[], &asked), Err(ParkError::TooLarge));
    }
}
