//! Beside others, whether they call or use the panel, an account's heavy bodies take turns.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Mutex,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use accounts::Scope;
use actix_web::{http::StatusCode, web::Bytes};
use api::{
    Answer, ApiError, Call,
    endpoint::{Endpoint, raw, taking},
};
use kernel::AccountId;
use serde_json::json;
use testkit::{App, Client, DatabaseKind, Reply, on_both};

use super::browser::Browser;

on_both!(heavy_bodies_take_turns_beside_others);

const PATIENCE: Duration = Duration::from_secs(60);
/// How long a request waits for its turn.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(3);
/// Longer than anybody counts as being there who asks for nothing.
const QUIET: Duration = Duration::from_millis(1_200);
/// More than a light body has, and less than one that is large wherever it comes from.
const HEAVY_BYTES: usize = 20_000;

/// The requests of each account that have been let in.
static LET_IN: Mutex<BTreeMap<AccountId, usize>> = Mutex::new(BTreeMap::new());
/// The accounts whose requests may end.
static RELEASED: Mutex<BTreeSet<AccountId>> = Mutex::new(BTreeSet::new());

fn endpoints() -> Vec<Endpoint> {
    let hold = taking(raw(&["text/plain"], 2 * HEAVY_BYTES), hold);
    vec![Endpoint::post("/test/hold", Scope::Products, hold).within(PATIENCE)]
}

/// Ends once its account is released.
async fn hold(call: Call, _: Bytes) -> Result<Answer, ApiError> {
    *LET_IN.lock().unwrap().entry(call.account).or_default() += 1;
    while !RELEASED.lock().unwrap().contains(&call.account) {
        actix_web::rt::time::sleep(Duration::from_millis(10)).await;
    }
    Answer::json(StatusCode::OK, &json!({}))
}

/// Sends a body of so many bytes, without waiting for the answer.
fn send(client: &Client, bytes: usize) -> JoinHandle<Reply> {
    let request = client.request("POST", "/test/hold").header("Content-Type", "text/plain");
    let request = request.body("x".repeat(bytes));
    thread::spawn(move || Reply::to(request))
}

#[track_caller]
fn wait_until_let_in(account: AccountId, requests: usize) {
    let started = Instant::now();
    while LET_IN.lock().unwrap().get(&account).copied().unwrap_or_default() < requests {
        assert!(started.elapsed() < PATIENCE, "{requests} are not let in");
        thread::sleep(Duration::from_millis(10));
    }
}

#[track_caller]
fn release(account: AccountId, sent: Vec<JoinHandle<Reply>>) {
    RELEASED.lock().unwrap().insert(account);
    for reply in sent {
        let _ = reply.join().unwrap().expect(200);
    }
}

fn heavy_bodies_take_turns_beside_others(kind: DatabaseKind) {
    let app = App::with(kind).offering(endpoints).not_delivering();
    let app = app.api(|settings| settings.request_timeout = REQUEST_TIMEOUT).start();
    let processors = thread::available_parallelism().map_or(2, usize::from);
    let turns = (processors / 2).max(1);

    // As long as there is one account alone, its owner is led to it.
    let (browser, home) = Browser::of_owner(&app);
    let account = app.account();
    let alone = app.client_of(account, "*");
    thread::sleep(QUIET);
    let sent: Vec<_> = (0..=turns).map(|_| send(&alone, HEAVY_BYTES)).collect();
    wait_until_let_in(account, turns + 1);
    release(account, sent);

    let caller = app.client();
    let calls = || drop(caller.get("/products").expect(200));
    let reads = || drop(browser.read(&home));
    let neighbours: [&dyn Fn(); 2] = [&reads, &calls];
    for asks in neighbours {
        let account = app.account();
        let greedy = app.client_of(account, "*");
        let _ = greedy.get("/stock/settings").expect(200);
        // Nobody else is noticed but who asks from now on.
        thread::sleep(QUIET);
        let mut sent = Vec::new();
        for number in 1..=turns {
            asks();
            sent.push(send(&greedy, HEAVY_BYTES));
            wait_until_let_in(account, number);
        }
        asks();
        let beyond = send(&greedy, HEAVY_BYTES).join().unwrap();
        let _ = beyond.refused(429, "rate_limited");
        sent.push(send(&greedy, 10));
        wait_until_let_in(account, turns + 1);
        release(account, sent);
    }
}
