//! A merchant at work: an account, a key that may do everything, and the events that come of it.

use kernel::AccountId;
use serde_json::Value;
use testkit::{App, Client, DatabaseKind, Reply};

/// A service with one account at work.
pub(crate) struct Desk {
    pub(crate) app: App,
    pub(crate) account: AccountId,
    pub(crate) client: Client,
}

impl Desk {
    pub(crate) fn open(kind: DatabaseKind) -> Self {
        let app = App::start(kind);
        let account = app.account();
        let client = app.client_of(account, "*");
        Self { app, account, client }
    }

    /// Creates something.
    #[track_caller]
    pub(crate) fn create(&self, path: &str, body: &Value) -> Value {
        let reply = self.client.post(path, body);
        let (location, tag) = (reply.header("location"), reply.header("etag"));
        let (location, tag) = (location.map(str::to_owned), tag.map(str::to_owned));
        let made = reply.expect(201);
        let place = format!("{path}/{}", made["id"].as_str().unwrap());
        assert_eq!(location, Some(format!("/api/v1{place}")));
        let shown = self.client.get(&place);
        assert_eq!(shown.header("etag"), tag.as_deref());
        assert_eq!(shown.expect(200), made, "what was answered is what is there");
        made
    }

    /// Changes something; the answer is what is there.
    #[track_caller]
    pub(crate) fn change(&self, place: &str, changes: &Value) -> Value {
        let changed = self.client.patch(place, changes).expect(200);
        assert_eq!(self.client.get(place).expect(200), changed);
        changed
    }

    /// What is there.
    #[track_caller]
    pub(crate) fn show(&self, place: &str) -> Value {
        self.client.get(place).expect(200)
    }

    /// Its tag.
    #[track_caller]
    pub(crate) fn tag(&self, place: &str) -> String {
        self.client.get(place).header("etag").unwrap().to_owned()
    }

    /// Sending back what was read, as a client does that changes one field of many, changes nothing.
    #[track_caller]
    pub(crate) fn assert_survives_a_round_trip(&self, place: &str) {
        let (before, tag, events) = (self.client.get(place), self.tag(place), self.event_names());
        let back = self.client.patch(place, &before.json());
        assert_eq!(back.status, 200, "{}", back.text);
        assert_eq!(back.text, before.text);
        assert_eq!(
            back.header("etag"),
            Some(tag.as_str()),
            "nothing changed, so neither does the tag"
        );
        assert_eq!(self.client.patch(place, &serde_json::json!({})).text, before.text);
        assert_eq!(self.event_names(), events);
    }

    /// Deletes something: it is gone, and its list has one row less.
    #[track_caller]
    pub(crate) fn delete(&self, list: &str, id: &str) {
        let place = format!("{list}/{id}");
        let total = |reply: Reply| reply.expect(200)["total"].as_u64().unwrap();
        let before = total(self.client.get(list));
        let deleted = self.client.delete(&place).expect(200);
        assert_eq!(deleted, serde_json::json!({"id": id, "deleted": true}));
        assert_eq!(total(self.client.get(list)), before - 1);
        for method in ["GET", "PATCH", "DELETE"] {
            let gone = self.client.send(method, &place, &serde_json::json!({}));
            assert!(!gone.refused(404, "not_found").is_empty(), "{method}");
        }
    }

    /// `If-Match` with the tag of another version is refused, with the current one accepted.
    #[track_caller]
    pub(crate) fn assert_guards_against_lost_updates(&self, place: &str, changes: [&Value; 2]) {
        let patch = |tag: &str, body: &Value| {
            let request = self.client.request("PATCH", place).header("If-Match", tag);
            let request = request.header("Content-Type", "application/json");
            Reply::to(request.body(body.to_string()))
        };
        let first = self.tag(place);
        let [one, other] = changes;
        assert_eq!(patch(&first, one).status, 200);
        let current = self.show(place);
        for stale in [first.as_str(), "\"999\"", "W/\"1\"", "\"nonsense\""] {
            assert!(!patch(stale, other).refused(412, "precondition_failed").is_empty(), "{stale}");
            let delete = self.client.request("DELETE", place).header("If-Match", stale);
            let refused = Reply::to(delete).refused(412, "precondition_failed");
            assert!(refused.contains("If-Match"), "{refused}");
        }
        let _ = patch("nonsense", other).refused(400, "malformed_request");
        assert_eq!(self.show(place), current, "a refused change changes nothing");
        assert_eq!(patch(&format!("\"0\", {}", self.tag(place)), other).status, 200);
        assert_eq!(patch("*", one).status, 200);
    }

    /// The payloads of the events of one name, oldest first.
    pub(crate) fn events(&self, name: &str) -> Vec<Value> {
        let events = self.app.database.events(self.account, name).into_iter();
        events.map(|event| event["data"].clone()).collect()
    }

    /// The names of all events, oldest first.
    pub(crate) fn event_names(&self) -> Vec<String> {
        self.app.database.event_names(self.account)
    }

    /// The names that a list shows, in its order.
    #[track_caller]
    pub(crate) fn names(&self, path: &str) -> Vec<String> {
        let page = self.client.get(path).expect(200);
        let rows = page["data"].as_array().unwrap();
        if page["nextCursor"].is_null() && !path.contains("page=") && !path.contains("cursor=") {
            assert_eq!(page["total"], rows.len(), "{path}");
        }
        rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Where a resource lies.
    pub(crate) fn place(list: &str, resource: &Value) -> String {
        format!("{list}/{}", resource["id"].as_str().unwrap())
    }
}
