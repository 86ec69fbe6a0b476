//! Sending deliveries again.

use ::bulk::{BulkAction, DeliverySelection, Outcome, Row, RowResult, Subject};
use kernel::PageRequest;
use webhooks::{Delivery, DeliveryId, DeliveryQuery};

use super::{Halt, Listed, Run, missing, read, refused, written};

impl Run<'_> {
    pub(super) async fn resend_delivery(
        &self,
        bulk: &BulkAction,
        row: &Row,
    ) -> Result<RowResult, Halt> {
        let Some(id) = DeliveryId::parse(&row.subject) else { return Ok(missing()) };
        let sent = self.services.effects.resend(self.ctx(bulk), self.row_id(row), id).await;
        match written(sent) {
            Ok(made) => Ok(RowResult::done().led_to(&made)),
            Err(refusal) => refused(self.services.wording.delivering, refusal, Outcome::Refused),
        }
    }

    /// A page of the deliveries that are chosen.
    pub(super) async fn deliveries(
        &self,
        chosen: &DeliverySelection,
        page: PageRequest,
    ) -> Result<Listed, Halt> {
        let (webhooks, account) = (&self.services.webhooks, self.task.account);
        if let Some(ids) = &chosen.ids {
            let mut named = Vec::with_capacity(ids.len());
            for id in ids {
                let found = read(webhooks.get_delivery(account, *id).await)?;
                let found = found.map(|found| found.delivery);
                let found = found.filter(|one| one.subscription == chosen.subscription);
                named.extend(found.map(subject));
            }
            return Ok((named, None));
        }
        let query = DeliveryQuery { filter: chosen.filter(), page };
        let listing = webhooks.list_deliveries(account, chosen.subscription, query);
        // Nothing is sent to a webhook that is deleted.
        let Some(listed) = read(listing.await)? else { return Ok((Vec::new(), None)) };
        let meant = listed.items.into_iter().filter(|one| chosen.includes(one.created_at));
        Ok((meant.map(subject).collect(), listed.next))
    }
}

/// A delivery, which people call by its event.
fn subject(delivery: Delivery) -> Subject {
    Subject { id: delivery.id.to_string(), label: delivery.event_name, version: None }
}
