//! Invoices on their way to their receivers.

use std::sync::LazyLock;

use cfdi::document::DocumentType;
use invoices::{
    CancellationStatus, Documents, EmailInvoice, Invoice, InvoiceError, SheetSettings, Status,
    email::{Attempted, EmailRequest, attempted, compose, file_stem, sent},
    testers::Testers,
};
use kernel::{Mode, Refused, mail::MailError};
use tasks::End;

use super::{
    now,
    samples::{id, sale, uuid, with_cancellation},
};

fn to_customer() -> EmailInvoice {
    EmailInvoice { id: id(1), to: None, subject: None, message: None }
}

fn to_ana() -> EmailInvoice {
    EmailInvoice { to: Some(vec!["ana@example.com".to_owned()]), ..to_customer() }
}

/// Of a live account, whose mail goes to anybody.
fn live() -> (Mode, &'static Testers) {
    static NOBODY: LazyLock<Testers> = LazyLock::new(Testers::default);
    (Mode::Live, &NOBODY)
}

fn documents(invoice: Invoice) -> Documents {
    Documents {
        invoice,
        xml: Some("<x/>".to_owned()),
        addenda: None,
        certificate_number: None,
        receipt: None,
        logo: None,
        branch: None,
        sheet: SheetSettings::default(),
    }
}

#[test]
fn only_what_is_stamped_is_sent() {
    for status in [Status::Stamped, Status::Cancelled] {
        assert!(to_ana().request(&sale(1, status), None, live()).is_ok(), "{status:?}");
    }
    let requested = with_cancellation(CancellationStatus::Requested);
    assert!(to_ana().request(&requested, None, live()).is_ok());
    for status in [Status::Draft, Status::Stamping] {
        let refused = to_ana().request(&sale(1, status), None, live()).unwrap_err();
        assert!(matches!(refused, Refused::Rule(InvoiceError::NothingToEmail)), "{refused:?}");
    }
}

#[test]
fn it_goes_to_the_customer_unless_the_sender_says() {
    let stamped = sale(1, Status::Stamped);
    let request = to_customer().request(&stamped, Some("compras@uni.example"), live()).unwrap();
    assert_eq!(request.to, ["compras@uni.example"]);
    assert_eq!(
        to_ana().request(&stamped, Some("compras@uni.example"), live()).unwrap().to,
        ["ana@example.com"]
    );
    let mut to_nobody = stamped.clone();
    to_nobody.draft.customer = None;
    for (invoice, address, why) in [
        (&to_nobody, Some("compras@uni.example"), "the invoice names no customer"),
        (&stamped, None, "the customer has no e-mail address"),
        (&stamped, Some("peña@uni.example"), "mail servers do not accept"),
    ] {
        match to_customer().request(invoice, address, live()).unwrap_err() {
            Refused::Invalid(faults) => {
                assert_eq!(faults[0].field, "to");
                assert!(faults[0].to_string().contains(why), "{}", faults[0]);
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn test_accounts_send_to_nobody_but_testers() {
    let stamped = sale(1, Status::Stamped);
    let testers = Testers::parse("@uni.example").unwrap();
    let customers = Some("compras@uni.example");
    let test = (Mode::Test, &testers);
    assert_eq!(
        to_customer().request(&stamped, customers, test).unwrap().to,
        ["compras@uni.example"]
    );
    for (command, address, testers) in [
        (to_ana(), customers, &testers),
        (to_customer(), Some("compras@tienda.example"), &testers),
        (to_customer(), customers, &Testers::default()),
    ] {
        match command.request(&stamped, address, (Mode::Test, testers)).unwrap_err() {
            Refused::Invalid(faults) => assert_eq!(faults[0].field, "to"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn emails_say_what_they_bring_unless_the_sender_does() {
    let request = to_ana().request(&sale(1, Status::Stamped), None, live()).unwrap();
    let email = compose("tsk_1", &request, documents(sale(1, Status::Stamped)), b"%PDF".to_vec());
    assert_eq!(email.id, "tsk_1");
    assert!(email.subject.starts_with("Factura F-1 de "), "{}", email.subject);
    assert!(email.text.contains(&format!("Folio fiscal: {}", uuid(1))), "{}", email.text);
    assert!(email.text.contains("SANDBOX"), "{}", email.text);
    let sent = sent(id(1), &email, now());
    assert_eq!(sent.attachments, [format!("{}.xml", uuid(1)), format!("{}.pdf", uuid(1))]);
    assert_eq!((&sent.to, &sent.subject, sent.sent_at), (&email.to, &email.subject, now()));
    let said = EmailRequest {
        subject: Some("Gracias".to_owned()),
        message: Some("Hasta pronto".to_owned()),
        ..request
    };
    let email = compose("tsk_1", &said, documents(sale(1, Status::Stamped)), Vec::new());
    assert_eq!((email.subject.as_str(), email.text.as_str()), ("Gracias", "Hasta pronto"));
}

#[test]
fn what_was_not_taken_is_tried_again_for_a_day() {
    let reason = || "connection refused".to_owned();
    assert_eq!(attempted(Ok(()), 3), Attempted::Sent);
    let refused = attempted(Err(MailError::Refused { reason: reason() }), 0);
    assert_eq!(refused, Attempted::GivenUp(End::Failed(reason())));
    let mut waited = 0;
    for attempts in 0.. {
        let lost = MailError::Unknown { reason: reason() };
        let away = MailError::Unreachable { reason: reason() };
        let (lost, away) = (attempted(Err(lost), attempts), attempted(Err(away), attempts));
        match (lost, away) {
            (Attempted::Again(lost), Attempted::Again(away)) => {
                assert!(lost.is_doubtful && !away.is_doubtful);
                assert_eq!(lost.seconds, away.seconds);
                waited += away.seconds;
            }
            (lost, away) => {
                assert_eq!(lost, Attempted::GivenUp(End::Failed(reason())));
                assert_eq!(lost, away);
                break;
            }
        }
    }
    assert!((85_000..90_000).contains(&waited), "{waited} s");
}

#[test]
fn files_are_named_by_folio_number_or_identifier() {
    assert_eq!(file_stem(&sale(1, Status::Stamped)), uuid(1));
    let mut sealed = sale(1, Status::Stamping);
    sealed.draft.series = "Ñ\"/x".to_owned();
    sealed.folio = Some(7);
    assert_eq!(file_stem(&sealed), "___x-7");
    sealed.folio = None;
    assert_eq!(file_stem(&sealed), sealed.id.to_string());
    assert_eq!(sealed.document.kind, DocumentType::Income);
}
