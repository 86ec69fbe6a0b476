//! Bodies: as which media types they come, how large they may be, and what a handler is given of them.

use actix_web::web::Bytes;
use intake::Form;

use super::takes::{Declared, Draw, Takes};
use crate::{
    answer::JSON_TYPE,
    call::Call,
    error::ApiError,
    payload::{Delivery, Part, Upload, Wanted},
    refusals::unreadable_body,
};

const URLENCODED_TYPE: &str = "application/x-www-form-urlencoded";
pub(crate) const MULTIPART_TYPE: &str = "multipart/form-data";

/// A body that an endpoint takes.
pub(crate) struct Body {
    /// How it comes.
    pub(crate) wanted: Wanted,
    /// What is in it.
    pub(crate) content: Content,
}

/// What is in a body, for the document.
pub(crate) enum Content {
    /// The fields of a form.
    Fields {
        /// The name of their schema.
        name: &'static str,
        /// An example as JSON.
        example: &'static str,
        /// Whether there may be no body at all.
        may_be_absent: bool,
        /// What is asked for.
        sketch: Draw,
        /// Files beside the fields, of a multipart body.
        files: &'static [FilePart],
    },
    /// Bytes.
    Bytes,
}

/// A file that a multipart body may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilePart {
    /// The name of its field.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The media types that it may have.
    pub media_types: &'static [&'static str],
    /// Whether it must be there.
    pub required: bool,
}

impl Body {
    /// A JSON body that makes something new, or acts.
    pub(crate) fn json<T: 'static>(form: Form<T>) -> Self {
        Self::of_form(form, &[JSON_TYPE], Delivery::Whole, &[])
    }

    /// A JSON body that changes what there is.
    pub(crate) fn changes<T: 'static>(form: Form<T>) -> Self {
        let body = Self::json(form);
        match body.content {
            Content::Fields { name, example, may_be_absent, files, .. } => {
                let sketch = Box::new(move || form.sketch());
                let content = Content::Fields { name, example, may_be_absent, sketch, files };
                Self { content, ..body }
            }
            Content::Bytes => body,
        }
    }

    /// Whether there may be none.
    pub(crate) fn may_be_absent(&self) -> bool {
        matches!(self.content, Content::Fields { may_be_absent: true, .. })
    }

    fn of_form<T: 'static>(
        form: Form<T>,
        media_types: &'static [&'static str],
        delivery: Delivery,
        files: &'static [FilePart],
    ) -> Self {
        let Form { name, example, may_be_absent, .. } = form;
        let sketch = Box::new(move || form.sketch().without_read_only());
        let content = Content::Fields { name, example, may_be_absent, sketch, files };
        // What is missing of a form is said field by field.
        let wanted = Wanted { media_types, bytes_max: None, delivery, is_required: false };
        Self { wanted, content }
    }
}

/// A url-encoded body, as browsers send forms.
pub struct UrlEncoded<T>(Form<T>);

/// A url-encoded body, read by a form.
pub const fn urlencoded<T>(form: Form<T>) -> UrlEncoded<T> {
    UrlEncoded(form)
}

impl<T: 'static> Takes for UrlEncoded<T> {
    type Value = T;

    fn declare(&self, declared: &mut Declared) {
        declared.body = Some(Body::of_form(self.0, &[URLENCODED_TYPE], Delivery::Whole, &[]));
    }

    async fn take<A>(&self, call: &mut Call<A>) -> Result<T, ApiError> {
        self.0.read_urlencoded(call.body.bytes()).map_err(|why| unreadable_body(why, &[]))
    }
}

/// A body of bytes.
pub struct Raw {
    media_types: &'static [&'static str],
    bytes_max: usize,
    delivery: Delivery,
    is_required: bool,
}

/// A body of one of these media types and at most so many bytes, as it is.
pub const fn raw(media_types: &'static [&'static str], bytes_max: usize) -> Raw {
    Raw { media_types, bytes_max, delivery: Delivery::Whole, is_required: true }
}

/// A body of any type and at most so many bytes, as it is; there may be none.
pub(crate) const fn anything(bytes_max: usize) -> Raw {
    Raw { media_types: &[], bytes_max, delivery: Delivery::Whole, is_required: false }
}

impl Raw {
    fn body(&self) -> Body {
        let Self { media_types, bytes_max, delivery, is_required } = *self;
        let wanted = Wanted { media_types, bytes_max: Some(bytes_max), delivery, is_required };
        Body { wanted, content: Content::Bytes }
    }
}

impl Takes for Raw {
    type Value = Bytes;

    fn declare(&self, declared: &mut Declared) {
        declared.body = Some(self.body());
    }

    async fn take<A>(&self, call: &mut Call<A>) -> Result<Bytes, ApiError> {
        Ok(call.body.bytes().clone())
    }
}

/// A body of bytes that is received piece by piece.
pub struct Streamed(Raw);

/// A body of one of these media types and at most so many bytes, given to the handler as it comes.
pub const fn streamed(media_types: &'static [&'static str], bytes_max: usize) -> Streamed {
    Streamed(Raw { media_types, bytes_max, delivery: Delivery::Streamed, is_required: true })
}

impl Takes for Streamed {
    type Value = Upload;

    fn declare(&self, declared: &mut Declared) {
        declared.body = Some(self.0.body());
    }

    async fn take<A>(&self, call: &mut Call<A>) -> Result<Upload, ApiError> {
        call.body.take_upload().ok_or_else(|| ApiError::internal("a body was taken twice"))
    }
}

/// A multipart body: the fields of a form, and files.
pub struct Multipart<T> {
    form: Form<T>,
    files: &'static [FilePart],
    bytes_max: usize,
}

/// A multipart body of at most so many bytes: its texts are read by a form, its files are given as they are.
pub const fn multipart<T>(
    form: Form<T>,
    files: &'static [FilePart],
    bytes_max: usize,
) -> Multipart<T> {
    Multipart { form, files, bytes_max }
}

impl<T: 'static> Takes for Multipart<T> {
    type Value = (T, Vec<Part>);

    fn declare(&self, declared: &mut Declared) {
        let mut body = Body::of_form(self.form, &[MULTIPART_TYPE], Delivery::InParts, self.files);
        body.wanted.bytes_max = Some(self.bytes_max);
        declared.body = Some(body);
    }

    async fn take<A>(&self, call: &mut Call<A>) -> Result<Self::Value, ApiError> {
        let parts = call.body.take_parts();
        let is_file = |part: &Part| self.files.iter().any(|file| file.name == part.name);
        let (files, texts): (Vec<_>, Vec<_>) = parts.into_iter().partition(is_file);
        let texts = texts.into_iter().map(Part::into_text).collect::<Result<Vec<_>, _>>()?;
        let mut faults = super::files::faults(self.files, &files);
        match self.form.read_texts(texts) {
            Ok(value) if faults.is_empty() => Ok((value, files)),
            Err(intake::Unreadable::Faulty(more)) => {
                faults.extend(more);
                Err(ApiError::of_faults(&faults))
            }
            Ok(_) => Err(ApiError::of_faults(&faults)),
            Err(why) => Err(unreadable_body(why, &[])),
        }
    }
}
