//! What has happened to an order and to what belongs to it, in words.

use std::collections::HashMap;

use cfdi::catalogs::zones::Zone;
use orders::{
    Order, ShipmentId,
    timeline::{Entry, Paper},
};

use super::PATH;
use crate::{
    call::{Call, Member},
    format::{moment, money},
    pages::{invoices, linked::Ways},
    parts::Happening,
    texts::Say,
};

/// An entry of its timeline, as its page shows it: with how much, or with what its document is called.
pub(super) fn happened(
    call: &Call<Member>,
    (order, papers): (&Order, &HashMap<String, Paper>),
    others: &Ways<'_>,
    entry: Entry,
    zone: Zone,
) -> Happening {
    let say = call.say();
    let known = name(say, &entry.name, entry.document.as_deref()).map(str::to_owned);
    let note = match entry.money {
        Some((amount, currency)) => Some(money(amount, currency)),
        None => papers.get(&entry.subject).and_then(|paper| number(say, paper, &entry.name)),
    };
    let href = match ShipmentId::parse(&entry.subject) {
        Some(id) => Some(format!("{}/{}/shipments/{id}", call.href(PATH), order.id)),
        None if entry.subject == order.id.to_string() => None,
        None => others.page_of(&entry.subject),
    };
    Happening {
        at: moment(entry.at, zone, call.language),
        title: known.unwrap_or(entry.name),
        href,
        note,
    }
}

/// The number of a document, and those of what it replaces where it was stamped.
fn number(say: Say, paper: &Paper, event: &str) -> Option<String> {
    let told = |(series, folio): &(String, u64)| invoices::numbered(say, series, Some(*folio));
    let own = paper.number.as_ref().map(told)?;
    let replaced: Vec<String> = paper.replaces.iter().map(told).collect();
    Some(match event == "invoice.stamped" && !replaced.is_empty() {
        true => say.number_that_replaces(&own, &replaced.join(", ")),
        false => own,
    })
}

/// What has happened, by the name of its event, to a document of that type if it is one; nothing of what other releases tell.
fn name(say: Say, event: &str, document: Option<&str>) -> Option<&'static str> {
    Some(match event {
        "order.created" => say.order_created(),
        "order.updated" => say.order_updated(),
        "order.paid" => say.order_paid(),
        "order.shipped" => say.order_shipped(),
        "order.returned" => say.order_returned(),
        "order.cancelled" => say.order_cancelled(),
        "shipment.created" => say.shipment_created(),
        "shipment.delivered" => say.shipment_delivered(),
        "shipment.cancelled" => say.shipment_cancelled(),
        "payment.created" => say.payment_created(),
        "payment.received" => say.payment_received(),
        "payment.authorized" => say.payment_authorized(),
        "payment.canceled" => say.payment_canceled(),
        "payment.expired" => say.payment_expired(),
        "payment.failed" => say.payment_failed(),
        "payment_link.created" => say.payment_link_created(),
        "refund.created" => say.refund_created(),
        "refund.succeeded" => say.refund_succeeded(),
        "refund.failed" => say.refund_failed(),
        "approval.requested" => say.approval_requested(),
        "approval.decided" => say.approval_decided(),
        other => return invoices::event_name(say, other, document),
    })
}

#[cfg(test)]
mod tests {
    use kernel::Language;
    use webhooks::catalog::every_type;

    use super::*;

    /// What the timeline tells that no event does.
    const BEGINNINGS: &[&str] = &["payment.created", "refund.created", "payment_link.created"];
    /// What belongs to no order, by the first words of its events.
    const ELSEWHERE: &[&str] =
        &["contact", "deal", "import", "inventory", "lead", "product", "quote", "withholding"];

    #[test]
    fn whatever_can_happen_to_an_order_has_words() {
        let events = every_type().map(|event| event.name).filter(|name| {
            let (about, _) = name.split_once('.').unwrap();
            !ELSEWHERE.contains(&about)
        });
        for event in events.chain(BEGINNINGS.iter().copied()) {
            for language in [Language::English, Language::Spanish] {
                assert!(name(Say(language), event, None).is_some(), "{event}");
            }
        }
    }

    #[test]
    fn what_happens_to_a_document_is_said_of_its_type() {
        let say = Say(Language::Spanish);
        for event in
            every_type().map(|event| event.name).filter(|name| name.starts_with("invoice."))
        {
            let told = [None, Some("E"), Some("P")].map(|code| name(say, event, code).unwrap());
            let [invoice, note, receipt] = told;
            assert!(invoice != note && note != receipt && receipt != invoice, "{told:?}");
            assert_eq!(name(say, event, Some("I")), Some(invoice));
        }
    }
}
