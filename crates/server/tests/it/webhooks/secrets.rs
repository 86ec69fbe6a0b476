//! Secrets: told once, kept sealed, changed without a gap.

use serde_json::{Value, json};
use testkit::{DatabaseKind, Reply, Request, on_both};

use super::audience::{Audience, Hook, moment, signature, standard_signature};

on_both!(
    a_secret_is_told_once,
    a_secret_is_nowhere_in_the_database,
    a_repeat_tells_the_same_secret,
    a_rotated_secret_overlaps_with_the_one_before,
    of_three_secrets_two_are_valid,
    standard_webhooks_signatures_verify,
);

const DAY_SECONDS: i64 = 86_400;

fn a_secret_is_told_once(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let (hook, other) = (audience.subscribe("/a", &["*"]), audience.subscribe("/b", &["*"]));
    for secret in [&hook.secret, &other.secret] {
        let random = secret.strip_prefix("whsec_").expect("the prefix that scanners know");
        assert!(random.len() >= 32, "at least 192 bits in Base64: {random}");
    }
    assert_ne!(hook.secret, other.secret);
    audience.happen(1);
    audience.wait_count(&hook, "state=delivered", 1);
    let delivery = audience.only(&hook);
    let client = &audience.client;
    let place = hook.place();
    let answers: Vec<Reply> = vec![
        client.get(&place),
        client.get("/webhooks"),
        client.get("/webhooks/events"),
        client.get("/events"),
        client.patch(&place, &json!({"description": "x"})),
        client.act(&hook.at("disable")),
        client.act(&hook.at("enable")),
        client.act(&hook.at("test")),
        client.get(&hook.at("deliveries")),
        client.get(&format!("/webhooks/deliveries/{}", delivery["id"].as_str().unwrap())),
        audience.retry(&delivery),
        audience.replay(&hook, &json!({"since": "2020-01-01T00:00:00Z"})),
        client.delete(&place),
    ];
    for answer in answers {
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert!(!answer.text.contains("whsec_"), "{}", answer.text);
        assert!(!answer.text.contains("\"secret\""), "{}", answer.text);
    }
}

/// Whether a text of the database gives a secret away in one of its spellings.
fn is_in(secret: &str, texts: &[String]) -> bool {
    let bare = secret.strip_prefix("whsec_").unwrap();
    let url_safe = bare.replace('+', "-").replace('/', "_");
    let unpadded = url_safe.trim_end_matches('=');
    let hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    let spellings = [bare, url_safe.as_str(), unpadded, hex.as_str()];
    texts.iter().any(|text| spellings.iter().any(|spelling| text.contains(spelling)))
}

fn a_secret_is_nowhere_in_the_database(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let url = audience.receiver.url("/a");
    let body = json!({"url": url, "events": ["*"]});
    let made = audience.client.post_once("/webhooks", "k", &body).expect(201);
    let (id, first) = (made["id"].as_str().unwrap(), made["secret"].as_str().unwrap());
    let rotate = format!("/webhooks/{id}/rotate-secret");
    let rotated = audience.client.post_once(&rotate, "k", &json!({})).expect(200);
    let second = rotated["secret"].as_str().unwrap();
    audience.happen(1);
    audience.receiver.wait_for(1);
    let texts = audience.app.database.texts();
    let tables = ["subscriptions.url: ", "idempotency_answers.answer: ", "events.body: "];
    for table in tables {
        assert!(texts.iter().any(|text| text.starts_with(table)), "{table} was looked at");
    }
    for secret in [first, second] {
        assert!(!is_in(secret, &texts), "{texts:#?}");
        assert!(is_in(secret, &[format!("x {secret}")]), "the search finds what is there");
    }
    assert!(!texts.iter().any(|text| text.contains("whsec_")), "{texts:#?}");
}

fn a_repeat_tells_the_same_secret(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let body = json!({"url": audience.receiver.url("/a"), "events": ["*"]});
    let create = || audience.client.post_once("/webhooks", "k", &body);
    let assert_repeats = |first: &Reply, again: &Reply| {
        assert_eq!(first.header("idempotent-replayed"), None);
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        assert_eq!((again.status, &again.text), (first.status, &first.text));
    };
    let made = create();
    assert_repeats(&made, &create());
    let rotate = format!("/webhooks/{}/rotate-secret", made.json()["id"].as_str().unwrap());
    let rotate = || audience.client.post_once(&rotate, "k", &json!({}));
    let rotated = rotate();
    assert_repeats(&rotated, &rotate());
    assert_ne!(rotated.json()["secret"], made.json()["secret"]);
    assert_repeats(&made, &create());
    assert_eq!(audience.client.get("/webhooks").expect(200)["total"], 1);
    let other = json!({"url": audience.receiver.url("/b"), "events": ["*"]});
    let _ =
        audience.client.post_once("/webhooks", "k", &other).refused(422, "idempotency_key_reused");
}

