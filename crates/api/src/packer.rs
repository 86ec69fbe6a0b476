//! Bytes that are compressed as they are written.

use std::io::{self, Write};

use actix_web::http::header::ContentEncoding;
use brotli::CompressorWriter;
use flate2::{Compression, write::GzEncoder};

/// Levels that take about as long as the database does for what is compressed.
const GZIP_LEVEL: u32 = 4;
const BROTLI_LEVEL: u32 = 4;
const BROTLI_WINDOW_BITS: u32 = 20;
pub(crate) const ZSTD_LEVEL: i32 = 3;
/// How far back what is compressed as it is written may refer: as far as brotli, in less memory than the level would take.
const ZSTD_WINDOW_BITS: u32 = 20;

/// Compresses what is written to it, or leaves it as it is.
pub(crate) enum Packer<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Brotli(Box<CompressorWriter<W>>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> Packer<W> {
    /// # Errors
    /// When there is no memory for it.
    pub(crate) fn new(encoding: Option<ContentEncoding>, out: W) -> io::Result<Self> {
        Ok(match encoding {
            Some(ContentEncoding::Gzip) => {
                Self::Gzip(GzEncoder::new(out, Compression::new(GZIP_LEVEL)))
            }
            Some(ContentEncoding::Brotli) => {
                let writer = CompressorWriter::new(out, 4_096, BROTLI_LEVEL, BROTLI_WINDOW_BITS);
                Self::Brotli(Box::new(writer))
            }
            Some(ContentEncoding::Zstd) => {
                let mut encoder = zstd::Encoder::new(out, ZSTD_LEVEL)?;
                encoder.window_log(ZSTD_WINDOW_BITS)?;
                Self::Zstd(encoder)
            }
            _ => Self::Plain(out),
        })
    }

    /// Writes the end, and gives back what it was written to.
    ///
    /// # Errors
    /// Those of what it is written to.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(out) => Ok(out),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Brotli(encoder) => Ok(encoder.into_inner()),
            Self::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Brotli(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
        }
    }

    /// What is held back is written by [`Self::finish`].
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
