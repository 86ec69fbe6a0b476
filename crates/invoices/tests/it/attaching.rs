//! A stamp that an operator brings is kept only if it confirms the very bytes that were sealed.

use cfdi::stamp::{Stamp, StampProblem};
use invoices::{
    CreditKind, Invoice, Status,
    provider::ProviderKind,
    settled::{DocumentChange, OpenTask, Settled, TaskChange},
    stamping::{AttachRefusal, SealedDocument, attach},
};

use super::samples::{later, sale, stamp, uuid};

const SEALED: &str = r#"<cfdi:Comprobante xmlns:cfdi="http://www.sat.gob.mx/cfd/4" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" Sello="ours"></cfdi:Comprobante>"#;

fn attached(invoice: &Invoice, xml: &str, is_held: bool) -> Result<Settled, AttachRefusal> {
    let sealed = SealedDocument { seal: "ours", xml: SEALED };
    let task = OpenTask { is_held, attempts: 7 };
    attach(invoice, xml, sealed, (task, ProviderKind::Sw), later())
}

#[test]
fn the_stamp_of_what_was_sealed_is_kept_and_charged() {
    let xml = stamp(1, "ours").attached_to(SEALED);
    for is_held in [true, false] {
        let settled = attached(&sale(1, Status::Stamping), &xml, is_held).unwrap();
        assert_eq!(settled.invoice.status, Status::Stamped);
        let stamped = settled.invoice.stamp.unwrap();
        assert_eq!((stamped.stamp, stamped.provider), (stamp(1, "ours"), ProviderKind::Sw));
        assert_eq!(settled.credits.unwrap().kind, CreditKind::Commit);
        assert_eq!(settled.documents, Some(DocumentChange::Stamped(xml.clone())));
        assert_eq!(settled.task, TaskChange::End);
    }
}

#[test]
fn only_the_stamp_is_taken_from_what_an_operator_brings() {
    let changed = SEALED.replace("></", r#" Total="1"></"#);
    let xml = stamp(1, "ours").attached_to(&changed);
    let settled = attached(&sale(1, Status::Stamping), &xml, false).unwrap();
    let Some(DocumentChange::Stamped(kept)) = settled.documents else { panic!("no document") };
    assert_eq!(kept, stamp(1, "ours").attached_to(SEALED));
    assert_eq!(Stamp::read(&kept), Ok(stamp(1, "ours")));
}

#[test]
fn other_documents_are_refused_with_what_is_wrong() {
    let stamping = sale(1, Status::Stamping);
    let another = stamp(2, "another's").attached_to(SEALED);
    let cases = [
        ("hello", AttachRefusal::NoStamp(StampProblem::NotADocument)),
        ("<html/>", AttachRefusal::NoStamp(StampProblem::NotADocument)),
        (SEALED, AttachRefusal::NoStamp(StampProblem::Unstamped)),
        (another.as_str(), AttachRefusal::AnotherDocument { uuid: uuid(2) }),
    ];
    for (xml, refusal) in cases {
        assert_eq!(attached(&stamping, xml, false), Err(refusal), "{xml}");
    }
}

#[test]
fn what_is_not_being_stamped_takes_no_stamp() {
    let xml = stamp(1, "ours").attached_to(SEALED);
    for status in [Status::Draft, Status::Stamped, Status::Cancelled] {
        let refused = attached(&sale(1, status), &xml, false);
        assert_eq!(refused, Err(AttachRefusal::NotStamping { status }));
    }
}
