//! Who has something done, and by which request.

use std::{fmt, net::IpAddr, sync::Arc};

use ulid::Ulid;

crate::ids! {
    /// An API key's identifier, which is no secret.
    ApiKeyId = "key";
    /// A person who signs in to the panel.
    UserId = "usr";
}

/// Who acts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Actor {
    /// The service by itself.
    #[default]
    System,
    /// Whoever holds a link.
    Public,
    /// The holder of an API key.
    Key(ApiKeyId),
    /// A user of the panel.
    User(UserId),
    /// Somebody at the command line, by the name that they have there.
    Operator(Arc<str>),
}

impl Actor {
    /// The names of all kinds.
    pub const KINDS: &'static [&'static str] = &["system", "public", "key", "user", "operator"];

    /// The name of its kind.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Public => "public",
            Self::Key(_) => "key",
            Self::User(_) => "user",
            Self::Operator(_) => "operator",
        }
    }

    /// Reads what [`Display`](fmt::Display) writes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "system" => Some(Self::System),
            "public" => Some(Self::Public),
            "operator" => Some(Self::Operator("".into())),
            text => {
                let operator =
                    text.strip_prefix("operator ").map(|name| Self::Operator(name.into()));
                let user = || UserId::parse(text).map(Self::User);
                operator.or_else(|| ApiKeyId::parse(text).map(Self::Key)).or_else(user)
            }
        }
    }
}

/// The identifier of a key or user, else the kind, and the name of an operator behind it.
impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(id) => id.fmt(f),
            Self::User(id) => id.fmt(f),
            Self::Operator(name) if !name.is_empty() => write!(f, "operator {name}"),
            Self::System | Self::Public | Self::Operator(_) => f.write_str(self.kind()),
        }
    }
}

/// By which request somebody acts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The address that the request came from.
    pub address: Option<IpAddr>,
    /// The identifier by which the request is found in the logs.
    pub request_id: Option<String>,
}

/// The most characters of a caller's identifier of a request.
const REQUEST_ID_CHARS_MAX: usize = 128;

/// The identifier by which a request is found in the logs: the caller's where it is harmless in logs and headers, else a new
/// one.
#[must_use]
pub fn request_id(given: Option<&str>) -> String {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    let is_harmless =
        |id: &&str| (1..=REQUEST_ID_CHARS_MAX).contains(&id.len()) && id.bytes().all(is_plain);
    match given.filter(is_harmless) {
        Some(id) => id.to_owned(),
        None => Ulid::generate().array_to_str(&mut [0; ulid::ULID_LEN]).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_called_as_its_caller_does_where_that_is_harmless() {
        for taken in ["abc-1.2_X", &"a".repeat(128)] {
            assert_eq!(request_id(Some(taken)), taken);
        }
        for wrong in ["", "a b", "a\"b", &"a".repeat(129), "a\tb"] {
            assert_eq!(request_id(Some(wrong)).len(), 26, "{wrong}");
        }
        assert_ne!(request_id(None), request_id(None));
    }

    #[test]
    fn an_actor_is_read_back() {
        let actors = [
            Actor::System,
            Actor::Public,
            Actor::Key(ApiKeyId::from_u128(7)),
            Actor::User(UserId::from_u128(8)),
            Actor::Operator("ana lópez".into()),
            Actor::Operator("".into()),
        ];
        for actor in actors {
            assert_eq!(Actor::parse(&actor.to_string()), Some(actor));
        }
        assert_eq!(Actor::parse("nobody"), None);
    }
}
