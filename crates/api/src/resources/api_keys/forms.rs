//! What the endpoints of API keys read.

use accounts::{
    ApiKeyId, ApiKeyQuery, GrantApiKey, Overlap, Scope, Scopes, grant::KEY_NAME_CHARS_MAX,
};
use intake::{
    Check, Fields, Form,
    checks::{flag, line, list, moment, one_of, whole},
    noun,
};
use kernel::{Mode, message};

use super::examples;
use crate::page::page_request_of;

pub(super) const LIST: Form<ApiKeyQuery> = Form::query(read_query);
pub(super) const CREATE: Form<WantedKey> =
    Form::body("CreateApiKey", noun("a key", "una clave"), read_new, examples::CREATE);
pub(super) const ROTATE: Form<Overlap> =
    Form::body("RotateApiKey", noun("a rotation", "una rotación"), read_rotation, examples::ROTATE)
        .or_absent();

/// The most requests per hour that a key can be given.
const RATE_MAX: i64 = 1_000_000_000;
/// Fields that the service sets itself.
const READ_ONLY: &[&str] =
    &["id", "last4", "key", "createdAt", "previousExpiresAt", "revokedAt", "lastUsedAt"];

/// A key to be made.
#[derive(Debug)]
pub(super) struct WantedKey {
    /// That of the key that makes it, if absent.
    pub(super) mode: Option<Mode>,
    pub(super) key: GrantApiKey,
}

fn mode() -> impl Check<Value = Mode> {
    one_of(Mode::EVERY, Mode::name)
}

fn read_query(fields: &mut Fields<'_>) -> Option<ApiKeyQuery> {
    let mode = mode().about(
        "`test` for the keys of the test account; by default those of the account of the key that asks.",
    );
    let active = flag().about(
        "`true` for keys that open something now, `false` for those that are revoked or expired.",
    );
    Some(ApiKeyQuery {
        mode: fields.change("mode", mode),
        active: fields.change("active", active),
        page: page_request_of(fields, "-createdAt", ApiKeyId::PREFIX),
    })
}

fn read_new(fields: &mut Fields<'_>) -> Option<WantedKey> {
    let name = fields.required("name", line(KEY_NAME_CHARS_MAX));
    let each = one_of(Scope::NAMES, |name| name);
    let scopes = fields.required("scopes", list(1..=Scope::NAMES.len(), each));
    let may_approve = flag().about("`true` lets its holder approve, within its scopes.");
    let may_approve = fields.optional("mayApprove", may_approve);
    let rate = whole(1..=RATE_MAX).about("Requests per hour; the service's setting by default.");
    let rate = fields.optional("ratePerHour", rate);
    let expires_at =
        fields.optional("expiresAt", moment().about("When it expires; never by default."));
    let about = "`test` for a key of the test account; by default that of the key that makes it.";
    let mode = fields.optional("mode", mode().about(about));
    fields.read_only(READ_ONLY);
    let scopes = match Scopes::parse(&scopes?.join(",")) {
        Ok(scopes) => scopes,
        Err(problem) => return fields.refuse("scopes", message!("{problem}", "{problem}")),
    };
    let key = GrantApiKey {
        name: name?,
        scopes,
        may_approve: may_approve.unwrap_or_default(),
        rate_per_hour: rate.and_then(|rate| u32::try_from(rate).ok()),
        expires_at,
    };
    Some(WantedKey { mode, key })
}

fn read_rotation(fields: &mut Fields<'_>) -> Option<Overlap> {
    let overlap = one_of(Overlap::EVERY, Overlap::name)
        .about("How long the text of before opens what it did; not at all by default.");
    Some(fields.optional("overlap", overlap).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read() {
        let body =
            br#"{"name":"Web","scopes":["orders","products"],"ratePerHour":60,"mode":"test"}"#;
        let wanted = CREATE.read_body(body).unwrap();
        assert_eq!(wanted.mode, Some(Mode::Test));
        assert_eq!(wanted.key.scopes.to_string(), "products,orders");
        assert_eq!((wanted.key.rate_per_hour, wanted.key.may_approve), (Some(60), false));
        for wrong in [
            r#"{"scopes":["orders"]}"#,
            r#"{"name":"Web","scopes":[]}"#,
            r#"{"name":"Web","scopes":["order"]}"#,
            r#"{"name":"Web","scopes":["*"],"ratePerHour":0}"#,
        ] {
            assert!(CREATE.read_body(wrong.as_bytes()).is_err(), "{wrong}");
        }
        assert_eq!(ROTATE.read_body(br#"{"overlap":"24h"}"#).unwrap(), Overlap::Day);
        assert_eq!(ROTATE.read_body(b"{}").unwrap(), Overlap::None);
        assert!(ROTATE.read_body(br#"{"overlap":"2h"}"#).is_err());
    }
}
