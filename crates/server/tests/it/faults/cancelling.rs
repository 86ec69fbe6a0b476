//! Every way in which the answer to a request to cancel can fail: one request on record, one outcome.

use serde_json::{Value, json};
use testkit::{
    DatabaseKind, on_both,
    pac::{Behaviour, Call, Reply, Status},
};

use super::{
    Tried,
    desk::{Desk, Pac},
    faults_of, tell,
};

on_both!(
    sw_cancels_once,
    finkok_cancels_once,
    a_refusal_to_cancel_leaves_the_invoice_as_it_was,
    a_refusal_after_a_lost_answer_is_not_believed,
    the_authority_decides,
);

const RECEIPT: &str = "cancellation-receipt";

fn lost() -> Vec<Behaviour> {
    let html = |status| Reply::Http(status, "<html>Bad Gateway</html>".to_owned());
    let replies = [
        Reply::Hang,
        Reply::Reset,
        Reply::Close,
        Reply::Half,
        Reply::Stall,
        Reply::Http(500, String::new()),
        Reply::Header(307, "location", "/cfdi33/cancel/xml".to_owned()),
        html(200),
        html(401),
        html(404),
        html(429),
        html(502),
    ];
    let both = replies
        .into_iter()
        .flat_map(|reply| [Behaviour::instead(reply.clone()), Behaviour::then(reply)]);
    // Success that says nothing, and one that is about another document.
    let odd = [Behaviour::instead(Reply::Documented), Behaviour::then(Reply::Foreign)];
    both.chain(odd).collect()
}

fn sw_cancels_once(kind: DatabaseKind) {
    run(kind, Pac::Sw);
}

fn finkok_cancels_once(kind: DatabaseKind) {
    run(kind, Pac::Finkok);
}

fn run(kind: DatabaseKind, pac: Pac) {
    let desk = Desk::open(kind, pac);
    let mut cases: Vec<(Vec<Behaviour>, bool)> =
        lost().into_iter().map(|behaviour| (vec![behaviour], true)).collect();
    let accident = if pac == Pac::Sw { "CA2000" } else { "708" };
    cases.push((vec![Behaviour::refuse(accident, "El SAT no responde.")], true));
    cases.push((vec![], false));
    let trial = Tried::at(&desk.pac);
    for (script, is_lost) in &cases {
        eprintln!("{pac:?}: {script:?}");
        trial.faults(faults_of(script));
        trial.invoices(1);
        let (id, uuid) = desk.stamped();
        let credits = desk.credits();
        desk.pac.script(Call::Cancel, script.clone(), Behaviour::documented());
        if *is_lost {
            let _ = desk.cancel(&id).refused(504, "provider_timeout");
            let repeated = desk.cancel(&id).expect(200);
            assert_eq!(repeated["cancellation"]["status"], "requested", "{repeated}");
            desk.leave_alone(&id);
        } else {
            let _ = desk.cancel(&id).expect(200);
        }
        assert_cancelled(&desk, &id, &uuid);
        let receipt = desk.client.get(&format!("/invoices/{id}/{RECEIPT}"));
        assert!(receipt.status == 200 && receipt.text.contains(&uuid), "{}", receipt.text);
        assert_eq!(desk.credits(), credits, "cancelling is free");
        let calls = desk.pac.count(Call::Cancel);
        assert_eq!(desk.cancel(&id).expect(200)["status"], "cancelled");
        assert_eq!(desk.pac.count(Call::Cancel), calls, "what is cancelled is not sent again");
    }
    tell(&[("cancellations", desk.pac.cancelled().len())]);
}

#[track_caller]
fn assert_cancelled(desk: &Desk, id: &str, uuid: &str) {
    let invoice = desk.read(id);
    let cancellation = &invoice["cancellation"];
    assert_eq!(
        (&invoice["status"], &cancellation["status"]),
        (&json!("cancelled"), &json!("accepted")),
        "{invoice}"
    );
    assert_eq!(cancellation["fiscalStatus"]["state"], "Cancelado");
    let requests = desk.pac.cancelled();
    let own = requests.iter().filter(|one| one.eq_ignore_ascii_case(uuid));
    assert_eq!(own.count(), 1, "one request");
    assert_eq!(desk.task(id), None);
    assert_eq!(desk.charged(id), (1, -10));
}

fn a_refusal_to_cancel_leaves_the_invoice_as_it_was(kind: DatabaseKind) {
    for pac in Pac::EVERY {
        let desk = Desk::open(kind, pac);
        let (id, uuid) = desk.stamped();
        let refusal = Behaviour::refuse("CACFDI33", "Problemas con el xml.");
        desk.pac.script(Call::Cancel, [refusal], Behaviour::documented());
        let _ = desk.cancel(&id).refused(409, "rejected_by_provider");
        let invoice = desk.read(&id);
        assert_eq!((&invoice["status"], desk.task(&id)), (&json!("stamped"), None));
        assert_eq!(invoice["cancellation"]["status"], "rejected");
        assert!(!desk.pac.cancelled().contains(&uuid));
        let _ = desk.cancel(&id).expect(200);
        assert_cancelled(&desk, &id, &uuid);
    }
}

