//! What was sent with a form: read by `intake`, and kept for showing the form once more.

use std::{borrow::Cow, cell::RefCell};

use actix_web::web::Bytes;
use intake::{Form, Unreadable};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::{csrf, list::encoded};

/// The hidden fields that every form carries.
const CSRF: &str = "csrf";
const ONCE: &str = "once";
/// What one carries that is filled in as another was whose key counts no more: the key of that one.
pub(crate) const REPLACES: &str = "replaces";
/// What the button of a form sends that is to be shown again with more rows; nothing of it is carried out.
pub(crate) const MORE: &str = "more";
/// What one sends that is looked at without being carried out.
const CHECK: &str = "check";
/// A field whose text shall never be shown again.
const SECRETS: &[&str] =
    &["password", "newPassword", "code", "token", "secretKey", "notificationSecret"];
/// What browsers write otherwise in a form.
const CODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'*').remove(b'-').remove(b'.').remove(b'_').remove(b' ');

/// Whether the text of a field shall never be shown again, nor kept.
pub(crate) fn is_secret(name: &str) -> bool {
    SECRETS.contains(&name)
}

/// A form as it was sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sent {
    /// What proves that a page of ours has sent it.
    pub(crate) csrf: String,
    /// The same whenever one page is sent.
    pub(crate) once: Option<String>,
    /// The same of the kept form that it takes the place of.
    pub(crate) replaces: Option<String>,
    /// Whether it is to be shown again with more rows.
    pub(crate) wants_more: bool,
    /// The fields that were filled in, as they came.
    rest: String,
    values: Values,
    /// Files, by the names of their fields.
    files: Vec<(String, Bytes)>,
}

/// The texts of a form, for showing it once more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Values {
    pairs: Vec<(String, String)>,
    /// The fields that have [been read](Self::read) in vain.
    unread: RefCell<Vec<&'static str>>,
}

impl Sent {
    /// Reads what a browser sends. What a field leaves empty counts as left out.
    pub(crate) fn of(body: &str) -> Self {
        let mut sent = Self::default();
        let mut rest = Vec::new();
        for pair in body.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match name {
                CSRF => sent.csrf = decoded(value),
                // It is kept with what the form led to, so nothing is taken but what a page of ours carries.
                ONCE => sent.once = Some(decoded(value)).filter(|once| csrf::is_random(once)),
                REPLACES => {
                    sent.replaces = Some(decoded(value)).filter(|once| csrf::is_random(once));
                }
                MORE => sent.wants_more = true,
                _ => {
                    let (name, text) = (decoded(name), decoded(value));
                    if !text.trim().is_empty() {
                        rest.push(pair);
                    }
                    sent.values.pairs.push((name, text));
                }
            }
        }
        sent.rest = rest.join("&");
        sent
    }

    /// Takes what a browser sends of a form with files: the texts of its fields, and the files.
    pub(crate) fn of_parts(texts: &[(String, String)], files: Vec<(String, Bytes)>) -> Self {
        let pair = |(name, text): &(String, String)| format!("{}={}", encoded(name), encoded(text));
        let body = texts.iter().map(pair).collect::<Vec<_>>().join("&");
        // A field of files that was left empty is sent as a file of nothing.
        let files = files.into_iter().filter(|(_, bytes)| !bytes.is_empty()).collect();
        Self { files, ..Self::of(&body) }
    }

    /// The file that was chosen in a field.
    pub(crate) fn file(&self, name: &str) -> Option<&Bytes> {
        self.files.iter().find(|(known, _)| known == name).map(|(_, bytes)| bytes)
    }

    /// Every file, by the name of its field.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &Bytes)> {
        self.files.iter().map(|(name, bytes)| (name.as_str(), bytes))
    }

    /// Its value.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    pub(crate) fn read<T>(&self, form: &Form<T>) -> Result<T, Unreadable> {
        form.read_typed(self.rest.as_bytes())
    }

    /// The fields that were filled in, as they came: the same whenever a form is sent again.
    pub(crate) fn filled(&self) -> &str {
        &self.rest
    }

    /// Whether it was sent to be looked at alone: nothing of it is carried out.
    pub(crate) fn is_look(&self) -> bool {
        self.wants_more || self.values.filled(CHECK).is_some()
    }

    /// How many rows are asked for: those that it had, by a field that each of them has, and so many more.
    pub(crate) fn rows_asked<N: AsRef<str>>(
        &self,
        fields: impl IntoIterator<Item = N>,
        more: usize,
    ) -> usize {
        let had = fields.into_iter().filter(|name| self.values.has(name.as_ref())).count();
        if self.wants_more { had + more } else { 0 }
    }

    /// The names and texts of its fields.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let pairs = self.values.pairs().flat_map(|(name, text)| [name, text]);
        pairs.chain(self.files().map(|(name, _)| name))
    }

    /// What was filled in.
    pub(crate) fn values(&self) -> &Values {
        &self.values
    }
}

impl Values {
    /// These texts.
    pub(crate) fn with(pairs: &[(&str, &str)]) -> Self {
        let pairs = pairs.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        Self { pairs: pairs.collect(), ..Self::default() }
    }

    /// The same with another text in a field.
    pub(crate) fn replaced(mut self, name: &str, text: &str) -> Self {
        self.pairs.retain(|(known, _)| known != name);
        self.pairs.push((name.to_owned(), text.to_owned()));
        self
    }

    /// The parameters of a query.
    pub(crate) fn of_query(query: &str) -> Self {
        Sent::of(query).values
    }

