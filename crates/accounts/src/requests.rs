//! The log of requests: what keys ask the API for, and what they are answered. No body, no query, no secret is in it.
//!
//! Writes and failures are lines, as many of a second as cost others nothing; what is beyond them, reads that succeed and
//! what is over a limit are counted by key, route and minute. What is noted waits in memory until somebody writes it down,
//! and is lost with the process.

use std::{collections::BTreeMap, net::IpAddr, time::Duration};

use kernel::{AccountId, ApiKeyId, Fault, Page, PageRequest, Pending, Timestamp, Written};

kernel::ids! {
    /// The identifier of a line of the log of requests.
    RequestLineId = "req";
}

/// Lines that wait to be written down, at most, and as many counts.
pub const WAITING_MAX: usize = 10_000;
/// Lines of writes that succeed, of one second and node.
pub const WRITES_MAX: usize = 20;
/// Lines of requests that fail, of one second and node.
pub const FAILURES_MAX: usize = 100;
const SECOND_MICROS: i64 = 1_000_000;
const MINUTE_MICROS: i64 = 60 * SECOND_MICROS;
/// A clock that is so many seconds behind was set back.
const BACK_SECONDS: i64 = 60;
/// The status of what is over a limit.
const LIMITED: u16 = 429;

/// A request that was answered.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct Answered<'a> {
    pub account: AccountId,
    pub key: ApiKeyId,
    pub method: &'static str,
    /// The path, with names in the place of identifiers.
    pub route: &'static str,
    /// The identifiers in the path, between blanks.
    pub ids: Option<&'a str>,
    pub status: u16,
    /// The code of the error, if it was refused.
    pub code: Option<&'static str>,
    pub took: Duration,
    pub request_id: &'a str,
    pub address: IpAddr,
    pub at: Timestamp,
}

impl Answered<'_> {
    fn has_failed(&self) -> bool {
        self.status >= 400
    }

    /// Whether it is counted with others like it, however few there are.
    fn is_counted(&self) -> bool {
        self.status == LIMITED || (matches!(self.method, "GET" | "HEAD") && !self.has_failed())
    }

    fn line(&self) -> RequestLine {
        RequestLine {
            account: self.account,
            key: self.key,
            method: self.method.to_owned(),
            route: self.route.to_owned(),
            ids: self.ids.map(str::to_owned),
            status: self.status,
            code: self.code.map(str::to_owned),
            micros: micros(self.took),
            request_id: Some(self.request_id.to_owned()).filter(|id| !id.is_empty()),
            network: Some(network_of(self.address)),
            count: 1,
            created_at: self.at,
        }
    }
}

/// A line: one request, or several of a minute.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct RequestLine {
    pub account: AccountId,
    pub key: ApiKeyId,
    pub method: String,
    pub route: String,
    /// The identifiers in the path, between blanks.
    pub ids: Option<String>,
    pub status: u16,
    /// The code of the error, if it was refused.
    pub code: Option<String>,
    /// How long it took; of several the mean.
    pub micros: u64,
    pub request_id: Option<String>,
    /// The network that it came from: the first 24 bits of an IPv4 address, the first 48 of an IPv6 one.
    pub network: Option<String>,
    /// How many requests it stands for.
    pub count: u64,
    /// When it came; of several the beginning of the minute.
    pub created_at: Timestamp,
}

/// A line on record.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct LoggedRequest {
    pub id: RequestLineId,
    pub line: RequestLine,
}

/// Which lines are looked for, newest first; every set field must match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the rest is self-explanatory")]
pub struct RequestQuery {
    pub page: PageRequest,
    pub key: Option<ApiKeyId>,
    pub method: Option<String>,
    pub route: Option<String>,
    pub status: Option<u16>,
    /// Only requests that were refused or failed.
    pub has_failed: bool,
    /// From this moment on.
    pub from: Option<Timestamp>,
    /// Before this moment.
    pub to: Option<Timestamp>,
}

/// Keeps the log of requests.
pub trait RequestLog: Send + Sync {
    /// Notes a request. It waits for nothing; what finds no place is lost, and counted.
    fn note(&self, request: &Answered<'_>);

    /// Writes down the lines that were noted until now, and the counts of minutes that are over.
    fn write_down(&self) -> Pending<Written<(), ()>>;

    /// One line; `None` when the account has no such, or not any more.
    fn request(
        &self,
        account: AccountId,
        id: RequestLineId,
    ) -> Pending<Result<Option<LoggedRequest>, Fault>>;

    /// A page of lines.
    fn requests(
        &self,
        account: AccountId,
        query: RequestQuery,
    ) -> Pending<Result<Page<LoggedRequest>, Fault>>;
}

/// What tells counts apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Counted {
    minute: i64,
    account: AccountId,
    key: ApiKeyId,
    method: &'static str,
    route: &'static str,
    status: u16,
    code: Option<&'static str>,
}

