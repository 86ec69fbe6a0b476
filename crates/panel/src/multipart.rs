//! Forms with files, as browsers send them (RFC 7578).

use std::{
    io,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use actix_web::{
    rt,
    web::{Bytes, Payload},
};
use futures_util::{
    Stream, StreamExt,
    future::{Either, select},
    stream,
};
use kernel::{Message, message};
use multer::{Field, Multipart, parse_boundary};
use tokio::{sync::mpsc, time::timeout};

use crate::{failure::Failure, form::Sent};

/// The most fields of one form.
const FIELDS_MAX: usize = 50;
/// The most bytes of what stands beside a file, with the boundaries and heads of its parts and what comes in one piece with them.
const BESIDE_BYTES_MAX: u64 = 256 * 1024;

/// A file on its way in, which is the last field of its form.
pub(crate) struct Upload {
    /// What its sender calls it.
    pub(crate) name: String,
    parts: Multipart<'static>,
    field: Option<Field<'static>>,
    gauge: Arc<Gauge>,
    /// How long a piece may take.
    patience: Duration,
}

impl Upload {
    /// Its next piece; `None` at its end, which is that of the form.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        let Some(field) = &mut self.field else { return Ok(None) };
        let piece = timeout(self.patience, field.chunk()).await.map_err(|_| cut_off())?;
        if let Some(piece) = piece.map_err(|_| cut_off())? {
            return Ok(Some(piece));
        }
        self.field = None;
        self.gauge.allow_more();
        let next = timeout(self.patience, self.parts.next_field()).await.map_err(|_| cut_off())?;
        match next.map_err(|_| cut_off())? {
            None => Ok(None),
            Some(_) => Err(Failure::Malformed(message!(
                "the file must be the last field of its form",
                "el archivo debe ser el último campo de su formulario"
            ))),
        }
    }
}

/// How much of a form has come, and how much may.
struct Gauge {
    come: AtomicU64,
    most: AtomicU64,
}

impl Gauge {
    /// Counts bytes; whether they may come.
    fn passes(&self, bytes: usize) -> bool {
        let bytes = bytes as u64;
        self.come.fetch_add(bytes, Relaxed).saturating_add(bytes) <= self.most.load(Relaxed)
    }

    /// A file has begun: whoever reads it counts.
    fn open(&self) {
        self.most.store(u64::MAX, Relaxed);
    }

    /// A file has ended.
    fn allow_more(&self) {
        self.most.store(self.come.load(Relaxed).saturating_add(BESIDE_BYTES_MAX), Relaxed);
    }

    /// Why a form that is broken cannot be read.
    fn refusal(&self) -> Failure {
        match self.come.load(Relaxed) > self.most.load(Relaxed) {
            true => Failure::TooLarge,
            false => malformed(),
        }
    }
}

/// The texts of a form whose content type is this, up to its file, which is still on its way. They come as soon as those of any
/// other form: nothing proves yet who sends them.
pub(crate) async fn begun(
    kind: &str,
    payload: Payload,
    (bytes_max, patience): (usize, Duration),
) -> Result<(Sent, Option<Upload>), Failure> {
    let read = up_to_file(kind, payload, (bytes_max, patience));
    timeout(patience, read).await.map_err(|_| cut_off())?
}

async fn up_to_file(
    kind: &str,
    payload: Payload,
    (bytes_max, patience): (usize, Duration),
) -> Result<(Sent, Option<Upload>), Failure> {
    let boundary = parse_boundary(kind).map_err(|_| malformed())?;
    let gauge = Gauge { come: AtomicU64::new(0), most: AtomicU64::new(BESIDE_BYTES_MAX) };
    let gauge = Arc::new(gauge);
    let mut parts = Multipart::new(pieces(payload, Arc::clone(&gauge)), boundary);
    let (mut texts, mut bytes) = (Vec::new(), 0);
    loop {
        let next = parts.next_field().await;
        let Some(mut field) = next.map_err(|_| gauge.refusal())? else {
            return Ok((Sent::of_parts(&texts, Vec::new()), None));
        };
        let name = field.name().ok_or_else(malformed)?.to_owned();
        if let Some(called) = field.file_name().map(str::to_owned) {
            gauge.open();
            let upload = Upload { name: called, parts, field: Some(field), gauge, patience };
            return Ok((Sent::of_parts(&texts, Vec::new()), Some(upload)));
        }
        let mut text = Vec::new();
        loop {
            let piece = field.chunk().await;
            let Some(piece) = piece.map_err(|_| gauge.refusal())? else { break };
            bytes += piece.len();
            if bytes > bytes_max {
                return Err(Failure::TooLarge);
            }
            text.extend_from_slice(&piece);
        }
        if texts.len() == FIELDS_MAX {
            return Err(Failure::TooLarge);
        }
        texts.push((name, String::from_utf8(text).map_err(|_| malformed())?));
    }
}

