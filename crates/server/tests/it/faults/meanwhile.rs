//! What changes while a stamping is under way: claims run out, clocks jump, providers are switched,
//! certificates and issuers are no more what they were.

use std::{thread, time::Duration};

use serde_json::json;
use testkit::{
    DatabaseKind, FakePac, on_both,
    pac::{Behaviour, Call, Reply},
};

use super::desk::{Desk, PAUSE_SECONDS_MAX, Pac};

on_both!(
    a_call_in_flight_and_who_takes_it_over_end_in_one_stamp,
    a_refusal_that_comes_too_late_is_not_told,
    a_stamp_of_what_was_sealed_before_is_not_taken_for_another,
    a_clock_that_jumps_back_holds_nothing_up,
    a_stamping_stays_with_its_provider,
    passwords_change_while_a_stamping_is_under_way,
    a_cancellation_goes_to_who_stamped,
    a_receipt_that_comes_late_is_kept,
    certificate_and_issuer_change_meanwhile,
    a_key_of_two_invoices_keeps_no_stamp_from_the_record,
    a_task_that_cannot_be_read_stops_no_other,
);

/// Longer than a claim of these tests.
const CLAIM_SECONDS: i64 = 60;

fn a_call_in_flight_and_who_takes_it_over_end_in_one_stamp(kind: DatabaseKind) {
    let slow = || Reply::Slow(Duration::from_millis(700));
    for pac in Pac::EVERY {
        let desk = Desk::open(kind, pac);
        // The second is answered first, as late as the first, or refused.
        for second in [
            Behaviour::documented(),
            Behaviour::then(slow()),
            Behaviour::then(Reply::Close),
            Behaviour::refuse("CFDI40147", "El nombre no coincide."),
        ] {
            let (id, stamps) = (desk.draft(), desk.pac.stamps().len());
            let calls = desk.pac.count(Call::Stamp);
            desk.pac.script(
                Call::Stamp,
                [Behaviour::then(slow()), second],
                Behaviour::documented(),
            );
            let first = thread::scope(|scope| {
                let first = scope.spawn(|| desk.stamp(&id, Some(&id)));
                desk.pac.wait_for(Call::Stamp, calls + 1);
                desk.app.advance_seconds(CLAIM_SECONDS);
                desk.pac.wait_for(Call::Stamp, calls + 2);
                first.join().unwrap()
            });
            assert_eq!(first.expect(200)["status"], "stamped");
            desk.leave_alone(&id);
            desk.assert_stamped_once(&id, stamps);
        }
    }
}

/// One whose claim has run out is refused, while another goes on: it must not tell its caller that nothing
/// will be stamped.
fn a_refusal_that_comes_too_late_is_not_told(kind: DatabaseKind) {
    let desk = Desk::open(kind, Pac::Sw);
    let user = json!({"provider": "sw", "user": FakePac::USER, "password": FakePac::PASSWORD});
    let _ = desk.choose(&user).expect(200);
    let id = desk.draft();
    let slow = Behaviour::then(Reply::Slow(Duration::from_millis(600)));
    desk.pac.script(Call::SignIn, [slow], Behaviour::documented());
    // The refusal is the first's; whoever took it over is answered late.
    let refused = Behaviour::refuse("CFDI40147", "El nombre no coincide.");
    let late = Behaviour::then(Reply::Slow(Duration::from_millis(300)));
    desk.pac.script(Call::Stamp, [refused, late], Behaviour::documented());
    let first = thread::scope(|scope| {
        let first = scope.spawn(|| desk.stamp(&id, None));
        desk.pac.wait_for(Call::SignIn, 1);
        desk.app.advance_seconds(CLAIM_SECONDS);
        first.join().unwrap()
    });
    desk.leave_alone(&id);
    desk.assert_stamped_once(&id, 0);
    match first.status {
        200 => {}
        _ => drop(first.refused(409, "in_progress")),
    }
}

/// A provider that breaks its word: it stamps one call late and refuses the same bytes meanwhile. The draft
/// is sealed anew, and what was sealed before must not pass for its stamp.
fn a_stamp_of_what_was_sealed_before_is_not_taken_for_another(kind: DatabaseKind) {
    let desk = Desk::open(kind, Pac::Finkok);
    let id = desk.draft();
    let refused = || Behaviour::refuse("CFDI40147", "El nombre no coincide.");
    let late = |millis| Behaviour::then(Reply::Slow(Duration::from_millis(millis)));
    desk.pac.script(
        Call::Stamp,
        [late(700), refused(), refused(), late(900)],
        Behaviour::documented(),
    );
    desk.pac.script(
        Call::Stamped,
        [Behaviour::refuse("603", "El CFDI no contiene un timbre previo")],
        Behaviour::documented(),
    );
    thread::scope(|scope| {
        let first = scope.spawn(|| desk.stamp(&id, None));
        desk.pac.wait_for(Call::Stamp, 1);
        desk.app.advance_seconds(CLAIM_SECONDS);
        desk.pac.wait_for(Call::Stamp, 3);
        desk.wait(|| desk.task(&id).is_none());
        let second = scope.spawn(|| desk.stamp(&id, None));
        desk.pac.wait_for(Call::Stamp, 4);
        let first = first.join().unwrap();
        assert!(first.status != 200 || first.json()["uuid"] == desk.read(&id)["uuid"]);
        assert!([200, 504].contains(&second.join().unwrap().status));
    });
    desk.leave_alone(&id);
    desk.assert_stamped_once(&id, 1);
}

