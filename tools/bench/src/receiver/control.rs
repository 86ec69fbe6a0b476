//! What the receiver is asked and told by whoever runs it.

use super::incoming::Incoming;
use super::recorder::Recorder;

/// The answer to a request that is no delivery; `None` when it is not for us either.
pub(crate) fn answer(incoming: &Incoming<'_>, recorder: &mut Recorder) -> Option<String> {
    let (path, query) = incoming.target.split_once('?').unwrap_or((incoming.target, ""));
    match (incoming.method, path) {
        ("GET", "/stats") => Some(recorder.stats()),
        ("GET", "/counts") => Some(recorder.counts()),
        ("GET", "/endpoints") => Some(recorder.endpoints()),
        ("GET", "/arrived") => {
            let since = query.strip_prefix("since=").and_then(|since| since.parse().ok());
            Some(recorder.page(since.unwrap_or(0)))
        }
        ("POST", "/forget") => {
            recorder.forget();
            Some(String::new())
        }
        ("POST", "/secret") => {
            let text = std::str::from_utf8(incoming.body).ok()?;
            let (path, secret) = text.split_once('\n')?;
            recorder.expect(path, secret);
            Some(String::new())
        }
        _ => None,
    }
}