/// The pieces of a body as another thread could take them. Nothing more is read than is taken.
fn pieces(mut payload: Payload, gauge: Arc<Gauge>) -> impl Stream<Item = io::Result<Bytes>> + Send {
    let (sender, receiver) = mpsc::channel(1);
    rt::spawn(async move {
        loop {
            // Whoever has refused the form reads no more of it.
            let next = match select(payload.next(), pin!(sender.closed())).await {
                Either::Left((next, _)) => next,
                Either::Right(_) => return,
            };
            let Some(piece) = next else { return };
            let piece = piece.map_err(|_| io::Error::from(io::ErrorKind::UnexpectedEof));
            let piece = match piece {
                Ok(piece) if !gauge.passes(piece.len()) => {
                    Err(io::Error::from(io::ErrorKind::FileTooLarge))
                }
                piece => piece,
            };
            let is_last = piece.is_err();
            if sender.send(piece).await.is_err() || is_last {
                return;
            }
        }
    });
    stream::unfold(receiver, |mut receiver| async move {
        let piece = receiver.recv().await?;
        Some((piece, receiver))
    })
}

/// What was sent with a form whose content type is this.
pub(crate) async fn sent(kind: &str, body: Bytes) -> Result<Sent, Failure> {
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

fn malformed() -> Failure {
    Failure::Malformed(not_in_parts())
}

fn cut_off() -> Failure {
    Failure::Malformed(message!(
        "the file did not arrive whole: send it again",
        "el archivo no llegó completo: envíalo de nuevo"
    ))
}

fn not_in_parts() -> Message {
    message!(
        "the form must be multipart/form-data, with UTF-8 text in its fields",
        "el formulario debe ser multipart/form-data, con texto UTF-8 en sus campos"
    )
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;

    use actix_web::{FromRequest, error::PayloadError, test::TestRequest};

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

    /// The texts before the file, and what comes of it.
    async fn begin(body: Vec<u8>) -> Result<(Sent, Option<Upload>), Failure> {
        let (request, mut payload) = TestRequest::post().set_payload(body).to_http_parts();
        let payload = Payload::from_request(&request, &mut payload).await.unwrap();
        begun(KIND, payload, (1_000, Duration::from_secs(10))).await
    }

    async fn whole(upload: &mut Upload) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        while let Some(piece) = upload.next().await? {
            bytes.extend_from_slice(&piece);
        }
        Ok(bytes)
    }

    fn form(texts: &[(&str, &str)], file: &[u8], end: &str) -> Vec<u8> {
        let text = |(name, text): &(&str, &str)| {
            format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
        };
        let mut body: Vec<u8> = texts.iter().map(text).collect::<String>().into_bytes();
        body.extend(
            b"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n",
        );
        body.extend_from_slice(file);
        body.extend_from_slice(end.as_bytes());
        body
    }

    #[actix_web::test]
    async fn a_file_follows_the_texts_of_its_form() {
        let file: Vec<u8> = (0..20_000_u32).flat_map(|number| number.to_le_bytes()).collect();
        let body = form(&[("csrf", "ab"), ("rows", "")], &file, "\r\n--x--\r\n");
        let (sent, upload) = begin(body).await.unwrap();
        let mut upload = upload.unwrap();
        assert_eq!((sent.csrf.as_str(), upload.name.as_str()), ("ab", "a.csv"));
        assert_eq!(whole(&mut upload).await.unwrap(), file);
        let (sent, none) = begin(b"--x--\r\n".to_vec()).await.unwrap();
        assert!(none.is_none() && sent.csrf.is_empty());
    }

    #[actix_web::test]
    async fn texts_that_drip_are_not_waited_for() {
        type Pieces = Pin<Box<dyn Stream<Item = Result<Bytes, PayloadError>>>>;
        let head = b"--x\r\nContent-Disposition: form-data; name=\"rows\"\r\n\r\n";
        let head = Bytes::from_static(head);
        let head = stream::once(async move { Ok::<_, PayloadError>(head) });
        let drops = stream::unfold((), |()| async {
            tokio::time::sleep(Duration::from_millis(5)).await;
            Some((Ok::<_, PayloadError>(Bytes::from_static(b"a")), ()))
        });
        let payload: Pieces = Box::pin(head.chain(drops));
        let mut payload = actix_web::dev::Payload::Stream { payload };
        let request = TestRequest::post().to_http_request();
        let payload = Payload::from_request(&request, &mut payload).await.unwrap();
        let dripping = begun(KIND, payload, (1_000, Duration::from_millis(50))).await;
        assert!(matches!(dripping, Err(Failure::Malformed(_))));
    }

    #[actix_web::test]
    async fn what_is_cut_off_or_goes_on_behind_its_file_is_refused() {
        let more =
            "\r\n--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\nab\r\n--x--\r\n";
        for end in ["", more] {
            let (_, upload) = begin(form(&[], b"a,b", end)).await.unwrap();
            let refused = whole(&mut upload.unwrap()).await;
            assert!(matches!(refused, Err(Failure::Malformed(_))), "{end}");
        }
        let long = form(&[("rows", &"a".repeat(1_001))], b"", "\r\n--x--\r\n");
        assert!(matches!(begin(long).await, Err(Failure::TooLarge)));
        // A form that never begins is not kept in memory.
        let nothing = vec![b'a'; 600_000];
        assert!(matches!(begin(nothing).await, Err(Failure::TooLarge)));
    }
}
