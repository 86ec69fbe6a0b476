//! Invoices sent by mail.

use std::time::Duration;

use serde_json::{Value, json};
use testkit::{
    App, FakeSmtp, Kind, on_both,
    smtp::{Behaviour, Step},
};

use super::office::{Office, company, id, is_moment, item, sale};

on_both!(
    an_invoice_goes_to_its_customer,
    the_sender_words_the_email,
    only_a_stamped_invoice_is_sent,
    wrong_emails_are_named,
    an_email_that_is_not_taken_is_told,
    without_a_mail_server_nothing_is_sent,
    a_repeat_sends_no_second_email,
);

fn office(kind: Kind, smtp: &FakeSmtp) -> Office {
    let settings = outbound::mail::Settings {
        smtp_url: smtp.url(),
        from: "Tienda <ventas@tienda.example>".to_owned(),
        timeout: Duration::from_secs(10),
        ca_file: None,
    };
    Office::of(App::with(kind).mail(settings).start())
}

/// The path that sends an invoice.
fn sending(invoice: &Value) -> String {
    format!("/invoices/{}/email", id(invoice))
}

/// A stamped invoice of a customer with an address.
fn of_customer(office: &Office) -> Value {
    let mut customer = company();
    customer["name"] = json!("Universidad");
    customer["email"] = json!("compras@uni.example");
    let customer = id(&office.make("/customers", &customer));
    office.stamped(&json!({"customerId": customer, "paymentForm": "03", "items": [item(116.0)]}))
}

fn an_invoice_goes_to_its_customer(kind: Kind) {
    let smtp = FakeSmtp::start();
    let office = office(kind, &smtp);
    let invoice = of_customer(&office);
    let sent = office.client.act(&sending(&invoice)).expect(200);
    assert_eq!((&sent["id"], &sent["to"]), (&invoice["id"], &json!(["compras@uni.example"])));
    assert!(is_moment(&sent["sentAt"]), "{sent}");
    let emails = smtp.wait_for(1);
    let email = &emails[0];
    assert_eq!(email.to, ["compras@uni.example"]);
    assert_eq!(email.from, "ventas@tienda.example");
    assert_eq!(json!(email.subject()), sent["subject"]);
    assert!(email.subject().contains("Factura F-1"), "{}", email.subject());
    let uuid = invoice["uuid"].as_str().unwrap();
    assert!(email.text.contains(uuid) && email.text.contains("SANDBOX"), "{}", email.text);
    let names: Vec<&str> = email.attachments.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, [format!("{uuid}.xml"), format!("{uuid}.pdf")]);
    assert_eq!(sent["attachments"], json!(names));
    let xml = office.client.get(&format!("/invoices/{}/xml", id(&invoice))).text;
    assert_eq!(email.attachments[0].bytes, xml.as_bytes());
    assert!(email.attachments[1].bytes.starts_with(b"%PDF"));
}

fn the_sender_words_the_email(kind: Kind) {
    let smtp = FakeSmtp::start();
    let office = office(kind, &smtp);
    let invoice = of_customer(&office);
    let body = json!({"to": ["ana@example.com", "beto@example.com"], "subject": "Su factura ñ",
        "message": "Gracias.\n\n¡Hasta pronto!"});
    let sent = office.client.post(&sending(&invoice), &body).expect(200);
    assert_eq!((&sent["to"], &sent["subject"]), (&body["to"], &body["subject"]));
    let emails = smtp.wait_for(1);
    assert_eq!(emails[0].to, ["ana@example.com", "beto@example.com"]);
    assert_eq!(emails[0].subject(), "Su factura ñ");
    assert!(emails[0].text.contains("¡Hasta pronto!"), "{}", emails[0].text);
    assert_eq!(emails[0].attachments.len(), 2);
}

fn only_a_stamped_invoice_is_sent(kind: Kind) {
    let smtp = FakeSmtp::start();
    let office = office(kind, &smtp);
    let draft = office.draft(&sale(116.0));
    let to = json!({"to": ["ana@example.com"]});
    let message = office.client.post(&sending(&draft), &to).refused(409, "conflict");
    assert!(message.contains("stamp"), "{message}");
    let nobody = office.stamped_sale(116.0);
    let message = office.client.act(&sending(&nobody)).refused(400, "validation_failed");
    assert!(message.starts_with("to is required"), "{message}");
    let ana = id(&office.make("/customers", &json!({"name": "Ana"})));
    let mut body = sale(116.0);
    body["customerId"] = json!(ana);
    let unreachable = office.stamped(&body);
    let message = office.client.act(&sending(&unreachable)).refused(400, "validation_failed");
    assert!(message.contains("no e-mail address"), "{message}");
    assert!(smtp.emails().is_empty());
    let foreign = office.app.client().post(&sending(&nobody), &to);
    let _ = foreign.refused(404, "not_found");
}

fn wrong_emails_are_named(kind: Kind) {
    let smtp = FakeSmtp::start();
    let office = office(kind, &smtp);
    let invoice = of_customer(&office);
    let many: Vec<String> = (0..11).map(|number| format!("a{number}@example.com")).collect();
    for (body, field) in [
        (json!({"to": []}), "to"),
        (json!({"to": "ana@example.com"}), "to"),
        (json!({"to": ["ana"]}), "to[0]"),
        (json!({"to": ["ñana@shop.example"]}), "to[0]"),
        (json!({"to": ["ana@example.com\r\nBcc: eva@example.com"]}), "to[0]"),
        (json!({"to": many}), "to"),
        (json!({"subject": "a\nb"}), "subject"),
        (json!({"subject": "a\r\nBcc: eva@example.com"}), "subject"),
        (json!({"message": "x".repeat(5_001)}), "message"),
        (json!({"cc": ["ana@example.com"]}), "cc"),
    ] {
        let message =
            office.client.post(&sending(&invoice), &body).refused(400, "validation_failed");
        assert!(message.contains(field), "{field} in {message}");
    }
    assert!(smtp.emails().is_empty());
}

fn an_email_that_is_not_taken_is_told(kind: Kind) {
    let smtp = FakeSmtp::start();
    let office = office(kind, &smtp);
    let invoice = of_customer(&office);
    let unknown = Behaviour::Say(Step::Rcpt, "550 5.1.1 no such user".to_owned());
    smtp.script([unknown], Behaviour::Accept);
    let message = office.client.act(&sending(&invoice)).refused(502, "provider_error");
    assert!(message.contains("mail server"), "{message}");
    assert_eq!(office.client.act(&sending(&invoice)).status, 200);
    assert_eq!(smtp.wait_for(1).len(), 1);
}

fn without_a_mail_server_nothing_is_sent(kind: Kind) {
    let office = Office::open(kind);
    let invoice = of_customer(&office);
    let message = office.client.act(&sending(&invoice)).refused(503, "unavailable");
    assert!(message.contains("smtp_url") && message.contains("mail_from"), "{message}");
}

fn a_repeat_sends_no_second_email(kind: Kind) {
    let smtp = FakeSmtp::start();
    let office = office(kind, &smtp);
    let invoice = of_customer(&office);
    let send = |key: &str| office.client.post_once(&sending(&invoice), key, &json!({}));
    let (first, second) = (send("k"), send("k"));
    assert_eq!((first.status, &first.text), (200, &second.text));
    assert_eq!(second.header("idempotent-replayed"), Some("true"));
    assert_eq!(smtp.wait_for(1).len(), 1);
    assert_eq!(send("other").status, 200);
    assert_eq!(smtp.wait_for(2).len(), 2);
}
