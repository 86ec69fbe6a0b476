//! A merchant who uses the API and keeps what it answers.

use kernel::AccountId;
use serde_json::{Value, json};
use testkit::{App, Client, Reply};

/// An account, its key, and the answers that a repeat must get again.
pub(crate) struct Merchant {
    pub(crate) account: AccountId,
    pub(crate) key: String,
    pub(crate) client: Client,
    pub(crate) kept: Vec<Value>,
    name: &'static str,
}

impl Merchant {
    /// A new account with a key that may do everything.
    pub(crate) fn open(app: &App, name: &'static str) -> Self {
        let account = app.account();
        let (key, _) = app.key(account, "*");
        let client = app.anonymous().with_key(&key);
        Self { account, key, client, kept: Vec::new(), name }
    }

    /// POST with an idempotency key of its own.
    pub(crate) fn try_post(&mut self, path: &str, body: Option<&Value>) -> Reply {
        let key = format!("{}-{}", self.name, self.kept.len() + 1);
        let body = body.map(Value::to_string);
        let mut request = self.client.request("POST", path).header("Idempotency-Key", &key);
        if let Some(body) = &body {
            request = request.header("Content-Type", "application/json").body(body.clone());
        }
        let reply = Reply::to(request);
        self.kept.push(json!({
            "account": self.account.to_string(), "path": path, "idempotencyKey": key, "body": body,
            "status": reply.status, "location": reply.header("location"),
            "etag": reply.header("etag"), "answer": reply.text,
        }));
        reply
    }

    /// The same, of which nothing is expected but that it is done.
    #[track_caller]
    pub(crate) fn post(&mut self, path: &str, body: &Value) -> Value {
        done(&self.try_post(path, Some(body)))
    }

    /// The same without a body.
    #[track_caller]
    pub(crate) fn act(&mut self, path: &str) -> Value {
        done(&self.try_post(path, None))
    }

    /// Creates something and answers its id.
    #[track_caller]
    pub(crate) fn make(&mut self, path: &str, body: &Value) -> String {
        id(&self.post(path, body))
    }

    /// PATCH.
    #[track_caller]
    pub(crate) fn change(&self, path: &str, changes: &Value) -> Value {
        self.client.patch(path, changes).expect(200)
    }

    /// DELETE.
    #[track_caller]
    pub(crate) fn delete(&self, path: &str) {
        let _ = self.client.delete(path).expect(200);
    }
}

/// The identifier of something.
#[track_caller]
pub(crate) fn id(thing: &Value) -> String {
    thing["id"].as_str().expect("an id").to_owned()
}

#[track_caller]
fn done(reply: &Reply) -> Value {
    assert!((200..300).contains(&reply.status), "{}", reply.text);
    reply.json()
}