/// How many lines a second has room for. Keys that ask in one second share those of the next.
#[derive(Debug)]
struct Room {
    lines: usize,
    /// Of each key.
    share: usize,
    second: i64,
    given: usize,
    /// The lines of each key that has asked, of no more keys than there are lines.
    keys: BTreeMap<ApiKeyId, usize>,
}

impl Room {
    const fn of(lines: usize) -> Self {
        Self { lines, share: lines, second: 0, given: 0, keys: BTreeMap::new() }
    }

    /// Whether a request of a key is to be a line.
    fn is_given(&mut self, key: ApiKeyId, second: i64) -> bool {
        if second > self.second || second < self.second - BACK_SECONDS {
            self.share = (self.lines / self.keys.len().max(1)).max(1);
            (self.second, self.given) = (second, 0);
            self.keys.clear();
        }
        if self.keys.len() >= self.lines && !self.keys.contains_key(&key) {
            return false;
        }
        let of_key = self.keys.entry(key).or_default();
        let is_given = self.given < self.lines && *of_key < self.share;
        if is_given {
            *of_key += 1;
            self.given += 1;
        }
        is_given
    }
}

/// What was noted and is not written down yet.
#[derive(Debug)]
pub struct Notes {
    lines: Vec<RequestLine>,
    /// How many, and how long they took together.
    counts: BTreeMap<Counted, (u64, u64)>,
    /// The minute of the newest.
    minute: i64,
    writes: Room,
    failures: Room,
}

impl Default for Notes {
    fn default() -> Self {
        let (writes, failures) = (Room::of(WRITES_MAX), Room::of(FAILURES_MAX));
        Self { lines: Vec::new(), counts: BTreeMap::new(), minute: 0, writes, failures }
    }
}

impl Notes {
    /// Notes a request, if there is room in memory.
    pub fn note(&mut self, request: &Answered<'_>) -> bool {
        let micros_now = request.at.micros();
        let minute = micros_now.div_euclid(MINUTE_MICROS);
        self.minute = self.minute.max(minute);
        if self.is_line(request, micros_now.div_euclid(SECOND_MICROS)) {
            self.lines.push(request.line());
            return true;
        }
        let Answered { account, key, method, route, status, code, took, .. } = *request;
        let counted = Counted { minute, account, key, method, route, status, code };
        if self.counts.len() >= WAITING_MAX && !self.counts.contains_key(&counted) {
            return false;
        }
        let (count, together) = self.counts.entry(counted).or_default();
        (*count, *together) = (*count + 1, together.saturating_add(micros(took)));
        true
    }

    fn is_line(&mut self, request: &Answered<'_>, second: i64) -> bool {
        let room = if request.has_failed() { &mut self.failures } else { &mut self.writes };
        !request.is_counted()
            && self.lines.len() < WAITING_MAX
            && room.is_given(request.key, second)
    }

    /// Takes what is to be written down, so much at most: the counts of minutes that are over, or all, and the lines.
    pub fn take(&mut self, every: bool, at_most: usize) -> Vec<RequestLine> {
        let lines = self.lines.len().min(at_most);
        let current = self.minute;
        let is_over = |counted: &Counted| every || counted.minute < current;
        let over = self.counts.keys().copied().take_while(is_over).take(at_most - lines);
        let over: Vec<Counted> = over.collect();
        let mut taken = Vec::with_capacity(over.len() + lines);
        for counted in over {
            if let Some(counts) = self.counts.remove(&counted) {
                taken.push(several(counted, counts));
            }
        }
        taken.extend(self.lines.drain(..lines));
        taken
    }
}

fn several(counted: Counted, (count, together): (u64, u64)) -> RequestLine {
    RequestLine {
        account: counted.account,
        key: counted.key,
        method: counted.method.to_owned(),
        route: counted.route.to_owned(),
        ids: None,
        status: counted.status,
        code: counted.code.map(str::to_owned),
        micros: together / count.max(1),
        request_id: None,
        network: None,
        count,
        created_at: Timestamp::from_micros(counted.minute.saturating_mul(MINUTE_MICROS)),
    }
}

fn micros(took: Duration) -> u64 {
    u64::try_from(took.as_micros()).unwrap_or(u64::MAX)
}

