//! What must be on record before a provider is asked to stamp.

use std::collections::HashMap;

use invoices::{
    Balance, CancellationStatus, CreditKind, Debts, Holders, Invoice, InvoiceError, Status,
    provider::ProviderKind,
    references::{PAID, REPLACES},
    settled::Around,
    stamping::{Billed, Reserved, Sealing, Sources, reserve},
};
use kernel::Refused;

use super::{
    fields_of, order,
    samples::{holder, id, later, of, receipt, rejection, sale, uuid, with_cancellation},
};

struct Story {
    invoice: Invoice,
    sources: Sources,
    around: Around,
    balance: Balance,
    debts: Debts,
    provider: ProviderKind,
}

impl Story {
    fn of(invoice: Invoice) -> Self {
        let balance = Balance { available: 10, reserved: 0 };
        let (sources, around) = (Sources::default(), Around::default());
        let provider = ProviderKind::Sandbox;
        Self { invoice, sources, around, balance, debts: Debts::default(), provider }
    }

    fn reserve(&self) -> Result<Reserved, Refused<InvoiceError>> {
        let Self { invoice, sources, around, balance, debts, provider } = self;
        let document = &invoice.document;
        let (balance, provider) = (*balance, *provider);
        let sealing = Sealing { document, debts, sources, around, balance, provider };
        reserve(invoice, &sealing, later())
    }
}

fn with_orders() -> Invoice {
    let mut invoice = sale(1, Status::Draft);
    invoice.draft.orders = vec![order(1), order(2)];
    invoice
}

#[test]
fn what_has_fiscal_value_refers_to_nothing_that_has_none() {
    let changes: [fn(&mut Story); 3] = [
        |story| story.sources.related = vec![sale(2, Status::Stamped)],
        |story| story.sources.paid = vec![sale(2, Status::Stamped)],
        |story| story.around.replaced = vec![sale(2, Status::Stamped)],
    ];
    for (change, field) in changes.into_iter().zip(["related", "payments", "related"]) {
        let mut story = Story::of(sale(1, Status::Draft));
        change(&mut story);
        assert!(story.reserve().is_ok(), "the sandbox may");
        story.provider = ProviderKind::Sw;
        match story.reserve() {
            Err(Refused::Invalid(faults)) => assert_eq!(faults[0].field, field),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_draft_is_being_stamped_and_its_credits_are_set_aside() {
    let mut story = Story::of(with_orders());
    story.invoice.last_error = Some(invoices::LastError { at: later(), rejection: rejection() });
    story.around.holders = Holders::from([(order(1), holder(1))]);
    let reserved = story.reserve().unwrap();
    assert_eq!((reserved.invoice.status, reserved.invoice.version), (Status::Stamping, 2));
    assert_eq!(reserved.invoice.last_error, None);
    let credits = reserved.credits;
    assert_eq!((credits.kind, credits.available, credits.reserved), (CreditKind::Reserve, -10, 10));
    let taken: Vec<_> = reserved.orders.iter().map(|change| (change.order, change.from)).collect();
    assert_eq!(taken, [(order(2), None)], "it holds the other already");
}

#[test]
fn only_a_draft_is_reserved() {
    for status in [Status::Stamping, Status::Stamped, Status::Cancelled] {
        let refused = Story::of(sale(1, status)).reserve();
        assert_eq!(refused, Err(Refused::Rule(InvoiceError::NotDraft { status })));
    }
}

#[test]
fn an_order_goes_to_its_replacement_and_to_nobody_else() {
    let mut story = Story::of(with_orders());
    story.around.holders = Holders::from([(order(1), holder(7))]);
    let taken = InvoiceError::OrderInvoiced { order: order(1), invoice: id(7) };
    assert_eq!(story.reserve(), Err(Refused::Rule(taken)));
    story.invoice.draft.related = receipt(&[], Some(7)).related;
    let moved = story.reserve().unwrap().orders;
    let moved: Vec<_> = moved.iter().map(|change| (change.from, change.to)).collect();
    assert_eq!(moved, [(Some(id(7)), Some(id(1))), (None, Some(id(1)))]);
}

#[test]
fn what_changed_around_a_draft_is_named_at_once() {
    let mut story = Story::of(with_orders());
    story.sources = Sources {
        billed: Billed { is_cancelled: true, ..Billed::default() },
        related: vec![with_cancellation(CancellationStatus::Requested)],
        paid: vec![with_cancellation(CancellationStatus::Accepted)],
        ..Sources::default()
    };
    let Err(Refused::Invalid(faults)) = story.reserve() else { panic!("it is refused") };
    assert_eq!(fields_of(&faults), ["orderIds", "related", "payments"]);
    // A cancellation that was refused leaves the document as it was.
    story.sources = Sources {
        related: vec![with_cancellation(CancellationStatus::Rejected)],
        ..Sources::default()
    };
    assert!(story.reserve().is_ok());
    let billed = Billed { lacks_withheld: true, ..Billed::default() };
    story.sources = Sources { billed, ..Sources::default() };
    let Err(Refused::Invalid(faults)) = story.reserve() else { panic!("it is refused") };
    assert_eq!(fields_of(&faults), ["orderIds"]);
}

#[test]
fn a_stamp_must_be_paid_for() {
    let mut story = Story::of(sale(1, Status::Draft));
    story.balance.available = 9;
    let short = InvoiceError::InsufficientCredits { available: 9 };
    assert_eq!(story.reserve(), Err(Refused::Rule(short)));
}

#[test]
fn what_it_refers_to_is_on_record_once() {
    let paid = sale(5, Status::Stamped);
    let owed = HashMap::from([(id(5), paid.owed().unwrap())]);
    let debts = Debts { owed, ..Debts::default() };
    let draft = receipt(&[(id(5), "10"), (id(5), "20")], Some(7));
    let mut story = Story::of(of(1, draft, &debts, Status::Draft));
    story.around.owing = vec![paid];
    story.debts = debts;
    let reserved = story.reserve().unwrap();
    let references: Vec<_> = reserved
        .references
        .iter()
        .map(|reference| (reference.uuid.clone(), reference.relation.as_str()))
        .collect();
    assert_eq!(references, [(uuid(5), PAID), (uuid(7), REPLACES)]);
    assert_eq!(reserved.owing[0].balance, Some(super::amount("70")));
}
