//! The address of who counts rate limits for all nodes.

use outbound::counting::Address;

use super::Value;

/// The address of a Valkey or Redis. Everything that shows it masks its password.
#[derive(Clone, Debug)]
pub struct LimitsUrl(pub Address);

impl Value for LimitsUrl {
    fn read(text: &str) -> Result<Self, String> {
        Address::parse(text).map(Self).ok_or_else(|| {
            "must be the URL of a Valkey or Redis such as redis://:PASSWORD@limits.internal:6379/0, \
             or rediss:// for TLS"
                .to_owned()
        })
    }

    fn show(&self) -> String {
        self.0.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_masked() {
        let url = LimitsUrl::read("redis://:s3cr3t@limits.internal").unwrap();
        assert_eq!(url.show(), "redis://***@limits.internal:6379/0");
        assert!(!format!("{url:?}").contains("s3cr3t"));
        let refused = LimitsUrl::read("redis://:s3cr3t@limits.internal/shop").unwrap_err();
        assert!(!refused.contains("s3cr3t"));
    }
}
