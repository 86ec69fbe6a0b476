//! Operators and tasks that are stuck: what they list, give up, try again and put right.

use std::fs;

use cfdi::stamp::Stamp;
use serde_json::{Value, json};
use testkit::{DatabaseKind, on_both};

use super::program::{Said, Site};
use crate::invoices::office::Office;

on_both!(
    an_abandoned_invoice_is_a_draft_again,
    an_attached_stamp_counts_once,
    a_wrong_stamp_is_refused,
    a_task_is_tried_again_at_once,
    a_request_to_cancel_that_was_sent_is_not_abandoned,
);

/// The key that secrets of the test's database are sealed with, 32 times 7.
const MASTER_KEY: &str = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
const NOTE: &str = "Not on the website, ticket 4711";

/// An office whose clock moves by hand, and an operator beside it.
struct Desk {
    office: Office,
    site: Site,
}

impl Desk {
    fn open(kind: DatabaseKind) -> Self {
        let office = Office::open(kind);
        office.app.hold_clock();
        Self { office, site: Site::bare() }
    }

    /// Runs a command on the office's database.
    fn run(&self, args: &[&str]) -> Said {
        let all: Vec<&str> = ["tasks"].iter().chain(args).copied().collect();
        let mut command = self.site.command(&all);
        command.env("TRASTIENDA_DATABASE_URL", &self.office.app.database.url);
        command.env("TRASTIENDA_MASTER_KEY", MASTER_KEY).env("USER", "ana");
        Said::by(command)
    }

    #[track_caller]
    fn say(&self, args: &[&str]) -> String {
        let said = self.run(args);
        assert_eq!(said.code, Some(0), "{args:?}: {}", said.err);
        said.out.trim_end().to_owned()
    }

    /// What a command that fails says.
    #[track_caller]
    fn refused(&self, args: &[&str]) -> String {
        let said = self.run(args);
        assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{args:?}: {}", said.err);
        said.err.trim_end().to_owned()
    }

    /// An invoice that the sandbox gives no answer about, and its task.
    #[track_caller]
    fn stuck(&self, simulate: &str) -> (String, String) {
        self.office.simulate(simulate, "accept");
        let invoice = self.office.sale(116.0);
        let _ = self.office.stamp(&invoice).refused(504, "provider_timeout");
        let task = self.task(&invoice);
        (invoice, task)
    }

    /// The task of an invoice, as the list shows it.
    #[track_caller]
    fn task(&self, invoice: &str) -> String {
        let account = self.office.account.to_string();
        let list = self.say(&["list", "--account", &account]);
        let line = list.lines().find(|line| line.contains(invoice));
        let line = line.unwrap_or_else(|| panic!("{invoice} in {list}"));
        line.split(' ').next().unwrap().to_owned()
    }

    /// The audit log of the account: who, what, to what.
    fn audit(&self) -> Vec<String> {
        self.office.app.database.lines(
            "SELECT actor || ' ' || action || ' ' || subject AS line FROM audit_entries WHERE action LIKE 'task.%' ORDER BY id",
        )
    }

    /// What the sandbox would show of an invoice that it stamped.
    fn shown(&self, invoice: &str) -> String {
        let sealed = self.office.client.get(&format!("/invoices/{invoice}/xml")).text;
        let records = self.office.app.database.lines("SELECT record AS line FROM sandbox_stamps");
        let stamps = records.iter().map(|record| {
            let record: Value = serde_json::from_str(record).unwrap();
            serde_json::from_value::<Stamp>(record["stamp"].clone()).unwrap()
        });
        let own = stamps.into_iter().find(|stamp| sealed.contains(&stamp.issuer_seal));
        own.expect("the sandbox stamped it").attached_to(&sealed)
    }