    /// The text of a field, nothing of one that is secret.
    pub(crate) fn shown(&self, name: &str) -> &str {
        if is_secret(name) { "" } else { self.get(name).unwrap_or_default() }
    }

    /// The text of a field, if it is there.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.pairs.iter().find(|(known, _)| known == name);
        found.map(|(_, text)| text.as_str())
    }

    /// The text of a field that is not empty.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        self.get(name).map(str::trim).filter(|text| !text.is_empty())
    }

    /// What is meant in a field that narrows a list, if it is filled in. Where that cannot be read it narrows nothing, and is noted:
    /// the [bar](crate::parts::Filters) above the list says so, and [nothing goes](crate::list::all_read) through the whole list.
    pub(crate) fn read<T>(
        &self,
        name: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let meant = read(self.filled(name)?);
        if meant.is_none() {
            self.unread.borrow_mut().push(name);
        }
        meant
    }

    /// Whether a field was read in vain.
    pub(crate) fn is_unread(&self, name: &str) -> bool {
        self.unread.borrow().contains(&name)
    }

    /// The first field that was.
    pub(crate) fn unread(&self) -> Option<&'static str> {
        self.unread.borrow().first().copied()
    }

    /// Whether a box is ticked.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// All but secrets, as a browser would send them.
    pub(crate) fn without_secrets(&self) -> String {
        let coded = |text: &str| utf8_percent_encode(text, CODED).to_string().replace(' ', "+");
        let open = self.pairs().filter(|(name, _)| !is_secret(name));
        let pairs = open.map(|(name, text)| format!("{}={}", coded(name), coded(text)));
        pairs.collect::<Vec<_>>().join("&")
    }

    /// All of them.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }
}

/// The text behind url-encoding; what is not well-formed is told by who reads the form. No database takes a zero, so a filter has none
/// either.
fn decoded(text: &str) -> String {
    let spaced: Cow<'_, str> =
        if text.contains('+') { text.replace('+', " ").into() } else { text.into() };
    percent_decode_str(&spaced).decode_utf8_lossy().replace('\0', "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use intake::{checks::line, noun};

    use super::*;

    const ONCE_SENT: &str = "AbCdEfGhIjKlMnOpQrStUvWxYz012-_9";
    const FORM: Form<(String, Option<String>)> = Form::body(
        "Sample",
        noun("a sample", "una muestra"),
        |fields| Some((fields.required("name", line(20))?, fields.optional("note", line(20)))),
        "",
    );

    #[test]
    fn hidden_fields_and_empty_ones_are_not_the_readers_business() {
        let sent = Sent::of(&format!("csrf=a%2Bb&name=Ana+Mar%C3%ADa&note=&once={ONCE_SENT}"));
        assert_eq!((sent.csrf.as_str(), sent.once.as_deref()), ("a+b", Some(ONCE_SENT)));
        assert_eq!(sent.read(&FORM).unwrap(), ("Ana María".to_owned(), None));
        assert_eq!(sent.values().shown("name"), "Ana María");
        assert_eq!(sent.values().filled("note"), None);
    }

    #[test]
    fn parts_are_read_as_other_forms_are() {
        let text = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let texts = [text("csrf", "a+b"), text("name", "Ana & María"), text("note", "")];
        let file = |name: &str, bytes: &'static [u8]| (name.to_owned(), Bytes::from_static(bytes));
        let sent = Sent::of_parts(&texts, vec![file("key", b"\x00\xff"), file("other", b"")]);
        assert_eq!(sent.csrf, "a+b");
        assert_eq!(sent.read(&FORM).unwrap(), ("Ana & María".to_owned(), None));
        assert_eq!(sent.file("key").map(|bytes| &bytes[..]), Some(&b"\x00\xff"[..]));
        assert_eq!((sent.file("other"), sent.files().count()), (None, 1));
    }

    #[test]
    fn what_is_kept_is_read_back_without_secrets() {
        let body = "name=Ana+%26+Mar%C3%ADa*-._&note=&password=hunter2&%3D=%2B&code=123456";
        let kept = Sent::of(body).values().without_secrets();
        assert_eq!(kept, "name=Ana+%26+Mar%C3%ADa*-._&note=&%3D=%2B");
        let read = Sent::of(&kept);
        assert_eq!(read.values().get("name"), Some("Ana & María*-._"));
        assert_eq!((read.values().get("note"), read.values().get("=")), (Some(""), Some("+")));
    }

    #[test]
    fn what_narrows_a_list_and_cannot_be_read_is_noted() {
        let query = Values::of_query("status=zzz&rows=7&q=");
        let number = |text: &str| text.parse::<u32>().ok();
        assert_eq!((query.read("rows", number), query.read("q", number)), (Some(7), None));
        assert_eq!((query.unread(), query.read("nothing", number)), (None, None));
        assert_eq!((query.read("status", number), query.unread()), (None, Some("status")));
        assert!(query.is_unread("status") && !query.is_unread("rows") && !query.is_unread("q"));
    }

    #[test]
    fn what_nobody_asked_for_is_refused_and_secrets_are_not_shown_again() {
        assert!(Sent::of("name=Ana&other=1").read(&FORM).is_err());
        assert!(Sent::of("name=+").read(&FORM).is_err());
        assert_eq!(Sent::of("password=hunter2").values().shown("password"), "");
        assert!(Sent::of("name=a%00b").read(&FORM).is_err());
        assert_eq!(Values::of_query("name=a%00b").filled("name"), Some("a\u{fffd}b"));
    }
}
