//! Drafts: made, changed, copied, numbered, and who holds their orders.

use cfdi::document::DocumentType;
use invoices::{
    Fields, HolderChange, Holders, Invoice, InvoiceError, Known, NewInvoice, Status,
    drafting::{change, copy, create, delete, number, refreshed},
    holders::give_back,
};
use kernel::Refused;

use super::{
    amount, issuer, known, now, order,
    samples::{holder, id, later, sale, sale_fields, uuid},
    sold,
};

fn of_order(known: &Known) -> Result<invoices::drafting::Created, Refused<InvoiceError>> {
    let fields = Fields { orders: Some(vec![order(1)]), ..Fields::default() };
    let command = NewInvoice { kind: DocumentType::Income, fields, is_to_stamp: false };
    create(&command, id(1), known, now())
}

fn with_order() -> Known {
    let mut known = known();
    known.orders.insert(order(1), sold(&[(1, 1, 100)]));
    known
}

#[test]
fn a_draft_takes_hold_of_its_order_and_is_told() {
    let created = of_order(&with_order()).unwrap();
    assert_eq!((created.invoice.status, created.invoice.version), (Status::Draft, 1));
    let taken = HolderChange { order: order(1), from: None, to: Some(id(1)) };
    assert_eq!(created.orders, [taken]);
    let names: Vec<_> = created.events.iter().map(|event| event.name).collect();
    assert_eq!(names, ["invoice.created"]);
}

#[test]
fn an_order_is_invoiced_once() {
    let mut known = with_order();
    known.holders.insert(order(1), holder(7));
    let taken = InvoiceError::OrderInvoiced { order: order(1), invoice: id(7) };
    assert_eq!(of_order(&known).unwrap_err(), Refused::Rule(taken));
}

#[test]
fn only_a_draft_is_changed_numbered_and_deleted() {
    for status in [Status::Stamping, Status::Stamped, Status::Cancelled] {
        let invoice = sale(1, status);
        let refused = Refused::Rule(InvoiceError::NotDraft { status });
        let changed = change(&invoice, &Fields::default(), &known(), later());
        assert_eq!(changed.unwrap_err(), refused);
        assert_eq!(number(&invoice, 1, later()).unwrap_err(), refused);
        assert_eq!(delete(&invoice, &Holders::new()).unwrap_err(), refused);
    }
}

#[test]
fn a_folio_belongs_to_its_series() {
    let draft = sale(1, Status::Draft);
    let renamed = |series: &str| {
        let fields = Fields { series: Some(series.to_owned()), ..Fields::default() };
        change(&draft, &fields, &known(), later()).unwrap().invoice
    };
    assert_eq!((renamed("F").folio, renamed("G").folio), (Some(1), None));
    assert_eq!((renamed("F").version, renamed("F").updated_at), (2, later()));
    let numbered = number(&renamed("G"), 9, later()).unwrap();
    assert_eq!((numbered.folio, numbered.version), (Some(9), 3));
}

#[test]
fn orders_change_hands_with_the_draft() {
    let mut known = with_order();
    let created = of_order(&known).unwrap().invoice;
    known.holders = Holders::from([(order(1), holder(1))]);
    known.orders.insert(order(2), sold(&[(1, 1, 100)]));
    let moved = |fields: Fields| change(&created, &fields, &known, later()).unwrap().orders;
    let other = moved(Fields { orders: Some(vec![order(2)]), ..Fields::default() });
    let pairs: Vec<_> = other.iter().map(|change| (change.order, change.to)).collect();
    assert_eq!(pairs, [(order(2), Some(id(1))), (order(1), None)]);
    assert_eq!(moved(Fields { orders: Some(vec![order(1)]), ..Fields::default() }), []);
    assert_eq!(moved(Fields { notes: Some(None), ..Fields::default() }), []);
    let freed = delete(&created, &known.holders).unwrap();
    assert_eq!(freed, [HolderChange { order: order(1), from: Some(id(1)), to: None }]);
}

#[test]
fn a_plain_copy_is_another_sale() {
    let mut original = sale(1, Status::Stamped);
    original.draft.orders = vec![order(1)];
    let copied = copy(&original, false, id(2), &known(), later()).unwrap();
    assert_eq!((copied.invoice.draft.orders.len(), copied.orders.len()), (0, 0));
    assert_eq!((copied.invoice.status, copied.invoice.folio), (Status::Draft, None));
    assert_eq!(copied.invoice.document.items, original.document.items);
}

#[test]
fn a_replacement_leaves_the_orders_where_they_are_until_it_is_stamped() {
    let mut original = sale(1, Status::Stamped);
    original.draft.orders = vec![order(1)];
    let mut known = known();
    known.holders = Holders::from([(order(1), holder(1))]);
    let copied = copy(&original, true, id(2), &known, later()).unwrap();
    assert_eq!(copied.orders, []);
    assert_eq!(copied.invoice.draft.replaces().collect::<Vec<_>>(), [uuid(1)]);
    // Once it has them and is refused, they return.
    let seized = Holders::from([(order(1), holder(2))]);
    let returned = give_back(&copied.invoice, std::slice::from_ref(&original), &seized);
    assert_eq!(returned, [HolderChange { order: order(1), from: Some(id(2)), to: Some(id(1)) }]);
    let cancelled = Invoice { status: Status::Cancelled, ..original };
    assert_eq!(give_back(&copied.invoice, &[cancelled], &seized), []);
    for status in [Status::Draft, Status::Stamping] {
        let refused = copy(&sale(1, status), true, id(2), &known, later()).unwrap_err();
        assert_eq!(refused, Refused::Rule(InvoiceError::NotStamped { status }));
    }
}

#[test]
fn a_draft_follows_its_issuer_and_what_is_sealed_does_not() {
    let moved = invoices::Issuer { legal_name: "OTRA".to_owned(), ..issuer() };
    for status in Status::EVERY {
        let seen = refreshed(sale(1, *status), &moved, &invoices::Debts::default());
        let follows = seen.document.issuer.legal_name == "OTRA";
        assert_eq!(follows, *status == Status::Draft, "{status:?}");
    }
    let fields = sale_fields();
    assert_eq!(fields.items.unwrap()[0].unit_price, Some(amount("100")));
}
