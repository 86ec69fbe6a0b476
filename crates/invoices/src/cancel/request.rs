//! Whether an invoice can be cancelled.

use kernel::Timestamp;

use super::{CancelInvoice, CancelReason, CancelRefusal, Cancellation, CancellationStatus};
use crate::{Invoice, Status, references::Referrer};

/// The invoice as one whose cancellation is asked for, given who refers to it. `None` when the very same is under
/// way or done already.
///
/// # Errors
/// Why it cannot be.
pub fn request(
    invoice: &Invoice,
    command: &CancelInvoice,
    referrers: &[Referrer],
    now: Timestamp,
) -> Result<Option<Invoice>, CancelRefusal> {
    if let Some(before) = &invoice.cancellation
        && before.status != CancellationStatus::Rejected
    {
        let same =
            before.reason == command.reason && before.replacement_uuid == command.replacement_uuid;
        return if same {
            Ok(None)
        } else {
            Err(CancelRefusal::UnderWay { reason: before.reason })
        };
    }
    if invoice.status != Status::Stamped {
        return Err(CancelRefusal::NotStamped { status: invoice.status });
    }
    let uuids = active_references(referrers);
    if !uuids.is_empty() {
        return Err(CancelRefusal::Related { uuids });
    }
    if command.reason == CancelReason::ErrorsReplaced && !has_replacement(command, referrers) {
        return Err(CancelRefusal::BadReplacement);
    }
    if command.reason != CancelReason::ErrorsReplaced
        && let Some(uuid) = replacement(referrers)
    {
        return Err(CancelRefusal::Replaced { uuid: uuid.to_owned() });
    }
    let mut requested = invoice.clone();
    requested.cancellation = Some(Cancellation {
        status: CancellationStatus::Requested,
        reason: command.reason,
        replacement_uuid: command.replacement_uuid.clone(),
        asked_before: invoice.cancellation.is_some(),
        requested_at: now,
        received_at: None,
        resolved_at: None,
        answer: None,
        fiscal_status: None,
    });
    requested.touch(now);
    Ok(Some(requested))
}

/// The active documents that refer to it other than to take its place. One that is being stamped has no fiscal
/// folio yet, and counts all the same.
fn active_references(referrers: &[Referrer]) -> Vec<String> {
    let active = referrers.iter().filter(|referrer| referrer.is_active() && !referrer.replaces());
    let name = |invoice: &Invoice| invoice.uuid().map_or(invoice.id.to_string(), str::to_owned);
    let mut names: Vec<String> = active.map(|referrer| name(&referrer.invoice)).collect();
    // One may refer to it by two relations.
    names.dedup();
    names
}

/// The fiscal folio of the stamped invoice that has taken its place.
fn replacement(referrers: &[Referrer]) -> Option<&str> {
    let replacing = referrers.iter().filter(|referrer| referrer.replaces());
    let mut stamped = replacing.filter(|referrer| referrer.invoice.status == Status::Stamped);
    stamped.find_map(|referrer| referrer.invoice.uuid())
}

/// Whether the named replacement is stamped and says that it takes the place.
fn has_replacement(command: &CancelInvoice, referrers: &[Referrer]) -> bool {
    let named = command.replacement_uuid.as_deref().unwrap_or_default();
    referrers.iter().filter(|referrer| referrer.replaces()).any(|Referrer { invoice, .. }| {
        invoice.status == Status::Stamped
            && invoice.uuid().is_some_and(|uuid| uuid.eq_ignore_ascii_case(named))
    })
}
