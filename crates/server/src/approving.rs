//! Approvals, and the words in which refusals of approved calls are kept.

use std::sync::Arc;

use api::told;
use store::{ApprovalDesk, Store, Wording};

/// Approvals on a store. Calls that are refused when they are tried are told as their callers would have been.
pub(crate) fn desk(store: &Arc<Store>) -> Arc<ApprovalDesk> {
    let wording = Wording {
        sending: told,
        placing: told,
        changing: told,
        refunding: told,
        returning: told,
        stocking: told,
        cancelling: told,
    };
    Arc::new(ApprovalDesk::new(store.clone(), wording))
}
