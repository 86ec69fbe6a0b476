//! What the receiver remembers: the secrets of its endpoints, and every arrival.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::fmt::Write;
use std::hash::{Hash, Hasher};

use aws_lc_rs::hmac::Key;

use super::arrival::Arrival;
use super::behaviour::{Behaviour, Deed};
use super::incoming::Incoming;
use super::{ids, signature};
use crate::wall_clock::unix_micros;

/// Lines of one answer to `/arrived`.
const ARRIVALS_PER_PAGE: usize = 20_000;

/// Everything that has arrived since the last time it was told to forget.
#[derive(Default)]
pub(crate) struct Recorder {
    secrets: HashMap<String, Key>,
    arrivals: Vec<Arrival>,
    accepted: u64,
    malformed: u64,
    /// Events that tell of no order, since the start.
    others: u64,
}

impl Recorder {
    /// From now on the signatures of this endpoint's deliveries are checked.
    pub(crate) fn expect(&mut self, path: &str, secret: &str) {
        self.secrets.insert(path.to_owned(), signature::key(secret));
    }

    /// Forgets the arrivals, not the secrets.
    pub(crate) fn forget(&mut self) {
        self.arrivals.clear();
        (self.accepted, self.malformed) = (0, 0);
    }

    /// Something came that is no delivery.
    pub(crate) const fn malformed(&mut self) {
        self.malformed += 1;
    }

    /// Writes a delivery down; what is to be done with it, or `None` when it is none. What tells of no order is only
    /// counted.
    pub(crate) fn arrived(&mut self, incoming: &Incoming<'_>) -> Option<Deed> {
        let unix_micros = unix_micros();
        let behaviour = Behaviour::of(incoming.target)?;
        let event_id = ids::event_id(incoming.body)?;
        let deed = behaviour.deed(event_id, incoming.attempt);
        let Some(order_id) = ids::order_id(incoming.body) else {
            self.others += 1;
            return Some(deed);
        };
        let path = incoming.target.split('?').next().unwrap_or_default();
        let signed = self
            .secrets
            .get(path)
            .is_none_or(|key| incoming.signature == Some(&signature::hex(key, incoming.body)[..]));
        let accepted = deed.accepts();
        self.accepted += u64::from(accepted);
        self.arrivals.push(Arrival {
            path: path.into(),
            unix_micros,
            order_id: order_id.into(),
            event_id: event_id.into(),
            attempt: incoming.attempt,
            accepted,
            genuine: signed && incoming.event_id == Some(event_id),
            digest: digest(incoming.body),
        });
        Some(deed)
    }

    /// The counts in one line of JSON.
    pub(crate) fn stats(&self) -> String {
        let forged = self.arrivals.iter().filter(|arrival| !arrival.genuine).count();
        let micros = |arrival: Option<&Arrival>| arrival.map_or(0, |arrival| arrival.unix_micros);
        format!(
            r#"{{"arrivals":{},"accepted":{},"malformed":{},"forged":{forged},"firstMicros":{},"lastMicros":{}}}"#,
            self.arrivals.len(),
            self.accepted,
            self.malformed,
            micros(self.arrivals.first()),
            micros(self.arrivals.last()),
        )
    }

    /// Counts that cost nothing to ask for in the middle of a measurement.
    pub(crate) fn counts(&self) -> String {
        let Self { arrivals, accepted, others, .. } = self;
        let arrivals = arrivals.len();
        format!(r#"{{"arrivals":{arrivals},"accepted":{accepted},"others":{others}}}"#)
    }

    /// The counts of each endpoint, one a line.
    pub(crate) fn endpoints(&self) -> String {
        let mut counts: HashMap<&str, (u64, u64)> = HashMap::new();
        for arrival in &self.arrivals {
            let (arrivals, accepted) = counts.entry(&arrival.path).or_default();
            *arrivals += 1;
            *accepted += u64::from(arrival.accepted);
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_unstable();
        let mut text = String::new();
        for (path, (arrivals, accepted)) in counts {
            let _ = writeln!(text, "{path}\t{arrivals}\t{accepted}");
        }
        text
    }

    /// The arrivals after the first `since`, one a line, as many as fit a page.
    pub(crate) fn page(&self, since: usize) -> String {
        let mut text = String::new();
        for arrival in self.arrivals.iter().skip(since).take(ARRIVALS_PER_PAGE) {
            arrival.write(&mut text);
        }
        text
    }
}

fn digest(body: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = br#"{"id":"evt_1","event":"order.created","data":{"id":"ord_1"}}"#;

    fn arrive(recorder: &mut Recorder, target: &str, signature: &[u8]) -> Option<Deed> {
        recorder.arrived(&Incoming {
            method: "POST",
            target,
            signature: Some(signature),
            event_id: Some("evt_1"),
            attempt: 1,
            body: BODY,
            bytes: 0,
        })
    }

    #[test]
    fn a_forged_delivery_is_remembered_as_one() {
        let mut recorder = Recorder::default();
        recorder.expect("/ok/1", "whsec_x");
        let right = signature::hex(&signature::key("whsec_x"), BODY);
        assert!(arrive(&mut recorder, "/ok/1?a=b", &right).is_some_and(Deed::accepts));
        assert!(arrive(&mut recorder, "/ok/1", &right.to_ascii_uppercase()).is_some());
        let genuine: Vec<bool> = recorder.arrivals.iter().map(|a| a.genuine).collect();
        assert_eq!(genuine, [true, false]);
        assert!(recorder.stats().contains(r#""arrivals":2,"accepted":2,"malformed":0,"forged":1"#));
        assert_eq!(recorder.endpoints(), "/ok/1\t2\t2\n");
    }

    #[test]
    fn what_tells_of_no_order_is_counted_alone() {
        let mut recorder = Recorder::default();
        let deed = recorder.arrived(&Incoming {
            method: "POST",
            target: "/slow/1?ms=5",
            signature: None,
            event_id: Some("evt_2"),
            attempt: 1,
            body: br#"{"id":"evt_2","event":"product.created","data":{"id":"prd_1"}}"#,
            bytes: 0,
        });
        assert!(deed.is_some_and(Deed::accepts));
        recorder.forget();
        assert_eq!(recorder.counts(), r#"{"arrivals":0,"accepted":0,"others":1}"#);
    }

    #[test]
    fn arrivals_are_told_since_a_number_and_forgotten() {
        let mut recorder = Recorder::default();
        arrive(&mut recorder, "/ok/1", b"");
        arrive(&mut recorder, "/hang/2", b"");
        assert_eq!(recorder.page(0).lines().count(), 2);
        let second = Arrival::read(recorder.page(1).trim_end()).unwrap();
        assert_eq!((&*second.path, second.accepted), ("/hang/2", false));
        assert_eq!((&*second.order_id, &*second.event_id), ("ord_1", "evt_1"));
        recorder.forget();
        assert_eq!(recorder.page(0), "");
        assert_eq!(arrive(&mut recorder, "/elsewhere", b""), None);
    }
}
