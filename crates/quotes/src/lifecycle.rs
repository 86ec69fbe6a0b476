//! What becomes of a quote, step by step.

use kernel::{Day, FieldFault, NewEvent, Refusal, Timestamp, message};
use orders::OrderId;

use crate::{
    Acceptance, CustomerId, DAYS_DEFAULT, DAYS_MAX, NewQuote, Offered, PaymentLinkId, Problem,
    Quote, QuoteChanges, QuoteError, QuoteId, Status, Via, Zone, events,
};

/// Drafts a quote of what is offered; its days are those of the zone.
///
/// # Errors
/// When it would be valid for too short or too long.
pub fn draft(
    command: &NewQuote,
    offered: Offered,
    customer: CustomerId,
    (id, number): (QuoteId, i64),
    (zone, now): (Zone, Timestamp),
) -> Result<Quote, FieldFault> {
    let today = zone.day(now);
    let valid_until = command.valid_until.unwrap_or_else(|| today.plus_days(DAYS_DEFAULT));
    check_days(valid_until, today)?;
    Ok(Quote {
        id,
        root: id,
        number,
        revision: 1,
        kept: Status::Draft,
        customer,
        deal: command.deal,
        title: command.title.clone(),
        notes: command.notes.clone(),
        offered,
        valid_until,
        zone,
        wants_link: command.wants_link,
        token: None,
        metadata: command.metadata.clone(),
        sent_at: None,
        acceptance: None,
        rejected_at: None,
        reject_reason: None,
        order: None,
        link: None,
        problem: None,
        created_at: now,
        updated_at: now,
        version: 1,
    })
}

fn check_days(valid_until: Day, today: Day) -> Result<(), FieldFault> {
    if (today..=today.plus_days(DAYS_MAX)).contains(&valid_until) {
        return Ok(());
    }
    let problem = message!(
        "must be from today to {DAYS_MAX} days from now",
        "debe ser de hoy a {DAYS_MAX} días a partir de ahora"
    );
    Err(FieldFault::new("validUntil", problem))
}

/// Changes a draft; only a real change makes a new version. `offered` is what is offered instead, where that changes.
///
/// # Errors
/// When it is no draft any more, or would be valid for too short or too long.
pub fn change(
    before: &Quote,
    changes: &QuoteChanges,
    offered: Option<Offered>,
    now: Timestamp,
) -> Result<Quote, Refusal<QuoteError>> {
    refuse_sent(before, now).map_err(Refusal::Rule)?;
    let mut after = before.clone();
    if let Some(valid_until) = changes.valid_until.filter(|day| *day != before.valid_until) {
        let checked = check_days(valid_until, before.zone.day(now));
        checked.map_err(|fault| Refusal::Invalid(vec![fault]))?;
        after.valid_until = valid_until;
    }
    after.customer = changes.customer.unwrap_or(after.customer);
    after.deal = changes.deal.unwrap_or(after.deal);
    after.title = changes.title.clone().unwrap_or(after.title);
    after.notes = changes.notes.clone().unwrap_or(after.notes);
    after.offered = offered.unwrap_or(after.offered);
    after.wants_link = changes.wants_link.unwrap_or(after.wants_link);
    after.metadata = changes.metadata.clone().unwrap_or(after.metadata);
    Ok(changed(before, after, now))
}

/// Refuses a quote that is no draft any more.
///
/// # Errors
/// [`QuoteError::NotDraft`].
pub fn refuse_sent(quote: &Quote, now: Timestamp) -> Result<(), QuoteError> {
    match quote.status(now) {
        Status::Draft => Ok(()),
        status => Err(QuoteError::NotDraft { status }),
    }
}

fn changed(before: &Quote, mut after: Quote, now: Timestamp) -> Quote {
    if after != *before {
        after.updated_at = now;
        after.version += 1;
    }
    after
}

