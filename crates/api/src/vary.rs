//! What an answer depends on beside its address, for whoever keeps it (RFC 9110 §12.5.5).

use actix_web::http::header::{CONTENT_LANGUAGE, HeaderName, HeaderValue, VARY};

/// The headers of an answer as they are sent: one says all that it depends on, the preferred language among it where the answer
/// is in one.
pub(crate) fn in_one(
    headers: impl Iterator<Item = (HeaderName, HeaderValue)>,
) -> Vec<(HeaderName, HeaderValue)> {
    let (vary, mut sent): (Vec<_>, Vec<_>) = headers.partition(|(name, _)| *name == VARY);
    let is_told = sent.iter().any(|(name, _)| *name == CONTENT_LANGUAGE);
    let language = is_told.then_some(&b"Accept-Language"[..]);
    let depends_on: Vec<&[u8]> =
        vary.iter().map(|(_, value)| value.as_bytes()).chain(language).collect();
    if !depends_on.is_empty()
        && let Ok(value) = HeaderValue::from_bytes(&depends_on.join(&b", "[..]))
    {
        sent.push((VARY, value));
    }
    sent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_header_says_what_an_answer_depends_on() {
        let header = |(name, value)| (name, HeaderValue::from_static(value));
        let vary = |headers: &[(HeaderName, &'static str)]| {
            let sent = in_one(headers.iter().cloned().map(header));
            let mut values = sent.into_iter().filter(|(name, _)| *name == VARY);
            let value = values.next().map(|(_, value)| value.to_str().unwrap().to_owned());
            assert_eq!(values.next(), None);
            value
        };
        let (told, origin) = ((CONTENT_LANGUAGE, "es"), (VARY, "Origin"));
        assert_eq!(vary(&[]), None);
        assert_eq!(vary(std::slice::from_ref(&origin)).as_deref(), Some("Origin"));
        let all = vary(&[(VARY, "Accept-Encoding"), told, origin]);
        assert_eq!(all.as_deref(), Some("Accept-Encoding, Origin, Accept-Language"));
    }
}
