//! Invoices sent by mail.

use std::time::Duration;

use invoices::{EmailQueue, testers::Testers};
use serde_json::{Value, json};
use testkit::{
    App, DatabaseKind, FakeSmtp, on_both,
    smtp::{Behaviour, Step},
};

use super::office::{Office, company, id, is_moment, item, sale};
use crate::races::at_once;

on_both!(
    an_invoice_goes_to_its_customer,
    the_sender_words_the_email,
    only_a_stamped_invoice_is_sent,
    wrong_emails_are_named,
    an_email_that_is_not_taken_is_told,
    without_a_mail_server_nothing_is_sent,
    a_repeat_sends_no_second_email,
    twins_of_a_key_send_one_email,
    an_email_waits_for_its_mail_server,
    a_lost_answer_is_followed_by_the_same_email,
    a_key_that_has_sent_nothing_can_be_used_again,
    an_email_that_waits_can_be_cancelled,
    an_email_outlives_the_process_that_began_it,
);

pub(crate) fn settings(smtp: &FakeSmtp) -> outbound::mail::Settings {
    outbound::mail::Settings {
        smtp_url: smtp.url(),
        from: "Tienda <ventas@tienda.example>".to_owned(),
        timeout: Duration::from_secs(10),
        ca_file: None,
    }
}