/// A quote that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sending {
    /// The quote.
    pub quote: Quote,
    /// The revisions before it whose place it takes.
    pub superseded: Vec<Quote>,
    /// What is told.
    pub events: Vec<NewEvent>,
}

/// Offers a draft to its customer; `others` are the other revisions. One that is sent already stays as it is.
///
/// # Errors
/// When its last day is over, it is no draft, or another revision was accepted.
pub fn send(
    draft: &Quote,
    others: &[Quote],
    now: Timestamp,
) -> Result<Sending, Refusal<QuoteError>> {
    let refused = |error| Err(Refusal::Rule(error));
    match draft.status(now) {
        Status::Draft => {}
        Status::Sent => {
            return Ok(Sending { quote: draft.clone(), superseded: vec![], events: vec![] });
        }
        from => return refused(QuoteError::InvalidTransition { from, to: Status::Sent }),
    }
    let is_accepted = |quote: &&Quote| matches!(quote.kept, Status::Accepted | Status::Ordered);
    if let Some(other) = others.iter().find(is_accepted) {
        return refused(QuoteError::AlreadyAccepted { quote: other.id });
    }
    if now >= draft.expires_at() {
        let problem = message!(
            "is over: choose a later day first",
            "ya pasó: elegir primero un día posterior"
        );
        return Err(Refusal::Invalid(vec![FieldFault::new("validUntil", problem)]));
    }
    let mut quote = Quote { kept: Status::Sent, sent_at: Some(now), ..draft.clone() };
    quote = changed(draft, quote, now);
    let superseded = others.iter().filter_map(|other| supersede(other, now)).collect();
    let events = vec![events::sent(&quote)];
    Ok(Sending { quote, superseded, events })
}

/// A revision whose place a later one takes, unless it is a draft or has been so before.
#[must_use]
pub fn supersede(quote: &Quote, now: Timestamp) -> Option<Quote> {
    let is_offered = matches!(quote.kept, Status::Sent | Status::Rejected | Status::Expired);
    is_offered.then(|| changed(quote, Quote { kept: Status::Superseded, ..quote.clone() }, now))
}

/// What comes of accepting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Accepting {
    /// It was accepted before: it stays as it is.
    Before,
    /// It is accepted now, and its order is to be placed.
    Now(Box<Quote>, Vec<NewEvent>),
}

/// Accepts a quote. The merchant may do so after its last day; its customer not.
///
/// # Errors
/// When another revision is offered than the one that was seen, or its status does not allow it.
pub fn accept(
    before: &Quote,
    seen: Option<u32>,
    (via, name): (Via, Option<String>),
    now: Timestamp,
) -> Result<Accepting, QuoteError> {
    if seen.is_some_and(|seen| seen != before.revision) {
        return Err(QuoteError::OtherRevision { current: before.revision });
    }
    let status = before.status(now);
    match (status, via) {
        (Status::Accepted | Status::Ordered, _) => return Ok(Accepting::Before),
        (Status::Sent, _) | (Status::Expired, Via::Merchant) => {}
        (from, _) => {
            return Err(QuoteError::InvalidTransition { from, to: Status::Accepted });
        }
    }
    let acceptance = Some(Acceptance { at: now, via, name });
    let quote = Quote { kept: Status::Accepted, acceptance, ..before.clone() };
    let quote = changed(before, quote, now);
    let events = vec![events::accepted(&quote)];
    Ok(Accepting::Now(Box::new(quote), events))
}

/// What came of placing the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placing {
    /// The order, if it was placed.
    pub order: Option<OrderId>,
    /// The payment link, if one was opened.
    pub link: Option<PaymentLinkId>,
    /// What has not come of it.
    pub problem: Option<Problem>,
}

/// An accepted quote with what came of it.
#[must_use]
pub fn accepted(before: &Quote, placing: Placing, now: Timestamp) -> Quote {
    let Placing { order, link, problem } = placing;
    let kept = if order.is_some() { Status::Ordered } else { Status::Accepted };
    changed(before, Quote { kept, order, link, problem, ..before.clone() }, now)
}