/// The network of an address, as much of it as is kept.
fn network_of(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(v6) => {
            let [a, b, c, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}::/48")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i64 = SECOND_MICROS;

    fn answered(method: &'static str, status: u16, at: i64) -> Answered<'static> {
        Answered {
            account: AccountId::from_u128(1),
            key: ApiKeyId::from_u128(2),
            method,
            route: "/orders/{id}",
            ids: Some("ord_1"),
            status,
            code: (status >= 400).then_some("not_found"),
            took: Duration::from_millis(2),
            request_id: "r1",
            address: "203.0.113.77".parse().unwrap(),
            at: Timestamp::from_micros(at),
        }
    }

    fn of_key(key: u128, method: &'static str, status: u16, at: i64) -> Answered<'static> {
        Answered { key: ApiKeyId::from_u128(key), ..answered(method, status, at) }
    }

    fn lines_of(taken: &[RequestLine], key: u128) -> usize {
        let key = ApiKeyId::from_u128(key);
        taken.iter().filter(|line| line.key == key && line.request_id.is_some()).count()
    }

    #[test]
    fn writes_and_failures_are_lines_and_reads_are_counted() {
        let mut notes = Notes::default();
        for second in 0..3 {
            assert!(notes.note(&answered("GET", 200, second * SECOND)));
        }
        assert!(notes.note(&answered("GET", 404, SECOND)));
        assert!(notes.note(&answered("POST", 201, SECOND)));
        let lines = notes.take(false, 100);
        let told: Vec<_> = lines.iter().map(|line| (line.status, line.count)).collect();
        assert_eq!(told, [(404, 1), (201, 1)]);
        assert_eq!(lines[0].network.as_deref(), Some("203.0.113.0/24"));
        assert_eq!((lines[0].ids.as_deref(), lines[1].code.as_deref()), (Some("ord_1"), None));
        // The minute is over once there is a later request.
        assert!(notes.note(&answered("GET", 200, 60 * SECOND)));
        let of_minute = notes.take(false, 100);
        assert_eq!((of_minute.len(), of_minute[0].count, of_minute[0].micros), (1, 3, 2_000));
        assert_eq!(of_minute[0].created_at.micros(), 0);
        assert_eq!(notes.take(true, 100).len(), 1);
        assert!(notes.take(true, 100).is_empty());
        // Whoever asks too much does not fill the log.
        for _ in 0..5 {
            assert!(notes.note(&answered("POST", LIMITED, 60 * SECOND)));
        }
        let limited = notes.take(true, 100);
        assert_eq!((limited.len(), limited[0].count, limited[0].status), (1, 5, LIMITED));
    }

    #[test]
    fn what_a_second_has_no_room_for_is_counted() {
        let mut notes = Notes::default();
        for _ in 0..500 {
            assert!(notes.note(&answered("POST", 201, 0)));
            assert!(notes.note(&answered("PATCH", 409, 0)));
        }
        assert_eq!(notes.take(false, 1_000).len(), WRITES_MAX + FAILURES_MAX);
        // The next second has room again.
        assert!(notes.note(&answered("POST", 201, SECOND)));
        assert_eq!(notes.take(false, 1_000).len(), 1);
        let counted: Vec<_> =
            notes.take(true, 1_000).into_iter().map(|line| (line.status, line.count)).collect();
        assert_eq!(counted, [(409, 400), (201, 480)]);
    }

    #[test]
    fn keys_share_a_second() {
        let mut notes = Notes::default();
        let asks = |notes: &mut Notes, second: i64| {
            for _ in 0..100 {
                assert!(notes.note(&of_key(1, "POST", 201, second * SECOND)));
            }
            assert!(notes.note(&of_key(2, "POST", 201, second * SECOND)));
        };
        asks(&mut notes, 0);
        let _ = notes.take(false, 1_000);
        asks(&mut notes, 1);
        let taken = notes.take(false, 1_000);
        assert_eq!((lines_of(&taken, 1), lines_of(&taken, 2)), (WRITES_MAX / 2, 1));
        // However many there are, each second has its lines.
        for second in 2..5 {
            for key in 0..1_000 {
                assert!(notes.note(&of_key(key, "POST", 201, second * SECOND)));
            }
        }
        assert_eq!(notes.take(false, 1_000).len(), 3 * WRITES_MAX);
        // A clock that was set back leaves room.
        assert!(notes.note(&of_key(1, "POST", 201, -3_600 * SECOND)));
        assert_eq!(lines_of(&notes.take(false, 1_000), 1), 1);
    }

    #[test]
    fn memory_is_bounded_and_so_is_what_is_taken() {
        let mut notes = Notes::default();
        let full = i64::try_from(WAITING_MAX).unwrap();
        for second in 0..full {
            assert!(notes.note(&answered("POST", 201, second * SECOND)));
        }
        assert!(notes.note(&answered("POST", 201, full * SECOND)), "counted");
        let mut taken = 0;
        loop {
            let part = notes.take(true, 300).len();
            assert!(part <= 300);
            if part == 0 {
                break;
            }
            taken += part;
        }
        assert_eq!(taken, WAITING_MAX + 1);
    }

    #[test]
    fn addresses_are_kept_as_networks() {
        for (address, network) in [
            ("198.51.100.7", "198.51.100.0/24"),
            ("::ffff:198.51.100.7", "198.51.100.0/24"),
            ("2001:db8:1:2:3::4", "2001:db8:1::/48"),
        ] {
            assert_eq!(network_of(address.parse().unwrap()), network);
        }
    }
}