    /// A file with this text.
    fn file(&self, text: &str) -> String {
        let path = self.site.folder.path().join("stamped.xml");
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

fn an_abandoned_invoice_is_a_draft_again(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (invoice, task) = desk.stuck("timeout");
    let credits = desk.office.credits();
    let shown = desk.say(&["show", &task]);
    assert!(shown.starts_with(&task) && shown.contains("invoices.stamp"), "{shown}");
    assert_eq!(desk.say(&["list", "--attempts-min", "2"]), "");
    assert_eq!(desk.say(&["list", "--kind", "invoices.follow"]), "");

    let said = desk.say(&["abandon", &task, "--note", NOTE]);
    assert!(said.starts_with(&task) && said.contains("cancelled"), "{said}");
    let seen = desk.office.read(&invoice);
    assert_eq!(
        (&seen["status"], &seen["lastError"]["code"]),
        (&json!("draft"), &json!("abandoned"))
    );
    assert_eq!(desk.office.credits(), (credits.0 + 10, 0));
    assert_eq!(desk.audit(), [format!("operator ana task.abandoned {task}")]);
    let shown = desk.say(&["show", &task]);
    assert!(shown.contains("operator ana  task.abandoned") && shown.contains(NOTE), "{shown}");
    assert_eq!(desk.say(&["list"]), "");

    let again = desk.refused(&["abandon", &task, "--note", NOTE]);
    assert!(again.contains(&task) && again.contains("has ended"), "{again}");
    let again = desk.refused(&["retry", &task]);
    assert!(again.contains("has ended"), "{again}");
    desk.office.simulate("normal", "accept");
    assert_eq!(desk.office.stamp(&invoice).expect(200)["status"], "stamped");
    assert_eq!(desk.office.credits(), (credits.0, 0));
}

fn an_attached_stamp_counts_once(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (invoice, task) = desk.stuck("timeoutAfterStamping");
    let credits = desk.office.credits();
    let file = desk.file(&desk.shown(&invoice));
    let attach = ["attach", &task, "--xml", &file, "--note", "From the website"];
    let said = desk.say(&attach);
    assert!(said.starts_with(&task) && said.contains("stamped"), "{said}");
    let seen = desk.office.read(&invoice);
    let stamps = desk.office.app.database.lines("SELECT uuid AS line FROM sandbox_stamps");
    assert_eq!((&seen["status"], &seen["uuid"]), (&json!("stamped"), &json!(stamps[0])));
    assert_eq!((stamps.len(), desk.office.credits()), (1, (credits.0, 0)));
    let charges = [("reserve".to_owned(), -10), ("commit".to_owned(), 0)];
    assert_eq!(desk.office.ledger(&invoice), charges);
    assert_eq!(desk.audit(), [format!("operator ana task.attached {task}")]);

    let again = desk.refused(&attach);
    assert!(again.contains("has ended"), "{again}");
    assert_eq!(desk.office.stamp(&invoice).expect(200)["uuid"], seen["uuid"]);
    assert_eq!((desk.office.ledger(&invoice).len(), desk.audit().len()), (2, 1));
}

fn a_wrong_stamp_is_refused(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (other, _) = desk.stuck("timeoutAfterStamping");
    let others = desk.shown(&other);
    let (invoice, task) = desk.stuck("timeout");
    let sealed = desk.office.client.get(&format!("/invoices/{invoice}/xml")).text;
    let credits = desk.office.credits();
    let cases = [
        ("hello", "it is not a CFDI"),
        (sealed.as_str(), "it has no stamp"),
        (others.as_str(), "of another document"),
    ];
    for (text, why) in cases {
        let file = desk.file(text);
        let refused = desk.refused(&["attach", &task, "--xml", &file, "--note", "?"]);
        assert!(refused.contains(&file) && refused.contains(why), "{refused}");
    }
    let refused = desk.refused(&["attach", &task, "--xml", "nowhere.xml", "--note", "?"]);
    assert!(refused.contains("cannot read nowhere.xml"), "{refused}");
    assert_eq!(desk.office.read(&invoice)["status"], "stamping");
    assert_eq!((desk.office.credits(), desk.audit().len()), (credits, 0));
}

fn a_task_is_tried_again_at_once(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    let (invoice, task) = desk.stuck("timeoutAfterStamping");
    let hour = 3_600_000_000_i64;
    desk.office.app.database.execute(&format!("UPDATE tasks SET due_at = due_at + {hour}"));
    let said = desk.say(&["retry", &task]);
    assert!(said.starts_with(&task) && said.contains("queued"), "{said}");
    assert_eq!(desk.audit(), [format!("operator ana task.retried {task}")]);
    desk.office.app.advance_seconds(600);
    let stamped = desk.office.until(&invoice, |invoice| invoice["status"] != "stamping");
    assert_eq!(stamped["status"], "stamped");

    let nobody = "tsk_01JD3V9QK4W8N2RZ6T5B7C0XEA";
    for command in ["retry", "show"] {
        let lost = desk.refused(&[command, nobody]);
        assert!(lost.contains("trastienda tasks list"), "{lost}");
    }
}

fn a_request_to_cancel_that_was_sent_is_not_abandoned(kind: DatabaseKind) {
    let desk = Desk::open(kind);
    desk.office.simulate("normal", "pending");
    let invoice = desk.office.stamped_sale(5_000.0)["id"].as_str().unwrap().to_owned();
    let _ = desk.office.cancel(&invoice, "02").expect(200);
    let task = desk.task(&invoice);
    let refused = desk.refused(&["abandon", &task, "--note", NOTE]);
    assert!(refused.contains("may have received the request"), "{refused}");
    let seen = desk.office.read(&invoice);
    assert_eq!(seen["cancellation"]["status"], "requested", "{seen}");
    assert_eq!(desk.audit().len(), 0);
    let file = desk.file("hello");
    let refused = desk.refused(&["attach", &task, "--xml", &file, "--note", "?"]);
    assert!(
        refused.contains("only invoices.stamp and invoices.stamp_withholding take a stamp"),
        "{refused}"
    );
}