/// Notes that a quote is rejected; one that is so already stays as it is. The merchant may also give up one that was
/// accepted and has become no order, so that it can be revised.
///
/// # Errors
/// When another revision is offered than the one that was seen, or its status does not allow it.
pub fn reject(
    before: &Quote,
    seen: Option<u32>,
    (via, reason): (Via, Option<String>),
    now: Timestamp,
) -> Result<(Quote, Vec<NewEvent>), QuoteError> {
    if seen.is_some_and(|seen| seen != before.revision) {
        return Err(QuoteError::OtherRevision { current: before.revision });
    }
    match (before.status(now), via) {
        (Status::Rejected, _) => return Ok((before.clone(), vec![])),
        (Status::Sent | Status::Expired, _) | (Status::Accepted, Via::Merchant) => {}
        (from, _) => return Err(QuoteError::InvalidTransition { from, to: Status::Rejected }),
    }
    let rejected_at = Some(now);
    let after = Quote {
        kept: Status::Rejected,
        rejected_at,
        reject_reason: reason,
        problem: None,
        ..before.clone()
    };
    let after = changed(before, after, now);
    let told = vec![events::rejected(&after)];
    Ok((after, told))
}

/// Notes that the time of a quote that was sent is over.
#[must_use]
pub fn expire(before: &Quote, now: Timestamp) -> Option<(Quote, NewEvent)> {
    let is_over = before.kept == Status::Sent && now >= before.expires_at();
    is_over.then(|| {
        let after = changed(before, Quote { kept: Status::Expired, ..before.clone() }, now);
        let told = events::expired(&after);
        (after, told)
    })
}

/// Drafts the next revision of a quote that is offered, was rejected or has expired; `others` are its other revisions.
///
/// # Errors
/// When its status does not allow it, or there is such a draft already.
pub fn revise(
    before: &Quote,
    others: &[Quote],
    id: QuoteId,
    (zone, now): (Zone, Timestamp),
) -> Result<Quote, QuoteError> {
    match before.status(now) {
        Status::Sent | Status::Rejected | Status::Expired => {}
        from => return Err(QuoteError::InvalidTransition { from, to: Status::Draft }),
    }
    if let Some(draft) = others.iter().find(|other| other.kept == Status::Draft) {
        return Err(QuoteError::RevisionExists { draft: draft.id });
    }
    let last = others.iter().map(|other| other.revision).max().unwrap_or_default();
    let today = zone.day(now);
    Ok(Quote {
        id,
        revision: last.max(before.revision) + 1,
        kept: Status::Draft,
        // What is over already cannot be offered.
        valid_until: match before.valid_until >= today {
            true => before.valid_until,
            false => today.plus_days(DAYS_DEFAULT),
        },
        zone,
        sent_at: None,
        acceptance: None,
        rejected_at: None,
        reject_reason: None,
        order: None,
        link: None,
        problem: None,
        created_at: now,
        updated_at: now,
        version: 1,
        ..before.clone()
    })
}

#[cfg(test)]
mod tests {
    use kernel::{Amount, Currency, Metadata};

    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn noon() -> Timestamp {
        at("2026-01-31T18:00:00Z")
    }

    fn offered() -> Offered {
        Offered {
            items: Vec::new(),
            subtotal: None,
            discount: None,
            shipping: None,
            tax_total: Amount::ZERO,
            total: Amount::from_micros(10_000_000),
            currency: Currency::MXN,
        }
    }

    fn new() -> NewQuote {
        NewQuote {
            customer: None,
            deal: None,
            title: None,
            notes: None,
            items: Vec::new(),
            discount: None,
            shipping: None,
            valid_until: Day::parse("2026-02-02"),
            wants_link: false,
            metadata: Metadata::default(),
        }
    }

