//! The logo of an issuer, printed on its invoices.

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use intake::{
    Form,
    checks::{flag, whole_from},
    noun,
};
use invoices::Issuer;
use kernel::FieldFault;

use super::{PATH, WRITE, issuers::issuer, with_form};
use crate::{
    answer::Answer,
    call::{Call, Member},
    failure::Failure,
    form::Values,
    multipart::Upload,
    page::Page,
    pages::{invoices::told::told, reading::required},
    parts::Field,
    reply::concluded,
};

/// So much of a file is taken; the printer says what of it is too much for a logo.
const BYTES_MAX: usize = 8 * 1024 * 1024;

/// Which version was seen, and whether there is to be none.
const FORM: Form<(Option<i64>, bool)> = Form::body(
    "SetLogo",
    noun("this form", "este formulario"),
    |fields| {
        let version = fields.optional("version", whole_from(1));
        Some((version, fields.optional("remove", flag()).unwrap_or_default()))
    },
    "",
);

/// The pages.
pub(super) fn pages() -> Vec<Page> {
    vec![
        Page::get("settings/invoicing/issuers/{id}/logo", WRITE, show),
        Page::post("settings/invoicing/issuers/{id}/logo", WRITE, set).with_file(),
    ]
}

async fn show(call: Call<Member>) -> Result<Answer, Failure> {
    let issuer = issuer(&call).await?;
    Ok(page(&call, &issuer, &[]))
}

fn page(call: &Call<Member>, issuer: &Issuer, faults: &[FieldFault]) -> Answer {
    let say = call.say();
    let none = Values::default();
    let remove = issuer.has_logo.then(|| Field::tick("remove", say.remove_logo(), &none));
    // The file comes last.
    let image = Field::input("file", "image", say.logo(), &none).hint(say.logo_hint());
    let fields = remove.into_iter().chain([image]).collect();
    let action = format!("{}/issuers/{}/logo", call.href(PATH), issuer.id);
    let form = call.form(action, fields, say.save(), faults).with_files();
    let form = form.hidden("version", issuer.version.to_string());
    with_form(call, &say.logo_of(&issuer.legal_name), &form, faults)
}

/// The bytes of a file.
async fn taken(mut upload: Upload) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(piece) = upload.next().await? {
        if bytes.len() + piece.len() > BYTES_MAX {
            return Err(Failure::TooLarge);
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

async fn set(mut call: Call<Member>) -> Result<Answer, Failure> {
    let upload = call.upload.take();
    let issuer = issuer(&call).await?;
    let (version, is_to_go) = match call.read(&FORM)? {
        Ok(told) => told,
        Err(faults) => return Ok(page(&call, &issuer, &faults)),
    };
    let image = match upload {
        Some(upload) => taken(upload).await?,
        None => Vec::new(),
    };
    // The same form with another file is another command.
    let mut ctx = call.ctx();
    if let Some(idempotency) = &mut ctx.idempotency {
        idempotency.digest.push_str(&hex::encode(digest(&SHA256, &image)));
    }
    let wrong = |problem| [FieldFault::new("image", problem)];
    let kept = match image.is_empty() {
        true if is_to_go => None,
        true => {
            let missing = wrong(required());
            return Ok(page(&call, &issuer, &missing));
        }
        false => {
            let printer = Arc::clone(&call.services().printer);
            match call.computed(move || printer.logo_to_keep(image)).await? {
                Ok(image) => Some(image),
                Err(problem) => return Ok(page(&call, &issuer, &wrong(problem))),
            }
        }
    };
    let setting = call.services().issuers.set_logo(ctx, Some(issuer.id), kept, version);
    Ok(match concluded(setting, |error| told(&error)).await? {
        Ok(_) => call.done_at(PATH, "logo.saved"),
        Err(faults) => page(&call, &issuer, &faults),
    })
}
