//! How an endpoint behaves, which its URL says.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::time::Duration;

const MIB: usize = 1024 * 1024;

/// What an endpoint does with every delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behaviour {
    /// `/ok/N`: 200 at once.
    Ok,
    /// `/hang/N`: never answers.
    Hang,
    /// `/drip/N`: the head at once, then a byte of the body every half second.
    Drip,
    /// `/fail/N`: 500.
    Fail,
    /// `/flaky/N?p=30&until=6`: fails so many percent of the attempts before this one.
    Flaky { percent: u64, until: u32 },
    /// `/slow/N?ms=20`: 200 after a while.
    Slow(Duration),
    /// `/huge/N?mb=20`: 200 with a body of this many bytes.
    Huge(usize),
}

/// What is done with one delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    Answer(&'static [u8]),
    AnswerAfter(Duration),
    AnswerHuge(usize),
    Close,
    Hang,
    Drip,
}

pub(crate) const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
pub(crate) const NOT_FOUND: &[u8] = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
const FAILED: &[u8] = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n";
/// Nobody has subscribed this path: whoever follows is found out.
const MOVED: &[u8] = b"HTTP/1.1 302 Found\r\nLocation: /ok/moved\r\nContent-Length: 0\r\n\r\n";
/// All of them are failures, of which none is final.
const FLAWS: [Deed; 4] =
    [Deed::Answer(FAILED), Deed::Answer(NOT_FOUND), Deed::Answer(MOVED), Deed::Close];

impl Behaviour {
    /// The behaviour that a target's path and query ask for; `None` when it is no endpoint.
    pub(crate) fn of(target: &str) -> Option<Self> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let parameter = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs.find(|(found, _)| *found == name)?.1.parse::<u32>().ok()
        };
        let (kind, number) = path.strip_prefix('/')?.split_once('/')?;
        if number.is_empty() {
            return None;
        }
        Some(match kind {
            "ok" => Self::Ok,
            "hang" => Self::Hang,
            "drip" => Self::Drip,
            "fail" => Self::Fail,
            "flaky" => Self::Flaky {
                percent: u64::from(parameter("p").unwrap_or(30)),
                until: parameter("until").unwrap_or(u32::MAX),
            },
            "slow" => Self::Slow(Duration::from_millis(parameter("ms").unwrap_or(100).into())),
            "huge" => Self::Huge(parameter("mb").unwrap_or(20) as usize * MIB),
            _ => return None,
        })
    }

    /// What to do with this attempt: the same each time it comes.
    pub(crate) fn deed(self, event_id: &str, attempt: u32) -> Deed {
        match self {
            Self::Ok => Deed::Answer(OK),
            Self::Hang => Deed::Hang,
            Self::Drip => Deed::Drip,
            Self::Fail => Deed::Answer(FAILED),
            Self::Flaky { percent, until } => flaky(percent, until, event_id, attempt),
            Self::Slow(pause) => Deed::AnswerAfter(pause),
            Self::Huge(bytes) => Deed::AnswerHuge(bytes),
        }
    }
}

impl Deed {
    /// Whether the sender gets a 2xx, and all of it at once, from this.
    pub(crate) fn accepts(self) -> bool {
        match self {
            Self::Answer(answer) => answer == OK,
            Self::AnswerAfter(_) => true,
            Self::AnswerHuge(_) | Self::Close | Self::Hang | Self::Drip => false,
        }
    }
}

fn flaky(percent: u64, until: u32, event_id: &str, attempt: u32) -> Deed {
    let mut hasher = DefaultHasher::new();
    (event_id, attempt).hash(&mut hasher);
    let drawn = hasher.finish();
    if attempt >= until || drawn % 100 >= percent {
        return Deed::Answer(OK);
    }
    let flaw = usize::try_from(drawn / 100 % 4).ok().and_then(|index| FLAWS.get(index));
    flaw.copied().unwrap_or(Deed::Close)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_says_how_an_endpoint_behaves() {
        let check = |target, expected| assert_eq!(Behaviour::of(target), expected, "{target}");
        check("/ok/1", Some(Behaviour::Ok));
        check("/flaky/2?p=7&until=6", Some(Behaviour::Flaky { percent: 7, until: 6 }));
        check("/slow/1?ms=15", Some(Behaviour::Slow(Duration::from_millis(15))));
        check("/huge/1?mb=2", Some(Behaviour::Huge(2 * MIB)));
        check("/stats", None);
        check("/ok/", None);
        check("/nothing/1", None);
    }

    #[test]
    fn a_flaky_endpoint_fails_its_share_in_every_way_and_always_the_same() {
        let behaviour = Behaviour::Flaky { percent: 30, until: 6 };
        let deed = |number: u32| behaviour.deed(&format!("evt_{number}"), 1);
        let deeds: Vec<Deed> = (0..10_000).map(deed).collect();
        let failed = deeds.iter().filter(|deed| !deed.accepts()).count();
        assert!((2_800..3_200).contains(&failed), "{failed}");
        assert!(FLAWS.iter().all(|flaw| deeds.contains(flaw) && !flaw.accepts()));
        assert_eq!(deeds, (0..10_000).map(deed).collect::<Vec<_>>());
        assert!((0..1_000).all(|n| behaviour.deed(&format!("evt_{n}"), 6).accepts()));
    }
}
