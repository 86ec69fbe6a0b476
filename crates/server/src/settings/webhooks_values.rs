//! What the settings of webhooks can hold.

use std::time::Duration;

use base64::{Engine, prelude::BASE64_STANDARD};
use store::{MASTER_KEY_BYTES, MasterKey};
use webhooks::Schedule;

use super::Value;

/// Yes or no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch(pub bool);

impl Value for Switch {
    fn read(text: &str) -> Result<Self, String> {
        match text {
            "true" => Ok(Self(true)),
            "false" => Ok(Self(false)),
            _ => Err("must be true or false".to_owned()),
        }
    }

    fn show(&self) -> String {
        self.0.to_string()
    }
}

/// The most seconds between two attempts: longer than any schedule of sense.
const DELAY_SECONDS_MAX: u64 = 7 * 86_400;
/// The most attempts.
const ATTEMPTS_MAX: usize = 30;

/// The delays before the attempts of a delivery.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delays(Schedule);

impl Delays {
    /// The schedule of these delays.
    #[must_use]
    pub fn schedule(&self) -> Schedule {
        self.0.clone()
    }
}

impl Value for Delays {
    fn read(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "must be 1 to {ATTEMPTS_MAX} comma-separated whole numbers of seconds, the first 0 \
                 and none above {DELAY_SECONDS_MAX}, such as 0,5,30,300,1800,7200"
            )
        };
        let seconds: Result<Vec<u64>, _> = text.split(',').map(|one| one.trim().parse()).collect();
        let seconds = seconds.map_err(|_| wrong())?;
        let fits = seconds.first() == Some(&0)
            && seconds.len() <= ATTEMPTS_MAX
            && seconds.iter().all(|seconds| *seconds <= DELAY_SECONDS_MAX);
        if !fits {
            return Err(wrong());
        }
        let delays = seconds.into_iter().map(Duration::from_secs).collect();
        Schedule::new(delays).map(Self).map_err(|_| wrong())
    }

    fn show(&self) -> String {
        let seconds = self.0.delays().iter().map(|delay| delay.as_secs().to_string());
        seconds.collect::<Vec<_>>().join(",")
    }
}

/// Master keys, the newest first; none when the key is kept in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MasterKeys(pub Vec<MasterKey>);

impl Value for MasterKeys {
    fn read(text: &str) -> Result<Self, String> {
        let keys: Option<Vec<_>> = text.split(',').map(|one| master_key(one.trim())).collect();
        keys.map(Self).ok_or_else(|| {
            format!(
                "must be {MASTER_KEY_BYTES} random bytes in Base64, as printed by `openssl rand \
                 -base64 {MASTER_KEY_BYTES}`"
            )
        })
    }

    fn show(&self) -> String {
        if self.0.is_empty() { "none".to_owned() } else { "***".to_owned() }
    }
}

/// Reads one key.
pub(crate) fn master_key(text: &str) -> Option<MasterKey> {
    let bytes = BASE64_STANDARD.decode(text).ok()?;
    bytes.try_into().ok().map(MasterKey::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_are_read_and_shown() {
        let text = "0,5,30,300,1800,7200";
        assert_eq!(Delays::read(text).unwrap(), Delays::default());
        assert_eq!(Delays::default().show(), text);
        assert_eq!(Delays::read("0, 1").unwrap().show(), "0,1");
        for wrong in ["", "5", "5,0", "0,-1", "0,x", "0,1.5", "0,9999999", &["0"; 31].join(",")] {
            assert!(Delays::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn master_keys_are_read_and_never_shown() {
        let key = BASE64_STANDARD.encode([7; MASTER_KEY_BYTES]);
        let keys = MasterKeys::read(&format!("{key}, {key}")).unwrap();
        assert_eq!((keys.0.len(), keys.show()), (2, "***".to_owned()));
        assert!(!format!("{keys:?}").contains(&key));
        for wrong in ["", "abc", "AAAA", &format!("{key},")] {
            let refused = MasterKeys::read(wrong).unwrap_err();
            assert!(refused.contains("Base64"), "{refused}");
        }
    }
}
