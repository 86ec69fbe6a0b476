//! A merchant with webhooks and a server that they point to: the steps that stories about deliveries share.

use std::{
    thread,
    time::{Duration, Instant},
};

use aws_lc_rs::hmac;
use base64::{Engine, prelude::BASE64_STANDARD};
use kernel::{AccountId, Timestamp};
use serde_json::{Value, json};
use testkit::{App, Builder, Client, DatabaseKind, Receiver, Reply, Request};
use trastienda::Delivering;

/// Longer than anything may take that is waited for.
const PATIENCE: Duration = Duration::from_secs(60);
const LOOK_INTERVAL: Duration = Duration::from_millis(10);

/// A service that delivers, one account of it, and who listens.
pub(crate) struct Audience {
    // Goes first: exchanges that hang end with it.
    pub(crate) receiver: Receiver,
    pub(crate) app: App,
    pub(crate) account: AccountId,
    pub(crate) client: Client,
}

/// A webhook.
#[derive(Clone, Debug)]
pub(crate) struct Hook {
    pub(crate) id: String,
    pub(crate) secret: String,
    /// Where it points to on the receiver.
    pub(crate) path: String,
}

impl Audience {
    /// With the usual settings.
    pub(crate) fn gather(kind: DatabaseKind) -> Self {
        Self::gather_with(kind, |_| {})
    }

    /// With other settings of delivery.
    pub(crate) fn gather_with(kind: DatabaseKind, change: impl FnOnce(&mut Delivering)) -> Self {
        Self::of(App::with(kind).delivering_with(change).start())
    }

    /// In this service. Its clock stands still unless a test moves it: nothing becomes due by itself, and
    /// no claim ends.
    pub(crate) fn of(app: App) -> Self {
        app.hold_clock();
        let account = app.account();
        let client = app.client_of(account, "*");
        Self { receiver: Receiver::start(), app, account, client }
    }

    /// The same after the service was stopped in good order and started again.
    pub(crate) fn restart(self) -> Self {
        let again = self.app.again();
        self.then(again)
    }

    /// The same after the service was stopped in good order and another one took its place.
    pub(crate) fn then(self, other: Builder) -> Self {
        let Self { receiver, app, account, client } = self;
        app.stop();
        let app = other.start();
        Self { client: client.at(&app), receiver, app, account }
    }

    /// A webhook for these events at a path of the receiver.
    #[track_caller]
    pub(crate) fn subscribe(&self, path: &str, events: &[&str]) -> Hook {
        subscribe(&self.client, &self.receiver, path, events)
    }

    /// Lets something happen: a `contact.created` for each.
    #[track_caller]
    pub(crate) fn happen(&self, times: usize) {
        for number in 0..times {
            let customer = json!({"name": format!("Ana {number}")});
            let _ = self.client.post("/customers", &customer).expect(201);
        }
    }

    /// A webhook as it is now.
    #[track_caller]
    pub(crate) fn show(&self, hook: &Hook) -> Value {
        self.client.get(&hook.place()).expect(200)
    }

    /// Does something with a webhook: `enable`, `test` and the like.
    #[track_caller]
    pub(crate) fn act(&self, hook: &Hook, action: &str) -> Value {
        self.client.act(&hook.at(action)).expect(200)
    }

    /// Has events from a moment on delivered again.
    pub(crate) fn replay(&self, hook: &Hook, wanted: &Value) -> Reply {
        self.client.post(&hook.at("replay"), wanted)
    }

    /// The deliveries of a webhook that a query finds, newest first; a hundred at most.
    #[track_caller]
    pub(crate) fn deliveries(&self, hook: &Hook, query: &str) -> Vec<Value> {
        let page = self.client.get(&format!("{}?limit=100&{query}", hook.at("deliveries")));
        page.expect(200)["data"].as_array().unwrap().clone()
    }

    /// How many deliveries of a webhook a query finds.
    #[track_caller]
    pub(crate) fn count(&self, hook: &Hook, query: &str) -> u64 {
        let page = self.client.get(&format!("{}?limit=1&{query}", hook.at("deliveries")));
        page.expect(200)["total"].as_u64().unwrap()
    }

    /// Waits until a query finds so many deliveries of a webhook.
    #[track_caller]
    pub(crate) fn wait_count(&self, hook: &Hook, query: &str, count: u64) {
        let all = || (self.count(hook, query), self.show(hook), self.deliveries(hook, ""));
        until(|| Some(()).filter(|()| self.count(hook, query) == count), all);
    }