fn a_clock_that_jumps_back_holds_nothing_up(kind: DatabaseKind) {
    let desk = Desk::open(kind, Pac::Sw);
    let days = 3 * 86_400;
    // Due in the future, as the clock now says.
    desk.app.advance_seconds(days);
    let id = desk.draft();
    desk.pac.script(Call::Stamp, [Behaviour::then(Reply::Close)], Behaviour::documented());
    let _ = desk.stamp(&id, None).refused(504, "provider_timeout");
    desk.app.advance_seconds(-days);
    desk.wait(|| desk.task(&id).is_none());
    desk.assert_stamped_once(&id, 0);

    // Claimed until a time in the future.
    desk.app.advance_seconds(days);
    let id = desk.draft();
    let calls = desk.pac.count(Call::Stamp);
    let hang = Behaviour::then(Reply::Slow(Duration::from_millis(700)));
    desk.pac.script(Call::Stamp, [hang], Behaviour::documented());
    thread::scope(|scope| {
        let first = scope.spawn(|| desk.stamp(&id, None));
        desk.pac.wait_for(Call::Stamp, calls + 1);
        desk.app.advance_seconds(-days);
        // As after a crash, somebody else takes it up long before the claim's own end.
        desk.pac.wait_for(Call::Stamp, calls + 2);
        assert_eq!(first.join().unwrap().status, 200);
    });
    desk.assert_stamped_once(&id, 1);
}

fn a_stamping_stays_with_its_provider(kind: DatabaseKind) {
    for pac in Pac::EVERY {
        let desk = Desk::open(kind, pac);
        let id = desk.draft();
        desk.pac.script(Call::Stamp, [Behaviour::then(Reply::Close)], Behaviour::documented());
        let _ = desk.stamp(&id, None).refused(504, "provider_timeout");
        let other = if pac == Pac::Sw { Pac::Finkok } else { Pac::Sw }.choice();
        let someone = json!({"provider": "sw", "user": "otra@tienda.example", "password": "x"});
        for choice in [other.clone(), someone] {
            let _ = desk.choose(&choice).refused(409, "in_progress");
        }
        let chosen = desk.client.get(super::desk::PROVIDER).expect(200)["provider"].clone();
        assert_eq!(chosen, pac.choice()["provider"]);
        desk.leave_alone(&id);
        desk.assert_stamped_once(&id, 0);
        // Nothing is under way any more.
        let _ = desk.choose(&other).expect(200);
        let second = desk.draft();
        assert_eq!(desk.stamp(&second, None).expect(200)["stamp"]["provider"], other["provider"]);
        desk.assert_stamped_once(&second, 1);
    }
}

fn passwords_change_while_a_stamping_is_under_way(kind: DatabaseKind) {
    let desk = Desk::open(kind, Pac::Sw);
    let _ = desk.choose(&json!({"provider": "sw", "token": "una.ficha.vieja"})).expect(200);
    let id = desk.draft();
    desk.pac.script(Call::Stamp, [Behaviour::instead(Reply::Close)], Behaviour::documented());
    let _ = desk.stamp(&id, None).refused(504, "provider_timeout");
    // Refused for its token, which says nothing of the first call.
    let _ = desk.stamp(&id, None).refused(504, "provider_timeout");
    assert_eq!(desk.read(&id)["status"], "stamping");
    let _ = desk.choose(&Pac::Sw.choice()).expect(200);
    desk.leave_alone(&id);
    desk.assert_stamped_once(&id, 0);
}

fn a_cancellation_goes_to_who_stamped(kind: DatabaseKind) {
    let mut desk = Desk::open(kind, Pac::Sw);
    // Until release 0.1.0 the sandbox stamped for every account: some have such documents among others.
    desk.account = desk.app.test_account(desk.account);
    desk.app.can_invoice(desk.account);
    desk.app.grant(desk.account, 100_000);
    desk.client = desk.app.client_of(desk.account, "*");
    let pretended = desk.draft();
    assert_eq!(desk.stamp(&pretended, None).expect(200)["stamp"]["sandbox"], true);
    let live = format!("UPDATE accounts SET test_of = NULL WHERE id = '{}'", desk.account);
    desk.app.database.execute(&live);

    let _ = desk.choose(&Pac::Sw.choice()).expect(200);
    let (real, uuid) = desk.stamped();
    let calls = desk.pac.received().len();
    assert_eq!(desk.cancel(&pretended).expect(200)["status"], "cancelled");
    assert_eq!(
        desk.pac.received().len(),
        calls,
        "nobody outside is told of what the sandbox stamped"
    );
    // Another provider passes on what it did not stamp.
    let _ = desk.choose(&Pac::Finkok.choice()).expect(200);
    assert_eq!(desk.cancel(&real).expect(200)["status"], "cancelled");
    assert_eq!(desk.pac.cancelled(), [uuid]);
}