fn office(kind: DatabaseKind, smtp: &FakeSmtp) -> Office {
    Office::of(App::with(kind).mail(settings(smtp)).start())
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

fn an_invoice_goes_to_its_customer(kind: DatabaseKind) {
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

fn the_sender_words_the_email(kind: DatabaseKind) {
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

fn only_a_stamped_invoice_is_sent(kind: DatabaseKind) {
    let smtp = FakeSmtp::start();
    let office = office(kind, &smtp);
    let draft = office.draft(&sale(116.0));
    let to = json!({"to": ["ana@example.com"]});
    let message = office.client.post(&sending(&draft), &to).refused(409, "conflict");
    assert!(message.contains("stamp"), "{message}");
    let accented = json!({"name": "Peña", "email": "peña@uni.example"});
    let mut body = sale(116.0);
    body["customerId"] = json!(id(&office.make("/customers", &accented)));
    let message = office.client.act(&sending(&office.stamped(&body)));
    let message = message.refused(400, "validation_failed");
    assert!(message.contains("\"peña@uni.example\""), "{message}");
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

fn wrong_emails_are_named(kind: DatabaseKind) {
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

fn an_email_that_is_not_taken_is_told(kind: DatabaseKind) {
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

fn without_a_mail_server_nothing_is_sent(kind: DatabaseKind) {
    let office = Office::open(kind);
    let invoice = of_customer(&office);
    let message = office.client.act(&sending(&invoice)).refused(409, "conflict");
    assert!(message.contains("smtp_url") && message.contains("mail_from"), "{message}");
}

fn a_repeat_sends_no_second_email(kind: DatabaseKind) {
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

/// Sends an invoice once for a key, four times at one moment, and shows that it was sent once.
fn assert_one_email(smtp: &FakeSmtp, invoice: &Value, clients: [&testkit::Client; 4]) {
    let replies =
        at_once(4, |number| clients[number].post_once(&sending(invoice), "k", &json!({})));
    for reply in &replies {
        assert_eq!((reply.status, &reply.text), (200, &replies[0].text));
    }
    let fresh = replies.iter().filter(|reply| reply.header("idempotent-replayed").is_none());
    assert_eq!(fresh.count(), 1, "one sends, the others wait for it");
    assert_eq!(smtp.emails().len(), 1);
}

fn twins_of_a_key_send_one_email(kind: DatabaseKind) {
    let smtp = FakeSmtp::start();
    let office = office(kind, &smtp);
    let invoice = of_customer(&office);
    assert_one_email(&smtp, &invoice, [&office.client; 4]);
}

#[test]
fn twins_of_a_key_send_one_email_across_two_nodes() {
    let smtp = FakeSmtp::start();
    let office = office(DatabaseKind::Postgres, &smtp);
    let database = office.app.database.clone();
    let second = App::on(database, office.app.now()).mail(settings(&smtp)).start();
    let there = office.client.at(&second);
    let here = &office.client;
    let invoice = of_customer(&office);
    assert_one_email(&smtp, &invoice, [here, &there, here, &there]);
}

/// The job of an email that the mail server has not taken yet.
#[track_caller]
fn queued(office: &Office, invoice: &Value, key: &str) -> Value {
    let reply = office.client.post_once(&sending(invoice), key, &json!({}));
    let location = reply.header("location").expect("where the job is").to_owned();
    let job = reply.expect(202);
    assert_eq!((&job["status"], &job["kind"]), (&json!("queued"), &json!("invoices.email")));
    assert_eq!((&job["subject"], &job["attempts"]), (&invoice["id"], &json!(1)));
    assert_eq!(location, format!("/api/v1/jobs/{}", id(&job)));
    assert_eq!(job["links"]["self"], location);
    job
}

/// A job once it has ended.
#[track_caller]
fn ended(office: &Office, job: &Value) -> Value {
    office.ended(&id(job))
}

fn an_email_waits_for_its_mail_server(kind: DatabaseKind) {
    let smtp = FakeSmtp::start();
    let office = office(kind, &smtp);
    let invoice = of_customer(&office);
    smtp.script([Behaviour::Say(Step::Mail, "451 4.3.0 busy".to_owned())], Behaviour::Accept);
    let job = queued(&office, &invoice, "k");
    assert!(job["lastError"].as_str().unwrap().contains("451"), "{job}");
    let repeat = office.client.post_once(&sending(&invoice), "k", &json!({}));
    assert_eq!(repeat.header("idempotent-replayed"), Some("true"));
    assert_eq!(id(&repeat.expect(202)), id(&job));
    assert!(smtp.emails().is_empty());
    office.app.advance_seconds(11);
    let done = ended(&office, &job);
    assert_eq!((&done["status"], &done["attempts"]), (&json!("succeeded"), &json!(2)));
    assert_eq!((&done["lastError"], &done["result"]["id"]), (&json!(null), &invoice["id"]));
    assert_eq!(done["result"]["to"], json!(["compras@uni.example"]));
    let emails = smtp.wait_for(1);
    let name = format!("<{}@tienda.example>", id(&job));
    assert_eq!(emails[0].header("message-id"), Some(name.as_str()));
    let repeat = office.client.post_once(&sending(&invoice), "k", &json!({}));
    assert_eq!(repeat.expect(200), done["result"]);
    assert_eq!(smtp.emails().len(), 1);
}

fn a_lost_answer_is_followed_by_the_same_email(kind: DatabaseKind) {
    let smtp = FakeSmtp::start();
    let office = office(kind, &smtp);
    let invoice = of_customer(&office);
    smtp.script([Behaviour::Close(Step::Email)], Behaviour::Accept);
    let job = queued(&office, &invoice, "k");
    office.app.advance_seconds(11);
    assert_eq!(ended(&office, &job)["status"], "succeeded");
    let emails = smtp.wait_for(2);
    assert_eq!(emails[0].header("message-id"), emails[1].header("message-id"));
    assert_eq!(emails[0].attachments, emails[1].attachments);
}

fn a_key_that_has_sent_nothing_can_be_used_again(kind: DatabaseKind) {
    let smtp = FakeSmtp::start();
    let office = office(kind, &smtp);
    let invoice = of_customer(&office);
    let unknown = Behaviour::Say(Step::Rcpt, "550 5.1.1 no such user".to_owned());
    smtp.script([unknown], Behaviour::Accept);
    let send = || office.client.post_once(&sending(&invoice), "k", &json!({}));
    let message = send().refused(502, "provider_error");
    assert!(message.contains("no such user"), "{message}");
    let failed = office.client.get("/jobs?kind=invoices.email&status=failed").expect(200);
    assert_eq!(failed["total"], 1);
    let sent = send();
    assert_eq!((sent.status, sent.header("idempotent-replayed")), (200, None));
    assert_eq!(send().header("idempotent-replayed"), Some("true"));
    assert_eq!(smtp.emails().len(), 1);
}

fn an_email_that_waits_can_be_cancelled(kind: DatabaseKind) {
    let smtp = FakeSmtp::start();
    let office = office(kind, &smtp);
    let invoice = of_customer(&office);
    smtp.script([Behaviour::Close(Step::Greeting)], Behaviour::Accept);
    let job = queued(&office, &invoice, "k");
    let cancelling = format!("/jobs/{}/cancel", id(&job));
    let cancelled = office.client.act(&cancelling).expect(200);
    assert_eq!(
        (&cancelled["status"], &cancelled["cancellable"]),
        (&json!("cancelled"), &json!(false))
    );
    assert_eq!(office.client.act(&cancelling).expect(200), cancelled);
    office.app.advance_seconds(60);
    let sent = office.client.post_once(&sending(&invoice), "k", &json!({}));
    assert_eq!((sent.status, sent.header("idempotent-replayed")), (200, None));
    assert_eq!(smtp.emails().len(), 1);
    let message = office.client.act(&format!("/jobs/{}/cancel", stamping_of(&office, &invoice)));
    let message = message.refused(409, "invalid_transition");
    assert!(message.contains("succeeded"), "{message}");
}

/// The job that has stamped an invoice.
fn stamping_of(office: &Office, invoice: &Value) -> String {
    let path = format!("/jobs?kind=invoices.stamp&subject={}", id(invoice));
    let page = office.client.get(&path).expect(200);
    assert_eq!(page["total"], 1, "{page}");
    id(&page["data"][0])
}

fn an_email_outlives_the_process_that_began_it(kind: DatabaseKind) {
    let smtp = FakeSmtp::start();
    let office = office(kind, &smtp);
    let invoice = of_customer(&office);
    let (account, now) = (office.account, office.app.now());
    // A process that is gone has begun it.
    let ctx = kernel::Ctx::system(account, now);
    let command = invoices::EmailInvoice {
        id: invoices::InvoiceId::parse(&id(&invoice)).unwrap(),
        to: None,
        subject: None,
        message: None,
    };
    let begun = EmailQueue::open(
        &**office.app.store(),
        ctx,
        command,
        &Testers::parse("@uni.example").unwrap(),
        now.plus_seconds(30),
    )
    .wait();
    let task = begun.unwrap().unwrap().value;
    let job = office.client.get(&format!("/jobs/{}", task.id)).expect(200);
    assert_eq!((&job["status"], &job["cancellable"]), (&json!("running"), &json!(true)));
    assert!(smtp.emails().is_empty());
    office.app.advance_seconds(31);
    assert_eq!(ended(&office, &job)["result"]["to"], json!(["compras@uni.example"]));
    assert_eq!(smtp.wait_for(1).len(), 1);
}
