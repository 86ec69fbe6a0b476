//! A call of one operation, to be sent.

use serde_json::Value;
use testkit::{Client, Reply};

use super::{
    CALLS,
    Takes::{Body, File, Nothing},
};
use crate::openapi::{EXTERNAL_ID, Operation, Shop};

/// A call of one operation.
pub(crate) struct Call<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: String,
    pub(crate) body: Option<Value>,
    /// What is sent instead of JSON: its media type and text.
    file: Option<(&'static str, &'static str)>,
}

/// A valid call of the operation in this shop.
pub(crate) fn call<'a>(operation: &'a Operation<'_>, shop: &Shop) -> Call<'a> {
    let id = if operation.names_one() { shop.id_in(operation.path) } else { "" };
    call_on(operation, shop, id)
}

/// The same on the resource with this identifier.
pub(crate) fn call_on<'a>(operation: &'a Operation<'_>, shop: &Shop, id: &str) -> Call<'a> {
    let known = CALLS
        .iter()
        .find(|(method, path, _)| *method == operation.method && *path == operation.path);
    let Some((_, _, takes)) = known else {
        panic!("{} has no entry in the table of calls: add one", operation.name());
    };
    let body = match takes {
        Nothing | File(..) => None,
        Body(make) => Some(make(shop)),
    };
    let file = match takes {
        File(media_type, text) => Some((*media_type, *text)),
        Nothing | Body(_) => None,
    };
    let code = if operation.path.contains("/claves-unidad/") { "H87" } else { "43211503" };
    let path = operation.path.replace("{id}", id).replace("{code}", code).replace("{cp}", "06600");
    let variant = match operation.method.as_str() {
        // It has stock.
        "DELETE" => format!("{}?force=true", shop.variant),
        _ => shop.variant.clone(),
    };
    let path = path.replace("{variantId}", &variant).replace("{externalId}", EXTERNAL_ID);
    let path = path.replace("{provider}", "sandbox");
    let mut path = path.replace("{series}", "F");
    if path.ends_with("/receiver-check") {
        path.push_str("?rfc=CACX7605101P8&legalName=XOCHILT&taxZip=36257&taxRegime=612");
    }
    if path.ends_with("/lookup") {
        path.push_str("?code=PIN-1");
    }
    if path.ends_with("/reconciliation") {
        path.push_str("?from=2026-01-01T00:00:00Z&to=2026-01-31T00:00:00Z");
    }
    if path.ends_with("/sums") {
        path.push_str("?createdFrom=2026-01-01T00:00:00Z&createdTo=2026-12-31T00:00:00Z");
    }
    Call { method: &operation.method, path, body, file }
}

impl Call<'_> {
    pub(crate) fn send(&self, client: &Client) -> Reply {
        match &self.body {
            Some(body) => client.send(self.method, &self.path, body),
            None if self.file.is_some() => {
                let (media_type, text) = self.file.unwrap_or_default();
                let request = client.request(self.method, &self.path);
                Reply::to(request.header("Content-Type", media_type).body(text))
            }
            None => Reply::to(client.request(self.method, &self.path)),
        }
    }
}
