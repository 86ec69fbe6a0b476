//! Origins: whose pages browsers tell apart (RFC 6454).

use actix_web::http::header::HeaderValue;

/// An origin whose pages may call the API, as browsers send it: `https://shop.example`, or `*` for any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedOrigin(String);

impl AllowedOrigin {
    /// Reads an origin: scheme, host and perhaps a port.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is no origin such as https://shop.example, nor *");
        let host = match text {
            "*" => return Ok(Self(text.to_owned())),
            _ => text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")),
        };
        let is_plain =
            |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-:[]".contains(&b);
        match host {
            Some(host) if !host.is_empty() && host.bytes().all(is_plain) => {
                Ok(Self(text.to_owned()))
            }
            _ => Err(wrong()),
        }
    }

    /// The origin as it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn allows(&self, origin: &HeaderValue) -> bool {
        self.0 == "*" || self.0.as_bytes() == origin.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_have_a_scheme_and_a_host_and_nothing_else() {
        for right in ["*", "https://shop.example", "http://localhost:5173", "http://[::1]:80"] {
            assert_eq!(AllowedOrigin::parse(right).unwrap().as_str(), right);
        }
        for wrong in [
            "",
            "shop.example",
            "https://",
            "https://shop.example/",
            "https://Shop.example",
            "null",
        ] {
            assert!(AllowedOrigin::parse(wrong).is_err(), "{wrong}");
        }
    }
}
