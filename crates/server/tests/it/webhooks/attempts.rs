//! Attempts that fail, each in its way.

use std::{net::TcpListener, time::Duration};

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reaction, Reply, on_both};

use super::audience::{Audience, Hook, moment};
use crate::orders::shop::{id, is_moment};

on_both!(
    six_attempts_are_made_when_they_are_due,
    whatever_is_no_2xx_is_a_failure_and_says_so,
    every_2xx_is_a_success,
    a_success_at_the_third_attempt_is_the_last_one,
    a_long_answer_is_kept_in_part,
);

/// The delays before the attempts, in seconds.
const DELAYS: [i64; 5] = [5, 30, 300, 1_800, 7_200];

/// How long after the end of an attempt the next may come: a tenth of the delay more, but a minute at most.
fn latest(delay: i64) -> i64 {
    delay * 1_000 + (delay * 100).min(60_000)
}

fn millis(field: &Value) -> i64 {
    moment(field).micros() / 1_000
}

fn six_attempts_are_made_when_they_are_due(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.receiver.always("/a", Reaction::Answer(500, "no lo sé".to_owned()));
    audience.happen(1);
    let delivery = audience.only(&hook);
    for (number, delay) in (1..).zip(DELAYS) {
        let ended = audience.app.now().micros() / 1_000;
        let waiting = audience.wait_attempts(&delivery, number);
        assert_eq!(
            (&waiting["state"], &waiting["finishedAt"]),
            (&json!("attempting"), &Value::Null)
        );
        let due = millis(&waiting["nextAttemptAt"]);
        assert!((delay * 1_000..=latest(delay)).contains(&(due - ended)), "{waiting:#}");

        audience.app.advance_to(kernel::Timestamp::from_micros((due - 1) * 1_000));
        audience.let_it_look_around();
        let early = audience.detail(&delivery);
        assert_eq!(early["attempts"], number, "not a moment too early: {early:#}");
        audience.app.advance_to(kernel::Timestamp::from_micros((due + 1) * 1_000));
    }
    let failed = audience.wait_attempts(&delivery, 6);
    assert_eq!((&failed["state"], &failed["nextAttemptAt"]), (&json!("failed"), &Value::Null));
    assert!(is_moment(&failed["finishedAt"]));

    audience.app.advance_seconds(86_400);
    audience.let_it_look_around();
    assert_eq!(audience.detail(&delivery), failed, "never again");

    let requests = audience.receiver.received_at("/a");
    let log = failed["attemptLog"].as_array().unwrap();
    assert_eq!((requests.len(), log.len()), (6, 6));
    let first = &requests[0];
    for (number, (request, attempt)) in (1..).zip(requests.iter().zip(log)) {
        assert_eq!(request.body, first.body);
        for header in ["event-id", "event", "delivery-id", "signature-256"] {
            let header = format!("x-service-{header}");
            assert_eq!(request.header(&header), first.header(&header), "{header}");
        }
        assert_eq!(request.header("x-service-attempt"), Some(number.to_string().as_str()));
        let expected = json!({"attempt": number, "startedAt": attempt["startedAt"],
            "durationMs": attempt["durationMs"], "status": 500, "errorCode": null,
            "error": null, "answer": "no lo sé"});
        assert_eq!(*attempt, expected);
    }
    assert_eq!(first.header("x-service-delivery-id"), failed["id"].as_str());
    assert_eq!(failed["body"], first.body);
    for (pair, delay) in log.windows(2).zip(DELAYS) {
        let between = millis(&pair[1]["startedAt"]) - millis(&pair[0]["startedAt"]);
        assert!((delay * 1_000..=latest(delay) + 2).contains(&between), "{between} for {delay} s");
    }
    assert_eq!(audience.show(&hook)["consecutiveFailures"], 6);
}

