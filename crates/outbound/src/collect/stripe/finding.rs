//! Looking for what may be there: payments whose answer was lost, and the refunds that one answer does not hold.

use kernel::{Timestamp, reason::Reason};
use payments::{
    CallFault, Seen, SeenRefund,
    gateway::{Asked, ListAsked, Listed},
    reconcile::Theirs,
};
use serde_json::Value;

use super::{
    Stripe,
    asking::{Form, is_hosted, seconds},
    seen,
};
use crate::collect::{
    http::{Deadline, nonsense},
    json::{at, each, owned, text},
};

/// The most that one page of a list holds.
const PAGE: i64 = 100;
/// How far the clocks may be apart, in seconds.
const SKEW: i64 = 300;

impl Stripe {
    pub(super) async fn found(&self, asked: &Asked) -> Result<Option<Seen>, CallFault> {
        let by = self.shared.http.deadline();
        let id = match &asked.payment.provider_ref {
            Some(_) => Some(self.provider_ref(by, asked).await?),
            None => self.looked_for(by, asked).await?,
        };
        match id {
            Some(id) => self.shown(by, asked, &id).await.map(Some),
            None => Ok(None),
        }
    }

    /// What a payment is known by whose answer was lost, by what it says of itself. That it is not there is said only when
    /// everything was looked at that was made since.
    pub(super) async fn looked_for(
        &self,
        by: Deadline,
        asked: &Asked,
    ) -> Result<Option<String>, CallFault> {
        let path = match is_hosted(&asked.payment) {
            true => "/v1/checkout/sessions",
            false => "/v1/payment_intents",
        };
        let since = |at: Timestamp| seconds(at) - SKEW;
        let mut window = Form::default();
        window.add("created[gte]", &since(asked.payment.created_at));
        window.add("limit", &PAGE);
        let (account, payment) = (asked.account.to_string(), asked.payment.id.to_string());
        let is_it = |object: &Value| {
            text(object, &["metadata", "account"]) == Some(&account)
                && text(object, &["metadata", "payment"]) == Some(&payment)
        };
        let mut found = None;
        self.walk(by, path, window, |object| {
            if is_it(object) {
                found = owned(object, &["id"]);
            }
            found.is_none()
        })
        .await?;
        Ok(found)
    }

    /// A page of the intents of a time, the newest first. Stripe's moments are whole seconds.
    pub(super) async fn listed(&self, asked: &ListAsked) -> Result<Listed, CallFault> {
        let by = self.shared.http.deadline();
        let second = |at: Timestamp| at.micros().div_euclid(1_000_000);
        let is_begun = |at: Timestamp| i64::from(at.micros().rem_euclid(1_000_000) > 0);
        let mut query = Form::with_details("data.");
        // The first whole second that is not before each of the two.
        query.add("created[gte]", &(second(asked.from) + is_begun(asked.from)));
        query.add("created[lt]", &(second(asked.to) + is_begun(asked.to)));
        query.add("limit", &PAGE);
        if let Some(after) = &asked.cursor {
            query.add("starting_after", after);
        }
        let page = self.get(by, "/v1/payment_intents", &query).await?;
        let intents = each(&page, &["data"]);
        let mut payments = Vec::with_capacity(intents.len());
        for intent in intents {
            let mut seen = seen::of_listed(intent)?;
            if seen::has_more_refunds(intent) {
                seen.refunds = self.all_refunds(by, intent).await?;
            }
            let is_partial = seen::is_try(&seen, intent);
            let created_at = Some(seen::created_at(intent).ok_or_else(nonsense)?);
            payments.push(Theirs { seen, created_at, is_partial });
        }
        let has_more = at(&page, &["has_more"]).and_then(Value::as_bool).ok_or_else(nonsense)?;
        let last = intents.last().and_then(|intent| owned(intent, &["id"]));
        match (has_more, last) {
            (true, None) => Err(nonsense()),
            (true, next) => Ok(Listed { payments, next }),
            (false, _) => Ok(Listed { payments, next: None }),
        }
    }

    /// Every refund of an intent.
    pub(super) async fn all_refunds(
        &self,
        by: Deadline,
        intent: &Value,
    ) -> Result<Vec<SeenRefund>, CallFault> {
        let id = text(intent, &["id"]).ok_or_else(nonsense)?;
        let mut query = Form::default();
        query.add("payment_intent", id);
        query.add("limit", &PAGE);
        let (mut refunds, mut is_odd) = (Vec::new(), false);
        self.walk(by, "/v1/refunds", query, |refund| {
            if !seen::is_release(intent, refund) {
                match seen::of_refund(refund) {
                    Some(seen) => refunds.push(seen),
                    None => is_odd = true,
                }
            }
            true
        })
        .await?;
        if is_odd { Err(nonsense()) } else { Ok(refunds) }
    }

    /// Goes through a list, page by page, as long as the visitor wants more. A list that there is no time for is an
    /// unknown one.
    async fn walk(
        &self,
        by: Deadline,
        path: &str,
        first: Form,
        mut visit: impl FnMut(&Value) -> bool,
    ) -> Result<(), CallFault> {
        let mut query = first;
        loop {
            let page = self.get(by, path, &query).await?;
            let objects = each(&page, &["data"]);
            if !objects.iter().all(&mut visit) {
                return Ok(());
            }
            let has_more = at(&page, &["has_more"]).and_then(Value::as_bool);
            let last = objects.last().and_then(|object| text(object, &["id"]));
            match (has_more, last) {
                (Some(false), _) => return Ok(()),
                (Some(true), Some(last)) if !by.is_over() => query.set("starting_after", last),
                (Some(true), Some(_)) => {
                    return Err(CallFault::Unknown(Reason::TooMuchToSearch.alone()));
                }
                _ => return Err(nonsense()),
            }
        }
    }
}
