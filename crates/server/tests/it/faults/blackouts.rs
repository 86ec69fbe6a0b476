//! The database goes away while the provider stamps, and comes back: one stamp, one charge.

use std::{thread, time::Duration};

use serde_json::json;
use testkit::{
    DatabaseKind,
    pac::{Behaviour, Call, Reply},
};

use super::{
    Tried,
    desk::Pac,
    effort,
    line::{Condition, Line},
    program::{CREDITS, Office},
};

#[test]
fn a_database_that_falls_silent_costs_no_second_stamp() {
    blackout(Condition::Silent);
}

#[test]
fn a_database_that_is_down_costs_no_second_stamp() {
    blackout(Condition::Cut);
}

/// The credits are set aside, and nobody hears of it: the request goes on with what it has begun.
#[test]
fn a_reservation_whose_answer_is_lost_is_gone_on_with() {
    let office = Office::open(DatabaseKind::Postgres, Pac::Sw, 1, 0);
    let line = Line::to(&office.database.url);
    let program = office.start_on(&line.url);
    let id = &office.drafts[0];
    let mut held = office.database.hold("SELECT 1 FROM credit_balances FOR UPDATE");
    let answer = thread::scope(|scope| {
        let asking = scope.spawn(|| program.post(&format!("/invoices/{id}/timbrar"), None, None));
        held.wait_for(1, || false);
        line.set(Condition::Deaf);
        drop(held);
        let tasks = "SELECT id AS line FROM tasks WHERE due_at IS NOT NULL";
        while office.database.lines(tasks).is_empty() {
            thread::sleep(Duration::from_millis(5));
        }
        line.set(Condition::Open);
        line.hang_up();
        asking.join().unwrap()
    });
    let answer = answer.expect("an answer");
    assert_eq!((answer.status, &answer.json()["status"]), (200, &json!("stamped")));
    assert_eq!((office.commits(id), office.pac.stamps().len()), (1, 1));
    program.kill();
    assert_eq!(office.database.violations(), [""; 0]);
}

fn blackout(fault: Condition) {
    let office = Office::open(DatabaseKind::Postgres, Pac::Sw, 3, 0);
    let trial = Tried::at(&office.pac);
    trial.invoices(office.drafts.len());
    let line = Line::to(&office.database.url);
    let program = office.start_on(&line.url);
    let slow = Behaviour::then(Reply::Slow(Duration::from_millis(400)));
    office.pac.script(
        Call::Stamp,
        [slow.clone(), Behaviour::then(Reply::Close), slow],
        Behaviour::documented(),
    );
    let seconds = (4 * effort()).min(40);
    thread::scope(|scope| {
        for id in &office.drafts {
            let program = &program;
            scope.spawn(move || program.post(&format!("/invoices/{id}/timbrar"), Some(id), None));
        }
        drop(office.pac.wait_for(Call::Stamp, office.drafts.len()));
        trial.faults(1);
        line.set(fault);
        thread::sleep(Duration::from_secs(seconds));
        line.set(Condition::Open);
    });
    office.settle();
    for id in &office.drafts {
        let invoice = program.get(&format!("/invoices/{id}"));
        assert_eq!(invoice["status"], "stamped", "{invoice}");
        let stamps = office.pac.stamps();
        let uuid = invoice["uuid"].as_str().unwrap();
        let own = stamps.iter().filter(|stamp| stamp.uuid.eq_ignore_ascii_case(uuid));
        assert_eq!(own.count(), 1, "the stamp that is shown was made");
        assert_eq!(office.commits(id), 1, "one charge");
    }
    assert_eq!(office.pac.stamps().len(), office.drafts.len(), "one stamp for each invoice");
    let credits = program.get("/credits");
    assert_eq!(credits["available"], CREDITS - 10 * i64::try_from(office.drafts.len()).unwrap());
    program.kill();
    assert_eq!(office.database.violations(), [""; 0]);
}