fn whatever_is_no_2xx_is_a_failure_and_says_so(kind: DatabaseKind) {
    let audience = Audience::gather_with(kind, |delivering| {
        let timeout = Duration::from_millis(400);
        delivering.outbound.exchange_timeout = timeout;
        delivering.dispatch.exchange_timeout = timeout;
    });
    // What an endpoint does, and the status or the code of the error that is kept of it.
    let moved = Reaction::Redirect(audience.receiver.url("/elsewhere"));
    let status = |status: u16| (Reaction::status(status), json!(status), Value::Null);
    let fails = |reaction: Reaction, code: &str| (reaction, Value::Null, json!(code));
    let cases: Vec<(Reaction, Value, Value)> = vec![
        (moved, json!(302), Value::Null),
        status(304),
        status(400),
        status(401),
        status(404),
        status(410),
        status(429),
        status(500),
        status(503),
        status(999),
        fails(Reaction::Hang, "timed_out"),
        fails(Reaction::Drip, "timed_out"),
        fails(Reaction::Close, "no_response"),
    ];
    let hooks: Vec<Hook> = (0..cases.len())
        .map(|number| audience.subscribe(&format!("/{number}"), &["contact.created"]))
        .collect();
    for (hook, (reaction, ..)) in hooks.iter().zip(&cases) {
        audience.receiver.always(&hook.path, reaction.clone());
    }
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let body = json!({"url": format!("http://{nobody}/"), "events": ["contact.created"]});
    let made = audience.client.post("/webhooks", &body).expect(201);
    let text = |name: &str| made[name].as_str().unwrap().to_owned();
    let refused = Hook { id: text("id"), secret: text("secret"), path: "/".to_owned() };
    audience.happen(1);

    let expected = cases.into_iter().map(|(_, status, code)| (status, code));
    let expected = expected.chain([(Value::Null, json!("connection_refused"))]);
    for (hook, (status, code)) in hooks.iter().chain([&refused]).zip(expected) {
        let tried = audience.wait_attempts(&audience.only(hook), 1);
        let attempt = &tried["attemptLog"][0];
        assert_eq!((&attempt["status"], &attempt["errorCode"]), (&status, &code), "{}", hook.path);
        assert_eq!(attempt["error"].is_null(), code.is_null(), "{}", hook.path);
        assert_eq!(tried["state"], "attempting", "{}", hook.path);
        assert_eq!(attempt["answer"], Value::Null);
        assert_eq!(audience.show(hook)["consecutiveFailures"], 1);
    }
    assert_eq!(audience.receiver.received_at("/elsewhere").len(), 0, "redirects are not followed");
    is_told_in_both_languages(&audience, &audience.only(&refused));
}

/// The same error, of the same code, in the language that the caller prefers; neither answer passes for the other.
#[track_caller]
fn is_told_in_both_languages(audience: &Audience, delivery: &Value) {
    let place = format!("/webhooks/deliveries/{}", id(delivery));
    let ask = |language: &str, tag: Option<&str>| {
        let request = audience.client.request("GET", &place).header("Accept-Language", language);
        Reply::to(match tag {
            Some(tag) => request.header("If-None-Match", tag),
            None => request,
        })
    };
    let [english, spanish] = ["en", "es"].map(|language| {
        let reply = ask(language, None);
        assert_eq!(reply.header("content-language"), Some(language));
        let tag = reply.header("etag").unwrap().to_owned();
        assert_eq!(ask(language, Some(&tag)).status, 304);
        (tag, reply.expect(200)["attemptLog"][0].clone())
    });
    assert_eq!(ask("es", Some(&english.0)).status, 200);
    assert_eq!(english.1["errorCode"], spanish.1["errorCode"]);
    assert_ne!(english.1["error"], spanish.1["error"]);
}

fn every_2xx_is_a_success(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    for status in [200, 201, 202, 204, 299] {
        let path = format!("/{status}");
        let body = if status == 204 { "" } else { "gracias" };
        audience.receiver.always(&path, Reaction::Answer(status, body.to_owned()));
        let hook = audience.subscribe(&path, &["deal.won"]);
        let opened = audience.act(&hook, "test");
        let done = audience.wait_attempts(&opened, 1);
        assert_eq!((&done["state"], &done["nextAttemptAt"]), (&json!("delivered"), &Value::Null));
        assert!(is_moment(&done["finishedAt"]));
        assert_eq!(done["attemptLog"][0]["status"], status);
        let kept = if status == 204 { Value::Null } else { json!("gracias") };
        assert_eq!(done["attemptLog"][0]["answer"], kept);
    }
}

fn a_success_at_the_third_attempt_is_the_last_one(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    let failures = [Reaction::status(500), Reaction::Close];
    audience.receiver.script("/a", failures, Reaction::status(200));
    audience.happen(1);
    let delivery = audience.only(&hook);
    audience.wait_attempts(&delivery, 1);
    audience.app.advance_seconds(6);
    audience.wait_attempts(&delivery, 2);
    assert_eq!(audience.show(&hook)["consecutiveFailures"], 2);
    audience.app.advance_seconds(33);
    let done = audience.wait_attempts(&delivery, 3);
    assert_eq!((&done["state"], &done["nextAttemptAt"]), (&json!("delivered"), &Value::Null));
    assert_eq!(audience.show(&hook)["consecutiveFailures"], 0, "a success ends the row");
    audience.app.advance_seconds(86_400);
    audience.let_it_look_around();
    assert_eq!(audience.detail(&delivery), done);
    assert_eq!(audience.receiver.received_at("/a").len(), 3);
}

fn a_long_answer_is_kept_in_part(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    let answers = [
        ("ñ".repeat(5_000), "ñ".repeat(1_024)),
        ("<h1>\0</h1>".to_owned(), "<h1>\u{fffd}</h1>".to_owned()),
    ];
    for (number, (answer, kept)) in (1..).zip(answers) {
        audience.receiver.always("/a", Reaction::Answer(500, answer));
        let opened = audience.act(&hook, "test");
        let tried = audience.wait_attempts(&opened, 1);
        assert_eq!(tried["attemptLog"][0]["answer"], kept);
        assert_eq!(audience.show(&hook)["consecutiveFailures"], number);
    }
}
