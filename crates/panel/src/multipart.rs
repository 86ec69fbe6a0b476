//! Forms with files, as browsers send them (RFC 7578).

use actix_web::web::Bytes;
use kernel::{Message, message};
use multer::{Multipart, parse_boundary};

use crate::{failure::Failure, form::Sent};

/// The most fields of one form.
const FIELDS_MAX: usize = 50;

/// What was sent with a form whose content type is this.
pub(crate) async fn sent(kind: &str, body: Bytes) -> Result<Sent, Failure> {
    let malformed = || Failure::Malformed(not_in_parts());
    let boundary = parse_boundary(kind).map_err(|_| malformed())?;
    let whole = futures_util::stream::once(async move { Ok::<_, std::io::Error>(body) });
    let mut parts = Multipart::new(whole, boundary);
    let (mut texts, mut files) = (Vec::new(), Vec::new());
    while let Some(field) = parts.next_field().await.map_err(|_| malformed())? {
        if texts.len() + files.len() == FIELDS_MAX {
            return Err(Failure::TooLarge);
        }
        let name = field.name().ok_or_else(malformed)?.to_owned();
        let is_file = field.file_name().is_some();
        let bytes = field.bytes().await.map_err(|_| malformed())?;
        if is_file {
            files.push((name, bytes));
        } else {
            let text = std::str::from_utf8(&bytes).map_err(|_| malformed())?;
            texts.push((name, text.to_owned()));
        }
    }
    Ok(Sent::of_parts(&texts, files))
}

fn not_in_parts() -> Message {
    message!(
        "the form must be multipart/form-data, with UTF-8 text in its fields",
        "el formulario debe ser multipart/form-data, con texto UTF-8 en sus campos"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: &str = "multipart/form-data; boundary=x";

    async fn read(kind: &str, body: &'static [u8]) -> Result<Sent, Failure> {
        sent(kind, Bytes::from_static(body)).await
    }

    #[actix_web::test]
    async fn texts_and_files_are_told_apart() {
        let body = b"--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\nab\r\n\
            --x\r\nContent-Disposition: form-data; name=\"key\"; filename=\"a.key\"\r\n\
            Content-Type: application/octet-stream\r\n\r\n\x00\xff\r\n--x--\r\n";
        let sent = read(KIND, body).await.unwrap();
        assert_eq!(sent.csrf, "ab");
        assert_eq!(sent.file("key").map(|bytes| &bytes[..]), Some(&b"\x00\xff"[..]));
    }

    #[actix_web::test]
    async fn what_is_no_form_is_refused() {
        let cut: &[u8] = b"--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb";
        let unnamed: &[u8] = b"--x\r\nContent-Disposition: form-data\r\n\r\nb\r\n--x--\r\n";
        for (kind, body) in [("multipart/form-data", cut), (KIND, cut), (KIND, unnamed)] {
            assert!(matches!(read(kind, body).await, Err(Failure::Malformed(_))), "{kind}");
        }
    }
}
