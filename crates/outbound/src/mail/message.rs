//! An email as it is sent: MIME, all ASCII.

use crate::SetupError;
use kernel::{
    mail::{Attachment, Email, MailError},
    reason::Reason,
};
use lettre::{
    Address, Message,
    message::{
        Body, Mailbox, MultiPart, SinglePart,
        header::{ContentDisposition, ContentTransferEncoding, ContentType},
    },
};

/// The most recipients of an email.
pub const RECIPIENTS_MAX: usize = 50;

/// The most characters of a subject, and of an attachment's name.
pub const SUBJECT_CHARS_MAX: usize = 255;

/// The most characters of an email's identifier.
const ID_CHARS_MAX: usize = 100;

/// The most bytes of an email, its text and its attachments together. Encoded they are less than 10 MiB, which
/// is what the strictest of the large mail services take.
pub const BYTES_MAX: usize = 7 << 20;

/// An email ready to be sent.
pub(super) struct Composed {
    pub(super) from: Address,
    pub(super) to: Vec<Address>,
    pub(super) bytes: Vec<u8>,
}

/// Reads who writes.
pub(super) fn sender(from: &str) -> Result<Mailbox, SetupError> {
    let mailbox: Option<Mailbox> = Some(from)
        .filter(|from| !from.contains(char::is_control))
        .and_then(|from| from.parse().ok());
    mailbox.filter(|mailbox| is_plain(&mailbox.email)).ok_or(SetupError::MailFrom)
}

/// Puts an email into the form it is sent in, if it is one that can be.
pub(super) fn compose(from: &Mailbox, email: Email) -> Result<Composed, MailError> {
    let Email { id, to, subject, text, attachments } = email;
    let to = recipients(&to)?;
    one_line("the subject", &subject)?;
    let bytes = attachments.iter().map(|attachment| attachment.bytes.len()).sum::<usize>();
    if text.len().saturating_add(bytes) > BYTES_MAX {
        return Err(MailError::refused(Reason::EmailTooLarge.kept(BYTES_MAX >> 20)));
    }
    let mut builder = Message::builder()
        .from(from.clone())
        .subject(subject)
        .message_id(Some(message_id(&id, from.email.domain())?));
    for address in &to {
        builder = builder.to(Mailbox::new(None, address.clone()));
    }
    let text = SinglePart::plain(plain(&text));
    let message = if attachments.is_empty() {
        builder.singlepart(text)
    } else {
        let mut parts = MultiPart::mixed().singlepart(text);
        for attachment in attachments {
            parts = parts.singlepart(part(attachment)?);
        }
        builder.multipart(parts)
    };
    let message = message.map_err(|error| MailError::refused(error.to_string()))?;
    Ok(Composed { from: from.email.clone(), to, bytes: message.formatted() })
}

fn recipients(to: &[String]) -> Result<Vec<Address>, MailError> {
    if to.is_empty() || to.len() > RECIPIENTS_MAX {
        return Err(MailError::refused(Reason::RecipientsCount.kept(RECIPIENTS_MAX)));
    }
    to.iter().map(|address| recipient(address)).collect()
}

fn recipient(text: &str) -> Result<Address, MailError> {
    let address = text.parse().ok().filter(is_plain);
    address.ok_or_else(|| {
        let shown: String = text.chars().filter(|c| !c.is_control()).take(100).collect();
        MailError::refused(Reason::NotAnAddress.kept(format_args!("{shown:?}")))
    })
}