/// Which of these secrets sign a new delivery: in the contract's header, in the one for the secret before,
/// and in that of Standard Webhooks.
fn signed_by(audience: &Audience, hook: &Hook, secrets: &[&str]) -> [Vec<usize>; 3] {
    // A delivery of an earlier event may come again, since the clock leaps over its claim.
    let event = |request: &Request| request.header("x-service-event-id").map(str::to_owned);
    let of_path = |requests: &[Request]| {
        requests.iter().filter(|request| request.path == hook.path).filter_map(event).max()
    };
    let before = of_path(&audience.receiver.received());
    audience.happen(1);
    audience.receiver.wait_until(|requests| of_path(requests) > before);
    let requests = audience.receiver.received_at(&hook.path);
    let request = requests.iter().max_by_key(|request| event(request)).unwrap();
    let places = |found: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..secrets.len()).filter(|place| found(secrets[*place])).collect()
    };
    let named = |name: &'static str| {
        let header = request.header(name);
        places(&|secret| header == Some(&signature(secret, &request.body)))
    };
    let standard: Vec<&str> = request.header("webhook-signature").unwrap().split(' ').collect();
    let standard_places: Vec<usize> = standard
        .iter()
        .filter_map(|one| secrets.iter().position(|key| *one == standard_signature(key, request)))
        .collect();
    assert_eq!(standard.len(), standard_places.len(), "each signature is by one of the secrets");
    let previous = named("x-service-signature-256-previous");
    assert_eq!(
        request.header("x-service-signature-256-previous").is_some(),
        !previous.is_empty(),
        "a header that is there verifies"
    );
    [named("x-service-signature-256"), previous, standard_places]
}

fn rotated(audience: &Audience, hook: &Hook) -> (String, Value) {
    let mut rotated = audience.act(hook, "rotate-secret");
    let secret = rotated.as_object_mut().unwrap().remove("secret").unwrap();
    (secret.as_str().unwrap().to_owned(), rotated)
}

fn a_rotated_secret_overlaps_with_the_one_before(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    assert_eq!(signed_by(&audience, &hook, &[&hook.secret]), [vec![0], vec![], vec![0]]);
    let (new, shown) = rotated(&audience, &hook);
    assert_eq!(shown, audience.show(&hook));
    let ends = moment(&shown["previousSecretExpiresAt"]).micros();
    let overlap = ends - moment(&shown["updatedAt"]).micros();
    assert_eq!(overlap, DAY_SECONDS * 1_000_000);
    let secrets: [&str; 2] = [&new, &hook.secret];
    assert_eq!(signed_by(&audience, &hook, &secrets), [vec![0], vec![1], vec![0, 1]]);
    audience.app.advance_seconds(DAY_SECONDS - 120);
    assert_eq!(signed_by(&audience, &hook, &secrets), [vec![0], vec![1], vec![0, 1]]);
    audience.app.advance_seconds(121);
    assert_eq!(signed_by(&audience, &hook, &secrets), [vec![0], vec![], vec![0]]);
}

fn of_three_secrets_two_are_valid(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    let (second, _) = rotated(&audience, &hook);
    let (third, _) = rotated(&audience, &hook);
    let secrets: [&str; 3] = [&third, &second, &hook.secret];
    assert_eq!(signed_by(&audience, &hook, &secrets), [vec![0], vec![1], vec![0, 1]]);
}

fn standard_webhooks_signatures_verify(kind: DatabaseKind) {
    let audience = Audience::gather(kind);
    let hook = audience.subscribe("/a", &["*"]);
    audience.happen(1);
    let request = audience.receiver.wait_for(1).remove(0);
    let signature = request.header("webhook-signature").unwrap();
    assert_eq!(signature, standard_signature(&hook.secret, &request));
    assert_eq!(request.header("webhook-id"), request.json()["id"].as_str());
    let seconds = audience.app.now().micros().div_euclid(1_000_000).to_string();
    assert_eq!(request.header("webhook-timestamp"), Some(seconds.as_str()));
    let mut forged = request;
    forged.body.push(' ');
    assert_ne!(
        forged.header("webhook-signature").unwrap(),
        standard_signature(&hook.secret, &forged)
    );
}