    /// A webhook's only delivery.
    #[track_caller]
    pub(crate) fn only(&self, hook: &Hook) -> Value {
        let all = self.deliveries(hook, "");
        assert_eq!(all.len(), 1, "{all:#?}");
        all[0].clone()
    }

    /// A delivery with all that is known of it.
    #[track_caller]
    pub(crate) fn detail(&self, delivery: &Value) -> Value {
        let id = delivery["id"].as_str().unwrap();
        self.client.get(&format!("/webhooks/deliveries/{id}")).expect(200)
    }

    /// Asks for a delivery to be attempted now.
    pub(crate) fn retry(&self, delivery: &Value) -> Reply {
        let id = delivery["id"].as_str().unwrap();
        self.client.act(&format!("/webhooks/deliveries/{id}/retry"))
    }

    /// A delivery once it is as wanted.
    #[track_caller]
    pub(crate) fn wait(&self, delivery: &Value, wanted: impl Fn(&Value) -> bool) -> Value {
        until(|| Some(self.detail(delivery)).filter(&wanted), || self.detail(delivery))
    }

    /// A delivery once so many attempts are recorded.
    #[track_caller]
    pub(crate) fn wait_attempts(&self, delivery: &Value, attempts: u64) -> Value {
        self.wait(delivery, |delivery| delivery["attempts"] == attempts)
    }

    /// Waits until whatever is due by now has been attempted: a test event comes and goes, some times.
    #[track_caller]
    pub(crate) fn let_it_look_around(&self) {
        let hook = self.subscribe("/looking", &["approval.decided"]);
        for round in 1..=2 {
            self.act(&hook, "test");
            self.wait_count(&hook, "state=delivered", round);
        }
        let _ = self.client.delete(&hook.place()).expect(200);
    }
}

impl Hook {
    /// Where the API has it.
    pub(crate) fn place(&self) -> String {
        format!("/webhooks/{}", self.id)
    }

    /// Where the API has something about it.
    pub(crate) fn at(&self, what: &str) -> String {
        format!("/webhooks/{}/{what}", self.id)
    }
}

/// A webhook of whoever calls, for these events at a path of the receiver.
#[track_caller]
pub(crate) fn subscribe(client: &Client, receiver: &Receiver, path: &str, events: &[&str]) -> Hook {
    let made = client.post("/webhooks", &json!({"url": receiver.url(path), "events": events}));
    let made = made.expect(201);
    let text = |name: &str| made[name].as_str().unwrap().to_owned();
    Hook { id: text("id"), secret: text("secret"), path: path.to_owned() }
}

/// What comes of looking again and again; `state` is told when it never does.
#[track_caller]
pub(crate) fn until<T, S: std::fmt::Debug>(
    look: impl Fn() -> Option<T>,
    state: impl Fn() -> S,
) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "it never came to that: {:#?}", state());
        thread::sleep(LOOK_INTERVAL);
    }
}

/// The signature of the contract, as a receiver computes it.
pub(crate) fn signature(secret: &str, body: &str) -> String {
    let tag = sign(secret.as_bytes(), body);
    tag.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A signature of Standard Webhooks, as a receiver computes it from the headers and the body.
pub(crate) fn standard_signature(secret: &str, request: &Request) -> String {
    let key = BASE64_STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let header = |name| request.header(name).unwrap();
    let (id, time) = (header("webhook-id"), header("webhook-timestamp"));
    let tag = sign(&key, &format!("{id}.{time}.{}", request.body));
    format!("v1,{}", BASE64_STANDARD.encode(tag))
}

fn sign(key: &[u8], text: &str) -> Vec<u8> {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key);
    hmac::sign(&key, text.as_bytes()).as_ref().to_vec()
}

/// The ids of the events that requests tell of, in their order.
pub(crate) fn event_ids(requests: &[Request]) -> Vec<String> {
    requests.iter().map(|request| request.json()["id"].as_str().unwrap().to_owned()).collect()
}

/// The moment that a field shows.
#[track_caller]
pub(crate) fn moment(field: &Value) -> Timestamp {
    let text = field.as_str().unwrap_or_else(|| panic!("no moment: {field}"));
    Timestamp::parse(text).unwrap_or_else(|wrong| panic!("{text} {wrong}"))
}