    fn drafted() -> Quote {
        let ids = (QuoteId::from_u128(1), 7);
        draft(&new(), offered(), CustomerId::from_u128(1), ids, (Zone::Central, noon())).unwrap()
    }

    fn sent() -> Quote {
        send(&drafted(), &[], noon()).unwrap().quote
    }

    fn names(events: &[NewEvent]) -> Vec<&'static str> {
        events.iter().map(|event| event.name).collect()
    }

    #[test]
    fn the_last_day_ends_at_midnight() {
        let quote = sent();
        assert_eq!(quote.expires_at(), at("2026-02-03T06:00:00Z"));
        assert_eq!(quote.status(at("2026-02-03T05:59:59Z")), Status::Sent);
        assert_eq!(quote.status(at("2026-02-03T06:00:00Z")), Status::Expired);
        assert!(expire(&quote, at("2026-02-03T05:59:59Z")).is_none());
        let (after, told) = expire(&quote, at("2026-02-03T06:00:00Z")).unwrap();
        assert_eq!((after.kept, told.name), (Status::Expired, "quote.expired"));
        assert!(expire(&after, at("2026-02-04T06:00:00Z")).is_none());
        let in_tijuana = Quote { zone: Zone::Northwest, ..quote };
        assert_eq!(in_tijuana.expires_at(), at("2026-02-03T08:00:00Z"));
    }

    #[test]
    fn days_are_bounded() {
        let day = |text| NewQuote { valid_until: Day::parse(text), ..new() };
        let ids = (QuoteId::from_u128(1), 7);
        let made = |new: &NewQuote| {
            draft(new, offered(), CustomerId::from_u128(1), ids, (Zone::Central, noon()))
                .map(|quote| quote.valid_until)
        };
        for text in ["2026-01-30", "2027-02-01"] {
            assert_eq!(made(&day(text)).unwrap_err().field, "validUntil", "{text}");
        }
        assert!(made(&day("2026-01-31")).is_ok());
        let usual = NewQuote { valid_until: None, ..new() };
        assert_eq!(made(&usual).unwrap(), Day::parse("2026-02-15").unwrap());
        // Five in the morning of the 1st in London is still the 31st in Mexico City, but not in Cancún.
        let late = at("2026-02-01T05:00:00Z");
        for (zone, is_today) in [(Zone::Central, true), (Zone::Southeast, false)] {
            let last = day("2026-01-31");
            let made = draft(&last, offered(), CustomerId::from_u128(1), ids, (zone, late));
            assert_eq!(made.is_ok(), is_today, "{zone:?}");
        }
    }

    #[test]
    fn a_quote_is_sent_once_and_never_changed_then() {
        let sending = send(&drafted(), &[], noon()).unwrap();
        assert_eq!(names(&sending.events), ["quote.sent"]);
        let again = send(&sending.quote, &[], noon()).unwrap();
        assert_eq!((again.quote.clone(), again.events.len()), (sending.quote.clone(), 0));
        let changes = QuoteChanges { title: Some(None), ..QuoteChanges::default() };
        let refused = change(&sending.quote, &changes, None, noon()).unwrap_err();
        assert_eq!(refused, Refusal::Rule(QuoteError::NotDraft { status: Status::Sent }));
        let late = send(&drafted(), &[], at("2026-02-03T06:00:00Z")).unwrap_err();
        assert!(matches!(late, Refusal::Invalid(faults) if faults[0].field == "validUntil"));
    }

    #[test]
    fn only_the_merchant_accepts_late() {
        let late = at("2026-02-03T06:00:00Z");
        let by = |via| accept(&sent(), Some(1), (via, None), late);
        let refused = QuoteError::InvalidTransition { from: Status::Expired, to: Status::Accepted };
        assert_eq!(by(Via::Customer), Err(refused));
        let Ok(Accepting::Now(quote, told)) = by(Via::Merchant) else { panic!("it is accepted") };
        assert_eq!((quote.kept, names(&told)), (Status::Accepted, vec!["quote.accepted"]));
        let again = accept(&quote, None, (Via::Customer, None), late);
        assert_eq!(again, Ok(Accepting::Before));
    }

    #[test]
    fn who_accepts_names_what_they_have_seen() {
        let other = accept(&sent(), Some(2), (Via::Customer, None), noon());
        assert_eq!(other, Err(QuoteError::OtherRevision { current: 1 }));
    }

    #[test]
    fn an_acceptance_stands_without_an_order() {
        let Ok(Accepting::Now(quote, _)) = accept(&sent(), None, (Via::Customer, None), noon())
        else {
            panic!("it is accepted")
        };
        let problem = Problem {
            code: crate::ProblemCode::InsufficientStock,
            english: "none".to_owned(),
            spanish: "nada".to_owned(),
        };
        let nothing = Placing { order: None, link: None, problem: Some(problem) };
        let waiting = accepted(&quote, nothing, noon());
        assert_eq!((waiting.kept, waiting.order), (Status::Accepted, None));
        assert!(reject(&waiting, None, (Via::Customer, None), noon()).is_err());
        let (given_up, _) = reject(&waiting, None, (Via::Merchant, None), noon()).unwrap();
        assert_eq!((given_up.kept, &given_up.problem), (Status::Rejected, &None));
        let again = revise(&given_up, &[], QuoteId::from_u128(2), (Zone::Central, noon())).unwrap();
        assert!(send(&again, &[given_up], noon()).is_ok());
        let placed = Placing { order: Some(OrderId::from_u128(5)), link: None, problem: None };
        let ordered = accepted(&waiting, placed, noon());
        assert_eq!((ordered.kept, ordered.problem), (Status::Ordered, None));
    }

    #[test]
    fn a_revision_takes_the_place_of_the_one_before_when_it_is_sent() {
        let first = sent();
        let second = revise(&first, &[], QuoteId::from_u128(2), (Zone::Central, noon())).unwrap();
        assert_eq!((second.revision, second.root, second.kept), (2, first.id, Status::Draft));
        assert_eq!((second.number, second.offered.clone()), (first.number, first.offered.clone()));
        let twice = revise(
            &first,
            std::slice::from_ref(&second),
            QuoteId::from_u128(3),
            (Zone::Central, noon()),
        );
        assert_eq!(twice, Err(QuoteError::RevisionExists { draft: second.id }));
        let sending = send(&second, std::slice::from_ref(&first), noon()).unwrap();
        let kept: Vec<_> = sending.superseded.iter().map(|quote| quote.kept).collect();
        assert_eq!(kept, [Status::Superseded]);
        let Ok(Accepting::Now(accepted, _)) = accept(&first, None, (Via::Customer, None), noon())
        else {
            panic!("it is accepted")
        };
        let late = send(&second, &[*accepted], noon()).unwrap_err();
        assert_eq!(late, Refusal::Rule(QuoteError::AlreadyAccepted { quote: first.id }));
        assert!(accept(&sending.superseded[0], None, (Via::Merchant, None), noon()).is_err());
    }

    #[test]
    fn a_rejection_is_told_once_and_can_be_revised() {
        let (rejected, told) =
            reject(&sent(), Some(1), (Via::Customer, Some("Caro".to_owned())), noon()).unwrap();
        assert_eq!(names(&told), ["quote.rejected"]);
        assert_eq!(
            reject(&rejected, None, (Via::Customer, None), noon()).unwrap(),
            (rejected.clone(), vec![])
        );
        assert!(revise(&rejected, &[], QuoteId::from_u128(2), (Zone::Central, noon())).is_ok());
        assert!(reject(&drafted(), None, (Via::Merchant, None), noon()).is_err());
        let other = reject(&sent(), Some(2), (Via::Customer, None), noon());
        assert_eq!(other, Err(QuoteError::OtherRevision { current: 1 }));
    }
}
