//! One delivery attempt as it arrived, and the line of text it is told in.

use std::fmt::Write;

/// An attempt that reached an endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arrival {
    /// The endpoint's path, without its query.
    pub(crate) path: Box<str>,
    /// When all of it had been read.
    pub(crate) unix_micros: u64,
    pub(crate) order_id: Box<str>,
    pub(crate) event_id: Box<str>,
    pub(crate) attempt: u32,
    /// It was answered with 2xx, and whole.
    pub(crate) accepted: bool,
    /// Its signature is right, and the ids in its headers are those in its body.
    pub(crate) genuine: bool,
    /// Of the body's bytes.
    pub(crate) digest: u64,
}

impl Arrival {
    /// Appends the line that [`Arrival::read`] reads.
    pub(crate) fn write(&self, text: &mut String) {
        let Self { path, unix_micros, order_id, event_id, attempt, .. } = self;
        let Self { accepted, genuine, digest, .. } = self;
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{path}\t{unix_micros}\t{order_id}\t{event_id}\t{attempt}\t{}\t{}\t{digest:x}",
            u8::from(*accepted),
            u8::from(*genuine)
        );
    }

    /// Reads a line; `None` when it is none of ours.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let mut fields = line.split('\t');
        let mut next = || fields.next();
        Some(Self {
            path: next()?.into(),
            unix_micros: next()?.parse().ok()?,
            order_id: next()?.into(),
            event_id: next()?.into(),
            attempt: next()?.parse().ok()?,
            accepted: next()? == "1",
            genuine: next()? == "1",
            digest: u64::from_str_radix(next()?, 16).ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Arrival;

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let arrival = Arrival {
            path: "/ok/1".into(),
            unix_micros: 1_700_000_000_000_000,
            order_id: "ord_1".into(),
            event_id: "evt_1".into(),
            attempt: 3,
            accepted: true,
            genuine: false,
            digest: u64::MAX,
        };
        let mut text = String::new();
        arrival.write(&mut text);
        assert_eq!(Arrival::read(text.trim_end()), Some(arrival));
        assert_eq!(Arrival::read("/ok/1\t12"), None);
    }
}