/// The authority has had the request since the answer that was lost; that the repetition is refused, because
/// the document cannot be cancelled any more, changes nothing of it.
fn a_refusal_after_a_lost_answer_is_not_believed(kind: DatabaseKind) {
    for pac in Pac::EVERY {
        let desk = Desk::open(kind, pac);
        let refusal = || Behaviour::refuse("CACFDI33", "El comprobante no es cancelable.");
        let (id, uuid) = desk.stamped();
        desk.pac.script(
            Call::Cancel,
            [Behaviour::then(Reply::Close), refusal()],
            Behaviour::documented(),
        );
        let _ = desk.cancel(&id).refused(504, "provider_timeout");
        desk.leave_alone(&id);
        assert_cancelled(&desk, &id, &uuid);

        // The authority waits for the receiver.
        let (id, uuid) = desk.stamped();
        desk.pac
            .set_status(&uuid, Status::new("Vigente", "Cancelable con aceptación", "En proceso"));
        desk.pac.script(
            Call::Cancel,
            [Behaviour::then(Reply::Close), refusal()],
            Behaviour::documented(),
        );
        let _ = desk.cancel(&id).refused(504, "provider_timeout");
        until_followed(&desk, &id);
        desk.pac.set_status(
            &uuid,
            Status::new("Cancelado", "Cancelable con aceptación", "Cancelado con aceptación"),
        );
        desk.leave_alone(&id);
        assert_cancelled(&desk, &id, &uuid);

        // It never had it: then the refusal counts.
        let (id, uuid) = desk.stamped();
        desk.pac.script(
            Call::Cancel,
            [Behaviour::instead(Reply::Close), refusal()],
            Behaviour::documented(),
        );
        let _ = desk.cancel(&id).refused(504, "provider_timeout");
        desk.leave_alone(&id);
        let invoice = desk.read(&id);
        assert_eq!(
            (&invoice["status"], &invoice["cancellation"]["status"]),
            (&json!("stamped"), &json!("rejected"))
        );
        assert!(!desk.pac.cancelled().contains(&uuid));
    }
}

/// Lets a lost request be sent again, until what became of it is asked.
#[track_caller]
fn until_followed(desk: &Desk, id: &str) {
    desk.app.advance_seconds(6);
    desk.wait(|| {
        desk.task(id).is_none_or(|task| task.starts_with("follow") && !task.ends_with("held"))
    });
    assert!(desk.task(id).is_some(), "{}", desk.read(id));
}

fn the_authority_decides(kind: DatabaseKind) {
    let desk = Desk::open(kind, Pac::Sw);
    let waiting = || Status::new("Vigente", "Cancelable con aceptación", "En proceso");
    for (state, decision, becomes, invoice_is) in [
        ("Cancelado", "Cancelado con aceptación", "accepted", "cancelled"),
        ("Cancelado", "Plazo vencido", "expired", "cancelled"),
        ("Vigente", "Solicitud rechazada", "rejected", "stamped"),
    ] {
        let (id, uuid) = desk.stamped();
        desk.pac.set_status(&uuid, waiting());
        // The first look fails; the request is on record all the same.
        desk.pac.script(Call::Status, [Behaviour::status(500)], Behaviour::documented());
        let asked = desk.cancel(&id).expect(200);
        assert_eq!(
            (&asked["cancellation"]["status"], &asked["cancellation"]["code"]),
            (&json!("requested"), &json!("201"))
        );
        assert_eq!(desk.client.get(&format!("/invoices/{id}/{RECEIPT}")).status, 200);
        for reply in [Reply::Hang, Reply::Half, Reply::Documented] {
            desk.pac.script(Call::Status, [Behaviour::then(reply)], Behaviour::documented());
            let before = desk.task(&id);
            desk.app.advance_seconds(2 * 3_600 + 1);
            desk.wait(|| {
                desk.task(&id) != before && !desk.task(&id).unwrap_or_default().ends_with("held")
            });
            assert_eq!(desk.read(&id)["cancellation"]["status"], "requested");
        }
        desk.pac.set_status(&uuid, Status::new(state, "Cancelable con aceptación", decision));
        desk.leave_alone(&id);
        let invoice = desk.read(&id);
        assert_eq!(
            (&invoice["cancellation"]["status"], &invoice["status"]),
            (&json!(becomes), &json!(invoice_is))
        );
        assert_ne!(invoice["cancellation"]["resolvedAt"], Value::Null);
        let requests = desk.pac.cancelled();
        assert_eq!(requests.iter().filter(|one| one.eq_ignore_ascii_case(&uuid)).count(), 1);
    }
}
