//! The first steps of a new account, as long as one of them is left.

use accounts::{Access, Area, Right, ToDo};

use crate::call::{Call, Member};

/// After so many seconds an account is not new any more: two weeks.
const NEW_SECONDS: i64 = 14 * 86_400;

/// Something that a new account needs.
pub(super) struct Step {
    pub(super) label: &'static str,
    pub(super) href: String,
    pub(super) is_done: bool,
}

/// Whether there are steps to be shown: whoever governs a new account sees them.
pub(super) fn are_shown(call: &Call<Member>) -> bool {
    let new_until = call.who.entry.account.created_at.plus_seconds(NEW_SECONDS);
    call.now() < new_until && call.may(Right::of(Area::Settings, Access::Write))
}

/// The steps; none once all are done.
pub(super) fn of(call: &Call<Member>, found: &ToDo) -> Vec<Step> {
    if !are_shown(call) {
        return Vec::new();
    }
    let say = call.say();
    let step = |label, path: &str, is_done| Step { label, href: call.href(path), is_done };
    let steps = vec![
        step(say.step_products(), "products", found.has_products),
        step(say.step_issuer(), "settings/invoicing", found.has_issuer),
        step(say.step_key(), "settings/api-keys", found.has_api_keys),
        step(say.step_order(), "orders/new", found.has_orders),
    ];
    let is_any_left = steps.iter().any(|step| !step.is_done);
    if is_any_left { steps } else { Vec::new() }
}