/// Whether every server takes it: not one with quoted blanks, with emails beyond ASCII, or with more than a
/// line of anything.
fn is_plain(address: &Address) -> bool {
    let text: &str = address.as_ref();
    text.len() <= 254 && text.chars().all(|c| c.is_ascii_graphic() && !r#"<>",;\"#.contains(c))
}

fn one_line(what: &str, text: &str) -> Result<(), MailError> {
    if text.contains(is_break) {
        Err(MailError::refused(format!("{what} must be one line")))
    } else if text.chars().count() > SUBJECT_CHARS_MAX {
        Err(MailError::refused(format!("{what} must have at most {SUBJECT_CHARS_MAX} characters")))
    } else {
        Ok(())
    }
}

fn is_break(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// A text whose lines end in one way, without what no text has.
fn plain(text: &str) -> String {
    let mut text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.retain(|c| !c.is_control() || matches!(c, '\n' | '\t'));
    text
}

fn part(attachment: Attachment) -> Result<SinglePart, MailError> {
    let Attachment { name, content_type, bytes } = attachment;
    one_line("the name of an attachment", &name)?;
    let media = Some(&content_type).filter(|text| !text.contains(is_break));
    let media = media.and_then(|text| ContentType::parse(text).ok());
    let media =
        media.ok_or_else(|| MailError::refused("the media type of an attachment is invalid"))?;
    // Always, as a server may change the line ends of anything else.
    let body = Body::new_with_encoding(bytes, ContentTransferEncoding::Base64)
        .map_err(|_| MailError::refused("cannot encode an attachment"))?;
    let disposition = ContentDisposition::attachment(&name);
    Ok(SinglePart::builder().header(media).header(disposition).body(body))
}

/// The name of the email among all that there are.
fn message_id(id: &str, domain: &str) -> Result<String, MailError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if id.is_empty() || id.len() > ID_CHARS_MAX || !id.chars().all(is_plain) {
        return Err(MailError::refused("the identifier must be letters, digits, - and _"));
    }
    Ok(format!("<{id}@{domain}>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn email(to: &[&str], subject: &str) -> Email {
        let to = to.iter().map(|&address| address.to_owned()).collect();
        let (id, subject) = ("tsk_1".to_owned(), subject.to_owned());
        Email { id, to, subject, text: "Hola".to_owned(), attachments: Vec::new() }
    }

    fn from() -> Mailbox {
        sender("Tienda <ventas@tienda.example>").unwrap()
    }

    #[track_caller]
    fn refusal(email: Email) -> String {
        match compose(&from(), email) {
            Err(MailError::Refused { reason }) => reason,
            Err(other) => panic!("{other}"),
            Ok(composed) => panic!("{}", String::from_utf8_lossy(&composed.bytes)),
        }
    }

    fn attached(name: &str, content_type: &str, bytes: Vec<u8>) -> Email {
        let attachment = Attachment { name: name.into(), content_type: content_type.into(), bytes };
        Email { attachments: vec![attachment], ..email(&["a@b.example"], "Factura") }
    }

    #[test]
    fn a_sender_is_an_address_with_or_without_a_name() {
        for from in [
            "ventas@tienda.example",
            "Tienda <ventas@tienda.example>",
            "\"Tienda, S.A.\" <ventas@tienda.example>",
            "Papelería Núñez <ventas@tienda.example>",
        ] {
            assert_eq!(sender(from).unwrap().email.as_ref() as &str, "ventas@tienda.example");
        }
        for from in ["", "Tienda", "ventas@", "a@b.example\r\nBcc: x@y.example", "ñ@b.example"] {
            assert!(matches!(sender(from), Err(SetupError::MailFrom)), "{from}");
        }
    }

    #[test]
    fn recipients_are_plain_addresses() {
        for address in [
            "",
            "a",
            "a@",
            "a@b.example\r\nBcc: x@y.example",
            "a@b.example\n",
            "a@b.example> RCPT TO:<x@y.example",
            "a@b.example, x@y.example",
            "Ana <a@b.example>",
            "\"a b\"@b.example",
            "\"a\r\nb\"@b.example",
            "ñ@b.example",
            "a@ñ.example",
            &format!("a@{}example", "b.".repeat(150)),
        ] {
            assert!(
                refusal(email(&[address], "x")).starts_with(Reason::NotAnAddress.code()),
                "{address}"
            );
        }
        let count = Reason::RecipientsCount.kept(RECIPIENTS_MAX);
        assert_eq!(refusal(email(&[], "x")), count);
        assert_eq!(refusal(email(&["a@b.example"; RECIPIENTS_MAX + 1], "x")), count);
        assert_eq!(compose(&from(), email(&["a+b@b.example"; 50], "x")).ok().unwrap().to.len(), 50);
    }

    #[test]
    fn a_line_break_is_refused_wherever_a_line_is_wanted() {
        for text in ["a\r\nBcc: x@y.example", "a\nb", "a\rb", "a\0b", "a\u{85}b", "a\u{2028}b"] {
            assert_eq!(refusal(email(&["a@b.example"], text)), "the subject must be one line");
            let reason = refusal(attached(text, "text/xml", Vec::new()));
            assert_eq!(reason, "the name of an attachment must be one line");
            let reason = refusal(attached("a", &format!("text/xml; a=\"{text}\""), Vec::new()));
            assert_eq!(reason, "the media type of an attachment is invalid");
        }
        assert!(refusal(attached("a", "nonsense", Vec::new())).contains("media type"));
    }

    #[test]
    fn sizes_are_limited() {
        let subject = "ñ".repeat(SUBJECT_CHARS_MAX);
        assert!(compose(&from(), email(&["a@b.example"], &subject)).is_ok());
        assert!(refusal(email(&["a@b.example"], &format!("{subject}a"))).contains("at most 255"));
        let fits = attached("a", "text/xml", vec![0; BYTES_MAX - 4]);
        assert!(compose(&from(), fits).ok().unwrap().bytes.len() < 10 << 20);
        let reason = refusal(attached("a", "text/xml", vec![0; BYTES_MAX - 3]));
        assert_eq!(reason, Reason::EmailTooLarge.kept(7));
    }

    #[test]
    fn what_is_sent_is_short_lines_of_ascii() {
        let mut email = attached(&"ñandú ".repeat(40), "application/pdf", vec![0xff; 5_000]);
        email.subject = "Factura «A-1» de Núñez \u{1F455} ".repeat(9);
        email.text = format!("Año\r\nuno\rdos\n.\n..tres{}\0", "á".repeat(3_000));
        let bytes = compose(&from(), email).ok().unwrap().bytes;
        assert!(bytes.is_ascii());
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.replace("\r\n", "").contains(['\r', '\n', '\0']));
        assert!(text.split("\r\n").all(|line| line.len() <= 100), "{text}");
    }

    #[test]
    fn an_email_has_one_name_in_every_attempt() {
        let id = message_id("tsk_01-x", "tienda.example");
        assert_eq!(id.as_deref(), Ok("<tsk_01-x@tienda.example>"));
        for wrong in ["", "a b", "a@b", "a>", "ñ", "a\r\nBcc: x@y.example", &"a".repeat(101)] {
            assert!(message_id(wrong, "tienda.example").is_err(), "{wrong}");
        }
    }
}
