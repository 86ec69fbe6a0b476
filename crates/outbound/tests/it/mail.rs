//! Mail servers that behave and that do not.

mod emails;
mod encrypted;
mod endings;

use std::time::Duration;

use kernel::mail::{Attachment, Email};
use outbound::{Mailer, mail::Settings};

const FROM: &str = "Papelería Núñez <ventas@tienda.example>";

/// Mail by a server, with much time.
fn settings(url: impl Into<String>) -> Settings {
    Settings {
        smtp_url: url.into(),
        from: FROM.to_owned(),
        timeout: Duration::from_secs(30),
        ca_file: None,
    }
}

fn mailer(url: impl Into<String>) -> Mailer {
    Mailer::new(&settings(url)).unwrap()
}

/// An invoice for one.
fn email() -> Email {
    let attachment = |name: &str, content_type: &str, bytes: &[u8]| Attachment {
        name: name.to_owned(),
        content_type: content_type.to_owned(),
        bytes: bytes.to_vec(),
    };
    Email {
        id: "tsk_1".to_owned(),
        to: vec!["ana@cliente.example".to_owned()],
        subject: "Factura A-1".to_owned(),
        text: "Hola:\n\nva su factura.".to_owned(),
        attachments: vec![
            attachment("A-1.xml", "application/xml", "<a b=\"ñ\">\n.\n</a>\n".as_bytes()),
            attachment("A-1.pdf", "application/pdf", b"%PDF-1.7\r\n.\r\n\xff\x00\n.\n"),
        ],
    }
}