fn a_receipt_that_comes_late_is_kept(kind: DatabaseKind) {
    let desk = Desk::open(kind, Pac::Sw);
    let (id, uuid) = desk.stamped();
    desk.pac.set_status(
        &uuid,
        testkit::pac::Status::new("Vigente", "Cancelable con aceptación", "En proceso"),
    );
    let slow = Behaviour::then(Reply::Slow(Duration::from_millis(500)));
    desk.pac.script(Call::Cancel, [slow, Behaviour::then(Reply::Hidden)], Behaviour::documented());
    thread::scope(|scope| {
        let first = scope.spawn(|| desk.cancel(&id));
        desk.pac.wait_for(Call::Cancel, 1);
        desk.app.advance_seconds(CLAIM_SECONDS);
        desk.pac.wait_for(Call::Cancel, 2);
        let _ = first.join().unwrap();
    });
    let receipt = desk.client.get(&format!("/invoices/{id}/cancellation-receipt"));
    assert_eq!(receipt.status, 200, "{}", receipt.text);
    assert_eq!(desk.pac.cancelled(), [uuid]);
}

fn certificate_and_issuer_change_meanwhile(kind: DatabaseKind) {
    let desk = Desk::open(kind, Pac::Sw);
    let id = desk.draft();
    desk.pac.script(Call::Stamp, [Behaviour::then(Reply::Close)], Behaviour::documented());
    let _ = desk.stamp(&id, None).refused(504, "provider_timeout");
    let sealed = desk.read(&id);
    let issuer = "/invoices/cfdi/issuer";
    let certificates = desk.client.get(&format!("{issuer}/certificates")).expect(200);
    let number = certificates["data"][0]["id"].as_str().unwrap().to_owned();
    let _ = desk.client.delete(&format!("{issuer}/certificates/{number}")).expect(200);
    let mut other = desk.client.get(issuer).expect(200);
    other["rfc"] = json!("CACX7605101P8");
    other["legalName"] = json!("XOCHILT CASAS CHAVEZ");
    other["taxRegime"] = json!("612");
    other["taxZip"] = json!("36257");
    let _ = desk.client.send("PUT", issuer, &other).expect(200);
    desk.leave_alone(&id);
    desk.assert_stamped_once(&id, 0);
    let stamped = desk.read(&id);
    for field in ["issuer", "issuedAt", "total", "folio"] {
        assert_eq!(stamped[field], sealed[field], "as it was sealed");
    }
    let _ = desk.cancel(&id).refused(409, "certificate_missing");
}

/// The answer cannot be kept under the key, which is another's by now; the stamp must be.
fn a_key_of_two_invoices_keeps_no_stamp_from_the_record(kind: DatabaseKind) {
    let desk = Desk::open(kind, Pac::Sw);
    let (one, two) = (desk.draft(), desk.draft());
    let slow = || Behaviour::then(Reply::Slow(Duration::from_millis(500)));
    desk.pac.script(Call::Stamp, [slow(), slow()], Behaviour::documented());
    let replies = thread::scope(|scope| {
        let both = [&one, &two].map(|id| scope.spawn(|| desk.stamp(id, Some("una-clave"))));
        both.map(|thread| thread.join().unwrap())
    });
    for (id, reply) in [&one, &two].into_iter().zip(&replies) {
        let invoice = desk.read(id);
        match reply.status {
            200 => assert_eq!(invoice["status"], "stamped"),
            _ => assert_eq!(invoice["status"], "draft", "{}", reply.text),
        }
    }
}

/// Credentials that no master key opens any more are one account's trouble.
fn a_task_that_cannot_be_read_stops_no_other(kind: DatabaseKind) {
    let desk = Desk::open(kind, Pac::Sw);
    let neighbour = desk.app.issuer();
    let _ = neighbour.send("PUT", super::desk::PROVIDER, &Pac::Sw.choice()).expect(200);
    let lost = || Behaviour::then(Reply::Close);
    desk.pac.script(Call::Stamp, [lost(), lost()], Behaviour::documented());
    let id = desk.draft();
    let _ = desk.stamp(&id, None).refused(504, "provider_timeout");
    let other = neighbour.post("/invoices", &super::desk::sale()).expect(201)["id"].clone();
    let other = other.as_str().unwrap();
    let _ = neighbour.act(&format!("/invoices/{other}/timbrar")).refused(504, "provider_timeout");
    let table = "certification_providers";
    let sealed = desk.app.database.lines(&format!(
        "SELECT credentials AS line FROM {table} WHERE account_id = '{}'",
        desk.account
    ));
    let put = |text: &str| {
        desk.app.database.execute(&format!(
            "UPDATE {table} SET credentials = '{text}' WHERE account_id = '{}'",
            desk.account
        ));
    };
    put("nobody.b3BlbnMgdGhpcw==");
    desk.app.advance_seconds(PAUSE_SECONDS_MAX);
    desk.wait(|| desk.task(other).is_none());
    put(&sealed[0]);
    desk.leave_alone(&id);
    desk.assert_stamped_once(&id, 0);
}
